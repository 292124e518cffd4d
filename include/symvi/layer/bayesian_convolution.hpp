/**
 * @file symvi/layer/bayesian_convolution.hpp
 *
 * A two-dimensional convolution with a mean-field Gaussian posterior over its
 * filters.
 */
#ifndef SYMVI_LAYER_BAYESIAN_CONVOLUTION_HPP
#define SYMVI_LAYER_BAYESIAN_CONVOLUTION_HPP

#include "bayesian_linear.hpp"

#include <tuple>

namespace symvi {

/**
 * What a convolution does to one image: an array of width x height x maps
 * numbers, the width fastest.  With zeros around the image,
 *
 *   patch p = (x, y) of the image holds, for map c and place (i, j) of the
 *   filter, the pixel (x strideWidth + i - padLeft,
 *   y strideHeight + j - padTop) of map c.
 */
struct ConvolutionShape
{
  size_t width = 0, height = 0, maps = 0;
  size_t kernelWidth = 0, kernelHeight = 0;
  size_t strideWidth = 1, strideHeight = 1;
  size_t padLeft = 0, padRight = 0, padTop = 0, padBottom = 0;

  size_t OutWidth() const
  {
    return (width + padLeft + padRight - kernelWidth) / strideWidth + 1;
  }
  size_t OutHeight() const
  {
    return (height + padTop + padBottom - kernelHeight) / strideHeight + 1;
  }
  //! Numbers of an image.
  size_t ImageSize() const { return width * height * maps; }
  //! Numbers of a patch.
  size_t PatchSize() const { return kernelWidth * kernelHeight * maps; }
  //! Patches of an image: pixels of an output map.
  size_t Patches() const { return OutWidth() * OutHeight(); }
};

/**
 * mlpack's Convolution with independent Gaussian weights: every output map is
 * a linear function W x + b of the patches of the input, the same for all of
 * them, with
 *
 *   W = mu + sigma % eps,  sigma = softplus(rho),  eps ~ N(0, I)
 *   Loss() = KLWeight() * KL(q || N(m, s^2 I))
 *
 * and one draw of W and b for all patches and all points of a batch.  The
 * prior, the draws and the gradients are those of BayesianLinear, with a row of
 * W for each output map and a column for each number of a patch: mu(W) is
 * OutSize() x InSize() = maps x (kernelWidth kernelHeight inMaps), and column
 * i + kernelWidth (j + kernelHeight c) is place (i, j) of the filters of input
 * map c.  That is mlpack's order of weights with W transposed.
 *
 * Patches share their weights, so that outputs of a point are not independent
 * given the input: Sampling::Local is refused.
 *
 * @tparam MatType arma::mat or arma::fmat.
 */
template<typename MatType = arma::mat>
class BayesianConvolutionType : public BayesianLinearType<MatType>
{
 public:
  using ElemType = typename MatType::elem_type;

  //! An empty layer, to be filled by serialize().
  BayesianConvolutionType() : BayesianConvolutionType(0, 0, 0) { }

  /**
   * @param maps Number of output maps.
   * @param kernelWidth Width of the filters.
   * @param kernelHeight Height of the filters.
   * @param strideWidth Step between patches in the x direction.
   * @param strideHeight Step between patches in the y direction.
   * @param padW Zeros to the left and to the right of the input.
   * @param padH Zeros above and below the input.
   * @param paddingType "valid" for no zeros, "same" for as many as make the
   *     output as large as the input, "none" for padW and padH.
   * @param useBias Whether each map has a bias.
   * @param options Prior, initialisation and evaluation mode.
   */
  BayesianConvolutionType(const size_t maps, const size_t kernelWidth,
      const size_t kernelHeight, const size_t strideWidth = 1,
      const size_t strideHeight = 1, const size_t padW = 0,
      const size_t padH = 0, const std::string& paddingType = "none",
      const bool useBias = true,
      const BayesianOptions& options = BayesianOptions());

  /**
   * @param padW Zeros to the left and to the right of the input.
   * @param padH Zeros above and below the input.
   */
  BayesianConvolutionType(const size_t maps, const size_t kernelWidth,
      const size_t kernelHeight, const size_t strideWidth,
      const size_t strideHeight, const std::tuple<size_t, size_t>& padW,
      const std::tuple<size_t, size_t>& padH,
      const std::string& paddingType = "none", const bool useBias = true,
      const BayesianOptions& options = BayesianOptions());

  //! Stride 1, no zeros around the input, and a bias.
  BayesianConvolutionType(const size_t maps, const size_t kernelWidth,
      const size_t kernelHeight, const BayesianOptions& options);

  BayesianConvolutionType* Clone() const override
  {
    return new BayesianConvolutionType(*this);
  }

  void ComputeOutputDimensions() override;
  size_t InputRows() const override;

  //! Number of output maps.
  size_t Maps() const { return this->outSize; }
  //! Sizes of input, filters, strides and padding; those of the input, and
  //! padding of type "same", are known once the network's dimensions are.
  const ConvolutionShape& Shape() const { return shape; }
  //! Images per point: the product of its dimensions from the fourth on.
  size_t Images() const { return images; }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(cereal::make_nvp("layer",
        cereal::base_class<BayesianLinearType<MatType>>(this)));
    ar(cereal::make_nvp("width", shape.width));
    ar(cereal::make_nvp("height", shape.height));
    ar(cereal::make_nvp("maps", shape.maps));
    ar(cereal::make_nvp("kernelWidth", shape.kernelWidth));
    ar(cereal::make_nvp("kernelHeight", shape.kernelHeight));
    ar(cereal::make_nvp("strideWidth", shape.strideWidth));
    ar(cereal::make_nvp("strideHeight", shape.strideHeight));
    ar(cereal::make_nvp("padLeft", shape.padLeft));
    ar(cereal::make_nvp("padRight", shape.padRight));
    ar(cereal::make_nvp("padTop", shape.padTop));
    ar(cereal::make_nvp("padBottom", shape.padBottom));
    ar(CEREAL_NVP(images));
    ar(CEREAL_NVP(paddingType));
  }

 protected:
  void Multiply(const ElemType* weights, const MatType& input,
      MatType& output) override;
  void MultiplyTransposed(const ElemType* weights, const MatType& gy,
      const ElemType beta, MatType& g) override;
  void WeightGradient(const MatType& input, const MatType& error,
      const ElemType beta, ElemType* gradient) override;
  void ForwardLocal(const MatType& input, MatType& output) override;
  size_t FanOut() const override
  {
    return this->outSize * shape.kernelWidth * shape.kernelHeight;
  }
  const char* Name() const override { return "BayesianConvolution"; }

 private:
  ConvolutionShape shape;
  size_t images = 1;
  std::string paddingType;
};

SYMVI_LAYER_NAME(BayesianConvolution);

extern template class BayesianConvolutionType<arma::mat>;
extern template class BayesianConvolutionType<arma::fmat>;

} // namespace symvi

#endif
