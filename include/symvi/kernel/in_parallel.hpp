/**
 * @file symvi/kernel/in_parallel.hpp
 *
 * Independent runs side by side.
 */
#ifndef SYMVI_KERNEL_IN_PARALLEL_HPP
#define SYMVI_KERNEL_IN_PARALLEL_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace symvi {
namespace kernel {

/**
 * Call run(0) ... run(count - 1) in up to `threads` threads, 0 for one per
 * processor; the first exception is thrown again once all threads have
 * stopped.
 */
template<typename Run>
void InParallel(const size_t count, size_t threads, const Run& run)
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

} // namespace kernel
} // namespace symvi

#endif
