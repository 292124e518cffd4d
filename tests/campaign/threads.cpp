/**
 * @file threads.cpp
 *
 * Two trainers and two predictors at once, for the thread sanitizer.
 */
#include <symvi.hpp>
#include <symvi/model/pipeline.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
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
  model.Fit(points, Labels(points),
      FitOptions().Epochs(4).Validation(0.2).Seed(seed));
  return model;
}

bool Equal(const arma::mat& a, const arma::mat& b)
{
  return arma::approx_equal(a, b, "absdiff", 0.0);
}

} // namespace

int main()
{
  SetThreads(1);
  const arma::mat points = Points();
  const Pipeline shared = Fitted(1);
  const arma::mat expected = shared.Classify(points).probabilities;
  const arma::mat other = Fitted(2).Classify(points).probabilities;
  std::atomic<int> failed{ 0 };
  const auto train = [&](const uint64_t seed, const arma::mat& result)
  { failed += !Equal(Fitted(seed).Classify(points).probabilities, result); };
  const auto predict = [&]
  {
    bool equal = true;
    for (size_t i = 0; i < 5; ++i)
      equal = equal && Equal(shared.Classify(points).probabilities, expected);
    failed += !equal;
  };
  std::thread threads[] = { std::thread(train, 1, std::cref(expected)),
    std::thread(train, 2, std::cref(other)), std::thread(predict),
    std::thread(predict) };
  for (std::thread& thread : threads)
    thread.join();
  std::printf("threads: 4 tried, %d failed\n", failed.load());
  return failed > 0;
}
