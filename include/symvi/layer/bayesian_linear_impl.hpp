/**
 * @file layer/bayesian_linear_impl.hpp
 *
 * Implementation of BayesianLinearType.
 */
#ifndef SYMVI_LAYER_BAYESIAN_LINEAR_IMPL_HPP
#define SYMVI_LAYER_BAYESIAN_LINEAR_IMPL_HPP

#include "bayesian_linear.hpp"
#include "gemm.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType() :
    BayesianLinearType(0, BayesianOptions(), true)
{ }

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType(
    const size_t outSize,
    const BayesianOptions& options) :
    BayesianLinearType(outSize, options, true)
{ }

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType(
    const size_t outSize,
    const BayesianOptions& options,
    const bool hasBias) :
    mlpack::Layer<MatType>(),
    inSize(0), // Known in ComputeOutputDimensions().
    outSize(outSize),
    hasBias(hasBias),
    priorStddev(options.PriorStddev()),
    initialSigma(options.InitialSigma()),
    meanInit(options.Init()),
    givenWeight(options.MeanWeight()),
    givenBias(options.MeanBias()),
    evaluation(options.Evaluation()),
    klWeight(1.0),
    inputDelta(true),
    freezeNoise(false),
    hasStream(false),
    drawnKL(0.0),
    isDrawn(false),
    active(nullptr),
    usePathGradient(false)
{ }

template<typename MatType>
void BayesianLinearType<MatType>::CopyConfiguration(
    const BayesianLinearType& other)
{
  inSize = other.inSize;
  outSize = other.outSize;
  hasBias = other.hasBias;
  priorStddev = other.priorStddev;
  priorMean = other.priorMean;
  initialSigma = other.initialSigma;
  meanInit = other.meanInit;
  givenWeight = other.givenWeight;
  givenBias = other.givenBias;
  evaluation = other.evaluation;
  klWeight = other.klWeight;
  inputDelta = other.inputDelta;
  freezeNoise = other.freezeNoise;
  hasStream = other.hasStream;
  stream = other.stream;
  sigma = other.sigma;
  slope = other.slope;
  noise = other.noise;
  draw = other.draw;
  drawnKL = other.drawnKL;
  isDrawn = other.isDrawn;
  // The copy has not run a pass, and its parameters are not known yet.
  parameters = MatType();
  means = MatType();
  rhos = MatType();
  active = nullptr;
  pathGradient = MatType();
  usePathGradient = false;
}

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType(
    const BayesianLinearType& other) :
    mlpack::Layer<MatType>(other)
{
  CopyConfiguration(other);
}

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType(BayesianLinearType&& other) :
    mlpack::Layer<MatType>(other)
{
  CopyConfiguration(other);
}

template<typename MatType>
BayesianLinearType<MatType>& BayesianLinearType<MatType>::operator=(
    const BayesianLinearType& other)
{
  if (this != &other)
  {
    mlpack::Layer<MatType>::operator=(other);
    CopyConfiguration(other);
  }
  return *this;
}

template<typename MatType>
BayesianLinearType<MatType>& BayesianLinearType<MatType>::operator=(
    BayesianLinearType&& other)
{
  return *this = static_cast<const BayesianLinearType&>(other);
}

template<typename MatType>
void BayesianLinearType<MatType>::ComputeOutputDimensions()
{
  if (outSize == 0)
  {
    throw std::invalid_argument("BayesianLinear(): outSize must be positive, "
        "but is 0.");
  }

  inSize = 1;
  for (const size_t size : this->inputDimensions)
    inSize *= size;

  // As mlpack's Linear, the layer flattens its input.
  this->outputDimensions.assign(this->inputDimensions.size(), 1);
  this->outputDimensions[0] = outSize;
}

template<typename MatType>
void BayesianLinearType<MatType>::SetWeights(const MatType& weightsIn)
{
  const size_t n = PosteriorSize();
  mlpack::MakeAlias(parameters, weightsIn, 2 * n, 1);
  mlpack::MakeAlias(means, weightsIn, n, 1);
  mlpack::MakeAlias(rhos, weightsIn, n, 1, n);
  active = nullptr;
}

template<typename MatType>
void BayesianLinearType<MatType>::InitializeMeans(ElemType* mu) const
{
  const size_t weights = inSize * outSize;
  std::fill(mu + weights, mu + PosteriorSize(), ElemType(0));

  if (meanInit == MeanInit::Given)
  {
    if (givenWeight.n_rows != outSize || givenWeight.n_cols != inSize ||
        (givenBias.n_elem != 0 && givenBias.n_elem != outSize))
    {
      throw std::invalid_argument("BayesianLinear(): the means given must be a "
          + std::to_string(outSize) + " x " + std::to_string(inSize) +
          " weight and " + std::to_string(outSize) + " biases, but are " +
          std::to_string(givenWeight.n_rows) + " x " +
          std::to_string(givenWeight.n_cols) + " and " +
          std::to_string(givenBias.n_elem) + ".");
    }
    std::copy(givenWeight.begin(), givenWeight.end(), mu);
    if (hasBias)
      std::copy(givenBias.begin(), givenBias.end(), mu + weights);
    return;
  }

  if (meanInit == MeanInit::He)
  {
    RandomStream(RandomKey()).FillNormal(mu, weights);
    const ElemType scale = ElemType(std::sqrt(2.0 / inSize));
    for (size_t i = 0; i < weights; ++i)
      mu[i] *= scale;
    return;
  }

  const double bound = (meanInit == MeanInit::Glorot) ?
      std::sqrt(6.0 / (inSize + outSize)) : std::sqrt(1.0 / inSize);
  const size_t n = (meanInit == MeanInit::FanIn) ? PosteriorSize() : weights;
  RandomStream uniform(RandomKey());
  for (size_t i = 0; i < n; ++i)
    mu[i] = ElemType(bound * (2.0 * uniform.NextUniform() - 1.0));
}

