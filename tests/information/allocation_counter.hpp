/**
 * @file allocation_counter.hpp
 *
 * Counts calls of operator new in a program that links the counter.
 */
#ifndef SYMVI_TESTS_INFORMATION_ALLOCATION_COUNTER_HPP
#define SYMVI_TESTS_INFORMATION_ALLOCATION_COUNTER_HPP

#include <cstddef>

namespace symvi_tests {

//! How often memory was allocated so far.
size_t Allocations();

} // namespace symvi_tests

#endif
