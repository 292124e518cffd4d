/**
 * @file symvi/train/fit_options.hpp
 *
 * How to train, and what a training run did.
 */
#ifndef SYMVI_TRAIN_FIT_OPTIONS_HPP
#define SYMVI_TRAIN_FIT_OPTIONS_HPP

#include <symvi/kernel/communicator.hpp>

#include <armadillo>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace symvi {

/**
 * One epoch in numbers, as seen while it was running: sums over the training
 * points, in nats.
 */
struct EpochRecord
{
  //! Number of the epoch, from 1.
  size_t epoch = 0;
  //! logLikelihood - kl + information.
  double elbo = 0.0;
  double logLikelihood = 0.0;
  //! KL(q || p).
  double kl = 0.0;
  //! I(g; w); 0 if the plain ELBO is maximised.
  double information = 0.0;
  //! Mean negative log predictive density of the held-out points; NaN without
  //! any.
  double validation = std::numeric_limits<double>::quiet_NaN();
};

//! Names of the columns of HistoryTable().
const std::vector<std::string>& HistoryColumns();

//! One column per epoch, one row per field of EpochRecord.
arma::mat HistoryTable(const std::vector<EpochRecord>& history);

//! Why training ended.
enum class FitOutcome
{
  Complete,   //!< All epochs were run.
  EarlyStop,  //!< The score on held-out points did not improve any more.
  TimeLimit,  //!< FitOptions::TimeLimit() was reached.
  Interrupted //!< FitOptions::Interrupted() returned true.
};

//! Standard deviations of the prior of one Bayesian layer.
struct LayerPrior
{
  double weights = 1.0;
  double biases = 1.0;
};

//! What Fit() returns.
struct FitReport
{
  std::vector<EpochRecord> history;
  FitOutcome outcome = FitOutcome::Complete;
  //! Complete epochs, of how many that were planned.
  size_t epochs = 0;
  size_t plannedEpochs = 0;
  //! The epoch whose parameters were kept, from 1; 0 if they are those of an
  //! epoch that was not completed.
  size_t keptEpoch = 0;
  size_t batchSize = 0;
  //! Random seed of the run.
  uint64_t seed = 0;
  //! Wall-clock time of this run, without what was done before a resume.
  double seconds = 0.0;
  //! The priors of the Bayesian layers afterwards, in order: learned ones with
  //! FitOptions::LearnPrior().
  std::vector<LayerPrior> priors;

  //! The record of the epoch that was kept; nullptr if it was not completed.
  const EpochRecord* Kept() const
  {
    return (keptEpoch == 0 || keptEpoch > history.size()) ?
        nullptr :
        &history[keptEpoch - 1];
  }
};

/**
 * A linear warm-up, a constant part, and a geometric decay:
 *
 *   stepSize * u / warmUp                            for u <= warmUp,
 *   stepSize                                         for u <= decayStart,
 *   stepSize * finalFactor^((u - decayStart) / (1 - decayStart))   after,
 *
 * with u in (0, 1] the fraction of the run that is done after this step.
 */
struct StepSchedule
{
  double stepSize = 0.005;
  //! Fraction of the run over which the step size grows from 0.
  double warmUp = 0.02;
  //! Fraction of the run after which it decays.
  double decayStart = 0.3;
  //! The last step size, relative to stepSize.
  double finalFactor = 0.01;

  //! The same step size throughout.
  static StepSchedule Constant(const double stepSize)
  {
    return { stepSize, 0.0, 1.0, 1.0 };
  }

  //! Whether all steps have the same size, however many there are.
  bool IsConstant() const
  {
    return warmUp == 0.0 && (decayStart >= 1.0 || finalFactor == 1.0);
  }

  //! The size of the step after which the fraction u of the run is done.
  double operator()(const double u) const
  {
    if (IsConstant())
      return stepSize;
    if (u < warmUp)
      return stepSize * u / warmUp;
    if (u <= decayStart)
      return stepSize;
    return stepSize *
        std::pow(finalFactor, (u - decayStart) / (1.0 - decayStart));
  }
};

/**
 * Options of Fit().  Setters return the object:
 *
 *   model.Fit(X, y, FitOptions().Validation(0.1).Epochs(200));
 */
class FitOptions
{
 public:
  //! Passes over the training points; 0 chooses so many that there are 50,000
  //! steps, or up to 100,000 for more than 2,000 points.
  FitOptions& Epochs(const size_t value)
  {
    epochs = value;
    return *this;
  }
  size_t Epochs() const { return epochs; }

  //! Points per step; 0 means 32, or all points if there are fewer.
  FitOptions& BatchSize(const size_t value)
  {
    batchSize = value;
    return *this;
  }
  size_t BatchSize() const { return batchSize; }

  //! Fraction of the points that is held out to choose the best epoch.
  FitOptions& Validation(const double value)
  {
    validation = value;
    return *this;
  }
  double Validation() const { return validation; }

  //! Stop after this many epochs without a better score on the held-out
  //! points, counted from the end of the KL warm-up; 0 never stops early.
  FitOptions& Patience(const size_t value)
  {
    patience = value;
    return *this;
  }
  size_t Patience() const { return patience; }

