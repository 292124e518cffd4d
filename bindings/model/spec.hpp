/**
 * @file spec.hpp
 *
 * What a network of the command-line programs looks like, and what a model
 * file holds.
 */
#ifndef SYMVI_BINDINGS_MODEL_SPEC_HPP
#define SYMVI_BINDINGS_MODEL_SPEC_HPP

#include <symvi/io/label_codec.hpp>
#include <symvi/io/standardizer.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace symvi {
namespace cli {

//! Architecture, prior and likelihood.
struct NetworkSpec
{
  std::string task;                  // "classification" or "regression".
  uint64_t inputs = 0;
  uint64_t outputs = 0;              // Classes or responses.
  std::vector<uint64_t> hidden;
  std::string activation = "relu";
  double priorStddev = 1.0;
  double initialSigma = 0.05;
  std::string noise = "learned";     // "fixed", "learned", "heteroscedastic".
  double noiseStddev = 1.0;          // Of the standardised responses.

  bool IsClassification() const { return task == "classification"; }
  bool IsHeteroscedastic() const
  {
    return !IsClassification() && noise == "heteroscedastic";
  }

  //! Outputs of the last Bayesian layer.
  uint64_t LastWidth() const
  {
    return IsHeteroscedastic() ? 2 * outputs : outputs;
  }

  //! Widths of all layers, from the inputs to the last Bayesian layer.
  std::vector<uint64_t> Widths() const;

  //! Number of weights and biases with a posterior.
  uint64_t PosteriorSize() const;

  //! Number of trained parameters: two a weight, and learned noise levels.
  uint64_t ParameterSize() const;

  //! Throws std::invalid_argument if a field makes no sense.
  void Check() const;

  //! True if `other` has the same layers and likelihood.
  bool SameShape(const NetworkSpec& other) const;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */);
};

//! One line of the training history; log-likelihood, KL and I in nats.
struct HistoryRow
{
  double epoch = 0, elbo = 0, logLikelihood = 0, kl = 0, information = 0;
  double validation = 0;  // Mean negative log-likelihood; NaN without one.

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */);
};

//! Everything in a model file.
struct Model
{
  NetworkSpec spec;
  std::vector<double> parameters;
  io::LabelCodec labels;
  io::Standardizer inputs;
  io::Standardizer targets;
  //! Column names of the training file; empty without a header line.
  std::vector<std::string> features;
  //! Where the training file had its target; empty if in a file of its own.
  std::string targetColumn;

  // How it was trained.
  std::string method = "sgm";
  std::string estimator = "auto";
  uint64_t permutations = 20;
  uint64_t seed = 0;
  uint64_t points = 0;
  //! The epoch whose weights these are, from 1; 0 if it was not completed.
  uint64_t keptEpoch = 0;
  std::vector<HistoryRow> history;

  //! The row of keptEpoch; nullptr if that epoch was not completed.
  const HistoryRow* KeptRow() const;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */);
};

//! Columns of the history, as --history_file names them.
const std::vector<std::string>& HistoryColumns();

//! The history as a table, one row of the file a column.
arma::mat HistoryTable(const std::vector<HistoryRow>& history);

} // namespace cli
} // namespace symvi

#endif
