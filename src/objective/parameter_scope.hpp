/**
 * @file src/objective/parameter_scope.hpp
 *
 * A network that evaluates at other parameters than its own.
 */
#ifndef SYMVI_SRC_OBJECTIVE_PARAMETER_SCOPE_HPP
#define SYMVI_SRC_OBJECTIVE_PARAMETER_SCOPE_HPP

#include <algorithm>
#include <symvi/require.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace symvi {
namespace objective {

/**
 * A network evaluates at its own parameters only, while some optimizers, such
 * as L-BFGS, evaluate away from their iterate, which may be those very
 * parameters.  Within the scope the network has the parameters given; at its
 * end it has its own again.
 */
template<typename MatType>
class ParameterScope
{
 public:
  /**
   * @param own The network's parameters.
   * @param given Where to evaluate; the same memory costs nothing.
   * @param kept Memory for the network's own parameters meanwhile.
   */
  ParameterScope(MatType& own, const MatType& given, MatType& kept) :
      own(own),
      kept(kept),
      differ(own.memptr() != given.memptr())
  {
    if (!differ)
      return;
    if (own.n_elem != given.n_elem)
      Refuse("ELBO",
          "there must be " + std::to_string(own.n_elem) + " parameters",
          "there are " + std::to_string(given.n_elem));
    kept = own;
    std::copy(given.begin(), given.end(), own.begin());
  }

  ~ParameterScope()
  {
    if (differ)
      std::copy(kept.begin(), kept.end(), own.begin());
  }

  ParameterScope(const ParameterScope&) = delete;
  ParameterScope& operator=(const ParameterScope&) = delete;

 private:
  MatType& own;
  MatType& kept;
  bool differ;
};

} // namespace objective
} // namespace symvi

#endif
