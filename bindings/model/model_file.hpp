/**
 * @file model_file.hpp
 *
 * Models on disk.
 */
#ifndef SYMVI_BINDINGS_MODEL_MODEL_FILE_HPP
#define SYMVI_BINDINGS_MODEL_MODEL_FILE_HPP

#include <ostream>
#include <string>

#include "spec.hpp"

namespace symvi {
namespace cli {

/**
 * Write a model; the extension of `path` gives the format: .json, .xml, or
 * binary for any other.
 */
void WriteModel(std::ostream& stream,
                const std::string& path,
                const Model& model);

//! Read a model; std::invalid_argument names the file and what is wrong.
Model ReadModel(const std::string& path);

//! Throws std::invalid_argument unless the parts of a model fit together.
void CheckModel(const Model& model);

} // namespace cli
} // namespace symvi

#endif
