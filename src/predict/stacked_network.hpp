/**
 * @file src/predict/stacked_network.hpp
 *
 * Forward passes of a network under several weight draws at once.
 */
#ifndef SYMVI_SRC_PREDICT_STACKED_NETWORK_HPP
#define SYMVI_SRC_PREDICT_STACKED_NETWORK_HPP

#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/network/layer_registry.hpp>

#include "predict/activation.hpp"
#include "predict/posterior_sampler.hpp"

#include <memory>

namespace symvi {

/**
 * A network evaluated under B weight draws together, for a batch of n points.
 *
 *  - The layers in front of the first Bayesian one, the prefix, do not depend
 *    on the draw: Features() runs them once.
 *  - The first Bayesian layer sees the same input under every draw.  Its draws
 *    are stacked into one (B d) x D matrix: one large product.
 *  - Its result, (B d) x n, is read as d x (B n), the draws of a point side by
 *    side.  In evaluation mode mlpack's layers treat columns independently, so
 *    that all other layers run once on this matrix.
 *  - Further Bayesian layers take one product per draw, on strided blocks of
 *    it; nothing is copied.
 *  - A convolution multiplies the patches of its input; the first Bayesian
 *    layer gathers those of a point once for all draws.
 *
 * Layers that are not Bayesian are cloned in evaluation mode, with their
 * weights aliasing the parameters given: the network itself, its draws and its
 * training mode are not touched.  Several stacked networks of one network may
 * run in different threads.
 */
template<typename MatType = arma::mat>
class StackedNetwork
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param layers Layers of a network whose dimensions are known.
   * @param parameters Its parameters; must outlive this object.
   */
  StackedNetwork(const std::vector<mlpack::Layer<MatType>*>& layers,
      const MatType& parameters);

  //! Rows of the input and of the output of the network.
  size_t InSize() const { return inSize; }
  size_t OutSize() const { return outSize; }
  //! Rows that the first Bayesian layer adds per draw; 0 if there is none.
  size_t StackedRows() const;
  //! Rows of the widest matrix behind the first Bayesian layer.
  size_t MaxRows() const { return maxRows; }
  //! Whether layers stand in front of the first Bayesian one.
  bool HasPrefix() const { return firstBayesian > 0; }

  //! Run the prefix; only to be called if HasPrefix().
  void Features(const MatType& points, MatType& features);

  //! Take draws first .. first + count - 1 of the sampler.
  void SetDraws(const PosteriorSampler<MatType>& sampler, const size_t first,
      const size_t count);

  /**
   * Run the network behind the prefix under the current draws.
   *
   * @param features Columns of Features(), or of the input.
   * @param points Number of columns.
   * @return OutSize() x (draws * points), the draws of a point side by side;
   *     valid and writable until the next call.
   */
  ElemType* Forward(const ElemType* features, const size_t points);

 private:
  //! A layer behind the prefix.
  struct Step
  {
    //! The clone, or nothing for a Bayesian layer.
    std::unique_ptr<mlpack::Layer<MatType>> layer;
    //! Which activation it is, if one that is done in place.
    Activation activation = Activation::Other;
    //! Which Bayesian layer it is.
    size_t bayesian = 0;
    //! Numbers per point that come out.
    size_t outSize = 0;
    //! Rows and columns of W.
    size_t rows = 0, cols = 0;
    bool hasBias = false;
    //! Images per point of a convolution, 0 for any other layer.
    size_t images = 0;
    ConvolutionShape shape;
    //! Draws: (draws rows) x cols for the first Bayesian layer, else rows x
    //! (cols draws).
    MatType weight;
    //! rows x draws.
    MatType bias;
  };

  //! Clone a layer and point it at its part of the parameters.
  std::unique_ptr<mlpack::Layer<MatType>> Bind(
      const mlpack::Layer<MatType>& layer, const MatType& parameters,
      const size_t offset) const;
  //! y = W x + b under all draws, x shared or stacked.
  void Product(const Step& step, const ElemType* x, const bool shared,
      const size_t points, MatType& y) const;
  //! The same for a convolution.
  void Convolve(const Step& step, const ElemType* x, const bool shared,
      const size_t points, MatType& y);

  std::vector<std::unique_ptr<mlpack::Layer<MatType>>> prefix;
  std::vector<Step> steps;
  size_t firstBayesian;
  size_t inSize, outSize, maxRows;
  size_t draws;
  //! Outputs of successive layers, in turn.
  MatType buffers[2];
  std::vector<MatType> drawn;
  //! Patches of one image.
  MatType patches;
};

} // namespace symvi

#endif
