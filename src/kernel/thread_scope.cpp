/**
 * @file thread_scope.cpp
 */
#include <symvi/kernel/blas_threads.hpp>
#include <symvi/kernel/thread_pool.hpp>
#include <symvi/kernel/thread_scope.hpp>

#include <algorithm>
#include <mutex>

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
      std::min(threads, size_t(scopes.blasThreads)) : threads;
  Use(int(allowed), allowed);
}

ThreadScope::~ThreadScope()
{
  Scopes& scopes = All();
  const std::lock_guard<std::mutex> guard(scopes.mutex);
  if (--scopes.count == 0)
    Use(scopes.blasThreads, scopes.poolThreads);
}

} // namespace symvi
