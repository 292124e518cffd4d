/**
 * @file symvi/entropy/permanent.hpp
 *
 * The permanent of a small matrix and its matching marginals, exactly.
 */
#ifndef SYMVI_ENTROPY_PERMANENT_HPP
#define SYMVI_ENTROPY_PERMANENT_HPP

#include <symvi/kernel/multiversion.hpp>

#include <cstddef>
#include <vector>

namespace symvi {
namespace entropy {

//! F of Permanent, for all 2^m sets.
template<typename eT>
SYMVI_MULTIVERSION
void PermanentForward(const eT* a, const size_t m, eT* forward)
{
  const size_t all = (size_t(1) << m) - 1;
  forward[0] = eT(1);
  for (size_t s = 1; s <= all; ++s)
  {
    const eT* row = a + (__builtin_popcountll(s) - 1) * m;
    eT sum = 0;
    for (size_t rest = s; rest != 0; rest &= rest - 1)
      sum += row[__builtin_ctzll(rest)] * forward[s & ~(rest & -rest)];
    forward[s] = sum;
  }
}

//! B of Permanent, for the sets that can be reached, and the marginals.
template<typename eT>
SYMVI_MULTIVERSION
void PermanentBackward(const eT* a, const size_t m, const eT* forward,
                       eT* backward, eT* marginals)
{
  const size_t all = (size_t(1) << m) - 1;
  const eT scale = eT(1) / forward[all];
  backward[all] = eT(1);
  for (size_t s = all; s-- > 0; )
  {
    const eT reached = forward[s] * scale;
    backward[s] = eT(0);
    if (reached == eT(0))
      continue;
    const size_t row = __builtin_popcountll(s) * m;
    eT sum = 0;
    for (size_t rest = all & ~s; rest != 0; rest &= rest - 1)
    {
      const size_t b = __builtin_ctzll(rest);
      const eT term = a[row + b] * backward[s | (rest & -rest)];
      sum += term;
      marginals[row + b] += reached * term;
    }
    backward[s] = sum;
  }
}

/**
 * perm A = sum_tau prod_a A[a, tau(a)] for a nonnegative matrix, by dynamic
 * programming over the set S of columns that the first |S| rows have taken.
 * Only positive terms are added, so there is no cancellation.
 *
 *   F[S] = sum_{b in S} A[|S| - 1, b] F[S \ b],         perm A = F[all]
 *   B[S] = sum_{b not in S} A[|S|, b] B[S + b]
 *   M[a,b] = P(tau(a) = b) = d log perm A / d log A[a,b]
 *          = A[a,b] / perm A * sum_{|S| = a, b not in S} F[S] B[S + b]
 *
 * Time O(m 2^m), memory 2^(m+4) bytes with marginals.
 */
class Permanent
{
 public:
  //! The largest matrix that Compute() takes.
  static constexpr size_t MaxSize() { return 24; }

  //! Make room for matrices of up to m rows.
  void Reserve(const size_t m)
  {
    forward.reserve(size_t(1) << m);
    backward.reserve(size_t(1) << m);
  }

  /**
   * @param a The matrix, row-major, nonnegative.
   * @param m Number of rows and columns.
   * @param marginals If not null, M is written here, row-major (zeros if the
   *     permanent is zero).
   * @return perm A.
   */
  double Compute(const double* a, const size_t m, double* marginals)
  {
    const size_t all = (size_t(1) << m) - 1;
    forward.resize(all + 1);
    PermanentForward(a, m, forward.data());
    if (marginals)
    {
      for (size_t i = 0; i < m * m; ++i)
        marginals[i] = 0.0;
      backward.resize(all + 1);
      if (forward[all] > 0.0)
        PermanentBackward(a, m, forward.data(), backward.data(), marginals);
    }
    return forward[all];
  }

 private:
  std::vector<double> forward, backward;
};

} // namespace entropy
} // namespace symvi

#endif
