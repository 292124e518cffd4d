/**
 * @file symvi/layer/learned_noise.hpp
 *
 * One learned noise level per target, for homoscedastic regression.
 */
#ifndef SYMVI_LAYER_LEARNED_NOISE_HPP
#define SYMVI_LAYER_LEARNED_NOISE_HPP

#include <symvi/prereqs.hpp>

namespace symvi {

/**
 * The last layer of a regression network with learned, input-independent noise.
 * k inputs (the means) become 2k outputs: the means, then k raw noise levels
 * that are the same for every point,
 *
 *   y = [x; a],   noise stddev = softplus(a),
 *
 * which is what HeteroscedasticGaussianLikelihood reads.  a is a trainable
 * point estimate (type-II maximum likelihood), not a posterior.
 */
template<typename MatType = arma::mat>
class LearnedNoiseType : public mlpack::Layer<MatType>
{
 public:
  using ElemType = typename MatType::elem_type;

  //! @param initialStddev Noise standard deviation at the start.
  explicit LearnedNoiseType(const double initialStddev = 1.0);

  LearnedNoiseType(const LearnedNoiseType& other) :
      mlpack::Layer<MatType>(other),
      initialStddev(other.initialStddev),
      targets(other.targets)
  { /* The raw noise is the network's memory. */
  }

  LearnedNoiseType& operator=(const LearnedNoiseType& other);

  LearnedNoiseType* Clone() const override;

  void SetWeights(const MatType& weightsIn) override;

  void CustomInitialize(MatType& W, const size_t /* elements */) override;

  void Forward(const MatType& input, MatType& output) override;

  void Backward(const MatType& /* input */, const MatType& /* output */,
      const MatType& gy, MatType& g) override;

  void Gradient(const MatType& /* input */, const MatType& error,
      MatType& gradient) override;

  void ComputeOutputDimensions() override;

  size_t WeightSize() const override { return targets; }
  const MatType& Parameters() const override { return raw; }
  MatType& Parameters() override { return raw; }
  double InitialStddev() const { return initialStddev; }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(cereal::make_nvp("layer",
        cereal::base_class<mlpack::Layer<MatType>>(this)));
    ar(CEREAL_NVP(initialStddev));
    ar(CEREAL_NVP(targets));
  }

 private:
  double initialStddev;
  size_t targets;
  MatType raw;
};

SYMVI_LAYER_NAME(LearnedNoise);

extern template class LearnedNoiseType<arma::mat>;
extern template class LearnedNoiseType<arma::fmat>;

} // namespace symvi

#endif
