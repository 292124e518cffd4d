/**
 * @file src/layer/fixed_linear.cpp
 */
#include <symvi/layer/fixed_linear.hpp>

namespace symvi {

template<typename MatType>
FixedLinearType<MatType>::FixedLinearType(const arma::mat& weight,
    const arma::vec& bias) :
    weight(arma::conv_to<MatType>::from(weight)),
    bias(arma::conv_to<MatType>::from(bias))
{
  if (weight.is_empty())
  {
    throw std::invalid_argument("FixedLinear(): weight must not be empty, "
                                "but is " +
        std::to_string(weight.n_rows) + " x " + std::to_string(weight.n_cols) +
        ".");
  }
  if (!bias.is_empty() && bias.n_elem != weight.n_rows)
  {
    throw std::invalid_argument("FixedLinear(): bias must have " +
        std::to_string(weight.n_rows) + " elements, but has " +
        std::to_string(bias.n_elem) + ".");
  }
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
  {
    throw std::invalid_argument("FixedLinear(): weight has " +
        std::to_string(weight.n_cols) + " columns, but the input has " +
        std::to_string(inSize) + " dimensions.");
  }
  this->outputDimensions.assign(this->inputDimensions.size(), 1);
  this->outputDimensions[0] = weight.n_rows;
}

template class FixedLinearType<arma::mat>;
template class FixedLinearType<arma::fmat>;

} // namespace symvi
