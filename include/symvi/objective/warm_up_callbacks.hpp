/**
 * @file symvi/objective/warm_up_callbacks.hpp
 *
 * Callbacks of ensmallen that compare objectives, and an objective that grows
 * while the weight of its KL term does.
 */
#ifndef SYMVI_OBJECTIVE_WARM_UP_CALLBACKS_HPP
#define SYMVI_OBJECTIVE_WARM_UP_CALLBACKS_HPP

#include <symvi/prereqs.hpp>

#include <type_traits>
#include <utility>

namespace symvi {
namespace objective {

/**
 * Hands the epochs behind the warm-up to ens::EarlyStopAtMinLoss, so that
 * patience begins there.
 */
template<typename ObjectiveType, typename MatType>
class WarmEarlyStop
{
 public:
  WarmEarlyStop(const ObjectiveType& elbo,
                ens::EarlyStopAtMinLossType<MatType>& callback) :
      elbo(elbo),
      callback(callback)
  { }

  template<typename OptimizerType, typename FunctionType, typename CoordType>
  bool EndEpoch(OptimizerType& optimizer,
                FunctionType& function,
                const CoordType& coordinates,
                const size_t epoch,
                const double loss)
  {
    const bool isWarm = elbo.WarmUpEpochs() == 0.0 ||
        elbo.EpochsSeen() >= elbo.WarmUpEpochs() + 1.0;
    return isWarm &&
        callback.EndEpoch(optimizer, function, coordinates, epoch, loss);
  }

 private:
  const ObjectiveType& elbo;
  ens::EarlyStopAtMinLossType<MatType>& callback;
};

//! The same with the batches for ens::StoreBestCoordinates.
template<typename ObjectiveType, typename MatType>
class WarmStoreBest
{
 public:
  WarmStoreBest(const ObjectiveType& elbo,
                ens::StoreBestCoordinates<MatType>& callback) :
      elbo(elbo),
      callback(callback)
  { }

  template<typename OptimizerType, typename FunctionType, typename CoordType>
  bool Evaluate(OptimizerType& optimizer,
                FunctionType& function,
                const CoordType& coordinates,
                const double loss)
  {
    return elbo.EpochsSeen() >= elbo.WarmUpEpochs() &&
        callback.Evaluate(optimizer, function, coordinates, loss);
  }

 private:
  const ObjectiveType& elbo;
  ens::StoreBestCoordinates<MatType>& callback;
};

//! A callback that waits for the end of the warm-up, if it compares objectives;
//! any other is handed on as it is.
template<typename ObjectiveType, typename CallbackType>
CallbackType& AfterWarmUp(const ObjectiveType& /* elbo */,
                          CallbackType& callback)
{
  return callback;
}

template<typename ObjectiveType>
WarmEarlyStop<ObjectiveType, typename ObjectiveType::MatType> AfterWarmUp(
    const ObjectiveType& elbo,
    ens::EarlyStopAtMinLossType<typename ObjectiveType::MatType>& callback)
{
  return { elbo, callback };
}

template<typename ObjectiveType>
WarmStoreBest<ObjectiveType, typename ObjectiveType::MatType> AfterWarmUp(
    const ObjectiveType& elbo,
    ens::StoreBestCoordinates<typename ObjectiveType::MatType>& callback)
{
  return { elbo, callback };
}

} // namespace objective
} // namespace symvi

#endif
