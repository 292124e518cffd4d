/**
 * @file information/auto_estimator.cpp
 */
#include <symvi/information/auto_estimator.hpp>

#include "information/matching/chain_engine.hpp"
#include "information/permanent/auto_solver.hpp"

#include <tuple>

namespace symvi {

struct AutoEstimator::Work
{
  information::AutoSolver solver;
  std::tuple<information::ChainEngine<float>,
      information::ChainEngine<double>> engines;
};

std::unique_ptr<InformationEstimator> AutoEstimator::Clone() const
{
  return std::make_unique<AutoEstimator>(*this);
}

template<typename eT>
InformationEstimate AutoEstimator::Run(const SymmetricChain<eT>& chain,
    RandomStream& stream, const eT scale, InformationGradient<eT>* gradient)
{
  Work& w = work.Get();
  w.solver.Exact().Largest() = largest;
  w.solver.Importance().Draws() = permutations;
  w.solver.Importance().Tail() = tail;
  return std::get<information::ChainEngine<eT>>(w.engines).Run(chain,
      { Name(), pointwise, permutations, 0 }, w.solver, stream, scale, gradient);
}

InformationEstimate AutoEstimator::Evaluate(
    const SymmetricChain<float>& chain, RandomStream& stream)
{
  return Run<float>(chain, stream, float(0), nullptr);
}

InformationEstimate AutoEstimator::Evaluate(
    const SymmetricChain<double>& chain, RandomStream& stream)
{
  return Run<double>(chain, stream, double(0), nullptr);
}

InformationEstimate AutoEstimator::EvaluateWithGradient(
    const SymmetricChain<float>& chain, RandomStream& stream, const float scale,
    InformationGradient<float>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

InformationEstimate AutoEstimator::EvaluateWithGradient(
    const SymmetricChain<double>& chain, RandomStream& stream, const double scale,
    InformationGradient<double>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

} // namespace symvi
