/**
 * @file src/layer/bayesian_linear.cpp
 */
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/require.hpp>

#include "kernel/softplus.hpp"
#include "layer/gemm.hpp"

#include "kernel/mean_field.hpp"
#include "kernel/normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType() :
    BayesianLinearType(0, BayesianOptions(), true)
{ }

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType(const size_t outSize,
    const BayesianOptions& options) :
    BayesianLinearType(outSize, options, true)
{ }

template<typename MatType>
BayesianLinearType<MatType>::BayesianLinearType(const size_t outSize,
    const BayesianOptions& options, const bool hasBias) :
    mlpack::Layer<MatType>(),
    inSize(0), // Known in ComputeOutputDimensions().
    outSize(outSize),
    hasBias(hasBias),
    priorStddev(options.PriorStddev()),
    biasPriorStddev(options.PriorStddev()),
    initialSigma(options.InitialSigma()),
    meanInit(options.Init()),
    givenWeight(options.MeanWeight()),
    givenBias(options.MeanBias()),
    evaluation(options.Evaluation()),
    sampling(options.Sample()),
    needsDraw(true),
    klWeight(1.0),
    inputDelta(true),
    freezeNoise(false),
    hasStream(false),
    drawnKL(0.0),
    isDrawn(false),
    isShared(false),
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
  biasPriorStddev = other.biasPriorStddev;
  priorMean = other.priorMean;
  initialSigma = other.initialSigma;
  meanInit = other.meanInit;
  givenWeight = other.givenWeight;
  givenBias = other.givenBias;
  evaluation = other.evaluation;
  sampling = other.sampling;
  needsDraw = other.needsDraw;
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
  isShared = false;
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
  RequirePositive("BayesianLinear", "outSize", outSize);

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
      Refuse(Name(),
          "the means given must be a " + std::to_string(outSize) + " x " +
              std::to_string(inSize) + " weight and " +
              std::to_string(outSize) + " biases",
          "are " + std::to_string(givenWeight.n_rows) + " x " +
              std::to_string(givenWeight.n_cols) + " and " +
              std::to_string(givenBias.n_elem));
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
      std::sqrt(6.0 / (inSize + FanOut())) :
      std::sqrt(1.0 / inSize);
  const size_t n = (meanInit == MeanInit::FanIn) ? PosteriorSize() : weights;
  RandomStream uniform(RandomKey());
  for (size_t i = 0; i < n; ++i)
    mu[i] = ElemType(bound * (2.0 * uniform.NextUniform() - 1.0));
}

template<typename MatType>
void BayesianLinearType<MatType>::CustomInitialize(MatType& W,
    const size_t elements)
{
  const size_t n = PosteriorSize();
  if (elements != 2 * n)
  {
    throw std::logic_error(std::string(Name()) +
        "::CustomInitialize(): the layer has " + std::to_string(2 * n) +
        " parameters, but was given " + std::to_string(elements) + ".");
  }

  InitializeMeans(W.memptr());
  const double rho = kernel::InverseSoftplus(initialSigma);
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
    throw std::logic_error(std::string(Name()) + "::" + where +
        "(): the layer has no parameters yet; add it to a network and call its "
        "Reset().");
  }
}

template<typename MatType>
void BayesianLinearType<MatType>::ResizeDraw()
{
  const size_t n = PosteriorSize();
  if (draw.n_elem == n && noise.n_elem == n)
    return;
  // A share of them may be all that is ever drawn.
  sigma.zeros(n, 1);
  slope.zeros(n, 1);
  noise.zeros(n, 1);
  draw.zeros(n, 1);
  isDrawn = false;
}

template<typename MatType>
void BayesianLinearType<MatType>::Redraw(const bool freshNoise)
{
  if (freshNoise && !hasStream)
    SetStream(RandomStream(RandomKey()));
  drawnKL = 0.0;
  ForEachPrior(
      [&](const size_t i, const size_t n, const ElemType* mean,
          const double stddev)
      {
    drawnKL += kernel::DrawAndKL<ElemType>(means.memptr() + i,
        rhos.memptr() + i, mean, stddev, n, sigma.memptr() + i,
        slope.memptr() + i, noise.memptr() + i, draw.memptr() + i,
        freshNoise ? &stream : nullptr);
  });
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
  RequireCount(std::string(Name()) + "::DrawWith", "noise", "elements",
      newNoise.n_elem, PosteriorSize());
  ResizeDraw();
  std::copy(newNoise.begin(), newNoise.end(), noise.begin());
  Redraw(false);
}

