/**
 * @file benchmarks/common/predictive.hpp
 *
 * The posterior predictive of a 784-30-10 network.
 */
#ifndef SYMVI_BENCHMARKS_PREDICTIVE_HPP
#define SYMVI_BENCHMARKS_PREDICTIVE_HPP

#include "data.hpp"
#include "rows.hpp"

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/predict/predictive.hpp>

#include <memory>

namespace bench {

//! A network and points to predict.
class Predictor : public std::enable_shared_from_this<Predictor>
{
 public:
  using MatType = arma::fmat;
  using Likelihood = symvi::CategoricalLikelihoodType<MatType>;

  explicit Predictor(const size_t points) : data(MakeData<MatType>(points))
  {
    mlpack::RandomSeed(1);
    network.Add<symvi::BayesianLinearType<MatType>>(30);
    network.Add<symvi::compat::ReLU<MatType>>();
    network.Add<symvi::BayesianLinearType<MatType>>(10);
    network.Reset(data.predictors.n_rows);
  }

  const MatType& Points() const { return data.predictors; }

  //! The predictive of the first few points.
  Candidate Predictive(const size_t draws, const size_t points,
      const size_t threads)
  {
    Candidate candidate;
    candidate.row = MakeRow("predictive, " + Size(draws, points), "30", "", 0,
        "float", threads);
    candidate.run = [self = shared_from_this(), draws, points](
                        const size_t steps)
    {
      const MatType first(self->data.predictors.memptr(),
          self->data.predictors.n_rows, points, false, true);
      for (size_t s = 0; s < steps; ++s)
        symvi::PredictPosterior(self->network, first, Likelihood(),
            symvi::PredictOptions(draws));
    };
    return candidate;
  }

  static std::string Size(const size_t draws, const size_t points)
  {
    return std::to_string(draws) + " draws, " + std::to_string(points) +
        " points";
  }

 private:
  Data<MatType> data;
  mlpack::FFN<Likelihood, mlpack::RandomInitialization, MatType> network;
};

} // namespace bench

#endif
