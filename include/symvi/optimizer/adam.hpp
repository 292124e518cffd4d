/**
 * @file symvi/optimizer/adam.hpp
 *
 * Adam with the iterates of ens::Adam in a fraction of its time, and one way to
 * state a step size for every version of ensmallen.
 */
#ifndef SYMVI_OPTIMIZER_ADAM_HPP
#define SYMVI_OPTIMIZER_ADAM_HPP

#include <symvi/prereqs.hpp>

#include <cstddef>

namespace symvi {
namespace optimizer {

/**
 * Step t = 1, 2, ... of AdamUpdate.
 *
 * @param settings Decay rates and epsilon.
 * @param n Length of all arrays.
 * @param gradient The gradient.
 * @param m, v First and second moments.
 * @param x The parameters.
 */
template<typename eT>
void AdamStep(const ens::AdamUpdate& settings, const size_t t,
    const double stepSize, const size_t n, const eT* gradient, eT* m, eT* v,
    eT* x);

} // namespace optimizer

/**
 * An update policy for ens::SGD and ens::AdamType: the same steps as
 * ens::AdamUpdate of the ensmallen at hand,
 *
 *   m <- beta1 m + (1 - beta1) g,   v <- beta2 v + (1 - beta2) g^2,
 *   x <- x - stepSize sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + epsilon),
 *
 * bit for bit (unless the compiler may contract a * b + c, as with
 * -march=native: then up to the last place), in one pass over the parameters
 * instead of five.  Denormal numbers count as zero.  Dense matrices of
 * float or double only.
 */
class AdamUpdate : public ens::AdamUpdate
{
 public:
  /**
   * @param epsilon Added to the root of the second moment.
   * @param beta1 Decay of the first moment.
   * @param beta2 Decay of the second moment.
   */
  AdamUpdate(const double epsilon = 1e-8, const double beta1 = 0.9,
      const double beta2 = 0.999) :
      ens::AdamUpdate(epsilon, beta1, beta2)
  { }

  //! The state of one optimization, as ensmallen asks for it.
  template<typename MatType, typename GradType>
  class Policy
  {
   public:
    Policy(AdamUpdate& parent, const size_t rows, const size_t cols) :
        parent(parent),
        m(rows, cols, arma::fill::zeros),
        v(rows, cols, arma::fill::zeros),
        iteration(0)
    { }

    //! Move the iterate by one step.
    void Update(MatType& iterate, const double stepSize,
        const GradType& gradient)
    {
      optimizer::AdamStep(parent, ++iteration, stepSize, iterate.n_elem,
          gradient.memptr(), m.memptr(), v.memptr(), iterate.memptr());
    }

   private:
    AdamUpdate& parent;
    //! First and second moment.
    GradType m, v;
    size_t iteration;
  };
};

/**
 * A drop-in for ens::Adam: the same constructor arguments and accessors.
 *
 * @code
 * symvi::Adam adam(1e-3, 100);
 * adam.MaxIterations() = 10 * X.n_cols;
 * model.Train(X, y, adam);
 * @endcode
 */
using Adam = ens::AdamType<AdamUpdate>;

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
