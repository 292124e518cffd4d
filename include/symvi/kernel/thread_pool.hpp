/**
 * @file symvi/kernel/thread_pool.hpp
 *
 * A few threads that share the passes over large arrays.
 */
#ifndef SYMVI_KERNEL_THREAD_POOL_HPP
#define SYMVI_KERNEL_THREAD_POOL_HPP

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace symvi {
namespace kernel {

/**
 * Threads that wait for work and sleep meanwhile.  A pool of size 1, the
 * default, has no thread of its own: the caller does everything.
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
  size_t Size() const { return workers.size() + 1; }

  //! Change the number of threads.
  void Resize(const size_t size)
  {
    const std::lock_guard<std::mutex> owner(running);
    if (size == Size())
      return;
    Stop();
    stopping = false;
    for (size_t i = 1; i < size; ++i)
      workers.emplace_back([this, i, start = round] { Work(i, start); });
  }

  /**
   * Call function(part) for part = 0 ... parts - 1, shared out among the
   * threads, and return when all are done.  If another thread uses the pool,
   * the caller does all parts itself.  function must not throw.
   */
  template<typename Function>
  void Run(const size_t parts, const Function& function)
  {
    const std::unique_lock<std::mutex> owner(running, std::try_to_lock);
    if (!owner.owns_lock() || workers.empty() || parts < 2)
    {
      for (size_t part = 0; part < parts; ++part)
        function(part);
      return;
    }

    {
      const std::lock_guard<std::mutex> guard(mutex);
      job = [](const void* f, const size_t part)
      {
        (*static_cast<const Function*>(f))(part);
      };
      context = &function;
      count = parts;
      pending = workers.size();
      ++round;
    }
    wake.notify_all();
    Share(0);
    std::unique_lock<std::mutex> guard(mutex);
    done.wait(guard, [this] { return pending == 0; });
  }

 private:
  ThreadPool() { }

  //! Every Size()-th part, from the given one on.
  void Share(const size_t first) const
  {
    for (size_t part = first; part < count; part += Size())
      job(context, part);
  }

  void Work(const size_t index, size_t seen)
  {
    std::unique_lock<std::mutex> guard(mutex);
    while (true)
    {
      wake.wait(guard, [&] { return stopping || round != seen; });
      if (stopping)
        return;
      seen = round;
      guard.unlock();
      Share(index);
      guard.lock();
      if (--pending == 0)
        done.notify_one();
    }
  }

  void Stop()
  {
    {
      const std::lock_guard<std::mutex> guard(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers)
      worker.join();
    workers.clear();
  }

  //! Held by whoever uses the pool.
  std::mutex running;
  std::vector<std::thread> workers;

  //! Guards what follows.
  std::mutex mutex;
  std::condition_variable wake, done;
  void (*job)(const void*, size_t) = nullptr;
  const void* context = nullptr;
  size_t count = 0;
  size_t pending = 0;
  size_t round = 0;
  bool stopping = false;
};

} // namespace kernel
} // namespace symvi

#endif
