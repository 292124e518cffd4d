/**
 * @file tests/information/joint_information_test.cpp
 *
 * I(g; w) of a Gaussian over all weights against brute force.
 */
#include "catch.hpp"

#include "information/joint/joint_information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace symvi;
using namespace symvi::information;

namespace {

//! A fully connected network of the given sizes, [W; b] layer by layer.
WeightSymmetry Network(const std::vector<size_t>& sizes, const bool isSigned)
{
  WeightSymmetry symmetry;
  for (size_t l = 0; l + 1 < sizes.size(); ++l)
  {
    PosteriorView<double> view;
    view.outSize = sizes[l + 1];
    view.inSize = sizes[l];
    view.hasBias = true;
    symmetry.chain.layers.push_back(view);
    symmetry.positions.push_back(arma::regspace<arma::uvec>(symmetry.weights,
        symmetry.weights + view.Elements() - 1));
    symmetry.weights += view.Elements();
    if (l + 2 == sizes.size())
      break;
    HiddenUnits units;
    units.incoming = l;
    units.size = sizes[l + 1];
    units.isSigned = isSigned;
    symmetry.chain.hidden.push_back(units);
  }
  return symmetry;
}

//! A random posterior, its covariance, and its draws.
struct RandomGaussian
{
  RandomGaussian(const size_t weights, const size_t rank, const double spread,
      const uint64_t seed, const double correlation = 0.3) :
      stream(seed),
      q(weights, rank),
      parameters(q.Parameters())
  {
    stream.FillNormal(parameters.memptr(), parameters.n_elem);
    parameters.head(weights) *= spread;
    parameters.tail(parameters.n_elem - 2 * weights) *= correlation;
    q.Set(parameters.memptr());
  }

  arma::vec Draw()
  {
    arma::vec noise(q.Noise());
    stream.FillNormal(noise.memptr(), noise.n_elem);
    return q.Draw(noise);
  }

  RandomStream stream;
  JointGaussian q;
  arma::vec parameters;
};

/**
 * log 1/|G| sum_g q(g w) by permuting rows and columns of matrices, without any
 * of the library's permutations.
 */
class BruteForce
{
 public:
  BruteForce(const std::vector<size_t>& sizes, const bool isSigned,
      const JointGaussian& q) :
      sizes(sizes),
      isSigned(isSigned),
      mean(q.Mean())
  {
    const arma::mat covariance = q.Covariance(
        arma::regspace<arma::uvec>(0, q.Weights() - 1));
    inverse = arma::inv_sympd(covariance);
  }

  double LogShape(const arma::vec& w) const
  {
    return -0.5 * arma::as_scalar((w - mean).t() * inverse * (w - mean));
  }

  double Information(const arma::vec& w)
  {
    std::vector<arma::mat> layers;
    size_t at = 0;
    for (size_t l = 0; l + 1 < sizes.size(); ++l)
    {
      const size_t n = sizes[l + 1] * (sizes[l] + 1);
      layers.push_back(
          arma::reshape(w.subvec(at, at + n - 1), sizes[l + 1], sizes[l] + 1));
      at += n;
    }
    logs.clear();
    Visit(layers, 0);
    const arma::vec all(logs);
    return LogShape(w) - all.max() -
        std::log(arma::mean(arma::exp(all - all.max())));
  }

 private:
  void Visit(const std::vector<arma::mat>& layers, const size_t h)
  {
    if (h + 2 == sizes.size())
    {
      arma::vec w;
      for (const arma::mat& layer : layers)
        w = arma::join_cols(w, arma::vectorise(layer));
      logs.push_back(LogShape(w));
      return;
    }
    const size_t d = sizes[h + 1];
    std::vector<arma::uword> order(d);
    std::iota(order.begin(), order.end(), arma::uword(0));
    do
    {
      for (size_t mask = 0; mask < (isSigned ? size_t(1) << d : 1); ++mask)
      {
        std::vector<arma::mat> moved = layers;
        for (size_t b = 0; b < d; ++b)
        {
          const double sign = (mask >> b) & 1 ? -1.0 : 1.0;
          moved[h].row(b) = sign * layers[h].row(order[b]);
          moved[h + 1].col(b) = sign * layers[h + 1].col(order[b]);
        }
        Visit(moved, h + 1);
      }
    }
    while (std::next_permutation(order.begin(), order.end()));
  }

  std::vector<size_t> sizes;
  bool isSigned;
  arma::vec mean;
  arma::mat inverse;
  std::vector<double> logs;
};

//! Mean and standard error.
struct Moments
{
  explicit Moments(const arma::vec& x) :
      mean(arma::mean(x)),
      error(arma::stddev(x) / std::sqrt(double(x.n_elem)))
  { }
  double mean, error;
};

} // namespace

TEST_CASE("JointEnumerationIsBruteForce", "[JointInformationTest]")
{
  const std::vector<std::vector<size_t>> networks = { { 1, 2, 1 }, { 2, 3, 2 },
    { 1, 4, 1 }, { 1, 2, 3, 1 }, { 2, 2, 2, 2, 1 } };
  for (const auto& sizes : networks)
    for (const bool isSigned : { false, true })
      for (const size_t rank : { 0, 3 })
      {
        const WeightSymmetry symmetry = Network(sizes, isSigned);
        RandomGaussian random(symmetry.weights, rank, 0.5, 7 + rank);
        JointInformation information(symmetry, 5000, 20);
        REQUIRE(information.Exact());
        information.Prepare(random.q);
        BruteForce brute(sizes, isSigned, random.q);
        for (size_t s = 0; s < 3; ++s)
        {
          const arma::vec w = random.Draw();
          const InformationEstimate estimate = information.Evaluate(random.q, w,
              random.stream);
          REQUIRE(estimate.exact);
          REQUIRE(estimate.value ==
              Approx(brute.Information(w)).epsilon(1e-8).margin(1e-8));
        }
      }
}

