/**
 * @file src/information/permanent/permanent.cpp
 */
#include "information/permanent/permanent.hpp"

#include "information/scores/lanes.hpp"

namespace symvi {
namespace information {

//! Eight numbers side by side.
template<typename eT>
struct Eight
{
  static constexpr size_t parts = 8 / Lanes<eT>::size;
  Lanes<eT> x[parts];

  SYMVI_INLINE void Load(const eT* from)
  {
    for (size_t k = 0; k < parts; ++k)
      x[k].Load(from + k * Lanes<eT>::size);
  }
  SYMVI_INLINE void Store(eT* to) const
  {
    for (size_t k = 0; k < parts; ++k)
      x[k].Store(to + k * Lanes<eT>::size);
  }
  //! Add the products of a and b.
  SYMVI_INLINE void Add(const Eight& a, const Eight& b)
  {
    for (size_t k = 0; k < parts; ++k)
      x[k].Add(a.x[k], b.x[k]);
  }
};

/**
 * T[p][b][l] = A[p + |l|, b] for the eight sets l of the first three columns:
 * what the rows p, ..., p + 3 have to say about column b, side by side.
 */
template<typename eT>
inline void PermanentTable(const eT* a, const size_t m, eT* table)
{
  const size_t ones[8] = { 0, 1, 1, 2, 1, 2, 2, 3 };
  for (size_t p = 0; p < m; ++p)
    for (size_t b = 0; b < m; ++b)
      for (size_t l = 0; l < 8; ++l)
        table[(p * m + b) * 8 + l] = (p + ones[l] < m) ?
            a[(p + ones[l]) * m + b] :
            eT(0);
}

/**
 * F of Permanent, for all 2^m sets, m >= 3.  Sets that differ only in the first
 * three columns are handled together, so that the inner loop is a product of
 * eight neighbours.
 */
template<typename eT>
SYMVI_MULTIVERSION
void PermanentForward(const eT* SYMVI_RESTRICT a,
    const eT* SYMVI_RESTRICT table, const size_t m, eT* forward)
{
  for (size_t h = 0; h < (size_t(1) << (m - 3)); ++h)
  {
    const size_t p = __builtin_popcountll(h);
    eT sum[8] = {};
    if (h == 0)
      sum[0] = eT(1);
    Eight<eT> lanes, t, f;
    lanes.Load(sum);
    const eT* rowTable = table + (p - (h != 0)) * m * 8 + 24;
    for (size_t rest = h; rest != 0; rest &= rest - 1)
    {
      t.Load(rowTable + size_t(__builtin_ctzll(rest)) * 8);
      f.Load(forward + (h & ~(rest & -rest)) * 8);
      lanes.Add(t, f);
    }
    lanes.Store(sum);
    // Within the eight: |l| = 1, 2, 3.
    const eT* r0 = a + p * m;
    const eT* r1 = (p + 1 < m) ? r0 + m : r0;
    const eT* r2 = (p + 2 < m) ? r1 + m : r1;
    sum[1] += r0[0] * sum[0];
    sum[2] += r0[1] * sum[0];
    sum[4] += r0[2] * sum[0];
    sum[3] += r1[0] * sum[2] + r1[1] * sum[1];
    sum[5] += r1[0] * sum[4] + r1[2] * sum[1];
    sum[6] += r1[1] * sum[4] + r1[2] * sum[2];
    sum[7] += r2[0] * sum[6] + r2[1] * sum[5] + r2[2] * sum[3];
    for (size_t l = 0; l < 8; ++l)
      forward[h * 8 + l] = sum[l];
  }
}

/**
 * B of Permanent, m >= 3, and sum F[S] B[S + b] for the marginals: for columns
 * b >= 3 in `parts`, laid out as the table; for the first three columns in
 * `firsts`, where the nine numbers from 9 p on belong to the rows p, p + 1 and
 * p + 2.  `a` has two rows of zeros after the last.
 */
template<typename eT>
SYMVI_MULTIVERSION
void PermanentBackward(const eT* SYMVI_RESTRICT a,
    const eT* SYMVI_RESTRICT table, const size_t m,
    const eT* SYMVI_RESTRICT forward, eT* backward, eT* SYMVI_RESTRICT parts,
    eT* SYMVI_RESTRICT firsts)
{
  const size_t all = (size_t(1) << (m - 3)) - 1;
  for (size_t h = all + 1; h-- > 0;)
  {
    const size_t p = __builtin_popcountll(h);
    const eT* f = forward + h * 8;
    const eT* rowTable = table + (p * m + 3) * 8;
    eT* rowParts = parts + (p * m + 3) * 8;
    eT sum[8] = {};
    if (h == all)
      sum[7] = eT(1);
    Eight<eT> lanes, own, t, b, part;
    lanes.Load(sum);
    own.Load(f);
    for (size_t rest = all & ~h; rest != 0; rest &= rest - 1)
    {
      const size_t at = size_t(__builtin_ctzll(rest)) * 8;
      t.Load(rowTable + at);
      b.Load(backward + (h | (rest & -rest)) * 8);
      part.Load(rowParts + at);
      lanes.Add(t, b);
      part.Add(own, b);
      part.Store(rowParts + at);
    }
    lanes.Store(sum);
    // Within the eight: row p + |l| takes column b.
    const eT* r0 = a + p * m;
    const eT* r1 = r0 + m;
    const eT* r2 = r1 + m;
    eT* w = firsts + 9 * p;
    w[6] += f[6] * sum[7];
    w[7] += f[5] * sum[7];
    w[8] += f[3] * sum[7];
    sum[6] += r2[0] * sum[7];
    sum[5] += r2[1] * sum[7];
    sum[3] += r2[2] * sum[7];
    w[3] += f[2] * sum[3] + f[4] * sum[5];
    w[4] += f[1] * sum[3] + f[4] * sum[6];
    w[5] += f[1] * sum[5] + f[2] * sum[6];
    sum[1] += r1[1] * sum[3] + r1[2] * sum[5];
    sum[2] += r1[0] * sum[3] + r1[2] * sum[6];
    sum[4] += r1[0] * sum[5] + r1[1] * sum[6];
    w[0] += f[0] * sum[1];
    w[1] += f[0] * sum[2];
    w[2] += f[0] * sum[4];
    sum[0] += r0[0] * sum[1] + r0[1] * sum[2] + r0[2] * sum[4];
    for (size_t l = 0; l < 8; ++l)
      backward[h * 8 + l] = sum[l];
  }
}

void Permanent::Reserve(const size_t m)
{
  const size_t n = (m < 3) ? 3 : m;
  forward.reserve(size_t(1) << n);
  backward.reserve(size_t(1) << n);
  table.reserve(8 * n * n);
  parts.reserve(8 * n * n);
  firsts.reserve(9 * n);
  extended.reserve((n + 2) * n);
  enlarged.reserve(9);
  small.reserve(9);
}

double Permanent::Compute(const double* a, const size_t m, double* marginals)
{
  if (m >= 3)
    return Run(a, m, marginals);
  // Ones on the rest of the diagonal change nothing.
  enlarged.assign(9, 0.0);
  small.assign(9, 0.0);
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      enlarged[i * 3 + j] = (i < m && j < m) ? a[i * m + j] :
                                               (i == j ? 1.0 : 0.0);
  const double value = Run(enlarged.data(), 3,
      marginals ? small.data() : nullptr);
  for (size_t i = 0; i < m && marginals; ++i)
    for (size_t j = 0; j < m; ++j)
      marginals[i * m + j] = small[i * 3 + j];
  return value;
}

double Permanent::Run(const double* a, const size_t m, double* marginals)
{
  const size_t sets = size_t(1) << m;
  forward.resize(sets);
  table.resize(8 * m * m);
  PermanentTable(a, m, table.data());
  PermanentForward(a, table.data(), m, forward.data());
  const double permanent = forward[sets - 1];
  if (!marginals)
    return permanent;
  for (size_t i = 0; i < m * m; ++i)
    marginals[i] = 0.0;
  if (!(permanent > 0.0))
    return permanent;
  backward.resize(sets);
  parts.assign(8 * m * m, 0.0);
  firsts.assign(9 * m, 0.0);
  extended.assign(a, a + m * m);
  extended.resize((m + 2) * m, 0.0);
  PermanentBackward(extended.data(), table.data(), m, forward.data(),
      backward.data(), parts.data(), firsts.data());
  const size_t ones[8] = { 0, 1, 1, 2, 1, 2, 2, 3 };
  for (size_t p = 0; p < m; ++p)
  {
    for (size_t b = 3; b < m; ++b)
      for (size_t l = 0; l < 8; ++l)
        if (p + ones[l] < m)
          marginals[(p + ones[l]) * m + b] += parts[(p * m + b) * 8 + l];
    for (size_t k = 0; k < 9 && p + k / 3 < m; ++k)
      marginals[(p + k / 3) * m + k % 3] += firsts[9 * p + k];
  }
  for (size_t i = 0; i < m * m; ++i)
    marginals[i] *= a[i] / permanent;
  return permanent;
}

} // namespace information
} // namespace symvi
