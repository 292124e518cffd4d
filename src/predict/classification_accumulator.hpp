/**
 * @file src/predict/classification_accumulator.hpp
 *
 * Running sums from which a ClassificationPrediction is made.
 */
#ifndef SYMVI_SRC_PREDICT_CLASSIFICATION_ACCUMULATOR_HPP
#define SYMVI_SRC_PREDICT_CLASSIFICATION_ACCUMULATOR_HPP

#include "predict/classification_kernel.hpp"

#include <symvi/predict/predictive.hpp>

#include <cmath>
#include <vector>

namespace symvi {

/**
 * Collects draws of logits in any order.  Memory is that of the result, in
 * double precision; it does not depend on the number of draws.  The sums are
 * kept in double, probabilities are at most one, so that the variance has an
 * absolute error of about 1e-16 for double logits and 1e-7 for float.
 */
template<typename MatType = arma::mat>
class ClassificationAccumulator final : public PredictiveSink<MatType>
{
 public:
  using ElemType = typename MatType::elem_type;

  explicit ClassificationAccumulator(const ClassLink link) : link(link) { }

  //! Start anew for this many points with this many logits each.
  void Reset(const size_t outputs, const size_t points) override
  {
    const size_t entropies = (link == ClassLink::Softmax) ? 1 : outputs;
    sum.zeros(outputs, points);
    squares.zeros(outputs, points);
    entropy.zeros(entropies, points);
  }

  /**
   * Add draws of the logits of some points.
   *
   * @param logits outputs x (draws * count), the draws of a point side by
   *     side; overwritten.
   * @param draws How many draws.
   * @param point First point.
   * @param count How many points.
   */
  void Add(ElemType* logits, const size_t /* firstDraw */, const size_t draws,
      const size_t point, const size_t count) override
  {
    const size_t outputs = sum.n_rows;
    work.resize(outputs * draws);
    for (size_t j = 0; j < count; ++j)
    {
      ElemType* z = logits + j * outputs * draws;
      double* s = sum.colptr(point + j);
      double* q = squares.colptr(point + j);
      if (link == ClassLink::Softmax)
        entropy(0, point + j) += predict::AddSoftmax(z, work.data(), outputs,
            draws, s, q);
      else
        predict::AddSigmoid(z, outputs, draws, s, q, entropy.colptr(point + j));
    }
  }

  //! The prediction, given how many draws every point has seen.
  ClassificationPrediction<MatType> Finish(const size_t samples) const
  {
    const double scale = 1 / double(samples);
    ClassificationPrediction<MatType> result;
    const arma::mat mean = sum * scale;
    const arma::mat expected = entropy * scale;
    const arma::mat total = TotalEntropy(mean);
    result.samples = samples;
    result.probabilities = arma::conv_to<MatType>::from(mean);
    result.variance = arma::conv_to<MatType>::from(
        arma::clamp(squares * scale - arma::square(mean), 0.0, 1.0));
    result.entropy = arma::conv_to<MatType>::from(total);
    result.expectedEntropy = arma::conv_to<MatType>::from(expected);
    result.mutualInformation = arma::conv_to<MatType>::from(
        arma::clamp(total - expected, 0.0, arma::datum::inf));
    return result;
  }

 private:
  //! H(p) of the mean probabilities.
  arma::mat TotalEntropy(const arma::mat& mean) const
  {
    const arma::mat own = Surprise(mean);
    return (link == ClassLink::Softmax) ? arma::mat(arma::sum(own, 0)) :
                                          arma::mat(own + Surprise(1 - mean));
  }

  //! -p log p, 0 at 0.
  static arma::mat Surprise(arma::mat p)
  {
    p.transform([](const double x) { return x > 0 ? -x * std::log(x) : 0.0; });
    return p;
  }

  ClassLink link;
  arma::mat sum;
  arma::mat squares;
  arma::mat entropy;
  std::vector<ElemType> work;
};

} // namespace symvi

#endif
