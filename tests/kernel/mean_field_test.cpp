/**
 * @file tests/kernel/mean_field_test.cpp
 *
 * The fused passes against plain formulas in long double.
 */
#include "catch.hpp"

#include "kernel/mean_field.hpp"
#include "kernel/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace symvi;

namespace {

using Real = long double;

Real Softplus(const Real rho)
{
  return (rho > 0 ? rho : 0) + std::log1p(std::exp(-std::abs(rho)));
}

template<typename eT>
struct Problem
{
  Problem(const size_t n, const double range) :
      mu(n),
      rho(n),
      prior(n),
      sigma(n),
      slope(n),
      eps(n),
      w(n)
  {
    RandomStream stream(n);
    for (size_t i = 0; i < n; ++i)
    {
      mu[i] = eT(2 * stream.NextUniform() - 1);
      rho[i] = eT(range * (2 * stream.NextUniform() - 1));
      prior[i] = eT(2 * stream.NextUniform() - 1);
    }
  }

  double Draw(const bool useMean, const double s, RandomStream* stream)
  {
    return kernel::DrawAndKL(mu.data(), rho.data(),
        useMean ? prior.data() : nullptr, s, mu.size(), sigma.data(),
        slope.data(), eps.data(), w.data(), stream);
  }

  std::vector<eT> mu, rho, prior, sigma, slope, eps, w;
};

template<typename eT>
bool Near(const Real value, const Real expected, const Real tolerance)
{
  return std::abs(value - expected) <=
      tolerance * std::numeric_limits<eT>::epsilon() * std::abs(expected);
}

} // namespace

TEMPLATE_TEST_CASE("SoftplusAccuracy", "[MeanField]", float, double)
{
  Problem<TestType> p(20011, 40.0);
  RandomStream stream(1);
  p.Draw(false, 1.0, &stream);
  for (size_t i = 0; i < p.mu.size(); ++i)
  {
    const Real rho = p.rho[i];
    REQUIRE(Near<TestType>(p.sigma[i], Softplus(rho), 16));
    REQUIRE(Near<TestType>(p.slope[i], 1 / (1 + std::exp(-rho)), 16));
    const Real w = Real(p.mu[i]) + Real(p.sigma[i]) * Real(p.eps[i]);
    REQUIRE(std::abs(w - p.w[i]) <= std::numeric_limits<TestType>::epsilon() *
            (std::abs(w) + std::abs(Real(p.mu[i]))));
  }
}

TEMPLATE_TEST_CASE("SoftplusFarOutside", "[MeanField]", float, double)
{
  Problem<TestType> p(8, 1.0);
  p.rho = { -1e30f, -1e4f, -800, -90, 90, 800, 1e4f, 1e30f };
  RandomStream stream(1);
  p.Draw(false, 1.0, &stream);
  for (size_t i = 0; i < 8; ++i)
  {
    REQUIRE((p.sigma[i] > 0 && std::isfinite(p.sigma[i])));
    REQUIRE((p.slope[i] > 0 && p.slope[i] <= 1));
    if (i >= 4)
    {
      REQUIRE(p.sigma[i] == p.rho[i]);
      REQUIRE(p.slope[i] == TestType(1));
    }
  }
}

TEMPLATE_TEST_CASE("NaNStaysNaN", "[MeanField]", float, double)
{
  const TestType nan = std::numeric_limits<TestType>::quiet_NaN();
  REQUIRE(std::isnan(kernel::ExpMinusAbs(nan)));
  TestType sigma, slope;
  kernel::Softplus(nan, kernel::ExpMinusAbs(nan), sigma, slope);
  REQUIRE(std::isnan(sigma));
  REQUIRE(std::isnan(slope));
}

TEMPLATE_TEST_CASE("DrawUsesTheStream", "[MeanField]", float, double)
{
  for (const size_t n : { 0, 1, 5, 63, 64, 65, 1000 })
  {
    Problem<TestType> p(n, 5.0);
    RandomStream stream(9), copy(9);
    p.Draw(false, 1.0, &stream);
    std::vector<TestType> z(n);
    copy.FillNormal(z.data(), n);
    REQUIRE(p.eps == z);
    REQUIRE(stream.Counter() == copy.Counter());

    // Given noise is used as it is, and gives the same draw.
    const std::vector<TestType> w = p.w;
    p.Draw(false, 1.0, nullptr);
    REQUIRE(p.eps == z);
    REQUIRE(p.w == w);
  }
}

