/**
 * @file src/model/gaussian_family.cpp
 *
 * What a Gaussian posterior takes from a network, and its draws.
 */
#include "model/gaussian_family.hpp"

#include "kernel/softplus.hpp"

#include <algorithm>

namespace symvi {
namespace model {

namespace {

//! Where the weights of a Bayesian layer, in its own order, are among those of
//! the plain one, which begins at `first`.
template<typename MatType>
arma::uvec PlainPositions(const BayesianLinearType<MatType>& layer,
    const size_t first)
{
  const size_t out = layer.OutSize(), in = layer.InSize();
  arma::uvec positions = arma::regspace<arma::uvec>(first,
      first + layer.WeightSize() / 2 - 1);
  // mlpack's convolutions have a column for every map, where ours have a row.
  if (dynamic_cast<const BayesianConvolutionType<MatType>*>(&layer))
    positions.head(out * in) = arma::vectorise(
        arma::reshape(arma::uvec(positions.head(out * in)), in, out).t());
  return positions;
}

//! Layers whose outputs are no function of their inputs and weights.
template<typename MatType>
void RefuseNoise(const mlpack::Layer<MatType>& layer)
{
  const LayerRole role = RoleOf(layer);
  if (role == LayerRole::Dropout || role == LayerRole::BatchNorm)
    Refuse("GaussianPosterior",
        "the outputs of a network must be a function of its inputs and weights",
        role == LayerRole::Dropout ?
            "a layer of type " + LayerName(layer) + " draws noise of its own" :
            "a layer of type " + LayerName(layer) +
                " uses statistics of its batches");
}

} // namespace

template<typename MatType>
GaussianFamilyPtr DescribeGaussian(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const GaussianOptions& options)
{
  const char* where = "GaussianPosterior";
  RequirePositive(where, "sigma", options.sigma);
  RequirePositive(where, "priorStddev", options.priorStddev);
  RequirePositive(where, "permutations", options.permutations);
  auto family = std::make_shared<GaussianFamily>();
  family->permutations = options.permutations;
  family->enumerate = options.enumerate;

  std::vector<const mlpack::Layer<MatType>*> bayesian;
  std::vector<arma::uvec> positions;
  std::vector<double> prior, sigma;
  const auto* next = parameters.memptr();
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    RefuseNoise(*layer);
    if (dynamic_cast<const LearnedNoiseType<MatType>*>(layer))
    {
      family->networkSize = prior.size() + layer->WeightSize();
      continue;
    }
    const auto* own = dynamic_cast<const BayesianLinearType<MatType>*>(layer);
    if (!own)
    {
      prior.insert(prior.end(), layer->WeightSize(), options.priorStddev);
      sigma.insert(sigma.end(), layer->WeightSize(), options.sigma);
      next += layer->WeightSize();
      continue;
    }
    if (!own->PriorMean().is_empty())
      Refuse(where, "priors must be centred at zero",
          "that of a layer has means of its own");
    const size_t n = own->WeightSize() / 2,
                 matrix = own->OutSize() * own->InSize();
    bayesian.push_back(layer);
    positions.push_back(PlainPositions(*own, prior.size()));
    sigma.resize(sigma.size() + n);
    for (size_t i = 0; i < n; ++i)
    {
      sigma[positions.back()[i]] = kernel::Softplus(double(next[n + i]));
      prior.push_back(i < matrix ? own->PriorStddev() : own->BiasPriorStddev());
    }
    next += 2 * n;
  }
  family->weights = prior.size();
  family->networkSize = std::max(family->networkSize, prior.size());
  family->prior = prior;
  family->sigma = sigma;
  Require(family->weights > 0, where, "the network must have weights",
      family->weights);
  family->rank = options.rank != GaussianOptions::automatic ? options.rank :
      family->weights <= 200                                ? 0 :
                                                              20;
  Require(family->rank <= family->weights, where,
      "rank must be at most the number of weights, " +
          std::to_string(family->weights),
      family->rank);

