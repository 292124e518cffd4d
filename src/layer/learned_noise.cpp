/**
 * @file src/layer/learned_noise.cpp
 */
#include <symvi/layer/learned_noise.hpp>
#include <symvi/require.hpp>

#include "kernel/softplus.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {

template<typename MatType>
LearnedNoiseType<MatType>::LearnedNoiseType(const double initialStddev) :
    initialStddev(initialStddev),
    targets(0)
{
  RequirePositive("LearnedNoise", "initialStddev", initialStddev);
}

template<typename MatType>
LearnedNoiseType<MatType>& LearnedNoiseType<MatType>::operator=(
    const LearnedNoiseType& other)
{
  mlpack::Layer<MatType>::operator=(other);
  initialStddev = other.initialStddev;
  targets = other.targets;
  return *this;
}

template<typename MatType>
LearnedNoiseType<MatType>* LearnedNoiseType<MatType>::Clone() const
{
  return new LearnedNoiseType(*this);
}

template<typename MatType>
void LearnedNoiseType<MatType>::SetWeights(const MatType& weightsIn)
{
  mlpack::MakeAlias(raw, weightsIn, targets, 1);
}

template<typename MatType>
void LearnedNoiseType<MatType>::CustomInitialize(MatType& W,
    const size_t /* elements */)
{
  W.fill(ElemType(kernel::InverseSoftplus(initialStddev)));
}

template<typename MatType>
void LearnedNoiseType<MatType>::Forward(const MatType& input, MatType& output)
{
  output.set_size(2 * targets, input.n_cols);
  for (size_t c = 0; c < input.n_cols; ++c)
  {
    std::copy(input.colptr(c), input.colptr(c) + targets, output.colptr(c));
    std::copy(raw.begin(), raw.end(), output.colptr(c) + targets);
  }
}

template<typename MatType>
void LearnedNoiseType<MatType>::Backward(const MatType& /* input */,
    const MatType& /* output */, const MatType& gy, MatType& g)
{
  g.set_size(targets, gy.n_cols);
  for (size_t c = 0; c < gy.n_cols; ++c)
    std::copy(gy.colptr(c), gy.colptr(c) + targets, g.colptr(c));
}

template<typename MatType>
void LearnedNoiseType<MatType>::Gradient(const MatType& /* input */,
    const MatType& error, MatType& gradient)
{
  for (size_t i = 0; i < targets; ++i)
  {
    ElemType sum = 0;
    for (size_t c = 0; c < error.n_cols; ++c)
      sum += error(targets + i, c);
    gradient[i] = sum;
  }
}

template<typename MatType>
void LearnedNoiseType<MatType>::ComputeOutputDimensions()
{
  targets = 1;
  for (const size_t size : this->inputDimensions)
    targets *= size;
  this->outputDimensions.assign(this->inputDimensions.size(), 1);
  this->outputDimensions[0] = 2 * targets;
}

template class LearnedNoiseType<arma::mat>;
template class LearnedNoiseType<arma::fmat>;

} // namespace symvi
