/**
 * @file src/information/deep/permuted_density.cpp
 */
#include "information/deep/permuted_density.hpp"

#include "information/scores/squared_noise.hpp"

#include <algorithm>
#include <limits>

namespace symvi {
namespace information {

//! Where a column of a layer is compared, with what signs.
struct ColumnImage
{
  size_t to = 0;                   //!< Where the other column begins.
  const UnitIndex* rows = nullptr; //!< Images of rows; null: they stay.
  const UnitSign* signs = nullptr; //!< Signs of rows; null: all 1.
  int sign = 1;                    //!< Sign of the column.
};

template<typename eT>
inline ColumnImage ImageOf(const PosteriorView<eT>& v, const UnitImages& g,
    const size_t rows, const size_t columns, const size_t c)
{
  ColumnImage image;
  const bool moves = (columns != noUnits && c < v.inSize);
  image.to = (moves ? g.tau[columns][c] : c) * v.outSize;
  if (moves && g.signs[columns])
    image.sign = g.signs[columns][c];
  if (rows != noUnits)
  {
    image.rows = g.tau[rows];
    image.signs = g.signs[rows];
  }
  return image;
}

//! sum of ((s_r w_r - mu_rows(r)) / sigma_rows(r))^2 over the rows of a column.
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

template<typename eT>
double SignedScores(const eT* w, const eT* mu, const eT* sigma,
    const ColumnImage& image, const size_t n)
{
  double sum = 0.0;
  for (size_t r = 0; r < n; ++r)
  {
    const size_t j = image.rows ? image.rows[r] : r;
    const int s = image.signs ? image.sign * image.signs[r] : image.sign;
    const double z = (s * double(w[r]) - double(mu[j])) / double(sigma[j]);
    sum += z * z;
  }
  return sum;
}

//! sum of (s_i mu_i - mu_j)^2 / (sigma_i^2 + sigma_j^2) over a column, j =
//! rows(i).
template<typename eT>
inline double ColumnDistance(const eT* mu, const eT* sigma, const eT* otherMu,
    const eT* otherSigma, const ColumnImage& image, const size_t n)
{
  double sum = 0.0;
  for (size_t r = 0; r < n; ++r)
  {
    const size_t j = image.rows ? image.rows[r] : r;
    const int sign = image.signs ? image.sign * image.signs[r] : image.sign;
    const double x = sign * double(mu[r]) - double(otherMu[j]);
    const double s = sigma[r], t = otherSigma[j];
    sum += x * x / std::max(s * s + t * t, 1e-60);
  }
  return sum;
}

template<typename eT>
bool PermutedDensity<eT>::Separated(const SymmetricChain<eT>& chain,
    const UnitImages& g, const double need)
{
  double total = 0.0, seen = 0.0, distance = 0.0;
  for (const PosteriorView<eT>& v : chain.layers)
    total += double(v.Elements());
  for (size_t l = chain.layers.size(); l-- > 0;)
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
      const ColumnImage image = ImageOf(v, g, rows, columns, c);
      distance += 0.25 *
          ColumnDistance(v.mu + from, v.sigma + from, v.mu + image.to,
              v.sigma + image.to, image, v.outSize);
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
double PermutedDensity<eT>::Relative(const UnitImages& g,
    const double floor) const
{
  double rest = movedSquares - 2.0 * floor;
  // From the back: outgoing weights tell units apart better than incoming ones.
  for (size_t l = chain->layers.size(); l-- > 0;)
  {
    const size_t rows = RowUnits(*chain, l), columns = ColumnUnits(*chain, l);
    if (rows == noUnits && columns == noUnits)
      continue;
    const PosteriorView<eT>& v = chain->layers[l];
    const size_t count = (rows == noUnits) ? v.inSize : v.Columns();
    for (size_t c = 0; c < count; ++c)
    {
      const eT* w = v.weight + c * v.outSize;
      const ColumnImage image = ImageOf(v, g, rows, columns, c);
      const eT* mu = v.mu + image.to;
      const eT* sigma = v.sigma + image.to;
      rest -= (image.signs || image.sign < 0) ?
          SignedScores(w, mu, sigma, image, v.outSize) :
          image.rows ? SquaredScores(w, mu, sigma, image.rows, v.outSize) :
                       SquaredNoise(w, mu, sigma, v.outSize);
      if (rest < 0.0)
        return -std::numeric_limits<double>::infinity();
    }
  }
  return 0.5 * rest + floor;
}

template<typename eT>
void PermutedDensity<eT>::AddGradient(const UnitImages& g, const eT factor,
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
      const ColumnImage image = ImageOf(v, g, rows, columns, c);
      for (size_t r = 0; r < v.outSize; ++r)
      {
        const size_t i = c * v.outSize + r;
        const size_t j = image.to + (image.rows ? image.rows[r] : r);
        const eT s = eT(image.signs ? image.sign * image.signs[r] : image.sign);
        if (i == j && s > eT(0))
          continue;
        const eT e = (v.weight[i] - v.mu[i]) / v.sigma[i];
        const eT z = (s * v.weight[i] - v.mu[j]) / v.sigma[j];
        const eT own = factor * e / v.sigma[i];
        const eT other = factor * z / v.sigma[j];
        path[i] += own - s * other;
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