  // All chains as one, without memory.
  NetworkSymmetry<MatType> symmetry(layers);
  family->notes = symmetry.Notes();
  information::WeightSymmetry& moves = family->symmetry;
  moves.weights = family->weights;
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    const auto& chain = symmetry.GetChain(i);
    for (HiddenUnits units : chain.hidden)
    {
      units.incoming += moves.chain.layers.size();
      moves.chain.hidden.push_back(units);
    }
    for (size_t l = 0; l < chain.layers.size(); ++l)
    {
      PosteriorView<double> view;
      view.outSize = chain.layers[l].outSize;
      view.inSize = chain.layers[l].inSize;
      view.hasBias = chain.layers[l].hasBias;
      view.block = chain.layers[l].block;
      moves.chain.layers.push_back(view);
      const auto found = std::find(bayesian.begin(), bayesian.end(),
          symmetry.ChainLayers(i)[l]);
      moves.positions.push_back(positions[size_t(found - bayesian.begin())]);
    }
  }
  return family;
}

template<typename MatType>
MatType StartGaussian(const GaussianFamily& family, const MatType& weights)
{
  using ElemType = typename MatType::elem_type;
  const size_t d = family.weights, size = family.GaussianSize();
  MatType parameters(size + family.Fixed(), 1, arma::fill::zeros);
  for (size_t i = 0; i < d; ++i)
  {
    parameters[i] = weights[i];
    parameters[d + i] = ElemType(kernel::InverseSoftplus(family.sigma[i]));
  }
  // At F = 0 the gradient by F is zero, too.
  RandomStream stream(kernel::KeyFromSeed(1));
  arma::vec noise(d);
  for (size_t j = 0; j < family.rank; ++j)
  {
    stream.FillNormal(noise.memptr(), d);
    for (size_t i = 0; i < d; ++i)
      parameters[2 * d + j * d + i] = ElemType(
          0.1 * noise[i] * family.sigma[i] / std::sqrt(double(family.rank)));
  }
  std::copy(weights.begin() + d, weights.end(), parameters.begin() + size);
  return parameters;
}

size_t GaussianWeights(const GaussianFamily& family)
{
  return family.weights;
}

size_t GaussianRank(const GaussianFamily& family)
{
  return family.rank;
}

template<typename MatType>
MatType GaussianDeviations(const GaussianFamily& family,
    const MatType& parameters)
{
  information::JointGaussian q(family.weights, family.rank);
  q.Set(parameters.memptr());
  return arma::conv_to<MatType>::from(q.Deviations());
}

template<typename MatType>
MatType GaussianCovariance(const GaussianFamily& family,
    const MatType& parameters)
{
  information::JointGaussian q(family.weights, family.rank);
  q.Set(parameters.memptr());
  return arma::conv_to<MatType>::from(
      q.Covariance(arma::regspace<arma::uvec>(0, family.weights - 1)));
}

template<typename MatType>
MatType DrawGaussian(const GaussianFamily& family, const MatType& parameters,
    const size_t samples, const uint64_t seed, const bool fromSymmetrized)
{
  information::JointGaussian q(family.weights, family.rank);
  q.Set(parameters.memptr());
  const PermutationGroup group(family.symmetry.chain);
  information::WeightSources sources;
  MatType weights(family.networkSize, samples);
  arma::vec noise(q.Noise()), moved(family.weights);
  for (size_t s = 0; s < samples; ++s)
  {
    // A stream of its own for every draw.
    RandomStream keys(kernel::KeyFromSeed(seed));
    keys.Seek(uint64_t(s) << 32);
    RandomStream stream(keys.NextBits());
    stream.FillNormal(noise.memptr(), noise.n_elem);
    const arma::vec w = q.Draw(noise);
    family.symmetry.Sources(
        fromSymmetrized ? group.Sample(stream) : group.Identity(), sources);
    for (size_t i = 0; i < family.weights; ++i)
      weights(i, s) = typename MatType::elem_type(
          information::Moved(w.memptr(), sources[i]));
    std::copy(parameters.begin() + family.GaussianSize(), parameters.end(),
        weights.colptr(s) + family.weights);
  }
  return weights;
}

#define SYMVI_GAUSSIAN(MatType) \
  template GaussianFamilyPtr DescribeGaussian( \
      const std::vector<mlpack::Layer<MatType>*>&, const MatType&, \
      const GaussianOptions&); \
  template MatType StartGaussian(const GaussianFamily&, const MatType&); \
  template MatType GaussianDeviations(const GaussianFamily&, const MatType&); \
  template MatType GaussianCovariance(const GaussianFamily&, const MatType&); \
  template MatType DrawGaussian(const GaussianFamily&, const MatType&, size_t, \
      uint64_t, bool);
SYMVI_GAUSSIAN(arma::mat)
SYMVI_GAUSSIAN(arma::fmat)

} // namespace model
} // namespace symvi
