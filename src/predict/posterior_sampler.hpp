/**
 * @file src/predict/posterior_sampler.hpp
 *
 * Draws of all Bayesian weights of a network, by number.
 */
#ifndef SYMVI_SRC_PREDICT_POSTERIOR_SAMPLER_HPP
#define SYMVI_SRC_PREDICT_POSTERIOR_SAMPLER_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/network/network.hpp>
#include <symvi/symmetry/permutation_group.hpp>

namespace symvi {

/**
 * Draw number s of the posterior: w = mu + sigma % eps for every Bayesian
 * layer, eps a function of (seed, s) alone.  From q^G, the draw is then moved
 * by a uniform element g of the network's group, again a function of
 * (seed, s).
 *
 * Reads the parameters of the network and nothing else of its state.
 */
template<typename MatType = arma::mat>
class PosteriorSampler
{
 public:
  using ElemType = typename MatType::elem_type;
  using LayerType = BayesianLinearType<MatType>;

  /**
   * @param layers Layers of a network whose dimensions are known.
   * @param parameters Parameters of the network; must outlive the sampler.
   * @param seed Random seed of the weight samples.
   * @param fromSymmetrized Draw from q^G rather than from q.
   */
  PosteriorSampler(const std::vector<mlpack::Layer<MatType>*>& layers,
      const MatType& parameters, const uint64_t seed,
      const bool fromSymmetrized);

  //! Number of Bayesian layers.
  size_t NumLayers() const { return bayesian.size(); }
  //! Bayesian layer l, for its sizes.
  const LayerType& GetLayer(const size_t l) const { return *bayesian[l]; }
  //! Weights and biases of all Bayesian layers.
  size_t TotalSize() const;

  /**
   * Draw number s.
   *
   * @param weights One array per Bayesian layer, each [W; b] as the layer
   *     stores it; sized if needed.
   */
  void Draw(const size_t s, std::vector<MatType>& weights) const;

 private:
  //! Move the weights by the group element of draw s.
  void Permute(RandomStream& stream, std::vector<MatType>& weights) const;

  std::vector<LayerType*> bayesian;
  //! Means of each layer, in the network's memory.
  std::vector<const ElemType*> means;
  std::vector<MatType> sigmas;
  uint64_t key;

  //! Layers that share hidden units, their group and their numbers.
  struct Chain
  {
    SymmetricChain<ElemType> shape;
    PermutationGroup group;
    std::vector<size_t> layers;
  };
  std::vector<Chain> chains;

  //! Find the network's group.
  void FindChains(const std::vector<mlpack::Layer<MatType>*>& layers);
};

} // namespace symvi

#endif
