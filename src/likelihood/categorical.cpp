/**
 * @file src/likelihood/categorical.cpp
 */
#include <symvi/likelihood/categorical.hpp>

#include "likelihood/check.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace symvi {

template<typename MatType>
typename MatType::elem_type CategoricalLikelihoodType<MatType>::Forward(
    const MatType& logits, const MatType& labels) const
{
  double sum = 0.0;
  for (size_t i = 0; i < logits.n_cols; ++i)
    sum -= LogDensity(logits, labels, i);
  return ElemType(sum);
}

template<typename MatType>
void CategoricalLikelihoodType<MatType>::Backward(const MatType& logits,
    const MatType& labels, MatType& delta) const
{
  Mean(logits, delta);
  for (size_t i = 0; i < logits.n_cols; ++i)
    delta(size_t(labels[i]), i) -= 1;
}

template<typename MatType>
double CategoricalLikelihoodType<MatType>::LogDensity(const MatType& logits,
    const MatType& labels, const size_t i) const
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

template<typename MatType>
void CategoricalLikelihoodType<MatType>::Mean(const MatType& logits,
    MatType& probabilities) const
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

template<typename MatType>
void CategoricalLikelihoodType<MatType>::CheckTargets(const MatType& labels,
    const size_t outputs, const size_t numPoints)
{
  likelihood::CheckShape("CategoricalLikelihood", labels, 1, numPoints);
  for (size_t i = 0; i < labels.n_elem; ++i)
    CheckLabel(double(labels[i]), i, outputs);
}

template<typename MatType>
void CategoricalLikelihoodType<MatType>::CheckLabel(const double label,
    const size_t column, const size_t classes)
{
  if (!(label >= 0.0 && label < double(classes)) || label != std::floor(label))
  {
    likelihood::BadTarget("CategoricalLikelihood",
        ("labels must be whole numbers from 0 to " +
            std::to_string(classes - 1))
            .c_str(),
        column, label);
  }
}

template class CategoricalLikelihoodType<arma::mat>;
template class CategoricalLikelihoodType<arma::fmat>;

} // namespace symvi
