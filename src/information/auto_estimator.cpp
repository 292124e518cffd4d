/**
 * @file src/information/auto_estimator.cpp
 */
#include <symvi/information/estimators.hpp>

#include "information/matching/chain_engine.hpp"
#include "information/matching/training_engine.hpp"
#include "information/permanent/auto_solver.hpp"

#include <tuple>

namespace symvi {

struct AutoEstimator::Memory
{
  information::AutoSolver solver;
  std::tuple<information::ChainEngine<float>, information::ChainEngine<double>>
      engines;
  std::tuple<information::TrainingEngine<float>,
      information::TrainingEngine<double>>
      training;
};

std::unique_ptr<InformationEstimator> AutoEstimator::Clone() const
{
  return std::make_unique<AutoEstimator>(*this);
}

template<typename eT>
InformationEstimate AutoEstimator::Report(const SymmetricChain<eT>& chain,
    RandomStream& stream)
{
  Memory& w = memory.Get();
  w.solver.Exact().Largest() = largest;
  w.solver.Importance().Draws() = permutations;
  w.solver.Importance().Tail() = tail;
  return std::get<information::ChainEngine<eT>>(w.engines).Run(chain,
      { Name(), pointwise, permutations, 0 }, w.solver, stream, eT(0), nullptr);
}

template<typename eT>
InformationEstimate AutoEstimator::Train(const SymmetricChain<eT>& chain,
    const double tolerance, const eT scale, InformationGradient<eT>* gradient)
{
  return std::get<information::TrainingEngine<eT>>(memory.Get().training)
      .Run(chain, tolerance, scale, gradient);
}

InformationEstimate AutoEstimator::Evaluate(const SymmetricChain<float>& chain,
    RandomStream& stream)
{
  return Report(chain, stream);
}

InformationEstimate AutoEstimator::Evaluate(const SymmetricChain<double>& chain,
    RandomStream& stream)
{
  return Report(chain, stream);
}

InformationEstimate AutoEstimator::EvaluateWithGradient(
    const SymmetricChain<float>& chain, RandomStream& /* stream */,
    const float scale, InformationGradient<float>& gradient)
{
  return Train(chain, gradient.tolerance, scale, &gradient);
}

InformationEstimate AutoEstimator::EvaluateWithGradient(
    const SymmetricChain<double>& chain, RandomStream& /* stream */,
    const double scale, InformationGradient<double>& gradient)
{
  return Train(chain, gradient.tolerance, scale, &gradient);
}

InformationEstimate AutoEstimator::TrainingValue(
    const SymmetricChain<float>& chain, RandomStream& /* stream */)
{
  return Train<float>(chain, 0.0, float(0), nullptr);
}

InformationEstimate AutoEstimator::TrainingValue(
    const SymmetricChain<double>& chain, RandomStream& /* stream */)
{
  return Train<double>(chain, 0.0, double(0), nullptr);
}

double AutoEstimator::Work(const SymmetricChain<float>& chain) const
{
  return information::TrainingEngine<float>::Work(chain);
}

double AutoEstimator::Work(const SymmetricChain<double>& chain) const
{
  return information::TrainingEngine<double>::Work(chain);
}

} // namespace symvi
