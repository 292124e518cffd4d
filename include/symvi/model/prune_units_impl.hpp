/**
 * @file symvi/model/prune_units_impl.hpp
 *
 * Implementation of PruneUnits(): a smaller network with the units that stay.
 */
#ifndef SYMVI_MODEL_PRUNE_UNITS_IMPL_HPP
#define SYMVI_MODEL_PRUNE_UNITS_IMPL_HPP

#include "prune_impl.hpp"

namespace symvi {
namespace prune {

//! Rows and columns of a block that stay.
struct Kept
{
  arma::uvec rows;
  arma::uvec cols;
};

//! Mark the units of least ratio, leaving at least one in every layer.
inline std::vector<std::vector<bool>> ChooseUnits(
    const std::vector<arma::vec>& ratios,
    size_t count,
    PruneReport& report)
{
  arma::vec all;
  std::vector<std::pair<size_t, size_t>> place;
  std::vector<std::vector<bool>> goes;
  for (size_t h = 0; h < ratios.size(); ++h)
  {
    all = arma::join_cols(all, ratios[h]);
    goes.push_back(std::vector<bool>(ratios[h].n_elem, false));
    report.unitsLeft.push_back(ratios[h].n_elem);
    for (size_t u = 0; u < ratios[h].n_elem; ++u)
      place.push_back({ h, u });
  }
  for (const size_t k : Rank(all))
  {
    if (count == 0)
      break;
    size_t& left = report.unitsLeft[place[k].first];
    if (left == 1)
      continue;
    goes[place[k].first][place[k].second] = true;
    --left;
    --count;
    ++report.pruned;
    report.threshold = all(k);
  }
  return goes;
}

//! Rows and columns that stay, per block.
template<typename MatType>
std::vector<Kept> KeptRowsAndColumns(
    const std::vector<Block<MatType>>& blocks,
    const std::vector<size_t>& hidden,
    const std::vector<std::vector<bool>>& goes)
{
  std::vector<Kept> kept(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b)
  {
    kept[b].rows = arma::regspace<arma::uvec>(0, 1, blocks[b].Rows() - 1);
    kept[b].cols = arma::regspace<arma::uvec>(0, 1, blocks[b].Cols() - 1);
  }
  for (size_t h = 0; h < hidden.size(); ++h)
  {
    std::vector<arma::uword> stay;
    for (size_t u = 0; u < goes[h].size(); ++u)
      if (!goes[h][u])
        stay.push_back(u);
    kept[hidden[h]].rows = arma::uvec(stay);
    kept[hidden[h] + 1].cols = arma::uvec(stay);
  }
  return kept;
}

//! The kept part of an array that holds W, then b.
template<typename MatType>
MatType Submatrix(const typename MatType::elem_type* values,
                  const Block<MatType>& block,
                  const Kept& kept)
{
  const MatType whole(values, block.Rows(), block.Columns());
  arma::uvec cols = kept.cols;
  if (block.layer->HasBias())
    cols = arma::join_cols(cols, arma::uvec({ arma::uword(block.Cols()) }));
  return arma::vectorise(whole.submat(kept.rows, cols));
}

//! A Bayesian layer like the block's with fewer units.
template<typename MatType>
BayesianLinearType<MatType>* SmallerLayer(const Block<MatType>& block,
                                          const Kept& kept)
{
  BayesianOptions options;
  options.PriorStddev(block.layer->PriorStddev());
  options.InitialSigma(block.layer->InitialSigma());
  options.Evaluation(block.layer->Evaluation());
  BayesianLinearType<MatType>* layer;
  if (block.layer->HasBias())
    layer = new BayesianLinearType<MatType>(kept.rows.n_elem, options);
  else
    layer = new BayesianLinearNoBiasType<MatType>(kept.rows.n_elem, options);
  if (!block.layer->PriorMean().is_empty())
    layer->SetPriorMean(Submatrix<MatType>(block.layer->PriorMean().memptr(),
        block, kept));
  return layer;
}

//! Settings that are not part of the network.
template<typename ModelType>
void CopySettings(const ModelType& from, ModelType& to)
{
  to.Symmetrize() = from.Symmetrize();
  to.Estimator() = from.Estimator();
  to.Samples() = from.Samples();
  to.Temperature() = from.Temperature();
  to.WarmUpEpochs() = from.WarmUpEpochs();
  to.PredictSamples() = from.PredictSamples();
  to.ElboSamples() = from.ElboSamples();
}

//! The network of the rows and columns that stay.
template<typename ModelType, typename MatType>
ModelType SmallerModel(const ModelType& model,
                       const std::vector<Block<MatType>>& blocks,
                       const std::vector<Kept>& kept)
{
  const std::vector<mlpack::Layer<MatType>*>& layers = model.Network();
  ModelType smaller(model.Likelihood());
  CopySettings(model, smaller);
  for (size_t i = 0, b = 0; i < layers.size(); ++i)
  {
    if (b < blocks.size() && blocks[b].position == i)
    {
      smaller.Add(SmallerLayer(blocks[b], kept[b]));
      ++b;
    }
    else
    {
      smaller.Add(layers[i]->Clone());
    }
  }
  smaller.InputDimensions() = model.InputDimensions();
  smaller.Reset();

  const typename MatType::elem_type* source = model.Parameters().memptr();
  typename MatType::elem_type* target = smaller.Parameters().memptr();
  for (size_t i = 0, b = 0; i < layers.size(); ++i)
  {
    const size_t n = layers[i]->WeightSize();
    if (b < blocks.size() && blocks[b].position == i)
    {
      const MatType mu = Submatrix(source, blocks[b], kept[b]);
      const MatType rho = Submatrix(source + n / 2, blocks[b], kept[b]);
      target = std::copy(mu.begin(), mu.end(), target);
      target = std::copy(rho.begin(), rho.end(), target);
      ++b;
    }
    else
    {
      target = std::copy(source, source + n, target);
    }
    source += n;
  }
  return smaller;
}

//! KL of all Bayesian layers.
template<typename MatType>
double TotalKL(const MatType& parameters,
               const std::vector<Block<MatType>>& blocks)
{
  double sum = 0;
  for (const Block<MatType>& block : blocks)
    for (size_t i = 0; i < block.Size(); ++i)
      sum += WeightKL(parameters, block, i);
  return sum;
}

} // namespace prune

template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneUnits(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction)
{
  using ModelType = BayesianFFN<LikelihoodType, InitType, MatType>;
  const ModelType& before = model;
  const std::vector<arma::vec> ratios = UnitSignalToNoise(before);
  const auto blocks = prune::FindBlocks<MatType>(before.Network());
  const auto hidden = prune::FindHidden<MatType>(before.Network(), blocks);

  PruneReport report;
  for (const arma::vec& layer : ratios)
    report.candidates += layer.n_elem;
  const size_t count = prune::Count("PruneUnits", fraction, report.candidates);
  const auto goes = prune::ChooseUnits(ratios, count, report);
  if (report.pruned == 0)
    return report;

  ModelType smaller = prune::SmallerModel<ModelType, MatType>(before, blocks,
      prune::KeptRowsAndColumns(blocks, hidden, goes));
  report.klRemoved = prune::TotalKL(before.Parameters(), blocks) -
      prune::TotalKL(std::as_const(smaller).Parameters(),
          prune::FindBlocks<MatType>(std::as_const(smaller).Network()));
  model = std::move(smaller);
  return report;
}

} // namespace symvi

#endif
