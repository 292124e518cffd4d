/**
 * @file symvi/information/matching_blocks_impl.hpp
 */
#ifndef SYMVI_INFORMATION_MATCHING_BLOCKS_IMPL_HPP
#define SYMVI_INFORMATION_MATCHING_BLOCKS_IMPL_HPP

#include "matching_blocks.hpp"

#include <symvi/kernel/multiversion.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace symvi {
namespace information {

inline void MatchingBlocks::Reserve(const size_t d)
{
  blocks.reserve(d);
  local.reserve(d * d);
  blockScores.resize(std::max(blockScores.size(), d * d));
  for (std::vector<size_t>* v : { &parent, &own, &index, &low, &stack, &frames,
      &next })
    v->reserve(d);
  for (std::vector<UnitIndex>* v : { &units, &rowUnits, &columnUnits })
    v->resize(std::max(v->size(), d));
  own.resize(std::max(own.size(), d));
  onStack.reserve(d);
  assignment.Reserve(d);
}

inline size_t MatchingBlocks::Root(size_t a)
{
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  return a;
}

inline size_t MatchingBlocks::Largest() const
{
  size_t largest = 0;
  for (const MatchingBlock& block : blocks)
    largest = std::max(largest, block.size);
  return largest;
}

template<typename ScoresType, typename AliveType>
void MatchingBlocks::Build(const ScoresType& scores, const AliveType& alive,
                           const size_t d, const double reach,
                           const UnitIndex* newNames, const bool keepAll)
{
  const double none = -std::numeric_limits<double>::infinity();
  Reserve(d);
  blocks.clear();
  offset = 0.0;
  everything = keepAll;
  names = newNames;
  usedUnits = usedScores = 0;

  parent.resize(d);
  for (size_t a = 0; a < d; ++a)
    parent[a] = a;
  bool any = false;
  for (size_t a = 0; a < d; ++a)
    for (size_t b = 0; b < d && alive(a); ++b)
      if (a != b && scores(a, b) > none)
      {
        parent[Root(a)] = Root(b);
        any = true;
      }
  if (!any && !keepAll)
    return;

  // Units sorted by component: next[] counts, then points to the end of each.
  next.assign(d, 0);
  for (size_t a = 0; a < d; ++a)
    ++next[Root(a)];
  for (size_t a = 1; a < d; ++a)
    next[a] += next[a - 1];
  // next[r] is now the end of component r; fill each from the back.
  for (size_t a = d; a-- > 0; )
    units[--next[Root(a)]] = UnitIndex(a);
  for (size_t first = 0; first < d; )
  {
    size_t last = first + 1;
    while (last < d && Root(units[last]) == Root(units[first]))
      ++last;
    if (last > first + 1)
    {
      const size_t m = last - first;
      local.resize(m * m);
      for (size_t i = 0; i < m; ++i)
        for (size_t j = 0; j < m; ++j)
          local[i * m + j] = scores(units[first + i], units[first + j]);
      Split(first, m, reach);
    }
    else if (keepAll)
      EmitSingle(units[first]);
    first = last;
  }
}

template<typename eT>
SYMVI_NOINLINE
void MatchingBlocks::Build(const UnitScores<eT>& scores, const size_t d,
                           const double reach, const UnitIndex* newNames,
                           const bool keepAll)
{
  const auto alive = [&](const size_t a)
      { return scores.StripAlive(a / UnitScores<eT>::StripRows()); };
  Build(scores, alive, d, reach, newNames, keepAll);
}

inline void MatchingBlocks::Split(const size_t first, const size_t m,
                                  const double reach)
{
  const UnitIndex* unit = units.data() + first;
  if (!assignment.Solve(local.data(), m))
    throw std::logic_error("MatchingBlocks::Build(): no permutation is "
        "possible.");
  for (size_t i = 0; i < m; ++i)
  {
    offset += local[i * m + assignment.Match()[i]];
    for (size_t j = 0; j < m; ++j)
      local[i * m + j] = std::min(0.0, local[i * m + j] -
          assignment.RowDual(i) - assignment.ColumnDual(j));
    local[i * m + assignment.Match()[i]] = 0.0;
  }

  // Tarjan's strongly connected components of i -> i' where row i may take the
  // column of row i'; recursion unrolled into `frames`.
  const size_t unseen = noUnits;
  index.assign(m, unseen);
  low.assign(m, 0);
  next.assign(m, 0);
  onStack.assign(m, 0);
  stack.clear();
  size_t counter = 0;
  for (size_t root = 0; root < m; ++root)
  {
    if (index[root] != unseen)
      continue;
    frames.assign(1, root);
    while (!frames.empty())
    {
      const size_t i = frames.back();
      if (index[i] == unseen)
      {
        index[i] = low[i] = counter++;
        stack.push_back(i);
        onStack[i] = 1;
      }
      bool descended = false;
      for (size_t& k = next[i]; k < m && !descended; ++k)
      {
        if (!(local[i * m + assignment.Match()[k]] > -reach))
          continue;
        if (index[k] == unseen)
        {
          frames.push_back(k);
          descended = true;
          break;
        }
        if (onStack[k])
          low[i] = std::min(low[i], index[k]);
      }
      if (descended)
        continue;
      frames.pop_back();
      if (!frames.empty())
        low[frames.back()] = std::min(low[frames.back()], low[i]);
      if (low[i] != index[i])
        continue;
      size_t size = 0;
      do
      {
        ++size;
        onStack[stack[stack.size() - size]] = 0;
      } while (stack[stack.size() - size] != i);
      std::sort(stack.end() - size, stack.end());
      Emit(unit, m, stack.data() + stack.size() - size, size);
      stack.resize(stack.size() - size);
    }
  }
}

inline void MatchingBlocks::EmitSingle(const UnitIndex unit)
{
  rowUnits[usedUnits] = columnUnits[usedUnits] = Name(unit);
  own[usedUnits] = 0;
  blockScores[usedScores] = 0.0;
  blocks.push_back(MatchingBlock{ 1, &rowUnits[usedUnits],
      &columnUnits[usedUnits], &blockScores[usedScores], &own[usedUnits] });
  ++usedUnits;
  ++usedScores;
}

inline void MatchingBlocks::Emit(const UnitIndex* unit, const size_t m,
                                 const size_t* members, const size_t size)
{
  const std::vector<size_t>& match = assignment.Match();
  if (size == 1 && match[members[0]] == members[0] && !everything)
    return;
  UnitIndex* rows = rowUnits.data() + usedUnits;
  UnitIndex* columns = columnUnits.data() + usedUnits;
  size_t* mine = own.data() + usedUnits;
  double* s = blockScores.data() + usedScores;
  for (size_t i = 0; i < size; ++i)
  {
    rows[i] = Name(unit[members[i]]);
    columns[i] = Name(unit[match[members[i]]]);
    for (size_t j = 0; j < size; ++j)
      s[i * size + j] = local[members[i] * m + match[members[j]]];
  }
  for (size_t i = 0; i < size; ++i)
  {
    const size_t at = size_t(std::find(columns, columns + size, rows[i]) -
        columns);
    mine[i] = (at < size) ? at : noUnits;
  }
  blocks.push_back(MatchingBlock{ size, rows, columns, s, mine });
  usedUnits += size;
  usedScores += size * size;
}

} // namespace information
} // namespace symvi

#endif
