/**
 * @file information/deep/permuted_density.cpp
 */
#include "information/deep/permuted_density.hpp"

#include "information/scores/squared_noise.hpp"

#include <algorithm>
#include <limits>

namespace symvi {
namespace information {

//! sum of ((w_r - mu_rows(r)) / sigma_rows(r))^2 over the rows of a column.
template<typename eT>
SYMVI_MULTIVERSION
double SquaredScores(const eT* w, const eT* mu, const eT* sigma,
                     const UnitIndex* rows, const size_t n)
{
  double sum = 0.0;
  for (size_t r = 0; r < n; ++r)
  {
    const double z = (double(w[r]) - double(mu[rows[r]])) /
        double(sigma[rows[r]]);
    sum += z * z;
  }
  return sum;
}

//! sum of (mu_i - mu_j)^2 / (sigma_i^2 + sigma_j^2) over a column, j = rows(i).
template<typename eT>
inline double ColumnDistance(const eT* mu, const eT* sigma, const eT* otherMu,
                             const eT* otherSigma, const UnitIndex* rows,
                             const size_t n)
{
  double sum = 0.0;
  for (size_t r = 0; r < n; ++r)
  {
    const size_t j = rows ? rows[r] : r;
    const double x = double(mu[r]) - double(otherMu[j]);
    const double s = sigma[r], t = otherSigma[j];
    sum += x * x / std::max(s * s + t * t, 1e-60);
  }
  return sum;
}

template<typename eT>
bool PermutedDensity<eT>::Separated(const SymmetricChain<eT>& chain,
                                    const UnitIndex* const* tau,
                                    const double need)
{
  double total = 0.0, seen = 0.0, distance = 0.0;
  for (const PosteriorView<eT>& v : chain.layers)
    total += double(v.Elements());
  for (size_t l = chain.layers.size(); l-- > 0; )
  {
    const size_t rows = RowUnits(chain, l), columns = ColumnUnits(chain, l);
    if (rows == noUnits && columns == noUnits)
      continue;
    const PosteriorView<eT>& v = chain.layers[l];
    // Every column once, in steps of an odd prime that spreads them out.
    const size_t step = (v.inSize % 313 == 0) ? 1 : 313;
    for (size_t k = 0, c = 0; k < v.inSize; ++k, c = (c + step) % v.inSize)
    {
      const size_t from = c * v.outSize;
      const size_t to = (columns == noUnits) ? from :
          tau[columns][c] * v.outSize;
      distance += 0.25 * ColumnDistance(v.mu + from, v.sigma + from, v.mu + to,
          v.sigma + to, rows == noUnits ? nullptr : tau[rows], v.outSize);
      seen += double(v.outSize);
      if (distance >= need)
        return true;
      if (seen >= 2048.0 && distance * total < 0.5 * need * seen)
        return false;
    }
  }
  return false;
}

template<typename eT>
void PermutedDensity<eT>::Reset(const SymmetricChain<eT>& newChain)
{
  chain = &newChain;
  squares.assign(newChain.layers.size(), 0.0);
  movedSquares = allSquares = 0.0;
  for (size_t l = 0; l < newChain.layers.size(); ++l)
  {
    const PosteriorView<eT>& v = newChain.layers[l];
    const size_t weights = v.outSize * v.inSize;
    const bool rows = RowUnits(newChain, l) != noUnits;
    const bool columns = ColumnUnits(newChain, l) != noUnits;
    const double w = SquaredNoise(v.weight, v.mu, v.sigma, weights);
    const double b = SquaredNoise(v.weight + weights, v.mu + weights,
        v.sigma + weights, v.Elements() - weights);
    squares[l] = (rows || columns ? w : 0.0) + (rows ? b : 0.0);
    movedSquares += squares[l];
    allSquares += w + b;
  }
}

template<typename eT>
double PermutedDensity<eT>::Relative(const UnitIndex* const* tau,
                                     const double floor) const
{
  double rest = movedSquares - 2.0 * floor;
  // From the back: outgoing weights tell units apart better than incoming ones.
  for (size_t l = chain->layers.size(); l-- > 0; )
  {
    const size_t rows = RowUnits(*chain, l), columns = ColumnUnits(*chain, l);
    if (rows == noUnits && columns == noUnits)
      continue;
    const PosteriorView<eT>& v = chain->layers[l];
    const size_t count = (rows == noUnits) ? v.inSize : v.Columns();
    for (size_t c = 0; c < count; ++c)
    {
      const size_t from = c * v.outSize;
      const size_t to = (columns == noUnits || c == v.inSize) ? from :
          tau[columns][c] * v.outSize;
      rest -= (rows == noUnits) ?
          (from == to ? SquaredNoise(v.weight + from, v.mu + from,
              v.sigma + from, v.outSize) :
              SquaredNoise(v.weight + from, v.mu + to, v.sigma + to,
              v.outSize)) :
          SquaredScores(v.weight + from, v.mu + to, v.sigma + to, tau[rows],
              v.outSize);
      if (rest < 0.0)
        return -std::numeric_limits<double>::infinity();
    }
  }
  return 0.5 * rest + floor;
}

template<typename eT>
void PermutedDensity<eT>::AddGradient(const UnitIndex* const* tau,
                                      const eT factor,
                                      InformationGradient<eT>& gradient) const
{
  for (size_t l = 0; l < chain->layers.size(); ++l)
  {
    const size_t rows = RowUnits(*chain, l), columns = ColumnUnits(*chain, l);
    if (rows == noUnits && columns == noUnits)
      continue;
    const PosteriorView<eT>& v = chain->layers[l];
    eT* path = gradient.path[l];
    eT* mu = gradient.mu.empty() ? nullptr : gradient.mu[l];
    eT* sigma = gradient.sigma.empty() ? nullptr : gradient.sigma[l];
    const size_t count = (rows == noUnits) ? v.inSize : v.Columns();
    for (size_t c = 0; c < count; ++c)
    {
      const size_t from = c * v.outSize;
      const size_t to = (columns == noUnits || c == v.inSize) ? from :
          tau[columns][c] * v.outSize;
      for (size_t r = 0; r < v.outSize; ++r)
      {
        const size_t i = from + r;
        const size_t j = to + (rows == noUnits ? r : tau[rows][r]);
        if (i == j)
          continue;
        const eT e = (v.weight[i] - v.mu[i]) / v.sigma[i];
        const eT z = (v.weight[i] - v.mu[j]) / v.sigma[j];
        const eT own = factor * e / v.sigma[i];
        const eT other = factor * z / v.sigma[j];
        path[i] += own - other;
        gradient.touched[l] = true;
        if (mu)
        {
          mu[i] -= own;
          mu[j] += other;
        }
        if (sigma)
        {
          sigma[i] -= own * e;
          sigma[j] += other * z;
        }
      }
    }
  }
}

template class PermutedDensity<float>;
template class PermutedDensity<double>;

} // namespace information
} // namespace symvi
