/**
 * @file src/layer/bayesian_convolution.cpp
 */
#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/require.hpp>

#include "layer/gemm.hpp"
#include "layer/patches.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace symvi {
namespace {

constexpr const char* name = "BayesianConvolution";

[[noreturn]] void RefuseLocal()
{
  Refuse(name,
      "sampling must be Sampling::Weights, as the patches of a point share "
      "their weights",
      "is Sampling::Local");
}

/**
 * Call function(image, patches) for every image of a batch; the threads share
 * the images, and each has room for the patches of one.
 */
template<typename eT, typename Function>
void ForEachImage(const ConvolutionShape& shape, const size_t images,
    const Function& function)
{
  // A part takes long enough to be worth waking a thread for.
  kernel::ThreadPool& pool = kernel::ThreadPool::Instance();
  const size_t parts = std::min(images, pool.Size());
  const kernel::OneBlasThread alone;
  std::vector<std::vector<eT>> rooms(parts);
  for (std::vector<eT>& room : rooms)
    room.resize(shape.Patches() * shape.PatchSize());
  pool.Run(parts,
      [&](const size_t part)
      {
    for (size_t i = part * images / parts; i < (part + 1) * images / parts; ++i)
      function(part, i, rooms[part].data());
  });
}

} // namespace

template<typename MatType>
BayesianConvolutionType<MatType>::BayesianConvolutionType(const size_t maps,
    const size_t kernelWidth, const size_t kernelHeight,
    const size_t strideWidth, const size_t strideHeight,
    const std::tuple<size_t, size_t>& padW,
    const std::tuple<size_t, size_t>& padH, const std::string& paddingTypeIn,
    const bool useBias, const BayesianOptions& options) :
    BayesianLinearType<MatType>(maps, options, useBias),
    paddingType(paddingTypeIn)
{
  shape.kernelWidth = kernelWidth;
  shape.kernelHeight = kernelHeight;
  shape.strideWidth = strideWidth;
  shape.strideHeight = strideHeight;
  std::tie(shape.padLeft, shape.padRight) = padW;
  std::tie(shape.padTop, shape.padBottom) = padH;
  for (char& letter : paddingType)
    letter = char(std::tolower(static_cast<unsigned char>(letter)));
  if (paddingType != "none" && paddingType != "valid" && paddingType != "same")
    Refuse(name, "paddingType must be \"none\", \"valid\" or \"same\"",
        "is \"" + paddingTypeIn + "\"");
  if (options.Sample() == Sampling::Local)
    RefuseLocal();
}

template<typename MatType>
BayesianConvolutionType<MatType>::BayesianConvolutionType(const size_t maps,
    const size_t kernelWidth, const size_t kernelHeight,
    const size_t strideWidth, const size_t strideHeight, const size_t padW,
    const size_t padH, const std::string& paddingType, const bool useBias,
    const BayesianOptions& options) :
    BayesianConvolutionType(maps, kernelWidth, kernelHeight, strideWidth,
        strideHeight, std::tuple<size_t, size_t>(padW, padW),
        std::tuple<size_t, size_t>(padH, padH), paddingType, useBias, options)
{ }

template<typename MatType>
BayesianConvolutionType<MatType>::BayesianConvolutionType(const size_t maps,
    const size_t kernelWidth, const size_t kernelHeight,
    const BayesianOptions& options) :
    BayesianConvolutionType(maps, kernelWidth, kernelHeight, 1, 1, 0, 0, "none",
        true, options)
{ }

template<typename MatType>
void BayesianConvolutionType<MatType>::ComputeOutputDimensions()
{
  const std::vector<size_t>& input = this->inputDimensions;
  const auto dimension = [&](const size_t i)
  { return (i < input.size()) ? input[i] : 1; };
  for (const auto& size : { std::make_pair("maps", this->outSize),
           std::make_pair("kernelWidth", shape.kernelWidth),
           std::make_pair("kernelHeight", shape.kernelHeight),
           std::make_pair("strideWidth", shape.strideWidth),
           std::make_pair("strideHeight", shape.strideHeight) })
    RequirePositive(name, size.first, size.second);

  shape.width = dimension(0);
  shape.height = dimension(1);
  shape.maps = dimension(2);
  images = 1;
  for (size_t i = 3; i < input.size(); ++i)
    images *= input[i];
  if (paddingType == "valid")
    shape.padLeft = shape.padRight = shape.padTop = shape.padBottom = 0;
  else if (paddingType == "same")
  {
    // (size + pad - kernel) / stride + 1 = size.
    const size_t w = (shape.strideWidth - 1) * shape.width + shape.kernelWidth -
        shape.strideWidth;
    const size_t h = (shape.strideHeight - 1) * shape.height +
        shape.kernelHeight - shape.strideHeight;
    shape.padLeft = w / 2;
    shape.padRight = w - w / 2;
    shape.padTop = h / 2;
    shape.padBottom = h - h / 2;
  }
  if (shape.width + shape.padLeft + shape.padRight < shape.kernelWidth ||
      shape.height + shape.padTop + shape.padBottom < shape.kernelHeight)
    Refuse(name,
        "the filters must not be larger than the padded input; set "
        "InputDimensions() of the network to { width, height, maps }",
        "are " + std::to_string(shape.kernelWidth) + " x " +
            std::to_string(shape.kernelHeight) + " where the input is " +
            std::to_string(shape.width) + " x " + std::to_string(shape.height));

  this->inSize = shape.PatchSize();
  this->outputDimensions = input;
  this->outputDimensions.resize(std::max(input.size(), size_t(3)), 1);
  this->outputDimensions[0] = shape.OutWidth();
  this->outputDimensions[1] = shape.OutHeight();
  this->outputDimensions[2] = this->outSize;
}

