/**
 * @file symvi/model/fit.hpp
 *
 * Fit(): training of a BayesianFFN without an optimizer to set up.
 */
#ifndef SYMVI_MODEL_FIT_HPP
#define SYMVI_MODEL_FIT_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/train/columns.hpp>
#include <symvi/train/train_objective.hpp>

#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace symvi {

/**
 * Seed this thread's generators of mlpack and Armadillo, from which layers take
 * their keys, by a key of 64 bits.  mlpack::RandomSeed() would add a number
 * that depends on the order in which threads were started.
 */
inline void SeedGenerators(const uint64_t key)
{
  SeedThisThread(RandomStream(key).NextBits());
}

//! The prior scales of a model's Bayesian layers, in order.
template<typename ModelType>
std::vector<LayerPrior> PriorsOf(const ModelType& model)
{
  std::vector<LayerPrior> priors;
  for (const auto* layer :
      FindBayesianLayers<std::decay_t<decltype(model.Parameters())>>(
          NetworkLayers(model.Base())))
    priors.push_back({ layer->PriorStddev(), layer->BiasPriorStddev() });
  return priors;
}

//! Set them.
template<typename ModelType>
void SetPriors(ModelType& model, const std::vector<LayerPrior>& priors)
{
  size_t l = 0;
  for (auto* layer :
      FindBayesianLayers<std::decay_t<decltype(model.Parameters())>>(
          NetworkLayers(model.Base())))
  {
    layer->SetPriorStddev(priors.at(l).weights, priors.at(l).biases);
    ++l;
  }
}

//! Set them to their optimum, where the prior is centred at zero.
template<typename ModelType>
void LearnPriors(ModelType& model)
{
  for (auto* layer : model.BayesianLayers())
    if (layer->PriorMean().is_empty())
      layer->LearnPriorStddev();
}

/**
 * The (symmetrized) ELBO of a BayesianFFN on a data set, with its settings:
 * Symmetrize(), Estimator(), Samples() and Temperature().
 */
template<typename ModelType>
class ModelObjective
    : public TrainObjective<
          std::decay_t<decltype(std::declval<ModelType>().Parameters())>>
{
 public:
  using MatType =
      std::decay_t<decltype(std::declval<ModelType>().Parameters())>;

  /**
   * @param model Model to train; it must have parameters.
   * @param data Its data; both must outlive the objective.
   * @param options The seed and draws of the score on held-out points.
   * @param logJacobian Added to the log-likelihood of every point, to have it
   *     in other units than those of the targets.
   * @param description Lines that identify the model in checkpoints; if empty,
   *     they list its layers.
   */
  ModelObjective(ModelType& model, DataSplit<MatType>& data,
      const FitOptions& options, const double logJacobian = 0.0,
      std::string description = "") :
      model(model),
      data(data),
      ranks(options.Ranks()),
      validationOptions(options.ValidationDraws(), options.Seed()),
      klWeight(options.KLWeight() > 0.0 ? options.KLWeight() : 1.0),
      learnPrior(options.LearnPrior()),
      logJacobian(logJacobian),
      description(std::move(description))
  { }

  MatType& Parameters() override { return model.Parameters(); }
  size_t NumPoints() const override { return data.held.Points(); }

  void Reorder(const std::vector<size_t>& order) override
  {
    const std::vector<size_t> own = data.held.Reorder(order);
    PermuteColumns(data.points, own);
    PermuteColumns(data.targets, own);
  }

  void BeginEpoch(const uint64_t key) override
  {
    if (!elbo)
    {
      // Views: Reorder() moves the points that the objective sees.
      const auto view = [](MatType& values) {
        return MatType(values.memptr(), values.n_rows, values.n_cols, false,
            true);
      };
      elbo.emplace(model.Base(), view(data.points), view(data.targets),
          model.Symmetrize() ? model.Estimator() : EstimatorPtr());
      elbo->Samples() = model.Samples();
      elbo->HoldPart(NumPoints(), ranks.Size());
      elbo->ShareWeights(ranks);
    }
    if (learnPrior)
      LearnPriors(model);
    elbo->Seed(key);
  }

  std::vector<SharedArray> Shares() const override { return elbo->Shares(); }

  void Gradient(const size_t begin, const size_t count, const double klFactor,
      MatType& gradient) override
  {
    elbo->Temperature() = model.Temperature() * klWeight * klFactor;
    const size_t first = data.held.Before(begin);
    elbo->EvaluateWithGradient(model.Parameters(),
        BatchPart{ first, data.held.Before(begin + count) - first, begin,
            count },
        gradient, true);
  }

  EpochRecord Terms() const override
  {
    const ElboTerms& terms = elbo->Terms();
    EpochRecord record;
    // Of the points seen, scaled to all of them.
    const double points = double(NumPoints());
    record.logLikelihood = -ranks.Sum(terms.negativeLogLikelihood) * points /
            ranks.Sum(double(terms.points)) +
        logJacobian * points;
    record.kl = elbo->Shares().empty() ? terms.kl : ranks.Sum(terms.kl);
    record.information = terms.information;
    return record;
  }

  bool HasValidation() const override { return data.heldOut > 0; }

  double Validate() override
  {
    // The same draws every time, so that epochs differ by their weights only.
    double sum = 0.0;
    ranks.Agree(
        [&]
        {
      if (!data.validationPoints.is_empty())
        sum = arma::accu(model.LogDensity(data.validationPoints,
            data.validationTargets, validationOptions));
    });
    return -logJacobian - ranks.Sum(sum) / double(data.heldOut);
  }

  std::string Description() const override
  {
    std::string text = description;
    if (text.empty())
    {
      text = "layers";
      for (const mlpack::Layer<MatType>* layer : std::as_const(model).Network())
        text += " " + LayerName(*layer) + "(" +
            std::to_string(layer->WeightSize()) + ")";
      text += "\n";
    }
    // A sum over the points, whoever holds them.
    uint64_t hash = 0;
    for (size_t i = 0, own = 0; i < NumPoints(); ++i)
    {
      if (data.held.Holds(i))
        hash += Hash(i, data.points, data.targets, own++);
    }
    for (size_t i = 0; i < data.validationPoints.n_cols; ++i)
      hash += Hash(~uint64_t(0), data.validationPoints, data.validationTargets,
          i);
    uint64_t sum = 0;
    for (const std::string& part : ranks.GatherAll(std::to_string(hash)))
      sum += std::stoull(part);
    const EstimatorPtr& estimator = model.Estimator();
    const bool symmetrized = model.Symmetrize() && estimator;
    return text + "method " + (symmetrized ? "sgm" : "mfvi") + "\nestimator " +
        (symmetrized ? estimator->Name() : "none") + "\npermutations " +
        std::to_string(symmetrized ? EstimatorPermutations(*estimator) : 0) +
        "\nsamples " + std::to_string(model.Samples()) + "\ntemperature " +
        std::to_string(model.Temperature()) + "\nkl_weight " +
        ValueText(klWeight) + "\nprior " + (learnPrior ? "learned" : "fixed") +
        "\ndata " + std::to_string(NumPoints()) + "+" +
        std::to_string(data.heldOut) + " points, hash " + std::to_string(sum) +
        "\n";
  }

 private:
  //! Of a point and its target at a position of the order of training.
  static uint64_t Hash(const uint64_t position, const MatType& points,
      const MatType& targets, const size_t column)
  {
    uint64_t hash = kernel::KeyFromSeed(position);
    for (const MatType* values : { &points, &targets })
    {
      for (size_t i = 0; i < values->n_rows; ++i)
      {
        const double value = values->at(i, column);
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        hash = (hash ^ bits) * 1099511628211ull;
        hash ^= hash >> 29;
      }
    }
    return hash;
  }

  ModelType& model;
  DataSplit<MatType>& data;
  Communicator& ranks;
  PredictOptions validationOptions;
  double klWeight;
  bool learnPrior;
  double logJacobian;
  std::string description;
  std::optional<SymmetrizedELBO<typename ModelType::NetworkType>> elbo;
};

