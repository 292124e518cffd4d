/**
 * @file symvi/model/selection_impl.hpp
 *
 * Implementation of ModelSelection.
 */
#ifndef SYMVI_MODEL_SELECTION_IMPL_HPP
#define SYMVI_MODEL_SELECTION_IMPL_HPP

#include "selection.hpp"

#include <symvi/kernel/in_parallel.hpp>

#include <algorithm>

namespace symvi {
inline double SelectionResult::Lower(const double deviations) const
{
  return report.symmetrizedElboLower - deviations *
      report.symmetrizedElboStandardError;
}

inline double SelectionResult::Upper(const double deviations) const
{
  return report.symmetrizedElboUpper + deviations *
      report.symmetrizedElboStandardError;
}

template<typename ModelType>
void ModelSelection<ModelType>::Add(std::string name, Builder builder)
{
  if (!builder)
  {
    throw std::invalid_argument("ModelSelection::Add(): the builder of '" +
        name + "' must be callable, but is empty.");
  }
  candidates.push_back({ std::move(name), std::move(builder) });
}

template<typename ModelType>
template<typename OptimizerType>
std::vector<SelectionResult> ModelSelection<ModelType>::Run(
    const MatType& predictors,
    const MatType& responses,
    const OptimizerType& optimizer)
{
  if (candidates.empty() || restarts == 0)
  {
    throw std::invalid_argument("ModelSelection::Run(): there must be "
        "candidates and restarts, but there are " +
        std::to_string(candidates.size()) + " and " + std::to_string(restarts) +
        ".");
  }

  const size_t count = candidates.size() * restarts;
  std::vector<std::unique_ptr<ModelType>> trained(count);
  std::vector<ElboReport> reports(count);
  kernel::InParallel(count, threads, [&](const size_t i)
  {
    SeedThisThread(seed + i % restarts);
    trained[i] = std::make_unique<ModelType>(
        candidates[i / restarts].builder());
    OptimizerType copy(optimizer);
    trained[i]->Train(predictors, responses, copy);
    reports[i] = trained[i]->Elbo(predictors, responses, elboSamples);
  });

  models.clear();
  std::vector<SelectionResult> results(candidates.size());
  for (size_t c = 0; c < candidates.size(); ++c)
  {
    SelectionResult& result = results[c];
    size_t best = c * restarts;
    for (size_t i = c * restarts; i < (c + 1) * restarts; ++i)
    {
      result.restarts.push_back(reports[i].symmetrizedElbo);
      if (reports[i].symmetrizedElbo > reports[best].symmetrizedElbo)
        best = i;
    }
    result.name = candidates[c].name;
    result.index = c;
    result.seed = seed + best % restarts;
    result.report = reports[best];
    models.push_back(std::move(trained[best]));
  }
  std::stable_sort(results.begin(), results.end(),
      [](const SelectionResult& a, const SelectionResult& b)
      { return a.report.symmetrizedElbo > b.report.symmetrizedElbo; });
  return results;
}

} // namespace symvi

#endif
