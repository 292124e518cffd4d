/**
 * @file src/information/scores/mean_field_scores.hpp
 *
 * Expected scores of a layer whose units on one side are matched only softly.
 */
#ifndef SYMVI_INFORMATION_MEAN_FIELD_SCORES_HPP
#define SYMVI_INFORMATION_MEAN_FIELD_SCORES_HPP

#include "information/scores/touched.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {
namespace information {

/**
 * A matching of units that is known only softly: M[a,b] is the chance that unit
 * a belongs to posterior unit b, and D[a,b] that chance with sign 1 less that
 * with sign -1 (D = M for units without signs).  Both d x d, row-major.
 */
struct SoftMatchingView
{
  const double* matching = nullptr;
  const double* difference = nullptr;
};

/**
 * For a weight matrix (rows x columns) with draw W and posterior (mu, sigma),
 * Pi = 1 / sigma^2, and soft matchings (M, D):
 *
 *   columns with sign s, given a matching of the rows:
 *     S[c,c'] = -1/2 sum_{r,r'} ( M[r,r'] (W[r,c]^2 + mu[r',c']^2)
 *                               - 2 s D[r,r'] W[r,c] mu[r',c'] ) Pi[r',c']
 *   rows with sign s, given a matching of the columns:
 *     S[r,r'] = the same sum over c and c',
 *
 * without signs the expectation of -1/2 (W[r,c] - mu[r',c'])^2 Pi[r',c'].
 *
 * Both take two matrix products after expanding the square.  They steer
 * proposals only, so the rounding of the expansion does no harm.
 */
template<typename eT>
class MeanFieldScores
{
 public:
  /**
   * Add the expected scores of columns.
   *
   * @param layer The layer.
   * @param rows The matching of the rows.
   * @param scores Row-major, inSize x inSize; added to.
   * @param negated The same for the sign -1; null if not wanted.
   */
  void AddColumns(const PosteriorView<eT>& layer, const SoftMatchingView& rows,
      double* scores, double* negated)
  {
    Add(layer, layer.inSize, layer.outSize, layer.outSize, 1, rows, scores,
        negated);
  }

  /**
   * Add the expected scores of rows, without the bias.
   *
   * @param layer The layer.
   * @param columns The matching of the columns.
   * @param scores Row-major, outSize x outSize; added to.
   * @param negated The same for the sign -1; null if not wanted.
   */
  void AddRows(const PosteriorView<eT>& layer, const SoftMatchingView& columns,
      double* scores, double* negated)
  {
    Add(layer, layer.outSize, layer.inSize, 1, layer.outSize, columns, scores,
        negated);
  }

 private:
  /**
   * Scores of `units` rows or columns of the matrix, of `count` weights each;
   * weight k of unit a is at a * unitStep + k * step.
   */
  void Add(const PosteriorView<eT>& layer, const size_t units,
      const size_t count, const size_t unitStep, const size_t step,
      const SoftMatchingView& other, double* scores, double* negated)
  {
    // first[a][k'] = sum_k D[k,k'] W_ak, second the sum of M[k,k'] W_ak^2.
    first.assign(units * count, 0.0);
    second.assign(units * count, 0.0);
    for (size_t a = 0; a < units; ++a)
      for (size_t k = 0; k < count; ++k)
      {
        const double w = layer.weight[a * unitStep + k * step];
        AddRow(other.difference + k * count, w, count, &first[a * count]);
        AddRow(other.matching + k * count, w * w, count, &second[a * count]);
      }
    for (size_t a = 0; a < units; ++a)
      for (size_t b = 0; b < units; ++b)
      {
        double even = 0.0, odd = 0.0;
        for (size_t k = 0; k < count; ++k)
        {
          const size_t i = b * unitStep + k * step;
          const double mu = layer.mu[i], sigma = layer.sigma[i];
          const double precision = 1.0 / (sigma * sigma);
          even += (second[a * count + k] + mu * mu) * precision;
          odd += first[a * count + k] * mu * precision;
        }
        scores[a * units + b] += odd - 0.5 * even;
        if (negated)
          negated[a * units + b] -= odd + 0.5 * even;
      }
  }

  static void AddRow(const double* m, const double w, const size_t n,
      double* sum)
  {
    for (size_t k = 0; k < n; ++k)
      sum[k] += m[k] * w;
  }

  std::vector<double> first, second;
};

/**
 * Turn scores into a soft matching: exp, rows and columns balanced in turn.
 *
 * @param scores Reduced scores (at most 0, with a 0 in every row and column),
 *     row-major.
 * @param m Number of rows and columns.
 * @param matching Where to write it; rows sum to one.
 */
inline void SoftMatching(const double* scores, const size_t m, double* matching)
{
  for (size_t i = 0; i < m * m; ++i)
    matching[i] = std::exp(scores[i]);
  for (size_t round = 0; round < 10; ++round)
  {
    for (size_t j = 0; j < m; ++j)
    {
      double sum = 0.0;
      for (size_t i = 0; i < m; ++i)
        sum += matching[i * m + j];
      for (size_t i = 0; i < m; ++i)
        matching[i * m + j] /= sum;
    }
    for (size_t i = 0; i < m; ++i)
    {
      double sum = 0.0;
      for (size_t j = 0; j < m; ++j)
        sum += matching[i * m + j];
      for (size_t j = 0; j < m; ++j)
        matching[i * m + j] /= sum;
    }
  }
}

} // namespace information
} // namespace symvi

#endif