  //! Weight samples of the score on the held-out points.
  FitOptions& ValidationDraws(const size_t value)
  {
    validationDraws = value;
    return *this;
  }
  size_t ValidationDraws() const { return validationDraws; }

  //! Random seed; 0 takes one from mlpack's generator (or from the checkpoint
  //! that is resumed).
  FitOptions& Seed(const uint64_t value)
  {
    seed = value;
    return *this;
  }
  uint64_t Seed() const { return seed; }

  //! Random seed that chooses the held-out points; 0 takes Seed().
  FitOptions& SplitSeed(const uint64_t value)
  {
    splitSeed = value;
    return *this;
  }
  uint64_t SplitSeed() const { return splitSeed == 0 ? seed : splitSeed; }

  //! Fraction of the run over which the weight of the KL divergence grows from
  //! 0 to 1.
  FitOptions& KLWarmUp(const double value)
  {
    klWarmUp = value;
    return *this;
  }
  double KLWarmUp() const { return klWarmUp; }

  /**
   * Weight of the KL divergence, of KL(q^G || p) when symmetrized, after the
   * warm-up.  1 maximises the bound; a smaller one counts every point 1 / weight
   * times, and reported bounds are then bounds that are not at their maximum.  0
   * means 1, for a Pipeline NetworkSpec::KLWeight().
   */
  FitOptions& KLWeight(const double value)
  {
    klWeight = value;
    return *this;
  }
  double KLWeight() const { return klWeight; }

  //! Set the prior scales of every layer to their optimum before each epoch and
  //! at the end (BayesianLinear::LearnPriorStddev()); priors that are not
  //! centred at zero stay as they are.
  FitOptions& LearnPrior(const bool value)
  {
    learnPrior = value;
    return *this;
  }
  bool LearnPrior() const { return learnPrior; }

  //! Seconds after which training ends; 0 for no limit.  The schedule runs
  //! faster where the limit is too short for all epochs, so that it still ends
  //! with small steps; such a run cannot be repeated bit for bit.
  FitOptions& TimeLimit(const double value)
  {
    timeLimit = value;
    return *this;
  }
  double TimeLimit() const { return timeLimit; }

  //! Step size of Adam, the largest of the schedule.
  FitOptions& StepSize(const double value)
  {
    schedule.stepSize = value;
    return *this;
  }
  double StepSize() const { return schedule.stepSize; }

  //! The step size over the run.
  FitOptions& Schedule(const StepSchedule& value)
  {
    schedule = value;
    return *this;
  }
  const StepSchedule& Schedule() const { return schedule; }

  /**
   * Write the state of training to a file after every so many epochs, and at
   * the end.
   */
  FitOptions& Checkpoint(std::string path, const size_t every = 10)
  {
    checkpoint = std::move(path);
    checkpointEvery = every;
    return *this;
  }
  const std::string& Checkpoint() const { return checkpoint; }
  size_t CheckpointEvery() const { return checkpointEvery; }

  //! Continue from the file of Checkpoint(), with the data and options that it
  //! was started with.
  FitOptions& Resume(const bool value)
  {
    resume = value;
    return *this;
  }
  bool Resume() const { return resume; }

  /**
   * Train over several processes, each of which holds a part of the points and
   * calls Fit() with the same options: see docs/mpi.md.  The callbacks below
   * are those of each process.
   */
  FitOptions& Over(Communicator& value)
  {
    ranks = &value;
    return *this;
  }
  Communicator& Ranks() const { return *ranks; }

  //! Called after every complete epoch with what it did and how many epochs
  //! are planned.
  FitOptions& OnEpoch(std::function<void(const EpochRecord&, size_t)> callback)
  {
    onEpoch = std::move(callback);
    return *this;
  }
  const std::function<void(const EpochRecord&, size_t)>& OnEpoch() const
  {
    return onEpoch;
  }

  //! Asked before every step; training ends when it returns true.
  FitOptions& Interrupted(std::function<bool()> predicate)
  {
    interrupted = std::move(predicate);
    return *this;
  }
  const std::function<bool()>& Interrupted() const { return interrupted; }

  /**
   * Choose what is left to choose for a number of training points: batch size
   * and epochs.  Throws std::invalid_argument if an option makes no sense.
   */
  void Complete(size_t points);

 private:
  size_t epochs = 0;
  size_t batchSize = 0;
  double validation = 0.0;
  double klWarmUp = 0.6;
  double klWeight = 0.0;
  bool learnPrior = false;
  size_t patience = 50;
  size_t validationDraws = 20;
  uint64_t seed = 0;
  uint64_t splitSeed = 0;
  double timeLimit = 0.0;
  StepSchedule schedule;
  std::string checkpoint;
  size_t checkpointEvery = 10;
  bool resume = false;
  Communicator* ranks = &Communicator::Alone();
  std::function<void(const EpochRecord&, size_t)> onEpoch;
  std::function<bool()> interrupted;
};

} // namespace symvi

#endif
