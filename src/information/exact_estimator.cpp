/**
 * @file src/information/exact_estimator.cpp
 */
#include <symvi/information/estimators.hpp>

#include "information/matching/chain_engine.hpp"
#include "information/permanent/exact_solver.hpp"

#include <tuple>

namespace symvi {

struct ExactEstimator::Memory
{
  information::ExactSolver solver;
  std::tuple<information::ChainEngine<float>, information::ChainEngine<double>>
      engines;
};

std::unique_ptr<InformationEstimator> ExactEstimator::Clone() const
{
  return std::make_unique<ExactEstimator>(*this);
}

template<typename eT>
InformationEstimate ExactEstimator::Run(const SymmetricChain<eT>& chain,
    RandomStream& stream, const eT scale, InformationGradient<eT>* gradient)
{
  Memory& w = memory.Get();
  w.solver.Largest() = largest;
  return std::get<information::ChainEngine<eT>>(w.engines).Run(chain,
      { Name(), pointwise, 0, enumerations }, w.solver, stream, scale,
      gradient);
}

InformationEstimate ExactEstimator::Evaluate(const SymmetricChain<float>& chain,
    RandomStream& stream)
{
  return Run<float>(chain, stream, float(0), nullptr);
}

InformationEstimate ExactEstimator::Evaluate(
    const SymmetricChain<double>& chain, RandomStream& stream)
{
  return Run<double>(chain, stream, double(0), nullptr);
}

InformationEstimate ExactEstimator::EvaluateWithGradient(
    const SymmetricChain<float>& chain, RandomStream& stream, const float scale,
    InformationGradient<float>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

InformationEstimate ExactEstimator::EvaluateWithGradient(
    const SymmetricChain<double>& chain, RandomStream& stream,
    const double scale, InformationGradient<double>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

} // namespace symvi
