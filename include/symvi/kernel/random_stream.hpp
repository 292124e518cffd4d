/**
 * @file symvi/kernel/random_stream.hpp
 *
 * A reproducible stream of random numbers.
 */
#ifndef SYMVI_KERNEL_RANDOM_STREAM_HPP
#define SYMVI_KERNEL_RANDOM_STREAM_HPP

#include <cstddef>
#include <cstdint>

namespace symvi {

/**
 * A counter-based generator, Threefry4x32-13 (Salmon, Moraes, Dror, Shaw:
 * "Parallel random numbers: as easy as 1, 2, 3", 2011): block number c of the
 * stream with key k is a fixed function of (k, c).  A stream is two integers:
 * copying it repeats it, Seek() jumps, and streams with different keys are
 * independent.
 *
 * The counter counts blocks of 128 bits.  Numbers take from the stream:
 *
 *  - NextBits(), NextUniform(): one block;
 *  - NextIndex(): one block, rarely two;
 *  - FillNormal<float>(): 16 blocks for every 64 numbers begun;
 *  - FillNormal<double>(): 16 blocks for every 32 numbers begun.
 *
 * The bits are the same on every machine.  Normal numbers are the same on one
 * machine; between processors they may differ in the last places.
 */
class RandomStream
{
 public:
  //! Start the stream with the given key at counter 0.
  explicit RandomStream(const uint64_t key = 0) : key(key), counter(0) { }

  //! The key, which identifies the stream.
  uint64_t Key() const { return key; }
  //! The number of the next block.
  uint64_t Counter() const { return counter; }
  //! Continue from the given block.
  void Seek(const uint64_t newCounter) { counter = newCounter; }

  /**
   * Fill an array with independent standard normal numbers, by the method of
   * Box and Muller.  float: made of 62 bits per pair, |z| <= 6.67, beyond which
   * the normal distribution has 2.7e-11.  double: made of 106 bits per pair,
   * |z| <= 8.58, beyond which it has 1e-17.
   *
   * @tparam eT float or double.
   * @param out Array of length n.
   * @param n How many numbers.
   */
  template<typename eT>
  void FillNormal(eT* out, size_t n);

  //! 64 random bits.
  uint64_t NextBits();

  //! A number in (0, 1): an odd multiple of 2^-53.
  double NextUniform();

  //! An index in 0 ... n - 1, each exactly as likely as the others; n > 0.
  size_t NextIndex(size_t n);

  //! Save or load the position in the stream.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(key, counter);
  }

 private:
  uint64_t key;
  uint64_t counter;
};

namespace kernel {

//! A well-mixed key from a seed, so that small seeds do not give streams that
//! are used elsewhere.
uint64_t KeyFromSeed(uint64_t seed);

} // namespace kernel
} // namespace symvi

#endif
