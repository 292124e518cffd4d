/**
 * @file symvi/entropy/mean_field_scores.hpp
 *
 * Expected scores of a layer whose units on one side are matched only softly.
 */
#ifndef SYMVI_ENTROPY_MEAN_FIELD_SCORES_HPP
#define SYMVI_ENTROPY_MEAN_FIELD_SCORES_HPP

#include "estimator.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {
namespace entropy {

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
    const size_t rows = layer.outSize, columns = layer.inSize;
    first.assign(rows * columns, 0.0);
    second.assign(rows * columns, 0.0);
    // first[c][r'] = sum_r M[r,r'] W[r,c], second the same with W^2.
    for (size_t c = 0; c < columns; ++c)
      for (size_t r = 0; r < rows; ++r)
        AddRow(rowMatching + r * rows, double(layer.weight[c * rows + r]),
            rows, &first[c * rows], &second[c * rows]);
    for (size_t c = 0; c < columns; ++c)
      for (size_t d = 0; d < columns; ++d)
      {
        double sum = 0.0;
        for (size_t r = 0; r < rows; ++r)
          sum += Term(layer, d * rows + r, first[c * rows + r],
              second[c * rows + r]);
        scores[c * columns + d] -= 0.5 * sum;
      }
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
    const size_t rows = layer.outSize, columns = layer.inSize;
    first.assign(rows * columns, 0.0);
    second.assign(rows * columns, 0.0);
    // first[r][c'] = sum_c M[c,c'] W[r,c], second the same with W^2.
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns; ++c)
        AddRow(columnMatching + c * columns, double(layer.weight[c * rows + r]),
            columns, &first[r * columns], &second[r * columns]);
    for (size_t r = 0; r < rows; ++r)
      for (size_t d = 0; d < rows; ++d)
      {
        double sum = 0.0;
        for (size_t c = 0; c < columns; ++c)
          sum += Term(layer, c * rows + d, first[r * columns + c],
              second[r * columns + c]);
        scores[r * rows + d] -= 0.5 * sum;
      }
  }

 private:
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

} // namespace entropy
} // namespace symvi

#endif
