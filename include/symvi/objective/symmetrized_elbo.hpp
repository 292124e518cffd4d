/**
 * @file symvi/objective/symmetrized_elbo.hpp
 *
 * The (symmetrized) evidence lower bound as an ensmallen objective.
 */
#ifndef SYMVI_OBJECTIVE_SYMMETRIZED_ELBO_HPP
#define SYMVI_OBJECTIVE_SYMMETRIZED_ELBO_HPP

#include <symvi/information/estimator.hpp>
#include <symvi/kernel/communicator.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/network/network.hpp>
#include <symvi/prereqs.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace symvi {

//! What went into an objective, summed over the passes of the current epoch.
struct ElboTerms
{
  //! -log p of the points seen, averaged over the weight samples.
  double negativeLogLikelihood = 0.0;
  //! KL(q || p), mean over the draws; after ShareWeights() a part of it, so
  //! that the ranks sum up to it.
  double kl = 0.0;
  //! I(g; w), mean over the draws.
  double information = 0.0;
  size_t points = 0;
  size_t steps = 0;
  //! Weight samples drawn: steps times S.
  size_t draws = 0;
};

namespace objective {

//! Refuse a last layer that turns logits into probabilities where the
//! likelihood does so itself.  A LogSoftMax changes nothing and is fine.
template<typename MatType>
void RequireLogits(const mlpack::Layer<MatType>& last, const ClassLink link);

//! What an objective does with its network, independent of the network's type.
//! (This is not part of the objective because ensmallen casts objectives to
//! unrelated classes, which is not possible with virtual functions.)
template<typename MatType>
class ElboNetwork
{
 public:
  virtual ~ElboNetwork() = default;

  virtual MatType& Parameters() = 0;
  //! Its layers must be pointed at their parameters again.
  virtual void ForgetMemory() = 0;
  //! Training mode.
  virtual void SetTraining() = 0;
  virtual void Forward(const MatType& points, MatType& results) = 0;
  //! The loss of a batch after Forward(), and its gradient.
  virtual double Backward(const MatType& points, const MatType& targets,
      MatType& gradient) = 0;
  //! The loss of a batch.
  virtual double Loss(const MatType& points, const MatType& targets) = 0;
  //! One step of mlpack's own training, which resizes all of its buffers.
  virtual void TrainOnce(const MatType& points, const MatType& targets) = 0;
};

//! That of an mlpack::FFN.
template<typename NetworkType>
class NetworkPasses final
    : public ElboNetwork<typename NetworkTraits<NetworkType>::MatType>
{
 public:
  using MatType = typename NetworkTraits<NetworkType>::MatType;

  explicit NetworkPasses(NetworkType& network) : network(network) { }

  MatType& Parameters() override { return network.Parameters(); }
  void ForgetMemory() override { ForgetLayerMemory(network); }
  void SetTraining() override { network.SetNetworkMode(true); }
  void Forward(const MatType& points, MatType& results) override
  {
    network.Forward(points, results);
  }
  double Backward(const MatType& points, const MatType& targets,
      MatType& gradient) override
  {
    return network.Backward(points, targets, gradient);
  }
  double Loss(const MatType& points, const MatType& targets) override
  {
    return network.Evaluate(points, targets);
  }
  void TrainOnce(const MatType& points, const MatType& targets) override
  {
    OnePass pass;
    network.Train(points, targets, pass);
  }

 private:
  //! An "optimizer" that evaluates the gradient of all points once.
  struct OnePass
  {
    template<typename FunctionType>
    typename MatType::elem_type Optimize(FunctionType& function,
        MatType& parameters)
    {
      MatType gradient(parameters.n_rows, parameters.n_cols);
      return function.EvaluateWithGradient(parameters, 0, gradient,
          function.NumFunctions());
    }
  };

  NetworkType& network;
};

} // namespace objective

/**
 * The part of a batch that an objective holds.  The batch consists of the
 * points batchBegin, ..., batchBegin + batchSize - 1 of all; the objective
 * holds `size` of them, its own points from `begin` on (see
 * ElboObjective::HoldPart()).
 */
struct BatchPart
{
  size_t begin, size;
  size_t batchBegin, batchSize;
};

/**
 * The part of SymmetrizedELBO that does not depend on the classes of network
 * and likelihood: passes over batches, the gradient of I(g; w), and settings.
 *
 * @tparam MatType arma::mat or arma::fmat.
 */
template<typename MatType>
class ElboObjective
{
 public:
  using ElemType = typename MatType::elem_type;
  using LayerType = BayesianLinearType<MatType>;

  //! Number S of weight samples per step (default 1).
  size_t Samples() const { return samples; }
  size_t& Samples() { return samples; }

  //! The estimator of I(g; w), or null.
  const EstimatorPtr& Estimator() const { return estimator; }

