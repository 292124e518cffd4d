/**
 * @file src/information/deep/layerwise_engine.cpp
 */
#include "information/deep/layerwise_engine.hpp"
#include "information/scores/log_sum.hpp"
#include "information/scores/squared_noise.hpp"
#include "kernel/softplus.hpp"

#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace symvi {
namespace information {

template<typename eT>
InformationEstimate LayerwiseEngine<eT>::Run(const SymmetricChain<eT>& chain,
    const size_t first, const size_t end, BlockSolver& solver,
    const size_t draws, const size_t limit, RandomStream& stream,
    const eT scale, InformationGradient<eT>* gradient)
{
  return peeling.Sum(
      chain, first, end,
      [&](const size_t h)
      { return single.Run(chain, h, false, solver, stream, scale, gradient); },
      [&](const size_t h, const size_t last)
      {
    return RunCoupled(chain, h, last, solver, draws, limit, stream, scale,
        gradient);
      });
}

template<typename eT>
void LayerwiseEngine<eT>::Setup(const SymmetricChain<eT>& chain,
    const size_t first, const size_t end)
{
  runFirst = first;
  runEnd = end;
  if (numGroups < end - first)
  {
    numGroups = end - first;
    groups = std::make_unique<Group[]>(numGroups);
  }
  units = 0;
  squares = logOrder = 0.0;
  for (size_t g = 0; g < end - first; ++g)
  {
    const HiddenUnits& hidden = chain.hidden[first + g];
    Group& group = groups[g];
    group.orbits.Reset(hidden);
    group.size = hidden.size;
    group.begin = units;
    group.ready = false;
    group.incoming.resize(hidden.size * hidden.size);
    if (hidden.isSigned)
      for (std::vector<double>* v :
          { &group.incomingNegated, &group.difference })
        v->resize(hidden.size * hidden.size);
    logOrder += group.orbits.LogOrder();
    const PosteriorView<eT>& in = chain.layers[hidden.incoming];
    squares += SquaredNoise(in.weight, in.mu, in.sigma, in.Elements()) +
        2.0 * SumLog(in.sigma, in.Elements());
    if (g + 1 < end - first)
      units += hidden.size;
    else if (hidden.hasOutgoing)
    {
      const PosteriorView<eT>& out = chain.layers[hidden.incoming + 1];
      const size_t n = out.outSize * out.inSize;
      squares += SquaredNoise(out.weight, out.mu, out.sigma, n) +
          2.0 * SumLog(out.sigma, n);
    }
  }
}

template<typename eT>
void LayerwiseEngine<eT>::Reduce(std::vector<double>& r, const size_t m)
{
  if (!assignment.Solve(r.data(), m))
    throw std::logic_error("LayerwiseEngine: no permutation is possible.");
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < m; ++j)
      r[i * m + j] = (assignment.Match()[i] == j) ?
          0.0 :
          std::min(0.0,
              r[i * m + j] - assignment.RowDual(i) - assignment.ColumnDual(j));
}

template<typename eT>
UnitBlocks<eT> LayerwiseEngine<eT>::BlocksGiven(const SymmetricChain<eT>& chain,
    const size_t g, const Images& path) const
{
  UnitBlocks<eT> weights = MakeUnitBlocks(chain, runFirst + g);
  if (g > 0)
  {
    weights.inputs = path.tau + groups[g - 1].begin;
    if (groups[g - 1].orbits.Signed())
      weights.inputSigns = path.signs + groups[g - 1].begin;
  }
  return weights;
}

template<typename eT>
void LayerwiseEngine<eT>::Incoming(const SymmetricChain<eT>& chain,
    const size_t g, const Images& path)
{
  // C of the incoming rows and biases.
  Group& group = groups[g];
  UnitBlocks<eT> weights = BlocksGiven(chain, g, path);
  weights.outgoing = nullptr;
  scores.Compute(weights, group.orbits,
      std::numeric_limits<double>::infinity());
  for (size_t a = 0; a < group.size; ++a)
    for (size_t b = 0; b < group.size; ++b)
    {
      const size_t i = a * group.size + b;
      group.incoming[i] = scores(a, b) - 0.5 * scores.Diagonal(a);
      if (group.orbits.Signed())
        group.incomingNegated[i] = scores.Negated(a, b) -
            0.5 * scores.Diagonal(a);
    }
}

