#include "pointwise.hpp"

#include "kernel/softplus.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace symvi {
namespace onnx {

namespace {

using Node = ::onnx::NodeProto;
//! Values of a function at the points of Grid().
using Samples = std::vector<double>;

// Limits of one activation: nodes looked at, nodes used.
constexpr int maxScan = 256;
constexpr int maxNodes = 32;

const Samples& Grid()
{
  static const Samples grid = []()
  {
    Samples points;
    for (int i = -24; i <= 24; ++i)
      points.push_back(0.25 * i);
    return points;
  }();
  return grid;
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);

const std::unordered_map<std::string, Unary>& UnaryOperators()
{
  static const std::unordered_map<std::string, Unary> table = {
    { "Neg", [](double a) { return -a; } },
    { "Abs", [](double a) { return std::abs(a); } },
    { "Exp", [](double a) { return std::exp(a); } },
    { "Log", [](double a) { return std::log(a); } },
    { "Sqrt", [](double a) { return std::sqrt(a); } },
    { "Tanh", [](double a) { return std::tanh(a); } },
    { "Erf", [](double a) { return std::erf(a); } },
    { "Relu", [](double a) { return std::max(a, 0.0); } },
    { "Sigmoid", [](double a) { return 1.0 / (1.0 + std::exp(-a)); } },
    { "Softplus", kernel::Softplus }, { "Identity", [](double a) { return a; } }
  };
  return table;
}

const std::unordered_map<std::string, Binary>& BinaryOperators()
{
  static const std::unordered_map<std::string, Binary> table = {
    { "Add", [](double a, double b) { return a + b; } },
    { "Sub", [](double a, double b) { return a - b; } },
    { "Mul", [](double a, double b) { return a * b; } },
    { "Div", [](double a, double b) { return a / b; } },
    { "Max", [](double a, double b) { return std::max(a, b); } },
    { "Min", [](double a, double b) { return std::min(a, b); } },
    { "Pow", [](double a, double b) { return std::pow(a, b); } }
  };
  return table;
}

bool Equals(const Samples& f, const std::function<double(double)>& g)
{
  for (size_t i = 0; i < f.size(); ++i)
  {
    const double expected = g(Grid()[i]);
    if (!(std::abs(f[i] - expected) <= 2e-6 * (1.0 + std::abs(expected))))
      return false;
  }
  return true;
}

double TanhGelu(const double z)
{
  return 0.5 * z *
      (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (z + 0.044715 * z * z * z)));
}

double ErfGelu(const double z)
{
  return 0.5 * z * (1.0 + std::erf(z / std::sqrt(2.0)));
}

//! Compares with the activations that depend on a parameter.
bool MatchWithAlpha(const Samples& f, PointwiseMatch& match)
{
  // f(-1) tells which alpha it would have to be.
  const double atMinusOne = f[20];
  const double leaky = -atMinusOne;
  if (leaky >= 0.0 && leaky <= 1.0 &&
      Equals(f, [&](const double z) { return std::max(z, leaky * z); }))
  {
    match.activation = Activation::LeakyReLU;
    match.alpha = leaky;
    return true;
  }
  const double elu = atMinusOne / std::expm1(-1.0);
  if (elu > 0.0 &&
      Equals(f,
          [&](const double z) { return z > 0.0 ? z : elu * std::expm1(z); }))
  {
    match.activation = Activation::ELU;
    match.alpha = elu;
    return true;
  }
  return false;
}

//! Compares with every activation there is.
bool Match(const Samples& f, const bool approximateGelu, PointwiseMatch& match)
{
  const std::pair<Activation, Unary> plain[] = {
    { Activation::ReLU, [](double z) { return std::max(z, 0.0); } },
    { Activation::TanH, [](double z) { return std::tanh(z); } },
    { Activation::Sigmoid,
        [](double z) { return 1.0 / (1.0 + std::exp(-z)); } },
    { Activation::Softplus, kernel::Softplus }, { Activation::GELU, TanhGelu },
    { Activation::GELU, ErfGelu }
  };
  match.alpha = 0.0;
  for (const auto& [activation, function] : plain)
  {
    if (function == Unary(ErfGelu) && !approximateGelu)
      continue;
    if (!Equals(f, function))
      continue;
    match.activation = activation;
    return true;
  }
  return MatchWithAlpha(f, match);
}

//! Values made from one value by arithmetic, as samples.
class Region
{
 public:
  Region(const GraphView& graph, const std::string& start) : graph(graph)
  {
    Put(start, Grid());
  }