  /**
   * For how many batches one gradient of I(g; w) is used; every epoch starts
   * with a new one.  0 (default) chooses the number so that the gradient costs
   * about a fifth of a step, up to 24 and as evenly over an epoch as possible.
   * Whole-data passes, as optimizers with a line search make, and frozen ones
   * always compute it.  See docs/estimators.md, "How the default trains".
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
  double EpochsSeen() const { return pointsSeen / double(numPoints); }

  //! Add the zero-mean score terms of I(g; w) to its gradient.  Needed only to
  //! compare with finite differences; the default is less noisy.
  bool FullGradient() const { return fullGradient; }
  bool& FullGradient() { return fullGradient; }

  /**
   * Make everything from here on a function of the parameters and of the key of
   * all random numbers, so that a run can be continued bit for bit.
   */
  void Seed(const uint64_t key);

  /**
   * The points of this objective are a part of `points` points, and `parts`
   * objectives hold all of them: each adds 1 / parts of KL(q || p) and I(g; w),
   * so that objectives with the same key sum to that of all points.
   */
  void HoldPart(const size_t points, const size_t parts);

  /**
   * After HoldPart(), with one part per rank: steps of training share out the
   * work that is done for each weight.  Every layer of at least 2^14 weights is
   * cut into shares; each rank draws its own, gets the draws of the others, and
   * sums up the gradients by them, so that a rank needs mu and rho of its share
   * only.  Steps are then collective.  Their gradient is that of all points in
   * the rank's shares and nothing elsewhere in the layers that are cut; in other
   * layers it is the part that HoldPart() says.
   *
   * @param ranks The ranks; they must outlive the objective.
   */
  void ShareWeights(Communicator& ranks);

  //! The shares of ShareWeights(): none for a single rank or small layers.
  std::vector<SharedArray> Shares() const;

  //! Objective on a part of a batch, which may be empty.
  ElemType Evaluate(const MatType& parameters, const BatchPart& part);
  //! Objective and gradient on a part of a batch.  A step of training may use
  //! the gradient of I(g; w) of an earlier one; a pass over all points must
  //! not.
  ElemType EvaluateWithGradient(const MatType& parameters,
      const BatchPart& part, MatType& gradient, const bool isStep);

  //! Repeat the same noise and permutations in every evaluation.
  void Freeze();
  //! Draw anew in every evaluation (the default).
  void Thaw() { frozen = false; }

  //! Terms of the current epoch, or of the last one once it is complete.
  const ElboTerms& Terms() const { return terms; }

  //! The group of the network.
  const NetworkSymmetry<MatType>& Symmetry() const { return symmetry; }

  //! Objective on the whole data, as one batch.
  ElemType Evaluate(const MatType& parameters)
  {
    return Evaluate(parameters, Batch(0, predictors.n_cols));
  }
  //! Objective on a batch.
  ElemType Evaluate(const MatType& parameters, const size_t begin,
      const size_t batchSize)
  {
    return Evaluate(parameters, Batch(begin, batchSize));
  }

  //! Objective and gradient on the whole data.
  ElemType EvaluateWithGradient(const MatType& parameters, MatType& gradient)
  {
    return EvaluateWithGradient(parameters, Batch(0, predictors.n_cols),
        gradient, false);
  }
  //! Objective and gradient on a batch.
  ElemType EvaluateWithGradient(const MatType& parameters, const size_t begin,
      MatType& gradient, const size_t batchSize)
  {
    return EvaluateWithGradient(parameters, Batch(begin, batchSize), gradient,
        true);
  }

  void Gradient(const MatType& parameters, MatType& gradient)
  {
    EvaluateWithGradient(parameters, gradient);
  }
  void Gradient(const MatType& parameters, const size_t begin,
      MatType& gradient, const size_t batchSize)
  {
    EvaluateWithGradient(parameters, begin, gradient, batchSize);
  }

  //! Reorder the points.
  void Shuffle();

  //! The number N of points.
  size_t NumFunctions() const { return predictors.n_cols; }

  const MatType& Predictors() const { return predictors; }
  const MatType& Responses() const { return responses; }

 protected:
  ElboObjective(std::shared_ptr<objective::ElboNetwork<MatType>> passes,
      MatType predictors, MatType responses, EstimatorPtr estimator);

  //! Check the data against each other, and that the last layer does not do
  //! what the likelihood does.
  void CheckData(const mlpack::Layer<MatType>& last,
      const ClassLink link) const;
  //! Find the Bayesian layers and their group, and say what is not in it.
  void Attach(const std::vector<mlpack::Layer<MatType>*>& all);

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

