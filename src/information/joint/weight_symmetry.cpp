/**
 * @file src/information/joint/weight_symmetry.cpp
 */
#include "information/joint/weight_symmetry.hpp"

namespace symvi {
namespace information {

uint32_t WeightSymmetry::Source(const Permutation& g, const size_t layer,
    const size_t row, const size_t column) const
{
  const PosteriorView<double>& v = chain.layers[layer];
  const size_t rows = RowUnits(chain, layer);
  const size_t columns = ColumnUnits(chain, layer);
  size_t fromRow = row, fromColumn = column;
  bool negated = false;
  if (rows != noUnits)
  {
    fromRow = g(rows, row);
    negated = g.Sign(rows, row) < 0;
  }
  if (columns != noUnits && column < v.inSize)
  {
    const size_t unit = column / v.block;
    fromColumn = v.Moved(column, g(columns, unit));
    negated ^= g.Sign(columns, unit) < 0;
  }
  const uint32_t source = uint32_t(
      positions[layer][fromColumn * v.outSize + fromRow]);
  return negated ? ~source : source;
}

void WeightSymmetry::Sources(const Permutation& g, WeightSources& sources) const
{
  sources.resize(weights);
  for (size_t i = 0; i < weights; ++i)
    sources[i] = uint32_t(i);
  for (size_t l = 0; l < chain.layers.size(); ++l)
  {
    const PosteriorView<double>& v = chain.layers[l];
    for (size_t c = 0; c < v.Columns(); ++c)
      for (size_t r = 0; r < v.outSize; ++r)
        sources[positions[l][c * v.outSize + r]] = Source(g, l, r, c);
  }
}

} // namespace information
} // namespace symvi