TEST_CASE("JointSlopeIsTheDerivative", "[JointInformationTest]")
{
  for (const size_t rank : { 0, 2 })
  {
    const WeightSymmetry symmetry = Network({ 1, 3, 1 }, true);
    RandomGaussian random(symmetry.weights, rank, 0.5, 11);
    JointInformation information(symmetry, 5000, 20);
    const arma::vec w = random.Draw();
    JointInformation::Slope slope;
    information.Evaluate(random.q, w, random.stream, &slope);
    REQUIRE(arma::norm(slope.path) > 0.1);
    const double h = 1e-5;
    for (size_t i = 0; i < w.n_elem; ++i)
    {
      arma::vec up = w, down = w;
      up[i] += h;
      down[i] -= h;
      const double difference =
          (information.Evaluate(random.q, up, random.stream).value -
              information.Evaluate(random.q, down, random.stream).value) /
          (2 * h);
      REQUIRE(slope.path[i] == Approx(difference).epsilon(1e-5).margin(1e-6));
    }
  }
}

/**
 * Given the orbit of w, exp(L_K - I) and exp(I - U_K) have mean 1: the
 * reciprocal of a mean with the identity is unbiased for that of the sum, and a
 * mean without it is unbiased for the sum.  The former takes a proposal that
 * finds the terms that count, as it does where weights are hardly correlated;
 * rare draws make up the mean otherwise.
 */
TEST_CASE("JointBoundsAreUnbiased", "[JointInformationTest]")
{
  const std::vector<std::vector<size_t>> networks = { { 2, 4, 1 },
    { 1, 2, 3, 1 } };
  for (const auto& sizes : networks)
    for (const bool isSigned : { false, true })
      for (const double correlation : { 0.03, 0.3 })
      {
        const WeightSymmetry symmetry = Network(sizes, isSigned);
        RandomGaussian random(symmetry.weights, 0, 0.5, 3, correlation);
        JointInformation exact(symmetry, 5000, 1), sampled(symmetry, 1, 20);
        REQUIRE(!sampled.Exact());
        sampled.Prepare(random.q);
        const size_t n = 1000;
        arma::vec low(n), high(n);
        for (size_t s = 0; s < n; ++s)
        {
          const arma::vec w = random.Draw();
          const double truth = exact.Evaluate(random.q, w, random.stream).value;
          const InformationEstimate e = sampled.Evaluate(random.q, w,
              random.stream);
          low[s] = e.lower - truth;
          high[s] = e.upper - truth;
        }
        const Moments below(low), above(high);
        REQUIRE(below.mean <= 5 * below.error);
        REQUIRE(above.mean >= -5 * above.error);
        const Moments unitHigh(arma::exp(-high));
        REQUIRE(std::abs(unitHigh.mean - 1.0) <= 5 * unitHigh.error);
        if (correlation > 0.1)
          continue;
        const Moments unitLow(arma::exp(low));
        REQUIRE(std::abs(unitLow.mean - 1.0) <= 5 * unitLow.error);
        // Bounds that say something.
        REQUIRE(below.mean > -0.2);
        REQUIRE(above.mean < 0.2);
      }
}

TEST_CASE("JointInformationIsInvariant", "[JointInformationTest]")
{
  // A permutation of the units of q and w together changes nothing.
  const WeightSymmetry symmetry = Network({ 1, 3, 1 }, true);
  RandomGaussian random(symmetry.weights, 0, 0.5, 5);
  JointInformation information(symmetry, 5000, 20);
  PermutationGroup group(symmetry.chain);
  WeightSources sources;
  symmetry.Sources(group.Sample(random.stream), sources);
  const arma::vec w = random.Draw();
  arma::vec movedW(w.n_elem), movedMean(w.n_elem);
  arma::mat factor = arma::chol(
      random.q.Covariance(arma::regspace<arma::uvec>(0, w.n_elem - 1)),
      "lower");
  arma::mat rows(w.n_elem, w.n_elem);
  for (size_t i = 0; i < w.n_elem; ++i)
  {
    movedW[i] = Moved(w.memptr(), sources[i]);
    movedMean[i] = Moved(random.q.Mean().memptr(), sources[i]);
    for (size_t j = 0; j < w.n_elem; ++j)
      rows(i, j) = Moved(factor.colptr(j), sources[i]);
  }
  factor = arma::chol(rows * rows.t(), "lower");
  arma::vec parameters = arma::join_cols(movedMean,
      arma::log(arma::expm1(arma::vec(factor.diag()))));
  for (size_t j = 0; j + 1 < w.n_elem; ++j)
    parameters = arma::join_cols(parameters,
        factor.col(j).tail(w.n_elem - 1 - j));
  JointGaussian moved(w.n_elem, 0);
  moved.Set(parameters.memptr());
  REQUIRE(information.Evaluate(moved, movedW, random.stream).value ==
      Approx(information.Evaluate(random.q, w, random.stream).value)
          .epsilon(1e-8));
}
