/**
 * @file by_hand.cpp
 *
 * What symvi does by hand against the libraries that do the same: passes shared
 * by its threads or by OpenMP, products shared by its threads or by OpenBLAS's.
 *
 *   usage: by_hand [units] [rounds]
 *
 * A step is a forward and a backward product of 784 inputs, 100 points and the
 * given number of units, and four passes over as many weights.  Every candidate
 * runs in a process of its own, as the idle threads of one would keep the next
 * from its processors, and all of them in turn: what else runs on the machine
 * falls on all alike.  Two threads, times on the wall; `best` is the fastest
 * round (the machine was idle then, or nearly), `mean` that of all rounds.
 */
#include <symvi/kernel/threads.hpp>
#include "layer/gemm.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernel/share_blocks.hpp"

namespace {

enum class Passes
{
  Pool,
  OpenMP
};
enum class Products
{
  Gemm,
  Armadillo
};

struct Candidate
{
  const char* name;
  Passes passes;
  Products products;
  size_t threads;
};

const Candidate candidates[] = { { "one thread, symvi's gemm", Passes::Pool,
                                     Products::Gemm, 1 },
  { "one thread, C += A * B", Passes::Pool, Products::Armadillo, 1 },
  { "symvi's threads", Passes::Pool, Products::Gemm, 2 },
  { "OpenMP, symvi's gemm", Passes::OpenMP, Products::Gemm, 2 },
  { "symvi's threads, C += A * B", Passes::Pool, Products::Armadillo, 2 } };

class Step
{
 public:
  Step(const Candidate& how, const size_t units) :
      how(how),
      inputs(784, 100, arma::fill::randu),
      weights(units, 784, arma::fill::randn),
      outputs(units, 100),
      gradient(units, 784),
      first(units, 784, arma::fill::zeros),
      second(units, 784, arma::fill::zeros)
  { }

  void Run()
  {
    Pass([&](const size_t i) { weights[i] += 1e-6f * first[i]; });
    outputs.zeros();
    Product(false, weights, inputs, outputs);
    gradient.zeros();
    Product(true, outputs, inputs, gradient);
    Pass([&](const size_t i) { gradient[i] += 0.1f * weights[i]; });
    Pass([&](const size_t i)
        { first[i] = 0.9f * first[i] + 0.1f * gradient[i]; });
    Pass([&](const size_t i)
        { second[i] = 0.99f * second[i] + 0.01f * gradient[i] * gradient[i]; });
  }

 private:
  template<typename Function>
  void Pass(const Function& function)
  {
    const size_t n = weights.n_elem, block = 1 << 14;
    const auto some = [&](const size_t begin, const size_t count)
    {
      for (size_t i = begin; i < begin + count; ++i)
        function(i);
    };
    if (how.passes == Passes::Pool)
      return symvi::kernel::ShareBlocks(n, block, some);
    // Short arrays in one thread, as ShareBlocks() does it.
    const size_t blocks = (n + block - 1) / block;
#pragma omp parallel for schedule(dynamic) \
    num_threads(how.threads) if (blocks >= 4)
    for (size_t b = 0; b < blocks; ++b)
      some(b * block, std::min(block, n - b * block));
  }

  //! C += A B, or A B^T.
  void Product(const bool transpose, const arma::fmat& A, const arma::fmat& B,
      arma::fmat& C)
  {
    const size_t inner = A.n_cols;
    if (how.products == Products::Gemm)
      return symvi::Gemm<float>(false, transpose, C.n_rows, C.n_cols, inner,
          A.memptr(), B.memptr(), 1.0f, C.memptr());
    // Small products in one thread, as Gemm() does it.
    const bool small = double(C.n_elem) * double(inner) < 4e6;
    symvi::kernel::SetBlasThreads(small ? 1 : int(how.threads));
    if (transpose)
      C += A * B.t();
    else
      C += A * B;
  }

  const Candidate how;
  arma::fmat inputs, weights, outputs, gradient, first, second;
};

double Seconds()
{
  return std::chrono::duration<double>(
      std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

//! Microseconds of a step, the mean of a fifth of a second.
double Measure(const Candidate& how, const size_t units)
{
  symvi::SetThreads(how.threads);
  Step step(how, units);
  for (int i = 0; i < 5; ++i)
    step.Run();
  size_t steps = 0;
  const double start = Seconds();
  while (Seconds() < start + 0.2)
  {
    step.Run();
    ++steps;
  }
  return 1e6 * (Seconds() - start) / double(steps);
}

//! The same in a process of its own.
double MeasureAlone(const Candidate& how, const size_t units)
{
  int ends[2];
  double result = 0.0;
  if (pipe(ends) != 0)
    return result;
  const pid_t child = fork();
  if (child == 0)
  {
    result = Measure(how, units);
    const ssize_t written = write(ends[1], &result, sizeof(result));
    _exit(written == ssize_t(sizeof(result)) ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &result, sizeof(result)) != ssize_t(sizeof(result)))
    result = 0.0;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

} // namespace

int main(int argc, char** argv)
{
  const size_t units = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 128;
  const size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20;
  std::vector<std::vector<double>> times(std::size(candidates));
  for (size_t round = 0; round < rounds; ++round)
    for (size_t i = 0; i < times.size(); ++i)
      times[i].push_back(MeasureAlone(candidates[i], units));

  std::printf("784-%zu, microseconds per step of %zu rounds\n%-30s %8s %8s "
              "%8s\n",
      units, rounds, "", "best", "median", "mean");
  for (size_t i = 0; i < times.size(); ++i)
  {
    const arma::vec t(times[i]);
    std::printf("%-30s %8.0f %8.0f %8.0f\n", candidates[i].name, t.min(),
        arma::median(t), arma::mean(t));
  }
}
