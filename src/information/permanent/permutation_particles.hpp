/**
 * @file src/information/permanent/permutation_particles.hpp
 *
 * Permutations under construction, and how good their beginnings are.
 */
#ifndef SYMVI_INFORMATION_PERMUTATION_PARTICLES_HPP
#define SYMVI_INFORMATION_PERMUTATION_PARTICLES_HPP

#include "information/scores/log_sum.hpp"
#include "information/permanent/permutation_proposal.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <cstddef>
#include <vector>

namespace symvi {
namespace information {

//! Some permutations, drawn row by row from a PermutationProposal.
struct PermutationParticles
{
  size_t count = 0;
  //! log of omega so far, up to a common constant.
  std::vector<double> logWeights;
  //! f of the columns left, zero for the others; Padded() numbers a particle.
  std::vector<double> available;
  //! Where rows went; Units() numbers a particle.
  std::vector<size_t> images;

  void Reserve(const size_t d, const size_t k);

  //! k particles without any row.
  void Start(const PermutationProposal& proposal, const size_t k);

  //! Become a copy of some particles of another population.
  void Take(const PermutationProposal& proposal,
      const PermutationParticles& from, const size_t* which, const size_t k);
};

/**
 * Estimates what the rows still to come can add.  For the rows i and columns b
 * that a particle has left, Sinkhorn's iteration
 *
 *   r_i = sum_b P[i,b] c_b,       c_b = 1 / sum_i P[i,b] / r_i
 *
 * brings the matrix P[i,b] c_b / r_i to row and column sums of about one, and
 *
 *   h = prod_i r_i prod_b 1 / c_b
 *
 * tells permanents of such matrices apart.  Both h and the f_b that follow from
 * c depend only on what the particle has drawn; any positive numbers would do.
 * All particles go together, in float.
 */
class PermutationLookahead
{
 public:
  void Reserve(const size_t d, const size_t k);

  //! Forget the last proposal.
  void Reset(const PermutationProposal& proposal);

  /**
   * @param proposal The proposal.
   * @param first The next row to be drawn.
   * @param particles The particles; f is brought up to date.
   * @param log log h of each.
   */
  void Compute(const PermutationProposal& proposal, const size_t first,
      PermutationParticles& particles, double* log);

 private:
  void Logs(const std::vector<float>& numbers, const size_t n,
      const size_t count, double* log);

  size_t wide = 0;
  //! P in visiting order, and its transpose.
  std::vector<float> p, transposed;
  //! Which columns are left, c and 1 / r, `wide` particles side by side.
  std::vector<float> mask, ones, columns, rows;
  std::vector<double> products, total;
};

/**
 * Replace particles by draws among them with weights w = exp(ahead): systematic
 * resampling after a random shuffle, so that all places are alike.
 *
 * With `given` the last particle is kept: its place on the circle of weights is
 * drawn first, and the comb of systematic resampling is laid through it.  This
 * is the law of the resampling step given that the last particle survives, as
 * the comb is met there with a density proportional to the number of its teeth
 * that fall on that particle.
 *
 * @param ahead Log-weights, of `count` particles.
 * @param count Number of particles.
 * @param places Number of particles afterwards.
 * @param given Whether to keep the last one, which remains the last.
 * @param stream Source of randomness.
 * @param order Memory for `count` numbers.
 * @param parents The particle that each place is a copy of.
 */
void Resample(const double* ahead, const size_t count, const size_t places,
    const bool given, RandomStream& stream, size_t* order, size_t* parents);

} // namespace information
} // namespace symvi

#endif
