/**
 * @file symvi/model/selection.hpp
 *
 * Model selection: fit several architectures or priors and rank them by their
 * evidence or by held-out points.
 */
#ifndef SYMVI_MODEL_SELECTION_HPP
#define SYMVI_MODEL_SELECTION_HPP

#include <symvi/io/file.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/require.hpp>
#include <symvi/kernel/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {

//! What candidates are ranked by.
enum class SelectionCriterion
{
  //! L^G on the training points.
  SymmetrizedElbo,
  //! The importance-weighted bound on the training points.
  Evidence,
  //! sum_i log p(y_i | x_i, D) of held-out points.
  HeldOut
};

//! One trained candidate and the bounds it reached; the best restart counts.
struct SelectionResult
{
  //! What `score` is.
  SelectionCriterion criterion = SelectionCriterion::SymmetrizedElbo;
  //! Name and position of the candidate, and the seed of its best restart.
  std::string name;
  size_t index = 0;
  uint64_t seed = 0;
  //! The bounds of the best restart on the training data.
  ElboReport report;
  //! log p(y_i | x_i, D) of every held-out point, if there are any.
  std::vector<double> heldOut;
  //! The criterion of the best restart, in nats; the larger, the better.
  double score = 0.0;
  //! The criterion of every restart, in the order of their seeds.
  std::vector<double> restarts;
  //! Whether it is uncertain, given the error, that the first candidate is
  //! better than this one; true for the first one itself.
  bool tied = false;

  /**
   * An interval for the criterion in nats.
   *  - L^G: the bounds [L_K, U_K] of I(g; w), widened by `deviations`
   *    Monte-Carlo standard errors.
   *  - Evidence: the bound and `deviations` standard errors.  If its k is not
   *    good there is no upper end, and the lower one is 3 nats below the bound,
   *    which exceeds log p(Y | X) by more with a probability of exp(-3) at
   *    most.
   *  - Held-out points: `deviations` standard errors of the sum over them.  Two
   *    candidates see the same points, so that `tied` goes by the standard
   *    error of the difference instead.
   */
  double Lower(const double deviations = 2.0) const;
  double Upper(const double deviations = 2.0) const;
};

/**
 * Sort by decreasing score and set `tied`: for held-out points, whether the
 * difference to the first candidate is within `deviations` standard errors of
 * the paired differences; otherwise, whether the intervals overlap.
 */
void RankCandidates(std::vector<SelectionResult>& results,
    const double deviations = 2.0);

namespace model {

//! A run of a selection as bytes, with a description that identifies it.
std::string WriteRun(const SelectionResult& run, const std::string& description,
    const std::string& network);

/**
 * Read it back; returns the bytes of the network.  A run with another
 * description is a std::invalid_argument that begins with the name.
 */
std::string ReadRun(const std::string& bytes, const std::string& name,
    const std::string& description, SelectionResult& run);

} // namespace model

/**
 * Fits candidates and ranks them by L^G (or another criterion), best first.
 *
 * The evidence p(Y | X) is the same for every labelling of the hidden units,
 * and a plain ELBO counts one labelling only: it misses up to log d! nats for a
 * layer of d units, more for wide layers than for narrow ones, and so favours
 * narrow layers.  L^G = L + I(g; w) adds what is missing, and its values can be
 * compared between architectures and priors [Gelberg2024, Thm. 4.1].
 *
 *   ModelSelection<> selection;
 *   for (size_t units : { 5, 10, 20 })
 *     selection.Add(std::to_string(units), [=]() { ... return model; });
 *   for (const SelectionResult& r : selection.Run(X, y, optimizer))
 *     std::cout << r.name << ' ' << r.report.symmetrizedElbo << '\n';
 *
 * Every run has its own seed, so that the result does not depend on the number
 * of threads.  A candidate is built, trained and evaluated in one thread; let
 * the BLAS use one thread too.
 *
 * @tparam ModelType A BayesianFFN.
 */
template<typename ModelType = BayesianFFN<>>
class ModelSelection
{
 public:
  using MatType =
      std::decay_t<decltype(std::declval<ModelType&>().Parameters())>;

  //! Makes an untrained model; called in the thread that trains it.
  using Builder = std::function<ModelType()>;

  //! Add a candidate.
  void Add(std::string name, Builder builder);

  size_t NumCandidates() const { return candidates.size(); }

  //! Trainings of each candidate, from different seeds (default 1).
  size_t Restarts() const { return restarts; }
  size_t& Restarts() { return restarts; }

  //! Runs at a time; 0 (the default) means one per core.
  size_t Threads() const { return threads; }
  size_t& Threads() { return threads; }

  //! The first seed; restart r of every candidate uses Seed() + r.
  uint64_t Seed() const { return seed; }
  uint64_t& Seed() { return seed; }

  //! Draws of w for the report of a candidate (default 200); the criterion
  //! Evidence wants 1000 or more.
  size_t ElboSamples() const { return elboSamples; }
  size_t& ElboSamples() { return elboSamples; }

