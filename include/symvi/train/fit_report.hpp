/**
 * @file symvi/train/fit_report.hpp
 *
 * What a training run did.
 */
#ifndef SYMVI_TRAIN_FIT_REPORT_HPP
#define SYMVI_TRAIN_FIT_REPORT_HPP

#include <armadillo>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
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

  //! The record of the epoch that was kept; nullptr if it was not completed.
  const EpochRecord* Kept() const
  {
    return (keptEpoch == 0 || keptEpoch > history.size()) ?
        nullptr :
        &history[keptEpoch - 1];
  }
};

} // namespace symvi

#endif
