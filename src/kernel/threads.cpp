/**
 * @file src/kernel/threads.cpp
 */
#include "kernel/blas_threads.hpp"
#include "kernel/thread_pool.hpp"
#include <symvi/kernel/threads.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__GNUC__) && defined(__ELF__)
  #define SYMVI_OPENMP_SWITCH
// OpenMP's own switch; null in a program that is not linked with it.
extern "C" void omp_set_num_threads(int) __attribute__((weak));
#endif

namespace symvi {

namespace {

//! The scopes that live, and what was set before the first of them.
struct Scopes
{
  std::mutex mutex;
  size_t count = 0;
  int blasThreads = 0;
  size_t poolThreads = 1;
};

Scopes& All()
{
  static Scopes scopes;
  return scopes;
}

void Use(const int blasThreads, const size_t poolThreads)
{
  kernel::ThreadPool::Instance().Resize(poolThreads);
  // Not where it is so already: OpenBLAS takes a lock.
  if (kernel::BlasThreads() != blasThreads)
    kernel::SetBlasThreads(blasThreads);
}

} // namespace

void SetThreads(const size_t n)
{
  RequirePositive("SetThreads", "the number of threads", n);
  kernel::ThreadPool::Instance().Resize(n);
  kernel::SetBlasThreads(int(n));
#if defined(SYMVI_OPENMP_SWITCH)
  if (omp_set_num_threads)
    omp_set_num_threads(int(n));
#endif
}

size_t Threads()
{
  return kernel::ThreadPool::Instance().Size();
}

size_t RecommendedThreads(const size_t inSize, const size_t outSize,
    const size_t batchSize)
{
  const double products = double(inSize) * double(outSize) * double(batchSize);
  const size_t processors = std::thread::hardware_concurrency();
  return (products < 1e7 || processors == 0) ? 1 : processors;
}

ThreadScope::ThreadScope(const size_t threads)
{
  Scopes& scopes = All();
  const std::lock_guard<std::mutex> guard(scopes.mutex);
  if (scopes.count++ > 0)
  {
    Use(1, 1);
    return;
  }
  scopes.blasThreads = kernel::BlasThreads();
  scopes.poolThreads = kernel::ThreadPool::Instance().Size();
  const size_t allowed = (scopes.blasThreads > 0) ?
      std::min(threads, size_t(scopes.blasThreads)) :
      threads;
  Use(int(allowed), allowed);
}

ThreadScope::~ThreadScope()
{
  Scopes& scopes = All();
  const std::lock_guard<std::mutex> guard(scopes.mutex);
  if (--scopes.count == 0)
    Use(scopes.blasThreads, scopes.poolThreads);
}

void kernel::InParallel(const size_t count, size_t threads,
    const std::function<void(size_t)>& run)
{
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<size_t> next{ 0 };
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&]()
  {
    for (size_t i = next++; i < count; i = next++)
    {
      try
      {
        run(i);
      }
      catch (...)
      {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure)
          failure = std::current_exception();
        next = count;
      }
    }
  };
  // The caller is one of them.
  std::vector<std::thread> workers;
  for (size_t i = 1; i < std::min(threads, count); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread& worker : workers)
    worker.join();
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace symvi
