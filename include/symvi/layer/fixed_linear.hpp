/**
 * @file symvi/layer/fixed_linear.hpp
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
 * Behind a Bayesian layer it keeps part of the permutation symmetry: hidden
 * units with equal columns of W can be exchanged, so G is the product of the
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
      const arma::vec& bias = arma::vec());

  FixedLinearType* Clone() const override { return new FixedLinearType(*this); }

  void Forward(const MatType& input, MatType& output) override;

  void Backward(const MatType& /* input */, const MatType& /* output */,
      const MatType& gy, MatType& g) override;

  void ComputeOutputDimensions() override;

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

extern template class FixedLinearType<arma::mat>;
extern template class FixedLinearType<arma::fmat>;

} // namespace symvi

#endif
