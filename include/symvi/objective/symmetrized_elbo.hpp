/**
 * @file objective/symmetrized_elbo.hpp
 *
 * The (symmetrized) evidence lower bound as an ensmallen objective.
 */
#ifndef SYMVI_OBJECTIVE_SYMMETRIZED_ELBO_HPP
#define SYMVI_OBJECTIVE_SYMMETRIZED_ELBO_HPP

#include <symvi/information/make_estimator.hpp>
#include <symvi/likelihood/check.hpp>
#include <symvi/prereqs.hpp>

#include <symvi/network/network_symmetry.hpp>
#include <symvi/network/network_traits.hpp>

#include <algorithm>

namespace symvi {

//! What went into an objective, summed over the passes of the current epoch.
struct ElboTerms
{
  //! -log p of the points seen, averaged over the weight samples.
  double negativeLogLikelihood = 0.0;
  //! KL(q || p), mean over the draws.
  double kl = 0.0;
  //! I(g; w), mean over the draws.
  double information = 0.0;
  size_t points = 0;
  size_t steps = 0;
  //! Weight samples drawn: steps times S.
  size_t draws = 0;
};

/**
 * The negative symmetrized ELBO of a network on data, as a separable function
 * for any ensmallen optimizer.  A batch B of M of the N points contributes
 *
 *   -1/S sum_i log p(Y_B | X_B, w_i) + beta M/N (KL(q || p) - I(g; w)),
 *
 * w_i ~ q, so that an epoch sums to -L^G, L^G = L + I(g; w)
 *                                       [Gelberg2024, Thm. 4.1, minibatch form]
 * (the paper's estimator is N/M times this).  N is the number of columns of the
 * data.  beta = Temperature(), times the warm-up factor.
 *
 * The objective holds a reference to the network and trains its parameters:
 * pass network.Parameters() to the optimizer.
 *
 * @tparam NetworkType An mlpack::FFN with Bayesian layers.
 */
template<typename NetworkType>
class SymmetrizedELBO
{
 public:
  using MatType = typename NetworkTraits<NetworkType>::MatType;
  using LikelihoodType = typename NetworkTraits<NetworkType>::LikelihoodType;
  using ElemType = typename MatType::elem_type;
  using LayerType = BayesianLinearType<MatType>;
  static_assert(likelihood::IsLikelihood<LikelihoodType, MatType>::value,
      "SymmetrizedELBO: the output layer of the network must be a likelihood "
      "of symvi for the same matrices, such as symvi::CategoricalLikelihood; "
      "mlpack's losses are no normalised densities.");

  /**
   * Prepares the network (dimensions, parameters if it has none) and checks the
   * data.  Takes new generator keys from mlpack's generator.
   *
   * @param network Network to train; it must outlive the objective.
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param estimator Estimator of I(g; w); null for the plain ELBO, whatever
   *     layers the network has.
   */
  SymmetrizedELBO(NetworkType& network,
                  MatType predictors,
                  MatType responses,
                  EstimatorPtr estimator = MakeEstimator());

  //! Number S of weight samples per step (default 1).
  size_t Samples() const { return samples; }
  size_t& Samples() { return samples; }

  //! The estimator of I(g; w), or null.
  const EstimatorPtr& Estimator() const { return estimator; }

  /**
   * Every how many batches the gradient of I(g; w) is computed anew; it is held
   * in between, and computed by the first batch of every epoch.  0 (default)
   * computes it so often that it costs about a fifth of a step, at least every
   * 16th time.  Only steps on a batch hold it: whole-data passes, which
   * optimizers with a line search make, and frozen ones never do.
   */
  size_t InformationInterval() const { return informationInterval; }
  size_t& InformationInterval() { return informationInterval; }

  //! Weight beta of KL(q^G || p); 1 is the ELBO.
  double Temperature() const { return temperature; }
  double& Temperature() { return temperature; }

  //! beta grows linearly from 0 over this many epochs (default 0: no warm-up).
  double WarmUpEpochs() const { return warmUpEpochs; }
  double& WarmUpEpochs() { return warmUpEpochs; }
  //! Passes over the data so far, of which the first are the warm-up.
  double EpochsSeen() const { return pointsSeen / double(predictors.n_cols); }

  //! Add the zero-mean score terms of I(g; w) to its gradient.  Needed only to
  //! compare with finite differences; the default is less noisy.
  bool FullGradient() const { return fullGradient; }
  bool& FullGradient() { return fullGradient; }

  /**
   * Make everything from here on a function of the parameters and of the key of
   * all random numbers, so that a run can be continued bit for bit.
   */
  void Seed(const uint64_t key);

  //! Repeat the same noise and permutations in every evaluation.
  void Freeze();
  //! Draw anew in every evaluation (the default).
  void Thaw() { frozen = false; }

  //! Terms of the current epoch, or of the last one once it is complete.
  const ElboTerms& Terms() const { return terms; }

