/**
 * @file inputs.hpp
 *
 * Input files and settings that programs share.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_INPUTS_HPP
#define SYMVI_BINDINGS_PROGRAMS_INPUTS_HPP

#include <symvi/model/ensemble.hpp>

#include <string>
#include <vector>

#include "options/arguments.hpp"

namespace symvi {
namespace cli {

//! Which task the options ask for; throws UsageError if they contradict.
std::string TaskOf(const Arguments& arguments);

//! Whether a file is one of many, "part-%r.csv", of which each rank reads that
//! of its number.
bool IsNamedByRank(const std::string& path);

//! Load points and targets for training.
io::Dataset LoadTraining(const Arguments& arguments, bool classification,
    size_t rank = 0);

/**
 * Load the points of a file option for a model; a target column in the file is
 * set apart.
 *
 * @param targetFile File of their targets; may be empty.
 * @param targets Whether targets are needed.
 */
io::Dataset LoadPoints(const Arguments& arguments, const std::string& option,
    const Pipeline& model, const std::string& targetFile, bool targets);

//! The same for --test_file.
io::Dataset LoadTest(const Arguments& arguments, const Pipeline& model,
    const std::string& targetFile, bool targets);

//! The value of a file option that only one task has; throws UsageError if the
//! option of the other task was given.
std::string TargetFile(const Arguments& arguments, bool classification,
    const std::string& labels, const std::string& responses);

//! Draws, interval and seed of predictions: --seed, or the model's own.
PredictOptions PredictOptionsOf(const Arguments& arguments,
    const Ensemble& model);

//! --threads, or as many as the network is likely to profit from.
void UseThreads(const Arguments& arguments, const NetworkSpec& spec,
    size_t batchSize);

//! The parts of a text between commas.
std::vector<std::string> SplitList(const std::string& text);

//! Widths of layers, such as "30,20"; none for "0".  Throws UsageError, which
//! says what they must be.
std::vector<uint64_t> WidthsOf(const Arguments& arguments,
    const std::string& option, const std::string& requirement);

//! --noise as a number; 0 if it is one of `words`.
double NoiseOf(const Arguments& arguments,
    const std::vector<std::string>& words);

} // namespace cli
} // namespace symvi

#endif
