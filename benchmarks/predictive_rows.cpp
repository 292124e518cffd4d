/**
 * @file benchmarks/predictive_rows.cpp
 *
 * The posterior predictive of a 784-30-10 network against the same matrix
 * products alone.
 */
#include "common/data.hpp"
#include "common/rows.hpp"

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/gemm.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/predict/predictive.hpp>

#include <algorithm>
#include <memory>

namespace bench {

namespace {

using MatType = arma::fmat;
using Network = mlpack::FFN<symvi::CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

/**
 * The products of `draws` forward passes, in the most favourable shapes there
 * are: for the first layer all draws that fit into a block stacked into one
 * product, for the second one product a draw; weights and inputs lie ready.
 */
class Products
{
 public:
  explicit Products(const MatType& points) :
      points(points),
      first(30 * block, points.n_rows, arma::fill::randu),
      hidden(30 * block, tile, arma::fill::randu),
      second(10, 30, arma::fill::randu),
      outputs(10, tile)
  { }

  void Run(const size_t draws)
  {
    for (size_t s = 0; s < draws; s += block)
      for (size_t p = 0; p < points.n_cols; p += tile)
      {
        const size_t count = std::min(tile, size_t(points.n_cols - p));
        symvi::Gemm<float>(false, false, 30 * block, count, points.n_rows,
            first.memptr(), points.colptr(p), 0.0f, hidden.memptr());
        for (size_t b = 0; b < block; ++b)
          symvi::Gemm<float>(false, false, 10, count, 30, second.memptr(),
              hidden.memptr() + b * 30 * count, 0.0f, outputs.memptr());
      }
  }

  static constexpr size_t block = 20, tile = 500;

 private:
  const MatType& points;
  MatType first, hidden, second, outputs;
};

} // namespace

std::vector<Row> PredictiveRows(const Settings& settings)
{
  mlpack::RandomSeed(1);
  const size_t draws = settings.quick ? 40 : 1000;
  const size_t count = 10000;
  const auto data = std::make_shared<Data<MatType>>(MakeData<MatType>(count));
  const auto network = std::make_shared<Network>();
  network->Add<symvi::BayesianLinearType<MatType>>(30);
  network->Add<mlpack::ReLUType<MatType>>();
  network->Add<symvi::BayesianLinearType<MatType>>(10);
  network->Reset(784);
  const auto products = std::make_shared<Products>(data->predictors);

  const std::string size = std::to_string(draws) + " draws, " +
      std::to_string(count) + " points";
  std::vector<Candidate> candidates(2);
  candidates[0].row = MakeRow("products of " + size, "30", "", 0, "float",
      settings.threads);
  candidates[0].run = [=](const size_t steps)
  {
    for (size_t s = 0; s < steps; ++s)
      products->Run(draws);
  };
  candidates[1].row = MakeRow("predictive, " + size, "30", "", 0, "float",
      settings.threads);
  candidates[1].run = [=](const size_t steps)
  {
    for (size_t s = 0; s < steps; ++s)
      symvi::PredictPosterior(*network, data->predictors,
          symvi::CategoricalLikelihoodType<MatType>(),
          symvi::PredictOptions(draws));
  };
  return Compare(candidates, settings.quick ? 8.0 : 200.0);
}

} // namespace bench
