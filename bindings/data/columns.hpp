/**
 * @file columns.hpp
 *
 * Reordering points without a second copy of them.
 */
#ifndef SYMVI_BINDINGS_DATA_COLUMNS_HPP
#define SYMVI_BINDINGS_DATA_COLUMNS_HPP

#include <armadillo>
#include <vector>

namespace symvi {
namespace cli {

//! Column i becomes what column order[i] was, in place.
inline void PermuteColumns(arma::mat& data, std::vector<size_t> order)
{
  std::vector<double> kept(data.n_rows);
  for (size_t start = 0; start < order.size(); ++start)
  {
    if (order[start] == start)
      continue;
    std::copy_n(data.colptr(start), data.n_rows, kept.begin());
    size_t to = start;
    while (order[to] != start)
    {
      const size_t from = order[to];
      std::copy_n(data.colptr(from), data.n_rows, data.colptr(to));
      order[to] = to;
      to = from;
    }
    std::copy_n(kept.begin(), data.n_rows, data.colptr(to));
    order[to] = to;
  }
}

} // namespace cli
} // namespace symvi

#endif
