/**
 * @file mpi_speed.cpp
 *
 * What several ranks of one thread each gain; run it by mpirun -n 1 and -n 2:
 *
 *   mpi_speed step [HIDDEN] [BATCH]
 *   mpi_speed alone [HIDDEN] [BATCH]
 *   mpi_speed fits [EPOCHS]
 *
 * step: milliseconds per step of Fit() for 784-HIDDEN-10 (512) at a batch of
 * BATCH (1,000), and of the sum over the ranks alone; the best of five epochs.
 * alone: each rank takes the steps of one rank, all at the same time, which is
 * what the machine can do at all.
 * fits: seconds of 16 independent fits of 20-50-2 of EPOCHS (1,000) epochs.
 */
#include <symvi/kernel/threads.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/model/fit.hpp>
#include <symvi/mpi/communicator.hpp>

#include <chrono>
#include <cstdio>
#include <limits>

using namespace symvi;

namespace {

using Clock = std::chrono::steady_clock;

double Since(const Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template<typename MatType>
void Data(const size_t dimensions, const size_t points, const size_t classes,
    const uint64_t key, MatType& X, MatType& y)
{
  RandomStream stream(key);
  X.set_size(dimensions, points);
  stream.FillNormal(X.memptr(), X.n_elem);
  y.set_size(1, points);
  for (size_t i = 0; i < points; ++i)
    y[i] = double(std::min<size_t>(classes - 1,
        size_t(X(0, i) > 0) + size_t(X(1, i) > 0) * 2));
}

template<typename MatType>
using Model = BayesianFFN<CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

template<typename MatType>
Model<MatType> MakeModel(const size_t hidden, const size_t classes)
{
  Model<MatType> model;
  model.template Add<BayesianLinearType<MatType>>(hidden);
  model.template Add<compat::ReLU<MatType>>();
  model.template Add<BayesianLinearType<MatType>>(classes);
  return model;
}

template<typename MatType>
void Step(Communicator& ranks, const size_t hidden, const size_t batch,
    const bool symmetrize, const char* name)
{
  const size_t own = 10000 / ranks.Size();
  MatType X, y;
  Data(784, own, 10, 1 + ranks.Rank(), X, y);
  Model<MatType> model = MakeModel<MatType>(hidden, 10);
  model.Symmetrize() = symmetrize;
  double best = std::numeric_limits<double>::infinity();
  Clock::time_point start = Clock::now();
  model.Fit(X, y,
      FitOptions()
          .Epochs(6)
          .BatchSize(batch)
          .Seed(1)
          .KLWarmUp(0)
          .Over(ranks)
          .OnEpoch(
              [&](const EpochRecord& record, size_t)
              {
    if (record.epoch > 1)
      best = std::min(best, Since(start));
    start = Clock::now();
          }));
  const double steps = std::ceil(double(own * ranks.Size()) / double(batch));

  MatType message(model.Parameters().n_elem + 2, 1, arma::fill::ones);
  double sum = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i)
  {
    ranks.Sum(1.0);
    start = Clock::now();
    ranks.Sum(message.memptr(), message.n_elem);
    sum = std::min(sum, Since(start));
  }
  if (ranks.IsRoot())
    std::printf("%s 784-%zu-10, batch %zu, %zu ranks: %.2f ms per step, of "
                "which the sum of %.2f MB takes %.2f ms\n",
        name, hidden, batch, ranks.Size(), 1000.0 * best / steps,
        double(message.n_elem * sizeof(typename MatType::elem_type)) / 1e6,
        1000.0 * sum);
}

void Fits(Communicator& ranks, const size_t epochs)
{
  const Clock::time_point start = Clock::now();
  ranks.Share(
      16,
      [&](const size_t i)
      {
    arma::mat X, y;
    Data(20, 1000, 2, 5, X, y);
    Model<arma::mat> model = MakeModel<arma::mat>(50, 2);
    return std::to_string(
        model.Fit(X, y, FitOptions().Epochs(epochs).Seed(1 + i))
            .history.back()
            .elbo);
      },
      [](size_t, const std::string&) {});
  if (ranks.IsRoot())
    std::printf("16 fits of 20-50-2, %zu ranks: %.2f s\n", ranks.Size(),
        Since(start));
}

} // namespace

int main(int argc, char** argv)
{
  return RunRanks(
      [&](MpiCommunicator& ranks)
      {
    SetThreads(1);
    const std::string mode = (argc > 1) ? argv[1] : "step";
    const size_t hidden = (argc > 2) ? std::stoul(argv[2]) : 512;
    const size_t batch = (argc > 3) ? std::stoul(argv[3]) : 1000;
    if (mode == "fits")
    {
      Fits(ranks, (argc > 2) ? hidden : 1000);
      return 0;
    }
    if (mode == "alone")
    {
      for (const char* name : { "double", "float" })
      {
        ranks.Sum(1.0); // All begin together.
        if (std::string(name) == "double")
          Step<arma::mat>(Communicator::Alone(), hidden, batch, true, name);
        else
          Step<arma::fmat>(Communicator::Alone(), hidden, batch, true, name);
      }
      return 0;
    }
    Step<arma::mat>(ranks, hidden, batch, true, "double");
    Step<arma::mat>(ranks, hidden, batch, false, "double, without I(g; w),");
    Step<arma::fmat>(ranks, hidden, batch, true, "float");
    return 0;
  });
}
