#include <symvi/onnx/file.hpp>

#include <cmath>
#include <stdexcept>

namespace symvi {
namespace onnx {

namespace {

void Require(const bool condition, const std::string& what)
{
  if (!condition)
    throw std::invalid_argument("NetworkDescription: " + what + ".");
}

std::string Shape(const arma::mat& matrix)
{
  return std::to_string(matrix.n_rows) + " x " + std::to_string(matrix.n_cols);
}

void ValidateSigmas(const LayerDescription& layer, const std::string& where)
{
  if (layer.weightSigma.is_empty())
  {
    Require(layer.biasSigma.is_empty(),
        where +
            " has standard deviations of "
            "its biases but not of its weights");
    return;
  }
  Require(arma::size(layer.weightSigma) == arma::size(layer.weight),
      where + "'s standard deviations must be " + Shape(layer.weight) +
          ", but are " + Shape(layer.weightSigma));
  Require(layer.biasSigma.n_elem == layer.bias.n_elem,
      where + " must have " + std::to_string(layer.bias.n_elem) +
          " standard deviations of biases, "
          "but has " +
          std::to_string(layer.biasSigma.n_elem));
  Require(layer.weightSigma.is_finite() && layer.biasSigma.is_finite() &&
          layer.weightSigma.min() >= 0.0 &&
          (layer.biasSigma.is_empty() || layer.biasSigma.min() >= 0.0),
      where + "'s standard deviations must be finite and not negative");
}

void ValidateActivation(const LayerDescription& layer, const std::string& where)
{
  // max(z, alpha z), mlpack's form, is ONNX's LeakyRelu for these alpha only.
  if (layer.activation == Activation::LeakyReLU)
    Require(layer.alpha >= 0.0 && layer.alpha <= 1.0,
        where +
            "'s LeakyReLU "
            "must have alpha in [0, 1], but has " +
            std::to_string(layer.alpha));
  if (layer.activation == Activation::ELU)
    Require(layer.alpha > 0.0 && std::isfinite(layer.alpha),
        where +
            "'s ELU "
            "must have a positive alpha, but has " +
            std::to_string(layer.alpha));
}

//! Layers without weights.
void ValidateEmpty(const LayerDescription& layer, const std::string& where)
{
  Require(layer.Size() == 0 && !layer.IsBayesian(),
      where + " must have no weights, as it is of kind " + Name(layer.kind));
}

void ValidateNorm(const LayerDescription& layer, const std::string& where)
{
  const size_t n = layer.weight.n_elem;
  const bool batch = layer.kind == LayerKind::BatchNorm;
  Require(layer.weight.n_cols == 1 && layer.bias.n_elem == n &&
          !layer.IsBayesian(),
      where +
          " must have a column of weights, as many biases, and no "
          "posterior");
  Require(layer.mean.n_elem == (batch ? n : 0) &&
          layer.variance.n_elem == (batch ? n : 0),
      where +
          " must have a mean and a variance for each weight of a batch "
          "norm, and none otherwise");
  Require(layer.mean.is_finite() && layer.variance.is_finite() &&
          std::isfinite(layer.epsilon) && layer.epsilon >= 0.0 &&
          (!batch || layer.variance.min() + layer.epsilon > 0.0),
      where + " must have finite means, and positive variances");
}

void ValidateLayer(const LayerDescription& layer, const std::string& where)
{
  const bool norm = layer.kind == LayerKind::BatchNorm ||
      layer.kind == LayerKind::LayerNorm;
  if (norm || layer.kind == LayerKind::Dense ||
      layer.kind == LayerKind::Convolution)
    Require(!layer.weight.is_empty(), where + " has no weights");
  else
    ValidateEmpty(layer, where);
  if (norm)
    ValidateNorm(layer, where);
  Require(layer.bias.is_empty() || layer.bias.n_elem == layer.weight.n_rows,
      where + " must have " + std::to_string(layer.weight.n_rows) +
          " biases, but has " + std::to_string(layer.bias.n_elem));
  Require(layer.weight.is_finite() && layer.bias.is_finite(),
      where + "'s weights must be finite");
  ValidateSigmas(layer, where);
  ValidateActivation(layer, where);
}

//! Location and scale: both empty, or both of one length, scale positive.
void ValidateScaling(const arma::vec& mean, const arma::vec& scale,
    const size_t size, const std::string& what)
{
  Require(mean.n_elem == scale.n_elem,
      what +
          " must have as many means as "
          "scales, but has " +
          std::to_string(mean.n_elem) + " and " + std::to_string(scale.n_elem));
  if (mean.is_empty())
    return;
  Require(mean.n_elem == size,
      what + " must have " + std::to_string(size) + " entries, but has " +
          std::to_string(mean.n_elem));
  Require(mean.is_finite() && scale.is_finite() && scale.min() > 0.0,
      what + " must have finite means and positive scales");
}

void ValidateNoise(const NetworkDescription& d)
{
  if (d.output != OutputKind::Gaussian)
  {
    Require(d.noise == NoiseKind::None, "noise belongs to a Gaussian output");
    return;
  }
  Require(d.noiseLimit > 0.0, "noiseLimit must be positive");
  if (d.noise == NoiseKind::Heteroscedastic)
    Require(d.OutSize() % 2 == 0,
        "heteroscedastic noise needs an even number "
        "of outputs, but there are " +
            std::to_string(d.OutSize()));
  if (d.noise == NoiseKind::Fixed || d.noise == NoiseKind::Homoscedastic)
    Require(d.noiseStddev.n_elem == d.TargetSize() &&
            d.noiseStddev.is_finite() && d.noiseStddev.min() > 0.0,
        "noiseStddev must hold one positive number for each of " +
            std::to_string(d.TargetSize()) + " targets");
}

} // namespace

void Validate(const NetworkDescription& description)
{
  Require(!description.layers.empty(), "there are no layers");
  for (size_t i = 0; i < description.layers.size(); ++i)
    ValidateLayer(description.layers[i], "layer " + std::to_string(i));
  description.Extents(); // Throws where layers do not fit together.
  ValidateScaling(description.inputMean, description.inputScale,
      description.InSize(), "the input's standardisation");
  ValidateScaling(description.targetMean, description.targetScale,
      description.TargetSize(), "the targets' standardisation");
  Require(description.targetMean.is_empty() ||
          description.output == OutputKind::Gaussian,
      "targets are standardised for Gaussian outputs only");
  Require(description.classNames.empty() ||
          description.classNames.size() == description.OutSize(),
      "there must be " + std::to_string(description.OutSize()) +
          " class names, but there are " +
          std::to_string(description.classNames.size()));
  ValidateNoise(description);
}

} // namespace onnx
} // namespace symvi
