/**
 * @file symvi/layer/bayesian_linear.hpp
 *
 * A fully connected layer with a mean-field Gaussian posterior over its
 * weights.
 */
#ifndef SYMVI_LAYER_BAYESIAN_LINEAR_HPP
#define SYMVI_LAYER_BAYESIAN_LINEAR_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/prereqs.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

#include <vector>

#include "bayesian_options.hpp"

namespace symvi {

/**
 * y = W x + b with independent Gaussian weights:
 *
 *   W = mu + sigma % eps,  sigma = softplus(rho),  eps ~ N(0, I)
 *                                                  [Gelberg2024, Sec. 2]
 *   Loss() = KLWeight() * KL(q || N(m, s^2 I))
 *
 * and, with g_W the gradient of the data term with respect to the draw W,
 *
 *   d/dmu  = g_W + KLWeight() (mu - m) / s^2
 *   d/drho = (g_W % eps + KLWeight() (sigma / s^2 - 1 / sigma)) % sigmoid(rho).
 *
 * mlpack::FFN adds Loss() once per batch to a loss that is a *sum* over the
 * batch, so KLWeight() must be batchSize / numPoints: one epoch then sums to
 * the negative ELBO of the whole data set.  ELBO, SymmetrizedELBO and
 * BayesianFFN set it themselves; in a plain FFN the user does.
 *
 * The trainable parameters are one column [mu(W); mu(b); rho(W); rho(b)], W
 * column-major and outSize x inSize.
 *
 * @tparam MatType arma::mat or arma::fmat.
 */
template<typename MatType = arma::mat>
class BayesianLinearType : public mlpack::Layer<MatType>
{
 public:
  using ElemType = typename MatType::elem_type;
  static_assert(std::is_same_v<ElemType, double> ||
          std::is_same_v<ElemType, float>,
      "BayesianLinear: numbers must be float or double; half precision (FP16) "
      "is too coarse for log-densities.");

  //! An empty layer, to be filled by serialize().
  BayesianLinearType();

  /**
   * @param outSize Number of output units.
   * @param options Prior, initialisation and evaluation mode.
   */
  explicit BayesianLinearType(const size_t outSize,
      const BayesianOptions& options = BayesianOptions());

  //! Copies configuration, noise and generator; parameters belong to the
  //! network and are not copied (as for every mlpack layer).
  BayesianLinearType(const BayesianLinearType& other);
  BayesianLinearType(BayesianLinearType&& other);
  BayesianLinearType& operator=(const BayesianLinearType& other);
  BayesianLinearType& operator=(BayesianLinearType&& other);
  virtual ~BayesianLinearType() { }

  BayesianLinearType* Clone() const override
  {
    return new BayesianLinearType(*this);
  }

  //! Point mu and rho at the network's memory.
  void SetWeights(const MatType& weightsIn) override;

  //! Means by the chosen rule, sigma = InitialSigma(); takes a new generator
  //! key from mlpack's generator.
  void CustomInitialize(MatType& W, const size_t elements) override;

  //! In training a fresh draw (or the frozen noise); otherwise as
  //! Evaluation() says.
  void Forward(const MatType& input, MatType& output) override;

  //! g = W^T gy, left out if InputDelta() is false.
  void Backward(const MatType& input, const MatType& output, const MatType& gy,
      MatType& g) override;

  //! Gradient of data term + KLWeight() * KL, plus PathGradient() if in use.
  void Gradient(const MatType& input, const MatType& error,
      MatType& gradient) override;

  //! KLWeight() * KL(q || prior), in nats.
  double Loss() const override { return klWeight * KL(); }

  //! KL(q || prior), in nats; during training that of the last draw's
  //! parameters.
  double KL() const;

  //! Entropy of q: sum_i log sigma_i + 1/2 log(2 pi e), in nats.
  double Entropy() const;

  size_t WeightSize() const override { return 2 * PosteriorSize(); }
  void ComputeOutputDimensions() override;

  const MatType& Parameters() const override { return parameters; }
  MatType& Parameters() override { return parameters; }

  //! Draw new weights into Weights() from the layer's own generator.
  void Draw();
  //! Draw with the noise given: a column of PosteriorSize() numbers.
  void DrawWith(const MatType& noise);

  // Several processes may share out the weights of a layer: each draws and
  // trains a share of them, and they exchange draws and gradients by them.

  /**
   * Where the shares of `parts` processes begin, and where the last one ends,
   * so that each can be drawn by itself.
   */
  std::vector<size_t> Shares(const size_t parts) const;
  //! Draw the weights begin, ..., end - 1 of a share, the same as Draw() would;
  //! KL() is theirs then.
  void DrawShare(const size_t begin, const size_t end);
  //! While true, training takes Weights() as they are, and Gradient() leaves
  //! the gradient of the data term by them in its first PosteriorSize() rows.
  bool IsShared() const { return isShared; }
  bool& IsShared() { return isShared; }
  //! From that the gradient by mu and rho, of a share.
  void ShareGradient(const size_t begin, const size_t end,
      MatType& gradient) const;

