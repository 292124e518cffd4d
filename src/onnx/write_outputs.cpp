#include "write_network.hpp"

#include <cmath>
#include <limits>

namespace symvi {
namespace onnx {

namespace {

using Names = std::vector<std::string>;

//! Mean over the S draws.
std::string Average(GraphBuilder& b, const std::string& name,
    const std::string& value)
{
  return b.Node(name, "ReduceMean", { value },
      { { "axes", std::vector<int64_t>{ 0 } }, { "keepdims", int64_t(0) } });
}

//! Mean over the S draws of (value - mean)^2.
std::string Spread(GraphBuilder& b, const std::string& name,
    const std::string& value, const std::string& mean)
{
  const std::string deviation = b.Node(name + ".deviation", "Sub",
      { value, mean });
  const std::string square = b.Node(name + ".square", "Mul",
      { deviation, deviation });
  return Average(b, name, square);
}

//! p log p, 0 where p is 0.
std::string TimesLog(GraphBuilder& b, const std::string& name,
    const std::string& p, const std::string& tiny)
{
  const std::string safe = b.Node(name + ".safe", "Max", { p, tiny });
  const std::string log = b.Node(name + ".log", "Log", { safe });
  return b.Node(name, "Mul", { p, log });
}

std::string Tiny(GraphBuilder& b)
{
  return b.Scalar("tiny",
      b.Element() == ElementKind::Float ?
          double(std::numeric_limits<float>::min()) :
          std::numeric_limits<double>::min());
}

//! -sum_c p_c log p_c over the last axis.
std::string ClassEntropy(GraphBuilder& b, const std::string& name,
    const std::string& p, const std::string& tiny)
{
  const std::string terms = TimesLog(b, name + ".terms", p, tiny);
  const std::string sum = b.Node(name + ".sum", "ReduceSum",
      { terms, b.Integers(name + ".axis", { -1 }) },
      { { "keepdims", int64_t(0) } });
  return b.Node(name, "Neg", { sum });
}

//! -p log p - (1 - p) log(1 - p).
std::string BinaryEntropy(GraphBuilder& b, const std::string& name,
    const std::string& p, const std::string& tiny)
{
  const std::string q = b.Node(name + ".other", "Sub",
      { b.Scalar(name + ".one", 1.0), p });
  const std::string sum = b.Node(name + ".sum", "Add",
      { TimesLog(b, name + ".yes", p, tiny),
          TimesLog(b, name + ".no", q, tiny) });
  return b.Node(name, "Neg", { sum });
}

//! Outputs of class probabilities p, S x N x classes.
void WriteProbabilities(GraphBuilder& b, const NetworkDescription& d,
    const std::string& p)
{
  const bool classes = d.output != OutputKind::Bernoulli;
  const auto entropy = classes ? ClassEntropy : BinaryEntropy;
  const std::string mean = Average(b, "mean", p);
  Spread(b, "variance", p, mean);

  const std::string tiny = Tiny(b);
  const std::string total = entropy(b, "entropy", mean, tiny);
  const std::string expected = Average(b, "expected_entropy",
      entropy(b, "member_entropy", p, tiny));
  const std::string difference = b.Node("mutual_information.raw", "Sub",
      { total, expected });
  b.Node("mutual_information", "Relu", { difference });

  b.Output("mean", { "N", d.OutSize() });
  b.Output("variance", { "N", d.OutSize() });
  for (const char* name : { "entropy", "mutual_information" })
  {
    if (classes)
      b.Output(name, { "N" });
    else
      b.Output(name, { "N", d.OutSize() });
  }
}

//! Multiplies by the targets' scale, where there is one.
std::string Rescale(GraphBuilder& b, const NetworkDescription& d,
    const std::string& name, const std::string& value)
{
  if (d.targetScale.is_empty())
    return value;
  return b.Node(name + ".scaled", "Mul", { value, names::TargetScale });
}

//! A mean in the targets' unit, named `name`.
std::string TargetUnit(GraphBuilder& b, const NetworkDescription& d,
    const std::string& name, const std::string& value)
{
  if (d.targetScale.is_empty())
    return b.Node(name, "Identity", { value });
  return b.Node(name, "Add", { Rescale(b, d, name, value), names::TargetMean });
}

//! Splits the last layer's output into means and noise (empty: none; constant
//! noise is a vector), in the standardised unit.
std::pair<std::string, std::string> MeanAndNoise(GraphBuilder& b,
    const NetworkDescription& d, const std::string& last)
{
  if (!d.targetScale.is_empty())
  {
    b.Vector(names::TargetMean, d.targetMean);
    b.Vector(names::TargetScale, d.targetScale);
  }
  if (d.noise == NoiseKind::None)
    return { last, "" };
  if (d.noise != NoiseKind::Heteroscedastic)
    return { last, b.Vector(names::NoiseStddev, d.noiseStddev) };

  const int64_t size = int64_t(d.TargetSize());
  b.Node(Names{ "target", "noise.raw" }, "Split",
      { last, b.Integers("target.sizes", { size, size }) },
      { { "axis", int64_t(-1) } });
  const std::string noise = WriteSoftplus(b, "noise.raw", "noise.softplus");
  const std::string floor = b.Scalar("noise.floor", 1e-6);
  if (std::isinf(d.noiseLimit))
    return { "target", b.Node("noise.stddev", "Add", { noise, floor }) };
  // u limit / (u + limit).
  const std::string u = b.Node("noise.free", "Add", { noise, floor });
  const std::string limit = b.Scalar(names::NoiseLimit, d.noiseLimit);
  return { "target",
    b.Node("noise.stddev", "Div",
        { b.Node("noise.scaled", "Mul", { u, limit }),
            b.Node("noise.sum", "Add", { u, limit }) }) };
}

//! A vector as an N x targets output, repeated for each row of `like`.
std::string Repeat(GraphBuilder& b, const std::string& name,
    const std::string& vector, const std::string& like)
{
  const std::string shape = b.Node(name + ".shape", "Shape", { like });
  return b.Node(name, "Expand", { vector, shape });
}

//! sqrt(E[noise^2]) over the draws as the output aleatoric_std.
void WriteAleatoric(GraphBuilder& b, const NetworkDescription& d,
    const std::string& noise, const std::string& mean)
{
  if (d.noise != NoiseKind::Heteroscedastic)
  {
    Repeat(b, "aleatoric_std", Rescale(b, d, "aleatoric_std", noise), mean);
    return;
  }
  const std::string square = b.Node("noise.square", "Mul", { noise, noise });
  const std::string root = b.Node("noise.mean_stddev", "Sqrt",
      { Average(b, "noise.variance", square) });
  b.Node("aleatoric_std", "Identity", { Rescale(b, d, "aleatoric_std", root) });
}

//! Outputs of real targets, from the S x N x outputs of the last layer.
void WriteTargets(GraphBuilder& b, const NetworkDescription& d,
    const std::string& last, const bool members)
{
  const std::vector<Axis> shape{ "N", d.TargetSize() };
  const auto [value, noise] = MeanAndNoise(b, d, last);
  const std::string mean = Average(b, "mean.standardised", value);
  TargetUnit(b, d, "mean", mean);
  const std::string stddev = b.Node("epistemic_std.standardised", "Sqrt",
      { Spread(b, "epistemic_variance", value, mean) });
  b.Node("epistemic_std", "Identity",
      { Rescale(b, d, "epistemic_std", stddev) });
  std::string variance = b.Node("epistemic_std.square", "Mul",
      { "epistemic_std", "epistemic_std" });

  b.Output("mean", shape);
  b.Output("variance", shape);
  b.Output("epistemic_std", shape);
  if (!noise.empty())
  {
    WriteAleatoric(b, d, noise, mean);
    b.Output("aleatoric_std", shape);
    const std::string square = b.Node("aleatoric_std.square", "Mul",
        { "aleatoric_std", "aleatoric_std" });
    variance = b.Node("variance.sum", "Add", { variance, square });
  }
  b.Node("variance", "Identity", { variance });
  if (members)
    TargetUnit(b, d, "members", value);
}

} // namespace

void WriteMeanOutputs(GraphBuilder& b, const NetworkDescription& d,
    const std::string& last)
{
  const std::vector<Axis> shape{ "N", d.TargetSize() };
  b.Output("mean", shape);
  switch (d.output)
  {
  case OutputKind::Softmax:
    b.Node("mean", "Softmax", { last }, { { "axis", int64_t(1) } });
    return;
  case OutputKind::LogSoftmax:
    b.Node("mean", "LogSoftmax", { last }, { { "axis", int64_t(1) } });
    return;
  case OutputKind::Bernoulli: b.Node("mean", "Sigmoid", { last }); return;
  case OutputKind::Raw: return;
  default: break;
  }
  const auto [value, noise] = MeanAndNoise(b, d, last);
  if (!LastIsMean(d))
    TargetUnit(b, d, "mean", value);
  if (noise.empty())
    return;
  const std::string scaled = Rescale(b, d, "aleatoric_std", noise);
  if (d.noise == NoiseKind::Heteroscedastic)
    b.Node("aleatoric_std", "Identity", { scaled });
  else
    Repeat(b, "aleatoric_std", scaled, value);
  b.Output("aleatoric_std", shape);
}

void WritePosteriorOutputs(GraphBuilder& b, const NetworkDescription& d,
    const std::string& last, const ExportOptions& options)
{
  std::string p;
  if (d.output == OutputKind::Bernoulli)
    p = b.Node("member_probabilities", "Sigmoid", { last });
  else if (d.output == OutputKind::Softmax ||
      d.output == OutputKind::LogSoftmax)
    p = b.Node("member_probabilities", "Softmax", { last },
        { { "axis", int64_t(-1) } });

  if (p.empty())
    WriteTargets(b, d, last, options.members);
  else
    WriteProbabilities(b, d, p);
  if (!options.members)
    return;
  if (!p.empty())
    b.Node("members", "Identity", { p });
  const Axis draws = options.mode == ExportMode::Ensemble ?
      Axis(options.samples) :
      Axis("S");
  b.Output("members", { draws, "N", d.TargetSize() });
}

} // namespace onnx
} // namespace symvi
