/**
 * @file core.cpp
 *
 * symvi._core: symvi::Ensemble for Python.  What a user meets is in
 * symvi/_estimators.py.
 */
#include <symvi/kernel/threads.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/predict/calibration.hpp>
#include <symvi/require.hpp>
#include <symvi/version.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "arrays.hpp"
#include "watch.hpp"

using namespace symvi;
using namespace symvi::python;
using namespace py::literals;

namespace {

//! The value of a parameter, unless it is None or not there.
template<typename T>
std::optional<T> Parameter(const py::dict& parameters, const char* name)
{
  if (!parameters.contains(name) || parameters[name].is_none())
    return std::nullopt;
  try
  {
    return parameters[name].cast<T>();
  }
  catch (const py::cast_error&)
  {
    throw std::invalid_argument(std::string(name) + " must not be " +
        std::string(py::repr(parameters[name])) + ".");
  }
}

template<typename T>
void Take(const py::dict& parameters, const char* name, T& field)
{
  if (const std::optional<T> value = Parameter<T>(parameters, name))
    field = *value;
}

Ensemble MakeModel(const std::string& task, const py::dict& parameters)
{
  NetworkSpec spec;
  spec.task = task;
  Take(parameters, "hidden_layer_sizes", spec.hidden);
  Take(parameters, "activation", spec.activation);
  Take(parameters, "prior_std", spec.priorStddev);
  Take(parameters, "initial_std", spec.initialSigma);
  Take(parameters, "noise", spec.noise);
  Take(parameters, "noise_std", spec.noiseStddev);
  BoundOptions bound;
  Take(parameters, "symmetrize", bound.symmetrize);
  size_t members = 1;
  Take(parameters, "n_members", members);
  return Ensemble(spec, bound, members);
}

FitOptions MakeFitOptions(const py::dict& parameters)
{
  FitOptions options;
  if (const auto value = Parameter<size_t>(parameters, "max_iter"))
    options.Epochs(*value);
  if (const auto value = Parameter<size_t>(parameters, "batch_size"))
    options.BatchSize(*value);
  if (const auto value = Parameter<double>(parameters, "step_size"))
    options.StepSize(*value);
  if (const auto value = Parameter<double>(parameters, "validation_fraction"))
    options.Validation(*value);
  if (const auto value = Parameter<size_t>(parameters, "n_iter_no_change"))
    options.Patience(*value);
  if (const auto value = Parameter<double>(parameters, "kl_weight"))
    options.KLWeight(*value);
  if (const auto value = Parameter<bool>(parameters, "learn_prior"))
    options.LearnPrior(*value);
  if (const auto value = Parameter<double>(parameters, "time_limit"))
    options.TimeLimit(*value);
  return options;
}

/**
 * @param points One point per row.
 * @param targets Class numbers (classification) or responses, one per row.
 * @param names Names of the classes; empty for a regression.
 */
io::Dataset MakeData(arma::mat points, const py::array& targets,
    const std::vector<std::string>& names)
{
  io::Dataset data;
  data.source = "X";
  data.targetSource = "y";
  data.points = std::move(points);
  if (names.empty())
  {
    data.responses = CopyOf(targets);
    return data;
  }
  data.classNames = names;
  const py::array_t<int64_t> numbers(targets);
  for (py::ssize_t i = 0; i < numbers.size(); ++i)
    data.labels.push_back(names.at(size_t(numbers.at(i))));
  return data;
}

void Fit(Ensemble& model, const py::array& points, const py::array& targets,
    const std::vector<std::string>& names,
    const std::vector<std::string>& features, const uint64_t seed,
    const py::dict& parameters, py::object progress)
{
  io::Dataset data = MakeData(CopyOf(points), targets, names);
  data.features = features;
  FitOptions options = MakeFitOptions(parameters);
  options.Seed(seed);
  Watch watch(std::move(progress));
  watch.Attach(options);
  const size_t batchSize = options.BatchSize() ? options.BatchSize() : 32;

  try
  {
    const py::gil_scoped_release release;
    std::optional<ThreadScope> threads;
    const auto ready = [&](const Pipeline& prepared)
    { threads.emplace(prepared.Spec().RecommendedThreads(batchSize)); };
    // Members one after the other: Python's signals come to this thread.
    if (model.Size() > 1)
      model.Fit(data, options, 1, ready);
    else
      model.Member(0).Fit(std::move(data), options, ready);
  }
  catch (const std::runtime_error& e)
  {
    throw py::value_error(e.what()); // It diverged.
  }
  watch.Rethrow();
}

PredictOptions MakePredictOptions(const Ensemble& model, const size_t draws)
{
  PredictOptions options(draws, model.Seed());
  options.interval = 0.0;
  return options;
}

//! Predictions without the GIL.
EnsembleClassification ClassesOf(const Ensemble& model, const py::array& array,
    const size_t draws)
{
  const arma::mat points = ViewOf(array);
  const py::gil_scoped_release release;
  const ThreadScope threads(model.Spec().RecommendedThreads(points.n_cols));
  return model.Classify(points, MakePredictOptions(model, draws));
}

EnsembleRegression ResponsesOf(const Ensemble& model, const py::array& array,
    const PredictOptions& options)
{
  const arma::mat points = ViewOf(array);
  const py::gil_scoped_release release;
  const ThreadScope threads(model.Spec().RecommendedThreads(points.n_cols));
  return model.Regress(points, options);
}

//! Class numbers as Armadillo's.
arma::mat NumbersOf(const py::array& array)
{
  const py::array_t<int64_t> numbers(array);
  arma::mat labels(1, size_t(numbers.size()));
  for (py::ssize_t i = 0; i < numbers.size(); ++i)
    labels[size_t(i)] = double(numbers.at(i));
  return labels;
}

double Temperature(const Ensemble& model, const py::array& points,
    const py::array& labels, const size_t draws)
{
  return TemperatureScaling::Fit(ClassesOf(model, points, draws).probabilities,
      NumbersOf(labels))
      .Temperature();
}

//! One row per point: which classes are in its conformal set.
py::array ConformalSet(const Ensemble& model, const py::array& points,
    const py::array& heldPoints, const py::array& heldLabels,
    const size_t draws, const double temperature, const double coverage)
{
  const TemperatureScaling scaling(temperature);
  const auto probabilities = [&](const py::array& of) -> arma::mat
  { return scaling.Apply(ClassesOf(model, of, draws).probabilities); };
  const ConformalSets sets(probabilities(heldPoints), NumbersOf(heldLabels),
      coverage);
  return Give(
      arma::conv_to<arma::mat>::from(sets.Apply(probabilities(points))));
}

py::dict ClassifyRows(const Ensemble& model, const py::array& array,
    const size_t draws, const double temperature)
{
  EnsembleClassification prediction = ClassesOf(model, array, draws);
  if (temperature != 1.0)
    prediction.probabilities =
        TemperatureScaling(temperature).Apply(prediction.probabilities);
  return py::dict("probabilities"_a = Give(std::move(prediction.probabilities)),
      "entropy"_a = Give(std::move(prediction.entropy)),
      "expected_entropy"_a = Give(std::move(prediction.expectedEntropy)),
      "mutual_information"_a = Give(std::move(prediction.mutualInformation)),
      "between_members"_a = Give(std::move(prediction.betweenMembers)));
}

double FactorOf(const Ensemble& model, const py::array& points,
    const py::array& responses, const size_t draws)
{
  const RegressionPrediction<arma::mat> prediction = ResponsesOf(model, points,
      MakePredictOptions(model, draws));
  return VarianceFactor::Fit(prediction, CopyOf(responses)).Factor();
}

//! Ends of the conformal intervals.
py::tuple ConformalInterval(const Ensemble& model, const py::array& points,
    const py::array& heldPoints, const py::array& heldResponses,
    const size_t draws, const double coverage)
{
  const PredictOptions options = MakePredictOptions(model, draws);
  RegressionPrediction<arma::mat> prediction = ResponsesOf(model, points,
      options);
  const RegressionPrediction<arma::mat> held = ResponsesOf(model, heldPoints,
      options);
  ConformalIntervals(held, CopyOf(heldResponses), coverage).Apply(prediction);
  return py::make_tuple(Give(std::move(prediction.lower)),
      Give(std::move(prediction.upper)));
}

py::dict RegressRows(const Ensemble& model, const py::array& array,
    const size_t draws, const double interval,
    const std::vector<double>& quantiles, const double factor)
{
  PredictOptions options = MakePredictOptions(model, draws);
  options.interval = interval;
  options.quantiles = quantiles;
  EnsembleRegression prediction = ResponsesOf(model, array, options);
  if (factor != 1.0)
    VarianceFactor(factor).Apply<arma::mat>(prediction);
  py::list levels;
  for (arma::mat& values : prediction.quantiles)
    levels.append(Give(std::move(values)));
  return py::dict("mean"_a = Give(std::move(prediction.mean)),
      "epistemic_variance"_a = Give(std::move(prediction.epistemicVariance)),
      "aleatoric_variance"_a = Give(std::move(prediction.aleatoricVariance)),
      "lower"_a = Give(std::move(prediction.lower)),
      "upper"_a = Give(std::move(prediction.upper)), "quantiles"_a = levels,
      "between_members"_a = Give(std::move(prediction.betweenMembers)));
}

//! What a function makes of points and targets, without the GIL.
template<typename Function>
auto OnData(const Ensemble& model, const py::array& points,
    const py::array& targets, const Function& function)
{
  const io::Dataset data = MakeData(ViewOf(points), targets,
      model.ClassNames());
  const py::gil_scoped_release release;
  const ThreadScope threads(
      model.Spec().RecommendedThreads(data.points.n_cols));
  return function(data);
}

py::dict Elbo(const Ensemble& model, const py::array& points,
    const py::array& targets, const size_t draws)
{
  EvaluateOptions options;
  options.samples = draws;
  options.predict.seed = model.Seed();
  const ElboReport report = OnData(model, points, targets,
      [&](const io::Dataset& data) { return model.Elbo(data, options); });
  return py::dict("log_likelihood"_a = report.logLikelihood,
      "log_likelihood_error"_a = report.logLikelihoodStandardError,
      "kl"_a = report.kl, "information"_a = report.information.value,
      "information_lower"_a = report.information.lower,
      "information_upper"_a = report.information.upper, "elbo"_a = report.elbo,
      "elbo_error"_a = report.elboStandardError,
      "symmetrized_elbo"_a = report.symmetrizedElbo,
      "symmetrized_elbo_error"_a = report.symmetrizedElboStandardError,
      "group"_a = report.group, "log_group_order"_a = report.logGroupOrder);
}

//! The fields of symvi.Evidence.
py::dict Evidence(const Ensemble& model, const py::array& points,
    const py::array& targets, const size_t draws, const uint64_t seed)
{
  RequirePositive("evidence", "the number of draws", draws);
  EvaluateOptions options;
  options.samples = (draws + model.Size() - 1) / model.Size();
  options.predict.seed = seed;
  const EvidenceReport report = OnData(model, points, targets,
      [&](const io::Dataset& data)
      { return model.Elbo(data, options).evidence; });
  return py::dict("bound"_a = report.bound,
      "standard_error"_a = report.standardError, "smoothed"_a = report.smoothed,
      "pareto_k"_a = report.paretoK, "threshold"_a = report.threshold,
      "is_good"_a = report.IsGood(),
      "effective_sample_size"_a = report.effectiveSamples);
}

//! Of a member that is drawn in turn; those that predictions average.
py::list Weights(const Ensemble& model, const size_t draws, const uint64_t seed)
{
  std::vector<arma::cube> weights;
  {
    const py::gil_scoped_release release;
    const size_t share = (draws + model.Size() - 1) / model.Size();
    for (size_t m = 0; m < model.Size() && m * share < draws; ++m)
    {
      const std::vector<arma::cube> own = model.Member(m).Weights(
          PredictOptions(std::min(share, draws - m * share),
              Ensemble::MemberSeed(seed, m)));
      weights.resize(own.size());
      for (size_t l = 0; l < own.size(); ++l)
        weights[l] = (m == 0) ? own[l] : arma::join_slices(weights[l], own[l]);
    }
  }
  py::list layers;
  for (arma::cube& layer : weights)
    layers.append(Give(std::move(layer)));
  return layers;
}

py::list Posterior(const Ensemble& model, const size_t member)
{
  py::list layers;
  for (LayerPosterior& layer : model.Member(member).Posterior())
    layers.append(py::make_tuple(Give(std::move(layer.mean)),
        Give(std::move(layer.sigma))));
  return layers;
}

//! Of all members to the first of the other; the images are the first's.
std::vector<std::vector<UnitIndex>> Align(Ensemble& model,
    const Ensemble& other)
{
  const py::gil_scoped_release release;
  const Permutation g = model.Member(0).AlignTo(other.Member(0));
  for (size_t m = 1; m < model.Size(); ++m)
    model.Member(m).AlignTo(other.Member(0));
  std::vector<std::vector<UnitIndex>> images;
  for (size_t h = 0; h < g.Layers(); ++h)
    images.push_back(g.Images(h));
  return images;
}

//! Of all members, one after the other.
py::dict History(const Ensemble& model)
{
  arma::mat table, members;
  for (size_t m = 0; m < model.Size(); ++m)
  {
    const arma::mat own = HistoryTable(model.Member(m).History());
    table = arma::join_rows(table, own);
    members = arma::join_rows(members,
        arma::mat(1, own.n_cols, arma::fill::value(double(m))));
  }
  py::dict history;
  if (model.Size() > 1)
    history["member"] = Give(arma::mat(members.t())).attr("ravel")();
  for (size_t i = 0; i < table.n_rows; ++i)
    history[HistoryColumns()[i].c_str()] =
        Give(arma::mat(table.row(i).t())).attr("ravel")();
  return history;
}

void Save(const Ensemble& model, const std::string& path)
{
  try
  {
    const py::gil_scoped_release release;
    model.Save(path);
  }
  catch (const std::runtime_error& e)
  {
    PyErr_SetString(PyExc_OSError, e.what());
    throw py::error_already_set();
  }
}

py::bytes ToBytes(const Ensemble& model)
{
  std::ostringstream stream;
  {
    const py::gil_scoped_release release;
    model.Write(stream);
  }
  return stream.str();
}

Ensemble FromBytes(const py::bytes& bytes)
{
  std::istringstream stream{ std::string(bytes) };
  const py::gil_scoped_release release;
  return Ensemble::Read(stream);
}

//! Prior standard deviations of every layer: weights and biases.
std::vector<std::pair<double, double>> Priors(const Ensemble& model)
{
  std::vector<std::pair<double, double>> priors;
  for (const LayerPrior& prior : model.Member(0).Priors())
    priors.emplace_back(prior.weights, prior.biases);
  return priors;
}

py::dict Spec(const Ensemble& model)
{
  const NetworkSpec& spec = model.Spec();
  return py::dict("n_members"_a = model.Size(), "task"_a = spec.task,
      "hidden"_a = spec.hidden, "activation"_a = spec.activation,
      "prior_std"_a = spec.priorStddev, "initial_std"_a = spec.initialSigma,
      "noise"_a = spec.noise, "noise_std"_a = spec.noiseStddev,
      "inputs"_a = spec.inputs, "outputs"_a = spec.outputs,
      "symmetrize"_a = model.Member(0).Bound().symmetrize);
}

} // namespace

