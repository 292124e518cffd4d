/**
 * @file src/symmetry/unit_distances.hpp
 *
 * Squared distances between the units of two posteriors.
 */
#ifndef SYMVI_SRC_SYMMETRY_UNIT_DISTANCES_HPP
#define SYMVI_SRC_SYMMETRY_UNIT_DISTANCES_HPP

#include <symvi/symmetry/alignment.hpp>
#include <symvi/require.hpp>

#include <vector>

namespace symvi {

//! The squared distance of weight i of one layer, times a sign, and weight j of
//! another.
template<typename eT>
inline double WeightDistance(const PosteriorView<eT>& x, const size_t i,
    const PosteriorView<eT>& y, const size_t j, const UnitMetric metric,
    const int sign = 1)
{
  const double difference = sign * double(x.mu[i]) - double(y.mu[j]);
  if (metric == UnitMetric::Euclidean)
    return difference * difference;
  const double s = x.sigma[i], t = y.sigma[j];
  return difference * difference / (s * s + t * t);
}

/**
 * The squared distance between unit a of `from`, times a sign, and unit b of
 * `to` in hidden layer h, over incoming row, bias and outgoing column, with the
 * neighbouring hidden layers of `from` moved by g:
 *
 *   D[a,b] = sum_c d(s(c) W_in[a,c], W_in'[b,g(c)]) + d(b[a], b'[b])
 *          + sum_o d(s(o) W_out[o,a], W_out'[g(o),b]).
 *
 * @return D, row-major, d x d.
 */
template<typename eT>
inline std::vector<double> SignedUnitDistances(const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to, const size_t h, const Permutation& g,
    const UnitMetric metric, const int sign)
{
  const size_t d = from.hidden[h].size, l = from.hidden[h].incoming;
  std::vector<double> distance(d * d, 0.0);
  const size_t before = ColumnUnits(from, l);
  const PosteriorView<eT>& x = from.layers[l];
  const PosteriorView<eT>& y = to.layers[l];
  for (size_t c = 0; c < x.Columns(); ++c)
  {
    const bool moves = (before != noUnits && c != x.inSize);
    const size_t e = moves ? g(before, c) : c;
    const int s = moves ? sign * g.Sign(before, c) : sign;
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < d; ++b)
        distance[a * d + b] += WeightDistance(x, c * d + a, y, e * d + b,
            metric, s);
  }
  if (!from.hidden[h].hasOutgoing)
    return distance;
  const size_t after = RowUnits(from, l + 1);
  const PosteriorView<eT>& u = from.layers[l + 1];
  const PosteriorView<eT>& v = to.layers[l + 1];
  for (size_t a = 0; a < d; ++a)
    for (size_t b = 0; b < d; ++b)
      for (size_t o = 0; o < u.outSize; ++o)
        distance[a * d + b] += WeightDistance(u, a * u.outSize + o, v,
            b * u.outSize + (after == noUnits ? o : g(after, o)), metric,
            after == noUnits ? sign : sign * g.Sign(after, o));
  return distance;
}

//! Throws std::invalid_argument unless both chains have the same shape.
template<typename eT>
inline void CheckSameShape(const SymmetricChain<eT>& x,
    const SymmetricChain<eT>& y, const char* where)
{
  CheckChain(x, where);
  CheckChain(y, where);
  bool same = x.layers.size() == y.layers.size() &&
      x.hidden.size() == y.hidden.size();
  for (size_t l = 0; same && l < x.layers.size(); ++l)
    same = x.layers[l].outSize == y.layers[l].outSize &&
        x.layers[l].inSize == y.layers[l].inSize &&
        x.layers[l].hasBias == y.layers[l].hasBias;
  for (size_t h = 0; same && h < x.hidden.size(); ++h)
    same = x.hidden[h].incoming == y.hidden[h].incoming &&
        x.hidden[h].hasOutgoing == y.hidden[h].hasOutgoing &&
        x.hidden[h].orbit == y.hidden[h].orbit &&
        x.hidden[h].isSigned == y.hidden[h].isSigned;
  if (!same)
    Refuse(where, "both posteriors must have the same layers",
        "sizes, biases, labels or signs differ");
}

} // namespace symvi

#endif
