/**
 * @file tests/predict/accumulator_test.cpp
 *
 * The running sums against two-pass formulas on all draws at once.
 */
#include <symvi/likelihood/gaussian.hpp>

#include "predict/classification_accumulator.hpp"
#include "predict/regression_accumulator.hpp"

#include "catch.hpp"

using namespace symvi;

namespace {

//! Noise that differs between draws: two rows, mean and standard deviation.
struct TwoRowLikelihood
{
  void Mean(const arma::mat& outputs, arma::mat& mean) const
  {
    mean = outputs.row(0);
  }
  void Variance(const arma::mat& outputs, arma::mat& variance) const
  {
    variance = arma::square(outputs.row(1));
  }
};

//! Reproducible logits, rows x points x draws, some of them extreme.
template<typename eT>
arma::Cube<eT> Draws(const size_t rows, const size_t points, const size_t draws)
{
  arma::arma_rng::set_seed(7);
  arma::Cube<eT> cube(rows, points, draws, arma::fill::randn);
  cube *= 3;
  cube.slice(1) *= 40;
  return cube;
}

//! Draws first .. first + count - 1 of all points, draws of a point adjacent.
template<typename eT>
arma::Mat<eT> Block(const arma::Cube<eT>& cube, const size_t first,
    const size_t count)
{
  arma::Mat<eT> block(cube.n_rows, cube.n_cols * count);
  for (size_t j = 0; j < cube.n_cols; ++j)
    for (size_t s = 0; s < count; ++s)
      block.col(j * count + s) = cube.slice(first + s).col(j);
  return block;
}

//! Feeds all draws in blocks of uneven size.
template<typename AccumulatorType, typename eT>
void Feed(AccumulatorType& accumulator, const arma::Cube<eT>& cube)
{
  accumulator.Reset(cube.n_rows, cube.n_cols);
  accumulator.BeginChunk(cube.n_rows, 0, cube.n_cols, cube.n_slices);
  for (size_t first = 0, size = 1; first < cube.n_slices;)
  {
    const size_t count = std::min<size_t>(size, cube.n_slices - first);
    arma::Mat<eT> block = Block(cube, first, count);
    accumulator.Add(block.memptr(), first, count, 0, cube.n_cols);
    first += count;
    size = 5;
  }
  accumulator.EndChunk();
}

double Entropy(const arma::vec& p)
{
  double h = 0;
  for (const double x : p)
    h -= (x > 0) ? x * std::log(x) : 0;
  return h;
}

} // namespace

TEMPLATE_TEST_CASE("SoftmaxSumsMatchTwoPasses", "[predict]", double, float)
{
  const arma::Cube<TestType> logits = Draws<TestType>(4, 3, 13);
  ClassificationAccumulator<arma::Mat<TestType>> accumulator(
      ClassLink::Softmax);
  Feed(accumulator, logits);
  const auto result = accumulator.Finish(13);
  const double eps = std::is_same<TestType, float>::value ? 2e-6 : 1e-14;

  for (size_t j = 0; j < 3; ++j)
  {
    arma::mat p(4, 13);
    double expected = 0;
    for (size_t s = 0; s < 13; ++s)
    {
      const arma::vec a = arma::conv_to<arma::vec>::from(
          logits.slice(s).col(j));
      p.col(s) = arma::exp(a - a.max()) / arma::accu(arma::exp(a - a.max()));
      expected += Entropy(p.col(s)) / 13;
    }
    const arma::vec mean = arma::mean(p, 1);
    for (size_t c = 0; c < 4; ++c)
    {
      REQUIRE(result.probabilities(c, j) == Approx(mean(c)).margin(eps));
      REQUIRE(
          result.variance(c, j) == Approx(arma::var(p.row(c), 1)).margin(eps));
    }
    REQUIRE(result.entropy(0, j) == Approx(Entropy(mean)).margin(eps));
    REQUIRE(result.expectedEntropy(0, j) == Approx(expected).margin(eps));
    REQUIRE(result.mutualInformation(0, j) ==
        Approx(Entropy(mean) - expected).margin(2 * eps));
  }
}

