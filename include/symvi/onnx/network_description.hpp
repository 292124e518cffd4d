/**
 * @file symvi/onnx/network_description.hpp
 *
 * What a trained network is, without the classes that trained it: the form in
 * which networks enter and leave symvi.
 */
#ifndef SYMVI_ONNX_NETWORK_DESCRIPTION_HPP
#define SYMVI_ONNX_NETWORK_DESCRIPTION_HPP

#include <symvi/network/activation.hpp>

#include <armadillo>

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace symvi {

//! Type of the numbers that a network was trained with and is stored in.
enum class ElementKind
{
  Float,
  Double
};

//! What the rows z of the last dense layer mean.
enum class OutputKind
{
  Raw,        //!< z itself.
  Softmax,    //!< Class probabilities softmax(z).
  LogSoftmax, //!< Logarithms of class probabilities.
  Bernoulli,  //!< Independent probabilities sigmoid(z).
  Gaussian    //!< Means (and, by the noise kind, raw noise) of real targets.
};

//! Observation noise of a Gaussian output.
enum class NoiseKind
{
  None,           //!< Unknown: no aleatoric part.
  Fixed,          //!< Standard deviation chosen by the user.
  Homoscedastic,  //!< Standard deviation learned, the same for every input.
  Heteroscedastic //!< z = [means; raw], u = softplus(raw) + 1e-6, and
                  //!< stddev u, or u limit / (u + limit).
};

//! Sizes of what a layer takes or gives: width x height x maps numbers, the
//! width fastest, as in mlpack; a vector has width and height 1.
struct Extent
{
  size_t width = 1, height = 1, maps = 1;
  bool isImage = false; //!< Convolutions and pooling take images only.

  //! The product.
  size_t Size() const { return width * height * maps; }
};

//! What a layer computes before its activation.
enum class LayerKind
{
  Dense,       //!< weight * x + bias; an image becomes a vector.
  Convolution, //!< The same of every patch; see Window.
  MaxPooling,  //!< Largest number of every window, map by map.
  MeanPooling, //!< Mean of every window, map by map.
  Padding,     //!< Zeros around every map.
  BatchNorm,   //!< weight % (x - mean) / sqrt(variance + epsilon) + bias.
  LayerNorm    //!< The same, with the mean and variance of x itself.
};

//! "dense", "convolution", "max pooling" ...
const char* Name(LayerKind kind);

/**
 * The windows of an image that a layer sees, one per number of an output map:
 * window (x, y) begins at pixel (x strideWidth - padLeft,
 * y strideHeight - padTop), with zeros around the image.
 */
struct Window
{
  size_t width = 1, height = 1;
  size_t strideWidth = 1, strideHeight = 1;
  size_t padLeft = 0, padRight = 0, padTop = 0, padBottom = 0;
  //! Pooling: the last windows may reach beyond the image, and are cut there.
  bool isPartial = false;
};

/**
 * a(z), with z from the layer's input as its kind says.  The weights of dense
 * layers and convolutions are points or mean-field Gaussians.
 *
 * A convolution has a row of weights for each output map, and column i + width
 * (j + height c) for place (i, j) of the window in input map c.  The weight of
 * BatchNorm is a column, one number per map or one per number of x; that of
 * LayerNorm has one per number of x.
 */
struct LayerDescription
{
  LayerKind kind = LayerKind::Dense;
  arma::mat weight;      //!< Mean, outSize x inSize.
  arma::vec bias;        //!< Mean, outSize; empty: no bias.
  arma::mat weightSigma; //!< Standard deviations; empty: weights are points.
  arma::vec biasSigma;   //!< Standard deviations; empty as weightSigma is.
  Window window;         //!< Of convolutions, pooling and padding.
  arma::vec mean;        //!< Of BatchNorm, as long as its weight.
  arma::vec variance;    //!< Of BatchNorm, as long as its weight.
  double epsilon = 0.0;  //!< Of BatchNorm and LayerNorm.
  Activation activation = Activation::Identity;
  double alpha = 0.0; //!< Parameter of LeakyReLU and ELU.

  //! Whether the layer holds a posterior rather than points.
  bool IsBayesian() const { return !weightSigma.is_empty(); }
  //! Number of weights and biases.
  size_t Size() const { return weight.n_elem + bias.n_elem; }
  //! What the layer gives for an input of that extent; std::invalid_argument
  //! where it does not fit.
  Extent Output(const Extent& input) const;
};

/**
 * A network on one column x of data:
 *
 *   h_0 = (x - inputMean) / inputScale,   h_l = a_l(z_l(h_(l-1))),
 *
 * the output kind applied to h_L; Gaussian outputs are finally brought to the
 * targets' unit by y = targetMean + targetScale % m.
 */
struct NetworkDescription
{
  std::vector<LayerDescription> layers;
  //! Sizes of the input where it is an image.
  Extent input;
  arma::vec inputMean;  //!< Empty: the input is not standardised.
  arma::vec inputScale; //!< Empty as inputMean is.
  OutputKind output = OutputKind::Raw;
  NoiseKind noise = NoiseKind::None;
  //! Heteroscedastic: limit of the stddev; infinite for none.
  double noiseLimit = std::numeric_limits<double>::infinity();
  arma::vec noiseStddev; //!< Fixed and Homoscedastic: one entry per target.
  arma::vec targetMean;  //!< Empty: targets are not standardised.
  arma::vec targetScale; //!< Empty as targetMean is.
  std::vector<std::string> classNames; //!< Empty, or one entry per class.
  //! Facts about the model (prior, estimator, ELBO ...) that travel with it.
  std::map<std::string, std::string> metadata;
  ElementKind element = ElementKind::Double;

  //! Sizes of the input, then of what every layer gives;
  //! std::invalid_argument where two layers do not fit together.
  std::vector<Extent> Extents() const;
  //! Number of input features; 0 without layers.
  size_t InSize() const
  {
    return input.isImage ? input.Size() :
        layers.empty()   ? 0 :
                           InSize(layers.front());
  }
  //! Numbers that the last layer gives; 0 without layers.
  size_t OutSize() const
  {
    return layers.empty() ? 0 : Extents().back().Size();
  }
  //! Number of targets or classes: OutSize(), half of it with learned noise.
  size_t TargetSize() const
  {
    return (output == OutputKind::Gaussian &&
               noise == NoiseKind::Heteroscedastic) ?
        OutSize() / 2 :
        OutSize();
  }
  //! Number of weights and biases that have a standard deviation.
  size_t PosteriorSize() const
  {
    size_t size = 0;
    for (const LayerDescription& layer : layers)
      size += layer.IsBayesian() ? layer.Size() : 0;
    return size;
  }

 private:
  //! Size of the vectors that a layer takes.
  static size_t InSize(const LayerDescription& layer)
  {
    return layer.kind == LayerKind::Dense ? layer.weight.n_cols :
                                            layer.weight.n_elem;
  }
};

} // namespace symvi

#endif
