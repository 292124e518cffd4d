/**
 * @file symvi/mpi/distributed_elbo.hpp
 *
 * The (symmetrized) ELBO of points that several processes hold.
 */
#ifndef SYMVI_MPI_DISTRIBUTED_ELBO_HPP
#define SYMVI_MPI_DISTRIBUTED_ELBO_HPP

#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/train/columns.hpp>
#include <symvi/kernel/communicator.hpp>

#include <exception>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace symvi {

/**
 * SymmetrizedELBO, or ELBO, of the points of all ranks, as a separable function
 * for any ensmallen optimizer that every rank runs:
 *
 *   sum_r [ -1/S sum_i log p(Y_Br | X_Br, w_i)
 *           + beta M/N (KL(q || p) - I(g; w)) / R ],
 *
 * B_r the points of the batch that rank r of R holds.  The random streams of
 * all ranks are those of rank 0: they see the same w, and each computes the
 * same KL(q || p) and I(g; w), of which it adds 1/R.  One sum over the ranks
 * per step, of the gradient and the value.
 *
 * The points of rank 0 come first, then those of rank 1, ...  Values, gradients
 * and the parameters after any number of steps are those of one rank with all
 * points, to rounding, and the same bits on all ranks and in every run with as
 * many ranks.
 *
 * @code
 * symvi::DistributedELBO<decltype(network)> elbo(network, X, y, ranks);
 * optimizer.Optimize(elbo, network.Parameters());
 * @endcode
 *
 * All functions that evaluate or reorder are collective.
 *
 * @tparam NetworkType An mlpack::FFN with Bayesian layers.
 */
template<typename NetworkType>
class DistributedELBO
{
 public:
  using ObjectiveType = SymmetrizedELBO<NetworkType>;
  using MatType = typename ObjectiveType::MatType;
  using ElemType = typename ObjectiveType::ElemType;

  /**
   * Collective.  The network takes the parameters of rank 0's.
   *
   * @param network Network to train, the same layers on every rank; it must
   *     outlive the objective.
   * @param predictors The points of this rank, one per column; at least one.
   * @param responses One target per column.
   * @param ranks The ranks; they must outlive the objective.
   * @param estimator Estimator of I(g; w); null for the plain ELBO.
   */
  DistributedELBO(NetworkType& network, MatType predictors, MatType responses,
      Communicator& ranks, EstimatorPtr estimator = MakeEstimator()) :
      ranks(ranks),
      predictors(std::move(predictors)),
      responses(std::move(responses)),
      held(this->predictors.n_cols, ranks)
  {
    ranks.Agree(
        [&]
        {
      // Views: Shuffle() moves the points that the objective sees.
      objective = std::make_unique<ObjectiveType>(network,
          View(this->predictors), View(this->responses), std::move(estimator));
      objective->HoldPart(held.Points(), ranks.Size());
    });
    MatType& parameters = network.Parameters();
    ranks.RequireSame("number of parameters",
        std::to_string(parameters.n_elem));
    std::vector<double> values(parameters.begin(), parameters.end());
    ranks.Broadcast(values.data(), values.size());
    std::copy(values.begin(), values.end(), parameters.begin());
    message.set_size(parameters.n_elem + 2, 1);
    Seed(RandomKey());
  }

  //! The objective of this rank, for its settings: Samples(), Temperature(),
  //! WarmUpEpochs(), InformationInterval(), Freeze(), ...; set them alike on
  //! all ranks.
  ObjectiveType& Objective() { return *objective; }

  //! Make everything from here on a function of the parameters and of rank 0's
  //! key.
  void Seed(const uint64_t key)
  {
    std::string text = std::to_string(key);
    ranks.Broadcast(text);
    order = RandomStream(std::stoull(text));
    objective->Seed(order.NextBits());
  }

  //! Objective on the points of all ranks.
  ElemType Evaluate(const MatType& parameters)
  {
    return Evaluate(parameters, 0, held.Points());
  }
  //! Objective on a batch.
  ElemType Evaluate(const MatType& parameters, const size_t begin,
      const size_t batchSize)
  {
    double value = 0.0;
    ranks.Agree([&]
        { value = objective->Evaluate(parameters, Part(begin, batchSize)); });
    return ElemType(ranks.Sum(value));
  }

  //! Objective and gradient on the points of all ranks.
  ElemType EvaluateWithGradient(const MatType& parameters, MatType& gradient)
  {
    return Pass(parameters, 0, gradient, held.Points(), false);
  }
  //! Objective and gradient on a batch.
  ElemType EvaluateWithGradient(const MatType& parameters, const size_t begin,
      MatType& gradient, const size_t batchSize)
  {
    return Pass(parameters, begin, gradient, batchSize, true);
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

  //! Reorder the points of all ranks; each keeps those that it holds.
  void Shuffle()
  {
    std::vector<size_t> all(held.Points());
    std::iota(all.begin(), all.end(), size_t(0));
    ShuffleOrder(order.NextBits(), all);
    const std::vector<size_t> own = held.Reorder(all);
    PermuteColumns(predictors, own);
    PermuteColumns(responses, own);
  }

  //! The number N of points of all ranks.
  size_t NumFunctions() const { return held.Points(); }

  //! Terms of the current epoch: log-likelihood and points of this rank, the
  //! rest of all.
  const ElboTerms& Terms() const { return objective->Terms(); }

 private:
  static MatType View(MatType& values)
  {
    return MatType(values.memptr(), values.n_rows, values.n_cols, false, true);
  }

  //! The points of a batch that this rank holds.
  BatchPart Part(const size_t begin, const size_t batchSize) const
  {
    const size_t end = std::min(begin + batchSize, held.Points());
    const size_t first = held.Before(begin);
    return { first, held.Before(end) - first, begin, end - begin };
  }

  ElemType Pass(const MatType& parameters, const size_t begin,
      MatType& gradient, const size_t batchSize, const bool isStep)
  {
    // The gradient, the value, and whether a rank has failed.
    const size_t n = parameters.n_elem;
    MatType part(message.memptr(), parameters.n_rows, parameters.n_cols, false,
        true);
    std::exception_ptr failure;
    message[n + 1] = 0;
    try
    {
      message[n] = objective->EvaluateWithGradient(parameters,
          Part(begin, batchSize), part, isStep);
    }
    catch (...)
    {
      failure = std::current_exception();
      message[n + 1] = 1;
    }
    ranks.Sum(message.memptr(), message.n_elem);
    if (message[n + 1] != 0)
      ranks.Agree(
          [&]
          {
        if (failure)
          std::rethrow_exception(failure);
      });
    gradient = part;
    return message[n];
  }

  Communicator& ranks;
  MatType predictors, responses;
  HeldPoints held;
  std::unique_ptr<ObjectiveType> objective;
  RandomStream order;
  MatType message;
};

} // namespace symvi

#endif
