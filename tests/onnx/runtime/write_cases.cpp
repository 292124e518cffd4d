/**
 * Writes models of every mode and likelihood, and what the library itself
 * predicts with them, for run_cases.js.
 *
 *   onnx_runtime_cases <folder>
 */
#include "case_writer.hpp"

#include <symvi/layer/learned_noise.hpp>
#include <symvi/network/layer_registry.hpp>
#include <symvi/onnx/convert.hpp>

#include <cstdio>
#include <filesystem>

using namespace symvi;
using onnx::ExportMode;
using test::NamedMatrix;
using test::RuntimeCase;

namespace {

constexpr size_t features = 4, points = 6, draws = 8;
constexpr uint64_t seed = 11;

template<typename MatType>
arma::mat ToDouble(const MatType& m)
{
  return arma::conv_to<arma::mat>::from(m);
}

//! Scales back to the targets' unit.
arma::mat Unit(arma::mat m, const NetworkDescription& d, const bool shift)
{
  if (d.targetScale.is_empty())
    return m;
  m.each_col() %= d.targetScale;
  if (shift)
    m.each_col() += d.targetMean;
  return m;
}

//! The outputs of the graph, from the library's prediction.
template<typename MatType>
std::vector<NamedMatrix> Outputs(const ClassificationPrediction<MatType>& p,
    const NetworkDescription&)
{
  return { { "mean", ToDouble(p.probabilities) },
    { "variance", ToDouble(p.variance) }, { "entropy", ToDouble(p.entropy) },
    { "mutual_information", ToDouble(p.mutualInformation) } };
}

template<typename MatType>
std::vector<NamedMatrix> Outputs(const RegressionPrediction<MatType>& p,
    const NetworkDescription& d)
{
  const arma::mat epistemic = Unit(arma::sqrt(ToDouble(p.epistemicVariance)), d,
      false);
  const arma::mat aleatoric = Unit(arma::sqrt(ToDouble(p.aleatoricVariance)), d,
      false);
  return { { "mean", Unit(ToDouble(p.mean), d, true) },
    { "variance", epistemic % epistemic + aleatoric % aleatoric },
    { "epistemic_std", epistemic }, { "aleatoric_std", aleatoric } };
}

//! Variance of one draw's prediction of the mean.
template<typename MatType>
arma::mat DrawVariance(const ClassificationPrediction<MatType>& p,
    const NetworkDescription&)
{
  return ToDouble(p.variance);
}

template<typename MatType>
arma::mat DrawVariance(const RegressionPrediction<MatType>& p,
    const NetworkDescription& d)
{
  const arma::mat epistemic = Unit(arma::sqrt(ToDouble(p.epistemicVariance)), d,
      false);
  return epistemic % epistemic;
}

//! Mean of the prediction with layers that hold the draw of given noise.
template<typename ModelType, typename MatType>
arma::mat MeanWithNoise(ModelType model, const MatType& X, const MatType& noise,
    const NetworkDescription& d)
{
  MatType sum;
  for (size_t s = 0; s < noise.n_cols; ++s)
  {
    size_t from = 0;
    for (auto* layer : model.BayesianLayers())
    {
      const size_t n = layer->PosteriorSize();
      layer->Evaluation() = EvaluationMode::Held;
      layer->DrawWith(MatType(noise.submat(from, s, from + n - 1, s)));
      from += n;
    }
    MatType outputs, mean;
    model.Base().Predict(X, outputs);
    model.Likelihood().Mean(outputs, mean);
    sum = s == 0 ? mean : MatType(sum + mean);
  }
  return Unit(ToDouble(sum) / double(noise.n_cols), d, true);
}

//! What the graph of mean mode answers.
template<typename ModelType, typename MatType>
arma::mat MeanAtMeans(ModelType model, const MatType& X,
    const NetworkDescription& d)
{
  MatType outputs, mean;
  model.Base().Predict(X, outputs);
  model.Likelihood().Mean(outputs, mean);
  return Unit(ToDouble(mean), d, true);
}

//! All four modes of one model; d may carry a standardisation.
template<typename MatType, typename ModelType>
void WriteModes(test::CaseWriter& writer, const std::string& name,
    const ModelType& model, const NetworkDescription& d)
{
  const bool isFloat = d.element == ElementKind::Float;
  MatType X(d.InSize(), points);
  RandomStream(2).FillNormal(X.memptr(), X.n_elem);
  const MatType Z = onnx::StandardiseInput(d, X);

  RuntimeCase c;
  c.description = d;
  c.tolerance = isFloat ? 1e-5 : 1e-10;
  c.options.samples = draws;
  c.options.seed = seed;
  c.inputs = { { "x", ToDouble(X) } };

  c.name = name + "_mean";
  c.expected = { { "mean", MeanAtMeans(model, Z, d) } };
  writer.Write(c);

  c.name = name + "_ensemble";
  c.options.mode = ExportMode::Ensemble;
  c.expected = Outputs(model.Predict(Z, PredictOptions(draws, seed)), d);
  writer.Write(c);

  c.name = name + "_noise";
  c.options.mode = ExportMode::Noise;
  MatType noise(d.PosteriorSize(), draws);
  RandomStream(3).FillNormal(noise.memptr(), noise.n_elem);
  c.inputs.push_back({ "noise", ToDouble(noise) });
  c.expected = { { "mean", MeanWithNoise(model, Z, noise, d) } };
  writer.Write(c);

  c.name = name + "_sampling";
  c.options.mode = ExportMode::Sampling;
  c.inputs.pop_back();
  c.draws = 4000;
  c.libraryDraws = 20000;
  const auto prediction = model.Predict(Z,
      PredictOptions(c.libraryDraws, seed));
  c.expected = { { "mean", Outputs(prediction, d).front().second } };
  c.variance = DrawVariance(prediction, d);
  writer.Write(c);
}

//! A network with one or two hidden layers of an activation.
template<typename LikelihoodType, typename MatType, typename ActivationType>
auto MakeModel(const size_t outputs, const ActivationType& activation,
    const LikelihoodType& likelihood = LikelihoodType())
{
  BayesianFFN<LikelihoodType, mlpack::RandomInitialization, MatType> model(
      likelihood);
  const BayesianOptions options = BayesianOptions().InitialSigma(0.2);
  model.template Add<BayesianLinearType<MatType>>(7, options);
  model.template Add<ActivationType>(activation);
  model.template Add<BayesianLinearNoBiasType<MatType>>(5, options);
  model.template Add<ActivationType>(activation);
  model.template Add<BayesianLinearType<MatType>>(outputs, options);
  return model;
}

void WriteClassifiers(test::CaseWriter& writer)
{
  auto relu = MakeModel<CategoricalLikelihoodType<arma::fmat>, arma::fmat>(3,
      symvi::compat::ReLU<arma::fmat>());
  relu.Reset(features);
  WriteModes<arma::fmat>(writer, "classes_float_relu", relu,
      onnx::Describe(relu));

  auto tanh = MakeModel<CategoricalLikelihood, arma::mat>(3,
      compat::TanH<arma::mat>());
  tanh.Reset(features);
  NetworkDescription d = onnx::Describe(tanh);
  d.inputMean = { 0.5, -1.0, 2.0, 0.0 };
  d.inputScale = { 2.0, 0.5, 1.0, 4.0 };
  WriteModes<arma::mat>(writer, "classes_double_tanh", tanh, d);

  auto leaky = MakeModel<BernoulliLikelihoodType<arma::fmat>, arma::fmat>(2,
      symvi::compat::LeakyReLU<arma::fmat>(0.1f));
  leaky.Reset(features);
  WriteModes<arma::fmat>(writer, "events_float_leaky", leaky,
      onnx::Describe(leaky));
}

void WriteRegressions(test::CaseWriter& writer)
{
  auto gelu = MakeModel<GaussianLikelihood, arma::mat>(2,
      compat::GELU<arma::mat>(), GaussianLikelihood(0.3));
  gelu.Reset(features);
  NetworkDescription d = onnx::Describe(gelu);
  d.targetMean = { 10.0, -3.0 };
  d.targetScale = { 2.0, 0.5 };
  WriteModes<arma::mat>(writer, "fixed_double_gelu", gelu, d);

  auto soft =
      MakeModel<HeteroscedasticGaussianLikelihoodType<arma::fmat>, arma::fmat>(
          4, symvi::compat::SoftPlus<arma::fmat>());
  soft.Reset(features);
  WriteModes<arma::fmat>(writer, "hetero_float_softplus", soft,
      onnx::Describe(soft));

  auto elu = MakeModel<HeteroscedasticGaussianLikelihood, arma::mat>(2,
      compat::ELU<arma::mat>(0.7));
  elu.Add<LearnedNoise>(0.4);
  elu.Reset(features);
  WriteModes<arma::mat>(writer, "homo_double_elu", elu, onnx::Describe(elu));
}

//! Norms with statistics and parameters as if they had been trained.
template<typename NetworkType>
void Disturb(NetworkType& network)
{
  using MatType = std::decay_t<decltype(network.Parameters())>;
  RandomStream stream(5);
  const auto fill = [&](MatType& m, const double offset)
  {
    stream.FillNormal(m.memptr(), m.n_elem);
    m = MatType(offset + 0.3 * arma::abs(m));
  };
  size_t from = 0;
  for (auto* layer : std::as_const(network).Network())
  {
    const size_t n = layer->WeightSize();
    if (auto* norm = dynamic_cast<compat::BatchNorm<MatType>*>(layer))
    {
      fill(norm->TrainingMean(), -0.2);
      fill(norm->TrainingVariance(), 0.5);
    }
    if (RoleOf(*layer) == LayerRole::BatchNorm ||
        RoleOf(*layer) == LayerRole::UnitParameters)
    {
      MatType numbers(n, 1);
      fill(numbers, 0.7);
      network.Parameters().rows(from, from + n - 1) = numbers;
    }
    from += n;
  }
}

//! Images of 7 x 6 pixels in two maps, and every kind of layer that sees them.
template<typename MatType>
auto MakeImageModel()
{
  using std::make_tuple;
  BayesianFFN<CategoricalLikelihoodType<MatType>, mlpack::RandomInitialization,
      MatType>
      model;
  const BayesianOptions options = BayesianOptions().InitialSigma(0.1);
  model.template Add<BayesianConvolutionType<MatType>>(4, 3, 2, 1, 2,
      make_tuple(1, 0), make_tuple(0, 1), "none", true, options);
  model.template Add<compat::BatchNorm<MatType>>();
  model.template Add<compat::ReLU<MatType>>();
  model.template Add<compat::MaxPooling<MatType>>(3, 2, 2, 1, false);
  model.template Add<compat::Padding<MatType>>(0, 1, 2, 0);
  model.template Add<compat::DefaultConvolution<MatType>>(3, 2, 3, 1, 1);
  model.template Add<compat::TanH<MatType>>();
  model.template Add<BayesianConvolutionType<MatType>>(5, 2, 2, 1, 1, 1, 1,
      "none", false, options);
  model.template Add<compat::MeanPooling<MatType>>(2, 3, 2, 2, false);
  model.template Add<compat::LayerNorm<MatType>>(1e-4);
  model.template Add<BayesianLinearType<MatType>>(6, options);
  model.template Add<compat::BatchNorm<MatType>>(0, 0, 1e-3);
  model.template Add<compat::LeakyReLU<MatType>>(0.1);
  model.template Add<BayesianLinearType<MatType>>(3, options);
  model.InputDimensions() = { 7, 6, 2 };
  model.Reset();
  Disturb(model);
  return model;
}

void WriteImages(test::CaseWriter& writer)
{
  const auto floats = MakeImageModel<arma::fmat>();
  WriteModes<arma::fmat>(writer, "images_float", floats,
      onnx::Describe(floats));
  const auto doubles = MakeImageModel<arma::mat>();
  NetworkDescription d = onnx::Describe(doubles);
  d.inputMean = arma::linspace(-1.0, 1.0, d.InSize());
  d.inputScale = arma::linspace(0.5, 2.0, d.InSize());
  WriteModes<arma::mat>(writer, "images_double", doubles, d);
}

//! A network of mlpack that ends with an image.
void WritePlainImages(test::CaseWriter& writer)
{
  mlpack::FFN<compat::MeanSquaredError<arma::fmat>,
      mlpack::RandomInitialization, arma::fmat>
      network;
  network.Add<compat::BatchNorm<arma::fmat>>();
  // mlpack 4.6 exchanges the strides of its Convolution.
  const size_t strideHeight = SYMVI_MLPACK_LAYER_TEMPLATES ? 1 : 2;
  network.Add<compat::DefaultConvolution<arma::fmat>>(3, 3, 3, 2, strideHeight,
      1, 1);
  network.Add<compat::ReLU<arma::fmat>>();
  network.Add<compat::AdaptiveMaxPooling<arma::fmat>>(3, 2);
  network.Add<compat::DefaultConvolution<arma::fmat>>(2, 2, 2);
  network.Add<compat::AdaptiveMeanPooling<arma::fmat>>(1, 1);
  network.InputDimensions() = { 7, 6, 2 };
  network.Reset();
  Disturb(network);
  arma::fmat X(84, points), results;
  RandomStream(2).FillNormal(X.memptr(), X.n_elem);
  network.Predict(X, results);
  RuntimeCase c;
  c.name = "plain_images_float";
  c.description = onnx::Describe(network);
  c.inputs = { { "x", ToDouble(X) } };
  c.expected = { { "mean", ToDouble(results) } };
  writer.Write(c);
}

//! An mlpack network without anything of symvi.
void WritePlain(test::CaseWriter& writer)
{
  mlpack::FFN<> network;
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::Sigmoid>();
  network.Add<mlpack::Linear>(3);
  network.Add<mlpack::LogSoftMax>();
  network.Reset(features);
  arma::mat X(features, points), results;
  RandomStream(2).FillNormal(X.memptr(), X.n_elem);
  network.Predict(X, results);
  RuntimeCase c;
  c.name = "plain_double_sigmoid";
  c.description = onnx::Describe(network);
  c.inputs = { { "x", X } };
  c.expected = { { "mean", results } };
  // mlpack's LogSoftMax takes exp() from a polynomial, good to about 1e-6.
  c.tolerance = 1e-5;
  writer.Write(c);
}

//! Two members; their graph must predict what the mixture of both does.
void WriteEnsemble(test::CaseWriter& writer, const std::string& task)
{
  io::Dataset data;
  data.points.set_size(features, 40);
  RandomStream(4).FillNormal(data.points.memptr(), data.points.n_elem);
  data.points.row(0) = 100.0 + 5.0 * data.points.row(0);
  NetworkSpec spec;
  spec.task = task;
  spec.hidden = { 6, 5 };
  if (spec.IsClassification())
    for (size_t i = 0; i < data.points.n_cols; ++i)
      data.labels.push_back(data.points(1, i) > 0.0 ? "yes" : "no");
  else
    data.responses = 50.0 + 10.0 * data.points.rows(1, 2);
  Ensemble model(spec, BoundOptions(), 2);
  model.Fit(data, FitOptions().Seed(3).Epochs(3), 1);

  RuntimeCase c;
  c.name = task + "_two_members";
  c.members = onnx::Describe(model);
  c.options.mode = ExportMode::Ensemble;
  c.options.samples = draws;
  c.options.seed = seed;
  c.inputs = { { "x", data.points.head_cols(points) } };
  c.tolerance = 1e-10;
  const PredictOptions options(draws, seed);
  const arma::mat X = data.points.head_cols(points);
  c.expected = spec.IsClassification() ?
      Outputs<arma::mat>(model.Classify(X, options), NetworkDescription()) :
      Outputs<arma::mat>(model.Regress(X, options), NetworkDescription());
  writer.Write(c);
}

} // namespace

int main(int argc, char** argv)
{
  if (argc != 2)
  {
    std::fprintf(stderr, "usage: onnx_runtime_cases <folder>\n");
    return 1;
  }
  std::filesystem::create_directories(argv[1]);
  mlpack::RandomSeed(17);
  test::CaseWriter writer(argv[1]);
  WriteClassifiers(writer);
  WriteRegressions(writer);
  WritePlain(writer);
  WriteImages(writer);
  WritePlainImages(writer);
  WriteEnsemble(writer, "classification");
  WriteEnsemble(writer, "regression");
  return writer.Good() ? 0 : 1;
}
