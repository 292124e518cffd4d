/**
 * @file block_units_test.cpp
 *
 * Units that own several columns of the layer behind them, as the maps of a
 * convolution do, against the sum over the group.
 */
#include "bounds.hpp"
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

namespace {

//! Make all hidden layers signed, or none.
//! Shapes of chains: units of every layer, and columns per unit in front.
struct Shape
{
  std::vector<size_t> sizes, blocks;
};

//! conv-flatten-dense or conv-conv.
std::vector<Shape> OneHidden()
{
  return { { { 4, 2, 3 }, { 1, 4 } }, { { 3, 3, 2 }, { 1, 9 } },
    { { 2, 4, 1 }, { 1, 6 } } };
}

//! conv-conv-dense, conv-flatten-dense-dense and conv-conv-flatten-dense-dense.
std::vector<Shape> TwoAndMoreHidden()
{
  return { { { 3, 3, 2, 2 }, { 1, 4, 1 } }, { { 2, 2, 4, 2 }, { 1, 3, 5 } },
    { { 3, 3, 3, 1 }, { 1, 1, 4 } }, { { 2, 2, 3, 2, 1 }, { 1, 4, 3, 1 } } };
}

} // namespace

TEST_CASE("BlocksAgainstBruteForce", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  ImportanceEstimator importance(5);
  UniformEstimator uniform(400);
  RandomStream stream(1);
  for (const Shape& shape : OneHidden())
    for (const double sigma : { 0.03, 0.3, 0.6, 1.0, 3.0 })
      for (const bool isSigned : { false, true })
      {
        RandomChain<double> net(shape.sizes, 0.6, sigma, shape.sizes[0],
            !isSigned, shape.blocks);
        SetSigns(net, isSigned ? allLayers : 0);
        CAPTURE(shape.sizes, sigma, isSigned);
        const auto near = Approx(BruteForce(net)).epsilon(1e-10).margin(1e-10);
        for (const InformationEstimate& e : { exact.Evaluate(net.chain, stream),
                 automatic.Evaluate(net.chain, stream),
                 automatic.TrainingValue(net.chain, stream),
                 importance.Evaluate(net.chain, stream),
                 uniform.Evaluate(net.chain, stream) })
        {
          REQUIRE(e.exact);
          REQUIRE(e.value == near);
          REQUIRE(e.lower == near);
          REQUIRE(e.upper == near);
        }
      }
}

TEST_CASE("BlocksBetweenHiddenLayersAgainstBruteForce", "[information]")
{
  ExactEstimator exact;
  UniformEstimator uniform(5000);
  RandomStream stream(2);
  for (const Shape& shape : TwoAndMoreHidden())
    for (const double sigma : { 0.1, 0.5, 1.0, 2.0 })
      for (const bool isSigned : { false, true })
      {
        RandomChain<double> net(shape.sizes, 0.6, sigma, shape.sizes[1], true,
            shape.blocks);
        SetSigns(net, isSigned ? allLayers : 0);
        CAPTURE(shape.sizes, sigma, isSigned);
        const auto near = Approx(BruteForce(net)).epsilon(1e-10).margin(1e-10);
        REQUIRE(exact.Evaluate(net.chain, stream).value == near);
        REQUIRE(uniform.Evaluate(net.chain, stream).value == near);
      }
}

TEST_CASE("BoundsOfBlocksHoldAndAreClose", "[information]")
{
  AutoEstimator automatic(20);
  for (const bool isSigned : { false, true })
    for (const double sigma : { 0.3, 0.6, 1.0 })
    {
      RandomChain<double> net({ 3, 4, 3, 2 }, 0.4, sigma, 5, true, { 1, 3, 2 });
      SetSigns(net, isSigned ? allLayers : 0);
      CAPTURE(isSigned, sigma);
      CheckBounds(net, automatic, 300, 0.2);
    }
}

TEST_CASE("GradientsOfBlocks", "[information]")
{
  UniformEstimator uniform(7);
  ExactEstimator exact;
  AutoEstimator automatic;
  std::vector<Shape> shapes = OneHidden();
  for (const Shape& deep : TwoAndMoreHidden())
    shapes.push_back(deep);
  for (const Shape& shape : shapes)
    for (const double sigma : { 0.5, 1.5 })
      for (const bool isSigned : { false, true })
      {
        RandomChain<double> net(shape.sizes, 0.7, sigma, 1, true, shape.blocks);
        SetSigns(net, isSigned ? allLayers : 0);
        CAPTURE(shape.sizes, sigma, isSigned);
        REQUIRE(GradientError(net, uniform, 1.3) < 1e-6);
        REQUIRE(GradientError(net, exact, -0.7) < 1e-6);
        REQUIRE(GradientError(net, automatic) < 1e-5);
      }
}

TEST_CASE("ABlockInFrontOfOutputsIsMoreOutputs", "[information]")
{
  // Outputs stay in place, so that three columns of two weights are as good as
  // one of six.
  RandomChain<double> blocks({ 3, 5, 2 }, 0.5, 0.8, 7, false, { 1, 3 });
  RandomChain<double> dense({ 3, 5, 6 }, 0.5, 0.8, 7, false);
  AutoEstimator automatic;
  RandomStream first(4), second(4);
  REQUIRE(automatic.Evaluate(blocks.chain, first).value ==
      Approx(automatic.Evaluate(dense.chain, second).value).epsilon(1e-12));
}

TEST_CASE("BlocksMustFit", "[information]")
{
  RandomChain<double> net({ 3, 4, 2 }, 0.5, 0.8, 7, false, { 1, 3 });
  net.chain.layers[1].block = 2;
  AutoEstimator automatic;
  RandomStream stream(4);
  REQUIRE_THROWS_AS(automatic.Evaluate(net.chain, stream),
      std::invalid_argument);
}
