/**
 * @file src/kernel/round_up.hpp
 *
 * Lengths that kernels like.
 */
#ifndef SYMVI_SRC_KERNEL_ROUND_UP_HPP
#define SYMVI_SRC_KERNEL_ROUND_UP_HPP

#include <cstddef>

namespace symvi {
namespace kernel {

//! The smallest multiple of `step` that is not below n.
constexpr size_t RoundUp(const size_t n, const size_t step)
{
  return (n + step - 1) / step * step;
}

} // namespace kernel
} // namespace symvi

#endif