template<typename MatType>
const typename MatType::elem_type* BayesianLinearType<MatType>::ActiveWeights()
{
  if (!this->training && evaluation == EvaluationMode::Mean)
    return means.memptr();

  const bool held = this->training ? isShared :
                                     evaluation == EvaluationMode::Held;
  if (!(held && isDrawn))
    Draw();
  return draw.memptr();
}

template<typename MatType>
void BayesianLinearType<MatType>::Forward(const MatType& input, MatType& output)
{
  RequireParameters("Forward");
  if (input.n_rows != InputRows())
    RequireCount(std::string(Name()) + "::Forward", "input", "rows",
        input.n_rows, InputRows());
  if (this->training && sampling == Sampling::Local)
    return ForwardLocal(input, output);
  active = ActiveWeights();
  Multiply(active, input, output);
}

template<typename MatType>
void BayesianLinearType<MatType>::Multiply(const ElemType* weights,
    const MatType& input, MatType& output)
{
  // Start from the bias, so that the product is added in one pass.
  output.set_size(outSize, input.n_cols);
  if (hasBias)
  {
    const ElemType* bias = weights + outSize * inSize;
    for (size_t c = 0; c < input.n_cols; ++c)
      std::copy(bias, bias + outSize, output.colptr(c));
  }
  Gemm<ElemType>(false, false, outSize, input.n_cols, inSize, weights,
      input.memptr(), ElemType(hasBias ? 1 : 0), output.memptr());
}

template<typename MatType>
void BayesianLinearType<MatType>::ForwardLocal(const MatType& input,
    MatType& output)
{
  // y = m + sqrt(v) % zeta,  m = E[W] x + E[b],  v = Var[W] x^2 + Var[b].
  ResizeDraw();
  if (!hasStream)
    SetStream(RandomStream(RandomKey()));
  Redraw(needsDraw && !(freezeNoise && isDrawn));
  active = means.memptr();
  variances = sigma % sigma;
  squares = input % input;
  Multiply(active, input, output);
  Multiply(variances.memptr(), squares, outputSlope);
  if (!freezeNoise || outputNoise.n_elem != output.n_elem)
  {
    outputNoise.set_size(outSize, input.n_cols);
    stream.FillNormal(outputNoise.memptr(), outputNoise.n_elem);
  }
  for (size_t i = 0; i < output.n_elem; ++i)
  {
    // Inputs of zero have no variance without a bias.
    const ElemType stddev = std::sqrt(
        std::max(outputSlope[i], std::numeric_limits<ElemType>::min()));
    output[i] += stddev * outputNoise[i];
    outputSlope[i] = outputNoise[i] / (2 * stddev);
  }
}

template<typename MatType>
void BayesianLinearType<MatType>::MultiplyTransposed(const ElemType* weights,
    const MatType& gy, const ElemType beta, MatType& g)
{
  Gemm<ElemType>(true, false, inSize, gy.n_cols, outSize, weights, gy.memptr(),
      beta, g.memptr());
}

template<typename MatType>
void BayesianLinearType<MatType>::WeightGradient(const MatType& input,
    const MatType& error, const ElemType beta, ElemType* gradient)
{
  Gemm<ElemType>(false, true, outSize, inSize, input.n_cols, error.memptr(),
      input.memptr(), beta, gradient);
  if (!hasBias)
    return;
  ElemType* gradBias = gradient + outSize * inSize;
  if (beta == ElemType(0))
    std::fill(gradBias, gradBias + outSize, ElemType(0));
  for (size_t c = 0; c < error.n_cols; ++c)
  {
    const ElemType* column = error.colptr(c);
    for (size_t r = 0; r < outSize; ++r)
      gradBias[r] += column[r];
  }
}

