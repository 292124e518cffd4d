/**
 * @file examples/common/rival.hpp
 *
 * What one would use instead: a plain mlpack network, an ensemble of them, and
 * Monte-Carlo dropout.
 */
#ifndef SYMVI_EXAMPLES_COMMON_RIVAL_HPP
#define SYMVI_EXAMPLES_COMMON_RIVAL_HPP

#include <symvi.hpp>
#include <symvi/io/dataset.hpp>

#include <vector>

namespace examples {

//! How a rival is trained and asked.
struct RivalOptions
{
  //! Units of the hidden layers.
  std::vector<size_t> hidden = { 50 };
  //! Networks in an ensemble.
  size_t members = 1;
  //! Probability that a hidden unit is left out, and passes of a prediction; 0
  //! for no dropout.
  double dropout = 0.0;
  size_t passes = 100;
  //! Steps of Adam at 0.001 in batches of 32.
  size_t steps = 30000;
};

/**
 * Plain networks, trained on nine tenths of the points; the
 * last tenth chooses among 40 moments of the run, and gives the noise of a
 * regression.
 *
 * @tparam Loss CategoricalLikelihood or GaussianLikelihood: cross-entropy or
 *     squared error.
 */
template<typename Loss>
class Rival
{
 public:
  Rival(const arma::mat& points, const arma::mat& targets, const size_t outputs,
      const RivalOptions& options, const uint64_t seed) :
      options(options)
  {
    const size_t held = std::max<size_t>(1, points.n_cols / 10);
    for (size_t m = 0; m < options.members; ++m)
    {
      symvi::SeedThisThread(seed + 1000 * m);
      arma::mat X = points, y = targets;
      std::vector<size_t> order(X.n_cols);
      std::iota(order.begin(), order.end(), size_t(0));
      symvi::ShuffleOrder(seed + 1000 * m, order);
      symvi::PermuteColumns(X, order);
      symvi::PermuteColumns(y, order);
      networks.push_back(
          Train(X.head_cols(X.n_cols - held), y.head_cols(X.n_cols - held),
              X.tail_cols(held), y.tail_cols(held), outputs));
    }
  }

  //! Outputs of every pass of every network: outputs x points x passes.
  arma::cube Outputs(const arma::mat& points)
  {
    const size_t passes = (options.dropout > 0.0) ? options.passes : 1;
    arma::cube outputs;
    arma::mat result;
    for (size_t m = 0; m < networks.size(); ++m)
      for (size_t s = 0; s < passes; ++s)
      {
        networks[m].SetNetworkMode(options.dropout > 0.0);
        networks[m].Forward(points, result);
        if (outputs.is_empty())
          outputs.set_size(result.n_rows, result.n_cols,
              passes * networks.size());
        outputs.slice(m * passes + s) = result;
      }
    return outputs;
  }

  //! Mean squared error of every network on its held-out points.
  const std::vector<double>& HeldOutErrors() const { return errors; }

 private:
  using Network = mlpack::FFN<Loss, mlpack::HeInitialization>;

  Network Train(const arma::mat& X, const arma::mat& y, const arma::mat& heldX,
      const arma::mat& heldY, const size_t outputs)
  {
    // The noise level of a regression only scales its squared error.
    Loss loss;
    if constexpr (std::is_same_v<Loss, symvi::GaussianLikelihood>)
      loss = Loss(1.0);
    Network network(loss);
    for (const size_t units : options.hidden)
    {
      network.template Add<mlpack::Linear>(units);
      network.template Add<mlpack::ReLU>();
      if (options.dropout > 0.0)
        network.template Add<mlpack::Dropout>(options.dropout);
    }
    network.template Add<mlpack::Linear>(outputs);

    const size_t moments = 40, batch = std::min<size_t>(32, X.n_cols);
    ens::Adam adam(symvi::StepSize(1e-3, batch), batch);
    adam.MaxIterations() = std::max<size_t>(batch,
        options.steps * batch / moments);
    adam.Tolerance() = -1;
    adam.ResetPolicy() = false;
    double least = arma::datum::inf;
    arma::mat best, out;
    for (size_t i = 0; i < moments; ++i)
    {
      network.Train(X, y, adam);
      network.Predict(heldX, out);
      const double heldLoss = double(loss.Forward(out, heldY));
      if (heldLoss >= least)
        continue;
      least = heldLoss;
      best = network.Parameters();
    }
    network.Parameters().col(0) = best;
    network.Predict(heldX, out);
    if (out.n_rows == heldY.n_rows)
      errors.push_back(arma::mean(arma::vectorise(arma::square(out - heldY))));
    return network;
  }

  RivalOptions options;
  std::vector<Network> networks;
  std::vector<double> errors;
};

} // namespace examples

#endif
