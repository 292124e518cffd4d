/**
 * @file src/model/gaussian_report.cpp
 *
 * L, L^G and the evidence of a Gaussian posterior, and its predictive.
 */
#include "model/elbo_mean.hpp"
#include "model/gaussian_family.hpp"

#include "predict/classification_accumulator.hpp"
#include "predict/regression_accumulator.hpp"
#include "predict/sinks.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace model {

template<typename MatType>
ElboReport GaussianReport(const GaussianFamily& family,
    const MatType& parameters,
    const std::function<double(const MatType&)>& logLikelihood,
    const size_t numPoints, const size_t samples, const uint64_t seed)
{
  information::JointGaussian q(family.weights, family.rank);
  q.Set(parameters.memptr());
  information::JointInformation information(family.symmetry, family.enumerate,
      family.permutations);
  information.Prepare(q);
  const bool hasGroup = information.Group().LogOrder() > 0.0;

  ElboReport report;
  report.numPoints = numPoints;
  report.samples = samples;
  report.group = information.Group().Name();
  report.logGroupOrder = information.Group().LogOrder();
  report.notes = family.notes;
  report.kl = q.KL(family.prior, 0.0, nullptr);
  report.information.exact = !hasGroup || information.Exact();

  RandomStream keys(kernel::KeyFromSeed(seed));
  RandomStream stream(keys.NextBits()), permutations(keys.NextBits());
  const double logPrior = -arma::accu(arma::log(family.prior)) -
      0.5 * double(family.weights) * std::log(2.0 * arma::datum::pi);
  ElboMean mean;
  MatType weights(family.networkSize, 1);
  std::copy(parameters.begin() + family.GaussianSize(), parameters.end(),
      weights.begin() + family.weights);
  arma::vec noise(q.Noise());
  for (size_t s = 0; s < samples; ++s)
  {
    stream.FillNormal(noise.memptr(), noise.n_elem);
    const arma::vec w = q.Draw(noise);
    std::copy(w.begin(), w.end(), weights.begin());
    const double logDensity = logLikelihood(weights);
    InformationEstimate estimate;
    if (hasGroup)
      estimate = information.Evaluate(q, w, permutations);
    const double logQ = q.LogShapes(w - q.Mean())[0] + q.LogConstant();
    mean.Add(logDensity, estimate,
        logPrior - 0.5 * arma::accu(arma::square(w / family.prior)) - logQ);
  }
  mean.Summarize(report);
  return report;
}

template<typename MatType>
std::vector<double> PoolWeights(
    const std::vector<const GaussianFamily*>& families,
    const std::vector<const MatType*>& parameters,
    const std::function<double(const MatType&)>& logLikelihood,
    const size_t samples, const uint64_t seed)
{
  const char* where = "GaussianPosterior::Pool";
  const GaussianFamily& family = *families[0];
  information::JointInformation information(family.symmetry, family.enumerate,
      1);
  Require(information.Exact(), where,
      "the group must have at most GaussianOptions::enumerate elements",
      information.Group().Order());
  std::vector<information::JointGaussian> members;
  for (size_t m = 0; m < families.size(); ++m)
  {
    if (families[m]->weights != family.weights ||
        arma::any(families[m]->prior != family.prior))
      Refuse(where, "all posteriors must be of one network and prior",
          "one is not");
    Require(families[m]->Fixed() == 0, where,
        "the noise must be known, without learned parameters",
        families[m]->Fixed());
    members.emplace_back(family.weights, families[m]->rank);
    members.back().Set(parameters[m]->memptr());
  }

  RandomStream stream(kernel::KeyFromSeed(seed));
  std::vector<double> logWeights;
  for (size_t s = 0; s < samples; ++s)
  {
    const information::JointGaussian& own = members[s % members.size()];
    arma::vec noise(own.Noise()), logs(members.size());
    stream.FillNormal(noise.memptr(), noise.n_elem);
    const arma::vec w = own.Draw(noise);
    for (size_t m = 0; m < members.size(); ++m)
      logs[m] = information.LogSymmetrized(members[m], w);
    const double most = logs.max();
    const arma::vec z = w / family.prior;
    logWeights.push_back(logLikelihood(arma::conv_to<MatType>::from(w)) -
        0.5 * arma::dot(z, z) - arma::accu(arma::log(family.prior)) -
        0.5 * double(family.weights) * std::log(2.0 * arma::datum::pi) - most -
        std::log(arma::mean(arma::exp(logs - most))));
  }
  return logWeights;
}