template<typename eT>
void LayerwiseEngine<eT>::Match(const SymmetricChain<eT>& chain, const size_t g,
    const bool withOutgoing)
{
  Group& group = groups[g];
  const size_t m = group.size, last = runEnd - runFirst - 1;
  const size_t layer = chain.hidden[runFirst + g].incoming;
  const PosteriorView<eT>& in = chain.layers[layer];
  const bool isSigned = group.orbits.Signed();
  combined.assign(m * m, 0.0);
  negated.assign(isSigned ? m * m : 0, 0.0);
  double* const minus = isSigned ? negated.data() : nullptr;
  if (g == 0)
  {
    std::copy(group.incoming.begin(), group.incoming.end(), combined.begin());
    if (isSigned)
      std::copy(group.incomingNegated.begin(), group.incomingNegated.end(),
          negated.begin());
  }
  else
  {
    expected.AddRows(in, groups[g - 1].Matching(), combined.data(), minus);
    const size_t bias = in.outSize * in.inSize;
    for (size_t a = 0; a < m && in.hasBias; ++a)
      for (size_t b = 0; b < m; ++b)
      {
        const double w = in.weight[bias + a], mu = in.mu[bias + b];
        const double sigma = in.sigma[bias + b];
        const double z = (w - mu) / sigma, y = (w + mu) / sigma;
        combined[a * m + b] -= 0.5 * z * z;
        if (isSigned)
          minus[a * m + b] -= 0.5 * y * y;
      }
  }
  if (g < last && withOutgoing)
    expected.AddColumns(chain.layers[layer + 1], groups[g + 1].Matching(),
        combined.data(), minus);
  else if (g == last && chain.hidden[runFirst + g].hasOutgoing)
  {
    // Outputs are at rest: a matching that is the identity.
    const size_t rows = chain.layers[layer + 1].outSize;
    marginals.assign(rows * rows, 0.0);
    for (size_t r = 0; r < rows; ++r)
      marginals[r * rows + r] = 1.0;
    expected.AddColumns(chain.layers[layer + 1],
        { marginals.data(), marginals.data() }, combined.data(), minus);
  }
  for (size_t a = 0; a < m; ++a)
    for (size_t b = 0; b < m; ++b)
    {
      const size_t i = a * m + b;
      if (!group.orbits.Same(a, b))
        combined[i] = -std::numeric_limits<double>::infinity();
      else if (isSigned)
      {
        // The chance of the sign 1 less that of -1.
        group.difference[i] = std::tanh(0.5 * (combined[i] - negated[i]));
        combined[i] = LogAdd(combined[i], negated[i]);
      }
    }
  Reduce(combined, m);
  group.matching.resize(m * m);
  SoftMatching(combined.data(), m, group.matching.data());
  for (size_t i = 0; i < m * m && isSigned; ++i)
    group.difference[i] *= group.matching[i];
}

template<typename eT>
void LayerwiseEngine<eT>::MeanField(const SymmetricChain<eT>& chain)
{
  const size_t m = runEnd - runFirst;
  Match(chain, 0, false);
  for (size_t round = 1; round <= 3; ++round)
  {
    for (size_t g = 1; g < m; ++g)
      Match(chain, g, round > 1);
    for (size_t g = m - 1; g-- > 0;)
    {
      if (round != 2)
      {
        Group& group = groups[g];
        const size_t n = group.size * group.size;
        std::vector<double>& out = group.outgoing[round / 2];
        std::vector<double>& negative = group.outgoingNegated[round / 2];
        out.assign(n, 0.0);
        negative.assign(group.orbits.Signed() ? n : 0, 0.0);
        expected.AddColumns(
            chain.layers[chain.hidden[runFirst + g].incoming + 1],
            groups[g + 1].Matching(), out.data(),
            group.orbits.Signed() ? negative.data() : nullptr);
      }
      Match(chain, g, true);
    }
  }
}

