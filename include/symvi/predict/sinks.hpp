/**
 * @file symvi/predict/sinks.hpp
 *
 * What else can be made of the draws: the draws themselves, and predictive
 * densities.
 */
#ifndef SYMVI_PREDICT_SINKS_HPP
#define SYMVI_PREDICT_SINKS_HPP

#include <symvi/likelihood/bernoulli.hpp>
#include <symvi/likelihood/categorical.hpp>

#include "classification_accumulator.hpp"
#include "options.hpp"
#include "regression_accumulator.hpp"

#include <armadillo>

#include <cmath>

namespace symvi {
namespace predict {

//! What most sinks do at the borders of chunks.
struct SinkBase
{
  size_t ChunkLimit(const PredictOptions&, size_t) const { return size_t(-1); }
  void BeginChunk(size_t, size_t, size_t, size_t) { }
  void EndChunk() { }
};

//! Keeps every output: outputs x points x draws.
template<typename eT>
struct DrawSink : public SinkBase
{
  explicit DrawSink(const size_t samples) : samples(samples) { }

  void Reset(const size_t outputs, const size_t points)
  {
    cube.set_size(outputs, points, samples);
  }

  void Add(const eT* outputs, const size_t firstDraw, const size_t draws,
           const size_t point, const size_t count)
  {
    for (size_t j = 0; j < count; ++j)
      for (size_t s = 0; s < draws; ++s, outputs += cube.n_rows)
        std::copy(outputs, outputs + cube.n_rows,
            cube.slice_colptr(firstDraw + s, point + j));
  }

  size_t samples;
  arma::Cube<eT> cube;
};

/**
 * Running log-sum-exp of log p(y_i | x_i, w_s) over s: with top the greatest
 * term so far and sum = sum_s exp(term_s - top), log p = top + log(sum / S).
 */
template<typename LikelihoodType, typename MatType>
struct DensitySink : public SinkBase
{
  DensitySink(const LikelihoodType& likelihood, const MatType& targets) :
      likelihood(likelihood), targets(targets), rows(0) { }

  void Reset(const size_t outputs, const size_t points)
  {
    LikelihoodType::CheckTargets(targets, outputs, points);
    rows = outputs;
    top.set_size(points);
    top.fill(-arma::datum::inf);
    sum.zeros(points);
  }

  void Add(typename MatType::elem_type* outputs, size_t /* firstDraw */,
           const size_t draws, const size_t point, const size_t count)
  {
    for (size_t j = 0; j < count; ++j, outputs += rows * draws)
    {
      const MatType block(outputs, rows, draws, false, true);
      const MatType repeated = arma::repmat(targets.col(point + j), 1, draws);
      for (size_t s = 0; s < draws; ++s)
        AddTerm(point + j, likelihood.LogDensity(block, repeated, s));
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

  const LikelihoodType& likelihood;
  const MatType& targets;
  size_t rows;
  arma::rowvec top, sum;
};

//! What averages predictions under a likelihood.
template<typename MatType>
inline ClassificationAccumulator<MatType> MakeSink(
    const CategoricalLikelihoodType<MatType>& /* likelihood */,
    const PredictOptions& /* options */)
{
  return ClassificationAccumulator<MatType>(ClassLink::Softmax);
}

template<typename MatType>
inline ClassificationAccumulator<MatType> MakeSink(
    const BernoulliLikelihoodType<MatType>& /* likelihood */,
    const PredictOptions& /* options */)
{
  return ClassificationAccumulator<MatType>(ClassLink::Sigmoid);
}

template<typename MatType, typename LikelihoodType>
inline RegressionAccumulator<LikelihoodType, MatType> MakeSink(
    const LikelihoodType& likelihood,
    const PredictOptions& options)
{
  return RegressionAccumulator<LikelihoodType, MatType>(likelihood, options);
}

} // namespace predict
} // namespace symvi

#endif
