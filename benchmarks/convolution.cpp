/**
 * @file benchmarks/convolution.cpp
 *
 * Steps and predictions of a network like LeNet on images of 28 x 28 pixels:
 * mlpack's own, Bayesian, and symmetrized.  Batches of 64, one thread.
 */
#include <symvi/information/estimators.hpp>
#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>
#include <symvi/predict/predictive.hpp>

#include "common/clock.hpp"
#include "common/data.hpp"

#include <cstdio>
#include <functional>
#include <memory>

namespace {

constexpr size_t batchSize = 64, points = 640, predicted = 256, draws = 100;

template<typename MatType>
using Network = mlpack::FFN<symvi::CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

//! conv 6 - pool - conv 16 - pool - dense 120 - dense 10.
template<typename MatType, typename Convolution, typename Linear,
    typename NetworkType>
void AddLayers(NetworkType& network)
{
  using ReLU = symvi::compat::ReLU<MatType>;
  using Pooling = symvi::compat::MaxPooling<MatType>;
  network.template Add<Convolution>(6, 5, 5);
  network.template Add<ReLU>();
  network.template Add<Pooling>(2, 2, 2, 2);
  network.template Add<Convolution>(16, 5, 5);
  network.template Add<ReLU>();
  network.template Add<Pooling>(2, 2, 2, 2);
  network.template Add<Linear>(120);
  network.template Add<ReLU>();
  network.template Add<Linear>(10);
  network.InputDimensions() = { 28, 28, 1 };
}

//! Steps of an update policy on the batches of an objective.
template<typename MatType, typename Objective, typename Update>
std::function<void()> Steps(std::shared_ptr<Objective> objective,
    MatType& parameters, Update)
{
  using Policy = typename Update::template Policy<MatType, MatType>;
  struct State
  {
    Update update;
    std::unique_ptr<Policy> policy;
    MatType gradient;
    size_t next = 0;
  };
  auto state = std::make_shared<State>();
  state->policy = std::make_unique<Policy>(state->update, parameters.n_rows, 1);
  state->gradient.set_size(parameters.n_rows, 1);
  return [objective, state, &parameters]
  {
    objective->EvaluateWithGradient(parameters, state->next, state->gradient,
        batchSize);
    state->policy->Update(parameters, 1e-3, state->gradient);
    state->next = (state->next + batchSize) % points;
      };
}

//! Medians of the time of each function, which take turns.
std::vector<double> Times(const std::vector<std::function<void()>>& functions,
    const size_t rounds, const size_t repetitions)
{
  std::vector<std::vector<double>> times(functions.size());
  for (size_t r = 0; r <= rounds; ++r)
    for (size_t i = 0; i < functions.size(); ++i)
    {
      const double begin = bench::Microseconds(false);
      for (size_t k = 0; k < repetitions; ++k)
        functions[i]();
      // The first round warms up.
      if (r > 0)
        times[i].push_back(
            (bench::Microseconds(false) - begin) / double(repetitions));
    }
  std::vector<double> medians;
  for (const std::vector<double>& list : times)
    medians.push_back(bench::Median(list));
  return medians;
}

template<typename MatType>
void Table(const char* type)
{
  using Plain = mlpack::FFN<symvi::compat::NegativeLogLikelihood<MatType>,
      mlpack::RandomInitialization, MatType>;
  const bench::Data<MatType> data = bench::MakeData<MatType>(points);
  mlpack::RandomSeed(1);

  auto plain = std::make_shared<Plain>();
  AddLayers<MatType, symvi::compat::DefaultConvolution<MatType>,
      symvi::compat::Linear<MatType>>(*plain);
  plain->template Add<symvi::compat::LogSoftMax<MatType>>();
  plain->ResetData(bench::Share(data.predictors), bench::Share(data.labels));
  plain->Reset();
  plain->Parameters().col(0) *= 0.05f;
  plain->SetNetworkMode(true);

  std::vector<std::function<void()>> steps = { Steps(plain, plain->Parameters(),
      ens::AdamUpdate()) };
  std::vector<std::shared_ptr<Network<MatType>>> networks;
  for (const bool symmetrized : { false, true })
  {
    networks.push_back(std::make_shared<Network<MatType>>());
    Network<MatType>& network = *networks.back();
    AddLayers<MatType, symvi::BayesianConvolutionType<MatType>,
        symvi::BayesianLinearType<MatType>>(network);
    auto objective = std::make_shared<symvi::SymmetrizedELBO<Network<MatType>>>(
        network, bench::Share(data.predictors), bench::Share(data.labels),
        symmetrized ? symvi::MakeEstimator("auto") : nullptr);
    steps.push_back(
        Steps(objective, network.Parameters(), symvi::AdamUpdate()));
  }
  const std::vector<double> t = Times(steps, 15, 20);
  std::printf("%-6s step        mlpack %7.0f us   Bayesian %7.0f us (%.2f)   "
              "symmetrized %7.0f us (%.2f)\n",
      type, t[0], t[1], t[1] / t[0], t[2], t[2] / t[1]);

  const MatType some = data.predictors.head_cols(predicted);
  plain->SetNetworkMode(false);
  const std::vector<double> p = Times({ [&]
                                          {
    MatType result;
    plain->Predict(some, result);
                                       },
                                          [&]
                                          {
    symvi::PredictPosterior(*networks[0], some,
        symvi::CategoricalLikelihoodType<MatType>(),
        symvi::PredictOptions(draws));
  } },
                            3, 1);
  std::printf("%-6s prediction  mlpack %7.0f us   %zu draws %8.0f us "
              "(%.2f of %zu passes), %zu points\n",
      type, p[0], draws, p[1], p[1] / p[0] / double(draws), draws, predicted);
}

} // namespace

int main()
{
  std::printf("%s\n", symvi::DependencyVersions().c_str());
  Table<arma::fmat>("float");
  Table<arma::mat>("double");
}
