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

namespace {

/**
 * Training steps of every width from some state.
 *
 * @param setUp Called with each group, to choose the state.
 */
std::vector<Row> FromState(const size_t points, const std::string& prefix,
    const Settings& settings, void (*setUp)(StepGroup<arma::fmat>&))
{
  mlpack::RandomSeed(1);
  const Data<arma::fmat> data = MakeData<arma::fmat>(points);
  std::vector<Row> all;
  for (const size_t width : { 30, 128, 512 })
  {
    StepGroup<arma::fmat> group(data, { width }, settings.threads, prefix);
    setUp(group);
    group.AddMeanField<symvi::AdamUpdate>("mfvi");
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "uniform", 20);
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "auto", 20);
    const std::vector<Row> rows = group.Measure(settings.quick ? 1.5 : 10.0);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

} // namespace

//! A small data set: more weights stay near the prior.
std::vector<Row> SmallDataSteps(const Settings& settings)
{
  return FromState(2000, "2,000 points: ", settings,
      [](StepGroup<arma::fmat>&) {});
}

/**
 * States in which units overlap, and I(g; w) costs most: after long training on
 * data that need few units, and at the prior.
 */
std::vector<Row> OverlapSteps(const Settings& settings)
{
  std::vector<Row> all = FromState(60000, "1,000 steps: ", settings,
      [](StepGroup<arma::fmat>& group) { group.TrainFirst(1000); });
  const std::vector<Row> rows = FromState(60000, "prior: ", settings,
      [](StepGroup<arma::fmat>& group) { group.StartAtPrior(); });
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

} // namespace bench
