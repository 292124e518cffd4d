/**
 * @file layer/learned_noise.hpp
 *
 * One learned noise level per target, for homoscedastic regression.
 */
#ifndef SYMVI_LAYER_LEARNED_NOISE_HPP
#define SYMVI_LAYER_LEARNED_NOISE_HPP

#include <symvi/prereqs.hpp>

#include <algorithm>
#include <cmath>

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
  explicit LearnedNoiseType(const double initialStddev = 1.0) :
      initialStddev(initialStddev),
      targets(0)
  {
    if (!(initialStddev > 0.0) || !std::isfinite(initialStddev))
    {
      throw std::invalid_argument("LearnedNoise(): initialStddev must be "
          "positive and finite, but is " + std::to_string(initialStddev) + ".");
    }
  }

  LearnedNoiseType(const LearnedNoiseType& other) :
      mlpack::Layer<MatType>(other),
      initialStddev(other.initialStddev),
      targets(other.targets)
  { /* The raw noise is the network's memory. */ }

  LearnedNoiseType& operator=(const LearnedNoiseType& other)
  {
    mlpack::Layer<MatType>::operator=(other);
    initialStddev = other.initialStddev;
    targets = other.targets;
    return *this;
  }

  LearnedNoiseType* Clone() const override
  {
    return new LearnedNoiseType(*this);
  }

  void SetWeights(const MatType& weightsIn) override
  {
    mlpack::MakeAlias(raw, weightsIn, targets, 1);
  }

  void CustomInitialize(MatType& W, const size_t /* elements */) override
  {
    // Inverse of softplus.
    W.fill(ElemType(initialStddev + std::log(-std::expm1(-initialStddev))));
  }

  void Forward(const MatType& input, MatType& output) override
  {
    output.set_size(2 * targets, input.n_cols);
    for (size_t c = 0; c < input.n_cols; ++c)
    {
      std::copy(input.colptr(c), input.colptr(c) + targets, output.colptr(c));
      std::copy(raw.begin(), raw.end(), output.colptr(c) + targets);
    }
  }

  void Backward(const MatType& /* input */,
                const MatType& /* output */,
                const MatType& gy,
                MatType& g) override
  {
    g.set_size(targets, gy.n_cols);
    for (size_t c = 0; c < gy.n_cols; ++c)
      std::copy(gy.colptr(c), gy.colptr(c) + targets, g.colptr(c));
  }

  void Gradient(const MatType& /* input */,
                const MatType& error,
                MatType& gradient) override
  {
    for (size_t i = 0; i < targets; ++i)
    {
      ElemType sum = 0;
      for (size_t c = 0; c < error.n_cols; ++c)
        sum += error(targets + i, c);
      gradient[i] = sum;
    }
  }

  void ComputeOutputDimensions() override
  {
    targets = 1;
    for (const size_t size : this->inputDimensions)
      targets *= size;
    this->outputDimensions.assign(this->inputDimensions.size(), 1);
    this->outputDimensions[0] = 2 * targets;
  }

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

} // namespace symvi

#endif
