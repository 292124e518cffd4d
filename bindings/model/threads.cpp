/**
 * @file threads.cpp
 */
#include <symvi/kernel/threads.hpp>

#include <algorithm>

#include "network.hpp"

namespace symvi {
namespace cli {

void UseThreads(const size_t threads,
                const NetworkSpec& spec,
                const size_t batchSize)
{
  size_t chosen = threads;
  const std::vector<uint64_t> widths = spec.Widths();
  for (size_t l = 1; threads == 0 && l < widths.size(); ++l)
    chosen = std::max(chosen, RecommendedThreads(widths[l - 1], widths[l],
        std::min<size_t>(batchSize, 1024)));
  SetThreads(chosen);
}

} // namespace cli
} // namespace symvi
