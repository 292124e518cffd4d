/**
 * @file posterior.cpp
 */
#include "posterior.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace cli {

namespace {

double Softplus(const double rho)
{
  return std::max(rho, 0.0) + std::log1p(std::exp(-std::abs(rho)));
}

double InverseSoftplus(const double sigma)
{
  return (sigma > 30.0) ? sigma : std::log(std::expm1(sigma));
}

//! Of a weight that is switched off: far below any learned sigma.
const double zeroSigma = 1e-8;

} // namespace

std::vector<LayerPosterior> PosteriorOf(const Model& model)
{
  const std::vector<uint64_t> widths = model.spec.Widths();
  std::vector<LayerPosterior> layers;
  const double* next = model.parameters.data();
  for (size_t l = 1; l < widths.size(); ++l)
  {
    const size_t rows = widths[l], columns = widths[l - 1] + 1;
    LayerPosterior layer;
    layer.mean = arma::mat(next, rows, columns);
    layer.sigma = arma::mat(next + rows * columns, rows, columns);
    layer.sigma.transform(Softplus);
    next += 2 * rows * columns;
    layers.push_back(std::move(layer));
  }
  return layers;
}

void SetPosterior(const std::vector<LayerPosterior>& layers, Model& model)
{
  std::vector<double> parameters;
  for (const LayerPosterior& layer : layers)
  {
    parameters.insert(parameters.end(), layer.mean.begin(), layer.mean.end());
    for (const double sigma : layer.sigma)
      parameters.push_back(InverseSoftplus(sigma));
  }
  // Learned noise levels stand at the end.
  const size_t noise = model.spec.ParameterSize() - parameters.size();
  parameters.insert(parameters.end(), model.parameters.end() - noise,
      model.parameters.end());
  model.parameters = std::move(parameters);
}

arma::vec LearnedNoise(const Model& model)
{
  const size_t count = model.spec.ParameterSize() -
      2 * model.spec.PosteriorSize();
  arma::vec noise(count);
  for (size_t i = 0; i < count; ++i)
    noise[i] = Softplus(model.parameters[model.parameters.size() - count + i]);
  return noise;
}

LayerPosterior UnitBlocks(const std::vector<LayerPosterior>& layers,
                          const size_t h)
{
  const LayerPosterior& in = layers[h];
  const LayerPosterior& out = layers[h + 1];
  const size_t units = in.mean.n_rows;
  LayerPosterior blocks;
  blocks.mean = arma::join_cols(in.mean.t(), out.mean.head_cols(units));
  blocks.sigma = arma::join_cols(in.sigma.t(), out.sigma.head_cols(units));
  return blocks;
}

arma::vec UnitSignalToNoise(const std::vector<LayerPosterior>& layers,
                            const size_t h)
{
  const LayerPosterior& in = layers[h];
  const LayerPosterior& out = layers[h + 1];
  const size_t units = in.mean.n_rows;
  const arma::vec incoming = arma::sqrt(arma::mean(
      arma::square(in.mean / in.sigma), 1));
  const arma::rowvec outgoing = arma::sqrt(arma::mean(
      arma::square(out.mean.head_cols(units) / out.sigma.head_cols(units)),
      0));
  return arma::min(incoming, arma::vec(outgoing.t()));
}

arma::vec WeightSignalToNoise(const std::vector<LayerPosterior>& layers)
{
  arma::vec all;
  for (const LayerPosterior& layer : layers)
  {
    const size_t weights = layer.mean.n_cols - 1;
    all = arma::join_cols(all, arma::vec(arma::vectorise(arma::abs(
        layer.mean.head_cols(weights)) / layer.sigma.head_cols(weights))));
  }
  return all;
}

arma::mat UnitDistances(const LayerPosterior& blocks)
{
  const size_t units = blocks.mean.n_cols;
  arma::mat distances(units, units, arma::fill::zeros);
  for (size_t a = 0; a < units; ++a)
  {
    for (size_t b = 0; b < a; ++b)
    {
      double sum = 0.0;
      for (size_t i = 0; i < blocks.mean.n_rows; ++i)
        sum += std::pow(blocks.mean(i, a) - blocks.mean(i, b), 2) /
            (std::pow(blocks.sigma(i, a), 2) +
             std::pow(blocks.sigma(i, b), 2));
      distances(a, b) = distances(b, a) = std::sqrt(sum);
    }
  }
  return distances;
}

bool FindNearestMode(const std::vector<LayerPosterior>& layers,
                     NearestMode& nearest)
{
  bool found = false;
  for (size_t h = 0; h + 1 < layers.size(); ++h)
  {
    const LayerPosterior blocks = UnitBlocks(layers, h);
    for (size_t a = 0; a < blocks.mean.n_cols; ++a)
    {
      for (size_t b = 0; b < a; ++b)
      {
        // Both units move, hence the factor.
        const double distance = std::sqrt(2.0) *
            arma::norm(blocks.mean.col(a) - blocks.mean.col(b));
        if (found && distance >= nearest.distance)
          continue;
        found = true;
        nearest.layer = h;
        nearest.first = b;
        nearest.second = a;
        nearest.distance = distance;
      }
    }
  }
  if (!found)
    return false;
  nearest.standardized = UnitDistances(UnitBlocks(layers, nearest.layer))(
      nearest.first, nearest.second);
  double squares = 0.0;
  for (const LayerPosterior& layer : layers)
    squares += arma::accu(arma::square(layer.mean));
  nearest.norm = std::sqrt(squares);
  return true;
}

double LogGroupOrder(const NetworkSpec& spec)
{
  double sum = 0.0;
  for (const uint64_t width : spec.hidden)
    sum += std::lgamma(double(width) + 1.0);
  return sum;
}

void RemoveUnits(Model& model, const size_t h, const arma::uvec& units)
{
  std::vector<LayerPosterior> layers = PosteriorOf(model);
  for (arma::mat* matrix : { &layers[h].mean, &layers[h].sigma })
    matrix->shed_rows(units);
  for (arma::mat* matrix : { &layers[h + 1].mean, &layers[h + 1].sigma })
    matrix->shed_cols(units);
  model.spec.hidden[h] -= units.n_elem;
  SetPosterior(layers, model);
}

size_t ZeroWeights(Model& model, const double fraction)
{
  std::vector<LayerPosterior> layers = PosteriorOf(model);
  const arma::vec all = WeightSignalToNoise(layers);
  const size_t count = size_t(fraction * double(all.n_elem));
  if (count == 0)
    return 0;
  const arma::uvec order = arma::stable_sort_index(all);
  size_t offset = 0;
  std::vector<bool> zero(all.n_elem, false);
  for (size_t i = 0; i < count; ++i)
    zero[order[i]] = true;
  for (LayerPosterior& layer : layers)
  {
    for (size_t i = 0; i < layer.mean.n_elem - layer.mean.n_rows; ++i)
    {
      if (!zero[offset++])
        continue;
      layer.mean[i] = 0.0;
      layer.sigma[i] = zeroSigma;
    }
  }
  SetPosterior(layers, model);
  return count;
}

} // namespace cli
} // namespace symvi
