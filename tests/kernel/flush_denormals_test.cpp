/**
 * @file tests/kernel/flush_denormals_test.cpp
 *
 * Denormal numbers count as zero where it is asked for, and nowhere else.
 */
#include "catch.hpp"

#include <symvi/kernel/threads.hpp>

#include <atomic>
#include <limits>

#include "kernel/share_blocks.hpp"

using namespace symvi;

namespace {

//! Half the smallest normal number.
template<typename eT>
eT HalfOfTheSmallest()
{
  volatile eT x = std::numeric_limits<eT>::min();
  return x * eT(0.5);
}

} // namespace

#if defined(SYMVI_FLOATING_POINT_MODE)

TEMPLATE_TEST_CASE("DenormalsAreFlushedInAScope", "[kernel]", float, double)
{
  REQUIRE(HalfOfTheSmallest<TestType>() > 0);
  const unsigned int before = kernel::FloatingPointMode();
  {
    const kernel::FlushDenormals outer;
    REQUIRE(HalfOfTheSmallest<TestType>() == 0);
    {
      const kernel::FlushDenormals inner;
      REQUIRE(HalfOfTheSmallest<TestType>() == 0);
    }
    REQUIRE(HalfOfTheSmallest<TestType>() == 0);
    volatile TestType x = std::numeric_limits<TestType>::min();
    REQUIRE(x > 0);
  }
  REQUIRE(kernel::FloatingPointMode() == before);
  REQUIRE(HalfOfTheSmallest<TestType>() > 0);
}

TEST_CASE("ThreadsComputeAsTheirCaller", "[kernel]")
{
  SetThreads(3);
  // Parts long enough that every thread gets some, flushed and not in turn.
  for (size_t round = 0; round < 20; ++round)
  {
    std::atomic<size_t> zeros(0), parts(0);
    const auto count = [&](const size_t, const size_t)
    {
      for (size_t i = 0; i < 1000; ++i)
        zeros += (HalfOfTheSmallest<float>() == 0.0f);
      ++parts;
    };
    if (round % 2 == 0)
      kernel::ShareBlocks(64, 1, count);
    else
    {
      const kernel::FlushDenormals flush;
      kernel::ShareBlocks(64, 1, count);
    }
    REQUIRE(parts == 64);
    REQUIRE(zeros == (round % 2 == 0 ? 0 : 64000));
  }
  SetThreads(1);
}

#endif