namespace {

//! Hand all draws of the outputs to a sink, some points at a time.
template<typename MatType>
void RunWeights(const MatType& weights, const WeightOutputs<MatType>& outputs,
    const MatType& points, const PredictOptions& options,
    PredictiveSink<MatType>& sink)
{
  MatType result;
  outputs(weights.col(0), points.head_cols(std::min<size_t>(1, points.n_cols)),
      result);
  const size_t rows = result.n_rows;
  sink.Reset(rows, points.n_cols);
  const size_t chunk = std::max<size_t>(1,
      std::min(options.pointsPerChunk ? options.pointsPerChunk : 4096,
          sink.ChunkLimit(options, rows)));
  for (size_t first = 0; first < points.n_cols; first += chunk)
  {
    const size_t count = std::min<size_t>(chunk, points.n_cols - first);
    const MatType part = points.cols(first, first + count - 1);
    sink.BeginChunk(rows, first, count, weights.n_cols);
    for (size_t s = 0; s < weights.n_cols; ++s)
    {
      outputs(weights.col(s), part, result);
      sink.Add(result.memptr(), s, 1, first, count);
    }
    sink.EndChunk();
  }
}

} // namespace

template<typename MatType>
ClassificationPrediction<MatType> AverageWeights(const MatType& weights,
    const WeightOutputs<MatType>& outputs, const MatType& points,
    const ClassLink link, const PredictOptions& options)
{
  ClassificationAccumulator<MatType> sink(link);
  RunWeights(weights, outputs, points, options, sink);
  return sink.Finish(weights.n_cols);
}

template<typename MatType>
RegressionPrediction<MatType> AverageWeights(const MatType& weights,
    const WeightOutputs<MatType>& outputs, const MatType& points,
    const predict::TargetMoments<MatType>& likelihood,
    const PredictOptions& options)
{
  RegressionAccumulator<predict::TargetMoments<MatType>, MatType> sink(
      likelihood, options);
  RunWeights(weights, outputs, points, options, sink);
  return sink.Finish(weights.n_cols);
}

template<typename MatType>
arma::rowvec WeightLogDensity(const MatType& weights,
    const WeightOutputs<MatType>& outputs, const MatType& points,
    const predict::TargetDensity<MatType>& density,
    const PredictOptions& options)
{
  predict::DensitySink<MatType> sink(density);
  RunWeights(weights, outputs, points, options, sink);
  return sink.Finish(weights.n_cols);
}

#define SYMVI_GAUSSIAN(MatType) \
  template ElboReport GaussianReport(const GaussianFamily&, const MatType&, \
      const std::function<double(const MatType&)>&, size_t, size_t, uint64_t); \
  template std::vector<double> PoolWeights( \
      const std::vector<const GaussianFamily*>&, \
      const std::vector<const MatType*>&, \
      const std::function<double(const MatType&)>&, size_t, uint64_t); \
  template ClassificationPrediction<MatType> AverageWeights(const MatType&, \
      const WeightOutputs<MatType>&, const MatType&, ClassLink, \
      const PredictOptions&); \
  template RegressionPrediction<MatType> AverageWeights(const MatType&, \
      const WeightOutputs<MatType>&, const MatType&, \
      const predict::TargetMoments<MatType>&, const PredictOptions&); \
  template arma::rowvec WeightLogDensity(const MatType&, \
      const WeightOutputs<MatType>&, const MatType&, \
      const predict::TargetDensity<MatType>&, const PredictOptions&);
SYMVI_GAUSSIAN(arma::mat)
SYMVI_GAUSSIAN(arma::fmat)

} // namespace model
} // namespace symvi
