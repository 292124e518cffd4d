/**
 * @file tests/kernel/threads_test.cpp
 *
 * Threads change the time, not the results.
 */
#include "catch.hpp"

#include "kernel/adam_step.hpp"
#include "kernel/blas_threads.hpp"
#include "kernel/mean_field.hpp"
#include <symvi/kernel/threads.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "kernel/share_blocks.hpp"

using namespace symvi;

namespace {

template<typename eT>
struct Result
{
  double kl;
  uint64_t counter;
  std::vector<eT> w, gradMu, gradRho, x;

  bool operator==(const Result& o) const
  {
    return kl == o.kl && counter == o.counter && w == o.w &&
        gradMu == o.gradMu && gradRho == o.gradRho && x == o.x;
  }
};

//! All passes over n weights.
template<typename eT>
Result<eT> AllPasses(const size_t n)
{
  RandomStream stream(5);
  std::vector<eT> mu(n), rho(n), sigma(n), slope(n), eps(n);
  stream.FillNormal(mu.data(), n);
  stream.FillNormal(rho.data(), n);
  Result<eT> result = { 0.0, 0, std::vector<eT>(n), mu, std::vector<eT>(n),
    mu };
  result.kl = kernel::DrawAndKL<eT>(mu.data(), rho.data(), nullptr, 0.7, n,
      sigma.data(), slope.data(), eps.data(), result.w.data(), &stream);
  result.counter = stream.Counter();
  kernel::MeanFieldGradient<eT>(mu.data(), sigma.data(), slope.data(),
      eps.data(), nullptr, 0.7, 0.1, n, result.gradMu.data(),
      result.gradRho.data());
  std::vector<eT> m(n, 0), v(n, 0);
  const kernel::AdamCoefficients<eT> c = { eT(0.9), eT(0.1), eT(0.99), eT(0.01),
    eT(0.1), eT(1e-8) };
  kernel::AdamStep<eT>(c, n, result.gradMu.data(), m.data(), v.data(),
      result.x.data());
  return result;
}

} // namespace

TEMPLATE_TEST_CASE("ThreadsDoNotChangeResults", "[Threads]", float, double)
{
  for (const size_t n : { 1000, 65536, 65537, 200001 })
  {
    SetThreads(1);
    const Result<TestType> one = AllPasses<TestType>(n);
    for (const size_t threads : { 2, 3 })
    {
      SetThreads(threads);
      REQUIRE(Threads() == threads);
      REQUIRE(AllPasses<TestType>(n) == one);
    }
    SetThreads(1);
  }
}

TEST_CASE("PoolRunsEveryPartOnce", "[Threads]")
{
  for (const size_t threads : { 1, 2, 4 })
  {
    kernel::ThreadPool::Instance().Resize(threads);
    for (const size_t parts : { 0, 1, 2, 3, 100 })
    {
      std::vector<std::atomic<int>> count(parts);
      for (int repeat = 1; repeat <= 20; ++repeat)
      {
        kernel::ThreadPool::Instance().Run(parts,
            [&](const size_t part) { ++count[part]; });
        for (const std::atomic<int>& c : count)
          REQUIRE(c == repeat);
      }
    }
  }
  kernel::ThreadPool::Instance().Resize(1);
}

TEST_CASE("PartsOfThePoolMayUseThePool", "[Threads]")
{
  kernel::ThreadPool& pool = kernel::ThreadPool::Instance();
  pool.Resize(3);
  std::atomic<int> count(0);
  pool.Run(5,
      [&](const size_t) { pool.Run(7, [&](const size_t) { ++count; }); });
  REQUIRE(count == 35);
  pool.Resize(1);
}

TEST_CASE("SleepingThreadsWakeUp", "[Threads]")
{
  // Long enough apart for the threads to go to sleep; parts that last until
  // two threads are in them cannot be done by one.
  kernel::ThreadPool& pool = kernel::ThreadPool::Instance();
  pool.Resize(2);
  for (int repeat = 0; repeat < 5; ++repeat)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> inside(0);
    pool.Run(2,
        [&](const size_t)
        {
      ++inside;
      while (inside < 2)
        std::this_thread::yield();
    });
    REQUIRE(inside == 2);
  }
  pool.Resize(1);
}

TEST_CASE("SharedBlocksCoverTheArray", "[Threads]")
{
  kernel::ThreadPool::Instance().Resize(2);
  for (const size_t n : { 0, 1, 9, 10, 11, 39, 40, 41, 1000 })
  {
    std::vector<std::atomic<int>> count(n);
    kernel::ShareBlocks(n, 10,
        [&](const size_t begin, const size_t length)
        {
      for (size_t i = begin; i < begin + length; ++i)
        ++count[i];
    });
    for (const std::atomic<int>& c : count)
      REQUIRE(c == 1);
  }
  kernel::ThreadPool::Instance().Resize(1);
}

TEST_CASE("TwoUsersOfThePool", "[Threads]")
{
  // Whoever finds the pool taken works alone.
  SetThreads(1);
  const Result<float> expected = AllPasses<float>(100000);
  SetThreads(2);
  Result<float> a, b;
  std::thread other([&] { a = AllPasses<float>(100000); });
  b = AllPasses<float>(100000);
  other.join();
  SetThreads(1);
  REQUIRE(a == expected);
  REQUIRE(b == expected);
}

TEST_CASE("ThreadSettings", "[Threads]")
{
  REQUIRE_THROWS_AS(SetThreads(0), std::invalid_argument);
  REQUIRE(RecommendedThreads(784, 30, 100) == 1);
  REQUIRE(RecommendedThreads(784, 512, 100) >= 1);
}

TEST_CASE("ThreadScopesDoNotAddUp", "[Threads]")
{
  SetThreads(3);
  {
    const ThreadScope first(2);
    REQUIRE(Threads() == 2);
    {
      const ThreadScope second(2);
      REQUIRE(Threads() == 1);
    }
    REQUIRE(Threads() == 1);
  }
  REQUIRE(Threads() == 3);
  {
    // Never more than the matrix products were allowed.
    kernel::SetBlasThreads(1);
    const ThreadScope scope(2);
    REQUIRE(Threads() == (kernel::BlasThreads() > 0 ? 1 : 2));
  }
  SetThreads(1);
}
