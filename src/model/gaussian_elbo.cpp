/**
 * @file src/model/gaussian_elbo.cpp
 *
 * The objective of a Gaussian posterior, and its training.
 */
#include "model/gaussian_family.hpp"

#include <symvi/train/train_objective.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace symvi {

namespace {

//! Multiplications up to which a group is enumerated in every step.
constexpr double stepWork = 3e5;

//! Elements that are enumerated in training.
size_t TrainingLimit(const model::GaussianFamily& family)
{
  const double each = double(family.weights) * double(family.weights);
  return std::min(family.enumerate, size_t(stepWork / std::max(each, 1.0)));
}

} // namespace

template<typename MatType>
struct GaussianElbo<MatType>::State
{
  State(model::GaussianFamilyPtr newFamily,
      std::shared_ptr<objective::ElboNetwork<MatType>> newNetwork) :
      family(std::move(newFamily)),
      network(std::move(newNetwork)),
      q(family->weights, family->rank),
      information(family->symmetry, TrainingLimit(*family),
          family->permutations)
  { }

  //! A batch; `isStep`: one of training, which may hold the gradient of I.
  double Pass(const MatType& parameters, size_t begin, size_t count,
      MatType* result, bool isStep);
  //! I(g; w) of a draw; its gradient is added to `total`.
  double Information(const arma::vec& w, const arma::vec& noise,
      double klWeight, bool hold, bool withGradient);
  size_t Interval(size_t count) const;

  model::GaussianFamilyPtr family;
  std::shared_ptr<objective::ElboNetwork<MatType>> network;
  MatType predictors, responses;
  information::JointGaussian q;
  information::JointInformation information;
  bool symmetrize = true, fullGradient = false, frozen = false;
  size_t samples = 1, interval = 0, wait = 0;
  double temperature = 1.0;
  RandomStream stream, frozenStream;
  ElboTerms terms;
  //! The gradient of I(g; w) that is held: its path and its noise.
  information::JointInformation::Slope slope;
  arma::vec heldNoise;
  double lastInformation = 0.0;
  arma::vec total;
  MatType batchPoints, batchTargets, outputs, weightGradient;
};

template<typename MatType>
size_t GaussianElbo<MatType>::State::Interval(const size_t count) const
{
  if (interval > 0)
    return interval;
  // Multiplications of the rest of a step, as ElboObjective counts them.
  const double d = double(family->weights);
  const double step = double(samples) *
          (3.0 * double(count) * d + 2.0 * double(family->GaussianSize())) +
      20.0 * double(family->GaussianSize());
  const double share = std::min(
      std::max(std::ceil(5.0 * information.Work() / step), 1.0), 16.0);
  const double batches = std::ceil(double(predictors.n_cols) / double(count));
  return size_t(
      std::ceil(batches / std::max(std::round(batches / share), 1.0)));
}

template<typename MatType>
double GaussianElbo<MatType>::State::Information(const arma::vec& w,
    const arma::vec& noise, const double klWeight, const bool hold,
    const bool withGradient)
{
  if (!hold || wait == 0)
  {
    information.Prepare(q);
    lastInformation = information
                          .Evaluate(q, w, stream,
                              withGradient ? &slope : nullptr)
                          .value;
    heldNoise = noise;
  }
  // No shares: the value does not change.
  if (!withGradient || slope.shares.empty())
    return lastInformation;
  q.AddPath(slope.path, heldNoise, -klWeight, total);
  for (size_t j = 0; fullGradient && j < slope.shares.size(); ++j)
  {
    const arma::vec u = slope.solved.col(j);
    const double share = (j == 0 ? 1.0 : 0.0) - slope.shares[j];
    q.AddPath(u, q.Pull(u), -klWeight * share, total);
  }
  return lastInformation;
}