  //! The loss of the batch with its gradient, at the current draws of layers
  //! that are cut and new ones of the others.
  double Pass(const double klWeight, const InformationPass& pass,
      double& information, MatType& gradient);
  //! The objective for one weight sample, and its gradient if not null.
  double Sample(const double klWeight, const InformationPass& pass,
      MatType* gradient);
  //! I(g; w) at the current draw, summed over chains.
  double Information(const double klWeight, const InformationPass& pass,
      const bool withGradient);
  //! Batches from one gradient of I(g; w) to the next.
  size_t ChooseInterval(const size_t batchSize);
  //! Whether and how this batch takes the gradient of I(g; w).
  InformationPass NextInformation(const size_t begin, const size_t batchSize);
  //! Keep the path gradient -dI/dw, which belongs to the noise of this draw.
  void Hold();
  //! Add the layers' KLWeight() times what is held to the gradient by mu and
  //! rho.
  void AddHeld(MatType& gradient) const;
  //! Score terms of I(g; w), which no layer knows about.
  void AddScore(MatType& gradient) const;
  //! Which of the Bayesian layers it is.
  size_t Index(const LayerType* layer) const;
  void ClearPathGradients();
  void PreparePathGradients();
  void PrepareScore();
  //! A batch that is held as a whole.
  static BatchPart Batch(const size_t begin, const size_t batchSize)
  {
    return { begin, batchSize, begin, batchSize };
  }
  //! Set up a pass over a batch.
  void Begin(const BatchPart& part);
  //! A pass over no point: the layers draw their weights, and have a KL term
  //! and its gradient.
  void EmptyForward();
  double EmptyLoss() const;
  double EmptyBackward(MatType& gradient);
  //! Start from the frozen streams again.
  void Rewind();
  //! Let mlpack size its own buffers for batches of this size.
  void Prime(const size_t batchSize);
  double BatchWeight(const size_t batchSize) const;
  // What ShareWeights() asks for, in shared_weights.cpp.

  //! Whether the weights of a layer are shared out in this pass.
  bool IsCut(const size_t l) const { return sharing && !cuts[l].empty(); }
  //! Its weights begin, ..., end - 1 are this rank's; all, if it is not cut.
  std::pair<size_t, size_t> OwnWeights(const size_t l) const;
  //! Do what may fail on one rank; then it fails on all.
  template<typename Work>
  void Agree(const Work& work)
  {
    if (sharing)
      ranks->Agree(work);
    else
      work();
  }
  void DrawOwnShares();
  //! The draws of all ranks; mu and sigma, too, if I(g; w) is to be computed.
  void GatherDraws(const bool withPosterior);
  //! From this rank's gradient by the draws that of all, by mu and rho.
  void SumShares(MatType& gradient);
  //! A pass that shares the weights or not; layers draw by themselves after it.
  struct SharingScope;
  void CheckSettings() const;

  std::shared_ptr<objective::ElboNetwork<MatType>> passes;
  MatType predictors;
  MatType responses;
  EstimatorPtr estimator;
  //! All points, and the objectives that hold them.
  size_t numPoints, parts = 1;
  //! Who shares the weights; where each layer is cut, empty if it is not; and
  //! whether this pass is a step that does so.
  Communicator* ranks = nullptr;
  std::vector<std::vector<size_t>> cuts;
  bool sharing = false;

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
  //! Whether the network begins with a Bayesian layer.
  bool isFirstBayesian = false;
  //! Largest batch that Prime() has seen.
  size_t primedBatch;
  std::vector<InformationGradient<ElemType>> chainGradients;
  std::vector<MatType> scoreMu, scoreSigma;
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
    : public ElboObjective<typename NetworkTraits<NetworkType>::MatType>
{
 public:
  using MatType = typename NetworkTraits<NetworkType>::MatType;
  using LikelihoodType = typename NetworkTraits<NetworkType>::LikelihoodType;
  static_assert(likelihood::IsLikelihood<LikelihoodType, MatType>::value,
      "SymmetrizedELBO: the output layer of the network must be a likelihood "
      "of symvi for the same matrices, such as symvi::CategoricalLikelihood; "
      "mlpack's losses are not normalised densities.");

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
  SymmetrizedELBO(NetworkType& network, MatType predictors, MatType responses,
      EstimatorPtr estimator = MakeEstimator()) :
      ElboObjective<MatType>(
          std::make_shared<objective::NetworkPasses<NetworkType>>(network),
          std::move(predictors), std::move(responses), std::move(estimator)),
      network(network)
  {
    PrepareNetwork(network, this->Predictors().n_rows);
    const auto& layers = NetworkLayers(network);
    this->CheckData(*layers.back(), likelihood::linkOf<LikelihoodType>);
    LikelihoodType::CheckTargets(this->Responses(), layers.back()->OutputSize(),
        this->Predictors().n_cols);
    this->Attach(layers);
  }

  NetworkType& Network() { return network; }

 private:
  NetworkType& network;
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
          std::move(responses), nullptr)
  { }
};

// The objectives of the usual networks are compiled with the library.
#define SYMVI_OBJECTIVE(prefix, LikelihoodType, MatType) \
  prefix template class SymmetrizedELBO<mlpack::FFN<LikelihoodType<MatType>, \
      mlpack::RandomInitialization, MatType>>;
#define SYMVI_OBJECTIVES(prefix, MatType) \
  SYMVI_OBJECTIVE(prefix, CategoricalLikelihoodType, MatType) \
  SYMVI_OBJECTIVE(prefix, BernoulliLikelihoodType, MatType) \
  SYMVI_OBJECTIVE(prefix, GaussianLikelihoodType, MatType) \
  SYMVI_OBJECTIVE(prefix, HeteroscedasticGaussianLikelihoodType, MatType)
SYMVI_OBJECTIVES(extern, arma::mat)
SYMVI_OBJECTIVES(extern, arma::fmat)
extern template class ElboObjective<arma::mat>;
extern template class ElboObjective<arma::fmat>;

} // namespace symvi

#endif
