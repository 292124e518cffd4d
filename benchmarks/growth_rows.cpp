/**
 * @file benchmarks/growth_rows.cpp
 *
 * Rows that tell how the time grows with the depth of the network, and that of
 * the posterior predictive with draws S and points N.
 */
#include "common/predictive.hpp"
#include "common/step_rows.hpp"

namespace bench {

namespace {

//! One and four hidden layers of 128 units, timed in turn.
std::vector<Row> DepthRows(const Settings& settings)
{
  mlpack::RandomSeed(1);
  const Data<arma::fmat> data = MakeData<arma::fmat>(10000);
  std::vector<Candidate> all;
  for (const size_t depth : { 1, 4 })
  {
    StepGroup<arma::fmat> group(data, std::vector<size_t>(depth, 128),
        settings.threads, "depth: ");
    group.AddMeanField<symvi::AdamUpdate>("mfvi");
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "auto", 20);
    all.insert(all.end(), group.Candidates().begin(), group.Candidates().end());
  }
  return Compare(all, settings.quick ? 2.0 : 20.0);
}

} // namespace

std::vector<Row> GrowthRows(const Settings& settings)
{
  std::vector<Row> all = DepthRows(settings);
  const auto predictor = std::make_shared<Predictor>(4000);
  std::vector<Candidate> candidates;
  for (const auto& [draws, points] : { std::pair<size_t, size_t>(100, 1000),
           std::pair<size_t, size_t>(400, 1000),
           std::pair<size_t, size_t>(100, 4000) })
    candidates.push_back(
        predictor->Predictive(draws, points, settings.threads));
  const std::vector<Row> rows = Compare(candidates,
      settings.quick ? 1.5 : 10.0);
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

} // namespace bench