template<typename eT>
void LayerwiseEngine<eT>::Propose(const SymmetricChain<eT>& chain,
    const size_t g, const Images& path)
{
  Group& group = groups[g];
  const size_t m = group.size, before = (g == 0) ? 0 : groups[g - 1].size;
  const UnitIndex* const tau = path.tau + (g == 0 ? 0 : groups[g - 1].begin);
  const UnitSign* const s = path.signs + (g == 0 ? 0 : groups[g - 1].begin);
  if (group.ready &&
      (g == 0 ||
          (std::equal(group.given.begin(), group.given.end(), tau) &&
              std::equal(group.givenSigns.begin(), group.givenSigns.end(), s))))
    return;
  if (g > 0 || !group.ready)
    Incoming(chain, g, path);
  group.given.assign(tau, tau + before);
  group.givenSigns.assign(s, s + before);
  group.ready = true;
  for (size_t k = 0; k < 3; ++k)
  {
    combined = group.incoming;
    for (size_t i = 0; i < m * m && k > 0; ++i)
      combined[i] += group.outgoing[k - 1][i];
    if (group.orbits.Signed())
    {
      group.odds[k].assign(m * m, 0.0);
      for (size_t i = 0; i < m * m; ++i)
      {
        const double minus = group.incomingNegated[i] +
            (k > 0 ? group.outgoingNegated[k - 1][i] : 0.0);
        if (group.orbits.Same(i / m, i % m))
          group.odds[k][i] = minus - combined[i];
        combined[i] = LogAdd(combined[i], minus);
      }
    }
    Reduce(combined, m);
    group.proposals[k].Prepare(combined.data(), m, 0);
  }
}

template<typename eT>
double LayerwiseEngine<eT>::LogSigns(const size_t g, const size_t k,
    const Images& path) const
{
  const Group& group = groups[g];
  double log = 0.0;
  for (size_t a = 0; a < group.size && group.orbits.Signed(); ++a)
  {
    const double odds =
        group.odds[k][a * group.size + path.tau[group.begin + a]];
    log -= kernel::Softplus(path.signs[group.begin + a] < 0 ? -odds : odds);
  }
  return log;
}

template<typename eT>
double LayerwiseEngine<eT>::Draw(const SymmetricChain<eT>& chain,
    const Images& path, RandomStream& stream)
{
  // The sum of log-scores minus log s, or -infinity for a dead end.
  const size_t last = runEnd - runFirst - 1;
  bool alive = true;
  for (size_t g = 0; g < last && alive; ++g)
  {
    Group& group = groups[g];
    Propose(chain, g, path);
    trial.resize(group.size);
    const size_t pick = stream.NextIndex(3);
    alive = group.proposals[pick].Sample(trial.data(), stream) <
        std::numeric_limits<double>::infinity();
    UnitSign* const s = path.signs + group.begin;
    std::fill(s, s + group.size, UnitSign(1));
    for (size_t a = 0; a < group.size && alive; ++a)
    {
      path.tau[group.begin + a] = UnitIndex(trial[a]);
      if (group.orbits.Signed() &&
          stream.NextUniform() <
              std::exp(-kernel::Softplus(
                  -group.odds[pick][a * group.size + trial[a]])))
        s[a] = UnitSign(-1);
    }
  }
  return alive ? Given(chain, path, true) :
                 -std::numeric_limits<double>::infinity();
}

template<typename eT>
double LayerwiseEngine<eT>::Given(const SymmetricChain<eT>& chain,
    const Images& path, const bool proposed)
{
  const size_t last = runEnd - runFirst - 1;
  double log = 0.0;
  for (size_t g = 0; g < last; ++g)
  {
    Group& group = groups[g];
    const UnitIndex* tau = path.tau + group.begin;
    const UnitSign* s = path.signs + group.begin;
    if (proposed)
    {
      Propose(chain, g, path);
      trial.assign(tau, tau + group.size);
      double logs[3];
      for (size_t k = 0; k < 3; ++k)
        logs[k] = group.proposals[k].LogProbability(trial.data()) +
            LogSigns(g, k, path);
      log -= LogSum(logs, 3) - std::log(3.0);
    }
    else if (g > 0 || !group.ready)
    {
      Incoming(chain, g, path);
      group.ready = true;
    }
    for (size_t a = 0; a < group.size; ++a)
      log += (s[a] < 0 ? group.incomingNegated :
                         group.incoming)[a * group.size + tau[a]];
  }
  return log;
}

template<typename eT>
void LayerwiseEngine<eT>::Inner(const SymmetricChain<eT>& chain,
    const Images& at, BlockSolver& solver, RandomStream& stream, Path& path)
{
  // log of the sum over the last layer, given the one before.
  const size_t last = runEnd - runFirst - 1;
  scores.Compute(BlocksGiven(chain, last, at), groups[last].orbits,
      defaultReach);
  scores.Fold();
  blocks.Build(scores, groups[last].size, defaultReach, nullptr, true);
  path.innerOffset = blocks.Offset();
  for (size_t a = 0; a < groups[last].size; ++a)
    path.innerOffset -= 0.5 * scores.Diagonal(a);
  path.inner = BlockSolution();
  path.stream = stream;
  for (size_t k = 0; k < blocks.Count(); ++k)
  {
    const BlockSolution s = solver.Solve(blocks[k], stream, nullptr);
    path.inner.high += s.high;
    path.inner.low += s.low;
    path.inner.exact &= s.exact;
  }
  path.inner.log = path.inner.low;
}

