/**
 * @file symvi/information/estimators.hpp
 *
 * The estimators of I(g; w): the default one, exact permanents, importance
 * sampling of permutations, and the paper's uniform sampling.
 */
#ifndef SYMVI_INFORMATION_ESTIMATORS_HPP
#define SYMVI_INFORMATION_ESTIMATORS_HPP

#include <symvi/information/estimator.hpp>

namespace symvi {

/**
 * The default estimator: bounds for reports, a cheap gradient for training.
 *
 * Evaluate(): units that overlap are found first.  Groups of at most Largest()
 * of them are solved as by ExactEstimator, larger ones as by
 * ImportanceEstimator with K permutations; neighbouring hidden layers go layer
 * by layer.  value is *exact* if `exact` says so in the result, else a *lower
 * bound* in expectation; lower and upper are L_K and U_K.
 *
 * EvaluateWithGradient() and TrainingValue(): groups of at most 12 units
 * exactly; in larger ones the logarithm of the permanent is replaced by a
 * fractional free energy, whose derivative is a doubly stochastic matrix (see
 * docs/estimators.md).  For hidden layers that share no weight matrix lower and
 * upper bound I(w) at every draw.  Neighbouring hidden layers are matched in
 * turn, each given the other's matching (mean field); that value is an estimate
 * without bounds.  The gradient is the derivative of the value.
 */
class AutoEstimator final : public InformationEstimator
{
 public:
  //! @param permutations K, the number of permutations.
  explicit AutoEstimator(const size_t permutations = 20) :
      permutations(permutations)
  { }

  //! K, the number of permutations where sampling is needed (default 20).
  size_t Permutations() const { return permutations; }
  //! Modify K; at least 1.
  size_t& Permutations() { return permutations; }

  //! The largest group of overlapping units that is solved exactly (default
  //! 16).
  size_t Largest() const { return largest; }
  //! Modify the largest group that is solved exactly; at most 24.
  size_t& Largest() { return largest; }

  //! How many rows of a larger group are summed up exactly (default 8).
  size_t Tail() const { return tail; }
  //! Modify the number of rows that are summed up exactly; 1 to 24.
  size_t& Tail() { return tail; }

  //! Whether the draw alone decides which units can be confused (default
  //! false: the posterior is asked first).
  bool Pointwise() const { return pointwise; }
  //! Modify whether the draw alone decides.
  bool& Pointwise() { return pointwise; }

