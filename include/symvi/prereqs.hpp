/**
 * @file symvi/prereqs.hpp
 *
 * The parts of mlpack and of the standard library that every header needs.
 */
#ifndef SYMVI_PREREQS_HPP
#define SYMVI_PREREQS_HPP

#include <symvi/network/mlpack_version.hpp>

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

//! Seed mlpack's and Armadillo's generators of this thread.
//! mlpack::RandomSeed() adds a number that depends on the order in which
//! threads were started.
inline void SeedThisThread(const uint64_t seed)
{
  mlpack::RandGen().seed(uint32_t(seed));
  arma::arma_rng::set_seed(arma::arma_rng::seed_type(seed));
}

} // namespace symvi

#endif
