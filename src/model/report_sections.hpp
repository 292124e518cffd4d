/**
 * @file src/model/report_sections.hpp
 *
 * The diagrams of the report.
 */
#ifndef SYMVI_SRC_MODEL_REPORT_SECTIONS_HPP
#define SYMVI_SRC_MODEL_REPORT_SECTIONS_HPP

#include <symvi/model/pipeline.hpp>

#include <string>

namespace symvi {

//! Reliability diagram of a classifier, coverage of a regression's intervals.
std::string CalibrationSection(const Evaluation& evaluation);

//! Histograms of the uncertainty of right and wrong predictions.
std::string UncertaintySection(const Evaluation& evaluation);

//! Sorted importance weights, and the share of the largest of them.
std::string EvidenceSection(const EvidenceReport& report);

//! ELBO and its parts over the epochs.
std::string HistorySection(const Pipeline& model);

//! Signal-to-noise of weights and units, and distances between units.
std::string PosteriorSection(const Pipeline& model);

} // namespace symvi

#endif
