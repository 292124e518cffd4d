/**
 * @file random_chain.hpp
 *
 * Random posteriors, draws and brute force for tests.
 */
#ifndef SYMVI_TESTS_INFORMATION_RANDOM_CHAIN_HPP
#define SYMVI_TESTS_INFORMATION_RANDOM_CHAIN_HPP

#include <symvi/information/estimator.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/running_mean.hpp"

namespace symvi_tests {

/**
 * A fully connected network with its posterior, a draw, and room for gradients.
 * Means are normal with the given spread; standard deviations are `sigma` times
 * a factor from 0.7 to 1.3.  Every unit in front of layer l has blocks[l]
 * columns there, or one.
 */
template<typename eT>
struct RandomChain
{
  RandomChain(const std::vector<size_t>& sizes, const double spread,
      const double sigma, const uint64_t seed, const bool bias = true,
      const std::vector<size_t>& blocks = {}) :
      stream(seed)
  {
    for (size_t l = 0; l + 1 < sizes.size(); ++l)
    {
      const size_t columns = sizes[l] * (blocks.empty() ? 1 : blocks[l]);
      const size_t n = sizes[l + 1] * (columns + (bias ? 1 : 0));
      std::vector<double> z(n);
      stream.FillNormal(z.data(), n);
      means.emplace_back(n);
      sigmas.emplace_back(n);
      for (size_t i = 0; i < n; ++i)
      {
        means[l][i] = eT(spread * z[i]);
        sigmas[l][i] = eT(sigma * (0.7 + 0.6 * stream.NextUniform()));
      }
      noise.emplace_back(n);
      weights.emplace_back(n);
      path.emplace_back(n);
      direct.emplace_back(n);
      score.emplace_back(n);
    }
    for (size_t l = 0; l + 1 < sizes.size(); ++l)
    {
      symvi::PosteriorView<eT> v;
      v.outSize = sizes[l + 1];
      v.block = blocks.empty() ? 1 : blocks[l];
      v.inSize = sizes[l] * v.block;
      v.hasBias = bias;
      v.mu = means[l].data();
      v.sigma = sigmas[l].data();
      v.weight = weights[l].data();
      chain.layers.push_back(v);
      gradient.path.push_back(path[l].data());
      if (l + 2 < sizes.size())
      {
        symvi::HiddenUnits units;
        units.incoming = l;
        units.size = sizes[l + 1];
        chain.hidden.push_back(units);
      }
    }
    Draw();
  }

  RandomChain(const RandomChain&) = delete;
  RandomChain& operator=(const RandomChain&) = delete;

  //! New noise, new weights.
  void Draw()
  {
    for (std::vector<eT>& e : noise)
      stream.FillNormal(e.data(), e.size());
    Update();
  }

  //! Weights from means, deviations and noise.
  void Update()
  {
    for (size_t l = 0; l < means.size(); ++l)
      for (size_t i = 0; i < means[l].size(); ++i)
        weights[l][i] = means[l][i] + sigmas[l][i] * noise[l][i];
  }

  //! Ask for the full gradient, or for the path only.
  void Full(const bool full)
  {
    gradient.mu.clear();
    gradient.sigma.clear();
    for (size_t l = 0; l < means.size() && full; ++l)
    {
      gradient.mu.push_back(direct[l].data());
      gradient.sigma.push_back(score[l].data());
    }
  }

  void ZeroGradient()
  {
    for (auto* arrays : { &path, &direct, &score })
      for (std::vector<eT>& array : *arrays)
        std::fill(array.begin(), array.end(), eT(0));
  }

  //! Make unit b of hidden layer h equal to unit a.
  void CopyUnit(const size_t h, const size_t a, const size_t b)
  {
    const symvi::PosteriorView<eT>& in = chain.layers[h];
    const symvi::PosteriorView<eT>& out = chain.layers[h + 1];
    for (auto* arrays : { &means, &sigmas })
    {
      for (size_t c = 0; c < in.Columns(); ++c)
        (*arrays)[h][c * in.outSize + b] = (*arrays)[h][c * in.outSize + a];
      for (size_t o = 0; o < out.Outgoing(); ++o)
        (*arrays)[h + 1][b * out.Outgoing() + o] =
            (*arrays)[h + 1][a * out.Outgoing() + o];
    }
    Update();
  }

