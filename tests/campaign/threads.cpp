/**
 * @file threads.cpp
 *
 * Two trainers and two predictors at once, for the thread sanitizer.
 */
#include <symvi.hpp>
#include <symvi/model/pipeline.hpp>

#include <cstdio>
#include <stdexcept>
#include <thread>

using namespace symvi;

namespace {

arma::mat Points()
{
  arma::mat points(4, 60);
  for (size_t i = 0; i < points.n_elem; ++i)
    points[i] = std::sin(double(3 * i + 1));
  return points;
}

std::vector<std::string> Labels(const arma::mat& points)
{
  std::vector<std::string> labels;
  for (size_t i = 0; i < points.n_cols; ++i)
    labels.push_back(points(0, i) * points(1, i) > 0 ? "same" : "different");
  return labels;
}

Pipeline Fitted(const uint64_t seed)
{
  NetworkSpec spec;
  spec.hidden = { 6, 5 };
  Pipeline model(spec);
  const arma::mat points = Points();
  model.Fit(points, Labels(points), FitOptions().Epochs(4).Validation(0.2).
      Seed(seed));
  return model;
}

void RequireEqual(const arma::mat& a, const arma::mat& b)
{
  if (!arma::approx_equal(a, b, "absdiff", 0.0))
    throw std::logic_error("another thread changes the result");
}

} // namespace

int main()
{
  SetThreads(1);
  const arma::mat points = Points();
  const Pipeline shared = Fitted(1);
  const arma::mat expected = shared.Classify(points).probabilities;
  const arma::mat other = Fitted(2).Classify(points).probabilities;
  const auto train = [&](const uint64_t seed, const arma::mat& result)
  {
    RequireEqual(Fitted(seed).Classify(points).probabilities, result);
  };
  const auto predict = [&]
  {
    for (size_t i = 0; i < 5; ++i)
      RequireEqual(shared.Classify(points).probabilities, expected);
  };
  std::thread threads[] = { std::thread(train, 1, std::cref(expected)),
      std::thread(train, 2, std::cref(other)), std::thread(predict),
      std::thread(predict) };
  for (std::thread& thread : threads)
    thread.join();
  std::printf("threads: 4 tried, 0 failed\n");
  return 0;
}