template<typename eT>
void LayerwiseEngine<eT>::AddOwn(const SymmetricChain<eT>& chain,
    const eT scale, InformationGradient<eT>& gradient)
{
  // The derivative of log q(w); -1/sigma cancels against the permuted terms.
  const size_t from = chain.hidden[runFirst].incoming;
  const size_t to = chain.hidden[runEnd - 1].incoming;
  for (size_t l = from; l <= to + chain.hidden[runEnd - 1].hasOutgoing; ++l)
  {
    const PosteriorView<eT>& v = chain.layers[l];
    const size_t n = (l <= to) ? v.Elements() : v.outSize * v.inSize;
    gradient.touched[l] = true;
    for (size_t i = 0; i < n; ++i)
    {
      const eT e = (v.weight[i] - v.mu[i]) / v.sigma[i];
      const eT term = scale * e / v.sigma[i];
      gradient.path[l][i] -= term;
      if (!gradient.mu.empty())
        gradient.mu[l][i] += term;
      if (!gradient.sigma.empty())
        gradient.sigma[l][i] += term * e;
    }
  }
}

template<typename eT>
void LayerwiseEngine<eT>::AddPath(const SymmetricChain<eT>& chain,
    const Images& at, BlockSolver& solver, const Path& path, const double share,
    const eT scale, InformationGradient<eT>& gradient)
{
  const size_t last = runEnd - runFirst - 1;
  const eT factor = eT(share) * scale;
  // Layers whose rows are matched for sure.
  for (size_t g = 0; g < last; ++g)
  {
    const size_t l = chain.hidden[runFirst + g].incoming;
    const PosteriorView<eT>& v = chain.layers[l];
    const size_t row = groups[g].begin;
    const size_t column = (g == 0) ? 0 : groups[g - 1].begin;
    for (size_t c = 0; c < v.Columns(); ++c)
      for (size_t r = 0; r < v.outSize; ++r)
      {
        const bool moves = (g > 0 && c < v.inSize);
        const size_t unit = column + c / v.block;
        const size_t i = c * v.outSize + r;
        const size_t j = (moves ? v.Moved(c, at.tau[unit]) : c) * v.outSize +
            at.tau[row + r];
        const eT s = eT(
            moves ? at.signs[unit] * at.signs[row + r] : at.signs[row + r]);
        const eT z = (s * v.weight[i] - v.mu[j]) / v.sigma[j];
        const eT term = factor * z / v.sigma[j];
        gradient.path[l][i] += s * term;
        if (!gradient.mu.empty())
          gradient.mu[l][j] -= term;
        if (!gradient.sigma.empty())
          gradient.sigma[l][j] -= term * z;
      }
  }
  // The last hidden layer through its marginals.
  const UnitBlocks<eT> weights = BlocksGiven(chain, last, at);
  scores.Compute(weights, groups[last].orbits, defaultReach);
  scores.Fold();
  blocks.Build(scores, groups[last].size, defaultReach, nullptr, true);
  RandomStream stream = path.stream;
  for (size_t k = 0; k < blocks.Count(); ++k)
  {
    marginals.resize(blocks[k].size * blocks[k].size);
    solver.Solve(blocks[k], stream, marginals.data());
    matchingGradient.Add(weights, blocks[k], marginals.data(), factor,
        MakeUnitGradient(chain, runFirst + last, gradient), false);
  }
}

template<typename eT>
size_t LayerwiseEngine<eT>::Enumerable(const size_t limit) const
{
  size_t count = 1;
  for (size_t g = 0; g < Last(); ++g)
  {
    const size_t order = groups[g].orbits.Order();
    if (order > limit || count > limit / order)
      Refuse("ExactEstimator",
          "at most " + std::to_string(limit) +
              " permutations of the hidden layers before the last can be "
              "enumerated",
          "there are more; use 'auto' or 'importance'");
    count *= order;
  }
  return count;
}

template<typename eT>
void LayerwiseEngine<eT>::Identity(const size_t j)
{
  const Images at = At(j);
  for (size_t g = 0; g < Last(); ++g)
    groups[g].orbits.Identity(at.tau + groups[g].begin,
        at.signs + groups[g].begin);
}

