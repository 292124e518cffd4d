/**
 * @file examples/weight_samples.cpp
 *
 * Markov chains of the weights of small networks.  Few units stay in one of the
 * equivalent modes, another one in each chain, and R-hat of single weights says
 * that the chains have not converged; many units change places all the time.
 * After alignment R-hat says how well the chains agree up to symmetry.
 */
#include <symvi/model/weight_samples.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"
#include "evidence/hamiltonian.hpp"

using namespace examples;

//! A network of one hidden layer and the data it is fitted to.
SmallNetwork Network(size_t units)
{
  SmallNetwork network;
  network.tanh = true;
  network.units = units;
  const Problem data = Sine(40, 1, network.noise, 0.0, 1, 1.5);
  network.X = data.X;
  network.y = data.y;
  return network;
}

//! A chain that starts at a draw of the prior: one sample per column.
arma::mat RunChain(const SmallNetwork& network, uint64_t seed, size_t burnIn,
    size_t samples)
{
  const size_t thin = 10;
  symvi::RandomStream stream(seed);
  Hamiltonian sampler(network, stream);
  Hamiltonian::State state = sampler.Prior();
  double size = 0.1;
  for (size_t i = 0; i < burnIn; ++i)
  {
    // From the prior to the posterior in the first half.
    const double b = std::min(1.0, std::pow(2.0 * double(i) / burnIn, 3.0));
    size *= sampler.Move(state, b, size, 20) ? 1.02 : 0.92;
    size = std::min(size, 0.5);
  }
  arma::mat chain(network.Size(), samples);
  for (size_t s = 0; s < samples; ++s)
  {
    for (size_t i = 0; i < thin; ++i)
      sampler.Move(state, 1.0, size, 20);
    chain.col(s) = state.w;
  }
  return chain;
}

symvi::NetworkSpec Spec(const SmallNetwork& network)
{
  symvi::NetworkSpec spec;
  spec.task = "regression";
  spec.inputs = spec.outputs = 1;
  spec.hidden = { network.units };
  spec.activation = "tanh";
  spec.noise = "fixed";
  spec.noiseStddev = network.noise;
  spec.standardizeInputs = spec.standardizeTargets = false;
  return spec;
}

//! How many weights have an R-hat below 1.05.
size_t Converged(const arma::vec& rhat)
{
  return size_t(arma::accu(rhat < 1.05));
}

int Experiment(const Options& options)
{
  const size_t chains = options.Seeds(4, 4, 8);
  const size_t length = options.quick ? 500 : 2000;
  CsvWriter csv(options.File("rhat.csv"),
      "units,weights,largest_before,mean_before,largest_after,mean_after,"
      "below_1.05_before,below_1.05_after,equivalent_modes,spread_before,"
      "spread_after");
  Claims claims;
  std::printf("R-hat of the weights of %zu chains of %zu samples\n"
              "units   as sampled: largest, mean, below 1.05   aligned: "
              "largest, mean, below 1.05   equivalent modes\n",
      chains, length);
  for (size_t units :
      options.quick ? std::vector<size_t>{ 2 } : options.Numbers("units"))
  {
    const SmallNetwork network = Network(units);
    std::vector<arma::mat> runs(chains);
    ForEachRun("chains", chains, options.jobs,
        [&](size_t c)
        { runs[c] = RunChain(network, 100 * units + c, 4000, length); });
    arma::mat all;
    for (const arma::mat& run : runs)
      all = arma::join_rows(all, run);

    symvi::WeightSamples samples(Spec(network), all, symvi::WeightLayout(),
        std::vector<size_t>(chains, length));
    samples.Metric() = symvi::UnitMetric::Standardized;
    const arma::vec before = samples.SplitRHat();
    const double spread = samples.Spread();
    samples.AlignToEachOther();
    samples.Canonicalize();
    const arma::vec after = samples.SplitRHat();
    samples.Save(options.File("aligned_" + std::to_string(units) + ".npy"));
    std::printf("%5zu %18.2f %7.2f %6zu of %-3zu %23.2f %6.2f %6zu of %-3zu "
                "%13zu\n",
        units, before.max(), arma::mean(before), Converged(before),
        size_t(before.n_elem), after.max(), arma::mean(after), Converged(after),
        size_t(after.n_elem), samples.EquivalentModes());
    csv.Row(units, before.n_elem, before.max(), arma::mean(before), after.max(),
        arma::mean(after), Converged(before), Converged(after),
        samples.EquivalentModes(), spread, samples.Spread());

    // The same functions: log p(Y | X, w) by the network written down here.
    double change = 0.0;
    for (size_t s = 0; s < all.n_cols; s += 50)
      change = std::max(change,
          std::abs(network.LogLikelihood(all.col(s), nullptr) -
              network.LogLikelihood(samples.Weights().col(s), nullptr)));
    const std::string with = ", " + std::to_string(units) + " units";
    claims.Check(change < 1e-8, "alignment keeps the functions" + with);
    claims.Check(after.max() < before.max(),
        "alignment brings the largest R-hat down" + with);
    claims.Check(Converged(after) == after.n_elem,
        "aligned, all weights have an R-hat below 1.05" + with);
    Picture picture(options.output, "rhat_" + std::to_string(units));
    picture.Data("rhat", std::vector<double>(before.begin(), before.end()),
        std::vector<double>(after.begin(), after.end()));
    picture
        << "set xlabel 'weight'\nset ylabel 'split R-hat'\nplot $rhat using "
           "0:1 with points title 'as sampled', '' using 0:2 with points "
           "title 'aligned'\n";
    picture.Write();
  }
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "weight_samples",
      "R-hat of the weights of Markov chains before and after alignment",
      Experiment, { { "units", "2 3 4 6 8" } });
}
