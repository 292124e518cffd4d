/**
 * @file symvi/entropy/any_estimator.hpp
 *
 * An estimator of I(g; w) chosen by name at run time.
 */
#ifndef SYMVI_ENTROPY_ANY_ESTIMATOR_HPP
#define SYMVI_ENTROPY_ANY_ESTIMATOR_HPP

#include "auto_estimator.hpp"
#include "bethe_estimator.hpp"
#include "exact_estimator.hpp"
#include "importance_estimator.hpp"
#include "soules_estimator.hpp"
#include "uniform_estimator.hpp"

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace symvi {

/**
 * One of the estimators, chosen by name: "auto" (the default), "uniform",
 * "exact", "importance", "soules" or "bethe".  An estimator that is already set
 * up can be given as well, with all its switches.
 */
class AnyEstimator
{
 public:
  using Choice = std::variant<AutoEstimator, UniformEstimator, ExactEstimator,
      ImportanceEstimator, SoulesEstimator, BetheEstimator>;

  /**
   * @param name Name of the estimator; see Names().
   * @param permutations K.
   */
  explicit AnyEstimator(const std::string& name = "auto",
                        const size_t permutations = 20)
  {
    Select(name);
    Permutations() = permutations;
  }

  //! Use the given estimator.
  template<typename EstimatorType, typename = std::enable_if_t<
      std::is_constructible_v<Choice, EstimatorType> &&
      !std::is_convertible_v<EstimatorType, std::string>>>
  AnyEstimator(const EstimatorType& estimator) : choice(estimator) { }

  //! The names that Select() knows.
  static std::vector<std::string> Names() { return Names<0>(); }

  //! Change the estimator, keeping K.
  void Select(const std::string& name)
  {
    const size_t k = Permutations();
    if (!Find<0>(name))
      throw std::invalid_argument("AnyEstimator: the name of the estimator "
          "must be one of " + List() + ", but is '" + name + "'.");
    Permutations() = k;
  }

  //! The name of the estimator in use.
  const char* Name() const
  {
    return std::visit([](const auto& e) { return e.Name(); }, choice);
  }

  //! K, the number of permutations.
  size_t Permutations() const
  {
    return std::visit([](const auto& e) { return e.Permutations(); }, choice);
  }

  //! Modify K.
  size_t& Permutations()
  {
    return std::visit([](auto& e) -> size_t& { return e.Permutations(); },
        choice);
  }

  //! The estimator itself if it is of the given type, else a null pointer.
  template<typename EstimatorType>
  EstimatorType* As() { return std::get_if<EstimatorType>(&choice); }

  //! The estimate for the draw that the chain holds.
  template<typename eT>
  InformationEstimate Evaluate(const SymmetricChain<eT>& chain,
                               RandomStream& stream);

  //! The estimate, and scale times its gradient added to `gradient`.
  template<typename eT>
  InformationEstimate EvaluateWithGradient(const SymmetricChain<eT>& chain,
                                           RandomStream& stream,
                                           const eT scale,
                                           InformationGradient<eT>& gradient);

 private:
  template<size_t i>
  bool Find(const std::string& name)
  {
    if constexpr (i < std::variant_size_v<Choice>)
    {
      std::variant_alternative_t<i, Choice> candidate;
      if (name != candidate.Name())
        return Find<i + 1>(name);
      choice = candidate;
      return true;
    }
    else
      return false;
  }

  template<size_t i>
  static std::vector<std::string> Names()
  {
    if constexpr (i < std::variant_size_v<Choice>)
    {
      std::vector<std::string> rest = Names<i + 1>();
      rest.insert(rest.begin(),
          std::variant_alternative_t<i, Choice>().Name());
      return rest;
    }
    else
      return { };
  }

  static std::string List()
  {
    std::string list;
    for (const std::string& name : Names())
      list += (list.empty() ? "'" : ", '") + name + "'";
    return list;
  }

  Choice choice;
};

// Not inline, so that programs that link the compiled library do not compile
// every estimator again.
template<typename eT>
InformationEstimate AnyEstimator::Evaluate(const SymmetricChain<eT>& chain,
                                           RandomStream& stream)
{
  return std::visit([&](auto& e) { return e.Evaluate(chain, stream); },
      choice);
}

template<typename eT>
InformationEstimate AnyEstimator::EvaluateWithGradient(
    const SymmetricChain<eT>& chain,
    RandomStream& stream,
    const eT scale,
    InformationGradient<eT>& gradient)
{
  return std::visit([&](auto& e)
      { return e.EvaluateWithGradient(chain, stream, scale, gradient); },
      choice);
}

#ifdef SYMVI_COMPILED
  #define SYMVI_ANY_ESTIMATOR(prefix, eT) \
      prefix template InformationEstimate AnyEstimator::Evaluate<eT>( \
          const SymmetricChain<eT>&, RandomStream&); \
      prefix template InformationEstimate \
          AnyEstimator::EvaluateWithGradient<eT>(const SymmetricChain<eT>&, \
          RandomStream&, const eT, InformationGradient<eT>&);
  SYMVI_ANY_ESTIMATOR(extern, float)
  SYMVI_ANY_ESTIMATOR(extern, double)
#endif

} // namespace symvi

#endif
