#include "write_network.hpp"

#include <cmath>

namespace symvi {
namespace onnx {

namespace {

// onnxruntime has no kernels of Softplus, Elu and LeakyRelu for double, so
// those are then written as what they are made of.

std::string WriteLeakyReLU(GraphBuilder& builder, const std::string& value,
    const std::string& name, const double alpha)
{
  if (builder.Element() == ElementKind::Float)
    return builder.Node(name, "LeakyRelu", { value },
        { { "alpha", float(alpha) } });

  const std::string slope = builder.Scalar(name + ".alpha", alpha);
  const std::string scaled = builder.Node(name + ".scaled", "Mul",
      { value, slope });
  return builder.Node(name, "Max", { value, scaled });
}

//! max(z, 0) + alpha (exp(min(z, 0)) - 1)
std::string WriteELU(GraphBuilder& builder, const std::string& value,
    const std::string& name, const double alpha)
{
  if (builder.Element() == ElementKind::Float)
    return builder.Node(name, "Elu", { value }, { { "alpha", float(alpha) } });

  const std::string positive = builder.Node(name + ".pos", "Relu", { value });
  const std::string negative = builder.Node(name + ".neg", "Sub",
      { value, positive });
  const std::string power = builder.Node(name + ".exp", "Exp", { negative });
  const std::string less = builder.Node(name + ".less", "Sub",
      { power, builder.Scalar(name + ".one", 1.0) });
  const std::string scaled = builder.Node(name + ".scaled", "Mul",
      { less, builder.Scalar(name + ".alpha", alpha) });
  return builder.Node(name, "Add", { positive, scaled });
}

//! z / 2 (1 + tanh(c (z + 0.044715 z^3))); opset 13 has no Gelu.
std::string WriteGELU(GraphBuilder& builder, const std::string& value,
    const std::string& name)
{
  const auto scalar = [&](const std::string& part, const double x)
  { return builder.Scalar(name + "." + part, x); };
  const auto node = [&](const std::string& part, const std::string& op,
                        const std::string& a, const std::string& b) {
    return builder.Node(name + "." + part, op, { a, b });
  };

  const std::string square = node("square", "Mul", value, value);
  const std::string cube = node("cube", "Mul", square, value);
  const std::string small = node("small", "Mul", cube,
      scalar("cubic", 0.044715));
  const std::string sum = node("sum", "Add", value, small);
  const std::string inner = node("inner", "Mul", sum,
      scalar("slope", std::sqrt(2.0 / M_PI)));
  const std::string tanh = builder.Node(name + ".tanh", "Tanh", { inner });
  const std::string gate = node("gate", "Add", tanh, scalar("one", 1.0));
  const std::string half = node("half", "Mul", value, scalar("scale", 0.5));
  return builder.Node(name, "Mul", { half, gate });
}

} // namespace

std::string WriteSoftplus(GraphBuilder& builder, const std::string& value,
    const std::string& name)
{
  if (builder.Element() == ElementKind::Float)
    return builder.Node(name, "Softplus", { value });

  // max(z, 0) + log(1 + exp(-|z|)) does not overflow.
  const std::string positive = builder.Node(name + ".pos", "Relu", { value });
  const std::string size = builder.Node(name + ".abs", "Abs", { value });
  const std::string minus = builder.Node(name + ".minus", "Neg", { size });
  const std::string power = builder.Node(name + ".exp", "Exp", { minus });
  const std::string more = builder.Node(name + ".more", "Add",
      { power, builder.Scalar(name + ".one", 1.0) });
  const std::string log = builder.Node(name + ".log", "Log", { more });
  return builder.Node(name, "Add", { positive, log });
}

std::string WriteActivation(GraphBuilder& builder, const std::string& value,
    const std::string& name, const LayerDescription& layer)
{
  switch (layer.activation)
  {
  case Activation::ReLU: return builder.Node(name, "Relu", { value });
  case Activation::TanH: return builder.Node(name, "Tanh", { value });
  case Activation::Sigmoid: return builder.Node(name, "Sigmoid", { value });
  case Activation::LeakyReLU:
    return WriteLeakyReLU(builder, value, name, layer.alpha);
  case Activation::ELU: return WriteELU(builder, value, name, layer.alpha);
  case Activation::Softplus: return WriteSoftplus(builder, value, name);
  case Activation::GELU: return WriteGELU(builder, value, name);
  default: return value;
  }
}

} // namespace onnx
} // namespace symvi