template<typename MatType>
void BayesianLinearType<MatType>::CustomInitialize(
    MatType& W,
    const size_t elements)
{
  const size_t n = PosteriorSize();
  if (elements != 2 * n)
  {
    throw std::logic_error("BayesianLinear::CustomInitialize(): the layer has "
        + std::to_string(2 * n) + " parameters, but was given " +
        std::to_string(elements) + ".");
  }

  InitializeMeans(W.memptr());
  // softplus(rho) = sigma  <=>  rho = sigma + log(1 - exp(-sigma)).
  const double rho = initialSigma + std::log(-std::expm1(-initialSigma));
  std::fill(W.memptr() + n, W.memptr() + 2 * n, ElemType(rho));
  SetStream(RandomStream(RandomKey()));
  isDrawn = false;
}

template<typename MatType>
void BayesianLinearType<MatType>::SetStream(const RandomStream& newStream)
{
  stream = newStream;
  hasStream = true;
}

template<typename MatType>
void BayesianLinearType<MatType>::RequireParameters(const char* where) const
{
  if (means.n_elem != PosteriorSize() || means.n_elem == 0)
  {
    throw std::logic_error("BayesianLinear::" + std::string(where) + "(): the "
        "layer has no parameters yet; add it to a network and call its "
        "Reset().");
  }
}

template<typename MatType>
void BayesianLinearType<MatType>::ResizeDraw()
{
  const size_t n = PosteriorSize();
  if (draw.n_elem == n && noise.n_elem == n)
    return;
  sigma.set_size(n, 1);
  slope.set_size(n, 1);
  noise.zeros(n, 1);
  draw.set_size(n, 1);
  isDrawn = false;
}

template<typename MatType>
void BayesianLinearType<MatType>::Redraw(const bool freshNoise)
{
  if (freshNoise && !hasStream)
    SetStream(RandomStream(RandomKey()));
  drawnKL = kernel::DrawAndKL<ElemType>(means.memptr(), rhos.memptr(),
      priorMean.is_empty() ? nullptr : priorMean.memptr(), priorStddev,
      PosteriorSize(), sigma.memptr(), slope.memptr(), noise.memptr(),
      draw.memptr(), freshNoise ? &stream : nullptr);
  isDrawn = true;
}

template<typename MatType>
void BayesianLinearType<MatType>::Draw()
{
  RequireParameters("Draw");
  ResizeDraw();
  Redraw(!(freezeNoise && isDrawn));
}

template<typename MatType>
void BayesianLinearType<MatType>::DrawWith(const MatType& newNoise)
{
  RequireParameters("DrawWith");
  if (newNoise.n_elem != PosteriorSize())
  {
    throw std::invalid_argument("BayesianLinear::DrawWith(): noise must have " +
        std::to_string(PosteriorSize()) + " elements, but has " +
        std::to_string(newNoise.n_elem) + ".");
  }
  ResizeDraw();
  std::copy(newNoise.begin(), newNoise.end(), noise.begin());
  Redraw(false);
}

template<typename MatType>
const typename MatType::elem_type*
BayesianLinearType<MatType>::ActiveWeights()
{
  if (!this->training && evaluation == EvaluationMode::Mean)
    return means.memptr();

  const bool held = !this->training && evaluation == EvaluationMode::Held;
  if (!(held && isDrawn))
    Draw();
  return draw.memptr();
}

template<typename MatType>
void BayesianLinearType<MatType>::Forward(
    const MatType& input,
    MatType& output)
{
  RequireParameters("Forward");
  if (input.n_rows != inSize)
  {
    throw std::invalid_argument("BayesianLinear::Forward(): input must have " +
        std::to_string(inSize) + " rows, but has " +
        std::to_string(input.n_rows) + ".");
  }
  active = ActiveWeights();

  // Start from the bias, so that the product is added in one pass.
  output.set_size(outSize, input.n_cols);
  if (hasBias)
  {
    const ElemType* bias = active + outSize * inSize;
    for (size_t c = 0; c < input.n_cols; ++c)
      std::copy(bias, bias + outSize, output.colptr(c));
  }
  Gemm<ElemType>(false, false, outSize, input.n_cols, inSize, active,
      input.memptr(), ElemType(hasBias ? 1 : 0), output.memptr());
}

