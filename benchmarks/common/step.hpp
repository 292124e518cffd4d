/**
 * @file benchmarks/common/step.hpp
 *
 * Training steps that can be timed against each other: forward, backward and
 * Adam on a batch of 100, exactly as ens::SGD drives them.
 */
#ifndef SYMVI_BENCHMARKS_STEP_HPP
#define SYMVI_BENCHMARKS_STEP_HPP

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>

#include "data.hpp"

#include <memory>
#include <vector>

namespace bench {

constexpr size_t batchSize = 100;
constexpr double stepSize = 1e-3;

//! Something that can take training steps.
class Step
{
 public:
  virtual ~Step() { }
  virtual void Run(const size_t steps) = 0;
  //! Remember the parameters.
  virtual void Keep() = 0;
  //! Go back to those that Keep() has seen, and to the first batch.
  virtual void Restore() = 0;
};

//! The loop of ens::SGD around an objective and an update policy.
template<typename MatType, typename Update>
class Loop
{
 public:
  explicit Loop(const MatType& parameters) :
      policy(update, parameters.n_rows, parameters.n_cols),
      gradient(parameters.n_rows, parameters.n_cols)
  { }

  template<typename Objective>
  void Run(Objective& objective, MatType& parameters, const size_t points,
      const size_t steps)
  {
    for (size_t s = 0; s < steps; ++s)
    {
      objective.EvaluateWithGradient(parameters, next, gradient, batchSize);
      policy.Update(parameters, stepSize, gradient);
      next = (next + 2 * batchSize > points) ? 0 : next + batchSize;
    }
  }

  void Keep(const MatType& parameters) { kept = parameters; }

  // Column by column: an assignment would move the memory that layers point to.
  void Restore(MatType& parameters)
  {
    parameters.col(0) = kept.col(0);
    next = 0;
  }

 private:
  Update update;
  typename Update::template Policy<MatType, MatType> policy;
  MatType gradient, kept;
  size_t next = 0;
};

//! A plain mlpack network with ens::Adam: the yardstick.
template<typename MatType>
class PlainStep : public Step
{
 public:
  PlainStep(const Data<MatType>& data, const std::vector<size_t>& hidden)
  {
    for (const size_t width : hidden)
    {
      network.template Add<symvi::compat::Linear<MatType>>(width);
      network.template Add<symvi::compat::ReLU<MatType>>();
    }
    network.template Add<symvi::compat::Linear<MatType>>(10);
    network.template Add<symvi::compat::LogSoftMax<MatType>>();
    network.ResetData(Share(data.predictors), Share(data.labels));
    network.Reset(data.predictors.n_rows);
    // mlpack's weights in [-1, 1] saturate a wide network: most deltas of its
    // softmax are then denormal numbers, which some processors are slow at.
    network.Parameters().col(0) *= 0.05f;
    network.SetNetworkMode(true);
    loop = std::make_unique<Loop<MatType, ens::AdamUpdate>>(
        network.Parameters());
  }

  void Run(const size_t steps) override
  {
    loop->Run(network, network.Parameters(), network.NumFunctions(), steps);
  }
  void Keep() override { loop->Keep(network.Parameters()); }
  void Restore() override { loop->Restore(network.Parameters()); }

 private:
  mlpack::FFN<symvi::compat::NegativeLogLikelihood<MatType>,
      mlpack::RandomInitialization, MatType>
      network;
  std::unique_ptr<Loop<MatType, ens::AdamUpdate>> loop;
};

/**
 * The same network with Bayesian layers.
 *
 * @tparam Update ens::AdamUpdate or symvi::AdamUpdate.
 */
template<typename MatType, typename Update>
class BayesianStep : public Step
{
 public:
  using Network = mlpack::FFN<symvi::CategoricalLikelihoodType<MatType>,
      mlpack::RandomInitialization, MatType>;
  using Objective = symvi::SymmetrizedELBO<Network>;

  BayesianStep(const Data<MatType>& data, const std::vector<size_t>& hidden,
      const symvi::EstimatorPtr& estimator)
  {
    for (const size_t width : hidden)
    {
      network.template Add<symvi::BayesianLinearType<MatType>>(width);
      network.template Add<symvi::compat::ReLU<MatType>>();
    }
    network.template Add<symvi::BayesianLinearType<MatType>>(10);
    objective = std::make_unique<Objective>(network, Share(data.predictors),
        Share(data.labels), estimator);
    loop = std::make_unique<Loop<MatType, Update>>(network.Parameters());
  }

  void Run(const size_t steps) override
  {
    loop->Run(*objective, network.Parameters(), objective->NumFunctions(),
        steps);
  }
  void Keep() override { loop->Keep(network.Parameters()); }
  void Restore() override { loop->Restore(network.Parameters()); }

  Network& GetNetwork() { return network; }

 private:
  Network network;
  std::unique_ptr<Objective> objective;
  std::unique_ptr<Loop<MatType, Update>> loop;
};

} // namespace bench

#endif
