/**
 * @file symvi/optimizer/step_size.hpp
 *
 * One way to state a step size for every version of ensmallen.
 */
#ifndef SYMVI_OPTIMIZER_STEP_SIZE_HPP
#define SYMVI_OPTIMIZER_STEP_SIZE_HPP

#include <symvi/network/mlpack_version.hpp>

namespace symvi {

/**
 * The step size to give to an ensmallen optimizer of the SGD family (SGD, Adam,
 * RMSProp, ...) for a step of `step` per batch.
 *
 * ensmallen up to 3.9 multiplies the gradient of a batch by the step size;
 * later versions first divide the step size by the number of points in the
 * batch, unless ENS_OLD_SEPARABLE_STEP_BEHAVIOR is defined.  Adam does not
 * notice the scale of the gradient, so that its steps become that much shorter.
 * With
 *
 * @code
 * ens::Adam adam(symvi::StepSize(1e-3, 100), 100);
 * @endcode
 *
 * a program takes the same steps with all of them, as long as all batches are
 * full: a shorter last batch of an epoch takes a longer step in ensmallen 3.10
 * and later.
 *
 * @param step Step size per batch.
 * @param batchSize Points per batch, the same that the optimizer is given.
 */
inline double StepSize(const double step, const size_t batchSize)
{
  return SYMVI_ENS_STEP_PER_POINT ? step * double(batchSize) : step;
}

} // namespace symvi

#endif
