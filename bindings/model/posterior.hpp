/**
 * @file posterior.hpp
 *
 * The posterior of a model as matrices: who is certain, who is like whom, and
 * who can go.
 */
#ifndef SYMVI_BINDINGS_MODEL_POSTERIOR_HPP
#define SYMVI_BINDINGS_MODEL_POSTERIOR_HPP

#include <armadillo>
#include <vector>

#include "spec.hpp"

namespace symvi {
namespace cli {

//! Means and standard deviations of one layer, [W, b] with the bias last.
struct LayerPosterior
{
  arma::mat mean;   // outSize x (inSize + 1).
  arma::mat sigma;  // The same shape.
};

//! The layers of a model, in order.
std::vector<LayerPosterior> PosteriorOf(const Model& model);

//! Write layers of the model's shape back into its parameters.
void SetPosterior(const std::vector<LayerPosterior>& layers, Model& model);

//! Learned noise of the standardised responses; empty if there is none.
arma::vec LearnedNoise(const Model& model);

/**
 * The block of every unit of hidden layer h, one column a unit: incoming
 * weights, bias, outgoing weights.
 */
LayerPosterior UnitBlocks(const std::vector<LayerPosterior>& layers, size_t h);

/**
 * Signal-to-noise of every unit of hidden layer h.  A unit is dead if what goes
 * in or what goes out is noise, so that it is the lesser of the root mean
 * squares of mean / sigma over incoming weights with bias, and over outgoing
 * weights.
 */
arma::vec UnitSignalToNoise(const std::vector<LayerPosterior>& layers,
                            size_t h);

//! |mean| / sigma of all weights, biases left out.
arma::vec WeightSignalToNoise(const std::vector<LayerPosterior>& layers);

/**
 * Distances between units in posterior standard deviations:
 * D_ab^2 = sum_i (m_ai - m_bi)^2 / (s_ai^2 + s_bi^2).
 */
arma::mat UnitDistances(const LayerPosterior& blocks);

//! The nearest equivalent mode: swapping two units of one hidden layer.
struct NearestMode
{
  size_t layer = 0, first = 0, second = 0;
  double distance = 0;       // ||mu - g mu||.
  double norm = 0;           // ||mu||.
  double standardized = 0;   // UnitDistances() of the pair.
};

//! Needs a hidden layer of two units at least; false if there is none.
bool FindNearestMode(const std::vector<LayerPosterior>& layers,
                     NearestMode& nearest);

//! log|G| = sum of log d! over hidden layers, in nats.
double LogGroupOrder(const NetworkSpec& spec);

//! Take units out of hidden layer h; the network becomes narrower.
void RemoveUnits(Model& model, size_t h, const arma::uvec& units);

//! Set the given fraction of the weights, those of lowest signal-to-noise, to
//! zero (biases stay); returns how many.
size_t ZeroWeights(Model& model, double fraction);

} // namespace cli
} // namespace symvi

#endif