TEST_CASE("SigmoidSumsMatchTwoClasses", "[predict]")
{
  // An event with logit a is a pair of classes with logits (0, a).
  const arma::cube logits = Draws<double>(1, 5, 12);
  arma::cube pairs(2, 5, 12, arma::fill::zeros);
  pairs.row(1) = logits.row(0);
  ClassificationAccumulator<> sigmoid(ClassLink::Sigmoid);
  ClassificationAccumulator<> softmax(ClassLink::Softmax);
  Feed(sigmoid, logits);
  Feed(softmax, pairs);
  const auto a = sigmoid.Finish(12);
  const auto b = softmax.Finish(12);

  REQUIRE(arma::approx_equal(a.probabilities, b.probabilities.row(1), "absdiff",
      1e-14));
  REQUIRE(arma::approx_equal(a.variance, b.variance.row(1), "absdiff", 1e-14));
  REQUIRE(arma::approx_equal(a.entropy, b.entropy, "absdiff", 1e-14));
  REQUIRE(arma::approx_equal(a.mutualInformation, b.mutualInformation,
      "absdiff", 1e-14));
}

TEST_CASE("EqualDrawsHaveNoEpistemicPart", "[predict]")
{
  arma::cube logits(3, 2, 50);
  logits.each_slice() = arma::mat("1 900; 2 -900; -1 0");
  ClassificationAccumulator<> accumulator(ClassLink::Softmax);
  Feed(accumulator, logits);
  const auto result = accumulator.Finish(50);
  REQUIRE(result.mutualInformation.max() < 1e-14);
  REQUIRE(result.variance.max() < 1e-15);
  // The second point is certain.
  REQUIRE(result.entropy(0, 1) < 1e-300);
  REQUIRE(result.probabilities(0, 1) == 1);
}

TEST_CASE("InfiniteLogitsGiveNoNaN", "[predict]")
{
  arma::cube logits(3, 1, 2, arma::fill::zeros);
  logits(1, 0, 0) = -arma::datum::inf;
  ClassificationAccumulator<> accumulator(ClassLink::Softmax);
  Feed(accumulator, logits);
  const auto result = accumulator.Finish(2);
  REQUIRE(result.probabilities.is_finite());
  REQUIRE(result.probabilities(1, 0) == Approx(1.0 / 6));
  REQUIRE(result.expectedEntropy(0, 0) ==
      Approx(0.5 * (std::log(2.0) + std::log(3.0))));
}

TEST_CASE("NormalQuantilesAreInverse", "[predict]")
{
  REQUIRE(predict::NormalQuantile(0.975) == Approx(1.9599639845400545));
  REQUIRE(predict::NormalQuantile(0.5) == Approx(0).margin(1e-15));
  for (const double level : { 1e-12, 1e-4, 0.1, 0.3, 0.9, 0.9999 })
    REQUIRE(predict::NormalCDF(predict::NormalQuantile(level)) ==
        Approx(level).epsilon(1e-10));
  REQUIRE_THROWS_AS(predict::NormalQuantile(0), std::invalid_argument);
}

