/**
 * @file benchmarks/common/step_rows.hpp
 *
 * Training steps of one element type against the plain network's.
 */
#ifndef SYMVI_BENCHMARKS_STEP_ROWS_HPP
#define SYMVI_BENCHMARKS_STEP_ROWS_HPP

#include "rows.hpp"
#include "step.hpp"

namespace bench {

/**
 * Steps taken before the clock starts: posteriors are then on their way.  Every
 * round is timed from the same parameters, so that what is measured does not
 * depend on how long.
 */
constexpr size_t warmUp = 100;

//! The name of an element type.
template<typename MatType>
std::string TypeName()
{
  return std::is_same<typename MatType::elem_type, float>::value ? "float" :
                                                                   "double";
}

//! Training steps of one shape that are timed against each other.
template<typename MatType>
class StepGroup
{
 public:
  /**
   * @param data What to train on.
   * @param hidden The shape.
   * @param threads How many threads are in use.
   * @param prefix What the names of the rows start with.
   */
  StepGroup(const Data<MatType>& data, const std::vector<size_t>& hidden,
      const size_t threads, const std::string& prefix = "") :
      data(data),
      hidden(hidden),
      threads(threads),
      prefix(prefix)
  {
    Add("ffn", "", 0, std::make_shared<PlainStep<MatType>>(data, hidden));
  }

  //! Bayesian networks added from now on start from the result of so many
  //! mean-field steps.
  void TrainFirst(const size_t steps)
  {
    BayesianStep<MatType, symvi::AdamUpdate> step(data, hidden, nullptr);
    step.Run(steps);
    start = step.GetNetwork().Parameters();
  }

  //! They start near the prior: sigma = 1, and means of standard deviation .03.
  void StartAtPrior()
  {
    start.reset();
    size_t inSize = data.predictors.n_rows;
    std::vector<size_t> widths = hidden;
    widths.push_back(10);
    for (const size_t width : widths)
    {
      const size_t n = (inSize + 1) * width;
      start.insert_rows(start.n_rows,
          MatType(0.03f * MatType(n, 1, arma::fill::randn)));
      start.insert_rows(start.n_rows,
          MatType(std::log(std::exp(1.0f) - 1.0f) *
              MatType(n, 1, arma::fill::ones)));
      inSize = width;
    }
  }

  //! Mean-field inference.
  template<typename Update>
  void AddMeanField(const std::string& name)
  {
    AddBayesian(name, "", 0,
        std::make_shared<BayesianStep<MatType, Update>>(data, hidden, nullptr));
  }

  //! With an estimator of I(g; w).
  template<typename Update>
  void AddSymmetrized(const std::string& name, const std::string& estimator,
      const size_t k)
  {
    AddBayesian(name, estimator, k,
        std::make_shared<BayesianStep<MatType, Update>>(data, hidden,
            symvi::MakeEstimator(estimator, k)));
  }

  //! What there is to be timed.
  std::vector<Candidate>& Candidates() { return candidates; }

  std::vector<Row> Measure(const double seconds)
  {
    return Compare(candidates, seconds);
  }

 private:
  template<typename StepType>
  void AddBayesian(const std::string& name, const std::string& estimator,
      const size_t k, std::shared_ptr<StepType> step)
  {
    if (!start.is_empty())
      step->GetNetwork().Parameters().col(0) = start.col(0);
    Add(name, estimator, k, step, start.is_empty() ? warmUp : 1);
  }

  void Add(const std::string& name, const std::string& estimator,
      const size_t k, std::shared_ptr<Step> step, const size_t before = warmUp)
  {
    step->Run(before);
    step->Keep();
    candidates.emplace_back();
    candidates.back().row = MakeRow(prefix + name, Text(hidden), estimator, k,
        TypeName<MatType>(), threads);
    candidates.back().run = [step](const size_t steps) { step->Run(steps); };
    candidates.back().prepare = [step] { step->Restore(); };
  }

  const Data<MatType>& data;
  std::vector<size_t> hidden;
  size_t threads;
  std::string prefix;
  //! Where Bayesian networks start; empty for where they are made.
  MatType start;
  std::vector<Candidate> candidates;
};

//! All rows of one shape.
template<typename MatType>
std::vector<Row> ShapeRows(const Data<MatType>& data,
    const std::vector<size_t>& hidden, const Settings& settings)
{
  using Fused = symvi::AdamUpdate;
  StepGroup<MatType> group(data, hidden, settings.threads);
  group.template AddMeanField<Fused>("mfvi");
  group.template AddMeanField<ens::AdamUpdate>("mfvi/ens::Adam");
  group.template AddSymmetrized<Fused>("sgm", "uniform", 20);
  group.template AddSymmetrized<Fused>("sgm", "uniform", 100);
  group.template AddSymmetrized<Fused>("sgm", "auto", 20);
  group.template AddSymmetrized<ens::AdamUpdate>("sgm/ens::Adam", "auto", 20);
  if (!settings.quick)
  {
    group.template AddSymmetrized<Fused>("sgm", "uniform", 5);
    for (const std::string& name : symvi::EstimatorNames())
      for (const size_t k : { 5, 20, 100 })
        if (name != "uniform" && !(name == "auto" && k == 20) &&
            !(name == "exact" && hidden[0] > 30))
          group.template AddSymmetrized<Fused>("sgm", name, k);
  }
  return group.Measure(settings.quick ? 3.5 : 30.0);
}

//! All shapes, or the one that the settings name; on as many points as MNIST.
template<typename MatType>
std::vector<Row> StepRows(std::vector<std::vector<size_t>> shapes,
    const Settings& settings)
{
  if (!settings.hidden.empty())
    shapes = { Shape(settings.hidden) };
  mlpack::RandomSeed(1);
  const Data<MatType> data = MakeData<MatType>(60000);
  std::vector<Row> all;
  for (const std::vector<size_t>& hidden : shapes)
  {
    const std::vector<Row> rows = ShapeRows(data, hidden, settings);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

} // namespace bench

#endif
