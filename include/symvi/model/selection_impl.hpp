/**
 * @file symvi/model/selection_impl.hpp
 *
 * Implementation of ModelSelection.
 */
#ifndef SYMVI_MODEL_SELECTION_IMPL_HPP
#define SYMVI_MODEL_SELECTION_IMPL_HPP

#include "selection.hpp"

#include <symvi/io/container.hpp>
#include <symvi/kernel/in_parallel.hpp>

#include <filesystem>
#include <numeric>
#include <sstream>
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
std::string ModelSelection<ModelType>::Description(const MatType& predictors,
    const MatType& responses) const
{
  std::string text = "criterion " + std::to_string(int(criterion)) +
      ", ELBO samples " + std::to_string(elboSamples) + ", data";
  for (const MatType* values :
      { &predictors, &responses, &heldOutPredictors, &heldOutResponses })
    text += " " + std::to_string(values->n_rows) + " x " +
        std::to_string(values->n_cols) + " " +
        std::to_string(io::Checksum(
            std::string(reinterpret_cast<const char*>(values->memptr()),
                values->n_elem * sizeof(typename MatType::elem_type))));
  return text;
}

template<typename ModelType>
std::string ModelSelection<ModelType>::Write(const ModelType& model)
{
  std::ostringstream stream;
  cereal::BinaryOutputArchive ar(stream);
  ar(cereal::make_nvp("model", model));
  return stream.str();
}

template<typename ModelType>
std::unique_ptr<ModelType> ModelSelection<ModelType>::Read(
    const std::string& bytes)
{
  auto model = std::make_unique<ModelType>();
  std::istringstream stream(bytes);
  cereal::BinaryInputArchive ar(stream);
  ar(cereal::make_nvp("model", *model));
  return model;
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
  const std::string task = Description(predictors, responses);
  const auto description = [&](const size_t i)
  {
    return "candidate '" + candidates[i / restarts].name + "', seed " +
        std::to_string(seed + i % restarts) + ", " + task;
  };
  const auto file = [&](const size_t i)
  {
    return checkpointFolder + "/run." + std::to_string(i / restarts) + "." +
        std::to_string(seed + i % restarts);
  };
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += description(i) + "; ";
  ranks->RequireSame("candidates, settings and data", all);

  // Runs as bytes: those that an earlier job or another rank has done.
  std::vector<std::string> bytes(count);
  ranks->Agree(
      [&]
      {
    if (checkpointFolder.empty() || !ranks->IsRoot())
      return;
    std::filesystem::create_directories(checkpointFolder);
    for (size_t i = 0; i < count; ++i)
    {
      if (!std::filesystem::exists(file(i)))
        continue;
      bytes[i] = io::LoadContainer(file(i), "selection");
      model::ReadRun(bytes[i], file(i), description(i), runs[i]);
    }
  });
  const auto isDone = [&](const size_t i) { return !bytes[i].empty(); };
  const auto keep = [&](const size_t i, std::string result)
  {
    if (!checkpointFolder.empty())
      io::SaveContainer(file(i), "selection", result);
    bytes[i] = std::move(result);
  };
  const auto write = [&](const size_t i)
  { return model::WriteRun(runs[i], description(i), Write(*trained[i])); };

  const auto train = [&](const size_t i)
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
  };
  if (ranks->Size() > 1)
  {
    ranks->Share(
        count,
        [&](const size_t i)
        {
      train(i);
      return write(i);
        },
        keep, isDone);
  }
  else
  {
    kernel::InParallel(count, threads,
        [&](const size_t i)
        {
      if (isDone(i))
        return;
      train(i);
      if (!checkpointFolder.empty())
        keep(i, write(i));
    });
  }
  for (size_t i = 0; i < count; ++i)
  {
    ranks->Broadcast(bytes[i]);
    if (!bytes[i].empty())
      trained[i] = Read(
          model::ReadRun(bytes[i], file(i), description(i), runs[i]));
  }

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
