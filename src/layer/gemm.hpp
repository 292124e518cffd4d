/**
 * @file src/layer/gemm.hpp
 *
 * C = op(A) op(B) + beta C on raw column-major memory.
 *
 * Armadillo's expressions cannot add a product to a preset matrix without a
 * temporary; a layer that starts from its bias, or from the gradient of
 * I(g; w), needs exactly that.
 */
#ifndef SYMVI_SRC_LAYER_GEMM_HPP
#define SYMVI_SRC_LAYER_GEMM_HPP

#include <algorithm>
#include <armadillo>

#include "kernel/blas_threads.hpp"
#include "kernel/round_up.hpp"
#include "kernel/thread_pool.hpp"

namespace symvi {

//! A product to be computed: C (m x n) = op(A) op(B) + beta C.
template<typename eT>
struct GemmTask
{
  bool transposeA, transposeB;
  //! op(A) is m x k, op(B) is k x n; all are dense and without gaps.
  size_t m, n, k;
  const eT *A, *B;
  eT beta;
  eT* C;
};

//! A block of rows and columns of C.
template<typename eT>
inline void GemmBlock(const GemmTask<eT>& p, const size_t row,
    const size_t numRows, const size_t col, const size_t numCols)
{
  const char opA = p.transposeA ? 'T' : 'N';
  const char opB = p.transposeB ? 'T' : 'N';
  const arma::blas_int rows = arma::blas_int(numRows);
  const arma::blas_int cols = arma::blas_int(numCols);
  const arma::blas_int inner = arma::blas_int(p.k);
  const arma::blas_int strideA = arma::blas_int(p.transposeA ? p.k : p.m);
  const arma::blas_int strideB = arma::blas_int(p.transposeB ? p.n : p.k);
  const arma::blas_int strideC = arma::blas_int(p.m);
  const eT one = eT(1);
  arma::blas::gemm<eT>(&opA, &opB, &rows, &cols, &inner, &one,
      p.A + row * (p.transposeA ? p.k : 1), &strideA,
      p.B + col * (p.transposeB ? 1 : p.k), &strideB, &p.beta,
      p.C + row + col * p.m, &strideC);
}

/**
 * The threads of the pool share the longer side of C.  A part has at least two
 * million multiplications, below which waking a thread costs as much as it
 * saves, and begins at a multiple of 16, where the kernels of BLAS begin a
 * block.
 */
template<typename eT>
inline void SharedGemm(const GemmTask<eT>& p)
{
  kernel::ThreadPool& pool = kernel::ThreadPool::Instance();
  const size_t length = std::max(p.m, p.n);
  const double multiplications = double(p.m) * double(p.n) * double(p.k);
  const size_t parts = std::min(
      { pool.Size(), size_t(multiplications / 2e6), length / 16 });
  const kernel::OneBlasThread alone;
  if (parts < 2)
    return GemmBlock(p, 0, p.m, 0, p.n);

  const size_t step = kernel::RoundUp(length / parts, 16);
  pool.Run((length + step - 1) / step,
      [&](const size_t part)
      {
    const size_t begin = part * step;
    const size_t count = std::min(step, length - begin);
    if (p.m >= p.n)
      GemmBlock(p, begin, count, 0, p.n);
    else
      GemmBlock(p, 0, p.m, begin, count);
  });
}

/**
 * C (m x n) = op(A) op(B) + beta C, where op(A) is m x k and op(B) is k x n.
 * All matrices are dense and without gaps.  After SetThreads() with more than
 * one, symvi's threads share large products, and small ones take one thread.
 */
template<typename eT>
inline void Gemm(const bool transposeA, const bool transposeB, const size_t m,
    const size_t n, const size_t k, const eT* A, const eT* B, const eT beta,
    eT* C)
{
  if (m == 0 || n == 0)
    return;
  const GemmTask<eT> task = { transposeA, transposeB, m, n, k, A, B, beta, C };
  if (kernel::ThreadPool::Instance().Size() > 1)
    SharedGemm(task);
  else
    GemmBlock(task, 0, m, 0, n);
}

} // namespace symvi

#endif
