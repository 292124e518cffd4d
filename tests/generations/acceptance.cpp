/**
 * @file tests/generations/acceptance.cpp
 *
 * The programs that users write, compiled with every generation of mlpack: each
 * prints L and L^G, which must agree between generations.
 */
#include <symvi.hpp>

#include <cstdio>

namespace {

//! Points that need no random numbers: those of mlpack may change.
arma::mat Points()
{
  arma::mat points(4, 200);
  for (size_t i = 0; i < points.n_elem; ++i)
    points(i) = std::sin(1.7 * double(i) + 0.3 * double(i % 7));
  return points;
}

template<typename NetworkType>
void AddLayers(NetworkType& network)
{
  network.template Add<symvi::BayesianLinear>(12);
  network.template Add<mlpack::ReLU>();
  network.template Add<symvi::BayesianLinear>(2);
}

void Print(const char* program, const symvi::ElboReport& report)
{
  std::printf("%s,%.10f,%.10f\n", program, report.elbo, report.symmetrizedElbo);
}

} // namespace

int main()
{
  const arma::mat X = Points();
  const arma::mat y = arma::conv_to<arma::mat>::from(X.row(0) > X.row(1));

  // Batteries included.
  {
    symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
    AddLayers(model);
    const symvi::FitReport fit = model.Fit(X, y,
        symvi::FitOptions().Epochs(50).Seed(4));
    std::printf("epochs,%zu\n", fit.epochs);
    Print("fit", model.Elbo(X, y));
  }

  // Drop-in, with an optimizer of ensmallen.
  {
    mlpack::RandomSeed(1);
    symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
    AddLayers(model);
    ens::Adam adam(symvi::StepSize(1e-2, 50), 50);
    adam.MaxIterations() = 50 * X.n_cols;
    adam.Shuffle() = false;
    model.Train(X, y, adam);
    Print("drop_in", model.Elbo(X, y));
  }

  // The same with symvi::Adam and plain mean-field inference.
  {
    mlpack::RandomSeed(2);
    symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
    AddLayers(model);
    model.Symmetrize() = false;
    symvi::Adam adam(symvi::StepSize(1e-2, 50), 50);
    adam.MaxIterations() = 50 * X.n_cols;
    adam.Shuffle() = false;
    model.Train(X, y, adam);
    Print("mean_field", model.Elbo(X, y));
  }

  // A plain network and an explicit objective.
  {
    mlpack::RandomSeed(3);
    mlpack::FFN<symvi::CategoricalLikelihood> network;
    AddLayers(network);
    symvi::SymmetrizedELBO<decltype(network)> elbo(network, X, y);
    ens::Adam adam(symvi::StepSize(1e-2, 50), 50);
    adam.MaxIterations() = 50 * X.n_cols;
    adam.Shuffle() = false;
    adam.Optimize(elbo, network.Parameters());

    symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
    AddLayers(model);
    model.Reset(4);
    model.Parameters().col(0) = network.Parameters().col(0);
    Print("objective", model.Elbo(X, y));
  }
}