template<typename eT>
void LayerwiseEngine<eT>::Enumerate(const size_t j)
{
  if (j == 0)
    return Identity(j);
  const Images at = At(j);
  std::copy(at.tau - units, at.tau, at.tau);
  std::copy(at.signs - units, at.signs, at.signs);
  for (size_t g = 0; g < Last(); ++g)
    if (groups[g].orbits.Next(at.tau + groups[g].begin,
            at.signs + groups[g].begin))
      break;
}

template<typename eT>
size_t LayerwiseEngine<eT>::SameInner(const size_t j) const
{
  // Only the group before the last decides about the permanent.
  const size_t begin = groups[Last() - 1].begin;
  const UnitIndex* tau = images.data() + j * units;
  const UnitSign* own = signs.data() + j * units;
  for (size_t i = 0; i < j; ++i)
    if (paths[i].logWeight > -std::numeric_limits<double>::infinity() &&
        paths[i].inner.exact &&
        std::equal(tau + begin, tau + units,
            images.data() + i * units + begin) &&
        std::equal(own + begin, own + units, signs.data() + i * units + begin))
      return i;
  return j;
}

template<typename eT>
InformationEstimate LayerwiseEngine<eT>::Estimate(const size_t count,
    const bool enumerated)
{
  const size_t total = enumerated ? count : count + 1;
  logWeights.resize(total);
  bool exact = enumerated;
  for (size_t j = 0; j < total; ++j)
  {
    logWeights[j] = paths[j].logWeight;
    exact &= paths[j].inner.exact;
  }
  logAll = LogSum(logWeights.data(), count);
  const double logCount = enumerated ? 0.0 : std::log(double(count));
  InformationEstimate estimate;
  estimate.upper = logOrder - (logAll - logCount);
  if (!enumerated)
    std::swap(logWeights[count - 1], logWeights[count]);
  estimate.lower = logOrder - (LogSum(logWeights.data(), count) - logCount);
  estimate.value = estimate.lower;
  estimate.exact = exact;
  return estimate;
}

template<typename eT>
InformationEstimate LayerwiseEngine<eT>::RunCoupled(
    const SymmetricChain<eT>& chain, const size_t first, const size_t end,
    BlockSolver& solver, const size_t draws, const size_t limit,
    RandomStream& stream, const eT scale, InformationGradient<eT>* gradient)
{
  Setup(chain, first, end);
  const Group& last = groups[Last()];
  solver.Reserve(last.size);
  const bool enumerate = (draws == 0);
  const size_t count = enumerate ? Enumerable(limit) : draws;
  if (!enumerate)
  {
    // Group 0 needs its scores before mean-field rounds can start.
    Incoming(chain, 0, Images());
    MeanField(chain);
  }

  // Among draws the identity comes last, after `count` paths.
  const size_t total = enumerate ? count : count + 1;
  paths.resize(std::max(paths.size(), total));
  images.resize(std::max(images.size(), total * units));
  signs.resize(std::max(signs.size(), total * units));
  for (size_t j = 0; j < total; ++j)
  {
    const bool isIdentity = !enumerate && j == count;
    Path& path = paths[j];
    if (enumerate)
      Enumerate(j);
    else if (isIdentity)
      Identity(j);
    path.logWeight = (enumerate || isIdentity) ?
        Given(chain, At(j), !enumerate) :
        Draw(chain, At(j), stream);
    path.logWeight += 0.5 * squares;
    if (!(path.logWeight > -std::numeric_limits<double>::infinity()))
      continue;

    // A permanent that is known exactly need not be computed twice.
    const size_t same = SameInner(j);
    if (same < j)
    {
      path.inner = paths[same].inner;
      path.innerOffset = paths[same].innerOffset;
    }
    else
      Inner(chain, At(j), solver, stream, path);
    path.logWeight += path.innerOffset +
        (isIdentity ? path.inner.high : path.inner.low);
  }

  const InformationEstimate estimate = Estimate(count, enumerate);
  if (gradient && logAll > -std::numeric_limits<double>::infinity())
  {
    matchingGradient.Reserve(last.size, last.orbits.Signed());
    AddOwn(chain, scale, *gradient);
    for (size_t j = 0; j < count; ++j)
    {
      const double share = std::exp(paths[j].logWeight - logAll);
      if (share > negligibleShare)
        AddPath(chain, At(j), solver, paths[j], share, scale, *gradient);
    }
  }
  return estimate;
}

template class LayerwiseEngine<float>;
template class LayerwiseEngine<double>;

} // namespace information
} // namespace symvi
