/**
 * @file information/scores/mean_field_scores.hpp
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
 * For a weight matrix (rows x columns) with draw W and posterior (mu, sigma),
 * Pi = 1 / sigma^2, and soft matchings M (d x d, row-major, M[a,b] the chance
 * that unit a belongs to posterior unit b):
 *
 *   columns, given a matching of the rows:
 *     S[c,c'] = -1/2 sum_{r,r'} M[r,r'] (W[r,c] - mu[r',c'])^2 Pi[r',c']
 *   rows, given a matching of the columns:
 *     S[r,r'] = -1/2 sum_{c,c'} M[c,c'] (W[r,c] - mu[r',c'])^2 Pi[r',c']
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
   * @param rowMatching M of the rows, row-major.
   * @param scores Row-major, inSize x inSize; added to.
   */
  void AddColumns(const PosteriorView<eT>& layer, const double* rowMatching,
                  double* scores)
  {
    Add(layer, layer.inSize, layer.outSize, layer.outSize, 1, rowMatching,
        scores);
  }

  /**
   * Add the expected scores of rows, without the bias.
   *
   * @param layer The layer.
   * @param columnMatching M of the columns, row-major.
   * @param scores Row-major, outSize x outSize; added to.
   */
  void AddRows(const PosteriorView<eT>& layer, const double* columnMatching,
               double* scores)
  {
    Add(layer, layer.outSize, layer.inSize, 1, layer.outSize, columnMatching,
        scores);
  }

 private:
  /**
   * Scores of `units` rows or columns of the matrix, of `count` weights each;
   * weight k of unit a is at a * unitStep + k * step.
   */
  void Add(const PosteriorView<eT>& layer, const size_t units,
           const size_t count, const size_t unitStep, const size_t step,
           const double* matching, double* scores)
  {
    // first[a][k'] = sum_k M[k,k'] W_ak, second the same with W^2.
    first.assign(units * count, 0.0);
    second.assign(units * count, 0.0);
    for (size_t a = 0; a < units; ++a)
      for (size_t k = 0; k < count; ++k)
        AddRow(matching + k * count,
            double(layer.weight[a * unitStep + k * step]), count,
            &first[a * count], &second[a * count]);
    for (size_t a = 0; a < units; ++a)
      for (size_t b = 0; b < units; ++b)
      {
        double sum = 0.0;
        for (size_t k = 0; k < count; ++k)
          sum += Term(layer, b * unitStep + k * step, first[a * count + k],
              second[a * count + k]);
        scores[a * units + b] -= 0.5 * sum;
      }
  }

  static void AddRow(const double* m, const double w, const size_t n,
                     double* linear, double* square)
  {
    for (size_t k = 0; k < n; ++k)
    {
      linear[k] += m[k] * w;
      square[k] += m[k] * w * w;
    }
  }

  //! E (W - mu)^2 / sigma^2 for weight i, given E W and E W^2.
  static double Term(const PosteriorView<eT>& layer, const size_t i,
                     const double linear, const double square)
  {
    const double mu = layer.mu[i], sigma = layer.sigma[i];
    return (square + mu * (mu - 2.0 * linear)) / (sigma * sigma);
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
