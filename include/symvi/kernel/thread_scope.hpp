/**
 * @file symvi/kernel/thread_scope.hpp
 *
 * Threads for a while, in a program that has other uses for them.
 */
#ifndef SYMVI_KERNEL_THREAD_SCOPE_HPP
#define SYMVI_KERNEL_THREAD_SCOPE_HPP

#include <cstddef>

namespace symvi {

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