template<typename MatType>
void BayesianLinearType<MatType>::AddLocalGradient(const MatType& input,
    const MatType& error, ElemType* gradMu, ElemType* gradRho)
{
  // dm: error x^T;  dv: f (x^2)^T with f = error % dy/dv.
  const size_t n = PosteriorSize();
  varianceDelta = error % outputSlope;
  WeightGradient(input, error, ElemType(1), gradMu);
  varianceGradient.set_size(n, 1);
  WeightGradient(squares, varianceDelta, ElemType(0),
      varianceGradient.memptr());
  // dsigma^2/drho = 2 sigma slope.
  for (size_t i = 0; i < n; ++i)
    gradRho[i] += 2 * varianceGradient[i] * sigma[i] * slope[i];
}

template<typename MatType>
void BayesianLinearType<MatType>::Backward(const MatType& input,
    const MatType& /* output */, const MatType& gy, MatType& g)
{
  if (!inputDelta)
    return;
  if (active == nullptr)
  {
    throw std::logic_error(
        std::string(Name()) + "::Backward(): call Forward() first.");
  }
  g.set_size(InputRows(), gy.n_cols);
  const bool local = IsLocal();
  if (local)
  {
    // v adds 2 x % (Var[W]^T f), f = gy % dy/dv.
    varianceDelta = gy % outputSlope;
    MultiplyTransposed(variances.memptr(), varianceDelta, ElemType(0), g);
    for (size_t i = 0; i < g.n_elem; ++i)
      g[i] *= 2 * input[i];
  }
  MultiplyTransposed(active, gy, ElemType(local ? 1 : 0), g);
}

template<typename MatType>
void BayesianLinearType<MatType>::Gradient(const MatType& input,
    const MatType& error, MatType& gradient)
{
  const bool local = IsLocal();
  if (!local && (active == nullptr || active != draw.memptr()))
  {
    throw std::logic_error(std::string(Name()) +
        "::Gradient(): needs a forward pass in training mode first.");
  }

  // g_W = error input^T (+ the gradient of I(g; w) with respect to the draw).
  const size_t n = PosteriorSize();
  ElemType* gradMu = gradient.memptr();
  if (usePathGradient)
    std::copy(pathGradient.begin(), pathGradient.end(), gradMu);
  if (local)
  {
    if (!usePathGradient)
      std::fill(gradMu, gradMu + n, ElemType(0));
    AddPriorGradient(0, n, gradMu);
    AddLocalGradient(input, error, gradMu, gradMu + n);
    return;
  }
  WeightGradient(input, error, ElemType(usePathGradient ? 1 : 0), gradMu);
  if (!isShared)
    AddPriorGradient(0, n, gradMu);
}

template<typename MatType>
void BayesianLinearType<MatType>::AddPriorGradient(const size_t begin,
    const size_t end, ElemType* gradMu) const
{
  const size_t total = PosteriorSize();
  ForEachPrior(
      [&](const size_t first, const size_t n, const ElemType* mean,
          const double stddev)
      {
    const size_t i = std::max(begin, first), last = std::min(end, first + n);
    if (i < last)
      kernel::MeanFieldGradient<ElemType>(means.memptr() + i,
          sigma.memptr() + i, slope.memptr() + i, noise.memptr() + i,
          mean ? mean + (i - first) : nullptr, stddev, klWeight, last - i,
          gradMu + i, gradMu + total + i);
  });
}

template<typename MatType>
std::vector<size_t> BayesianLinearType<MatType>::Shares(
    const size_t parts) const
{
  // The biases, which may have a prior of their own, go with the last weights.
  const size_t chunk = kernel::NormalChunk<ElemType>();
  const size_t chunks = outSize * inSize / chunk;
  std::vector<size_t> begins;
  for (size_t part = 0; part < parts; ++part)
    begins.push_back(chunks * part / parts * chunk);
  begins.push_back(PosteriorSize());
  return begins;
}

