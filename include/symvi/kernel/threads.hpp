/**
 * @file symvi/kernel/threads.hpp
 *
 * How many threads symvi and the matrix products use.
 */
#ifndef SYMVI_KERNEL_THREADS_HPP
#define SYMVI_KERNEL_THREADS_HPP

#include <cstddef>
#include <stdexcept>
#include <thread>

#include "blas_threads.hpp"
#include "thread_pool.hpp"

#if defined(_OPENMP)
  #include <omp.h>
#endif

namespace symvi {

/**
 * Use n threads for large shapes: in the passes over the weights and the matrix
 * products of symvi's layers, which symvi's own threads share, in what else
 * calls OpenBLAS, and in OpenMP loops.  Call it from one thread, while no
 * training runs.  Results of symvi's passes do not depend on n; those of matrix
 * products may in the last place.
 *
 * One thread is the default of symvi's passes.  OpenBLAS takes all processors
 * unless told otherwise, which slows networks of a few dozen units down:
 * programs do well to call SetThreads(RecommendedThreads(...)).
 *
 * @param n Number of threads, > 0.
 */
inline void SetThreads(const size_t n)
{
  if (n == 0)
    throw std::invalid_argument("SetThreads(): the number of threads must be "
        "positive, but is 0.");
  kernel::ThreadPool::Instance().Resize(n);
  kernel::SetBlasThreads(int(n));
#if defined(_OPENMP)
  omp_set_num_threads(int(n));
#endif
}

//! The number of threads of symvi's own passes.
inline size_t Threads()
{
  return kernel::ThreadPool::Instance().Size();
}

/**
 * A sensible number of threads for training a network: one below about ten
 * million multiplications a layer and step, where starting a thread costs more
 * than it saves; else the processors there are.
 *
 * @param inSize Inputs of the largest layer.
 * @param outSize Its units.
 * @param batchSize Points in a batch.
 */
inline size_t RecommendedThreads(const size_t inSize, const size_t outSize,
                                 const size_t batchSize)
{
  const double products = double(inSize) * double(outSize) * double(batchSize);
  const size_t processors = std::thread::hardware_concurrency();
  return (products < 1e7 || processors == 0) ? 1 : processors;
}

} // namespace symvi

#endif
