/**
 * @file held_gradient_test.cpp
 *
 * How often an objective computes the gradient of I(g; w), and what it does in
 * between.
 */
#include "catch.hpp"

#include <symvi/information/estimators.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>

using namespace symvi;

namespace {

//! What was asked of an estimator.
struct Requests
{
  std::vector<double> tolerances;
  size_t Count() const { return tolerances.size(); }
};

//! The default estimator; it claims to take a given number of multiplications.
class CountedEstimator final : public InformationEstimator
{
 public:
  CountedEstimator(std::shared_ptr<Requests> requests, const double work) :
      requests(std::move(requests)),
      work(work)
  { }

  std::unique_ptr<InformationEstimator> Clone() const override
  {
    return std::make_unique<CountedEstimator>(*this);
  }
  const char* Name() const override { return "counted"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override
  {
    return own.TrainingValue(chain, stream);
  }
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override
  {
    return own.TrainingValue(chain, stream);
  }
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override
  {
    requests->tolerances.push_back(gradient.tolerance);
    return own.EvaluateWithGradient(chain, stream, scale, gradient);
  }
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override
  {
    requests->tolerances.push_back(gradient.tolerance);
    return own.EvaluateWithGradient(chain, stream, scale, gradient);
  }
  double Work(const SymmetricChain<float>& /* chain */) const override
  {
    return work;
  }
  double Work(const SymmetricChain<double>& /* chain */) const override
  {
    return work;
  }

 private:
  AutoEstimator own;
  std::shared_ptr<Requests> requests;
  double work;
};

//! Counts the evaluations of an optimizer.
struct EvaluationCounter
{
  size_t* count;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType& /* optimizer */, FunctionType& /* function */,
      const MatType& /* coordinates */, const double /* objective */)
  {
    ++*count;
    return false;
  }
};

//! Units that overlap, and an objective that counts.
struct Problem
{
  using Network = mlpack::FFN<CategoricalLikelihood>;
  using Objective = SymmetrizedELBO<Network>;

  Problem(const size_t points, const size_t units, const double work) :
      requests(std::make_shared<Requests>())
  {
    mlpack::RandomSeed(71);
    network.Add<BayesianLinear>(units, BayesianOptions().InitialSigma(0.8));
    network.Add<mlpack::TanH>();
    network.Add<BayesianLinear>(2, BayesianOptions().InitialSigma(0.8));
    X.randn(2, points);
    y = arma::floor(2.0 * arma::mat(1, points, arma::fill::randu));
    objective = std::make_unique<Objective>(network, X, y,
        CountedEstimator(requests, work));
  }

  //! Gradients of I(g; w) in an epoch of batches of the given size.
  size_t Epoch(const size_t batch)
  {
    const size_t before = requests->Count();
    arma::mat gradient;
    for (size_t begin = 0; begin < X.n_cols; begin += batch)
      objective->EvaluateWithGradient(network.Parameters(), begin, gradient,
          std::min<size_t>(batch, X.n_cols - begin));
    return requests->Count() - before;
  }

  std::shared_ptr<Requests> requests;
  Network network;
  arma::mat X, y;
  std::unique_ptr<Objective> objective;
};

} // namespace

TEST_CASE("GradientsAreHeldEvenlyOverAnEpoch", "[objective]")
{
  // Batches of an epoch, work that asks for an interval of 1 or of at least 16,
  // and how often the gradient is computed.
  for (const auto& [batches, work, expected] :
      std::vector<std::array<double, 3>>{ { 9, 0, 9 }, { 9, 1e12, 1 },
          { 16, 1e12, 1 }, { 23, 1e12, 1 }, { 24, 1e12, 2 }, { 33, 1e12, 2 },
          { 48, 1e12, 3 }, { 1, 1e12, 1 } })
  {
    CAPTURE(batches, work);
    Problem p(2 * size_t(batches), 3, work);
    REQUIRE(p.Epoch(2) == size_t(expected));
    // Nothing is held from one epoch to the next.
    REQUIRE(p.Epoch(2) == size_t(expected));
    for (const double tolerance : p.requests->tolerances)
      REQUIRE(tolerance > 0.0);
  }

  Problem p(20, 3, 0.0);
  p.objective->InformationInterval() = 3;
  REQUIRE(p.Epoch(2) == 4); // Batches 0, 3, 6 and 9.
  p.objective->InformationInterval() = 1;
  REQUIRE(p.Epoch(2) == 10);
}

