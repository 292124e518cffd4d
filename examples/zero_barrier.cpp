/**
 * @file examples/zero_barrier.cpp
 *
 * Two runs from different seeds reach equivalent modes that look different.
 * Aligned by a permutation of hidden units, the straight line between their
 * means no longer crosses a barrier of the loss.
 */
#include <symvi.hpp>
#include <symvi/symmetry/alignment.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;
using Model = symvi::BayesianFFN<symvi::CategoricalLikelihood>;

Model Train(const Problem& data, size_t epochs, size_t units, uint32_t seed)
{
  mlpack::RandomSeed(seed);
  Model model;
  model.Add<symvi::BayesianLinear>(units);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(10);
  ens::Adam adam(symvi::StepSize(5e-3, 50), 50, 0.9, 0.999, 1e-8,
      epochs * data.X.n_cols, -1.0);
  model.Train(data.X, data.y, adam);
  return model;
}

//! Parameters of `from` with its hidden units in the order of those of `to`.
arma::mat Align(Model& from, Model& to)
{
  for (Model* model : { &from, &to })
    for (auto* layer : model->BayesianLayers())
      layer->Draw(); // Chains look at a draw and its sigma.
  symvi::NetworkSymmetry<> a(std::as_const(from).Network()),
      b(std::as_const(to).Network());
  const auto& chain = a.GetChain(0);
  const symvi::Permutation g = symvi::Alignment().Match(chain, b.GetChain(0));

  arma::mat aligned = from.Parameters();
  double* out = aligned.memptr();
  for (size_t l = 0; l < a.ChainLayers(0).size(); ++l)
    for (const arma::mat* half :
        { &a.ChainLayers(0)[l]->Means(), &a.ChainLayers(0)[l]->Rhos() })
    {
      symvi::Apply(g, chain, l, half->memptr(), out,
          half == &a.ChainLayers(0)[l]->Means() ?
              symvi::WeightArray::Values :
              symvi::WeightArray::Magnitudes);
      out += half->n_elem;
    }
  return aligned;
}

//! Test loss of the mean network on the line between two parameter vectors.
std::vector<double> Losses(Model& model, const arma::mat& a, const arma::mat& b,
    const std::vector<double>& line, const Problem& data)
{
  std::vector<double> losses;
  arma::mat logits;
  for (double t : line)
  {
    model.Parameters().col(0) = (1 - t) * a + t * b;
    model.Base().Predict(data.testX, logits);
    losses.push_back(model.Likelihood().Forward(logits, data.testY) /
        double(data.testX.n_cols));
  }
  return losses;
}

//! The largest rise above the straight line between the ends.
double Barrier(const std::vector<double>& losses)
{
  double barrier = 0;
  const double steps = double(losses.size() - 1);
  for (size_t i = 0; i < losses.size(); ++i)
    barrier = std::max(barrier,
        losses[i] - losses.front() -
            (losses.back() - losses.front()) * double(i) / steps);
  return barrier;
}

int Experiment(const Options& options)
{
  const size_t pairs = options.Seeds(1, 5, 10);
  const Problem data = Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv",
      1297, 1);
  std::vector<double> line, before, after, losses[2];
  for (size_t i = 0; i <= 20; ++i)
    line.push_back(double(i) / 20);
  CsvWriter csv(options.File("losses.csv"), "pair,t,as_trained,aligned");
  Progress progress("pairs", pairs);
  for (size_t pair = 0; pair < pairs; ++pair, progress.Step())
  {
    const size_t epochs = options.quick ? 40 : 200;
    const size_t units = options.Number("units");
    Model first = Train(data, epochs, units, uint32_t(2 * pair + 1));
    Model second = Train(data, epochs, units, uint32_t(2 * pair + 2));
    const arma::mat a = first.Parameters(), b = second.Parameters();
    const arma::mat aligned = Align(second, first);
    losses[0] = Losses(first, a, b, line, data);
    losses[1] = Losses(first, a, aligned, line, data);
    before.push_back(Barrier(losses[0]));
    after.push_back(Barrier(losses[1]));
    for (size_t i = 0; i < line.size(); ++i)
      csv.Row(pair, line[i], losses[0][i], losses[1][i]);
    std::printf("pair %zu: barrier %.4f as trained, %.4f aligned; loss at the "
                "ends %.4f, %.4f\n",
        pair + 1, before.back(), after.back(), losses[0].front(),
        losses[0].back());
  }
  Picture picture(options.output, "barrier");
  picture.Data("losses", line, losses[0], losses[1]);
  picture
      << "set xlabel 'from run 1 to run 2'\nset ylabel 'test loss of the "
         "mean network, nats per point'\nplot $losses using 1:2 with linespoints "
         "title 'as trained', '' using 1:3 with linespoints title 'aligned'\n";
  picture.Write();
  std::printf("mean barrier: %.4f as trained, %.4f aligned\n",
      Summary(before).mean, Summary(after).mean);

  Claims claims;
  claims.Check(std::abs(losses[1].back() - losses[0].back()) < 1e-6,
      "the aligned network is the same function");
  claims.Check(Summary(after).mean < 0.5 * Summary(before).mean,
      "alignment takes away at least half of the barrier");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "zero_barrier",
      "the loss between two runs, before and after alignment", Experiment,
      { { "units", "64" } });
}
