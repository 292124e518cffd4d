/**
 * @file src/objective/information_gradient.cpp
 *
 * I(g; w) and its gradient in a step: how often it is computed, and what is held
 * in between.
 */
#include <symvi/objective/symmetrized_elbo.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {

template<typename MatType>
void ElboObjective<MatType>::PreparePathGradients()
{
  chainGradients.resize(symmetry.NumChains());
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    for (LayerType* layer : symmetry.ChainLayers(i))
    {
      layer->PathGradient().zeros(layer->PosteriorSize(), 1);
      chainGradients[i].path.push_back(layer->PathGradient().memptr());
    }
    chainGradients[i].touched.assign(chainGradients[i].path.size(), false);
  }
}

template<typename MatType>
void ElboObjective<MatType>::ClearPathGradients()
{
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chain.size(); ++l)
    {
      // A buffer that was not written to is still zero.
      if (chainGradients[i].touched[l])
        chain[l]->PathGradient().zeros();
    }
    for (size_t l = 0; l < chainGradients[i].mu.size(); ++l)
    {
      std::fill_n(chainGradients[i].mu[l], chain[l]->PosteriorSize(),
          ElemType(0));
      std::fill_n(chainGradients[i].sigma[l], chain[l]->PosteriorSize(),
          ElemType(0));
    }
  }
}

template<typename MatType>
size_t ElboObjective<MatType>::ChooseInterval(const size_t batchSize)
{
  if (informationInterval > 0)
    return informationInterval;
  // Multiplications of the rest of a step: three products with the batch, and
  // what is done for each weight.  A count, not a clock: runs are reproducible.
  const double step = double(passes->Parameters().n_elem) *
      (1.5 * double(batchSize) + 40.0);
  double work = 0.0;
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
    work += estimator->Work(symmetry.GetChain(i));
  const double share = std::min(std::max(std::ceil(5.0 * work / step), 1.0),
      16.0);
  // Evenly over the epoch, whose first batch computes it anyway.
  const double batches = std::ceil(double(numPoints) / double(batchSize));
  const double times = std::max(std::round(batches / share), 1.0);
  return size_t(std::ceil(batches / times));
}

template<typename MatType>
typename ElboObjective<MatType>::InformationPass
ElboObjective<MatType>::NextInformation(const size_t begin,
    const size_t batchSize)
{
  // Nothing is held from one epoch to the next, so that an epoch can be
  // repeated from its parameters.
  if (begin == 0 || fullGradient)
    wait = 0;
  InformationPass pass;
  pass.tolerance = 0.05;
  pass.compute = (wait == 0);
  if (pass.compute)
    wait = ChooseInterval(batchSize);
  // What is held is weighed layer by layer, as layers that are cut need it.
  pass.hold = !fullGradient && (wait > 1 || !pass.compute || sharing);
  --wait;
  return pass;
}

template<typename MatType>
double ElboObjective<MatType>::Information(const double klWeight,
    const InformationPass& pass, const bool withGradient)
{
  double information = 0.0;
  if (!withGradient)
  {
    for (size_t i = 0; i < symmetry.NumChains(); ++i)
    {
      information +=
          estimator->TrainingValue(symmetry.GetChain(i), stream).value;
    }
    return information;
  }

  if (pass.compute)
    ClearPathGradients();
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    InformationGradient<ElemType>& gradient = chainGradients[i];
    if (pass.compute)
    {
      // The objective holds -klWeight * I; what is held gets its weight later.
      gradient.tolerance = pass.tolerance;
      information += estimator
                         ->EvaluateWithGradient(symmetry.GetChain(i), stream,
                             ElemType(pass.hold ? -1.0 : -klWeight), gradient)
                         .value;
    }
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chain.size(); ++l)
      chain[l]->UsePathGradient() = gradient.touched[l] && !pass.hold;
  }
  if (!pass.compute)
    return lastInformation;
  if (pass.hold)
    Hold();
  return lastInformation = information;
}

template<typename MatType>
void ElboObjective<MatType>::Hold()
{
  heldNoise.resize(symmetry.NumChains());
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    heldNoise[i].resize(chain.size());
    for (size_t l = 0; l < chain.size(); ++l)
    {
      heldNoise[i][l].set_size(chain[l]->PosteriorSize(), 1);
      if (chainGradients[i].touched[l])
        heldNoise[i][l] = chain[l]->PathGradient() % chain[l]->Noise();
    }
  }
}

