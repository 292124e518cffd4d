/**
 * @file estimator_table.cpp
 *
 * Bias, spread, gradient and cost of the estimators of I(g; w), as the tables
 * of docs/estimators.md.
 *
 *   estimator_table [--draws N] [--quick]
 */
#include "../tests/information/regimes.hpp"

#include <symvi/information/estimators.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace symvi;
using namespace symvi_tests;

namespace {

double Now()
{
  return std::chrono::duration<double>(
      std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

//! What is known about one estimator in one regime.
struct Cell
{
  RunningMean bias, spread;
  //! Sums of <estimate, exact> and <exact, exact> over gradients.
  double inner = 0.0, norm = 0.0;
  std::vector<double> times;

  double Milliseconds()
  {
    std::nth_element(times.begin(), times.begin() + times.size() / 2,
        times.end());
    return 1e3 * times[times.size() / 2];
  }
};

double Inner(const std::vector<std::vector<double>>& x,
    const std::vector<std::vector<double>>& y)
{
  double sum = 0.0;
  for (size_t l = 0; l < x.size(); ++l)
    for (size_t i = 0; i < x[l].size(); ++i)
      sum += x[l][i] * y[l][i];
  return sum;
}

//! Compare an estimator with the exact value and gradient at the current draw.
template<typename EstimatorType>
void Compare(RegimeChain& net, EstimatorType& estimator, const double exact,
    const std::vector<std::vector<double>>& gradient, RandomStream& stream,
    Cell& cell)
{
  const size_t repeats = 4;
  const double norm = Inner(gradient, gradient);
  RunningMean values;
  for (size_t r = 0; r < repeats; ++r)
  {
    net.ZeroGradient();
    const double start = Now();
    const InformationEstimate e = estimator.EvaluateWithGradient(net.chain,
        stream, 1.0, net.gradient);
    cell.times.push_back(Now() - start);
    values.Add(e.value);
    cell.inner += Inner(gradient, net.path);
    cell.norm += norm;
  }
  cell.bias.Add(values.Mean() - exact);
  cell.spread.Add(values.squares / (repeats - 1));
}

void PrintRow(const char* name, std::vector<Cell>& cells)
{
  std::printf("| %s |", name);
  for (Cell& c : cells)
    std::printf(" %.3f (%.2f) |", c.bias.Mean(), std::sqrt(c.spread.Mean()));
  std::printf("\n| gradient |");
  for (Cell& c : cells)
    if (c.norm > 1e-6)
      std::printf(" %.2f |", c.inner / c.norm);
    else
      std::printf(" - |");
  std::printf("\n| ms |");
  for (Cell& c : cells)
    std::printf(" %.3f |", c.Milliseconds());
  std::printf("\n");
  std::fflush(stdout);
}

//! d = 20 against the exact value.
void TableOfTwenty(const size_t draws)
{
  const std::vector<Regime> regimes = Regimes();
  std::vector<RunningMean> information(regimes.size());
  const char* names[] = { "uniform K=20", "uniform K=1000", "importance K=1",
    "importance K=20", "auto K=20" };
  std::vector<std::vector<Cell>> cells(5, std::vector<Cell>(regimes.size()));
  std::vector<Cell> exactCells(regimes.size());
  for (size_t k = 0; k < regimes.size(); ++k)
  {
    RegimeChain net(regimes[k], 20, 1);
    ExactEstimator exact;
    UniformEstimator few(20), many(1000);
    ImportanceEstimator one(1), twenty(20);
    AutoEstimator automatic(20);
    RandomStream stream(2);
    for (size_t i = 0; i < draws; ++i)
    {
      net.Draw();
      net.ZeroGradient();
      const double start = Now();
      const double value = exact
                               .EvaluateWithGradient(net.chain, stream, 1.0,
                                   net.gradient)
                               .value;
      exactCells[k].times.push_back(Now() - start);
      const std::vector<std::vector<double>> gradient = net.path;
      information[k].Add(value);
      Compare(net, few, value, gradient, stream, cells[0][k]);
      Compare(net, many, value, gradient, stream, cells[1][k]);
      Compare(net, one, value, gradient, stream, cells[2][k]);
      Compare(net, twenty, value, gradient, stream, cells[3][k]);
      Compare(net, automatic, value, gradient, stream, cells[4][k]);
    }
  }
  std::printf("d = 20, bias in nats (standard deviation given w), %zu draws\n\n"
              "| |",
      draws);
  for (const Regime& r : regimes)
    std::printf(" %s |", r.name.c_str());
  std::printf("\n|---|---|---|---|---|---|---|\n| exact I |");
  for (const RunningMean& m : information)
    std::printf(" %.3f |", m.Mean());
  std::printf("\n| ms |");
  for (Cell& c : exactCells)
    std::printf(" %.3f |", c.Milliseconds());
  std::printf("\n");
  for (size_t e = 0; e < cells.size(); ++e)
    PrintRow(names[e], cells[e]);
  bool good = true;
  for (Cell& c : cells[3])
    good &= std::abs(c.bias.Mean()) <= 0.1;
  std::printf("\nimportance K=20 within 0.1 nat everywhere: %s\n\n",
      good ? "yes" : "NO");
}

//! d = 100 between both bounds; K = 1000 for one draw in ten.
void TableOfHundred(const size_t draws)
{
  std::printf(
      "d = 100 (log d! = %.2f), mean of L_K / U_K over %zu draws for "
      "K = 20, %zu for K = 1000\n\n"
      "| regime | K = 20 | U - L (standard error) | K = 1000 | U - L | uniform "
      "K = 1000 | ms, K = 20 |\n"
      "|---|---|---|---|---|---|---|\n",
      std::lgamma(101.0), draws, (draws + 9) / 10);
  bool good = true;
  for (const Regime& regime : Regimes())
  {
    RegimeChain net(regime, 100, 1);
    AutoEstimator few(20), many(1000);
    UniformEstimator uniform(1000);
    RandomStream stream(2);
    RunningMean low[2], high[2], gap[2], paper;
    Cell cell;
    const auto add = [&](const size_t k, const InformationEstimate& e)
    {
      low[k].Add(e.lower);
      high[k].Add(e.upper);
      gap[k].Add(e.upper - e.lower);
    };
    for (size_t i = 0; i < draws; ++i)
    {
      net.Draw();
      net.ZeroGradient();
      const double start = Now();
      const InformationEstimate e = few.EvaluateWithGradient(net.chain, stream,
          1.0, net.gradient);
      cell.times.push_back(Now() - start);
      add(0, e);
      if (i % 10 != 0)
        continue;
      add(1, many.Evaluate(net.chain, stream));
      paper.Add(uniform.Evaluate(net.chain, stream).value);
    }
    good &= gap[0].Mean() <= 0.2 && gap[1].Mean() <= 0.2;
    std::printf("| %s | %.2f / %.2f | %.3f (%.3f) | %.2f / %.2f | %.3f | %.2f "
                "| %.2f |\n",
        regime.name.c_str(), low[0].Mean(), high[0].Mean(), gap[0].Mean(),
        gap[0].StandardError(), low[1].Mean(), high[1].Mean(), gap[1].Mean(),
        paper.Mean(), cell.Milliseconds());
    std::fflush(stdout);
  }
  std::printf("\nU - L <= 0.2 nat everywhere: %s\n\n", good ? "yes" : "NO");
}

//! Two hidden layers of four units against enumeration.
void TableOfDeep(const size_t draws)
{
  std::printf("3-4-4-2, bias in nats, %zu draws\n\n"
              "| sigma | exact I | uniform K=20 | auto K=20: L | U |\n"
              "|---|---|---|---|---|\n",
      draws);
  bool good = true;
  for (const double sigma : { 0.1, 0.3, 0.6, 1.0 })
  {
    RandomChain<double> net({ 3, 4, 4, 2 }, 0.6, sigma, 11);
    ExactEstimator exact;
    UniformEstimator uniform(20);
    AutoEstimator automatic(20);
    RandomStream stream(2);
    RunningMean value, paper, lower, upper;
    for (size_t i = 0; i < draws; ++i)
    {
      net.Draw();
      const double x = exact.Evaluate(net.chain, stream).value;
      const InformationEstimate e = automatic.Evaluate(net.chain, stream);
      value.Add(x);
      paper.Add(uniform.Evaluate(net.chain, stream).value - x);
      lower.Add(e.lower - x);
      upper.Add(e.upper - x);
    }
    good &= std::abs(lower.Mean()) <= 0.15 && std::abs(upper.Mean()) <= 0.15;
    std::printf("| %.1f | %.3f | %.3f | %.4f | %.4f |\n", sigma, value.Mean(),
        paper.Mean(), lower.Mean(), upper.Mean());
  }
  std::printf("\nboth bounds within 0.15 nat: %s\n", good ? "yes" : "NO");
}

} // namespace

int main(int argc, char** argv)
{
  size_t draws = 200;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--quick") == 0)
      draws = 20;
    else if (std::strcmp(argv[i], "--draws") == 0 && i + 1 < argc)
      draws = size_t(std::max(2, std::atoi(argv[++i])));
    else
    {
      std::fprintf(stderr, "usage: %s [--draws N] [--quick]\n", argv[0]);
      return 2;
    }
  TableOfTwenty(draws);
  TableOfHundred(draws);
  TableOfDeep(10 * draws);
  return 0;
}
