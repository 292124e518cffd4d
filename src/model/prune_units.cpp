/**
 * @file src/model/prune_units.cpp
 *
 * A smaller network with the units that stay.
 */
#include <symvi/model/prune.hpp>

#include "model/hidden_blocks.hpp"

#include <algorithm>

namespace symvi {
namespace prune {
namespace {

//! Rows and columns of a block that stay.
struct Kept
{
  arma::uvec rows;
  arma::uvec cols;
};

//! Mark the units of least ratio, leaving at least one in every layer.
std::vector<std::vector<bool>> ChooseUnits(const std::vector<arma::vec>& ratios,
    size_t count, PruneReport& report)
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
std::vector<Kept> KeptRowsAndColumns(const std::vector<Block<MatType>>& blocks,
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
    std::vector<arma::uword> stay, columns;
    const size_t block = blocks[hidden[h] + 1].Cols() / goes[h].size();
    for (size_t u = 0; u < goes[h].size(); ++u)
      if (!goes[h][u])
      {
        stay.push_back(u);
        for (size_t k = 0; k < block; ++k)
          columns.push_back(u * block + k);
      }
    kept[hidden[h]].rows = arma::uvec(stay);
    kept[hidden[h] + 1].cols = arma::uvec(columns);
  }
  return kept;
}

//! The kept part of an array that holds W, then b.
template<typename MatType>
MatType Submatrix(const typename MatType::elem_type* values,
    const Block<MatType>& block, const Kept& kept)
{
  const MatType whole(values, block.Rows(), block.Columns());
  arma::uvec cols = kept.cols;
  if (block.layer->HasBias())
    cols = arma::join_cols(cols, arma::uvec({ arma::uword(block.Cols()) }));
  return arma::vectorise(whole.submat(kept.rows, cols));
}

//! A Bayesian layer like the block's with fewer units.
template<typename MatType>
std::unique_ptr<BayesianLinearType<MatType>> SmallerLayer(
    const Block<MatType>& block, const Kept& kept)
{
  BayesianOptions options;
  options.InitialSigma(block.layer->InitialSigma());
  options.Evaluation(block.layer->Evaluation());
  std::unique_ptr<BayesianLinearType<MatType>> layer;
  if (const auto* c = dynamic_cast<const BayesianConvolutionType<MatType>*>(
          block.layer))
  {
    const ConvolutionShape& s = c->Shape();
    layer = std::make_unique<BayesianConvolutionType<MatType>>(kept.rows.n_elem,
        s.kernelWidth, s.kernelHeight, s.strideWidth, s.strideHeight,
        std::make_tuple(s.padLeft, s.padRight),
        std::make_tuple(s.padTop, s.padBottom), "none", c->HasBias(), options);
  }
  else if (block.layer->HasBias())
    layer = std::make_unique<BayesianLinearType<MatType>>(kept.rows.n_elem,
        options);
  else
    layer = std::make_unique<BayesianLinearNoBiasType<MatType>>(
        kept.rows.n_elem, options);
  layer->SetPriorStddev(block.layer->PriorStddev(),
      block.layer->BiasPriorStddev());
  if (!block.layer->PriorMean().is_empty())
    layer->SetPriorMean(
        Submatrix<MatType>(block.layer->PriorMean().memptr(), block, kept));
  return layer;
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

//! The part of it that stays.
template<typename MatType>
double KeptKL(const MatType& parameters,
    const std::vector<Block<MatType>>& blocks, const std::vector<Kept>& kept)
{
  double sum = 0;
  for (size_t b = 0; b < blocks.size(); ++b)
  {
    const size_t rows = blocks[b].Rows();
    for (const size_t c : kept[b].cols)
      for (const size_t r : kept[b].rows)
        sum += WeightKL(parameters, blocks[b], c * rows + r);
    if (blocks[b].layer->HasBias())
      for (const size_t r : kept[b].rows)
        sum += WeightKL(parameters, blocks[b], blocks[b].Cols() * rows + r);
  }
  return sum;
}

//! The layers and parameters of the rows and columns that stay.
template<typename MatType>
convert::Converted<MatType> SmallerNetwork(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const std::vector<Block<MatType>>& blocks,
    const std::vector<Kept>& kept)
{
  convert::Converted<MatType> result;
  result.parameters.set_size(parameters.n_elem, 1);
  const auto* source = parameters.memptr();
  auto* target = result.parameters.memptr();
  for (size_t i = 0, b = 0; i < layers.size(); ++i)
  {
    const size_t n = layers[i]->WeightSize();
    if (b < blocks.size() && blocks[b].position == i)
    {
      result.layers.push_back(SmallerLayer(blocks[b], kept[b]));
      const MatType mu = Submatrix(source, blocks[b], kept[b]);
      const MatType rho = Submatrix(source + n / 2, blocks[b], kept[b]);
      target = std::copy(mu.begin(), mu.end(), target);
      target = std::copy(rho.begin(), rho.end(), target);
      ++b;
    }
    else
    {
      result.layers.emplace_back(layers[i]->Clone());
      target = std::copy(source, source + n, target);
    }
    source += n;
  }
  result.parameters.resize(target - result.parameters.memptr(), 1);
  return result;
}

} // namespace

template<typename MatType>
PruneReport Units(const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const double fraction,
    convert::Converted<MatType>& smaller)
{
  const std::vector<arma::vec> ratios = UnitRatios(layers, parameters);
  const auto blocks = FindBlocks<MatType>(layers);
  const auto hidden = FindHidden<MatType>(layers, blocks);

  PruneReport report;
  for (const arma::vec& layer : ratios)
    report.candidates += layer.n_elem;
  const size_t count = Count("PruneUnits", fraction, report.candidates);
  const auto goes = ChooseUnits(ratios, count, report);
  if (report.pruned == 0)
    return report;

  const std::vector<Kept> kept = KeptRowsAndColumns(blocks, hidden, goes);
  smaller = SmallerNetwork(layers, parameters, blocks, kept);
  report.klRemoved = TotalKL(parameters, blocks) -
      KeptKL(parameters, blocks, kept);
  return report;
}

template PruneReport Units(const std::vector<mlpack::Layer<arma::mat>*>&,
    const arma::mat&, const double, convert::Converted<arma::mat>&);
template PruneReport Units(const std::vector<mlpack::Layer<arma::fmat>*>&,
    const arma::fmat&, const double, convert::Converted<arma::fmat>&);

} // namespace prune
} // namespace symvi
