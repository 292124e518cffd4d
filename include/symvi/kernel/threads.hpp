/**
 * @file symvi/kernel/threads.hpp
 *
 * How many threads symvi and the matrix products use.
 */
#ifndef SYMVI_KERNEL_THREADS_HPP
#define SYMVI_KERNEL_THREADS_HPP

#include <cstddef>

namespace symvi {

/**
 * Use n threads for large shapes: in the passes over the weights and the matrix
 * products of symvi's layers, which symvi's own threads share, in what else
 * calls OpenBLAS, and in OpenMP loops.  Call it from one thread, while no
 * training runs.  Results of symvi's passes do not depend on n; those of matrix
 * products may in the last place.
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

} // namespace symvi

#endif
