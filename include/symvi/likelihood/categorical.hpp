/**
 * @file likelihood/categorical.hpp
 *
 * Softmax likelihood for classification.
 */
#ifndef SYMVI_LIKELIHOOD_CATEGORICAL_HPP
#define SYMVI_LIKELIHOOD_CATEGORICAL_HPP

#include "check.hpp"

#include <algorithm>
#include <cstdint>

namespace symvi {

/**
 * -log p(Y_B | X_B, w) of logits a, *summed* over the batch:
 *
 *   Forward  = sum_i ( log sum_k exp(a_ki) - a_{y_i i} )
 *   Backward = softmax(a_i) - onehot(y_i)
 *
 * The network ends in its logits: no Softmax or LogSoftmax layer.  Labels are a
 * row of class numbers 0 .. C - 1, as mlpack stores them.
 */
template<typename MatType = arma::mat>
class CategoricalLikelihoodType
{
 public:
  using ElemType = typename MatType::elem_type;

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& logits, const MatType& labels) const
  {
    double sum = 0.0;
    for (size_t i = 0; i < logits.n_cols; ++i)
      sum -= LogDensity(logits, labels, i);
    return ElemType(sum);
  }

  //! Derivative of Forward() with respect to the logits.
  void Backward(const MatType& logits,
                const MatType& labels,
                MatType& delta) const
  {
    Mean(logits, delta);
    for (size_t i = 0; i < logits.n_cols; ++i)
      delta(size_t(labels[i]), i) -= 1;
  }

  //! log p(y_i | logits of column i).
  double LogDensity(const MatType& logits,
                    const MatType& labels,
                    const size_t i) const
  {
    const double label = double(labels[i]);
    CheckLabel(label, i, logits.n_rows);
    const ElemType* a = logits.colptr(i);
    const double shift = *std::max_element(a, a + logits.n_rows);
    double sum = 0.0;
    for (size_t k = 0; k < logits.n_rows; ++k)
      sum += std::exp(double(a[k]) - shift);
    return double(a[size_t(label)]) - shift - std::log(sum);
  }

  //! E[y]: the class probabilities, softmax of each column.
  void Mean(const MatType& logits, MatType& probabilities) const
  {
    probabilities.set_size(logits.n_rows, logits.n_cols);
    for (size_t i = 0; i < logits.n_cols; ++i)
    {
      const ElemType* a = logits.colptr(i);
      ElemType* p = probabilities.colptr(i);
      const ElemType shift = *std::max_element(a, a + logits.n_rows);
      ElemType sum = 0;
      for (size_t k = 0; k < logits.n_rows; ++k)
        sum += (p[k] = std::exp(a[k] - shift));
      for (size_t k = 0; k < logits.n_rows; ++k)
        p[k] /= sum;
    }
  }

  //! Labels must be a row of whole numbers 0 .. outputs - 1.
  static void CheckTargets(const MatType& labels,
                           const size_t outputs,
                           const size_t numPoints)
  {
    likelihood::CheckShape("CategoricalLikelihood", labels, 1, numPoints);
    for (size_t i = 0; i < labels.n_elem; ++i)
      CheckLabel(double(labels[i]), i, outputs);
  }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t /* version */) { }

 private:
  static void CheckLabel(const double label,
                         const size_t column,
                         const size_t classes)
  {
    if (!(label >= 0.0 && label < double(classes)) ||
        label != std::floor(label))
    {
      likelihood::BadTarget("CategoricalLikelihood", ("labels must be whole "
          "numbers from 0 to " + std::to_string(classes - 1)).c_str(), column,
          label);
    }
  }
};

using CategoricalLikelihood = CategoricalLikelihoodType<arma::mat>;

} // namespace symvi

#endif
