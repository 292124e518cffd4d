/**
 * @file layer/gemm.hpp
 *
 * C = op(A) op(B) + beta C on raw column-major memory.
 *
 * Armadillo's expressions cannot add a product to a preset matrix without a
 * temporary; a layer that starts from its bias, or from the gradient of
 * I(g; w), needs exactly that.
 */
#ifndef SYMVI_LAYER_GEMM_HPP
#define SYMVI_LAYER_GEMM_HPP

#include <armadillo>

namespace symvi {

/**
 * C (m x n) = op(A) op(B) + beta C, where op(A) is m x k and op(B) is k x n.
 * All matrices are dense and without gaps.
 */
template<typename eT>
inline void Gemm(const bool transposeA,
                 const bool transposeB,
                 const size_t m,
                 const size_t n,
                 const size_t k,
                 const eT* A,
                 const eT* B,
                 const eT beta,
                 eT* C)
{
  if (m == 0 || n == 0)
    return;
  const char opA = transposeA ? 'T' : 'N';
  const char opB = transposeB ? 'T' : 'N';
  const arma::blas_int rows = arma::blas_int(m);
  const arma::blas_int cols = arma::blas_int(n);
  const arma::blas_int inner = arma::blas_int(k);
  const arma::blas_int strideA = transposeA ? inner : rows;
  const arma::blas_int strideB = transposeB ? cols : inner;
  const eT one = eT(1);
  arma::blas::gemm<eT>(&opA, &opB, &rows, &cols, &inner, &one, A, &strideA,
      B, &strideB, &beta, C, &rows);
}

} // namespace symvi

#endif