  //! The group of the network.
  const NetworkSymmetry<MatType>& Symmetry() const { return symmetry; }

  //! Objective on the whole data, as one batch.
  ElemType Evaluate(const MatType& parameters);
  //! Objective on a batch.
  ElemType Evaluate(const MatType& parameters,
                    const size_t begin,
                    const size_t batchSize);

  //! Objective and gradient on the whole data.
  ElemType EvaluateWithGradient(const MatType& parameters, MatType& gradient);
  //! Objective and gradient on a batch.
  ElemType EvaluateWithGradient(const MatType& parameters,
                                const size_t begin,
                                MatType& gradient,
                                const size_t batchSize);

  void Gradient(const MatType& parameters, MatType& gradient)
  {
    EvaluateWithGradient(parameters, gradient);
  }
  void Gradient(const MatType& parameters,
                const size_t begin,
                MatType& gradient,
                const size_t batchSize)
  {
    EvaluateWithGradient(parameters, begin, gradient, batchSize);
  }

  //! Reorder the points.
  void Shuffle();

  //! The number N of points.
  size_t NumFunctions() const { return predictors.n_cols; }

  const MatType& Predictors() const { return predictors; }
  const MatType& Responses() const { return responses; }
  NetworkType& Network() { return network; }

 private:
  //! How the gradient of I(g; w) is taken in a pass.
  struct InformationPass
  {
    //! Compute it; otherwise the one that is held is used.
    bool compute = true;
    //! Keep it for the next passes.
    bool hold = false;
    //! See InformationGradient.
    double tolerance = 0.0;
  };

  //! Objective and gradient on a batch.
  ElemType Pass(const MatType& parameters,
                const size_t begin,
                MatType& gradient,
                const size_t batchSize,
                const bool stochastic);
  //! One weight sample: objective, and its gradient if not null.
  double Sample(const double klWeight,
                const InformationPass& pass,
                MatType* gradient);
  //! I(g; w) at the current draw, summed over chains.
  double Information(const double klWeight,
                     const InformationPass& pass,
                     const bool withGradient);
  //! Whether and how this batch takes the gradient of I(g; w).
  InformationPass NextInformation(const size_t begin, const size_t batchSize);
  //! Keep the path gradient -dI/dw, which belongs to the noise of this draw.
  void Hold();
  //! Add klWeight times what is held to the gradient by mu and rho.
  void AddHeld(const double klWeight, MatType& gradient) const;
  //! Score terms of I(g; w), which no layer knows about.
  void AddScore(MatType& gradient) const;
  //! Position of a layer's parameters.
  size_t Offset(const LayerType* layer) const;
  void ClearPathGradients();
  void PreparePathGradients();
  void PrepareScore();
  void CheckData() const;
  //! Set up a pass over a batch.
  void Begin(const size_t begin, const size_t batchSize);
  //! Start from the frozen streams again.
  void Rewind();
  //! Let mlpack size its own buffers for batches of this size.
  void Prime(const size_t batchSize);
  double BatchWeight(const size_t batchSize) const;
  void CheckSettings() const;

  NetworkType& network;
  MatType predictors;
  MatType responses;
  EstimatorPtr estimator;

  std::vector<LayerType*> layers;
  //! Position of each Bayesian layer's parameters.
  std::vector<size_t> offsets;
  NetworkSymmetry<MatType> symmetry;
  RandomStream stream;

  size_t samples;
  double temperature;
  double warmUpEpochs;
  double pointsSeen;
  bool fullGradient;

  //! Batches until the next gradient of I(g; w), its last value, and of each
  //! layer of each chain what is held: -dI/dw % eps, beside the path gradient.
  size_t informationInterval = 0, wait = 0;
  double lastInformation = 0.0;
  std::vector<std::vector<MatType>> heldNoise;

  bool frozen;
  RandomStream frozenStream;
  std::vector<RandomStream> frozenLayerStreams;

  ElboTerms terms;

  //! Working memory: the batch, the outputs, the gradient of one sample, and
  //! per chain where the gradient of I(g; w) goes.
  MatType batchPredictors, batchResponses, outputs, sampleGradient, kept;
  //! Largest batch that Prime() has seen.
  size_t primedBatch;
  std::vector<InformationGradient<ElemType>> chainGradients;
  std::vector<MatType> scoreMu, scoreSigma;
};

/**
 * The plain ELBO, mean-field VI: I(g; w) is left out.
 */
template<typename NetworkType>
class ELBO : public SymmetrizedELBO<NetworkType>
{
 public:
  using MatType = typename SymmetrizedELBO<NetworkType>::MatType;

  //! See SymmetrizedELBO.
  ELBO(NetworkType& network, MatType predictors, MatType responses) :
      SymmetrizedELBO<NetworkType>(network, std::move(predictors),
          std::move(responses), nullptr) { }
};

} // namespace symvi

#include "symmetrized_elbo_impl.hpp"

#endif
