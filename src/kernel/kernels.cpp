/**
 * @file kernels.cpp
 *
 * The passes over weights and the generator, compiled once.
 */
#include <symvi/kernel/mean_field.hpp>

namespace symvi {
namespace kernel {

SYMVI_MEAN_FIELD(, float)
SYMVI_MEAN_FIELD(, double)

} // namespace kernel

template void RandomStream::FillNormal<float>(float*, const size_t);
template void RandomStream::FillNormal<double>(double*, const size_t);

} // namespace symvi