TEST_CASE("HeldGradientIsThatOfTheLastTime", "[objective]")
{
  Problem p(20, 14, 0.0);
  ELBO<Problem::Network> plain(p.network, p.X, p.y);
  // The gradients of three batches; the last of them has half as many points,
  // and so half the weight.
  const auto Gradients = [&](auto& objective)
  {
    objective.Seed(5);
    std::vector<arma::vec> gradients;
    for (const auto& [begin, size] :
        std::vector<std::pair<size_t, size_t>>{ { 0, 8 }, { 8, 8 }, { 16, 4 } })
    {
      arma::mat gradient;
      objective.EvaluateWithGradient(p.network.Parameters(), begin, gradient,
          size);
      gradients.push_back(arma::vectorise(gradient));
    }
    return gradients;
  };
  // What I(g; w) adds to them, at the same draws.
  const std::vector<arma::vec> without = Gradients(plain);
  const auto Added = [&](const size_t interval)
  {
    p.objective->InformationInterval() = interval;
    std::vector<arma::vec> added = Gradients(*p.objective);
    for (size_t i = 0; i < added.size(); ++i)
      added[i] -= without[i];
    return added;
  };

  const std::vector<arma::vec> held = Added(3), fresh = Added(1);
  const double size = arma::norm(held[0]);
  REQUIRE(size > 1e-3);
  REQUIRE(arma::norm(held[0] - fresh[0]) < 1e-10 * size);
  REQUIRE(arma::norm(held[1] - held[0]) < 1e-10 * size);
  REQUIRE(arma::norm(2.0 * held[2] - held[0]) < 1e-10 * size);
  REQUIRE(arma::norm(fresh[1] - fresh[0]) > 0.1 * size);
}

TEST_CASE("LineSearchesGetEveryGradient", "[objective]")
{
  // Units in one group that is too large to be solved exactly.
  Problem p(12, 14, 1e12);
  p.objective->InformationInterval() = 16;
  arma::mat gradient;
  for (size_t i = 1; i <= 3; ++i)
  {
    p.objective->EvaluateWithGradient(p.network.Parameters(), gradient);
    REQUIRE(p.requests->Count() == i);
  }
  p.objective->Freeze();
  size_t asked = 3;
  ens::L_BFGS lbfgs(5, 8);
  lbfgs.Optimize(*p.objective, p.network.Parameters(),
      EvaluationCounter{ &asked });
  REQUIRE(asked > 6);
  REQUIRE(p.requests->Count() == asked);
  // Frozen batches are functions to search along as well.
  REQUIRE(p.Epoch(3) == 4);
  // All of them to rounding.
  for (const double tolerance : p.requests->tolerances)
    REQUIRE(tolerance == 0.0);
}

TEST_CASE("GradientOfTheDefaultIsThatOfItsValue", "[objective]")
{
  Problem p(6, 14, 0.0);
  p.objective->FullGradient() = true;
  p.objective->Temperature() = 0.7;
  p.objective->Freeze();
  arma::mat& parameters = p.network.Parameters();
  arma::mat gradient, numeric(arma::size(parameters));
  p.objective->EvaluateWithGradient(parameters, gradient);
  const double h = 1e-5;
  for (size_t j = 0; j < parameters.n_elem; ++j)
  {
    const double value = parameters[j];
    parameters[j] = value + h;
    const double up = p.objective->Evaluate(parameters);
    parameters[j] = value - h;
    const double down = p.objective->Evaluate(parameters);
    parameters[j] = value;
    numeric[j] = (up - down) / (2 * h);
  }
  REQUIRE(arma::norm(gradient - numeric) <= 1e-6 * arma::norm(numeric));
}
