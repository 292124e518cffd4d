/**
 * @file fixture.hpp
 *
 * One layer without a network around it.
 */
#ifndef SYMVI_TESTS_LAYER_FIXTURE_HPP
#define SYMVI_TESTS_LAYER_FIXTURE_HPP

#include <symvi/prereqs.hpp>

#include <utility>
#include <vector>

namespace symvi_tests {

//! A layer with parameters of its own, as a network would give it.
template<typename MatType, typename LayerType>
struct Fixture
{
  Fixture(const size_t inSize, LayerType newLayer) :
      Fixture(std::vector<size_t>{ inSize }, std::move(newLayer))
  { }

  Fixture(const std::vector<size_t>& dimensions, LayerType newLayer) :
      layer(std::move(newLayer))
  {
    layer.InputDimensions() = dimensions;
    layer.ComputeOutputDimensions();
    parameters.set_size(layer.WeightSize(), 1);
    layer.CustomInitialize(parameters, layer.WeightSize());
    layer.SetWeights(parameters);
    layer.Training() = true;
  }

  LayerType layer;
  MatType parameters;
};

//! sum(error % output) + Loss() as a function of the parameters, noise frozen.
template<typename FixtureType, typename MatType>
double Objective(FixtureType& fixture, const MatType& x, const MatType& error)
{
  MatType output;
  fixture.layer.Forward(x, output);
  return arma::accu(error % output) + fixture.layer.Loss();
}

} // namespace symvi_tests

#endif