  symvi::RandomStream stream;
  std::vector<std::vector<eT>> means, sigmas, noise, weights;
  std::vector<std::vector<eT>> path, direct, score;
  symvi::SymmetricChain<eT> chain;
  symvi::InformationGradient<eT> gradient;
};

//! Make the hidden layers signed whose bit is set.
template<typename eT>
void SetSigns(RandomChain<eT>& net, const size_t bits)
{
  for (size_t h = 0; h < net.chain.hidden.size(); ++h)
    net.chain.hidden[h].isSigned = (bits >> h) & 1;
}

//! The bits of all hidden layers.
constexpr size_t allLayers = ~size_t(0);

//! Call visit(l, i, j) for every weight i of layer l that belongs to unit a of
//! the first hidden layer; j is the same weight of unit b.
template<typename eT, typename FunctionType>
void ForEachPair(const RandomChain<eT>& net, const size_t a, const size_t b,
    const FunctionType& visit)
{
  const symvi::PosteriorView<eT>& in = net.chain.layers[0];
  const symvi::PosteriorView<eT>& out = net.chain.layers[1];
  for (size_t c = 0; c < in.Columns(); ++c)
    visit(0, c * in.outSize + a, c * in.outSize + b);
  for (size_t o = 0; o < out.outSize; ++o)
    visit(1, a * out.outSize + o, b * out.outSize + o);
}

//! The inner product of two lists of arrays.
inline double Dot(const std::vector<std::vector<double>>& a,
    const std::vector<std::vector<double>>& b)
{
  double sum = 0.0;
  for (size_t l = 0; l < a.size(); ++l)
    for (size_t i = 0; i < a[l].size(); ++i)
      sum += a[l][i] * b[l][i];
  return sum;
}

inline double Cosine(const std::vector<std::vector<double>>& a,
    const std::vector<std::vector<double>>& b)
{
  return Dot(a, b) / std::sqrt(Dot(a, a) * Dot(b, b));
}

//! log q(w) with the posterior of the chain and the given weights.
template<typename eT>
double LogDensity(const symvi::SymmetricChain<eT>& chain,
    const std::vector<std::vector<eT>>& weights)
{
  double sum = 0.0;
  for (size_t l = 0; l < weights.size(); ++l)
    for (size_t i = 0; i < weights[l].size(); ++i)
    {
      const double s = chain.layers[l].sigma[i];
      const double z = (double(weights[l][i]) - double(chain.layers[l].mu[i])) /
          s;
      sum -= 0.5 * std::log(2.0 * M_PI) + std::log(s) + 0.5 * z * z;
    }
  return sum;
}

//! log q(w) - log q^G(w) by summing over the whole group.
template<typename eT>
double BruteForce(const RandomChain<eT>& net)
{
  symvi::PermutationGroup group(net.chain);
  symvi::Permutation g = group.Identity();
  const double own = LogDensity(net.chain, net.weights);
  std::vector<std::vector<eT>> moved = net.weights;
  std::vector<double> logs;
  do
  {
    const symvi::Permutation inverse = g.Inverse();
    for (size_t l = 0; l < moved.size(); ++l)
      symvi::Apply(inverse, net.chain, l, net.weights[l].data(),
          moved[l].data());
    logs.push_back(LogDensity(net.chain, moved) - own);
  }
  while (group.Next(g));
  double most = 0.0, sum = 0.0;
  for (const double x : logs)
    most = std::max(most, x);
  for (const double x : logs)
    sum += std::exp(x - most);
  return group.LogOrder() - most - std::log(sum);
}

/**
 * Largest error of the full gradient (means and deviations, through the draw)
 * against central differences, relative to the largest derivative.
 */
inline double GradientError(RandomChain<double>& net,
    symvi::InformationEstimator& estimator, const double scale = 1.0)
{
  net.Full(true);
  net.ZeroGradient();
  symvi::RandomStream stream(7);
  estimator.EvaluateWithGradient(net.chain, stream, scale, net.gradient);
  const auto value = [&]()
  {
    net.Update();
    symvi::RandomStream copy(7);
    return scale * estimator.TrainingValue(net.chain, copy).value;
  };
  double worst = 0.0, largest = 0.0;
  for (size_t l = 0; l < net.means.size(); ++l)
    for (size_t i = 0; i < net.means[l].size(); ++i)
      for (const bool mean : { true, false })
      {
        double& x = mean ? net.means[l][i] : net.sigmas[l][i];
        const double old = x, h = 1e-4 * std::max(0.1, std::abs(old));
        double f[4];
        for (const int k : { 0, 1, 2, 3 })
        {
          x = old + (k < 2 ? k - 2 : k - 1) * h;
          f[k] = value();
        }
        x = old;
        // Fourth order: error O(h^4).
        const double numeric = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
        const double analytic = mean ?
            net.path[l][i] + net.direct[l][i] :
            net.path[l][i] * net.noise[l][i] + net.score[l][i];
        worst = std::max(worst, std::abs(numeric - analytic));
        largest = std::max(largest, std::abs(numeric));
      }
  net.Update();
  return worst / std::max(largest, 1e-2);
}

/**
 * What the mean of D = L - I(w), or of D = I(w) - U, may be above zero.
 *
 * Four standard errors are not enough where the proposal is nearly perfect:
 * if it goes wrong once in 10^5 draws of w, all others are off by 10^-5 the
 * other way, and only that one draw would restore the balance.  But L and U
 * are not only bounds of the mean.  With P and Q the laws of K permutations
 * with and without the identity among them and dP/dQ = mean(omega) / perm,
 *
 *   E exp(L - I(w)) = E_P perm / mean(omega) = 1,
 *   E exp(I(w) - U) = E_Q mean(omega) / perm = 1,
 *
 * so that for n independent draws E exp(D_1 + ... + D_n) = 1, and by Markov's
 * inequality
 *
 *   P(D_1 + ... + D_n >= t) <= exp(-t),      whatever n and the law of D.
 *
 * A mean above log(10^4) / n has therefore a probability below 10^-4; it is
 * less than four standard errors wherever the deviation of D is above
 * 2.3 / sqrt(n) (0.04 nats for 4000 draws); below that, means of up to 3 / n
 * are let through, probability exp(-3) at most.
 */
inline double Margin(const symvi::RunningMean& d)
{
  const double n = double(d.Count());
  return std::min(std::log(1e4) / n, std::max(4 * d.StandardError(), 3 / n));
}

} // namespace symvi_tests

#endif
