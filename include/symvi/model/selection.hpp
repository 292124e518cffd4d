/**
 * @file symvi/model/selection.hpp
 *
 * Model selection by the symmetrized ELBO: fit several architectures or priors
 * and rank them by their evidence.
 */
#ifndef SYMVI_MODEL_SELECTION_HPP
#define SYMVI_MODEL_SELECTION_HPP

#include <symvi/model/bayesian_ffn.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace symvi {

//! One trained candidate and the bounds it reached; the best restart counts.
struct SelectionResult
{
  //! Name and position of the candidate, and the seed of its best restart.
  std::string name;
  size_t index = 0;
  uint64_t seed = 0;
  //! L and L^G of the best restart on the training data.
  ElboReport report;
  //! L^G of every restart, in the order of their seeds.
  std::vector<double> restarts;

  /**
   * An interval for L^G in nats: the bounds [L_K, U_K] of I(g; w), widened by
   * `deviations` Monte-Carlo standard errors.
   */
  double Lower(const double deviations = 2.0) const;
  double Upper(const double deviations = 2.0) const;
};

/**
 * Fits candidates and ranks them by L^G, best first.
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
  using MatType = std::decay_t<decltype(std::declval<ModelType&>().
      Parameters())>;

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

  //! Draws of w for the report of a candidate (default 200).
  size_t ElboSamples() const { return elboSamples; }
  size_t& ElboSamples() { return elboSamples; }

  /**
   * Train and rank.
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param optimizer An ensmallen optimizer; each run uses a copy of it.
   * @return The candidates by decreasing L^G.
   */
  template<typename OptimizerType>
  std::vector<SelectionResult> Run(const MatType& predictors,
                                   const MatType& responses,
                                   const OptimizerType& optimizer);

  //! The best trained model of candidate `index`, as Add() counted them.
  ModelType& Model(const size_t index) { return *models.at(index); }

 private:
  struct Candidate
  {
    std::string name;
    Builder builder;
  };

  std::vector<Candidate> candidates;
  std::vector<std::unique_ptr<ModelType>> models;
  size_t restarts = 1;
  size_t threads = 0;
  uint64_t seed = 1;
  size_t elboSamples = 200;
};

} // namespace symvi

#include "selection_impl.hpp"

#endif