template<typename MatType>
void BayesianLinearType<MatType>::DrawShare(const size_t begin,
    const size_t end)
{
  RequireParameters("DrawShare");
  ResizeDraw();
  if (!hasStream)
    SetStream(RandomStream(RandomKey()));
  const bool freshNoise = !(freezeNoise && isDrawn);
  const size_t chunk = kernel::NormalChunk<ElemType>();
  drawnKL = 0.0;
  ForEachPrior(
      [&](const size_t first, const size_t n, const ElemType* mean,
          const double stddev)
      {
    const size_t i = std::max(begin, first), last = std::min(end, first + n);
    RandomStream own = stream;
    own.Seek(stream.Counter() + (i - first) / chunk * kernel::normalBlocks);
    if (i < last)
      drawnKL += kernel::DrawAndKL<ElemType>(means.memptr() + i,
          rhos.memptr() + i, mean ? mean + (i - first) : nullptr, stddev,
          last - i, sigma.memptr() + i, slope.memptr() + i, noise.memptr() + i,
          draw.memptr() + i, freshNoise ? &own : nullptr);
    if (freshNoise)
      stream.Seek(
          stream.Counter() + (n + chunk - 1) / chunk * kernel::normalBlocks);
  });
  isDrawn = true;
}

template<typename MatType>
void BayesianLinearType<MatType>::ShareGradient(const size_t begin,
    const size_t end, MatType& gradient) const
{
  AddPriorGradient(begin, end, gradient.memptr());
}

template<typename MatType>
template<typename Function>
void BayesianLinearType<MatType>::ForEachPrior(const Function& function) const
{
  const size_t n = PosteriorSize();
  const size_t weights = outSize * inSize;
  const ElemType* mean = priorMean.is_empty() ? nullptr : priorMean.memptr();
  if (!hasBias || priorStddev == biasPriorStddev)
    return function(0, n, mean, priorStddev);
  function(0, weights, mean, priorStddev);
  function(weights, n - weights, mean ? mean + weights : nullptr,
      biasPriorStddev);
}

template<typename MatType>
double BayesianLinearType<MatType>::KL() const
{
  RequireParameters("KL");
  if (this->training && isDrawn)
    return drawnKL;
  double sum = 0.0;
  ForEachPrior(
      [&](const size_t i, const size_t n, const ElemType* mean,
          const double stddev)
      {
    sum += kernel::KL<ElemType>(means.memptr() + i, rhos.memptr() + i, mean,
        stddev, n);
  });
  return sum;
}

template<typename MatType>
MatType BayesianLinearType<MatType>::Sigmas() const
{
  RequireParameters("Sigmas");
  MatType result(PosteriorSize(), 1);
  for (size_t i = 0; i < result.n_elem; ++i)
    result[i] = ElemType(kernel::Softplus(double(rhos[i])));
  return result;
}

template<typename MatType>
double BayesianLinearType<MatType>::Entropy() const
{
  const MatType sigmas = Sigmas();
  double sum = 0.0;
  for (const ElemType s : sigmas)
    sum += std::log(double(s));
  return sum +
      0.5 * sigmas.n_elem * std::log(2 * arma::datum::pi * arma::datum::e);
}

template<typename MatType>
void BayesianLinearType<MatType>::SetPriorStddev(const double weights,
    const double biases)
{
  RequirePositive(std::string(Name()) + "::SetPriorStddev", "weights", weights);
  RequirePositive(std::string(Name()) + "::SetPriorStddev", "biases", biases);
  priorStddev = weights;
  biasPriorStddev = biases;
}

template<typename MatType>
void BayesianLinearType<MatType>::LearnPriorStddev()
{
  if (!priorMean.is_empty())
  {
    throw std::logic_error(std::string(Name()) +
        "::LearnPriorStddev(): the prior must be centred at zero.");
  }
  const MatType sigmas = Sigmas();
  const size_t weights = outSize * inSize;
  const auto optimum = [&](const size_t begin, const size_t end)
  {
    double sum = 1.0;
    for (size_t i = begin; i < end; ++i)
    {
      sum += double(means[i]) * double(means[i]) +
          double(sigmas[i]) * double(sigmas[i]);
    }
    return std::sqrt(sum / double(1 + end - begin));
  };
  SetPriorStddev(optimum(0, weights), optimum(weights, PosteriorSize()));
}

template<typename MatType>
void BayesianLinearType<MatType>::SetPriorMean(const MatType& mean)
{
  if (!mean.is_empty() && inSize != 0)
    RequireCount(std::string(Name()) + "::SetPriorMean", "mean", "elements",
        mean.n_elem, PosteriorSize());
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

template class BayesianLinearType<arma::mat>;
template class BayesianLinearType<arma::fmat>;

} // namespace symvi