TEMPLATE_TEST_CASE("KLMatchesClosedForm", "[MeanField]", float, double)
{
  for (const size_t n : { 0, 1, 5, 64, 1000, 23550 })
  {
    for (const bool useMean : { false, true })
    {
      const double s = 0.7;
      Problem<TestType> p(n, 20.0);
      Real kl = 0, size = 0;
      for (size_t i = 0; i < n; ++i)
      {
        const Real sigma = Softplus(p.rho[i]);
        const Real d = Real(p.mu[i]) - (useMean ? Real(p.prior[i]) : 0);
        const Real term = (sigma * sigma + d * d) / (2 * s * s);
        kl += std::log(s / sigma) + term - 0.5;
        size += std::abs(std::log(s / sigma)) + term + 0.5;
      }
      // Roundings of the terms, and a random walk of roundings of the sum,
      // relative to the sum of the terms' sizes.
      const Real bound = std::numeric_limits<TestType>::epsilon() * size *
          (8 + std::sqrt(Real(n)));
      RandomStream stream(2);
      REQUIRE(std::abs(p.Draw(useMean, s, &stream) - kl) <= bound);
      REQUIRE(std::abs(kernel::KL(p.mu.data(), p.rho.data(),
                           useMean ? p.prior.data() : nullptr, s, n) -
                  kl) <= bound);
    }
  }
}

TEMPLATE_TEST_CASE("GradientMatchesFormula", "[MeanField]", float, double)
{
  for (const size_t n : { 0, 1, 5, 64, 1000 })
  {
    for (const bool useMean : { false, true })
    {
      const double s = 0.6, weight = 0.37;
      Problem<TestType> p(n, 40.0);
      RandomStream stream(3);
      p.Draw(useMean, s, &stream);
      std::vector<TestType> g(n), gradMu, gradRho(n);
      stream.FillNormal(g.data(), n);
      gradMu = g;
      kernel::MeanFieldGradient(p.mu.data(), p.sigma.data(), p.slope.data(),
          p.eps.data(), useMean ? p.prior.data() : nullptr, s, weight, n,
          gradMu.data(), gradRho.data());

      const Real eps = std::numeric_limits<TestType>::epsilon();
      for (size_t i = 0; i < n; ++i)
      {
        const Real m = useMean ? Real(p.prior[i]) : 0;
        const Real a = Real(p.mu[i]) - m, b = weight / (s * s);
        REQUIRE(std::abs(Real(gradMu[i]) - (Real(g[i]) + b * a)) <=
            4 * eps * (std::abs(Real(g[i])) + b * (std::abs(a) + 2)));

        const Real c = Real(g[i]) * Real(p.eps[i]), d = b * p.sigma[i];
        const Real e = weight / Real(p.sigma[i]), slope = p.slope[i];
        REQUIRE(std::abs(Real(gradRho[i]) - (c + d - e) * slope) <=
            8 * eps * (std::abs(c) + d + e) * slope);
      }
    }
  }
}

TEST_CASE("GradientMatchesDifferences", "[MeanField]")
{
  // Of loss(w) + weight KL with loss(w) = sum_i a_i w_i, frozen noise.
  const size_t n = 50;
  const double s = 0.8, weight = 1.7, h = 1e-5;
  Problem<double> p(n, 3.0);
  RandomStream stream(4);
  stream.FillNormal(p.eps.data(), n);
  std::vector<double> a(n), gradRho(n);
  stream.FillNormal(a.data(), n);
  auto objective = [&]()
  {
    double sum = weight * p.Draw(true, s, nullptr);
    for (size_t i = 0; i < n; ++i)
      sum += a[i] * p.w[i];
    return sum;
  };

  objective();
  std::vector<double> gradMu = a;
  kernel::MeanFieldGradient(p.mu.data(), p.sigma.data(), p.slope.data(),
      p.eps.data(), p.prior.data(), s, weight, n, gradMu.data(),
      gradRho.data());
  auto check = [&](double& x, const double expected)
  {
    const double x0 = x;
    x = x0 + h;
    const double up = objective();
    x = x0 - h;
    const double down = objective();
    x = x0;
    // Rounding 1e-14 * |objective| / h and truncation h^2.
    REQUIRE(std::abs((up - down) / (2 * h) - expected) <= 1e-6);
  };
  for (size_t i = 0; i < n; ++i)
  {
    check(p.mu[i], gradMu[i]);
    check(p.rho[i], gradRho[i]);
  }
}
