/**
 * @file symvi/information/auto_estimator.hpp
 *
 * The default estimator of I(g; w).
 */
#ifndef SYMVI_INFORMATION_AUTO_ESTIMATOR_HPP
#define SYMVI_INFORMATION_AUTO_ESTIMATOR_HPP

#include "estimator.hpp"

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

} // namespace symvi

#endif
