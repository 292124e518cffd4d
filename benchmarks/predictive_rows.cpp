/**
 * @file benchmarks/predictive_rows.cpp
 *
 * The posterior predictive of a 784-30-10 network against the same matrix
 * products alone.
 */
#include "common/predictive.hpp"
#include "layer/gemm.hpp"

#include <algorithm>

namespace bench {

namespace {

using MatType = arma::fmat;

/**
 * The products of `draws` forward passes, in the most favourable shapes there
 * are: for the first layer all draws that fit into a block stacked into one
 * product, for the second one product per draw; weights and inputs lie ready.
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
  const size_t draws = 1000, points = 10000;
  const auto predictor = std::make_shared<Predictor>(points);
  const auto products = std::make_shared<Products>(predictor->Points());

  std::vector<Candidate> candidates(1);
  candidates[0].row = MakeRow("products of " + Predictor::Size(draws, points),
      "30", "", 0, "float", settings.threads);
  candidates[0].run = [products](const size_t steps)
  {
    for (size_t s = 0; s < steps; ++s)
      products->Run(draws);
  };
  candidates.push_back(predictor->Predictive(draws, points, settings.threads));
  for (Candidate& candidate : candidates)
    candidate.steps = 1;
  products->Run(Products::block);
  return Compare(candidates, settings.quick ? 20.0 : 120.0, 1);
}

} // namespace bench
