/**
 * @file tests/optimizer/allocation_counter.hpp
 *
 * Counts heap allocations of the program: every form of malloc, which operator
 * new and Armadillo call.  Include it in one file of a program.
 */
#ifndef SYMVI_TESTS_ALLOCATION_COUNTER_HPP
#define SYMVI_TESTS_ALLOCATION_COUNTER_HPP

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

// glibc's own entry points, under the names it keeps for such replacements.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

//! Allocations while counting is on.
std::atomic<size_t> allocations(0);
std::atomic<bool> counting(false);
//! Whether the caller's thread is at work for somebody else.
thread_local bool paused = false;

void Count()
{
  if (counting.load(std::memory_order_relaxed) && !paused)
    allocations.fetch_add(1, std::memory_order_relaxed);
}

//! Runs a function and returns how often it allocated.
template<typename Function>
size_t CountAllocations(const Function& function)
{
  allocations = 0;
  counting = true;
  function();
  counting = false;
  return allocations;
}

} // namespace

extern "C" {

//! Do not count what the caller's thread allocates, or count it again.
void symvi_tests_pause_counting(const bool pause)
{
  paused = pause;
}

void* malloc(size_t size)
{
  Count();
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
  Count();
  return __libc_calloc(count, size);
}

void* realloc(void* pointer, size_t size)
{
  Count();
  return __libc_realloc(pointer, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
  Count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** pointer, size_t alignment, size_t size)
{
  Count();
  *pointer = __libc_memalign(alignment, size);
  return *pointer ? 0 : ENOMEM;
}

} // extern "C"

#endif
