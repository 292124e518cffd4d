/**
 * @file symvi/onnx/mlp_description.hpp
 *
 * What a trained multi-layer perceptron is, without the classes that trained
 * it: the form in which networks enter and leave symvi.
 */
#ifndef SYMVI_ONNX_MLP_DESCRIPTION_HPP
#define SYMVI_ONNX_MLP_DESCRIPTION_HPP

#include <symvi/network/activation.hpp>

#include <armadillo>

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace symvi {

//! Type of the numbers that a network was trained with and is stored in.
enum class MlpElement
{
  Float,
  Double
};

//! What the rows z of the last dense layer mean.
enum class MlpOutput
{
  Raw,        //!< z itself.
  Softmax,    //!< Class probabilities softmax(z).
  LogSoftmax, //!< Logarithms of class probabilities.
  Bernoulli,  //!< Independent probabilities sigmoid(z).
  Gaussian    //!< Means (and, by the noise kind, raw noise) of real targets.
};

//! Observation noise of a Gaussian output.
enum class MlpNoise
{
  None,           //!< Unknown: no aleatoric part.
  Fixed,          //!< Standard deviation chosen by the user.
  Homoscedastic,  //!< Standard deviation learned, the same for every input.
  Heteroscedastic //!< z = [means; raw], u = softplus(raw) + 1e-6, and
                  //!< stddev u, or u limit / (u + limit).
};

//! a(z), z = weight * x + bias; the weights are points or mean-field Gaussians.
struct MlpLayer
{
  arma::mat weight;      //!< Mean, outSize x inSize.
  arma::vec bias;        //!< Mean, outSize; empty: no bias.
  arma::mat weightSigma; //!< Standard deviations; empty: weights are points.
  arma::vec biasSigma;   //!< Standard deviations; empty as weightSigma is.
  Activation activation = Activation::Identity;
  double alpha = 0.0; //!< Parameter of LeakyReLU and ELU.

  //! Whether the layer holds a posterior rather than points.
  bool IsBayesian() const { return !weightSigma.is_empty(); }
  //! Number of weights and biases.
  size_t Size() const { return weight.n_elem + bias.n_elem; }
};

/**
 * A multi-layer perceptron on one column x of data:
 *
 *   h_0 = (x - inputMean) / inputScale,   h_l = a_l(W_l h_(l-1) + b_l),
 *
 * the output kind applied to h_L; Gaussian outputs are finally brought to the
 * targets' unit by y = targetMean + targetScale % m.
 */
struct MlpDescription
{
  std::vector<MlpLayer> layers;
  arma::vec inputMean;  //!< Empty: the input is not standardised.
  arma::vec inputScale; //!< Empty as inputMean is.
  MlpOutput output = MlpOutput::Raw;
  MlpNoise noise = MlpNoise::None;
  //! Heteroscedastic: limit of the stddev; infinite for none.
  double noiseLimit = std::numeric_limits<double>::infinity();
  arma::vec noiseStddev; //!< Fixed and Homoscedastic: one entry per target.
  arma::vec targetMean;  //!< Empty: targets are not standardised.
  arma::vec targetScale; //!< Empty as targetMean is.
  std::vector<std::string> classNames; //!< Empty, or one entry per class.
  //! Facts about the model (prior, estimator, ELBO ...) that travel with it.
  std::map<std::string, std::string> metadata;
  MlpElement element = MlpElement::Double;

  //! Number of input features; 0 without layers.
  size_t InSize() const
  {
    return layers.empty() ? 0 : layers.front().weight.n_cols;
  }
  //! Rows of the last dense layer; 0 without layers.
  size_t OutSize() const
  {
    return layers.empty() ? 0 : layers.back().weight.n_rows;
  }
  //! Number of targets or classes: OutSize(), half of it with learned noise.
  size_t TargetSize() const
  {
    return (output == MlpOutput::Gaussian &&
               noise == MlpNoise::Heteroscedastic) ?
        OutSize() / 2 :
        OutSize();
  }
  //! Number of weights and biases that have a standard deviation.
  size_t PosteriorSize() const
  {
    size_t size = 0;
    for (const MlpLayer& layer : layers)
      size += layer.IsBayesian() ? layer.Size() : 0;
    return size;
  }
};

} // namespace symvi

#endif