template<typename MatType>
double GaussianElbo<MatType>::State::Pass(const MatType& parameters,
    const size_t begin, const size_t count, MatType* result, const bool isStep)
{
  RequireCount("GaussianElbo", "the parameters", "numbers", parameters.n_elem,
      family->GaussianSize() + family->Fixed());
  RequirePositive("GaussianElbo", "Samples()", samples);
  if (frozen)
    stream = frozenStream;
  if (begin == 0)
    terms = ElboTerms();
  q.Set(parameters.memptr());
  mlpack::MakeAlias(batchPoints, predictors, predictors.n_rows, count,
      begin * predictors.n_rows);
  mlpack::MakeAlias(batchTargets, responses, responses.n_rows, count,
      begin * responses.n_rows);
  const size_t d = family->weights, size = family->GaussianSize();
  const double klWeight = temperature * double(count) /
      double(predictors.n_cols);
  const double each = 1.0 / double(samples);
  if (result)
    total.zeros(size + family->Fixed());

  const bool hold = result && isStep && !frozen && !fullGradient;
  if (begin == 0 || !hold)
    wait = 0;
  double loss = 0.0, gained = 0.0;
  MatType& networkParameters = network->Parameters();
  std::copy(parameters.begin() + size, parameters.end(),
      networkParameters.begin() + d);
  arma::vec noise(q.Noise());
  for (size_t s = 0; s < samples; ++s)
  {
    stream.FillNormal(noise.memptr(), noise.n_elem);
    const arma::vec w = q.Draw(noise);
    std::copy(w.begin(), w.end(), networkParameters.begin());
    if (result)
    {
      network->Forward(batchPoints, outputs);
      loss += each *
          network->Backward(batchPoints, batchTargets, weightGradient);
      const arma::vec slopes = arma::conv_to<arma::vec>::from(weightGradient);
      q.AddPath(slopes.head(d), noise, each, total);
      total.tail(family->Fixed()) += each * slopes.tail(family->Fixed());
    }
    else
      loss += each * network->Loss(batchPoints, batchTargets);
    if (s == 0 && symmetrize && !family->symmetry.chain.hidden.empty())
    {
      gained = Information(w, noise, klWeight, hold, result != nullptr);
      if (hold && wait == 0)
        wait = Interval(count);
      wait -= (wait > 0);
    }
  }
  const double kl = q.KL(family->prior, klWeight, result ? &total : nullptr);
  terms.negativeLogLikelihood += loss;
  terms.points += count;
  terms.steps += 1;
  terms.draws += samples;
  // Means over the steps.
  terms.kl += (kl - terms.kl) / double(terms.steps);
  terms.information += (gained - terms.information) / double(terms.steps);
  if (result)
    *result = arma::conv_to<MatType>::from(total);
  return loss + klWeight * (kl - gained);
}

template<typename MatType>
GaussianElbo<MatType>::GaussianElbo(model::GaussianFamilyPtr family,
    std::shared_ptr<objective::ElboNetwork<MatType>> network,
    MatType predictors, MatType responses) :
    state(std::make_unique<State>(std::move(family), std::move(network)))
{
  state->predictors = std::move(predictors);
  state->responses = std::move(responses);
  state->stream = RandomStream(kernel::KeyFromSeed(0));
}

template<typename MatType>
GaussianElbo<MatType>::~GaussianElbo() = default;
template<typename MatType>
GaussianElbo<MatType>::GaussianElbo(GaussianElbo&& other) noexcept = default;

#define SYMVI_ACCESSORS(Type, Name, member) \
  template<typename MatType> \
  Type GaussianElbo<MatType>::Name() const \
  { \
    return state->member; \
  } \
  template<typename MatType> \
  Type& GaussianElbo<MatType>::Name() \
  { \
    return state->member; \
  }
SYMVI_ACCESSORS(bool, Symmetrize, symmetrize)
SYMVI_ACCESSORS(size_t, Samples, samples)
SYMVI_ACCESSORS(double, Temperature, temperature)
SYMVI_ACCESSORS(size_t, InformationInterval, interval)
SYMVI_ACCESSORS(bool, FullGradient, fullGradient)
#undef SYMVI_ACCESSORS

template<typename MatType>
void GaussianElbo<MatType>::Seed(const uint64_t key)
{
  state->stream = RandomStream(key);
  state->wait = 0;
}

template<typename MatType>
void GaussianElbo<MatType>::Freeze()
{
  state->frozen = true;
  state->frozenStream = state->stream;
}

template<typename MatType>
void GaussianElbo<MatType>::Thaw()
{
  state->frozen = false;
}

template<typename MatType>
const ElboTerms& GaussianElbo<MatType>::Terms() const
{
  return state->terms;
}

template<typename MatType>
size_t GaussianElbo<MatType>::NumFunctions() const
{
  return state->predictors.n_cols;
}

template<typename MatType>
typename MatType::elem_type GaussianElbo<MatType>::Evaluate(
    const MatType& parameters)
{
  return Evaluate(parameters, 0, NumFunctions());
}

template<typename MatType>
typename MatType::elem_type GaussianElbo<MatType>::Evaluate(
    const MatType& parameters, const size_t begin, const size_t batchSize)
{
  return ElemType(state->Pass(parameters, begin, batchSize, nullptr, false));
}

