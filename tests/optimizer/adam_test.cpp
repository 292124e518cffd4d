/**
 * @file tests/optimizer/adam_test.cpp
 *
 * symvi::Adam against ens::Adam.
 */
#include "catch.hpp"

#include <armadillo>

#include <symvi/optimizer/adam.hpp>

#include <cmath>
#include <limits>

#include "kernel/sqrt_array.hpp"

namespace {

/**
 * sum_i of |a_i . x - b_i|^2 / 2 with columns a_i: a separable function whose
 * gradients are all over the place in size.
 */
template<typename MatType>
struct LeastSquares
{
  using eT = typename MatType::elem_type;

  LeastSquares(const size_t size, const size_t points)
  {
    arma::arma_rng::set_seed(11);
    a = arma::conv_to<MatType>::from(
        arma::mat(size, points, arma::fill::randn));
    a.each_col() %= arma::conv_to<MatType>::from(
        arma::vec(arma::logspace(-3, 2, size)));
    b = arma::conv_to<MatType>::from(arma::mat(1, points, arma::fill::randn));
  }

  eT Evaluate(const MatType& x, const size_t begin, const size_t batchSize)
  {
    MatType gradient;
    return EvaluateWithGradient(x, begin, gradient, batchSize);
  }

  template<typename GradType>
  eT EvaluateWithGradient(const MatType& x, const size_t begin,
      GradType& gradient, const size_t batchSize)
  {
    const MatType batch = a.cols(begin, begin + batchSize - 1);
    const MatType error = x.t() * batch - b.cols(begin, begin + batchSize - 1);
    gradient = batch * error.t();
    return arma::accu(error % error) / 2;
  }

  template<typename GradType>
  void Gradient(const MatType& x, const size_t begin, GradType& gradient,
      const size_t batchSize)
  {
    EvaluateWithGradient(x, begin, gradient, batchSize);
  }

  void Shuffle() { }
  size_t NumFunctions() const { return a.n_cols; }

  MatType a, b;
};

template<typename MatType>
void CheckSameIterates(const size_t size)
{
  LeastSquares<MatType> function(size, 40);
  MatType x(size, 1, arma::fill::ones), y(size, 1, arma::fill::ones);
  ens::Adam reference(0.02, 7, 0.8, 0.95, 1e-6, 40 * 25, -1.0, true, false);
  symvi::Adam fused(0.02, 7, 0.8, 0.95, 1e-6, 40 * 25, -1.0, true, false);
  // Twice: the moments are kept between the runs.
  for (int run = 0; run < 2; ++run)
  {
    reference.Optimize(function, x);
    fused.Optimize(function, y);
#if defined(__FMA__)
    // Contractions differ; the roundings then feed back over all the steps.
    const double eps =
        std::numeric_limits<typename MatType::elem_type>::epsilon();
    REQUIRE(arma::abs(x - y).max() <= 1e4 * eps);
#else
    REQUIRE(arma::all(arma::vectorise(x == y)));
#endif
  }
}

} // namespace

TEMPLATE_TEST_CASE("AdamIteratesEqual", "[Adam]", arma::mat, arma::fmat)
{
  for (const size_t size : { 1, 5, 255, 256, 257, 1000 })
    CheckSameIterates<TestType>(size);
}

TEST_CASE("AdamHasTheInterfaceOfEnsAdam", "[Adam]")
{
  symvi::Adam adam(0.1, 3, 0.5, 0.6, 1e-3, 77, 1e-2, false, false, true);
  REQUIRE(adam.StepSize() == 0.1);
  REQUIRE(adam.BatchSize() == 3);
  REQUIRE(adam.Beta1() == 0.5);
  REQUIRE(adam.Beta2() == 0.6);
  REQUIRE(adam.Epsilon() == 1e-3);
  REQUIRE(adam.MaxIterations() == 77);
  REQUIRE(adam.Tolerance() == 1e-2);
  REQUIRE(!adam.Shuffle());
  REQUIRE(!adam.ResetPolicy());
  REQUIRE(adam.ExactObjective());
}

TEMPLATE_TEST_CASE("SqrtArrayRoundsCorrectly", "[Adam]", float, double)
{
  for (const size_t n : { 0, 1, 7, 8, 9, 100 })
  {
    std::vector<TestType> x(n), y(n);
    for (size_t i = 0; i < n; ++i)
      x[i] = TestType(i) * TestType(0.37);
    symvi::kernel::SqrtArray(x.data(), y.data(), n);
    for (size_t i = 0; i < n; ++i)
      REQUIRE(y[i] == std::sqrt(x[i]));
  }
}
