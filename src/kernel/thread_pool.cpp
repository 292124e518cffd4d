/**
 * @file src/kernel/thread_pool.cpp
 */
#include <symvi/kernel/threads.hpp>
#include "kernel/thread_pool.hpp"

#include <chrono>

namespace symvi {
namespace kernel {

namespace {

/**
 * Wait for a condition, for about the time that it takes to wake a thread up;
 * gives the processor away to whoever else wants it.
 */
template<typename Condition>
void Spin(const Condition& condition)
{
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::microseconds(100);
  do
  {
    for (int i = 0; i < 100; ++i)
      if (condition())
        return;
    std::this_thread::yield();
  }
  while (Clock::now() < end);
}

} // namespace

ThreadPool& ThreadPool::Instance()
{
  static ThreadPool pool;
  return pool;
}

void ThreadPool::Resize(const size_t newSize)
{
  while (busy.exchange(true, std::memory_order_acquire))
    std::this_thread::yield();
  const Release release = { busy };
  if (newSize == Size())
    return;
  Stop();
  stopping = false;
  while (workers.size() + 1 < newSize)
  {
    workers.emplace_back([this] { Work(); });
    size = workers.size() + 1;
  }
}

void ThreadPool::Run(const size_t parts, const void* function, const Call call)
{
  if (parts < 2 || Size() == 1 ||
      busy.exchange(true, std::memory_order_acquire))
  {
    for (size_t part = 0; part < parts; ++part)
      call(function, part);
    return;
  }

  const Release release = { busy };
  Open(parts, function, call);
  TakeParts();
  Close();
}

void ThreadPool::Open(const size_t parts, const void* function, const Call call)
{
  bool asleep;
  {
    const std::lock_guard<std::mutex> guard(mutex);
    job = call;
    context = function;
    count = parts;
    mode = FloatingPointMode();
    next.store(0, std::memory_order_relaxed);
    open = true;
    round.fetch_add(1, std::memory_order_release);
    asleep = (sleeping > 0);
  }
  if (asleep)
    wake.notify_all();
}

void ThreadPool::Close()
{
  {
    const std::lock_guard<std::mutex> guard(mutex);
    open = false;
  }
  Spin([this] { return inside.load(std::memory_order_acquire) == 0; });
  while (inside.load(std::memory_order_acquire) != 0)
    std::this_thread::yield();
}

void ThreadPool::TakeParts()
{
  size_t part;
  while ((part = next.fetch_add(1, std::memory_order_relaxed)) < count)
    job(context, part);
}

void ThreadPool::Work()
{
  size_t seen = 0;
  while (true)
  {
    Spin([&] { return round.load(std::memory_order_acquire) != seen; });
    {
      std::unique_lock<std::mutex> guard(mutex);
      ++sleeping;
      wake.wait(guard, [&] { return stopping || round.load() != seen; });
      --sleeping;
      if (stopping)
        return;
      seen = round.load();
      if (!open)
        continue;
      inside.fetch_add(1, std::memory_order_relaxed);
      SetFloatingPointMode(mode);
    }
    TakeParts();
    inside.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadPool::Stop()
{
  {
    const std::lock_guard<std::mutex> guard(mutex);
    stopping = true;
    round.fetch_add(1);
  }
  wake.notify_all();
  for (std::thread& worker : workers)
    worker.join();
  workers.clear();
  size = 1;
}

} // namespace kernel
} // namespace symvi
