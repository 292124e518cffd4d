/**
 * @file symvi/kernel/memory.hpp
 *
 * Whether there is memory for what is about to start.
 */
#ifndef SYMVI_KERNEL_MEMORY_HPP
#define SYMVI_KERNEL_MEMORY_HPP

#include <cstddef>
#include <string>

namespace symvi {

/**
 * Bytes that this process can still allocate, as far as the system tells: what
 * is available, and what limits (ulimit -v, control groups) leave of it.
 */
double AvailableMemory();

/**
 * Throw a std::runtime_error that says how much is needed and how much there
 * is unless `bytes`, and what OpenBLAS takes for itself, can be allocated.
 * OpenBLAS never returns from a product whose buffer it does not get.
 *
 * @param what What needs it, such as "training".
 */
void RequireMemory(const std::string& what, double bytes);

} // namespace symvi

#endif