template<typename MatType>
void BayesianLinearType<MatType>::Backward(
    const MatType& /* input */,
    const MatType& /* output */,
    const MatType& gy,
    MatType& g)
{
  if (!inputDelta)
    return;
  if (active == nullptr)
  {
    throw std::logic_error("BayesianLinear::Backward(): call Forward() "
        "first.");
  }
  g.set_size(inSize, gy.n_cols);
  Gemm<ElemType>(true, false, inSize, gy.n_cols, outSize, active, gy.memptr(),
      ElemType(0), g.memptr());
}

template<typename MatType>
void BayesianLinearType<MatType>::Gradient(
    const MatType& input,
    const MatType& error,
    MatType& gradient)
{
  if (active == nullptr || active != draw.memptr())
  {
    throw std::logic_error("BayesianLinear::Gradient(): needs a forward pass "
        "in training mode first.");
  }

  const size_t n = PosteriorSize();
  const size_t weights = outSize * inSize;
  ElemType* gradMu = gradient.memptr();

  // g_W = error input^T (+ the gradient of I(g; w) with respect to the draw).
  if (usePathGradient)
    std::copy(pathGradient.begin(), pathGradient.end(), gradMu);
  Gemm<ElemType>(false, true, outSize, inSize, input.n_cols, error.memptr(),
      input.memptr(), ElemType(usePathGradient ? 1 : 0), gradMu);
  if (hasBias)
  {
    ElemType* gradBias = gradMu + weights;
    if (!usePathGradient)
      std::fill(gradBias, gradBias + outSize, ElemType(0));
    for (size_t c = 0; c < error.n_cols; ++c)
    {
      const ElemType* column = error.colptr(c);
      for (size_t r = 0; r < outSize; ++r)
        gradBias[r] += column[r];
    }
  }

  kernel::MeanFieldGradient<ElemType>(means.memptr(), sigma.memptr(),
      slope.memptr(), noise.memptr(),
      priorMean.is_empty() ? nullptr : priorMean.memptr(), priorStddev,
      klWeight, n, gradMu, gradMu + n);
}

template<typename MatType>
double BayesianLinearType<MatType>::KL() const
{
  RequireParameters("KL");
  if (this->training && isDrawn)
    return drawnKL;
  return kernel::KL<ElemType>(means.memptr(), rhos.memptr(),
      priorMean.is_empty() ? nullptr : priorMean.memptr(), priorStddev,
      PosteriorSize());
}

template<typename MatType>
MatType BayesianLinearType<MatType>::Sigmas() const
{
  RequireParameters("Sigmas");
  MatType result(PosteriorSize(), 1);
  for (size_t i = 0; i < result.n_elem; ++i)
  {
    const double rho = double(rhos[i]);
    result[i] = ElemType(std::max(rho, 0.0) +
        std::log1p(std::exp(-std::abs(rho))));
  }
  return result;
}

template<typename MatType>
double BayesianLinearType<MatType>::Entropy() const
{
  const MatType sigmas = Sigmas();
  double sum = 0.0;
  for (const ElemType s : sigmas)
    sum += std::log(double(s));
  return sum + 0.5 * sigmas.n_elem * std::log(2 * arma::datum::pi *
      arma::datum::e);
}

template<typename MatType>
void BayesianLinearType<MatType>::SetPriorStddev(const double stddev)
{
  priorStddev = BayesianOptions().PriorStddev(stddev).PriorStddev();
}

template<typename MatType>
void BayesianLinearType<MatType>::SetPriorMean(const MatType& mean)
{
  if (!mean.is_empty() && inSize != 0 && mean.n_elem != PosteriorSize())
  {
    throw std::invalid_argument("BayesianLinear::SetPriorMean(): mean must "
        "have " + std::to_string(PosteriorSize()) + " elements, but has " +
        std::to_string(mean.n_elem) + ".");
  }
  priorMean = arma::vectorise(mean);
}

template<typename MatType>
PosteriorView<typename MatType::elem_type>
BayesianLinearType<MatType>::View() const
{
  PosteriorView<ElemType> view;
  view.outSize = outSize;
  view.inSize = inSize;
  view.hasBias = hasBias;
  view.mu = means.memptr();
  view.sigma = sigma.memptr();
  view.weight = draw.memptr();
  return view;
}

template<typename MatType>
template<typename Archive>
void BayesianLinearType<MatType>::serialize(
    Archive& ar,
    const uint32_t /* version */)
{
  ar(cereal::make_nvp("layer",
      cereal::base_class<mlpack::Layer<MatType>>(this)));
  ar(CEREAL_NVP(inSize));
  ar(CEREAL_NVP(outSize));
  ar(CEREAL_NVP(hasBias));
  ar(CEREAL_NVP(priorStddev));
  ar(CEREAL_NVP(priorMean));
  ar(CEREAL_NVP(initialSigma));
  ar(CEREAL_NVP(meanInit));
  ar(CEREAL_NVP(evaluation));
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
    active = nullptr;
  }
}

extern template class BayesianLinearType<arma::mat>;
extern template class BayesianLinearType<arma::fmat>;

} // namespace symvi

#endif
