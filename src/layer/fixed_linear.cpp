/**
 * @file src/layer/fixed_linear.cpp
 */
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/require.hpp>

namespace symvi {

template<typename MatType>
FixedLinearType<MatType>::FixedLinearType(const arma::mat& weight,
    const arma::vec& bias) :
    weight(arma::conv_to<MatType>::from(weight)),
    bias(arma::conv_to<MatType>::from(bias))
{
  if (weight.is_empty())
    Refuse("FixedLinear", "weight must not be empty",
        "is " + std::to_string(weight.n_rows) + " x " +
            std::to_string(weight.n_cols));
  if (!bias.is_empty())
    RequireCount("FixedLinear", "bias", "elements", bias.n_elem, weight.n_rows);
}

template<typename MatType>
void FixedLinearType<MatType>::Forward(const MatType& input, MatType& output)
{
  output = weight * input;
  if (!bias.is_empty())
    output.each_col() += arma::vectorise(bias);
}

template<typename MatType>
void FixedLinearType<MatType>::Backward(const MatType& /* input */,
    const MatType& /* output */, const MatType& gy, MatType& g)
{
  g = weight.t() * gy;
}

template<typename MatType>
void FixedLinearType<MatType>::ComputeOutputDimensions()
{
  size_t inSize = 1;
  for (const size_t size : this->inputDimensions)
    inSize *= size;
  if (inSize != weight.n_cols)
    Refuse("FixedLinear",
        "weight has " + std::to_string(weight.n_cols) + " columns",
        "the input has " + std::to_string(inSize) + " dimensions");
  this->outputDimensions.assign(this->inputDimensions.size(), 1);
  this->outputDimensions[0] = weight.n_rows;
}

template class FixedLinearType<arma::mat>;
template class FixedLinearType<arma::fmat>;

} // namespace symvi
