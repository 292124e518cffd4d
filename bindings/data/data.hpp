/**
 * @file data.hpp
 *
 * Points with their labels or responses, as a model wants them.
 */
#ifndef SYMVI_BINDINGS_DATA_DATA_HPP
#define SYMVI_BINDINGS_DATA_DATA_HPP

#include <armadillo>
#include <string>
#include <vector>

#include "model/spec.hpp"
#include "options/arguments.hpp"

namespace symvi {
namespace cli {

//! Points and, if there are any, what belongs to them; as in the files.
struct Data
{
  std::string path;                   // Of the points.
  std::string targetPath;             // Of labels or responses.
  arma::mat points;
  std::vector<std::string> features;  // Column names; may be empty.
  std::vector<std::string> labels;    // Text of a classification.
  arma::mat responses;                // Numbers of a regression.
};

//! Which task the options ask for; throws UsageError if they contradict.
std::string TaskOf(const Arguments& arguments);

//! Load points and targets for training `task` from the files named.
Data LoadTraining(const Arguments& arguments, const std::string& task);

/**
 * Load points for a model, and their targets if `withTargets`; the width is
 * checked against the model.  A target column in the file is set apart.
 */
Data LoadForModel(const Arguments& arguments,
                  const std::string& pointsOption,
                  const Model& model,
                  bool withTargets);

//! Standardise the points as the model wants; in place.
void PreparePoints(const Model& model, arma::mat& points);

//! Class numbers, or standardised responses.
arma::mat PrepareTargets(const Model& model, const Data& data);

} // namespace cli
} // namespace symvi

#endif
