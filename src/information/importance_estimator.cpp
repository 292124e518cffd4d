/**
 * @file src/information/importance_estimator.cpp
 */
#include <symvi/information/estimators.hpp>

#include "information/matching/chain_engine.hpp"
#include "information/permanent/importance_solver.hpp"

#include <tuple>

namespace symvi {

struct ImportanceEstimator::Memory
{
  information::ImportanceSolver solver;
  std::tuple<information::ChainEngine<float>, information::ChainEngine<double>>
      engines;
};

std::unique_ptr<InformationEstimator> ImportanceEstimator::Clone() const
{
  return std::make_unique<ImportanceEstimator>(*this);
}

template<typename eT>
InformationEstimate ImportanceEstimator::Run(const SymmetricChain<eT>& chain,
    RandomStream& stream, const eT scale, InformationGradient<eT>* gradient)
{
  Memory& w = memory.Get();
  w.solver.Draws() = permutations;
  w.solver.Tail() = tail;
  return std::get<information::ChainEngine<eT>>(w.engines).Run(chain,
      { Name(), pointwise, permutations, 0 }, w.solver, stream, scale,
      gradient);
}

InformationEstimate ImportanceEstimator::Evaluate(
    const SymmetricChain<float>& chain, RandomStream& stream)
{
  return Run<float>(chain, stream, float(0), nullptr);
}

InformationEstimate ImportanceEstimator::Evaluate(
    const SymmetricChain<double>& chain, RandomStream& stream)
{
  return Run<double>(chain, stream, double(0), nullptr);
}

InformationEstimate ImportanceEstimator::EvaluateWithGradient(
    const SymmetricChain<float>& chain, RandomStream& stream, const float scale,
    InformationGradient<float>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

InformationEstimate ImportanceEstimator::EvaluateWithGradient(
    const SymmetricChain<double>& chain, RandomStream& stream,
    const double scale, InformationGradient<double>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

} // namespace symvi