  //! Keep the current noise for every further pass (true) or draw anew.
  bool FreezeNoise() const { return freezeNoise; }
  bool& FreezeNoise() { return freezeNoise; }

  //! Generator of the noise.
  const RandomStream& Stream() const { return stream; }
  //! Set the generator; the next draw uses it.
  void SetStream(const RandomStream& newStream);

  //! Rows and columns of W.
  size_t OutSize() const { return outSize; }
  size_t InSize() const { return inSize; }
  //! Rows of the input; more than InSize() if W is applied to parts of it.
  virtual size_t InputRows() const { return inSize; }
  bool HasBias() const { return hasBias; }
  //! Number of weights and biases: half of WeightSize().
  size_t PosteriorSize() const
  {
    return outSize * inSize + (hasBias ? outSize : 0);
  }

  //! Posterior means mu, PosteriorSize() x 1, in the network's memory.
  const MatType& Means() const { return means; }
  MatType& Means() { return means; }
  //! rho, with sigma = softplus(rho), in the network's memory.
  const MatType& Rhos() const { return rhos; }
  MatType& Rhos() { return rhos; }
  //! sigma, computed from the current rho.
  MatType Sigmas() const;

  //! The current draw: weights, then bias.
  const MatType& Weights() const { return draw; }
  MatType& Weights() { return draw; }
  //! sigma of the current draw, dsigma/drho and eps, in the same order.
  const MatType& DrawnSigmas() const { return sigma; }
  MatType& DrawnSigmas() { return sigma; }
  const MatType& DrawnSlopes() const { return slope; }
  const MatType& Noise() const { return noise; }

  //! Standard deviation s of the prior of the weights, and of the biases.
  double PriorStddev() const { return priorStddev; }
  double BiasPriorStddev() const { return biasPriorStddev; }
  //! Set both.
  void SetPriorStddev(const double stddev) { SetPriorStddev(stddev, stddev); }
  void SetPriorStddev(const double weights, const double biases);

  /**
   * Set both to their optimum under the current posterior, with an inverse
   * gamma prior that is worth one weight of size 1 (empirical Bayes):
   *
   *   s^2 = (1 + sum_i mu_i^2 + sigma_i^2) / (1 + n),
   *
   * for the weights and for the biases.  All units share them, so that the
   * prior stays permutation invariant.
   */
  void LearnPriorStddev();

  //! Mean m of the prior; empty means zero.  A prior that is not centred at
  //! zero is not permutation invariant: such a layer takes no part in G.
  const MatType& PriorMean() const { return priorMean; }
  void SetPriorMean(const MatType& mean);

  //! Rule for the initial means.
  MeanInit Init() const { return meanInit; }

  double InitialSigma() const { return initialSigma; }
  double& InitialSigma() { return initialSigma; }

  double KLWeight() const { return klWeight; }
  double& KLWeight() { return klWeight; }

  //! How training samples.
  Sampling Sample() const { return sampling; }
  Sampling& Sample() { return sampling; }

  //! Whether a training pass with Sampling::Local draws weights as well, which
  //! the estimators of I(g; w) need (default true).
  bool NeedsDraw() const { return needsDraw; }
  bool& NeedsDraw() { return needsDraw; }

  EvaluationMode Evaluation() const { return evaluation; }
  EvaluationMode& Evaluation() { return evaluation; }

  //! Whether Backward() computes the delta of its input.  Objectives switch it
  //! off for the first layer of a network, whose input delta is not used.
  bool InputDelta() const { return inputDelta; }
  bool& InputDelta() { return inputDelta; }

  //! An extra gradient with respect to the draw, added in Gradient() while
  //! UsePathGradient() is true.  SymmetrizedELBO puts -dI(g; w)/dw here.
  MatType& PathGradient() { return pathGradient; }
  bool& UsePathGradient() { return usePathGradient; }

  //! The posterior and its current draw as the estimators of I(g; w) see it.
  PosteriorView<ElemType> View() const;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 protected:
  //! For the variant without bias.
  BayesianLinearType(const size_t outSize, const BayesianOptions& options,
      const bool hasBias);

  // What a layer does with W and b; a convolution does something else.

  //! y = W x + b with the given weights.
  virtual void Multiply(const ElemType* weights, const MatType& input,
      MatType& output);
  //! g = W^T gy + beta g with the given weights; g has the right size.
  virtual void MultiplyTransposed(const ElemType* weights, const MatType& gy,
      const ElemType beta, MatType& g);
  //! Gradient of sum(error % y) by W and b: gradient = ... + beta gradient.
  virtual void WeightGradient(const MatType& input, const MatType& error,
      const ElemType beta, ElemType* gradient);
  //! Draws outputs instead of weights; see Sampling::Local.
  virtual void ForwardLocal(const MatType& input, MatType& output);
  //! Outputs that one input takes part in, for MeanInit::Glorot.
  virtual size_t FanOut() const { return outSize; }
  //! The layer's name in messages.
  virtual const char* Name() const { return "BayesianLinear"; }

