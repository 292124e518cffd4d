/**
 * @file benchmarks/steps_double.cpp
 *
 * Training steps in double.
 */
#include "common/step_rows.hpp"

namespace bench {

std::vector<Row> DoubleSteps(const Settings& settings)
{
  std::vector<std::vector<size_t>> shapes = { { 30 } };
  if (!settings.quick)
    shapes.insert(shapes.end(), { { 128 }, { 512 }, { 128, 128 } });
  return StepRows<arma::mat>(shapes, settings);
}

} // namespace bench
