/**
 * @file src/train/checkpoint.cpp
 */
#include "train/checkpoint.hpp"

#include <symvi/io/file.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace symvi {

void WriteHistory(const std::vector<EpochRecord>& history,
    io::BinaryWriter& writer)
{
  writer.Integer(history.size());
  for (const EpochRecord& record : history)
  {
    for (const double value : { record.elbo, record.logLikelihood, record.kl,
             record.information, record.validation })
      writer.Real(value);
  }
}

std::vector<EpochRecord> ReadHistory(io::BinaryReader& reader)
{
  std::vector<EpochRecord> history(reader.Count(40));
  for (size_t i = 0; i < history.size(); ++i)
  {
    EpochRecord& record = history[i];
    record.epoch = i + 1;
    for (double* value : { &record.elbo, &record.logLikelihood, &record.kl,
             &record.information, &record.validation })
      *value = reader.Real();
  }
  return history;
}

void WriteCheckpoint(const std::string& path, const TrainState& state,
    const std::string& description)
{
  io::BinaryWriter writer;
  writer.Text(description);
  writer.Integer(state.seed);
  writer.Integer(state.steps);
  writer.Reals(state.parameters);
  writer.Reals(state.firstMoment);
  writer.Reals(state.secondMoment);
  WriteHistory(state.history, writer);
  writer.Integer(state.bestEpoch);
  writer.Reals(state.bestParameters);
  io::SaveContainer(path, "checkpoint", writer.Bytes());
}

TrainState ReadCheckpoint(const std::string& path, std::string& description)
{
  return ParseCheckpoint(io::LoadContainer(path, "checkpoint"), path,
      description);
}

TrainState ParseCheckpoint(std::string content, const std::string& path,
    std::string& description)
{
  io::BinaryReader reader(std::move(content));
  TrainState state;
  try
  {
    description = reader.Text();
    state.seed = reader.Integer();
    state.steps = reader.Integer();
    state.parameters = reader.Reals();
    state.firstMoment = reader.Reals();
    state.secondMoment = reader.Reals();
    state.history = ReadHistory(reader);
    state.bestEpoch = reader.Integer();
    state.bestParameters = reader.Reals();
    reader.RequireEnd();
    const size_t n = state.parameters.size();
    if (state.firstMoment.size() != n || state.secondMoment.size() != n ||
        state.bestParameters.size() != (state.bestEpoch == 0 ? 0 : n) ||
        state.bestEpoch > state.Epoch() || state.steps < state.Epoch())
      throw std::invalid_argument("its parts do not fit together");
    for (const std::vector<double>* part : { &state.parameters,
             &state.firstMoment, &state.secondMoment, &state.bestParameters })
    {
      if (!std::all_of(part->begin(), part->end(),
              [](const double value) { return std::isfinite(value); }))
        throw std::invalid_argument("a number is not finite");
    }
  }
  catch (const std::invalid_argument& e)
  {
    RefuseFile(path,
        std::string("is not a whole symvi checkpoint file (") + e.what() + ")");
  }
  return state;
}

void RequireSameRun(const std::string& path, const std::string& theirs,
    const std::string& ours)
{
  if (theirs == ours)
    return;
  std::istringstream left(theirs), right(ours);
  std::string a, b;
  while (std::getline(left, a) && std::getline(right, b) && a == b)
  { }
  RefuseFile(path,
      "belongs to another run: '" + a + "' there, but '" + b + "' here");
}

} // namespace symvi
