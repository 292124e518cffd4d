/**
 * @file src/information/scores/separation.hpp
 *
 * Which units of a posterior can be confused at all.
 */
#ifndef SYMVI_INFORMATION_SEPARATION_HPP
#define SYMVI_INFORMATION_SEPARATION_HPP

#include "information/scores/tile_distances.hpp"
#include "information/scores/unit_blocks.hpp"

#include "kernel/multiversion.hpp"

#include <vector>

namespace symvi {
namespace information {

/**
 * Splits the units of one hidden layer into clusters between which no
 * permutation matters, from the posterior alone, before any draw is looked at.
 *
 * With the Bhattacharyya coefficient of two units' posteriors,
 *
 *   BC(a,b) = int sqrt(n_a n_b) = exp(-D(a,b)),
 *   D(a,b)  = sum_i [ (mu_ai - mu_bi)^2 / (4 (sigma_ai^2 + sigma_bi^2))
 *                   + 1/2 log cosh(log sigma_ai - log sigma_bi) ],
 *
 * a permutation has E_q sqrt(q(g^-1 w) / q(w)) = prod_a BC(a, tau(a)).  Since
 * log(1 + x) <= 2 sqrt(x), leaving out permutations changes the expectation of
 * log q^G(w) by less than twice the sum of these products.  A permutation that
 * leaves a cluster comes back to it: it uses at least *two* pairs of units of
 * different clusters.  If no two units are in one cluster and D(a,b) >= need
 * for all pairs, the sum over the permutations that move k units is at most
 * (d exp(-need))^k, and the change less than
 *
 *   2 sum_{k>=2} (d exp(-need))^k,
 *
 * below 1e-12 nats with need = 15 + log d.  Where clusters of overlapping units
 * remain, a permutation may mix such pairs with pairs inside a cluster, and the
 * bound grows by the number of permutations inside the clusters; no difference
 * was seen (tests compare to 1e-10).
 *
 * All terms are positive: part of the coordinates is enough to pass a pair, and
 * D is symmetric.  Where a first batch of them is not, the rest is taken in the
 * order in which they tell a few units apart.
 *
 * In a batch of coordinates sigma_ai <= s_a t_i bounds the denominators by
 * (s_a^2 + s_b^2) t_i^2, so that with y = mu / t the distances are a matrix
 * product, less a bound of its rounding.  The second term is bounded from below,
 * for pairs that need it, by Jensen's inequality: n/2 log cosh of the mean of
 * log sigma_a - log sigma_b.
 *
 * Signed units are also compared with the negated ones, D(a,-b), whose second
 * term is the same; in every batch the smaller one of both is added, a lower
 * bound.  The number of pairs doubles, so need = 15 + log 2 d.  A unit may also
 * be confused with its own negative alone, by
 *
 *   D(a,-a) = sum_i mu_ai^2 / (2 sigma_ai^2),
 *
 * and such a change of sign is a single pair: it is passed from 30 + log 2 d
 * on.  Units that are not form clusters, if need be of one unit.
 */
template<typename eT>
class Separation
{
 public:
  /**
   * Find the clusters.
   *
   * @param blocks The weights of the units (the draw is not used).
   * @param orbits Units of different orbits are never confused.
   */
  void Compute(const UnitBlocks<eT>& blocks, const Orbits& orbits);

  //! Number of clusters of more than one unit, or of one whose sign is unsure.
  size_t Count() const { return starts.empty() ? 0 : starts.size() - 1; }

  //! The units of one cluster.
  const UnitIndex* Members(const size_t k) const
  {
    return members.data() + starts[k];
  }

  //! How many they are.
  size_t Size(const size_t k) const { return starts[k + 1] - starts[k]; }

  /**
   * Call visit(members, size) for all clusters, several of them at once where
   * they have at most `most` units together: a tile of scores takes the same
   * time for two units as for sixteen.
   */
  template<typename FunctionType>
  void ForEachTile(const size_t most, const FunctionType& visit) const
  {
    for (size_t k = 0; k < Count();)
    {
      const UnitIndex* first = Members(k);
      size_t size = Size(k++);
      while (k < Count() && size + Size(k) <= most)
        size += Size(k++);
      visit(first, size);
    }
  }

  //! Coordinates that were looked at, for measurements.
  size_t Used() const { return used; }

 private:
  static constexpr size_t rows = 8;     //!< Rows of a tile.
  static constexpr size_t columns = 16; //!< Columns of a tile.
  static constexpr size_t batch = 64;   //!< Coordinates in a batch.

  void Reserve(const UnitBlocks<eT>& blocks);
  bool CanFlip(const size_t a) const { return ownDistance[a] < ownNeed; }
  bool Hopeless(const size_t coordinates) const;
  void Pack(const UnitBlocks<eT>& blocks, const size_t first,
      const size_t count);
  //! Add a batch to the distances of a tile; false if it can be forgotten.
  bool AdvanceTile(const size_t row, const size_t column, const size_t count,
      const Orbits& orbits);
  //! The same for all tiles; how many are left.
  size_t Advance(const size_t count, const Orbits& orbits);
  //! Put the coordinates that tell units apart best first, from `used` on.
  void Sort(const UnitBlocks<eT>& blocks);
  void LogDeviations(const UnitBlocks<eT>& blocks);
  void Cluster(const UnitBlocks<eT>& blocks, const Orbits& orbits);
  size_t Root(size_t a);

  size_t d = 0, padded = 0, used = 0;
  bool isSigned = false;
  float need = 0, ownNeed = 0;
  AddDistancesType addDistances = ChooseAddDistances();
  //! Lower bounds of D, row-major; only tiles that touch a < b.
  std::vector<float> distance;
  //! Lower bounds of D(a,-a), if units are signed.
  std::vector<float> ownDistance;
  std::vector<char> tiles;
  //! The batch: y = mu / t, coordinate-major, its squares summed up, and s^2.
  std::vector<float> y, norms, spread;
  //! y again, as AddDistances() wants it.
  std::vector<float> packed;
  std::vector<float> variance;
  float weights[batch];
  //! Coordinates in the order of Reserve(), and as they are taken this time.
  std::vector<uint32_t> order, chosen, sorted;
  std::vector<float> merit;
  std::vector<double> logs, products;
  std::vector<size_t> parent, starts;
  std::vector<UnitIndex> members;
};

} // namespace information
} // namespace symvi

#endif
