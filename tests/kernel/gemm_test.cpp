/**
 * @file tests/kernel/gemm_test.cpp
 *
 * Matrix products that threads share.
 */
#include "catch.hpp"

#include "layer/gemm.hpp"

#include <symvi/kernel/threads.hpp>

#include <limits>

using namespace symvi;

namespace {

//! op(A) op(B) + beta C with the given threads.
template<typename eT>
arma::Mat<eT> Shared(const bool transposeA, const bool transposeB,
    const arma::Mat<eT>& A, const arma::Mat<eT>& B, const eT beta,
    const arma::Mat<eT>& C, const size_t threads)
{
  SetThreads(threads);
  arma::Mat<eT> result = C;
  Gemm<eT>(transposeA, transposeB, C.n_rows, C.n_cols,
      transposeA ? A.n_rows : A.n_cols, A.memptr(), B.memptr(), beta,
      result.memptr());
  SetThreads(1);
  return result;
}

} // namespace

TEMPLATE_TEST_CASE("SharedProductsAreProducts", "[Gemm]", float, double)
{
  using Matrix = arma::Mat<TestType>;
  arma::arma_rng::set_seed(3);
  const size_t shapes[][3] = { { 1, 1, 1 }, { 30, 100, 784 }, { 200, 100, 300 },
    { 100, 201, 333 }, { 17, 1000, 400 } };
  for (const auto& [m, n, k] : shapes)
    for (const bool transposeA : { false, true })
      for (const bool transposeB : { false, true })
      {
        const Matrix A(transposeA ? k : m, transposeA ? m : k,
            arma::fill::randu);
        const Matrix B(transposeB ? n : k, transposeB ? k : n,
            arma::fill::randu);
        const Matrix C(m, n, arma::fill::randu);
        const Matrix left = transposeA ? Matrix(A.t()) : A;
        const Matrix right = transposeB ? Matrix(B.t()) : B;
        const Matrix expected = left * right + TestType(0.5) * C;
        // k products of at most 1 and their sum: k + 2 roundings of numbers up
        // to k + 1, on both sides.
        const double bound = 2.0 * double(k + 2) * double(k + 1) *
            double(std::numeric_limits<TestType>::epsilon());
        for (const size_t threads : { 1, 2, 5 })
        {
          CAPTURE(m, n, k, transposeA, transposeB, threads);
          const Matrix result = Shared<TestType>(transposeA, transposeB, A, B,
              TestType(0.5), C, threads);
          REQUIRE(double(arma::abs(result - expected).max()) <= bound);
        }
      }
}

TEST_CASE("ProductsLeaveTheThreadsOfBlas", "[Gemm]")
{
  SetThreads(2);
  const int before = kernel::BlasThreads();
  {
    const kernel::OneBlasThread alone;
    REQUIRE(kernel::BlasThreads() <= 1);
  }
  REQUIRE(kernel::BlasThreads() == before);
  SetThreads(1);
}
