/**
 * @file src/predict/stacked_network.cpp
 */
#include "predict/stacked_network.hpp"
#include <symvi/require.hpp>

#include "layer/patches.hpp"

#include <algorithm>

namespace symvi {
namespace predict {
namespace {

//! C = A op(B) + beta C on blocks of larger matrices; A is m x k, op(B) is
//! k x n.
template<typename eT, bool transposeB = false>
void StridedProduct(const size_t m, const size_t n, const size_t k, const eT* A,
    const size_t strideA, const eT* B, const size_t strideB, const eT beta,
    eT* C, const size_t strideC)
{
  const char plain = 'N', opB = transposeB ? 'T' : 'N';
  const arma::blas_int rows = arma::blas_int(m), cols = arma::blas_int(n);
  const arma::blas_int inner = arma::blas_int(k);
  const arma::blas_int ldA = arma::blas_int(strideA);
  const arma::blas_int ldB = arma::blas_int(strideB);
  const arma::blas_int ldC = arma::blas_int(strideC);
  const eT one = eT(1);
  arma::blas::gemm<eT>(&plain, &opB, &rows, &cols, &inner, &one, A, &ldA, B,
      &ldB, &beta, C, &ldC);
}

//! Number of elements of a point with these dimensions.
size_t Product(const std::vector<size_t>& dimensions)
{
  size_t product = dimensions.empty() ? 0 : 1;
  for (const size_t size : dimensions)
    product *= size;
  return product;
}

} // namespace
} // namespace predict

template<typename MatType>
StackedNetwork<MatType>::StackedNetwork(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters) :
    firstBayesian(0),
    inSize(0),
    outSize(0),
    maxRows(0),
    draws(0)
{
  if (layers.empty())
    Refuse("StackedNetwork", "the network must have layers", "is empty");
  inSize = predict::Product(std::as_const(*layers[0]).InputDimensions());
  if (inSize == 0)
    throw std::logic_error(
        "StackedNetwork(): the network must have been trained or reset, so "
        "that it knows its input dimensions.");

  size_t offset = 0, bayesian = 0;
  for (mlpack::Layer<MatType>* layer : layers)
  {
    const auto* linear = dynamic_cast<const BayesianLinearType<MatType>*>(
        layer);
    const auto* convolution =
        dynamic_cast<const BayesianConvolutionType<MatType>*>(layer);
    std::unique_ptr<mlpack::Layer<MatType>> clone;
    if (convolution)
      outSize = convolution->OutSize() * convolution->Shape().Patches() *
          convolution->Images();
    else if (linear)
      outSize = linear->OutSize();
    else
    {
      clone = Bind(*layer, parameters, offset);
      outSize = predict::Product(clone->OutputDimensions());
    }
    offset += layer->WeightSize();

    if (!linear && steps.empty())
    {
      prefix.push_back(std::move(clone));
      ++firstBayesian;
      continue;
    }
    Step step;
    step.activation = FunctionOf(*layer).activation;
    step.layer = std::move(clone);
    step.outSize = outSize;
    if (linear)
    {
      step.bayesian = bayesian++;
      step.rows = linear->OutSize();
      step.cols = linear->InSize();
      step.hasBias = linear->HasBias();
      if (convolution)
      {
        step.images = convolution->Images();
        step.shape = convolution->Shape();
      }
    }
    maxRows = std::max(maxRows, outSize);
    steps.push_back(std::move(step));
  }
  maxRows = std::max(maxRows, outSize);
}

template<typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> StackedNetwork<MatType>::Bind(
    const mlpack::Layer<MatType>& layer, const MatType& parameters,
    const size_t offset) const
{
  std::unique_ptr<mlpack::Layer<MatType>> clone(layer.Clone());
  clone->Training() = false;
  if (RoleOf(layer) == LayerRole::Maps)
  {
    // A copy of mlpack's Padding does not know its number of maps.
    clone->InputDimensions() = layer.InputDimensions();
    clone->ComputeOutputDimensions();
  }
  if (layer.WeightSize() > 0)
  {
    MatType weights;
    mlpack::MakeAlias(weights, parameters, layer.WeightSize(), 1, offset);
    clone->SetWeights(weights);
  }
  return clone;
}

template<typename MatType>
size_t StackedNetwork<MatType>::StackedRows() const
{
  return steps.empty() ? 0 : steps[0].outSize;
}

template<typename MatType>
void StackedNetwork<MatType>::Features(const MatType& points, MatType& features)
{
  MatType input;
  for (size_t i = 0; i < prefix.size(); ++i)
  {
    const size_t rows = predict::Product(prefix[i]->OutputDimensions());
    features.set_size(rows, points.n_cols);
    prefix[i]->Forward(i == 0 ? points : input, features);
    if (i + 1 < prefix.size())
      input.swap(features);
  }
}

template<typename MatType>
void StackedNetwork<MatType>::SetDraws(const PosteriorSampler<MatType>& sampler,
    const size_t first, const size_t count)
{
  draws = count;
  for (Step& step : steps)
  {
    if (step.layer)
      continue;
    if (step.bayesian == 0)
      step.weight.set_size(count * step.rows, step.cols);
    else
      step.weight.set_size(step.rows, count * step.cols);
    step.bias.set_size(step.hasBias ? step.rows : 0, count);
  }

  for (size_t b = 0; b < count; ++b)
  {
    sampler.Draw(first + b, drawn);
    for (Step& step : steps)
    {
      if (step.layer)
        continue;
      const ElemType* w = drawn[step.bayesian].memptr();
      const size_t rows = step.rows, cols = step.cols;
      if (step.bayesian == 0)
        for (size_t c = 0; c < cols; ++c)
          std::copy(w + c * rows, w + (c + 1) * rows,
              step.weight.colptr(c) + b * rows);
      else
        std::copy(w, w + rows * cols, step.weight.colptr(b * cols));
      if (step.hasBias)
        std::copy(w + rows * cols, w + rows * (cols + 1), step.bias.colptr(b));
    }
  }
}

template<typename MatType>
void StackedNetwork<MatType>::Product(const Step& step, const ElemType* x,
    const bool shared, const size_t points, MatType& y) const
{
  const size_t rows = step.outSize * draws;
  y.set_size(step.outSize, draws * points);
  if (step.hasBias)
    for (size_t j = 0; j < points; ++j)
      std::copy(step.bias.begin(), step.bias.end(), y.memptr() + j * rows);

  const ElemType beta = ElemType(step.hasBias ? 1 : 0);
  if (shared)
  {
    predict::StridedProduct(rows, points, step.cols, step.weight.memptr(), rows,
        x, step.cols, beta, y.memptr(), rows);
    return;
  }
  for (size_t b = 0; b < draws; ++b)
    predict::StridedProduct(step.outSize, points, step.cols,
        step.weight.colptr(b * step.cols), step.outSize, x + b * step.cols,
        step.cols * draws, beta, y.memptr() + b * step.outSize, rows);
}

template<typename MatType>
void StackedNetwork<MatType>::Convolve(const Step& step, const ElemType* x,
    const bool shared, const size_t points, MatType& y)
{
  // Of one draw and one image, an output is a matrix, patches x maps.  Those
  // of all draws of a point lie side by side, unless it has several images.
  const size_t n = step.shape.Patches(), k = step.cols;
  const size_t mapSize = n * step.rows;
  const size_t together = (shared && step.images == 1) ? draws : 1;
  const ElemType beta = ElemType(step.hasBias ? 1 : 0);
  y.set_size(step.outSize, draws * points);
  patches.set_size(n, k);
  for (size_t i = 0; i < points * step.images; ++i)
    for (size_t b = 0; b < draws; b += together)
    {
      const size_t column = i / step.images * draws + b;
      const size_t image = i % step.images;
      const size_t from = shared ? i : column * step.images + image;
      if (b == 0 || !shared)
        CopyPatches(step.shape, x + from * step.shape.ImageSize(),
            patches.memptr());
      ElemType* to = y.colptr(column) + image * mapSize;
      for (size_t m = 0; m < together * step.rows && step.hasBias; ++m)
        std::fill(to + m * n, to + (m + 1) * n, step.bias[b * step.rows + m]);
      const bool stacked = (step.bayesian == 0);
      predict::StridedProduct<ElemType, true>(n, together * step.rows, k,
          patches.memptr(), n,
          step.weight.memptr() + b * step.rows * (stacked ? 1 : k),
          step.rows * (stacked ? draws : 1), beta, to, n);
    }
}

template<typename MatType>
typename MatType::elem_type* StackedNetwork<MatType>::Forward(
    const ElemType* features, const size_t points)
{
  size_t current = 0;
  for (size_t i = 0; i < steps.size(); ++i)
  {
    MatType& input = buffers[current];
    MatType& output = buffers[1 - current];
    const Step& step = steps[i];
    if (predict::HasKernel(step.activation))
    {
      predict::Activate(step.activation, input.memptr(), input.n_elem);
      continue;
    }
    if (step.layer)
    {
      output.set_size(step.outSize, draws * points);
      step.layer->Forward(input, output);
    }
    else
    {
      const ElemType* x = (i == 0) ? features : input.memptr();
      if (step.images > 0)
        Convolve(step, x, i == 0, points, output);
      else
        Product(step, x, i == 0, points, output);
    }
    current = 1 - current;
  }
  return buffers[current].memptr();
}

template class StackedNetwork<arma::mat>;
template class StackedNetwork<arma::fmat>;

} // namespace symvi