PYBIND11_MODULE(_core, module)
{
  module.doc() = "symvi::Ensemble for Python; symvi's estimators use it.";
  module.attr("__version__") = SYMVI_VERSION;

  py::class_<Ensemble>(module, "Model")
      .def(py::init(&MakeModel), "task"_a, "parameters"_a)
      .def("fit", &Fit, "points"_a, "targets"_a, "names"_a, "features"_a,
          "seed"_a, "parameters"_a, "progress"_a)
      .def("classify", &ClassifyRows, "points"_a, "draws"_a, "temperature"_a)
      .def("temperature", &Temperature, "points"_a, "labels"_a, "draws"_a)
      .def("conformal_set", &ConformalSet, "points"_a, "held_points"_a,
          "held_labels"_a, "draws"_a, "temperature"_a, "coverage"_a)
      .def("variance_factor", &FactorOf, "points"_a, "responses"_a, "draws"_a)
      .def("conformal_interval", &ConformalInterval, "points"_a,
          "held_points"_a, "held_responses"_a, "draws"_a, "coverage"_a)
      .def("regress", &RegressRows, "points"_a, "draws"_a, "interval"_a,
          "quantiles"_a, "factor"_a)
      .def("elbo", &Elbo, "points"_a, "targets"_a, "draws"_a)
      .def("evidence", &Evidence, "points"_a, "targets"_a, "draws"_a, "seed"_a)
      .def("weights", &Weights, "draws"_a, "seed"_a)
      .def("posterior", &Posterior, "member"_a = 0)
      .def("priors", &Priors)
      .def("align", &Align, "other"_a)
      .def("history", &History)
      .def("spec", &Spec)
      .def("save", &Save, "path"_a)
      .def_static("load", &Ensemble::Load, "path"_a,
          py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("is_fitted", &Ensemble::IsFitted)
      .def_property_readonly("names", &Ensemble::ClassNames)
      .def_property_readonly("features",
          [](const Ensemble& model) { return model.Member(0).Features(); })
      .def_property_readonly("seed", &Ensemble::Seed)
      .def(py::pickle(&ToBytes, &FromBytes));
}
