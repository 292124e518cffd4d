/**
 * @file symvi/kernel/thread_pool.hpp
 *
 * A few threads that share the passes over large arrays.
 */
#ifndef SYMVI_KERNEL_THREAD_POOL_HPP
#define SYMVI_KERNEL_THREAD_POOL_HPP

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "flush_denormals.hpp"
#include "processors.hpp"

namespace symvi {
namespace kernel {

/**
 * Threads that wait for work: awake for a moment, as the next pass of a
 * training step follows within microseconds, and asleep after that.  A pool of
 * size 1, the default, has no thread of its own: the caller does everything.
 */
class ThreadPool
{
 public:
  //! The pool of the process.
  static ThreadPool& Instance()
  {
    static ThreadPool pool;
    return pool;
  }

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { Stop(); }

  //! Threads that work, the caller included.
  size_t Size() const { return size.load(std::memory_order_relaxed); }

  //! Change the number of threads.
  void Resize(const size_t newSize)
  {
    while (busy.exchange(true, std::memory_order_acquire))
      std::this_thread::yield();
    const Release release = { busy };
    if (newSize == Size())
      return;
    Stop();
    stopping = false;
    avoided = -1;
    while (workers.size() + 1 < newSize)
    {
      workers.emplace_back([this] { Work(); });
      size = workers.size() + 1;
    }
  }

  /**
   * Call function(part) for part = 0 ... parts - 1, shared out among the
   * threads, and return when all are done.  Each thread takes the next part
   * when it is done with one; nobody waits for a thread that wakes up when all
   * are taken.  If the pool is in use, by another thread or by the caller
   * itself, the caller does all parts.  function must not throw.
   */
  template<typename Function>
  void Run(const size_t parts, const Function& function)
  {
    if (parts < 2 || Size() == 1 ||
        busy.exchange(true, std::memory_order_acquire))
    {
      for (size_t part = 0; part < parts; ++part)
        function(part);
      return;
    }

    const Release release = { busy };
    Open(parts, &function, [](const void* f, const size_t part)
    {
      (*static_cast<const Function*>(f))(part);
    });
    TakeParts();
    Close();
  }

 private:
  //! Gives the pool back at the end of a scope.
  struct Release
  {
    std::atomic<bool>& busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  };

  ThreadPool() { }

  //! Let the workers in, each on a processor that is not the caller's.
  void Open(const size_t parts, const void* function,
            void (*call)(const void*, size_t))
  {
    const int processor = CurrentProcessor();
    if (processor != avoided)
      for (std::thread& worker : workers)
        KeepOff(worker.native_handle(), processor);
    avoided = processor;

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

  //! Let nobody in any more, and wait for those who are.
  void Close()
  {
    {
      const std::lock_guard<std::mutex> guard(mutex);
      open = false;
    }
    Spin([this] { return inside.load(std::memory_order_acquire) == 0; });
    while (inside.load(std::memory_order_acquire) != 0)
      std::this_thread::yield();
  }

  void TakeParts()
  {
    size_t part;
    while ((part = next.fetch_add(1, std::memory_order_relaxed)) < count)
      job(context, part);
  }

  void Work()
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

  /**
   * Wait for a condition, for about the time that it takes to wake a thread up;
   * gives the processor away to whoever else wants it.
   */
  template<typename Condition>
  static void Spin(const Condition& condition)
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

  void Stop()
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

  //! Whether somebody uses the pool.
  std::atomic<bool> busy { false };
  std::vector<std::thread> workers;
  std::atomic<size_t> size { 1 };
  //! The processor that the workers keep off.
  int avoided = -1;

  //! What there is to do, and the next part of it that nobody has taken.
  void (*job)(const void*, size_t) = nullptr;
  const void* context = nullptr;
  size_t count = 0;
  std::atomic<size_t> next { 0 };
  //! How the caller computes, and so everybody.
  unsigned int mode = 0;

  //! Workers that take parts; changes from zero only while open.
  std::atomic<size_t> inside { 0 };
  //! Changes with every job.
  std::atomic<size_t> round { 0 };

  //! Guards what follows, and the beginning of a job.
  std::mutex mutex;
  std::condition_variable wake;
  size_t sleeping = 0;
  bool open = false;
  bool stopping = false;
};

} // namespace kernel
} // namespace symvi

#endif