  size_t inSize;
  size_t outSize;
  bool hasBias;

 private:
  //! Make buffers for the draw and aliases into it.
  void ResizeDraw();
  //! sigma, W and KL from mu, rho and new or given noise.
  void Redraw(const bool freshNoise);
  //! The weights that this forward pass uses.
  const ElemType* ActiveWeights();
  //! Whether the last forward pass was a local one.
  bool IsLocal() const
  {
    return sampling == Sampling::Local && active != nullptr &&
        active == means.memptr() && this->training;
  }
  //! dloss/dmean and, added to it, dloss/dsigma of the data term.
  void AddLocalGradient(const MatType& input, const MatType& error,
      ElemType* gradMu, ElemType* gradRho);
  //! KL term and noise of the gradient of a share, from dloss/dw in gradMu.
  void AddPriorGradient(const size_t begin, const size_t end,
      ElemType* gradMu) const;
  //! Apply a kernel to the weights and to the biases, whose priors may differ.
  template<typename Function>
  void ForEachPrior(const Function& function) const;
  void RequireParameters(const char* where) const;
  void InitializeMeans(ElemType* mu) const;
  void CopyConfiguration(const BayesianLinearType& other);

  double priorStddev;
  double biasPriorStddev;
  MatType priorMean;
  double initialSigma;
  MeanInit meanInit;
  arma::mat givenWeight;
  arma::vec givenBias;

  EvaluationMode evaluation;
  Sampling sampling;
  bool needsDraw;
  double klWeight;
  bool inputDelta;
  bool freezeNoise;
  bool hasStream;
  RandomStream stream;

  //! Aliases of the network's memory.
  MatType parameters, means, rhos;

  //! The draw: sigma, dsigma/drho, eps and W = mu + sigma % eps.
  MatType sigma, slope, noise, draw;
  double drawnKL;
  bool isDrawn, isShared;
  //! The weights of the last forward pass, for Backward().
  const ElemType* active;

  MatType pathGradient;
  bool usePathGradient;

  //! Of Sampling::Local: sigma^2, x^2, the noise zeta of the outputs y,
  //! dy/dv = zeta / (2 sqrt(v)), and the gradients by v and by sigma^2.
  MatType variances, squares, outputNoise, outputSlope;
  MatType varianceDelta, varianceGradient;
};

/**
 * The same layer without bias: y = W x.
 */
template<typename MatType = arma::mat>
class BayesianLinearNoBiasType : public BayesianLinearType<MatType>
{
 public:
  BayesianLinearNoBiasType() :
      BayesianLinearType<MatType>(0, BayesianOptions(), false)
  { }

  explicit BayesianLinearNoBiasType(const size_t outSize,
      const BayesianOptions& options = BayesianOptions()) :
      BayesianLinearType<MatType>(outSize, options, false)
  { }

  BayesianLinearNoBiasType* Clone() const override
  {
    return new BayesianLinearNoBiasType(*this);
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(cereal::make_nvp("layer",
        cereal::base_class<BayesianLinearType<MatType>>(this)));
  }
};

SYMVI_LAYER_NAME(BayesianLinear);
SYMVI_LAYER_NAME(BayesianLinearNoBias);

template<typename MatType>
template<typename Archive>
void BayesianLinearType<MatType>::serialize(Archive& ar,
    const uint32_t /* version */)
{
  ar(cereal::make_nvp("layer",
      cereal::base_class<mlpack::Layer<MatType>>(this)));
  ar(CEREAL_NVP(inSize));
  ar(CEREAL_NVP(outSize));
  ar(CEREAL_NVP(hasBias));
  ar(CEREAL_NVP(priorStddev));
  ar(CEREAL_NVP(biasPriorStddev));
  ar(CEREAL_NVP(priorMean));
  ar(CEREAL_NVP(initialSigma));
  ar(CEREAL_NVP(meanInit));
  ar(CEREAL_NVP(evaluation));
  ar(CEREAL_NVP(sampling));
  ar(CEREAL_NVP(klWeight));
  ar(CEREAL_NVP(inputDelta));
  ar(CEREAL_NVP(hasStream));
  ar(CEREAL_NVP(stream));

  if (cereal::is_loading<Archive>())
  {
    // A loaded layer starts without a draw.  Given means went into its
    // parameters and are not stored twice; a later Reset() uses He's rule.
    givenWeight.reset();
    givenBias.reset();
    if (meanInit == MeanInit::Given)
      meanInit = MeanInit::He;
    freezeNoise = false;
    usePathGradient = false;
    isDrawn = false;
    isShared = false;
    active = nullptr;
  }
}

extern template class BayesianLinearType<arma::mat>;
extern template class BayesianLinearType<arma::fmat>;

} // namespace symvi

#endif
