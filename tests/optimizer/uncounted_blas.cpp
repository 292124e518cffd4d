/**
 * @file tests/optimizer/uncounted_blas.cpp
 *
 * Stands between the program and the sgemm of BLAS, whose memory is its own
 * affair: OpenBLAS allocates in its kernels for small matrices on processors
 * with AVX-512.  The linker is told to --wrap=sgemm_.
 */
#include <cstddef>

extern "C" {

//! See allocation_counter.hpp.
void symvi_tests_pause_counting(bool pause);

// The arguments of Fortran's sgemm, with the lengths of both strings.
void __real_sgemm_(const void* opA, const void* opB, const void* m,
                   const void* n, const void* k, const void* alpha,
                   const void* a, const void* strideA, const void* b,
                   const void* strideB, const void* beta, void* c,
                   const void* strideC, size_t lengthA, size_t lengthB);

void __wrap_sgemm_(const void* opA, const void* opB, const void* m,
                   const void* n, const void* k, const void* alpha,
                   const void* a, const void* strideA, const void* b,
                   const void* strideB, const void* beta, void* c,
                   const void* strideC, size_t lengthA, size_t lengthB)
{
  symvi_tests_pause_counting(true);
  __real_sgemm_(opA, opB, m, n, k, alpha, a, strideA, b, strideB, beta, c,
      strideC, lengthA, lengthB);
  symvi_tests_pause_counting(false);
}

} // extern "C"
