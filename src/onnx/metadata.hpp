/**
 * @file src/onnx/metadata.hpp
 *
 * Words of the metadata that symvi writes into its models.
 */
#ifndef SYMVI_SRC_ONNX_METADATA_HPP
#define SYMVI_SRC_ONNX_METADATA_HPP

#include "onnx/metadata_keys.hpp"

#include <symvi/onnx/network_description.hpp>

#include <stdexcept>
#include <string>

namespace symvi {
namespace onnx {
//! The words in the order of the enumerations.
constexpr const char* outputNames[] = { "raw", "softmax", "log_softmax",
  "bernoulli", "gaussian" };
constexpr const char* noiseNames[] = { "none", "fixed", "homoscedastic",
  "heteroscedastic" };

inline const char* OutputName(const OutputKind output)
{
  return outputNames[size_t(output)];
}

inline const char* NoiseName(const NoiseKind noise)
{
  return noiseNames[size_t(noise)];
}

//! Index of a word in a list; std::invalid_argument where it is not there.
template<size_t n>
size_t FindWord(const char* const (&words)[n], const std::string& word)
{
  for (size_t i = 0; i < n; ++i)
    if (word == words[i])
      return i;
  throw std::invalid_argument("'" + word + "' is not among the words known");
}

} // namespace onnx
} // namespace symvi

#endif
