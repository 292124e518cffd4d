/**
 * @file symvi/symmetry/posterior_view.hpp
 *
 * One Bayesian weight matrix as the estimators of I(g; w) see it.
 */
#ifndef SYMVI_SYMMETRY_POSTERIOR_VIEW_HPP
#define SYMVI_SYMMETRY_POSTERIOR_VIEW_HPP

#include <cstddef>

namespace symvi {

/**
 * The mean-field posterior q = N(mu, diag(sigma^2)) of one weight matrix W and
 * its bias b, and a draw w = mu + sigma % eps from it.  The memory belongs to
 * somebody else.
 *
 * Every array holds W (outSize x inSize, column-major) followed by b (outSize)
 * if hasBias.  Row r of W and b[r] belong to output unit r, column c of W to
 * input unit c.
 */
template<typename eT>
struct PosteriorView
{
  //! Rows of W: units behind this layer.
  size_t outSize = 0;
  //! Columns of W: units in front of this layer.
  size_t inSize = 0;
  //! Whether a bias follows W.
  bool hasBias = false;
  //! Means.
  const eT* mu = nullptr;
  //! Standard deviations, all positive.
  const eT* sigma = nullptr;
  //! The draw; may be null where only the posterior matters.
  const eT* weight = nullptr;

  //! Length of every array.
  size_t Elements() const { return outSize * (inSize + (hasBias ? 1 : 0)); }

  //! Columns of W and the bias: how many arrays of outSize numbers there are.
  size_t Columns() const { return inSize + (hasBias ? 1 : 0); }
};

} // namespace symvi

#endif
