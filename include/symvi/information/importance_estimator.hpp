/**
 * @file symvi/information/importance_estimator.hpp
 *
 * I(g; w) by importance sampling of permutations.
 */
#ifndef SYMVI_INFORMATION_IMPORTANCE_ESTIMATOR_HPP
#define SYMVI_INFORMATION_IMPORTANCE_ESTIMATOR_HPP

#include "estimator.hpp"

namespace symvi {

/**
 * K permutations from a proposal that finds the likely ones.  With omega the
 * importance weights,
 *
 *   lower = L_K = log d! + tr C - log 1/K (omega_id + sum_{j<K} omega_j)
 *   upper = U_K = log d! + tr C - log 1/K sum_{j<=K} omega_j
 *   E[L_K] <= I(g; w) <= E[U_K].
 *
 * (Where draws become unequal there are more of them, and the population with
 * the identity is drawn by itself; the inequalities are the same.)
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

} // namespace symvi

#endif
