/**
 * @file benchmarks/steps_float.cpp
 *
 * Training steps in float.
 */
#include "common/step_rows.hpp"

namespace bench {

std::vector<Row> FloatSteps(const Settings& settings)
{
  return StepRows<arma::fmat>({ { 30 }, { 128 }, { 512 }, { 128, 128 } },
      settings);
}

/**
 * A data set so small that many weights stay near the prior, where units
 * overlap and I(g; w) costs most.
 */
std::vector<Row> SmallDataSteps(const Settings& settings)
{
  mlpack::RandomSeed(1);
  const Data<arma::fmat> data = MakeData<arma::fmat>(2000);
  std::vector<Row> all;
  for (const size_t width : { 30, 128, 512 })
  {
    StepGroup<arma::fmat> group(data, { width }, settings.threads,
        "2,000 points: ");
    group.AddMeanField<symvi::AdamUpdate>("mfvi");
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "uniform", 20);
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "auto", 20);
    const std::vector<Row> rows = group.Measure(settings.quick ? 1.5 : 20.0);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

} // namespace bench
