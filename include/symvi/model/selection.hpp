/**
 * @file symvi/model/selection.hpp
 *
 * Model selection: fit several architectures or priors and rank them by their
 * evidence or by held-out points.
 */
#ifndef SYMVI_MODEL_SELECTION_HPP
#define SYMVI_MODEL_SELECTION_HPP

#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/train/communicator.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace symvi {

//! What candidates are ranked by.
enum class SelectionCriterion
{
  //! L^G on the training points.
  SymmetrizedElbo,
  //! The importance-weighted bound on the training points.
  Evidence,
  //! sum_i log p(y_i | x_i, D) of held-out points.
  HeldOut
};

//! One trained candidate and the bounds it reached; the best restart counts.
struct SelectionResult
{
  //! What `score` is.
  SelectionCriterion criterion = SelectionCriterion::SymmetrizedElbo;
  //! Name and position of the candidate, and the seed of its best restart.
  std::string name;
  size_t index = 0;
  uint64_t seed = 0;
  //! The bounds of the best restart on the training data.
  ElboReport report;
  //! log p(y_i | x_i, D) of every held-out point, if there are any.
  std::vector<double> heldOut;
  //! The criterion of the best restart, in nats; the larger, the better.
  double score = 0.0;
  //! The criterion of every restart, in the order of their seeds.
  std::vector<double> restarts;
  //! Whether the error leaves open if the first candidate is better than this
  //! one; true for the first one itself.
  bool tied = false;

  /**
   * An interval for the criterion in nats.
   *  - L^G: the bounds [L_K, U_K] of I(g; w), widened by `deviations`
   *    Monte-Carlo standard errors.
   *  - Evidence: the bound and `deviations` standard errors.  If its k is not
   *    good there is no upper end, and the lower one is 3 nats below the bound,
   *    which exceeds log p(Y | X) by more with a probability of exp(-3) at most.
   *  - Held-out points: `deviations` standard errors of the sum over them.  Two
   *    candidates see the same points, so that `tied` goes by the standard error
   *    of the difference instead.
   */
  double Lower(const double deviations = 2.0) const;
  double Upper(const double deviations = 2.0) const;
};

/**
 * Sort by decreasing score and set `tied`: for held-out points, whether the
 * difference to the first candidate is within `deviations` standard errors of
 * the paired differences; otherwise, whether the intervals overlap.
 */
void RankCandidates(std::vector<SelectionResult>& results,
    const double deviations = 2.0);

namespace model {

//! A run of a selection as bytes, with what tells it from others.
std::string WriteRun(const SelectionResult& run, const std::string& description,
    const std::string& network);

/**
 * Read it back; returns the bytes of the network.  A run with another
 * description is a std::invalid_argument that begins with the name.
 */
std::string ReadRun(const std::string& bytes, const std::string& name,
    const std::string& description, SelectionResult& run);

} // namespace model

/**
 * Fits candidates and ranks them by L^G (or another criterion), best first.
 *
 * The evidence p(Y | X) is the same for every labelling of the hidden units, and
 * a plain ELBO counts one labelling only: it misses up to log d! nats for a
 * layer of d units, more for wide layers than for narrow ones, and so ranks
 * widths too narrow.  L^G = L + I(g; w) has what is missing, and its values can
 * be compared between architectures and priors [Gelberg2024, Thm. 4.1].
 *
 *   ModelSelection<> selection;
 *   for (size_t units : { 5, 10, 20 })
 *     selection.Add(std::to_string(units), [=]() { ... return model; });
 *   for (const SelectionResult& r : selection.Run(X, y, optimizer))
 *     std::cout << r.name << ' ' << r.report.symmetrizedElbo << '\n';
 *
 * Every run is seeded by itself, so that the result does not depend on the
 * number of threads.  Building, training and evaluating a candidate happen in
 * one thread; let the BLAS use one thread too.
 *
 * @tparam ModelType A BayesianFFN.
 */
template<typename ModelType = BayesianFFN<>>
class ModelSelection
{
 public:
  using MatType =
      std::decay_t<decltype(std::declval<ModelType&>().Parameters())>;

  //! Makes an untrained model; called in the thread that trains it.
  using Builder = std::function<ModelType()>;

  //! Add a candidate.
  void Add(std::string name, Builder builder);

  size_t NumCandidates() const { return candidates.size(); }

  //! Trainings of each candidate, from different seeds (default 1).
  size_t Restarts() const { return restarts; }
  size_t& Restarts() { return restarts; }

  //! Runs at a time; 0 (the default) means one per core.
  size_t Threads() const { return threads; }
  size_t& Threads() { return threads; }

  //! The first seed; restart r of every candidate uses Seed() + r.
  uint64_t Seed() const { return seed; }
  uint64_t& Seed() { return seed; }

  //! Draws of w for the report of a candidate (default 200); the criterion
  //! Evidence wants 1000 or more.
  size_t ElboSamples() const { return elboSamples; }
  size_t& ElboSamples() { return elboSamples; }

  //! What to rank by (default SymmetrizedElbo).
  SelectionCriterion Criterion() const { return criterion; }
  SelectionCriterion& Criterion() { return criterion; }

  //! Points that no candidate is trained on, for the criterion HeldOut.
  void HoldOut(MatType predictors, MatType responses)
  {
    heldOutPredictors = std::move(predictors);
    heldOutResponses = std::move(responses);
  }

  /**
   * Share out the runs over processes (docs/mpi.md), each of which calls Run()
   * with the same candidates, settings and data, and gets all results and
   * models.  Runs of one process use one thread.
   */
  void Over(Communicator& value) { ranks = &value; }

  /**
   * A folder that keeps every run that has ended, so that a selection that was
   * cut off goes on where it was; empty (default) for none.  A run is known by
   * the name and position of its candidate, seed, data and settings, but not by
   * what the builder builds, nor by the optimizer: where these change, use
   * another folder.
   */
  const std::string& CheckpointFolder() const { return checkpointFolder; }
  std::string& CheckpointFolder() { return checkpointFolder; }

  /**
   * Train and rank.
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param optimizer An ensmallen optimizer; each run uses a copy of it.
   * @return The candidates, best first.
   * @throws std::logic_error if held-out points are asked for that nobody gave.
   */
  template<typename OptimizerType>
  std::vector<SelectionResult> Run(const MatType& predictors,
      const MatType& responses, const OptimizerType& optimizer);

  //! The best trained model of candidate `index`, as Add() counted them.
  ModelType& Model(const size_t index) { return *models.at(index); }

 private:
  struct Candidate
  {
    std::string name;
    Builder builder;
  };

  //! What tells the runs of this selection from those of others.
  std::string Description(const MatType& predictors,
      const MatType& responses) const;
  //! A model as bytes, and back.
  static std::string Write(const ModelType& model);
  static std::unique_ptr<ModelType> Read(const std::string& bytes);

  std::vector<Candidate> candidates;
  std::vector<std::unique_ptr<ModelType>> models;
  size_t restarts = 1;
  size_t threads = 0;
  Communicator* ranks = &Communicator::Alone();
  std::string checkpointFolder;
  uint64_t seed = 1;
  size_t elboSamples = 200;
  SelectionCriterion criterion = SelectionCriterion::SymmetrizedElbo;
  MatType heldOutPredictors, heldOutResponses;
};

} // namespace symvi

#include "selection_impl.hpp"

#endif
