/**
 * @file symvi/kernel/processors.hpp
 *
 * Keeps threads that work together off each other's processor.
 *
 * On virtual machines a thread was seen to wake up on the processor of whoever
 * woke it, with an idle one next to it: the two then share a processor, and the
 * second gains nothing.  (Linux looks for an idle processor first; presumably
 * one that the host has halted does not look idle to it.)
 */
#ifndef SYMVI_KERNEL_PROCESSORS_HPP
#define SYMVI_KERNEL_PROCESSORS_HPP

#include <thread>

#if defined(__linux__) && defined(__GLIBC__)
  #define SYMVI_PROCESSORS
  #include <pthread.h>
  #include <sched.h>
#endif

namespace symvi {
namespace kernel {

//! The processor that runs the caller; -1 where that is not known.
inline int CurrentProcessor()
{
#if defined(SYMVI_PROCESSORS)
  return sched_getcpu();
#else
  return -1;
#endif
}

/**
 * Let a thread use the caller's processors without the given one, unless that
 * leaves none.
 *
 * @param thread The thread.
 * @param processor What CurrentProcessor() gave.
 */
inline void KeepOff(const std::thread::native_handle_type thread,
                    const int processor)
{
#if defined(SYMVI_PROCESSORS)
  cpu_set_t set;
  if (processor < 0 || processor >= CPU_SETSIZE ||
      pthread_getaffinity_np(pthread_self(), sizeof(set), &set) != 0)
    return;
  CPU_CLR(processor, &set);
  if (CPU_COUNT(&set) > 0)
    pthread_setaffinity_np(thread, sizeof(set), &set);
#else
  (void) thread;
  (void) processor;
#endif
}

} // namespace kernel
} // namespace symvi

#endif
