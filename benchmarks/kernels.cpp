/**
 * @file benchmarks/kernels.cpp
 *
 * The passes over the weights, with Google Benchmark.
 */
#include <benchmark/benchmark.h>

#include <armadillo>

#include "kernel/mean_field.hpp"
#include <symvi/optimizer/adam.hpp>

#include <vector>

namespace {

template<typename eT>
struct Weights
{
  explicit Weights(const size_t n) :
      mu(n),
      rho(n, eT(-3)),
      sigma(n),
      slope(n),
      eps(n),
      w(n),
      gradMu(n),
      gradRho(n),
      stream(1)
  {
    stream.FillNormal(mu.data(), n);
    stream.FillNormal(gradMu.data(), n);
    Draw();
  }

  double Draw()
  {
    return symvi::kernel::DrawAndKL<eT>(mu.data(), rho.data(), nullptr, 1.0,
        mu.size(), sigma.data(), slope.data(), eps.data(), w.data(), &stream);
  }

  std::vector<eT> mu, rho, sigma, slope, eps, w, gradMu, gradRho;
  symvi::RandomStream stream;
};

template<typename eT>
void FillNormal(benchmark::State& state)
{
  Weights<eT> weights(state.range(0));
  for (auto _ : state)
  {
    weights.stream.FillNormal(weights.eps.data(), weights.eps.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template<typename eT>
void ArmadilloRandn(benchmark::State& state)
{
  arma::Col<eT> eps(state.range(0));
  for (auto _ : state)
  {
    eps.randn();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template<typename eT>
void DrawAndKL(benchmark::State& state)
{
  Weights<eT> weights(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(weights.Draw());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template<typename eT>
void MeanFieldGradient(benchmark::State& state)
{
  Weights<eT> w(state.range(0));
  for (auto _ : state)
  {
    symvi::kernel::MeanFieldGradient<eT>(w.mu.data(), w.sigma.data(),
        w.slope.data(), w.eps.data(), nullptr, 1.0, 0.0, w.mu.size(),
        w.gradMu.data(), w.gradRho.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template<typename eT, typename Update>
void AdamUpdate(benchmark::State& state)
{
  using Vector = arma::Col<eT>;
  Vector x(state.range(0), arma::fill::randu);
  Vector g(state.range(0), arma::fill::randn);
  Update update;
  typename Update::template Policy<Vector, Vector> policy(update, x.n_rows, 1);
  for (auto _ : state)
  {
    policy.Update(x, 1e-6, g);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

} // namespace

// Weights of 784-30-10 and 784-512-10.
BENCHMARK(FillNormal<float>)->Arg(23860)->Arg(407050);
BENCHMARK(FillNormal<double>)->Arg(23860)->Arg(407050);
BENCHMARK(ArmadilloRandn<float>)->Arg(23860);
BENCHMARK(DrawAndKL<float>)->Arg(23860)->Arg(407050);
BENCHMARK(DrawAndKL<double>)->Arg(23860)->Arg(407050);
BENCHMARK(MeanFieldGradient<float>)->Arg(23860)->Arg(407050);
BENCHMARK(MeanFieldGradient<double>)->Arg(23860)->Arg(407050);
BENCHMARK(AdamUpdate<float, ens::AdamUpdate>)->Arg(47720)->Arg(814100);
BENCHMARK(AdamUpdate<float, symvi::AdamUpdate>)->Arg(47720)->Arg(814100);
BENCHMARK(AdamUpdate<double, ens::AdamUpdate>)->Arg(47720)->Arg(814100);
BENCHMARK(AdamUpdate<double, symvi::AdamUpdate>)->Arg(47720)->Arg(814100);

BENCHMARK_MAIN();
