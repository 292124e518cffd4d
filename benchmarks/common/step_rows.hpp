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

//! Steps taken before the clock starts: posteriors are then on their way.
constexpr size_t warmUp = 100;

template<typename MatType>
class StepGroup
{
 public:
  StepGroup(const Data<MatType>& data, const std::vector<size_t>& hidden,
            const size_t threads) :
      data(data), hidden(hidden), threads(threads)
  {
    Add("ffn", "", 0, std::make_shared<PlainStep<MatType>>(data, hidden));
  }

  //! Mean-field inference.
  template<typename Update>
  void AddMeanField(const std::string& name)
  {
    Add(name, "", 0, std::make_shared<BayesianStep<MatType,
        symvi::NoInformation, Update>>(data, hidden, symvi::NoInformation()));
  }

  //! With an estimator of I(g; w).
  template<typename Update>
  void AddSymmetrized(const std::string& name, const std::string& estimator,
                      const size_t k)
  {
    Add(name, estimator, k, std::make_shared<BayesianStep<MatType,
        symvi::AnyEstimator, Update>>(data, hidden,
        symvi::AnyEstimator(estimator, k)));
  }

  std::vector<Row> Measure(const double seconds)
  {
    return Compare(candidates, seconds);
  }

 private:
  void Add(const std::string& name, const std::string& estimator,
           const size_t k, std::shared_ptr<Step> step)
  {
    step->Run(warmUp);
    const std::string type = std::is_same<typename MatType::elem_type,
        float>::value ? "float" : "double";
    candidates.emplace_back();
    candidates.back().row = MakeRow(name, Text(hidden), estimator, k, type,
        threads);
    candidates.back().run = [step](const size_t steps) { step->Run(steps); };
  }

  const Data<MatType>& data;
  std::vector<size_t> hidden;
  size_t threads;
  std::vector<Candidate> candidates;
};

//! All rows of one shape.
template<typename MatType>
std::vector<Row> ShapeRows(const Data<MatType>& data,
                           const std::vector<size_t>& hidden,
                           const Settings& settings)
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
    for (const std::string& name : symvi::AnyEstimator::Names())
      for (const size_t k : { 5, 20, 100 })
        if (name != "uniform" && !(name == "auto" && k == 20) &&
            !(name == "exact" && hidden[0] > 30))
          group.template AddSymmetrized<Fused>("sgm", name, k);
  }
  return group.Measure(settings.quick ? 6.0 : 40.0);
}

//! All shapes, on as many points as MNIST has.
template<typename MatType>
std::vector<Row> StepRows(const std::vector<std::vector<size_t>>& shapes,
                          const Settings& settings)
{
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
