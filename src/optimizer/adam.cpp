/**
 * @file src/optimizer/adam.cpp
 */
#include <symvi/optimizer/adam.hpp>

#include "kernel/adam_step.hpp"
#include <symvi/kernel/threads.hpp>

#include <type_traits>

namespace symvi {
namespace optimizer {

template<typename eT>
void AdamStep(const ens::AdamUpdate& settings, const size_t t,
    const double stepSize, const size_t n, const eT* gradient, eT* m, eT* v,
    eT* x)
{
  const kernel::FlushDenormals flush;
  // ensmallen 3 computes the coefficients in the type of the iterate.
  using Real = std::conditional_t<(ENS_VERSION_MAJOR >= 3), eT, double>;
  kernel::AdamStep(kernel::MakeAdamCoefficients<eT, Real>(t, stepSize,
                       settings.Beta1(), settings.Beta2(), settings.Epsilon()),
      n, gradient, m, v, x);
}

template void AdamStep(const ens::AdamUpdate&, const size_t, const double,
    const size_t, const float*, float*, float*, float*);
template void AdamStep(const ens::AdamUpdate&, const size_t, const double,
    const size_t, const double*, double*, double*, double*);

} // namespace optimizer
} // namespace symvi
