/**
 * @file symvi/information/any_estimator.hpp
 *
 * An estimator of I(g; w) chosen by name at run time.
 */
#ifndef SYMVI_INFORMATION_ANY_ESTIMATOR_HPP
#define SYMVI_INFORMATION_ANY_ESTIMATOR_HPP

#include "erased_estimator.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace symvi {

/**
 * One of the estimators, chosen by name: "auto" (the default), "uniform",
 * "exact", "importance", "soules" or "bethe".  An estimator that is already set
 * up can be given as well, with all its switches, and so can a user's own.
 *
 * The estimator stands behind a virtual call, so that programs that link the
 * compiled library need not compile all of them, and others only do if they
 * name one: a program that leaves it at the default, or gives an estimator, is
 * spared the rest.
 */
class AnyEstimator
{
 public:
  //! The default, "auto" with K = 20.
  AnyEstimator() : choice(information::MakeDefaultEstimator()) { }

  /**
   * @param name Name of the estimator; see Names().
   * @param permutations K.
   */
  template<typename NameType, typename = std::enable_if_t<
      std::is_convertible_v<NameType, std::string>>>
  explicit AnyEstimator(const NameType& name,
                        const size_t permutations = 20) :
      choice(Make<std::string>(name))
  {
    choice->Permutations() = permutations;
  }

  //! Use the given estimator, of any type that fulfils the contract.
  template<typename EstimatorType, std::enable_if_t<
      !std::is_same_v<std::decay_t<EstimatorType>, AnyEstimator> &&
      !std::is_convertible_v<EstimatorType, std::string>, int> = 0>
  AnyEstimator(const EstimatorType& estimator) :
      choice(std::make_unique<information::EstimatorHolder<EstimatorType>>(
          estimator))
  { }

  //! A copy has working memory of its own.
  AnyEstimator(const AnyEstimator& other) : choice(other.choice->Clone()) { }
  AnyEstimator& operator=(const AnyEstimator& other)
  {
    choice = other.choice->Clone();
    return *this;
  }

  //! The names that Select() knows.
  static std::vector<std::string> Names() { return information::EstimatorNames(); }

  //! Change the estimator, keeping K.
  template<typename NameType = std::string>
  void Select(const NameType& name)
  {
    std::unique_ptr<information::ErasedEstimator> next = Make<std::string>(name);
    next->Permutations() = Permutations();
    choice = std::move(next);
  }

  //! The name of the estimator in use.
  const char* Name() const { return choice->Name(); }

  //! K, the number of permutations.
  size_t Permutations() const { return choice->Permutations(); }
  //! Modify K.
  size_t& Permutations() { return choice->Permutations(); }

  //! The estimator itself if it is of the given type, else a null pointer.
  template<typename EstimatorType>
  EstimatorType* As()
  {
    return (choice->Type() == typeid(EstimatorType)) ?
        static_cast<EstimatorType*>(choice->Get()) : nullptr;
  }

  //! The estimate for the draw that the chain holds.
  template<typename eT>
  InformationEstimate Evaluate(const SymmetricChain<eT>& chain,
                               RandomStream& stream)
  {
    information::TypedEstimator* typed = choice->Typed();
    return typed ? typed->Evaluate(chain, stream) :
        information::EvaluateDefault(Default(), chain, stream);
  }

  //! The estimate, and scale times its gradient added to `gradient`.
  template<typename eT>
  InformationEstimate EvaluateWithGradient(const SymmetricChain<eT>& chain,
                                           RandomStream& stream,
                                           const eT scale,
                                           InformationGradient<eT>& gradient)
  {
    information::TypedEstimator* typed = choice->Typed();
    return typed ?
        typed->EvaluateWithGradient(chain, stream, scale, gradient) :
        information::EvaluateDefaultWithGradient(Default(), chain, stream, scale,
            gradient);
  }

 private:
  //! The choice, if it has no TypedEstimator.
  AutoEstimator& Default()
  {
    return *static_cast<AutoEstimator*>(choice->Get());
  }

  template<typename StringType>
  static std::unique_ptr<information::ErasedEstimator> Make(
      const StringType& name)
  {
    std::unique_ptr<information::ErasedEstimator> made =
        information::MakeEstimator(name);
    if (made)
      return made;
    std::string list;
    for (const std::string& known : Names())
      list += (list.empty() ? "'" : ", '") + known + "'";
    throw std::invalid_argument("AnyEstimator: the name of the estimator must "
        "be one of " + list + ", but is '" + name + "'.");
  }

  std::unique_ptr<information::ErasedEstimator> choice;
};

} // namespace symvi

// With the compiled library, the estimators themselves are in src/core.
#ifndef SYMVI_COMPILED
  #include "make_estimator.hpp"
#endif

#endif
