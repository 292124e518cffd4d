/**
 * @file symvi/information/estimator.hpp
 *
 * What an estimator of I(g; w) is, and estimators by name.
 */
#ifndef SYMVI_INFORMATION_ESTIMATOR_HPP
#define SYMVI_INFORMATION_ESTIMATOR_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

#include <memory>
#include <string>
#include <vector>

namespace symvi {

/**
 * An estimate, from one draw w of q, of
 *
 *   I(g; w) = H(q^G) - H(q) = E_q [ log q(w) - log q^G(w) ],
 *   q^G(w) = 1/|G| sum_g q(g^-1 w)                      [Gelberg2024, Sec. 3]
 *
 * in nats.  E_q of `value` estimates (or bounds, see the estimator) I(g; w).
 */
struct InformationEstimate
{
  //! The number that training and reports use.
  double value = 0.0;
  //! A number whose expectation is at most I(g; w); -infinity if unknown.
  double lower = 0.0;
  //! A number whose expectation is at least I(g; w); infinity if unknown.
  double upper = 0.0;
  //! Whether value is log q(w) - log q^G(w) itself, up to rounding.
  bool exact = true;

  //! Independent parts of a network add up.
  InformationEstimate& operator+=(const InformationEstimate& part)
  {
    value += part.value;
    lower += part.lower;
    upper += part.upper;
    exact &= part.exact;
    return *this;
  }
};

/**
 * Where the gradient of an estimate goes: one array per layer of the chain, in
 * the layout of PosteriorView.  Arrays are added to; the caller zeroes them.
 *
 *   path  += scale * dI/dw     at fixed mu and sigma,
 *   mu    += scale * dI/dmu    at fixed w and sigma,
 *   sigma += scale * dI/dsigma at fixed w and mu.
 *
 * With w = mu + sigma % eps the derivative by mu is path + mu, and that by
 * sigma is path % eps + sigma.  E_q of the terms `mu` and `sigma` is zero (they
 * are a score), and leaving them out makes the gradient less noisy: empty
 * vectors mean just that, the path-only gradient.
 */
template<typename eT>
struct InformationGradient
{
  std::vector<eT*> path;
  std::vector<eT*> mu;
  std::vector<eT*> sigma;
  //! Set by the estimator, one entry per layer: false where it added nothing.
  std::vector<bool> touched;
  //! Set by the caller: how far an estimator that iterates may stop from
  //! convergence (as a relative error of its marginals).  0 asks for the
  //! derivative of the value to rounding.
  double tolerance = 0.0;
};

/**
 * Estimates I(g; w) of a chain from one draw.  Derive from it to train with an
 * estimator of your own; docs/estimators.md shows one.
 *
 *  - EvaluateWithGradient() is what training uses.  TrainingValue() is the same
 *    value without the gradient: for the same state of the stream both give the
 *    same number and leave the stream in the same state.
 *  - Evaluate() is what reports use.  It is the same number as well, unless the
 *    estimator trains with a cheaper one (see AutoEstimator).
 *  - An estimator may hold working memory, so its members are not const; calls
 *    for a shape it has seen before allocate nothing.
 *  - Log-densities are accumulated in double whatever the element type is.
 *  - A chain whose sizes do not fit, or a hidden layer without units, is a
 *    std::invalid_argument.
 */
class InformationEstimator
{
 public:
  virtual ~InformationEstimator() = default;

  //! A copy with the same settings and working memory of its own.
  virtual std::unique_ptr<InformationEstimator> Clone() const = 0;

  //! The name, by which MakeEstimator() knows it.
  virtual const char* Name() const = 0;

  //! The estimate for the draw that the chain holds.
  virtual InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) = 0;
  virtual InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) = 0;

  //! The estimate, and scale times its gradient added to `gradient`.
  virtual InformationEstimate EvaluateWithGradient(
      const SymmetricChain<float>& chain, RandomStream& stream,
      const float scale, InformationGradient<float>& gradient) = 0;
  virtual InformationEstimate EvaluateWithGradient(
      const SymmetricChain<double>& chain, RandomStream& stream,
      const double scale, InformationGradient<double>& gradient) = 0;

  //! What EvaluateWithGradient() returns with a tolerance of 0.
  virtual InformationEstimate TrainingValue(const SymmetricChain<float>& chain,
      RandomStream& stream)
  {
    return Evaluate(chain, stream);
  }
  virtual InformationEstimate TrainingValue(const SymmetricChain<double>& chain,
      RandomStream& stream)
  {
    return Evaluate(chain, stream);
  }

  //! The approximate number of multiplications of a gradient if all units
  //! overlap, from the sizes of the layers, by which objectives choose how
  //! often to compute it; 0 (the default) for every step.
  virtual double Work(const SymmetricChain<float>& /* chain */) const
  {
    return 0.0;
  }
  virtual double Work(const SymmetricChain<double>& /* chain */) const
  {
    return 0.0;
  }
};

/**
 * Owns an estimator, or none.  A copy owns a clone:
 *
 * @code
 * model.Estimator() = symvi::ExactEstimator();
 * model.Estimator() = symvi::MakeEstimator("importance", 50);
 * @endcode
 */
class EstimatorPtr
{
 public:
  //! No estimator.
  EstimatorPtr(std::nullptr_t = nullptr) { }
  //! A clone of the given estimator.
  EstimatorPtr(const InformationEstimator& estimator) :
      estimator(estimator.Clone())
  { }
  //! The given estimator.
  EstimatorPtr(std::unique_ptr<InformationEstimator> estimator) :
      estimator(std::move(estimator))
  { }

  EstimatorPtr(const EstimatorPtr& other) :
      estimator(other.estimator ? other.estimator->Clone() : nullptr)
  { }
  EstimatorPtr(EstimatorPtr&& other) = default;
  EstimatorPtr& operator=(EstimatorPtr other)
  {
    estimator = std::move(other.estimator);
    return *this;
  }

  //! Whether there is an estimator.
  explicit operator bool() const { return bool(estimator); }

  InformationEstimator& operator*() const { return *estimator; }
  InformationEstimator* operator->() const { return estimator.get(); }

  //! The estimator if it is of the given type, else a null pointer.
  template<typename EstimatorType>
  EstimatorType* As() const
  {
    return dynamic_cast<EstimatorType*>(estimator.get());
  }

 private:
  std::unique_ptr<InformationEstimator> estimator;
};

namespace information {

/**
 * The working memory of an estimator, defined in its own source file.  Made
 * when it is first asked for; a copy begins without any.
 */
template<typename WorkType>
class WorkingMemory
{
 public:
  WorkingMemory() { }
  WorkingMemory(const WorkingMemory& /* other */) { }
  WorkingMemory& operator=(const WorkingMemory& /* other */) { return *this; }

  WorkType& Get()
  {
    if (!work)
      work = std::make_shared<WorkType>();
    return *work;
  }

 private:
  //! Of shared_ptr only for its deleter; nothing is shared.
  std::shared_ptr<WorkType> work;
};

} // namespace information

//! The names that MakeEstimator() knows, the default first.
std::vector<std::string> EstimatorNames();

/**
 * The estimator of the given name; std::invalid_argument if there is none.
 *
 * @param name One of EstimatorNames().
 * @param permutations K, for estimators that draw permutations.
 */
std::unique_ptr<InformationEstimator> MakeEstimator(
    const std::string& name = "auto", const size_t permutations = 20);

//! K of an estimator that draws permutations, else 0.
size_t EstimatorPermutations(const InformationEstimator& estimator);

} // namespace symvi

#endif
