/**
 * @file src/information/scores/fold_row.hpp
 */
#ifndef SYMVI_INFORMATION_FOLD_ROW_HPP
#define SYMVI_INFORMATION_FOLD_ROW_HPP

#include "kernel/multiversion.hpp"
#include "kernel/vector_math.hpp"

#include <cstddef>

namespace symvi {
namespace information {

/**
 * Scores of both signs together: r = log(exp r + exp n), and n becomes the
 * share exp n / (exp r + exp n), 0 where both are -infinity.
 */
SYMVI_MULTIVERSION
inline void FoldRow(const size_t count, double* SYMVI_RESTRICT r,
    double* SYMVI_RESTRICT n)
{
  for (size_t b = 0; b < count; ++b)
  {
    const bool first = r[b] > -1e300, second = n[b] > -1e300;
    // Beyond 600 nats one of the two is all there is.
    const double gap = kernel::Select(first & second, n[b] - r[b], 0.0);
    const double x = kernel::Select(gap < 600.0, gap, 600.0);
    double sigma, slope;
    kernel::Softplus(x, kernel::ExpMinusAbs(x), sigma, slope);
    const bool both = first & second & (gap < 600.0);
    const double one = kernel::Select(second & (!first | (gap >= 600.0)), n[b],
        r[b]);
    const double share = kernel::Select(second, 1.0, 0.0);
    r[b] = kernel::Select(both, r[b] + sigma, one);
    n[b] = kernel::Select(both, slope, share);
  }
}

} // namespace information
} // namespace symvi

#endif
