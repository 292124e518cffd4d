/**
 * @file src/information/matching/chain_engine.cpp
 */
#include "information/matching/chain_engine.hpp"

#include "information/deep/coupled_units.hpp"

#include <symvi/kernel/threads.hpp>

namespace symvi {
namespace information {

template<typename eT>
InformationEstimate ChainEngine<eT>::Run(const SymmetricChain<eT>& chain,
    const ChainSettings& settings, BlockSolver& solver, RandomStream& stream,
    const eT scale, InformationGradient<eT>* gradient)
{
  const kernel::FlushDenormals flush;
  CheckChain(chain, settings.name);
  if (gradient)
    ResetTouched(chain, *gradient);
  InformationEstimate sum;
  for (size_t h = 0; h < chain.hidden.size();)
  {
    const size_t end = EndOfRun(chain, h);
    sum += (end == h + 1) ? single.Run(chain, h, settings.pointwise, solver,
                                stream, scale, gradient) :
                            layerwise.Run(chain, h, end, solver, settings.draws,
                                settings.enumerations, stream, scale, gradient);
    h = end;
  }
  return sum;
}

template class ChainEngine<float>;
template class ChainEngine<double>;

} // namespace information
} // namespace symvi
