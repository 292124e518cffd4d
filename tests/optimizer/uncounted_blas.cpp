/**
 * @file tests/optimizer/uncounted_blas.cpp
 *
 * Stands between the program and the products of BLAS, whose memory is their
 * own affair: OpenBLAS allocates in its kernels for small matrices on processors
 * with AVX-512.  The linker is told to --wrap=sgemm_ and --wrap=dgemm_.
 */
#include <cstddef>

extern "C" {

//! See allocation_counter.hpp.
void symvi_tests_pause_counting(bool pause);

// The arguments of Fortran's sgemm and dgemm, with the lengths of both strings.
#define SYMVI_UNCOUNTED_PRODUCT(NAME) \
  void __real_##NAME(const void* opA, const void* opB, const void* m, \
      const void* n, const void* k, const void* alpha, const void* a, \
      const void* strideA, const void* b, const void* strideB, \
      const void* beta, void* c, const void* strideC, size_t lengthA, \
      size_t lengthB); \
  void __wrap_##NAME(const void* opA, const void* opB, const void* m, \
      const void* n, const void* k, const void* alpha, const void* a, \
      const void* strideA, const void* b, const void* strideB, \
      const void* beta, void* c, const void* strideC, size_t lengthA, \
      size_t lengthB) \
  { \
    symvi_tests_pause_counting(true); \
    __real_##NAME(opA, opB, m, n, k, alpha, a, strideA, b, strideB, beta, c, \
        strideC, lengthA, lengthB); \
    symvi_tests_pause_counting(false); \
  }

SYMVI_UNCOUNTED_PRODUCT(sgemm_)
SYMVI_UNCOUNTED_PRODUCT(dgemm_)

} // extern "C"
