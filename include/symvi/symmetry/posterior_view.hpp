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
 * input unit c / block: a unit may have several columns, one for every place of
 * a filter if it is an input map of a convolution, or one for every pixel if it
 * is a map in front of a dense layer.
 */
template<typename eT>
struct PosteriorView
{
  //! Rows of W: units behind this layer.
  size_t outSize = 0;
  //! Columns of W.
  size_t inSize = 0;
  //! Whether a bias follows W.
  bool hasBias = false;
  //! Means.
  const eT* mu = nullptr;
  //! Standard deviations, all positive.
  const eT* sigma = nullptr;
  //! The draw; may be null where only the posterior matters.
  const eT* weight = nullptr;
  //! Neighbouring columns of W that belong to one unit in front of this layer.
  size_t block = 1;

  //! Length of every array.
  size_t Elements() const { return outSize * (inSize + (hasBias ? 1 : 0)); }

  //! Units in front of this layer.
  size_t InUnits() const { return inSize / block; }

  //! Where column c lies when the columns of its unit lie where those of unit
  //! `unit` are now.
  size_t Moved(const size_t c, const size_t unit) const
  {
    return unit * block + c % block;
  }

  //! Weights of W that belong to one unit in front; they lie side by side.
  size_t Outgoing() const { return block * outSize; }

  //! Columns of W and the bias: how many arrays of outSize numbers there are.
  size_t Columns() const { return inSize + (hasBias ? 1 : 0); }
};

} // namespace symvi

#endif
