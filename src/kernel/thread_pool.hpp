/**
 * @file src/kernel/thread_pool.hpp
 *
 * A few threads that share the passes over large arrays.
 */
#ifndef SYMVI_SRC_KERNEL_THREAD_POOL_HPP
#define SYMVI_SRC_KERNEL_THREAD_POOL_HPP

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace symvi {
namespace kernel {

/**
 * Threads that wait for work: awake for a moment, as the next pass of a
 * training step follows within microseconds, and asleep after that.  A pool of
 * size 1, the default, has no thread of its own: the caller does everything.
 *
 * Why not OpenMP: its loops wait for every thread, also for one that another
 * program keeps from its processor; docs/performance.md has the measurements.
 */
class ThreadPool
{
 public:
  //! The pool of the process.
  static ThreadPool& Instance();

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { Stop(); }

  //! Threads that work, the caller included.
  size_t Size() const { return size.load(std::memory_order_relaxed); }

  //! Change the number of threads.
  void Resize(size_t newSize);

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
    Run(parts, &function,
        [](const void* f, const size_t part)
        { (*static_cast<const Function*>(f))(part); });
  }

 private:
  using Call = void (*)(const void*, size_t);

  //! Gives the pool back at the end of a scope.
  struct Release
  {
    std::atomic<bool>& busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  };

  ThreadPool() { }

  void Run(size_t parts, const void* function, Call call);
  //! Let the workers in.
  void Open(size_t parts, const void* function, Call call);
  //! Let nobody in any more, and wait for those who are.
  void Close();
  void TakeParts();
  void Work();
  void Stop();

  //! Whether somebody uses the pool.
  std::atomic<bool> busy{ false };
  std::vector<std::thread> workers;
  std::atomic<size_t> size{ 1 };

  //! What there is to do, and the next part of it that nobody has taken.
  Call job = nullptr;
  const void* context = nullptr;
  size_t count = 0;
  std::atomic<size_t> next{ 0 };
  //! How the caller computes, and so everybody.
  unsigned int mode = 0;

  //! Workers that take parts; changes from zero only while open.
  std::atomic<size_t> inside{ 0 };
  //! Changes with every job.
  std::atomic<size_t> round{ 0 };

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