  //! Add the node if all it takes is known; false where it is not, or nothing
  //! that it takes depends on the start.
  bool Add(const Node& node)
  {
    if (node.output_size() != 1 || node.input_size() < 1)
      return false;
    const auto unary = UnaryOperators().find(node.op_type());
    const auto binary = BinaryOperators().find(node.op_type());
    Samples a, b;
    if (unary != UnaryOperators().end() && node.input_size() == 1)
    {
      if (!Get(node.input(0), a))
        return false;
      std::transform(a.begin(), a.end(), a.begin(), unary->second);
    }
    else if (binary != BinaryOperators().end() && node.input_size() == 2)
    {
      if (values.count(node.input(0)) + values.count(node.input(1)) == 0 ||
          !Get(node.input(0), a) || !Get(node.input(1), b))
        return false;
      std::transform(a.begin(), a.end(), b.begin(), a.begin(), binary->second);
    }
    else
    {
      return false;
    }
    Use(node);
    Put(node.output(0), a);
    return true;
  }

  //! Whether every other value is used up within the region.
  bool EndsWith(const std::string& value) const
  {
    return open == 1 && waiting.at(value) > 0;
  }

  const Samples& At(const std::string& value) const { return values.at(value); }

 private:
  bool Get(const std::string& name, Samples& samples) const
  {
    const auto found = values.find(name);
    if (found != values.end())
    {
      samples = found->second;
      return true;
    }
    if (!graph.IsSmall(name, 1))
      return false;
    samples.assign(Grid().size(), graph.GetConstant(name).data.front());
    return true;
  }

  void Put(const std::string& name, const Samples& samples)
  {
    values[name] = samples;
    waiting[name] = graph.Consumers(name).size() +
        (name == graph.Target() ? 1 : 0);
    open += waiting[name] > 0;
  }

  void Use(const Node& node)
  {
    std::unordered_set<std::string> inputs(node.input().begin(),
        node.input().end());
    for (const std::string& input : inputs)
      if (values.count(input) > 0 && --waiting[input] == 0)
        --open;
  }

  const GraphView& graph;
  std::unordered_map<std::string, Samples> values;
  std::unordered_map<std::string, size_t> waiting; //!< Consumers outside.
  int open = 0; //!< How many values have consumers outside.
};

} // namespace

PointwiseMatch MatchPointwise(const GraphView& graph, const std::string& value,
    const ImportOptions& options)
{
  const int first = graph.Consumers(value).front();
  const int last = std::min(graph.Size(), first + maxScan);
  Region region(graph, value);
  PointwiseMatch match;
  for (int i = first, used = 0; i < last && used < maxNodes; ++i)
  {
    const Node& node = graph.At(i);
    if (!graph.IsNeeded(i) || !region.Add(node))
      continue;
    ++used;
    match.result = node.output(0);
    if (region.EndsWith(match.result) &&
        Match(region.At(match.result), options.approximateGelu, match))
      return match;
    if (region.EndsWith(match.result) &&
        Match(region.At(match.result), true, match))
      GraphView::Refuse(node,
          "ends an exact GELU (with erf), but mlpack's "
          "has tanh and differs by up to 5e-4; the option approximateGelu "
          "accepts it");
  }
  GraphView::Refuse(graph.At(first),
      "is not supported here: it begins no "
      "activation that mlpack has");
}

} // namespace onnx
} // namespace symvi
