/**
 * @file src/information/matching/matching_blocks.hpp
 *
 * The permanent of exp R as a product of permanents of small blocks.
 */
#ifndef SYMVI_INFORMATION_MATCHING_BLOCKS_HPP
#define SYMVI_INFORMATION_MATCHING_BLOCKS_HPP

#include "symmetry/assignment.hpp"
#include "symmetry/orbits.hpp"

#include <limits>
#include <vector>

namespace symvi {
namespace information {

/**
 * One block: rows and columns (units) of R that are matched among themselves,
 * and the reduced scores, row-major, at most 0 and 0 on the diagonal.
 */
struct MatchingBlock
{
  //! Number of rows and of columns.
  size_t size = 0;
  //! The unit of each row: whose draw it is.
  const UnitIndex* rows = nullptr;
  //! The unit of each column: whose posterior it is.
  const UnitIndex* columns = nullptr;
  //! Reduced scores R[rows[i], columns[j]] - u_i - v_j.
  const double* scores = nullptr;
  //! The position of each row's own unit among the columns, or noUnits.
  const size_t* own = nullptr;
  //! The chance that a pair, if matched, has the sign -1, row-major; null where
  //! units are not signed.  The scores are then those of both signs together.
  const double* negated = nullptr;
};

//! A unit alone with its sign -1 less likely than this needs no gradient.
constexpr double negligibleFlip = 1e-16;

template<typename eT>
class UnitScores;

/**
 * Splits a matrix of relative scores R (-infinity where units must not or need
 * not be matched).
 *
 *  1. The connected components of the pairs that are left are independent.
 *  2. In each, the Hungarian method gives the best matching and duals; the
 *     reduced scores R - u - v are at most 0, and 0 along the best matching,
 *     so their permanent lies in [1, m!] and nothing over- or underflows.
 *  3. Reduced scores below -reach are left out of the graph, whose strongly
 *     connected components are the blocks: a permutation that leaves them
 *     weighs less than exp(-reach) times the best one.
 *
 *   log perm(exp R) = Offset() + sum over blocks of log perm(exp scores).
 */
class MatchingBlocks
{
 public:
  //! Make room for d units, so that Build() allocates nothing.
  void Reserve(const size_t d, const bool withSigns = false);

  /**
   * @param scores Function object: scores(a, b) is R[a,b].
   * @param alive Function object: alive(a) is false if R[a,b] is -infinity for
   *     all b != a.
   * @param d Number of units.
   * @param reach See above.
   * @param names What the units are called in the blocks; null: 0 ... d - 1.
   * @param keepAll Whether units that are matched to themselves alone get a
   *     block of their own.
   */
  template<typename ScoresType, typename AliveType>
  void Build(const ScoresType& scores, const AliveType& alive, const size_t d,
      const double reach, const UnitIndex* names = nullptr,
      const bool keepAll = false);

  //! The same for the scores of unit_scores.hpp, folded if they are signed.
  //! Units whose sign is not sure get a block even if they are matched to
  //! themselves alone.
  template<typename eT>
  void Build(const UnitScores<eT>& scores, const size_t d, const double reach,
      const UnitIndex* names = nullptr, const bool keepAll = false);

  //! Sum of the scores of the best matching.
  double Offset() const { return offset; }

  //! Number of blocks.
  size_t Count() const { return blocks.size(); }

  //! One of the blocks.
  const MatchingBlock& operator[](const size_t i) const { return blocks[i]; }

  //! Units in the largest block.
  size_t Largest() const;

 private:
  template<typename ScoresType, typename AliveType, typename SharesType>
  void BuildFrom(const ScoresType& scores, const AliveType& alive,
      const SharesType& shares, const size_t d, const double reach);
  size_t Root(size_t a);
  //! Split the component whose scores are in `local`.
  void Split(const size_t first, const size_t m, const double reach);
  void Emit(const UnitIndex* units, const size_t m, const size_t* members,
      const size_t size);
  void EmitSingle(const UnitIndex unit, const double share);
  UnitIndex Name(const UnitIndex unit) const
  {
    return names ? names[unit] : unit;
  }

  std::vector<MatchingBlock> blocks;
  double offset = 0.0;
  bool everything = false, isSigned = false;
  const UnitIndex* names = nullptr;
  size_t usedUnits = 0, usedScores = 0;

  std::vector<size_t> parent;
  std::vector<UnitIndex> units, rowUnits, columnUnits;
  std::vector<double> local, localShares, blockScores, blockShares;
  std::vector<size_t> own, index, low, stack, frames, next;
  std::vector<char> onStack, unsure;
  Assignment assignment;
};

template<typename ScoresType, typename AliveType>
void MatchingBlocks::Build(const ScoresType& scores, const AliveType& alive,
    const size_t d, const double reach, const UnitIndex* newNames,
    const bool keepAll)
{
  names = newNames;
  everything = keepAll;
  isSigned = false;
  Reserve(d);
  BuildFrom(
      scores, alive, [](const size_t, const size_t) { return 0.0; }, d, reach);
}

template<typename ScoresType, typename AliveType, typename SharesType>
void MatchingBlocks::BuildFrom(const ScoresType& scores, const AliveType& alive,
    const SharesType& shares, const size_t d, const double reach)
{
  const double none = -std::numeric_limits<double>::infinity();
  blocks.clear();
  offset = 0.0;
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
  if (!any && !everything && !isSigned)
    return;

  // Units sorted by component: next[] counts, then points to the end of each.
  next.assign(d, 0);
  for (size_t a = 0; a < d; ++a)
    ++next[Root(a)];
  for (size_t a = 1; a < d; ++a)
    next[a] += next[a - 1];
  // next[r] is now the end of component r; fill each from the back.
  for (size_t a = d; a-- > 0;)
    units[--next[Root(a)]] = UnitIndex(a);
  for (size_t first = 0; first < d;)
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
      localShares.resize(isSigned ? m * m : 0);
      for (size_t i = 0; i < localShares.size(); ++i)
        localShares[i] = shares(units[first + i / m], units[first + i % m]);
      Split(first, m, reach);
    }
    else
    {
      const UnitIndex a = units[first];
      const double both = isSigned ? scores(a, a) : 0.0;
      offset += both;
      if (everything || both > negligibleFlip)
        EmitSingle(a, shares(a, a));
    }
    first = last;
  }
}

} // namespace information
} // namespace symvi

#endif
