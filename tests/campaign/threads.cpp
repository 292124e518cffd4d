/**
 * @file threads.cpp
 *
 * For the thread sanitizer: two trainers and two predictors at once; then what
 * starts threads by itself, in two threads at once: networks on several threads,
 * ensembles, evaluations, alignments.  Every result must be that of one thread.
 */
#include <symvi.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/model/weight_samples.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <sstream>
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

//! The bytes of an ensemble for a regression and of its evaluation.
std::string Members(const uint64_t seed)
{
  io::Dataset data;
  data.points = Points();
  data.responses = arma::sum(arma::sin(data.points), 0);
  NetworkSpec spec;
  spec.task = "regression";
  spec.hidden = { 5 };
  spec.activation = "tanh";
  Ensemble model(spec, BoundOptions(), 3);
  model.Fit(data, FitOptions().Epochs(2).Seed(seed));
  EvaluateOptions options;
  options.predict.samples = 12;
  options.samples = 4;
  std::ostringstream bytes;
  model.Write(bytes);
  bytes << model.Evaluate(data, options).elbo.symmetrizedElbo;
  return bytes.str();
}

//! A network whose steps and products are shared by threads, and its ELBO.
std::string Network(const uint64_t seed)
{
  BayesianFFN<CategoricalLikelihood> model;
  model.Add<BayesianLinear>(40);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(2);
  const arma::mat points = arma::repmat(Points(), 40, 1);
  arma::Row<size_t> labels(points.n_cols);
  for (size_t i = 0; i < labels.n_elem; ++i)
    labels[i] = points(0, i) > 0.0;
  model.Fit(points, labels, FitOptions().Epochs(2).Seed(seed));
  std::ostringstream bytes;
  bytes.precision(17);
  bytes << arma::accu(model.Parameters());
  return bytes.str();
}

//! Samples of a network's weights in one numbering of its units.
std::string Aligned(const uint64_t seed)
{
  NetworkSpec spec;
  spec.task = "regression";
  spec.noise = "fixed";
  spec.hidden = { 6 };
  spec.activation = "tanh";
  spec.inputs = 3;
  spec.outputs = 1;
  arma::mat weights(31, 20);
  for (size_t i = 0; i < weights.n_elem; ++i)
    weights[i] = std::sin(double(seed * (i + 1)));
  WeightSamples samples(spec, weights);
  samples.Threads() = 2;
  samples.AlignToEachOther();
  samples.Canonicalize();
  std::ostringstream bytes;
  samples.Write(bytes, "samples.csv");
  return bytes.str();
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

  // As many threads as each of them likes.
  using Work = std::string (*)(uint64_t);
  size_t tried = 4;
  for (const Work work : { Work(Members), Work(Network), Work(Aligned) })
  {
    const std::string alone[] = { work(3), work(4) };
    SetThreads(2);
    const auto again = [&](const size_t i)
    { failed += work(3 + i) != alone[i]; };
    std::thread first(again, 0), second(again, 1);
    first.join();
    second.join();
    SetThreads(1);
    tried += 2;
  }
  std::printf("threads: %zu tried, %d failed\n", tried, failed.load());
  return failed > 0;
}
