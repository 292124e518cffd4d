/**
 * @file layer/fixed_linear.hpp
 *
 * A linear layer whose weights are constants of the model.
 */
#ifndef SYMVI_LAYER_FIXED_LINEAR_HPP
#define SYMVI_LAYER_FIXED_LINEAR_HPP

#include <symvi/prereqs.hpp>

namespace symvi {

/**
 * y = W x + b with W and b given once and never trained.
 *
 * Behind a Bayesian layer it keeps part of the permutation symmetry: units with
 * equal outgoing columns of W can be exchanged, so G is the product of the
 * symmetric groups over classes of equal columns.  The two-weight network
 * f(x) = ReLU(w_1 x) + ReLU(w_2 x) [Gelberg2024, Sec. 5] has W = (1, 1).
 */
template<typename MatType = arma::mat>
class FixedLinearType : public mlpack::Layer<MatType>
{
 public:
  FixedLinearType() { }

  /**
   * @param weight outSize x inSize.
   * @param bias outSize numbers; empty for none.
   */
  explicit FixedLinearType(const arma::mat& weight,
                           const arma::vec& bias = arma::vec()) :
      weight(arma::conv_to<MatType>::from(weight)),
      bias(arma::conv_to<MatType>::from(bias))
  {
    if (weight.is_empty())
    {
      throw std::invalid_argument("FixedLinear(): weight must not be empty, "
          "but is " + std::to_string(weight.n_rows) + " x " +
          std::to_string(weight.n_cols) + ".");
    }
    if (!bias.is_empty() && bias.n_elem != weight.n_rows)
    {
      throw std::invalid_argument("FixedLinear(): bias must have " +
          std::to_string(weight.n_rows) + " elements, but has " +
          std::to_string(bias.n_elem) + ".");
    }
  }

  FixedLinearType* Clone() const override { return new FixedLinearType(*this); }

  void Forward(const MatType& input, MatType& output) override
  {
    output = weight * input;
    if (!bias.is_empty())
      output.each_col() += arma::vectorise(bias);
  }

  void Backward(const MatType& /* input */,
                const MatType& /* output */,
                const MatType& gy,
                MatType& g) override
  {
    g = weight.t() * gy;
  }

  void ComputeOutputDimensions() override
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

  const MatType& Weight() const { return weight; }
  const MatType& Bias() const { return bias; }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(cereal::make_nvp("layer",
        cereal::base_class<mlpack::Layer<MatType>>(this)));
    ar(CEREAL_NVP(weight));
    ar(CEREAL_NVP(bias));
  }

 private:
  MatType weight;
  MatType bias;
};

SYMVI_LAYER_NAME(FixedLinear);

} // namespace symvi

#endif
