/**
 * @file src/kernel/share_blocks.hpp
 *
 * A pass over a long array, block by block, shared by the threads of the pool.
 */
#ifndef SYMVI_SRC_KERNEL_SHARE_BLOCKS_HPP
#define SYMVI_SRC_KERNEL_SHARE_BLOCKS_HPP

#include "kernel/thread_pool.hpp"

#include <algorithm>
#include <cstddef>

namespace symvi {
namespace kernel {

/**
 * Call function(begin, count) for the blocks of 0 ... n - 1.  Where there are
 * fewer than four, the caller does them: waking a thread up costs more.
 *
 * @param n Length of the array.
 * @param block Length of a block; the last one may be shorter.
 * @param function Must not throw.
 */
template<typename Function>
void ShareBlocks(const size_t n, const size_t block, const Function& function)
{
  const size_t blocks = (n + block - 1) / block;
  const auto one = [&](const size_t i)
  { function(i * block, std::min(block, n - i * block)); };
  if (blocks >= 4)
    return ThreadPool::Instance().Run(blocks, one);
  for (size_t i = 0; i < blocks; ++i)
    one(i);
}

} // namespace kernel
} // namespace symvi

#endif
