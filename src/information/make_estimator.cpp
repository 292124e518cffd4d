/**
 * @file src/information/make_estimator.cpp
 */
#include <symvi/information/estimator.hpp>
#include <symvi/require.hpp>

#include <symvi/information/estimators.hpp>

namespace symvi {

std::vector<std::string> EstimatorNames()
{
  return { "auto", "uniform", "exact", "importance" };
}

std::unique_ptr<InformationEstimator> MakeEstimator(const std::string& name,
    const size_t permutations)
{
  if (name == "auto")
    return std::make_unique<AutoEstimator>(permutations);
  if (name == "uniform")
    return std::make_unique<UniformEstimator>(permutations);
  if (name == "exact")
    return std::make_unique<ExactEstimator>();
  if (name == "importance")
    return std::make_unique<ImportanceEstimator>(permutations);
  std::string list;
  for (const std::string& known : EstimatorNames())
    list += (list.empty() ? "'" : ", '") + known + "'";
  Refuse("MakeEstimator", "the name of the estimator must be one of " + list,
      "is " + ValueText(name));
}

size_t EstimatorPermutations(const InformationEstimator& estimator)
{
  if (const auto* e = dynamic_cast<const AutoEstimator*>(&estimator))
    return e->Permutations();
  if (const auto* e = dynamic_cast<const UniformEstimator*>(&estimator))
    return e->Permutations();
  if (const auto* e = dynamic_cast<const ImportanceEstimator*>(&estimator))
    return e->Permutations();
  return 0;
}

} // namespace symvi
