/**
 * @file trainer.hpp
 *
 * Training that can be stopped at any step and continued from any epoch.
 */
#ifndef SYMVI_BINDINGS_MODEL_TRAINER_HPP
#define SYMVI_BINDINGS_MODEL_TRAINER_HPP

#include <functional>
#include <ostream>

#include "network.hpp"

namespace symvi {
namespace cli {

//! How to train.
struct TrainOptions
{
  BoundOptions bound;
  size_t epochs = 1;
  size_t batchSize = 1;
  double stepSize = 1e-2;
  double warmUpEpochs = 0;
  uint64_t seed = 0;
  //! Stop after this many epochs without a better validation score.
  size_t patience = 0;
  size_t validationDraws = 20;
  //! Added to a point's log-likelihood, to have it in the data's own units.
  double logJacobian = 0;
  //! Asked after every step.
  std::function<bool()> interrupted = [] { return false; };
};

/**
 * All that the next epoch depends on.  Noise, permutations and the order of
 * the points are functions of (seed, epoch), so that nothing else is needed to
 * continue a run bit for bit.
 */
struct TrainState
{
  uint64_t seed = 0;
  uint64_t epoch = 0;        // Complete epochs.
  uint64_t steps = 0;
  std::vector<double> parameters;
  std::vector<double> firstMoment, secondMoment;
  std::vector<HistoryRow> history;
  // Early stopping.
  std::vector<double> bestParameters;
  double bestValidation = 0;
  uint64_t bestEpoch = 0;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */);
};

//! Why training ended.
enum class Outcome { Complete, EarlyStop, Interrupted };

/**
 * Adam (Kingma and Ba, 2015, beta1 = 0.9, beta2 = 0.999, eps = 1e-8) on the
 * negative (symmetrized) ELBO.
 */
class Trainer
{
 public:
  /**
   * @param points Training points; columns are reordered.
   * @param targets Their targets; reordered too.
   * @param validationPoints May be empty.
   */
  Trainer(Network& network,
          arma::mat& points,
          arma::mat& targets,
          const arma::mat& validationPoints,
          const arma::mat& validationTargets,
          const TrainOptions& options);

  //! Continue from `state`, which must belong to the same data and options.
  void Resume(const TrainState& state);

  //! Train; `onEpoch` is called after every complete epoch.
  Outcome Run(const std::function<void(const Trainer&)>& onEpoch);

  //! The state after the last complete epoch.
  const TrainState& State() const { return state; }

  //! What to keep: the best epoch if there is a validation set, otherwise the
  //! last parameters, those of an unfinished epoch included.
  std::vector<double> Result() const;

  //! The epoch that Result() is of; 0 if that epoch is not complete.
  uint64_t ResultEpoch() const;

 private:
  bool RunEpoch();
  void Adam(const arma::mat& gradient);
  void CompleteEpoch();
  void Reorder(uint64_t epochs);
  void ShuffleOrder(uint64_t epoch, std::vector<size_t>& order) const;
  void CheckFinite() const;

  Network& network;
  arma::mat& points;
  arma::mat& targets;
  const arma::mat& validationPoints;
  const arma::mat& validationTargets;
  TrainOptions options;
  TrainState state;
  //! Of the epoch that is running.
  arma::mat first, second, gradient;
  uint64_t steps = 0;
};

//! A checkpoint: the state, and a text that tells its run from others.
void WriteCheckpoint(std::ostream& stream,
                     const TrainState& state,
                     const std::string& fingerprint);

//! Throws std::invalid_argument if the file is missing, damaged or foreign.
TrainState ReadCheckpoint(const std::string& path, std::string& fingerprint);

//! Throws std::invalid_argument, naming the first line that differs.
void RequireSameRun(const std::string& path,
                    const std::string& theirs,
                    const std::string& ours);

} // namespace cli
} // namespace symvi

#endif
