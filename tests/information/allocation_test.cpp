/**
 * @file allocation_test.cpp
 *
 * After the first call for a shape nothing is allocated.
 */
#include "catch.hpp"
#include "allocation_counter.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimator.hpp>

using namespace symvi;
using namespace symvi_tests;

TEMPLATE_TEST_CASE("NoAllocationAfterTheFirstCall", "[information]", float,
    double)
{
  RandomStream stream(1);
  for (const char* name : { "auto", "uniform", "exact", "importance" })
    for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
             { 20, 12, 3 }, { 20, 40, 3 }, { 40, 10, 8, 2 } })
      for (const bool isSigned : { false, true })
      {
        // First separated, then ever more blurred, as in training.
        const auto made = MakeEstimator(name, 10);
        InformationEstimator& estimator = *made;
        RandomChain<TestType> net(sizes, 1.0, 0.02, 1);
        for (HiddenUnits& hidden : net.chain.hidden)
          hidden.isSigned = isSigned;
        estimator.EvaluateWithGradient(net.chain, stream, TestType(1),
            net.gradient);
        estimator.Evaluate(net.chain, stream);
        const bool deep = sizes.size() > 3;
        const bool large = sizes[1] > 20 && std::string(name) == "exact";
        for (const double factor : { 1.0, 2.0, 3.0, 5.0 })
        {
          if ((deep || large) && factor > 1.0)
            break;
          for (std::vector<TestType>& s : net.sigmas)
            for (TestType& x : s)
              x *= TestType(factor);
          net.Draw();
          const size_t before = Allocations();
          estimator.EvaluateWithGradient(net.chain, stream, TestType(1),
              net.gradient);
          estimator.Evaluate(net.chain, stream);
          const size_t count = Allocations() - before;
          CAPTURE(name, sizes, factor, isSigned);
          REQUIRE(count == 0);
        }
      }
}
