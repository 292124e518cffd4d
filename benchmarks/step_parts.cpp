/**
 * @file benchmarks/step_parts.cpp
 *
 * One training step with the default estimator, part by part.
 */
#include "common/rows.hpp"
#include "common/step.hpp"

#include "kernel/mean_field.hpp"
#include <symvi/network/network.hpp>

namespace bench {

namespace {

using MatType = arma::fmat;
using Network = mlpack::FFN<symvi::CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

//! A network in the middle of training, whose parts can be run alone.
struct Parts
{
  Parts(const Data<MatType>& data, const size_t width) :
      batch(data.predictors.cols(0, batchSize - 1)),
      labels(data.labels.cols(0, batchSize - 1)),
      step(data, { width }, symvi::MakeEstimator()),
      stream(3)
  {
    step.Run(100);
    step.Keep();
    symmetry = symvi::NetworkSymmetry<MatType>(step.GetNetwork().Network());
    for (mlpack::Layer<MatType>* layer : step.GetNetwork().Network())
      if (auto* l = dynamic_cast<symvi::BayesianLinearType<MatType>*>(layer))
        layers.push_back(l);
    gradient.zeros(arma::size(step.GetNetwork().Parameters()));
    for (auto* layer : layers)
      information.path.push_back(layer->PathGradient().memptr());
    policy = std::make_unique<Policy>(update, gradient.n_rows, 1);
    for (auto* layer : layers)
      layer->Evaluation() = symvi::EvaluationMode::Held;
    Forward();
    Backward();
  }

  void Draw()
  {
    for (auto* layer : layers)
      layer->Draw();
  }
  void Forward() { step.GetNetwork().Forward(batch, outputs); }
  //! With the draws that are there.
  void ForwardHeld()
  {
    step.GetNetwork().SetNetworkMode(false);
    Forward();
    step.GetNetwork().SetNetworkMode(true);
  }
  void Backward() { step.GetNetwork().Backward(batch, labels, gradient); }
  //! The last pass of Backward(): gradients of mu and rho, with that of KL.
  void KLGradient()
  {
    float* next = gradient.memptr();
    for (const auto* layer : layers)
    {
      const size_t n = layer->PosteriorSize();
      symvi::kernel::MeanFieldGradient<float>(layer->Means().memptr(),
          layer->DrawnSigmas().memptr(), layer->DrawnSlopes().memptr(),
          layer->Noise().memptr(), nullptr, layer->PriorStddev(), 0.001, n,
          next, next + n);
      next += 2 * n;
    }
  }
  void Information()
  {
    for (size_t i = 0; i < symmetry.NumChains(); ++i)
      estimator->EvaluateWithGradient(symmetry.GetChain(i), stream, 0.0f,
          information);
  }
  void Adam()
  {
    policy->Update(step.GetNetwork().Parameters(), 1e-9, gradient);
  }

  using Policy = symvi::AdamUpdate::Policy<MatType, MatType>;

  MatType batch, labels, outputs, gradient;
  BayesianStep<MatType, symvi::AdamUpdate> step;
  symvi::NetworkSymmetry<MatType> symmetry;
  std::vector<symvi::BayesianLinearType<MatType>*> layers;
  symvi::EstimatorPtr estimator = symvi::MakeEstimator();
  symvi::RandomStream stream;
  symvi::InformationGradient<float> information;
  symvi::AdamUpdate update;
  std::unique_ptr<Policy> policy;
};

//! One part, timed from the same parameters every time.
template<typename Function>
Candidate Part(const std::string& name, const size_t width,
    const Settings& settings, const std::shared_ptr<Parts>& parts,
    const Function& function)
{
  Candidate candidate;
  candidate.row = MakeRow(name, std::to_string(width), "auto", 20, "float",
      settings.threads);
  candidate.prepare = [parts] { parts->step.Restore(); };
  candidate.run = [parts, function](const size_t steps)
  {
    for (size_t s = 0; s < steps; ++s)
      function(*parts);
  };
  return candidate;
}

} // namespace

std::vector<Row> StepParts(const Settings& settings)
{
  mlpack::RandomSeed(1);
  const Data<MatType> data = MakeData<MatType>(60000);
  std::vector<Row> all;
  for (const size_t width : { 30, 128, 512 })
  {
    const auto parts = std::make_shared<Parts>(data, width);
    std::vector<Candidate> candidates;
    const auto add = [&](const char* name, void (*part)(Parts&))
    {
      candidates.push_back(
          Part(std::string("part: ") + name, width, settings, parts, part));
    };
    add("whole step", [](Parts& p) { p.step.Run(1); });
    add("draw and KL", [](Parts& p) { p.Draw(); });
    add("forward", [](Parts& p) { p.ForwardHeld(); });
    add("I(g;w) and its gradient", [](Parts& p) { p.Information(); });
    add("backward and gradient of KL", [](Parts& p) { p.Backward(); });
    add("gradient of KL alone", [](Parts& p) { p.KLGradient(); });
    add("Adam", [](Parts& p) { p.Adam(); });
    const std::vector<Row> rows = Compare(candidates,
        settings.quick ? 1.0 : 10.0);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

} // namespace bench
