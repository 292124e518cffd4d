/**
 * @file prereqs.hpp
 *
 * The parts of mlpack that every symvi header needs, in an order that compiles.
 *
 * mlpack refuses to serialize an FFN unless every layer it knows is registered,
 * which takes minutes to compile.  symvi registers layers by itself (see
 * model/layer_codec.hpp), so that refusal is switched off here.
 */
#ifndef SYMVI_PREREQS_HPP
#define SYMVI_PREREQS_HPP

#ifndef MLPACK_ANN_IGNORE_SERIALIZATION_WARNING
  #define MLPACK_ANN_IGNORE_SERIALIZATION_WARNING
#endif

// mlpack reads images with a header that forbids fused multiply-adds in all
// code after it, symvi's kernels included, unless told not to.
#ifndef STBIR_DONT_CHANGE_FP_CONTRACT
  #define STBIR_DONT_CHANGE_FP_CONTRACT
#endif

#include <mlpack/core.hpp>
#include <mlpack/methods/ann/ann.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace symvi {

//! A 64-bit key from mlpack's generator, so that mlpack::RandomSeed() fixes a
//! run bit for bit.
inline uint64_t RandomKey()
{
  const uint64_t high = mlpack::RandGen()();
  const uint64_t low = mlpack::RandGen()();
  return (high << 32) | (low & 0xffffffffu);
}

} // namespace symvi

#endif
