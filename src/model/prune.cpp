/**
 * @file src/model/prune.cpp
 */
#include <symvi/model/prune.hpp>

#include "model/hidden_blocks.hpp"

#include <symvi/predict/metrics.hpp>

namespace symvi {
namespace prune {
namespace {

//! Standard deviation of a pruned weight.
constexpr double prunedSigma = 1e-8;

//! Parameters must exist.
template<typename MatType>
void RequireParameters(const char* where, const MatType& parameters)
{
  if (parameters.is_empty())
    throw std::logic_error(std::string(where) +
        "(): the model has no parameters yet; call Train() or Reset() first.");
}

} // namespace

template<typename MatType>
arma::vec WeightRatios(const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters)
{
  RequireParameters("WeightSignalToNoise", parameters);
  const auto blocks = FindBlocks<MatType>(layers);
  size_t total = 0;
  for (const auto& block : blocks)
    total += block.Rows() * block.Cols();
  arma::vec result(total);
  size_t k = 0;
  for (const auto& block : blocks)
    for (size_t i = 0; i < block.Rows() * block.Cols(); ++i)
      result(k++) = std::sqrt(SquaredRatio(parameters, block, i));
  return result;
}

template<typename MatType>
std::vector<arma::vec> UnitRatios(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters)
{
  RequireParameters("UnitSignalToNoise", parameters);
  const auto blocks = FindBlocks<MatType>(layers);
  std::vector<arma::vec> result;
  for (const size_t b : FindHidden<MatType>(layers, blocks))
  {
    const auto& in = blocks[b];
    const auto& out = blocks[b + 1];
    arma::vec ratios(in.Rows());
    // Outgoing weights of a unit, side by side.
    const size_t behind = out.Rows() * out.Cols() / in.Rows();
    for (size_t u = 0; u < in.Rows(); ++u)
    {
      double incoming = 0, outgoing = 0;
      for (size_t c = 0; c < in.Columns(); ++c)
        incoming += SquaredRatio(parameters, in, c * in.Rows() + u);
      for (size_t i = u * behind; i < (u + 1) * behind; ++i)
        outgoing += SquaredRatio(parameters, out, i);
      ratios(u) = std::sqrt(
          std::min(incoming / double(in.Columns()), outgoing / double(behind)));
    }
    result.push_back(ratios);
  }
  return result;
}

template<typename MatType>
PruneReport Weights(const std::vector<mlpack::Layer<MatType>*>& layers,
    MatType& parameters, const double fraction)
{
  using ElemType = typename MatType::elem_type;
  const arma::vec ratios = WeightRatios(layers, parameters);
  const std::vector<size_t> order = Rank(ratios);
  PruneReport report;
  report.candidates = ratios.n_elem;
  report.pruned = Count("PruneWeights", fraction, ratios.n_elem);
  std::vector<bool> goes(ratios.n_elem, false);
  for (size_t k = 0; k < report.pruned; ++k)
    goes[order[k]] = true;
  if (report.pruned > 0)
    report.threshold = ratios(order[report.pruned - 1]);

  const ElemType rho = ElemType(kernel::InverseSoftplus(prunedSigma));
  size_t k = 0;
  for (const auto& block : FindBlocks<MatType>(layers))
  {
    for (size_t i = 0; i < block.Rows() * block.Cols(); ++i, ++k)
    {
      if (!goes[k])
        continue;
      report.klRemoved += WeightKL(parameters, block, i);
      parameters[block.offset + i] = 0;
      parameters[block.offset + block.Size() + i] = rho;
    }
  }
  return report;
}

template<typename MatType>
double Error(const ClassificationPrediction<MatType>& prediction,
    const MatType& responses)
{
  const MatType& p = prediction.probabilities;
  // Categorical: one row of labels.
  if (responses.n_rows == 1 && p.n_rows > 1)
    return 1 - Accuracy(p, responses);
  // Bernoulli: every output is an event of its own.
  double wrong = 0;
  for (size_t i = 0; i < p.n_elem; ++i)
    wrong += ((p[i] > 0.5) != (responses[i] > 0.5));
  return wrong / double(p.n_elem);
}

template<typename MatType>
double Error(const RegressionPrediction<MatType>& prediction,
    const MatType& responses)
{
  return RootMeanSquaredError(prediction.mean, responses);
}

#define SYMVI_PRUNE(MatType) \
  template arma::vec WeightRatios(const std::vector<mlpack::Layer<MatType>*>&, \
      const MatType&); \
  template std::vector<arma::vec> UnitRatios( \
      const std::vector<mlpack::Layer<MatType>*>&, const MatType&); \
  template PruneReport Weights(const std::vector<mlpack::Layer<MatType>*>&, \
      MatType&, const double); \
  template double Error(const ClassificationPrediction<MatType>&, \
      const MatType&); \
  template double Error(const RegressionPrediction<MatType>&, const MatType&);
SYMVI_PRUNE(arma::mat)
SYMVI_PRUNE(arma::fmat)

} // namespace prune
} // namespace symvi
