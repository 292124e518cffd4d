/**
 * @file src/kernel/adam_step.cpp
 */
#include "kernel/adam_step.hpp"
#include "kernel/multiversion.hpp"

#include "kernel/share_blocks.hpp"
#include "kernel/sqrt_array.hpp"

namespace symvi {
namespace kernel {

//! The moments of a few parameters; v also goes to square.
template<typename eT>
SYMVI_INLINE void AdamMoments(const AdamCoefficients<eT>& c, const size_t n,
    const eT* SYMVI_RESTRICT g, eT* SYMVI_RESTRICT m, eT* SYMVI_RESTRICT v,
    eT* SYMVI_RESTRICT square)
{
  const eT b1 = c.beta1, a1 = c.oneMinusBeta1;
  const eT b2 = c.beta2, a2 = c.oneMinusBeta2;
  for (size_t i = 0; i < n; ++i)
  {
    m[i] = m[i] * b1 + a1 * g[i];
    square[i] = v[i] * b2 + a2 * (g[i] * g[i]);
    v[i] = square[i];
  }
}

template<typename eT>
SYMVI_INLINE void AdamMove(const AdamCoefficients<eT>& c, const size_t n,
    const eT* SYMVI_RESTRICT m, const eT* SYMVI_RESTRICT root,
    eT* SYMVI_RESTRICT x)
{
  const eT step = c.step, epsilon = c.epsilon;
  for (size_t i = 0; i < n; ++i)
    x[i] -= (step * m[i]) / (root[i] + epsilon);
}

template<typename eT>
SYMVI_MULTIVERSION_EXACT
void AdamPass(const AdamCoefficients<eT>& c, const size_t n, const eT* g, eT* m,
    eT* v, eT* x)
{
  // A fixed length, which compilers vectorise without further questions.
  constexpr size_t chunk = 256;
  eT root[chunk];
  size_t i = 0;
  for (; i + chunk <= n; i += chunk)
  {
    AdamMoments(c, chunk, g + i, m + i, v + i, root);
    SqrtArray(root, root, chunk);
    AdamMove(c, chunk, m + i, root, x + i);
  }
  AdamMoments(c, n - i, g + i, m + i, v + i, root);
  SqrtArray(root, root, n - i);
  AdamMove(c, n - i, m + i, root, x + i);
}

template<typename eT>
void AdamStep(const AdamCoefficients<eT>& c, const size_t n, const eT* g, eT* m,
    eT* v, eT* x)
{
  ShareBlocks(n, 1 << 15,
      [&](const size_t i, const size_t count)
      { AdamPass(c, count, g + i, m + i, v + i, x + i); });
}

template void AdamStep(const AdamCoefficients<float>&, size_t, const float*,
    float*, float*, float*);
template void AdamStep(const AdamCoefficients<double>&, size_t, const double*,
    double*, double*, double*);

} // namespace kernel
} // namespace symvi
