/**
 * @file benchmarks/steps_float.cpp
 *
 * Training steps in float.
 */
#include "common/step_rows.hpp"

namespace bench {

std::vector<Row> FloatSteps(const Settings& settings)
{
  std::vector<std::vector<size_t>> shapes = { { 30 }, { 128 }, { 512 } };
  if (!settings.quick)
    shapes.push_back({ 128, 128 });
  return StepRows<arma::fmat>(shapes, settings);
}

} // namespace bench
