/**
 * @file symvi/model/selection_impl.hpp
 *
 * Implementation of ModelSelection.
 */
#ifndef SYMVI_MODEL_SELECTION_IMPL_HPP
#define SYMVI_MODEL_SELECTION_IMPL_HPP

#include "selection.hpp"

#include <symvi/kernel/in_parallel.hpp>

#include <numeric>
#include <stdexcept>

namespace symvi {

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
    const MatType& predictors, const MatType& responses,
    const OptimizerType& optimizer)
{
  if (candidates.empty() || restarts == 0)
  {
    throw std::invalid_argument("ModelSelection::Run(): there must be "
                                "candidates and restarts, but there are " +
        std::to_string(candidates.size()) + " and " + std::to_string(restarts) +
        ".");
  }
  if (criterion == SelectionCriterion::HeldOut && heldOutPredictors.is_empty())
  {
    throw std::logic_error("ModelSelection::Run(): the criterion HeldOut needs "
                           "held-out points; call HoldOut() first.");
  }

  const size_t count = candidates.size() * restarts;
  std::vector<std::unique_ptr<ModelType>> trained(count);
  std::vector<SelectionResult> runs(count);
  kernel::InParallel(count, threads,
      [&](const size_t i)
      {
    SeedThisThread(seed + i % restarts);
    trained[i] = std::make_unique<ModelType>(
        candidates[i / restarts].builder());
    OptimizerType copy(optimizer);
    trained[i]->Train(predictors, responses, copy);
    SelectionResult& run = runs[i];
    run.criterion = criterion;
    run.name = candidates[i / restarts].name;
    run.index = i / restarts;
    run.seed = seed + i % restarts;
    run.report = trained[i]->Elbo(predictors, responses, elboSamples);
    run.score = (criterion == SelectionCriterion::Evidence) ?
        run.report.evidence.bound :
        run.report.symmetrizedElbo;
    if (!heldOutPredictors.is_empty())
    {
      const auto logDensity = trained[i]->LogDensity(heldOutPredictors,
          heldOutResponses);
      run.heldOut.assign(logDensity.begin(), logDensity.end());
      if (criterion == SelectionCriterion::HeldOut)
        run.score = std::accumulate(run.heldOut.begin(), run.heldOut.end(),
            0.0);
    }
  });

  models.clear();
  std::vector<SelectionResult> results;
  for (size_t c = 0; c < candidates.size(); ++c)
  {
    std::vector<double> scores;
    size_t best = c * restarts;
    for (size_t i = c * restarts; i < (c + 1) * restarts; ++i)
    {
      scores.push_back(runs[i].score);
      if (runs[i].score > runs[best].score)
        best = i;
    }
    results.push_back(std::move(runs[best]));
    results.back().restarts = std::move(scores);
    models.push_back(std::move(trained[best]));
  }
  RankCandidates(results);
  return results;
}

} // namespace symvi

#endif
