/**
 * @file symvi/train/train_objective.hpp
 *
 * What Fit() asks of an objective.
 */
#ifndef SYMVI_TRAIN_TRAIN_OBJECTIVE_HPP
#define SYMVI_TRAIN_TRAIN_OBJECTIVE_HPP

#include <armadillo>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fit_options.hpp"

namespace symvi {

/**
 * A stochastic objective, a sum over points, that is trained in epochs.  All
 * its randomness is a function of the key of the epoch, so that a run can be
 * resumed bit for bit from the parameters after any epoch.
 *
 * @tparam MatType arma::mat or arma::fmat.
 */
template<typename MatType>
class TrainObjective
{
 public:
  virtual ~TrainObjective() = default;

  //! What is trained, in place.
  virtual MatType& Parameters() = 0;

  //! Number of training points.
  virtual size_t NumPoints() const = 0;

  //! Point i becomes what point order[i] was.
  virtual void Reorder(const std::vector<size_t>& order) = 0;

  //! Start an epoch, which is a function of the parameters and of the key of
  //! all its random numbers.
  virtual void BeginEpoch(uint64_t key) = 0;

  /**
   * With several processes: parameters of which each trains a share, in the
   * order of their offsets, from BeginEpoch() on.  Gradient() then gives the
   * gradient of all points in the process' shares.
   */
  virtual std::vector<SharedArray> Shares() const { return {}; }

  /**
   * Gradient of the objective on the points begin, ..., begin + count - 1.
   * With several processes (FitOptions::Over()) that of the process' part of
   * the objective, which Minimize() sums, but in Shares().  Terms(), Validate() and Description()
   * are those of all points, and collective.
   *
   * @param klFactor Weight of the KL divergence, from the warm-up.
   */
  virtual void Gradient(size_t begin, size_t count, double klFactor,
      MatType& gradient) = 0;

  //! logLikelihood, kl and information of the steps since BeginEpoch().
  virtual EpochRecord Terms() const = 0;

  //! Whether there are held-out points.
  virtual bool HasValidation() const { return false; }

  //! Mean negative log predictive density of the held-out points.
  virtual double Validate() { return 0.0; }

  //! One line "name value" for everything that identifies this run, for
  //! checkpoints.
  virtual std::string Description() const = 0;
};

/**
 * Minimise an objective by Adam (Kingma and Ba, 2015; beta1 = 0.9,
 * beta2 = 0.999, epsilon = 1e-8) in mini-batches.  Afterwards the objective's
 * parameters are those to keep: of the best epoch if there are held-out
 * points, otherwise the last.
 *
 * A run is a function of (options, seed, data): the order of the points and
 * all noise of an epoch depend on (seed, epoch) only.
 *
 * @throws std::runtime_error if the objective or a parameter is not finite any
 *     more; the parameters are then what they were before.
 */
template<typename MatType>
FitReport Minimize(TrainObjective<MatType>& objective, FitOptions options);

extern template FitReport Minimize(TrainObjective<arma::mat>&, FitOptions);
extern template FitReport Minimize(TrainObjective<arma::fmat>&, FitOptions);

//! The seed of a run with these options: the given one, that of the checkpoint
//! to be resumed, or a new one from mlpack's generator.
uint64_t SeedOf(const FitOptions& options);

} // namespace symvi

#endif
