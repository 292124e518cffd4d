/**
 * @file core.cpp
 *
 * symvi._core: symvi::Pipeline for Python.  What a user meets is in
 * symvi/_estimators.py.
 */
#include <symvi/kernel/threads.hpp>
#include <symvi/model/pipeline.hpp>
#include <symvi/version.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <sstream>

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

Pipeline MakeModel(const std::string& task, const py::dict& parameters)
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
  return Pipeline(spec, bound);
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

void Fit(Pipeline& model, const py::array& points, const py::array& targets,
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
    model.Fit(std::move(data), options,
        [&](const Pipeline& prepared)
        { threads.emplace(prepared.Spec().RecommendedThreads(batchSize)); });
  }
  catch (const std::runtime_error& e)
  {
    throw py::value_error(e.what()); // It diverged.
  }
  watch.Rethrow();
}

PredictOptions MakePredictOptions(const Pipeline& model, const size_t draws)
{
  PredictOptions options(draws, model.Seed());
  options.interval = 0.0;
  return options;
}

py::dict Classify(const Pipeline& model, const py::array& array,
    const size_t draws)
{
  const arma::mat points = ViewOf(array);
  ClassificationPrediction<arma::mat> prediction;
  {
    const py::gil_scoped_release release;
    const ThreadScope threads(model.Spec().RecommendedThreads(points.n_cols));
    prediction = model.Classify(points, MakePredictOptions(model, draws));
  }
  return py::dict("probabilities"_a = Give(std::move(prediction.probabilities)),
      "entropy"_a = Give(std::move(prediction.entropy)),
      "expected_entropy"_a = Give(std::move(prediction.expectedEntropy)),
      "mutual_information"_a = Give(std::move(prediction.mutualInformation)));
}

py::dict Regress(const Pipeline& model, const py::array& array,
    const size_t draws, const double interval,
    const std::vector<double>& quantiles)
{
  const arma::mat points = ViewOf(array);
  PredictOptions options = MakePredictOptions(model, draws);
  options.interval = interval;
  options.quantiles = quantiles;
  RegressionPrediction<arma::mat> prediction;
  {
    const py::gil_scoped_release release;
    const ThreadScope threads(model.Spec().RecommendedThreads(points.n_cols));
    prediction = model.Regress(points, options);
  }
  py::list levels;
  for (arma::mat& values : prediction.quantiles)
    levels.append(Give(std::move(values)));
  return py::dict("mean"_a = Give(std::move(prediction.mean)),
      "epistemic_variance"_a = Give(std::move(prediction.epistemicVariance)),
      "aleatoric_variance"_a = Give(std::move(prediction.aleatoricVariance)),
      "lower"_a = Give(std::move(prediction.lower)),
      "upper"_a = Give(std::move(prediction.upper)), "quantiles"_a = levels);
}

//! What a function makes of points and targets, without the GIL.
template<typename Function>
auto OnData(const Pipeline& model, const py::array& points,
    const py::array& targets, const Function& function)
{
  const io::Dataset data = MakeData(ViewOf(points), targets,
      model.ClassNames());
  const py::gil_scoped_release release;
  const ThreadScope threads(
      model.Spec().RecommendedThreads(data.points.n_cols));
  return function(data);
}

py::dict Elbo(const Pipeline& model, const py::array& points,
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
py::dict Evidence(const Pipeline& model, const py::array& points,
    const py::array& targets, const size_t draws, const uint64_t seed)
{
  const EvidenceReport report = OnData(model, points, targets,
      [&](const io::Dataset& data)
      { return model.Evidence(data, draws, seed); });
  return py::dict("bound"_a = report.bound,
      "standard_error"_a = report.standardError, "smoothed"_a = report.smoothed,
      "pareto_k"_a = report.paretoK, "threshold"_a = report.threshold,
      "is_good"_a = report.IsGood(),
      "effective_sample_size"_a = report.effectiveSamples);
}

py::list Weights(const Pipeline& model, const size_t draws, const uint64_t seed)
{
  std::vector<arma::cube> weights;
  {
    const py::gil_scoped_release release;
    weights = model.Weights(PredictOptions(draws, seed));
  }
  py::list layers;
  for (arma::cube& layer : weights)
    layers.append(Give(std::move(layer)));
  return layers;
}

py::list Posterior(const Pipeline& model)
{
  py::list layers;
  for (LayerPosterior& layer : model.Posterior())
    layers.append(py::make_tuple(Give(std::move(layer.mean)),
        Give(std::move(layer.sigma))));
  return layers;
}

std::vector<std::vector<UnitIndex>> Align(Pipeline& model,
    const Pipeline& other)
{
  const py::gil_scoped_release release;
  const Permutation g = model.AlignTo(other);
  std::vector<std::vector<UnitIndex>> images;
  for (size_t h = 0; h < g.Layers(); ++h)
    images.push_back(g.Images(h));
  return images;
}

py::dict History(const Pipeline& model)
{
  const arma::mat table = HistoryTable(model.History());
  py::dict history;
  for (size_t i = 0; i < table.n_rows; ++i)
    history[HistoryColumns()[i].c_str()] =
        Give(arma::mat(table.row(i).t())).attr("ravel")();
  return history;
}

void Save(const Pipeline& model, const std::string& path)
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

py::bytes ToBytes(const Pipeline& model)
{
  std::ostringstream stream;
  {
    const py::gil_scoped_release release;
    model.Write(stream);
  }
  return stream.str();
}

Pipeline FromBytes(const py::bytes& bytes)
{
  std::istringstream stream{ std::string(bytes) };
  const py::gil_scoped_release release;
  return Pipeline::Read(stream);
}

py::dict Spec(const Pipeline& model)
{
  const NetworkSpec& spec = model.Spec();
  return py::dict("task"_a = spec.task, "hidden"_a = spec.hidden,
      "activation"_a = spec.activation, "prior_std"_a = spec.priorStddev,
      "initial_std"_a = spec.initialSigma, "noise"_a = spec.noise,
      "noise_std"_a = spec.noiseStddev, "inputs"_a = spec.inputs,
      "outputs"_a = spec.outputs, "symmetrize"_a = model.Bound().symmetrize);
}

} // namespace

PYBIND11_MODULE(_core, module)
{
  module.doc() = "symvi::Pipeline for Python; symvi's estimators use it.";
  module.attr("__version__") = SYMVI_VERSION;

  py::class_<Pipeline>(module, "Model")
      .def(py::init(&MakeModel), "task"_a, "parameters"_a)
      .def("fit", &Fit, "points"_a, "targets"_a, "names"_a, "features"_a,
          "seed"_a, "parameters"_a, "progress"_a)
      .def("classify", &Classify, "points"_a, "draws"_a)
      .def("regress", &Regress, "points"_a, "draws"_a, "interval"_a,
          "quantiles"_a)
      .def("elbo", &Elbo, "points"_a, "targets"_a, "draws"_a)
      .def("evidence", &Evidence, "points"_a, "targets"_a, "draws"_a, "seed"_a)
      .def("weights", &Weights, "draws"_a, "seed"_a)
      .def("posterior", &Posterior)
      .def("align", &Align, "other"_a)
      .def("history", &History)
      .def("spec", &Spec)
      .def("save", &Save, "path"_a)
      .def_static("load", &Pipeline::Load, "path"_a,
          py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("is_fitted", &Pipeline::IsFitted)
      .def_property_readonly("names", &Pipeline::ClassNames)
      .def_property_readonly("features", &Pipeline::Features)
      .def_property_readonly("seed", &Pipeline::Seed)
      .def(py::pickle(&ToBytes, &FromBytes));
}