TEMPLATE_TEST_CASE("GaussianMomentsAndQuantiles", "[predict]", double, float)
{
  using MatType = arma::Mat<TestType>;
  const arma::Cube<TestType> f = Draws<TestType>(2, 3, 40);
  PredictOptions options;
  options.interval = 0.9;
  options.quantiles = { 0.5, 0.01 };
  const GaussianLikelihoodType<MatType> likelihood(0.5);
  RegressionAccumulator<GaussianLikelihoodType<MatType>, MatType> accumulator(
      likelihood, options);
  Feed(accumulator, f);
  const auto result = accumulator.Finish(40);
  const double eps = std::is_same<TestType, float>::value ? 1e-5 : 1e-11;

  REQUIRE(result.interval == 0.9);
  REQUIRE(result.quantiles.size() == 2);
  for (size_t j = 0; j < 3; ++j)
  {
    for (size_t i = 0; i < 2; ++i)
    {
      const arma::vec draws = arma::conv_to<arma::vec>::from(
          arma::Col<TestType>(arma::vectorise(f.tube(i, j))));
      REQUIRE(result.mean(i, j) == Approx(arma::mean(draws)).epsilon(eps));
      REQUIRE(result.epistemicVariance(i, j) ==
          Approx(arma::var(draws, 1)).epsilon(eps));
      REQUIRE(result.aleatoricVariance(i, j) == Approx(0.25));
      REQUIRE(result.Variance()(i, j) ==
          Approx(0.25 + arma::var(draws, 1)).epsilon(eps));

      // The mixture's distribution function at each quantile is its level.
      const auto level = [&](const double y)
      {
        double sum = 0;
        for (const double m : draws)
          sum += predict::NormalCDF((y - m) / 0.5) / 40;
        return sum;
      };
      REQUIRE(level(result.lower(i, j)) == Approx(0.05).margin(eps));
      REQUIRE(level(result.upper(i, j)) == Approx(0.95).margin(eps));
      REQUIRE(level(result.Quantile(0.5)(i, j)) == Approx(0.5).margin(eps));
      REQUIRE(level(result.Quantile(0.01)(i, j)) == Approx(0.01).margin(eps));
    }
  }
  REQUIRE_THROWS_AS(result.Quantile(0.2), std::invalid_argument);
}

TEST_CASE("NoiseMayDifferBetweenDraws", "[predict]")
{
  // One draw N(0, 1), one N(10, 4): by symmetry of nothing but the formula.
  arma::cube f(2, 1, 2);
  f.slice(0) = arma::mat("0; 1");
  f.slice(1) = arma::mat("10; 2");
  PredictOptions options;
  options.quantiles = { 0.25, 0.75 };
  RegressionAccumulator<TwoRowLikelihood> accumulator(TwoRowLikelihood(),
      options);
  Feed(accumulator, f);
  const auto result = accumulator.Finish(2);
  REQUIRE(result.mean(0, 0) == 5);
  REQUIRE(result.epistemicVariance(0, 0) == 25);
  REQUIRE(result.aleatoricVariance(0, 0) == 2.5);
  // A quarter: half of the first component, nothing of the second (-5 sd).
  REQUIRE(result.Quantile(0.25)(0, 0) == Approx(0).margin(1e-5));
  REQUIRE(result.Quantile(0.75)(0, 0) == Approx(10).margin(1e-5));
}

TEST_CASE("SmallSpreadAroundALargeMeanSurvives", "[predict]")
{
  arma::cube f(1, 1, 1000);
  for (size_t s = 0; s < 1000; ++s)
    f(0, 0, s) = 1e9 + (s % 2 ? 1e-3 : -1e-3);
  PredictOptions options;
  options.interval = 0;
  RegressionAccumulator<GaussianLikelihood> accumulator(GaussianLikelihood(1.0),
      options);
  Feed(accumulator, f);
  const auto result = accumulator.Finish(1000);
  // Doubles near 1e9 are 1.2e-7 apart: a relative error of 1e-4 of 1e-3.
  REQUIRE(result.epistemicVariance(0, 0) == Approx(1e-6).epsilon(5e-4));
  REQUIRE(result.lower.is_empty());
}

TEST_CASE("KeptDrawsAreBounded", "[predict]")
{
  PredictOptions options;
  RegressionAccumulator<GaussianLikelihood> accumulator(GaussianLikelihood(1.0),
      options);
  for (const size_t samples : { 10, 1000, 100000, 4000000 })
  {
    options.samples = samples;
    const size_t points = accumulator.ChunkLimit(options, 1);
    REQUIRE(points >= 1);
    REQUIRE(2 * points * samples <= (size_t(1) << 23));
  }
  options.interval = 1;
  REQUIRE_THROWS_AS(options.Check("Predict"), std::invalid_argument);
}