/**
 * Train a model on data that are already split; see Fit().  A model without
 * parameters of the right size is initialised, as a function of the seed.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
FitReport FitSplit(BayesianFFN<LikelihoodType, InitType, MatType>& model,
    DataSplit<MatType>& data, const FitOptions& options,
    const double logJacobian = 0.0, const std::string& description = "")
{
  FitOptions complete = options;
  complete.Seed(SeedOf(options));
  options.Ranks().Agree(
      [&]
      {
    SeedGenerators(complete.Seed());
    model.Prepare(data.points, data.targets);
  });
  ModelObjective<BayesianFFN<LikelihoodType, InitType, MatType>> objective(
      model, data, complete, logJacobian, description);
  const std::vector<LayerPrior> before = PriorsOf(model);
  FitReport report;
  try
  {
    report = Minimize(objective, complete);
  }
  catch (...)
  {
    SetPriors(model, before);
    throw;
  }
  if (options.LearnPrior())
    LearnPriors(model);
  report.priors = PriorsOf(model);
  model.Base().SetNetworkMode(false);
  return report;
}

/**
 * Train a model without an optimizer to set up: Adam in mini-batches, with
 * validation, early stopping, checkpoints and a history as the options say.
 * Training starts from the current parameters if they fit the data.  mlpack's
 * and Armadillo's random generators of the calling thread are seeded.
 *
 * @param model The model; Symmetrize(), Estimator(), Samples() and
 *     Temperature() are those of the model.
 * @param predictors One point per column.
 * @param responses One target per column.
 * @param options See FitOptions.
 * @throws std::runtime_error if training diverges; the model stays as it was.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
FitReport Fit(BayesianFFN<LikelihoodType, InitType, MatType>& model,
    MatType predictors, MatType responses,
    const FitOptions& options = FitOptions())
{
  FitOptions seeded = options;
  seeded.Seed(SeedOf(options));
  DataSplit<MatType> data(predictors, responses,
      PointSplit(predictors.n_cols, options.Validation(), seeded.SplitSeed(),
          options.Ranks()));
  return FitSplit(model, data, seeded);
}

template<typename LikelihoodType, typename InitType, typename MatType>
FitReport BayesianFFN<LikelihoodType, InitType, MatType>::Fit(
    MatType predictors, MatType responses, const FitOptions& options)
{
  return symvi::Fit(*this, std::move(predictors), std::move(responses),
      options);
}

} // namespace symvi

#endif