  std::unique_ptr<InformationEstimator> Clone() const override;
  //! "auto".
  const char* Name() const override { return "auto"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override;
  InformationEstimate TrainingValue(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate TrainingValue(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  double Work(const SymmetricChain<float>& chain) const override;
  double Work(const SymmetricChain<double>& chain) const override;

 private:
  struct Memory;

  template<typename eT>
  InformationEstimate Report(const SymmetricChain<eT>& chain,
      RandomStream& stream);
  template<typename eT>
  InformationEstimate Train(const SymmetricChain<eT>& chain,
      const double tolerance, const eT scale,
      InformationGradient<eT>* gradient);

  size_t permutations;
  size_t largest = 16;
  size_t tail = 8;
  bool pointwise = false;
  information::WorkingMemory<Memory> memory;
};

/**
 * I(w) = log q(w) - log q^G(w) itself: *exact*, neither a bound nor an
 * approximation.  Terms below exp(-40) of the largest are left out, and so are
 * permutations between units that the posterior alone keeps apart;
 * Pointwise() = true looks at those too, for weights not sampled from q.
 *
 *   one hidden layer:  I(w) = log d! + tr C - log perm(exp C),
 *   gradient:          dI/dC = Id - M,  M the matching marginals.
 *
 * Units that overlap are found first; a group of m of them takes O(m 2^m)
 * operations, whatever the width of the layer.  Groups of more than Largest()
 * units are refused with std::invalid_argument.  In deeper networks the
 * permutations of all hidden layers before the last of a run are enumerated, up
 * to Enumerations() of them.
 */
class ExactEstimator final : public InformationEstimator
{
 public:
  //! @param largest The largest group of overlapping units.
  explicit ExactEstimator(const size_t largest = 20) : largest(largest) { }

  //! The largest group of overlapping units (default 20, at most 24).
  size_t Largest() const { return largest; }
  //! Modify the largest group of overlapping units.
  size_t& Largest() { return largest; }

  //! The most permutations to enumerate in deeper networks (default 50000).
  size_t Enumerations() const { return enumerations; }
  //! Modify the most permutations to enumerate.
  size_t& Enumerations() { return enumerations; }

  //! Whether the draw alone decides which units can be confused (default
  //! false: the posterior is asked first).
  bool Pointwise() const { return pointwise; }
  //! Modify whether the draw alone decides.
  bool& Pointwise() { return pointwise; }

  std::unique_ptr<InformationEstimator> Clone() const override;
  //! "exact".
  const char* Name() const override { return "exact"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override;

 private:
  struct Memory;

  template<typename eT>
  InformationEstimate Run(const SymmetricChain<eT>& chain, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

  size_t largest;
  size_t enumerations = 50000;
  bool pointwise = false;
  information::WorkingMemory<Memory> memory;
};

/**
 * K permutations from a proposal that finds the likely ones.  With omega the
 * importance weights,
 *
 *   lower = L_K = log d! + tr C - log 1/K (omega_id + sum_{j<K} omega_j)
 *   upper = U_K = log d! + tr C - log 1/K sum_{j<=K} omega_j
 *   E[L_K] <= I(g; w) <= E[U_K].
 *
 * (Where draws become unequal there are more of them, and the population with
 * the identity is drawn separately; the inequalities are the same.)
 *
 * value is L_K: a *lower bound* in expectation.  The gradient uses the K draws
 * without the identity; it is a consistent estimate of that of I(g; w), with a
 * bias of order 1/K, and not the derivative of L_K.  Groups of at most Tail()
 * overlapping units come out exact.
 */
class ImportanceEstimator final : public InformationEstimator
{
 public:
  //! @param permutations K, the number of permutations.
  explicit ImportanceEstimator(const size_t permutations = 20) :
      permutations(permutations)
  { }

  //! K, the number of permutations (default 20).
  size_t Permutations() const { return permutations; }
  //! Modify K; at least 1.
  size_t& Permutations() { return permutations; }

  //! How many rows of a group of overlapping units are summed up exactly
  //! (default 8).
  size_t Tail() const { return tail; }
  //! Modify the number of rows that are summed up exactly; 1 to 24.
  size_t& Tail() { return tail; }

  //! Whether the draw alone decides which units can be confused (default
  //! false: the posterior is asked first).
  bool Pointwise() const { return pointwise; }
  //! Modify whether the draw alone decides.
  bool& Pointwise() { return pointwise; }

  std::unique_ptr<InformationEstimator> Clone() const override;
  //! "importance".
  const char* Name() const override { return "importance"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override;

 private:
  struct Memory;

  template<typename eT>
  InformationEstimate Run(const SymmetricChain<eT>& chain, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

  size_t permutations;
  size_t tail = 8;
  bool pointwise = false;
  information::WorkingMemory<Memory> memory;
};

/**
 * With g_1, ..., g_(K-1) uniform on G and w a draw of q,
 *
 *   I^K(w) = log q(w) - log 1/K ( q(w) + sum_j q(g_j^-1 w) ).
 *
 * E[I^K] is a *lower bound* of I(g; w): it is H^K - H(q) of the paper
 * [Gelberg2024, Eq. 8], it grows with K towards I(g; w), and it never exceeds
 * log K nor log|G|.  K = 1 gives exactly 0: plain mean-field inference.
 *
 * The gradient is that of I^K(w) at fixed permutations (softmax weights s_j of
 * the permuted log-densities, dI^K = -sum_j s_j dr_j).
 *
 * Three switches:
 *
 *  - Literal(): the paper prints -log(...) - H(q) with the closed-form entropy.
 *    It equals I^K(w) + 1/2 sum_i (eps_i^2 - 1): the same expectation, the same
 *    full gradient under the reparametrization trick, but a variance of D/2 for
 *    D weights, whatever K is.  The switch changes the value only.
 *  - EnumerateSmallGroups(): a group of at most K elements is summed up exactly
 *    instead of being sampled with replacement (for |G| = 2 and K = 2 drawing
 *    gives half of I).  On by default; off is the paper's estimator to the
 *    letter.  Groups of more than K elements are not affected.
 *  - Pointwise(): permutations that the posterior alone proves negligible are
 *    left out before the draw is looked at (less than 1e-15 nats in
 *    expectation).  Switch it on for weights not sampled from q.
 */
class UniformEstimator final : public InformationEstimator
{
 public:
  /**
   * @param permutations K, the number of group elements, the identity included.
   */
  explicit UniformEstimator(const size_t permutations = 20) :
      permutations(permutations)
  { }

  //! K, the number of group elements in the mixture, the identity included.
  size_t Permutations() const { return permutations; }
  //! Modify K; at least 1.
  size_t& Permutations() { return permutations; }

  //! Whether the value is the paper's, with the closed-form entropy of q.
  bool Literal() const { return literal; }
  //! Modify whether the value is the paper's.
  bool& Literal() { return literal; }

  //! Whether groups of at most K elements are enumerated.
  bool EnumerateSmallGroups() const { return enumerate; }
  //! Modify whether small groups are enumerated.
  bool& EnumerateSmallGroups() { return enumerate; }

  //! Whether every permutation is evaluated at the draw.
  bool Pointwise() const { return pointwise; }
  //! Modify whether every permutation is evaluated.
  bool& Pointwise() { return pointwise; }

  std::unique_ptr<InformationEstimator> Clone() const override;
  //! "uniform".
  const char* Name() const override { return "uniform"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override;

 private:
  struct Memory;

  template<typename eT>
  InformationEstimate Run(const SymmetricChain<eT>& chain, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

  size_t permutations;
  bool literal = false;
  bool enumerate = true;
  bool pointwise = false;
  information::WorkingMemory<Memory> memory;
};

} // namespace symvi

#endif
