/**
 * @file src/information/matching/matching_blocks.cpp
 */
#include "information/matching/matching_blocks.hpp"

#include "information/scores/unit_scores.hpp"

#include <algorithm>
#include <stdexcept>

namespace symvi {
namespace information {

void MatchingBlocks::Reserve(const size_t d, const bool withSigns)
{
  blocks.reserve(d);
  local.reserve(d * d);
  blockScores.resize(std::max(blockScores.size(), d * d));
  if (withSigns)
  {
    localShares.reserve(d * d);
    blockShares.resize(std::max(blockShares.size(), d * d));
  }
  for (std::vector<size_t>* v :
      { &parent, &own, &index, &low, &stack, &frames, &next })
    v->reserve(d);
  for (std::vector<UnitIndex>* v : { &units, &rowUnits, &columnUnits })
    v->resize(std::max(v->size(), d));
  own.resize(std::max(own.size(), d));
  onStack.reserve(d);
  unsure.reserve(d);
  assignment.Reserve(d);
}

size_t MatchingBlocks::Root(size_t a)
{
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  return a;
}

size_t MatchingBlocks::Largest() const
{
  size_t largest = 0;
  for (const MatchingBlock& block : blocks)
    largest = std::max(largest, block.size);
  return largest;
}

template<typename eT>
void MatchingBlocks::Build(const UnitScores<eT>& scores, const size_t d,
    const double reach, const UnitIndex* newNames, const bool keepAll)
{
  const auto alive = [&](const size_t a)
  { return scores.StripAlive(a / UnitScores<eT>::StripRows()); };
  names = newNames;
  everything = keepAll;
  isSigned = scores.Signed();
  Reserve(d, isSigned);
  BuildFrom(
      scores, alive,
      [&](const size_t a, const size_t b) { return scores.Negated(a, b); }, d,
      reach);
}

void MatchingBlocks::Split(const size_t first, const size_t m,
    const double reach)
{
  const UnitIndex* unit = units.data() + first;
  if (!assignment.Solve(local.data(), m))
    throw std::logic_error("MatchingBlocks::Build(): no permutation is "
                           "possible.");
  unsure.assign(m, 0);
  for (size_t i = 0; i < m && isSigned; ++i)
    unsure[i] = local[i * m + i] > negligibleFlip;
  for (size_t i = 0; i < m; ++i)
  {
    offset += local[i * m + assignment.Match()[i]];
    for (size_t j = 0; j < m; ++j)
      local[i * m + j] = std::min(0.0,
          local[i * m + j] - assignment.RowDual(i) - assignment.ColumnDual(j));
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
      }
      while (stack[stack.size() - size] != i);
      std::sort(stack.end() - size, stack.end());
      Emit(unit, m, stack.data() + stack.size() - size, size);
      stack.resize(stack.size() - size);
    }
  }
}

void MatchingBlocks::EmitSingle(const UnitIndex unit, const double share)
{
  rowUnits[usedUnits] = columnUnits[usedUnits] = Name(unit);
  own[usedUnits] = 0;
  blockScores[usedScores] = 0.0;
  blocks.push_back(
      MatchingBlock{ 1, &rowUnits[usedUnits], &columnUnits[usedUnits],
          &blockScores[usedScores], &own[usedUnits], nullptr });
  if (isSigned)
  {
    blockShares[usedScores] = share;
    blocks.back().negated = &blockShares[usedScores];
  }
  ++usedUnits;
  ++usedScores;
}

void MatchingBlocks::Emit(const UnitIndex* unit, const size_t m,
    const size_t* members, const size_t size)
{
  const std::vector<size_t>& match = assignment.Match();
  if (size == 1 && match[members[0]] == members[0] && !everything &&
      !unsure[members[0]])
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
    const size_t at = size_t(
        std::find(columns, columns + size, rows[i]) - columns);
    mine[i] = (at < size) ? at : noUnits;
  }
  double* const shares = isSigned ? blockShares.data() + usedScores : nullptr;
  for (size_t i = 0; i < size && isSigned; ++i)
    for (size_t j = 0; j < size; ++j)
      shares[i * size + j] = localShares[members[i] * m + match[members[j]]];
  blocks.push_back(MatchingBlock{ size, rows, columns, s, mine, shares });
  usedUnits += size;
  usedScores += size * size;
}

template void MatchingBlocks::Build<float>(const UnitScores<float>&,
    const size_t, const double, const UnitIndex*, const bool);
template void MatchingBlocks::Build<double>(const UnitScores<double>&,
    const size_t, const double, const UnitIndex*, const bool);

} // namespace information
} // namespace symvi