template<typename MatType>
size_t BayesianConvolutionType<MatType>::InputRows() const
{
  return shape.ImageSize() * images;
}

template<typename MatType>
void BayesianConvolutionType<MatType>::Multiply(const ElemType* weights,
    const MatType& input, MatType& output)
{
  const size_t n = shape.Patches(), maps = this->outSize, k = this->inSize;
  output.set_size(n * maps * images, input.n_cols);
  ForEachImage<ElemType>(shape, images * input.n_cols,
      [&](size_t, const size_t image, ElemType* patches)
      {
    ElemType* to = output.memptr() + image * n * maps;
    CopyPatches(shape, input.memptr() + image * shape.ImageSize(), patches);
    for (size_t m = 0; m < maps && this->hasBias; ++m)
      std::fill(to + m * n, to + (m + 1) * n, weights[maps * k + m]);
    GemmBlock<ElemType>({ false, true, n, maps, k, patches, weights,
                            ElemType(this->hasBias ? 1 : 0), to },
        0, n, 0, maps);
  });
}

template<typename MatType>
void BayesianConvolutionType<MatType>::MultiplyTransposed(
    const ElemType* weights, const MatType& gy, const ElemType beta, MatType& g)
{
  const size_t n = shape.Patches(), maps = this->outSize, k = this->inSize;
  if (beta == ElemType(0))
    g.zeros();
  ForEachImage<ElemType>(shape, images * gy.n_cols,
      [&](size_t, const size_t image, ElemType* patches)
      {
    GemmBlock<ElemType>({ false, false, n, k, maps,
                            gy.memptr() + image * n * maps, weights,
                            ElemType(0), patches },
        0, n, 0, k);
    AddPatches(shape, patches, g.memptr() + image * shape.ImageSize());
  });
}

template<typename MatType>
void BayesianConvolutionType<MatType>::WeightGradient(const MatType& input,
    const MatType& error, const ElemType beta, ElemType* gradient)
{
  // One sum per thread, the first one in place.
  const size_t n = shape.Patches(), maps = this->outSize, k = this->inSize;
  const size_t size = this->PosteriorSize();
  if (beta == ElemType(0))
    std::fill(gradient, gradient + size, ElemType(0));
  std::vector<std::vector<ElemType>> sums(
      kernel::ThreadPool::Instance().Size() - 1,
      std::vector<ElemType>(size, ElemType(0)));
  ForEachImage<ElemType>(shape, images * input.n_cols,
      [&](const size_t part, const size_t image, ElemType* patches)
      {
    ElemType* sum = (part == 0) ? gradient : sums[part - 1].data();
    const ElemType* delta = error.memptr() + image * n * maps;
    CopyPatches(shape, input.memptr() + image * shape.ImageSize(), patches);
    GemmBlock<ElemType>(
        { true, false, maps, k, n, delta, patches, ElemType(1), sum }, 0, maps,
        0, k);
    for (size_t m = 0; m < maps && this->hasBias; ++m)
    {
      ElemType total = 0;
      for (size_t i = m * n; i < (m + 1) * n; ++i)
        total += delta[i];
      sum[maps * k + m] += total;
    }
  });
  for (const std::vector<ElemType>& sum : sums)
    for (size_t i = 0; i < size; ++i)
      gradient[i] += sum[i];
}

template<typename MatType>
void BayesianConvolutionType<MatType>::ForwardLocal(const MatType& /* input */,
    MatType& /* output */)
{
  RefuseLocal();
}

template class BayesianConvolutionType<arma::mat>;
template class BayesianConvolutionType<arma::fmat>;

} // namespace symvi