template<typename MatType>
void ElboObjective<MatType>::AddHeld(MatType& gradient) const
{
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chain.size(); ++l)
    {
      if (!chainGradients[i].touched[l])
        continue;
      const size_t n = chain[l]->PosteriorSize();
      const ElemType weight = ElemType(chain[l]->KLWeight());
      const auto [begin, end] = OwnWeights(Index(chain[l]));
      const ElemType* path = chain[l]->PathGradient().memptr();
      const ElemType* noise = heldNoise[i][l].memptr();
      const ElemType* slope = chain[l]->DrawnSlopes().memptr();
      ElemType* gradMu = gradient.memptr() + offsets[Index(chain[l])];
      ElemType* gradRho = gradMu + n;
      for (size_t j = begin; j < end; ++j)
      {
        gradMu[j] += weight * path[j];
        gradRho[j] += weight * noise[j] * slope[j];
      }
    }
  }
}

template<typename MatType>
size_t ElboObjective<MatType>::Index(const LayerType* layer) const
{
  return size_t(
      std::find(layers.begin(), layers.end(), layer) - layers.begin());
}

template<typename MatType>
void ElboObjective<MatType>::AddScore(MatType& gradient) const
{
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chainGradients[i].mu.size(); ++l)
    {
      const size_t n = chain[l]->PosteriorSize();
      const MatType& slope = chain[l]->DrawnSlopes();
      ElemType* gradMu = gradient.memptr() + offsets[Index(chain[l])];
      for (size_t j = 0; j < n; ++j)
      {
        gradMu[j] += chainGradients[i].mu[l][j];
        gradMu[n + j] += chainGradients[i].sigma[l][j] * slope[j];
      }
    }
  }
}

template<typename MatType>
void ElboObjective<MatType>::PrepareScore()
{
  if (fullGradient == !scoreMu.empty() || symmetry.NumChains() == 0)
    return;

  scoreMu.clear();
  scoreSigma.clear();
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    chainGradients[i].mu.clear();
    chainGradients[i].sigma.clear();
    if (!fullGradient)
      continue;
    for (const LayerType* layer : symmetry.ChainLayers(i))
    {
      // Moving these matrices into a longer vector keeps their heap memory,
      // but not that of small ones; take the pointers once all are there.
      scoreMu.push_back(MatType(layer->PosteriorSize(), 1));
      scoreSigma.push_back(MatType(layer->PosteriorSize(), 1));
    }
  }
  size_t next = 0;
  for (InformationGradient<ElemType>& gradient : chainGradients)
  {
    for (size_t l = 0; fullGradient && l < gradient.path.size(); ++l, ++next)
    {
      gradient.mu.push_back(scoreMu[next].memptr());
      gradient.sigma.push_back(scoreSigma[next].memptr());
    }
  }
}

// symmetrized_elbo.cpp instantiates the class with the other members.
#define SYMVI_INFORMATION_GRADIENT(MATRIX) \
  template void ElboObjective<MATRIX>::PreparePathGradients(); \
  template void ElboObjective<MATRIX>::ClearPathGradients(); \
  template size_t ElboObjective<MATRIX>::ChooseInterval(const size_t); \
  template ElboObjective<MATRIX>::InformationPass \
  ElboObjective<MATRIX>::NextInformation(const size_t, const size_t); \
  template double ElboObjective<MATRIX>::Information(const double, \
      const InformationPass&, const bool); \
  template void ElboObjective<MATRIX>::Hold(); \
  template void ElboObjective<MATRIX>::AddHeld(MATRIX&) const; \
  template size_t ElboObjective<MATRIX>::Index(const LayerType*) const; \
  template void ElboObjective<MATRIX>::AddScore(MATRIX&) const; \
  template void ElboObjective<MATRIX>::PrepareScore();
SYMVI_INFORMATION_GRADIENT(arma::mat)
SYMVI_INFORMATION_GRADIENT(arma::fmat)
#undef SYMVI_INFORMATION_GRADIENT

} // namespace symvi
