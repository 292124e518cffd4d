/**
 * @file src/information/scores/unit_scores.hpp
 *
 * How well each unit's draw fits each unit's posterior.
 */
#ifndef SYMVI_INFORMATION_UNIT_SCORES_HPP
#define SYMVI_INFORMATION_UNIT_SCORES_HPP

#include "information/scores/unit_blocks.hpp"

#include "kernel/multiversion.hpp"

#include <limits>
#include <vector>

namespace symvi {
namespace information {

/**
 * The matrix of scores C of one hidden layer of d units,
 *
 *   C[a,b] = log n_b(v_a) = -sum_i log sigma_bi - Q[a,b] / 2 + const,
 *   Q[a,b] = sum_i ( (v_ai - mu_bi) / sigma_bi )^2,
 *
 * in a form that keeps only what a permutation can change: relative to the
 * diagonal,
 *
 *   R[a,b] = C[a,b] - C[a,a],       R[a,a] = 0,
 *
 *   log q(g^-1 w) - log q(w) = sum_a R[a, tau(a)],
 *   I(w) = log|G| - log perm(exp R).
 *
 * Signed units have a second matrix, the scores of the negated draws,
 *
 *   N[a,b] = log n_b(-v_a) - C[a,a],
 *   log q(g^-1 w) - log q(w) = sum_a (s(a) > 0 ? R : N)[a, tau(a)].
 *
 * The sum over signs factorises: Fold() makes log(exp R + exp N) of R, so that
 * the sum over the group is a permanent again, and turns N into the chance
 * exp N / (exp R + exp N) that a pair is matched with the sign -1.
 *
 * Screening.  Q[a,b] only grows while coordinates are added; Q[a,a] and
 * sum_i log sigma_bi are cheap.  A pair is dropped (R = -infinity) as soon as
 * R[a,b] is provably below -(reach + slack), where slack >= sum_a max(0, max_b
 * R[a,b]) is verified at the end (and the work repeated with more slack in the
 * rare case that it does not hold).  Every permutation that uses a dropped pair
 * therefore weighs less than exp(-reach) times the identity.  Coordinates that
 * tell units apart best are taken first; for well separated units a small part
 * of them is enough.
 *
 * Sums run in eT over 16 coordinates, then in double.
 */
template<typename eT>
class UnitScores
{
 public:
  /**
   * Compute the scores.
   *
   * @param blocks The weights of the units.
   * @param members The units that take part; indices below refer to this list.
   * @param count How many they are.
   * @param orbits Pairs of different orbits are dropped.
   * @param reach Permutations that weigh less than exp(-reach) times the
   *     identity need not be kept; infinity keeps everything.
   */
  void Compute(const UnitBlocks<eT>& blocks, const UnitIndex* members,
      const size_t count, const Orbits& orbits, const double reach);

  //! Compute the scores of all units.
  void Compute(const UnitBlocks<eT>& blocks, const Orbits& orbits,
      const double reach);

  //! Make room for d units with so many coordinates.
  void Reserve(const size_t units, const size_t coordinates,
      const bool withSigns = false);

  //! Number of units.
  size_t Units() const { return d; }

  //! Whether units may change their signs.
  bool Signed() const { return isSigned; }

  /**
   * Add up both signs: R becomes log(exp R + exp N), and N the share of the
   * second term.  Nothing happens if units are not signed.
   */
  void Fold();

  //! R[a,b], or -infinity if the pair was dropped.
  double operator()(const size_t a, const size_t b) const
  {
    if (strips[a / rows])
      return scores[a * padded + b];
    return (a == b) ? 0.0 : -std::numeric_limits<double>::infinity();
  }

  //! N[a,b] of signed units, or -infinity if the pair was dropped; once folded,
  //! the share of the negated draw, or 0.  Units without signs have no share.
  double Negated(const size_t a, const size_t b) const
  {
    if (!isSigned)
      return 0.0;
    if (strips[a / rows])
      return scores[(padded + a) * padded + b];
    return folded ? 0.0 : -std::numeric_limits<double>::infinity();
  }

  //! Row a of R, or null if no pair of it was kept.  Negated ones are counted.
  const double* Row(const size_t a) const
  {
    return strips[a / rows] ? &scores[a * padded] : nullptr;
  }

  //! Distance between the rows.
  size_t Stride() const { return padded; }

  //! Whether any pair a != b with a in the given strip of rows was kept.
  bool StripAlive(const size_t strip) const { return strips[strip]; }

  //! Number of rows in a strip.
  static constexpr size_t StripRows() { return rows; }

  //! Units that are compared with others at a time.
  static constexpr size_t TileColumns() { return columns; }

  //! Pairs of units times coordinates that were looked at, for measurements.
  size_t Work() const { return work; }

  //! Q[a,a] + 2 sum_i log sigma_ai.
  double Diagonal(const size_t a) const { return diagonal[a]; }

 private:
  static constexpr size_t rows = 8;     //!< Rows of a tile.
  static constexpr size_t columns = 16; //!< Columns of a tile.
  static constexpr size_t depth = 32;   //!< Coordinates in a chunk.

  void Resize(const size_t coordinates);
  bool Same(const Orbits& orbits, const size_t a, const size_t b) const
  {
    return orbits.Single() || orbits.Same(units[a], units[b]);
  }
  void Gather(const UnitBlocks<eT>& blocks, const size_t i, eT* x, eT* m,
      eT* s) const;
  void Diagonals(const UnitBlocks<eT>& blocks);
  void Pack(const UnitBlocks<eT>& blocks, const size_t first,
      const size_t count);
  //! 2 if draws are scored with both signs, else 1.
  size_t Sides() const { return isSigned ? 2 : 1; }
  //! Whether a pair of the tile is still within reach.
  bool TileAlive(const size_t s, const size_t t, const Orbits& orbits,
      const double margin) const;
  //! Add a chunk of coordinates to the tiles that still matter, and see which
  //! of them do afterwards.
  void Advance(const size_t count, const Orbits& orbits, const double margin);
  double Slack(const Orbits& orbits) const;
  void Finish(const Orbits& orbits, const double margin);
  void FinishRow(const size_t a, const bool negated, const Orbits& orbits,
      const double margin);

  bool isSigned = false, folded = false;
  size_t d = 0, padded = 0, work = 0, alive = 0;
  //! Q while it is accumulated, then R; row-major, `padded` numbers per row.
  //! The same for N in `padded` rows more, if units are signed.
  std::vector<double> scores;
  std::vector<double> diagonal;
  //! 2 sum_i log sigma_bi: where Q of column b starts.
  std::vector<double> start, products;
  std::vector<UnitIndex> units, everyone;
  //! Whether they are all units, in their order.
  bool adjacent = false;
  //! Whether no tile was dropped.
  bool whole = false;
  //! How well each coordinate tells units apart, and their order.
  std::vector<float> merit;
  std::vector<uint32_t> order;
  //! The current chunk: draw, mean and inverse deviation, coordinate-major.
  std::vector<eT> draw, opposite, mean, inverse;
  //! Which tiles still matter, and which strips of tiles.
  std::vector<char> tiles, strips;
};

} // namespace information
} // namespace symvi

#endif
