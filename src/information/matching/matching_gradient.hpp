/**
 * @file src/information/matching/matching_gradient.hpp
 *
 * From matching marginals to the gradient by the weights.
 */
#ifndef SYMVI_INFORMATION_MATCHING_GRADIENT_HPP
#define SYMVI_INFORMATION_MATCHING_GRADIENT_HPP

#include "information/matching/matching_blocks.hpp"
#include "information/scores/unit_blocks.hpp"

#include <vector>

namespace symvi {
namespace information {

//! The arrays of InformationGradient around one hidden layer.
template<typename eT>
struct UnitGradient
{
  eT* path[2] = { nullptr, nullptr }; //!< Incoming and outgoing layer.
  eT* mu[2] = { nullptr, nullptr };
  eT* sigma[2] = { nullptr, nullptr };
};

//! The arrays for hidden units h of a chain.
template<typename eT>
inline UnitGradient<eT> MakeUnitGradient(const SymmetricChain<eT>& chain,
    const size_t h, const InformationGradient<eT>& gradient)
{
  UnitGradient<eT> g;
  const size_t l = chain.hidden[h].incoming;
  for (size_t k = 0; k < (chain.hidden[h].hasOutgoing ? 2 : 1); ++k)
  {
    g.path[k] = gradient.path[l + k];
    g.mu[k] = gradient.mu.empty() ? nullptr : gradient.mu[l + k];
    g.sigma[k] = gradient.sigma.empty() ? nullptr : gradient.sigma[l + k];
  }
  return g;
}

/**
 * With G = dI/dC = Id - M for matching marginals M, and for every coordinate i
 * of the blocks of the units,
 *
 *   dI/dv_ai     = -sum_b G[a,b] (v_ai - mu_bi) / sigma_bi^2      (path)
 *   dI/dmu_bi    =  sum_a G[a,b] (v_ai - mu_bi) / sigma_bi^2
 *   dI/dsigma_bi =  sum_a G[a,b] (v_ai - mu_bi)^2 / sigma_bi^3
 *
 * The term -1/sigma of dC/dsigma drops out: columns of G sum to zero.  Only
 * units of the given block are visited.
 *
 * Where units are signed, M splits into M o (1 - N) and M o N with N the chance
 * of the sign -1.  The second part enters with the draw -v in place of v, and
 * its derivative by v with another sign.
 */
template<typename eT>
class MatchingGradient
{
 public:
  //! Make room for blocks of up to d units.
  void Reserve(const size_t d, const bool withSigns = false);

  /**
   * Add the gradient of one block.
   *
   * @param weights The weights of the units.
   * @param block The block.
   * @param marginals Its marginals, row-major.
   * @param scale Factor.
   * @param gradient Where to add.
   * @param withOwn Whether G is Id - M, or only -M (the caller then adds the
   *     part of log q(w) itself).
   * @return Whether anything had to be added.
   */
  bool Add(const UnitBlocks<eT>& weights, const MatchingBlock& block,
      const double* marginals, const eT scale, const UnitGradient<eT>& gradient,
      const bool withOwn = true);

 private:
  //! Coordinates that are handled together.
  static constexpr size_t chunk = 32;

  //! Add() for one sign of the draw.
  bool AddSign(const UnitBlocks<eT>& weights, const MatchingBlock& block,
      const double* marginals, const eT sign, const eT scale,
      const UnitGradient<eT>& gradient, const bool withOwn);
  bool Coefficients(const MatchingBlock& block, const double* marginals,
      const eT scale, const bool withOwn);
  void Pack(const UnitBlocks<eT>& weights, const size_t first,
      const size_t count);
  void AddPath(const UnitBlocks<eT>& weights, const size_t first,
      const size_t count, const UnitGradient<eT>& gradient) const;
  void AddDirect(const UnitBlocks<eT>& weights, const size_t i, const eT s,
      eT* mu, eT* sigma) const;
  void AddStrangers(const UnitBlocks<eT>& weights, const size_t i,
      const eT scale, const UnitGradient<eT>& gradient) const;

  //! scale * G where it matters, row by row: K permutations touch few columns.
  std::vector<eT> g;
  //! Where each row begins, and the place of each coefficient's column.
  std::vector<size_t> starts;
  std::vector<UnitIndex> places;
  //! Units of the rows and columns that matter, and units that are not among
  //! the columns.
  std::vector<UnitIndex> rows, columns, strangers;
  std::vector<UnitIndex> columnPlace;
  //! The current chunk: 1 / sigma^2 and mu / sigma^2 of each column, the means
  //! relative to `origin`.
  std::vector<eT> precision, product;
  //! The marginals of one sign.
  std::vector<double> part;
  eT origin[chunk];
  //! What the draw is multiplied by.
  eT signs[chunk];
};

} // namespace information
} // namespace symvi

#endif
