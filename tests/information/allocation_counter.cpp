/**
 * @file allocation_counter.cpp
 *
 * Replaces the global allocation functions; a file of its own, so that they are
 * not inlined into their callers.
 */
#include "allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> allocations(0);

} // namespace

void* operator new(const size_t size)
{
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1))
    return p;
  throw std::bad_alloc();
}

// std::stable_sort asks for memory in this way.
void* operator new(const size_t size, const std::nothrow_t&) noexcept
{
  ++allocations;
  return std::malloc(size);
}

void operator delete(void* p) noexcept
{
  std::free(p);
}
void operator delete(void* p, size_t) noexcept
{
  std::free(p);
}

namespace symvi_tests {

size_t Allocations()
{
  return allocations;
}

} // namespace symvi_tests
