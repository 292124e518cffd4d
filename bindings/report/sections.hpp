/**
 * @file sections.hpp
 *
 * The diagrams of the report.
 */
#ifndef SYMVI_BINDINGS_REPORT_SECTIONS_HPP
#define SYMVI_BINDINGS_REPORT_SECTIONS_HPP

#include <string>

#include "measures.hpp"

namespace symvi {
namespace cli {

//! Reliability diagram of a classifier, coverage of a regression's intervals.
std::string CalibrationSection(const Evaluation& evaluation);

//! Histograms of the uncertainty of right and wrong predictions.
std::string UncertaintySection(const Evaluation& evaluation);

//! ELBO and its parts over the epochs.
std::string HistorySection(const Evaluation& evaluation);

//! Signal-to-noise of weights and units, and distances between units.
std::string PosteriorSection(const Evaluation& evaluation);

} // namespace cli
} // namespace symvi

#endif
