/**
 * @file corrections.hpp
 *
 * Calibration and conformal sets or intervals of a model's predictions.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_CORRECTIONS_HPP
#define SYMVI_BINDINGS_PROGRAMS_CORRECTIONS_HPP

#include <symvi/model/ensemble.hpp>
#include <symvi/predict/calibration.hpp>

#include <optional>
#include <string>

#include "options/arguments.hpp"

namespace symvi {
namespace cli {

/**
 * What --calibration_file and --conformal_file ask for: the former gives a
 * temperature or a variance factor, the latter sets or intervals of what that
 * leaves.
 */
class Corrections
{
 public:
  Corrections() = default;
  //! Predict the points of both files, as far as they were given.
  Corrections(const Arguments& arguments, const Ensemble& model,
      const PredictOptions& options);

  //! Whether there is nothing to correct.
  bool Empty() const { return !temperature && !factor && !sets && !intervals; }

  void Apply(ClassificationPrediction<arma::mat>& prediction) const;
  void Apply(RegressionPrediction<arma::mat>& prediction) const;
  //! The sets of predictions that were corrected by Apply(); empty for none.
  arma::umat Sets(const ClassificationPrediction<arma::mat>& prediction) const;

  //! Scores of corrected predictions on points with targets, as lines of text.
  std::string Evaluate(const Ensemble& model, const io::Dataset& data,
      const Evaluation& evaluation) const;

 private:
  std::optional<TemperatureScaling> temperature;
  std::optional<VarianceFactor> factor;
  std::optional<ConformalSets> sets;
  std::optional<ConformalIntervals> intervals;
};

} // namespace cli
} // namespace symvi

#endif