template<typename MatType>
typename MatType::elem_type GaussianElbo<MatType>::EvaluateWithGradient(
    const MatType& parameters, MatType& gradient)
{
  return ElemType(state->Pass(parameters, 0, NumFunctions(), &gradient, false));
}

template<typename MatType>
typename MatType::elem_type GaussianElbo<MatType>::EvaluateWithGradient(
    const MatType& parameters, const size_t begin, MatType& gradient,
    const size_t batchSize)
{
  return ElemType(state->Pass(parameters, begin, batchSize, &gradient, true));
}

template<typename MatType>
void GaussianElbo<MatType>::Shuffle()
{
  std::vector<size_t> order(NumFunctions());
  std::iota(order.begin(), order.end(), size_t(0));
  ShuffleOrder(state->stream.NextBits(), order);
  PermuteColumns(state->predictors, order);
  PermuteColumns(state->responses, order);
}

template class GaussianElbo<arma::mat>;
template class GaussianElbo<arma::fmat>;

namespace model {

namespace {

//! A GaussianElbo for Minimize().
template<typename MatType>
class GaussianTraining final : public TrainObjective<MatType>
{
 public:
  GaussianTraining(GaussianElbo<MatType>& elbo, MatType& parameters,
      DataSplit<MatType>& data, const std::function<double()>& score,
      const std::string& description) :
      elbo(elbo),
      parameters(parameters),
      data(data),
      score(score),
      description(description),
      temperature(elbo.Temperature())
  { }

  MatType& Parameters() override { return parameters; }
  size_t NumPoints() const override { return elbo.NumFunctions(); }

  void Reorder(const std::vector<size_t>& order) override
  {
    PermuteColumns(data.points, order);
    PermuteColumns(data.targets, order);
  }

  void BeginEpoch(const uint64_t key) override { elbo.Seed(key); }

  void Gradient(const size_t begin, const size_t count, const double klFactor,
      MatType& gradient) override
  {
    elbo.Temperature() = temperature * klFactor;
    elbo.EvaluateWithGradient(parameters, begin, gradient, count);
  }

  EpochRecord Terms() const override
  {
    const ElboTerms& terms = elbo.Terms();
    EpochRecord record;
    record.logLikelihood = -terms.negativeLogLikelihood * double(NumPoints()) /
        double(terms.points);
    record.kl = terms.kl;
    record.information = terms.information;
    return record;
  }

  bool HasValidation() const override { return data.heldOut > 0; }
  double Validate() override { return score(); }

  std::string Description() const override
  {
    // Sums that tell data apart, whatever the order of the points.
    return description + "\nmethod " + (elbo.Symmetrize() ? "sgm" : "vi") +
        "\nsamples " + std::to_string(elbo.Samples()) + "\ntemperature " +
        std::to_string(temperature) + "\ndata " + std::to_string(NumPoints()) +
        "+" + std::to_string(data.heldOut) + " points, " +
        std::to_string(NormOf(data.points)) + " " +
        std::to_string(NormOf(data.targets)) + "\n";
  }

 private:
  static double NormOf(const MatType& values)
  {
    std::vector<double> squares;
    for (const auto x : values)
      squares.push_back(double(x) * double(x));
    std::sort(squares.begin(), squares.end());
    return std::accumulate(squares.begin(), squares.end(), 0.0);
  }

  GaussianElbo<MatType>& elbo;
  MatType& parameters;
  DataSplit<MatType>& data;
  const std::function<double()>& score;
  std::string description;
  double temperature;
};

} // namespace

template<typename MatType>
FitReport FitGaussian(GaussianElbo<MatType>& elbo, MatType& parameters,
    DataSplit<MatType>& data, const std::function<double()>& score,
    const std::string& description, const FitOptions& options)
{
  Require(options.Ranks().Size() == 1, "GaussianPosterior::Fit",
      "Over() must be a single process", options.Ranks().Size());
  GaussianTraining<MatType> objective(elbo, parameters, data, score,
      description);
  return Minimize<MatType>(objective, options);
}

template FitReport FitGaussian(GaussianElbo<arma::mat>&, arma::mat&,
    DataSplit<arma::mat>&, const std::function<double()>&, const std::string&,
    const FitOptions&);
template FitReport FitGaussian(GaussianElbo<arma::fmat>&, arma::fmat&,
    DataSplit<arma::fmat>&, const std::function<double()>&, const std::string&,
    const FitOptions&);

} // namespace model
} // namespace symvi
