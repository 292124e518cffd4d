/**
 * @file src/train/checkpoint.hpp
 *
 * The state of a training run, on disk.
 */
#ifndef SYMVI_SRC_TRAIN_CHECKPOINT_HPP
#define SYMVI_SRC_TRAIN_CHECKPOINT_HPP

#include <symvi/train/fit_options.hpp>

#include <string>
#include <vector>

#include "io/binary_file.hpp"

namespace symvi {

/**
 * All that the next epoch depends on, besides data and options.  Numbers of a
 * float model are stored as doubles, which is exact.
 */
struct TrainState
{
  uint64_t seed = 0;
  uint64_t steps = 0;
  std::vector<double> parameters;
  std::vector<double> firstMoment, secondMoment;
  //! One record per complete epoch.
  std::vector<EpochRecord> history;
  // The best epoch so far on held-out points.
  uint64_t bestEpoch = 0;
  std::vector<double> bestParameters;

  uint64_t Epoch() const { return history.size(); }
};

//! Write the history, or read it back.
void WriteHistory(const std::vector<EpochRecord>& history,
    io::BinaryWriter& writer);
std::vector<EpochRecord> ReadHistory(io::BinaryReader& reader);

//! Write a checkpoint: the state, and a text that tells its run from others.
void WriteCheckpoint(const std::string& path, const TrainState& state,
    const std::string& description);

//! Throws std::invalid_argument if the file is missing, damaged or foreign.
TrainState ReadCheckpoint(const std::string& path, std::string& description);
//! The same from its content; the path is for errors.
TrainState ParseCheckpoint(std::string content, const std::string& path,
    std::string& description);

//! Throws std::invalid_argument, naming the first line that differs.
void RequireSameRun(const std::string& path, const std::string& theirs,
    const std::string& ours);

} // namespace symvi

#endif
