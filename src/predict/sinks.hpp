/**
 * @file src/predict/sinks.hpp
 *
 * What else can be made of the draws: the draws themselves, and predictive
 * densities.
 */
#ifndef SYMVI_SRC_PREDICT_SINKS_HPP
#define SYMVI_SRC_PREDICT_SINKS_HPP

#include <symvi/predict/predictive.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {
namespace predict {

//! Keeps every output: outputs x points x draws.
template<typename MatType>
struct DrawSink : public PredictiveSink<MatType>
{
  using ElemType = typename MatType::elem_type;

  explicit DrawSink(const size_t samples) : samples(samples) { }

  void Reset(const size_t outputs, const size_t points) override
  {
    cube.set_size(outputs, points, samples);
  }

  void Add(ElemType* outputs, const size_t firstDraw, const size_t draws,
      const size_t point, const size_t count) override
  {
    for (size_t j = 0; j < count; ++j)
      for (size_t s = 0; s < draws; ++s, outputs += cube.n_rows)
        std::copy(outputs, outputs + cube.n_rows,
            cube.slice_colptr(firstDraw + s, point + j));
  }

  size_t samples;
  arma::Cube<ElemType> cube;
};

/**
 * Running log-sum-exp of log p(y_i | x_i, w_s) over s: with top the greatest
 * term so far and sum = sum_s exp(term_s - top), log p = top + log(sum / S).
 */
template<typename MatType>
struct DensitySink : public PredictiveSink<MatType>
{
  using ElemType = typename MatType::elem_type;

  explicit DensitySink(const TargetDensity<MatType>& density) :
      density(density),
      rows(0)
  { }

  void Reset(const size_t outputs, const size_t points) override
  {
    density.check(outputs, points);
    rows = outputs;
    top.set_size(points);
    top.fill(-arma::datum::inf);
    sum.zeros(points);
  }

  void Add(ElemType* outputs, const size_t /* firstDraw */, const size_t draws,
      const size_t point, const size_t count) override
  {
    for (size_t j = 0; j < count; ++j, outputs += rows * draws)
    {
      const MatType block(outputs, rows, draws, false, true);
      const MatType repeated = arma::repmat(density.targets.col(point + j), 1,
          draws);
      for (size_t s = 0; s < draws; ++s)
        AddTerm(point + j, density.logDensity(block, repeated, s));
    }
  }

  arma::rowvec Finish(const size_t samples) const
  {
    return top + arma::log(sum / double(samples));
  }

 private:
  void AddTerm(const size_t i, const double term)
  {
    if (!(term > -arma::datum::inf))
    {
      // Density zero adds nothing; NaN must stay visible.
      sum(i) += std::isnan(term) ? term : 0.0;
      return;
    }
    if (term > top(i))
    {
      sum(i) = sum(i) * std::exp(top(i) - term) + 1;
      top(i) = term;
    }
    else
    {
      sum(i) += std::exp(term - top(i));
    }
  }

  const TargetDensity<MatType>& density;
  size_t rows;
  arma::rowvec top, sum;
};

} // namespace predict
} // namespace symvi

#endif
