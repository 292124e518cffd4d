/**
 * @file symvi/kernel/threads.hpp
 *
 * How many threads symvi and the matrix products use, independent runs side by
 * side, and the floating-point mode of a thread.
 */
#ifndef SYMVI_KERNEL_THREADS_HPP
#define SYMVI_KERNEL_THREADS_HPP

#include <cstddef>
#include <functional>

// The built-in functions of the compiler: <xmmintrin.h> is a long header.
#if defined(__GNUC__) && defined(__SSE2__)
  #define SYMVI_FLOATING_POINT_MODE
#endif

namespace symvi {

/**
 * Use n threads for large shapes: symvi's own ones in the passes over the
 * weights and the matrix products of symvi's layers, and those of OpenBLAS and
 * OpenMP elsewhere.  Call it from one thread, while no training runs.  Results
 * of symvi's passes do not depend on n; the last digits of matrix products may.
 *
 * One thread is the default of symvi's passes.  OpenBLAS uses all processors
 * unless told otherwise, which slows networks of a few dozen units down:
 * programs do well to call SetThreads(RecommendedThreads(...)).
 *
 * @param n Number of threads, > 0.
 */
void SetThreads(size_t n);

//! The number of threads of symvi's own passes.
size_t Threads();

/**
 * A sensible number of threads for training a network: one below about ten
 * million multiplications per layer and step, where starting a thread costs
 * more than it saves; else the processors there are.
 *
 * @param inSize Inputs of the largest layer.
 * @param outSize Its units.
 * @param batchSize Points in a batch.
 */
size_t RecommendedThreads(size_t inSize, size_t outSize, size_t batchSize);

/**
 * While it lives, symvi and OpenBLAS use up to the given number of threads, and
 * never more than OpenBLAS was allowed before.  Where several live at once, in
 * threads of the caller's own, each computes in its own thread alone.  The last
 * one to end restores what was set before the first.
 *
 * SetThreads() decides for a whole program; this is for a library inside one.
 */
class ThreadScope
{
 public:
  //! @param threads Threads that the work can use, > 0.
  explicit ThreadScope(size_t threads);
  ~ThreadScope();

  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;
};

namespace kernel {

/**
 * Call run(0) ... run(count - 1) in up to `threads` threads, 0 for one per
 * processor; the first exception is thrown again once all threads have
 * stopped.
 */
void InParallel(size_t count, size_t threads,
    const std::function<void(size_t)>& run);

//! The floating-point mode of the caller's thread; 0 where it is unknown.
inline unsigned int FloatingPointMode()
{
#if defined(SYMVI_FLOATING_POINT_MODE)
  return __builtin_ia32_stmxcsr();
#else
  return 0;
#endif
}

//! Set the mode that another thread's FloatingPointMode() returned.
inline void SetFloatingPointMode(const unsigned int mode)
{
#if defined(SYMVI_FLOATING_POINT_MODE)
  __builtin_ia32_ldmxcsr(mode);
#else
  (void) mode;
#endif
}

/**
 * From its construction to the end of its scope, the caller's thread (and
 * threads of the pool that work for it) treats denormals as zero (FTZ and DAZ).
 * Does nothing on processors other than x86.
 *
 * Means of weights to inputs that are always zero are pulled to the prior's
 * mean, 0, by the KL divergence alone: they shrink by a constant factor per
 * step and become denormal (below 1.2e-38 in float, 2.2e-308 in double) after
 * some hundreds or thousands of steps, and Adam's moments follow.  Many
 * processors take a hundred cycles for an operation on such a number: training
 * steps on images with a dark border were seen to take three to four times as
 * long.
 */
class FlushDenormals
{
 public:
  FlushDenormals() : before(FloatingPointMode())
  {
    // Bit 15 flushes results to zero, bit 6 reads operands as zero.
    SetFloatingPointMode(before | 0x8040u);
  }
  ~FlushDenormals() { SetFloatingPointMode(before); }

  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  const unsigned int before;
};

} // namespace kernel
} // namespace symvi

#endif