  //! What to rank by (default SymmetrizedElbo).
  SelectionCriterion Criterion() const { return criterion; }
  SelectionCriterion& Criterion() { return criterion; }

  //! Points that no candidate is trained on, for the criterion HeldOut.
  void HoldOut(MatType predictors, MatType responses)
  {
    heldOutPredictors = std::move(predictors);
    heldOutResponses = std::move(responses);
  }

  /**
   * Distribute the runs over processes (docs/mpi.md), each of which calls Run()
   * with the same candidates, settings and data, and gets all results and
   * models.  Every process then does one run at a time.
   */
  void Over(Communicator& value) { ranks = &value; }

  /**
   * A folder in which every completed run is saved, so that an interrupted
   * selection can continue; empty (default) for none.  A run is identified by
   * the name and position of its candidate, seed, data and settings, but
   * neither by what the builder builds nor by the optimizer: if these change,
   * use another folder.
   */
  const std::string& CheckpointFolder() const { return checkpointFolder; }
  std::string& CheckpointFolder() { return checkpointFolder; }

  /**
   * Train and rank.
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param optimizer An ensmallen optimizer; each run uses a copy of it.
   * @return The candidates, best first.
   * @throws std::logic_error if the criterion is HeldOut without HoldOut().
   */
  template<typename OptimizerType>
  std::vector<SelectionResult> Run(const MatType& predictors,
      const MatType& responses, const OptimizerType& optimizer);

  //! The best trained model of candidate `index`, as Add() counted them.
  ModelType& Model(const size_t index) { return *models.at(index); }

 private:
  struct Candidate
  {
    std::string name;
    Builder builder;
  };

  //! Identifies the runs of this selection.
  std::string Description(const MatType& predictors,
      const MatType& responses) const;
  //! Run number i: restart i % Restarts() of candidate i / Restarts().
  template<typename OptimizerType>
  SelectionResult TrainOne(const size_t i, const MatType& predictors,
      const MatType& responses, OptimizerType optimizer,
      std::unique_ptr<ModelType>& trained) const;
  //! The best restart of every candidate, ranked; keeps their models.
  std::vector<SelectionResult> KeepBest(std::vector<SelectionResult> runs,
      std::vector<std::unique_ptr<ModelType>> trained);
  //! A model as bytes, and back.
  static std::string Write(const ModelType& model);
  static std::unique_ptr<ModelType> Read(const std::string& bytes);

  std::vector<Candidate> candidates;
  std::vector<std::unique_ptr<ModelType>> models;
  size_t restarts = 1;
  size_t threads = 0;
  Communicator* ranks = &Communicator::Alone();
  std::string checkpointFolder;
  uint64_t seed = 1;
  size_t elboSamples = 200;
  SelectionCriterion criterion = SelectionCriterion::SymmetrizedElbo;
  MatType heldOutPredictors, heldOutResponses;
};

template<typename ModelType>
void ModelSelection<ModelType>::Add(std::string name, Builder builder)
{
  if (!builder)
    Refuse("ModelSelection::Add",
        "the builder of '" + name + "' must be callable", "is empty");
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
SelectionResult ModelSelection<ModelType>::TrainOne(const size_t i,
    const MatType& predictors, const MatType& responses,
    OptimizerType optimizer, std::unique_ptr<ModelType>& trained) const
{
  const Candidate& candidate = candidates[i / restarts];
  SelectionResult run;
  run.criterion = criterion;
  run.name = candidate.name;
  run.index = i / restarts;
  run.seed = seed + i % restarts;
  SeedThisThread(run.seed);
  trained = std::make_unique<ModelType>(candidate.builder());
  trained->Train(predictors, responses, optimizer);
  run.report = trained->Elbo(predictors, responses, elboSamples);
  run.score = (criterion == SelectionCriterion::Evidence) ?
      run.report.evidence.bound :
      run.report.symmetrizedElbo;
  if (!heldOutPredictors.is_empty())
  {
    const auto logDensity = trained->LogDensity(heldOutPredictors,
        heldOutResponses);
    run.heldOut.assign(logDensity.begin(), logDensity.end());
    if (criterion == SelectionCriterion::HeldOut)
      run.score = std::accumulate(run.heldOut.begin(), run.heldOut.end(), 0.0);
  }
  return run;
}

template<typename ModelType>
std::vector<SelectionResult> ModelSelection<ModelType>::KeepBest(
    std::vector<SelectionResult> runs,
    std::vector<std::unique_ptr<ModelType>> trained)
{
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

template<typename ModelType>
template<typename OptimizerType>
std::vector<SelectionResult> ModelSelection<ModelType>::Run(
    const MatType& predictors, const MatType& responses,
    const OptimizerType& optimizer)
{
  if (candidates.empty() || restarts == 0)
    Refuse("ModelSelection::Run", "there must be candidates and restarts",
        "there are " + std::to_string(candidates.size()) + " and " +
            std::to_string(restarts));
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
  { runs[i] = TrainOne(i, predictors, responses, optimizer, trained[i]); };
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

  return KeepBest(std::move(runs), std::move(trained));
}

} // namespace symvi

#endif
