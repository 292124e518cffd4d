/**
 * @file benchmarks/common/data.hpp
 *
 * Data shaped like MNIST: 784 inputs in [0, 1] of which a ring of border pixels
 * is always zero, 10 classes, each a noisy prototype.
 */
#ifndef SYMVI_BENCHMARKS_DATA_HPP
#define SYMVI_BENCHMARKS_DATA_HPP

#include <armadillo>

#include <symvi/kernel/random_stream.hpp>

namespace bench {

template<typename MatType>
struct Data
{
  MatType predictors, labels;
};

template<typename MatType>
Data<MatType> MakeData(const size_t points)
{
  using eT = typename MatType::elem_type;
  const size_t side = 28, border = 4, classes = 10;
  symvi::RandomStream stream(2024);
  arma::mat prototypes(side * side, classes, arma::fill::zeros);
  for (size_t c = 0; c < classes; ++c)
    for (size_t i = border; i < side - border; ++i)
      for (size_t j = border; j < side - border; ++j)
        prototypes(i * side + j, c) = (stream.NextUniform() < 0.3) ? 0.7 : 0.0;

  Data<MatType> data;
  data.predictors.zeros(side * side, points);
  data.labels.set_size(1, points);
  for (size_t n = 0; n < points; ++n)
  {
    const size_t label = stream.NextIndex(classes);
    data.labels(0, n) = eT(label);
    for (size_t i = 0; i < side * side; ++i)
      if (prototypes(i, label) > 0.0 && stream.NextUniform() < 0.7)
        data.predictors(i, n) = eT(
            0.3 + prototypes(i, label) * stream.NextUniform());
  }
  return data;
}

//! The same memory as another matrix: objectives take their data by value.
template<typename MatType>
MatType Share(const MatType& matrix)
{
  return MatType(const_cast<typename MatType::elem_type*>(matrix.memptr()),
      matrix.n_rows, matrix.n_cols, false, false);
}

} // namespace bench

#endif
