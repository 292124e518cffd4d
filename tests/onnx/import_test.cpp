/**
 * Models of other programs: what is understood, and that it computes the same.
 */
#include "catch.hpp"

#include "make_mlp.hpp"
#include "model_builder.hpp"

#include <symvi/onnx/file.hpp>

using namespace symvi;
using test::ModelBuilder;

namespace {

//! The numbers of ModelBuilder::Numbers() as in x out, transposed for symvi.
arma::mat Weights(const size_t in, const size_t out)
{
  arma::mat w(out, in);
  for (size_t i = 0; i < w.n_elem; ++i)
    w[i] = double(i + 1) / 8.0;
  return w;
}

} // namespace

TEST_CASE("Gemm, with and without transposition and factors", "[onnx]")
{
  ModelBuilder m;
  SECTION("plain")
  {
    m.Dense("y", "x", 3, 2);
    const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
    REQUIRE(
        arma::approx_equal(d.layers[0].weight, Weights(3, 2), "absdiff", 0.0));
    REQUIRE(d.layers[0].bias[1] == 0.25);
    REQUIRE(d.element == ElementKind::Float);
    REQUIRE(d.output == OutputKind::Raw);
  }
  SECTION("transposed, scaled, one bias for all")
  {
    m.build.Node("y", "Gemm",
        { "x", m.Numbers("w", { 2, 3 }), m.Numbers("b", { 1 }) },
        { { "transB", int64_t(1) }, { "alpha", 2.0f }, { "beta", 4.0f } });
    const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
    REQUIRE(arma::approx_equal(d.layers[0].weight, 2.0 * Weights(2, 3).t(),
        "absdiff", 0.0));
    REQUIRE(arma::approx_equal(d.layers[0].bias, arma::vec{ 0.5, 0.5 },
        "absdiff", 0.0));
  }
  SECTION("no bias")
  {
    m.build.Node("y", "Gemm", { "x", m.Numbers("w", { 3, 2 }) });
    REQUIRE(symvi::onnx::Parse(m.Bytes("y")).layers[0].bias.is_empty());
  }
}

TEST_CASE("MatMul and Add in both orders, constants of all kinds", "[onnx]")
{
  const ElementKind element = GENERATE(ElementKind::Float, ElementKind::Double);
  ModelBuilder m(3, element);
  // Weights behind Transpose and Identity, the bias as a Constant node.
  m.Numbers("wt", { 2, 3 });
  m.build.Node("w1", "Transpose", { "wt" });
  m.build.Node("w", "Identity", { "w1" });
  m.build.Node("b", "Constant", {});
  ::onnx::AttributeProto* attribute = m.graph.mutable_node(2)->add_attribute();
  attribute->set_name("value");
  attribute->set_type(::onnx::AttributeProto::TENSOR);
  ::onnx::TensorProto* tensor = attribute->mutable_t();
  tensor->add_dims(1);
  tensor->add_dims(2);
  if (element == ElementKind::Float)
  {
    tensor->set_data_type(::onnx::TensorProto::FLOAT);
    tensor->add_float_data(0.1f);
    tensor->add_float_data(-3.0f);
  }
  else
  {
    tensor->set_data_type(::onnx::TensorProto::DOUBLE);
    tensor->add_double_data(0.1);
    tensor->add_double_data(-3.0);
  }
  m.build.Node("z", "MatMul", { "x", "w" });
  m.build.Node("y", "Add", { "b", "z" });

  const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
  REQUIRE(d.element == element);
  REQUIRE(arma::approx_equal(d.layers[0].weight, Weights(2, 3).t(), "absdiff",
      0.0));
  REQUIRE(d.layers[0].bias[0] ==
      (element == ElementKind::Float ? double(0.1f) : 0.1));
}

TEST_CASE("Activations by operator", "[onnx]")
{
  const std::pair<const char*, Activation> cases[] = {
    { "Relu", Activation::ReLU }, { "Tanh", Activation::TanH },
    { "Sigmoid", Activation::Sigmoid }, { "LeakyRelu", Activation::LeakyReLU },
    { "Elu", Activation::ELU }, { "Softplus", Activation::Softplus }
  };
  for (const auto& [op, activation] : cases)
  {
    ModelBuilder m;
    m.build.Node("h", op, { m.Dense("z", "x", 3, 4) });
    m.Dense("y", "h", 4, 2);
    const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
    REQUIRE(d.layers.size() == 2);
    REQUIRE(d.layers[0].activation == activation);
    if (activation == Activation::LeakyReLU)
      REQUIRE(d.layers[0].alpha == 0.01);
    if (activation == Activation::ELU)
      REQUIRE(d.layers[0].alpha == 1.0);
  }
}

TEST_CASE("Gelu as an operator", "[onnx]")
{
  ModelBuilder m(3, ElementKind::Float, 20);
  m.build.Node("h", "Gelu", { m.Dense("z", "x", 3, 4) });
  m.Dense("y", "h", 4, 2);
  symvi::onnx::ImportOptions options;
  SECTION("exact")
  {
    REQUIRE_THROWS_AS(symvi::onnx::Parse(m.Bytes("y")),
        symvi::onnx::ImportError);
    options.approximateGelu = true;
  }
  SECTION("with tanh")
  {
    ::onnx::AttributeProto* a = m.graph.mutable_node(1)->add_attribute();
    a->set_name("approximate");
    a->set_type(::onnx::AttributeProto::STRING);
    a->set_s("tanh");
  }
  REQUIRE(symvi::onnx::Parse(m.Bytes("y"), options).layers[0].activation ==
      Activation::GELU);
}

TEST_CASE("Gelu taken apart as PyTorch does", "[onnx]")
{
  ModelBuilder m;
  const std::string z = m.Dense("z", "x", 3, 4);
  m.build.Node("a", "Div", { z, m.build.Scalar("root", std::sqrt(2.0)) });
  m.build.Node("e", "Erf", { "a" });
  m.build.Node("s", "Add", { "e", m.build.Scalar("one", 1.0) });
  m.build.Node("p", "Mul", { z, "s" });
  m.build.Node("h", "Mul", { "p", m.build.Scalar("half", 0.5) });
  m.Dense("y", "h", 4, 2);
  const std::string bytes = m.Bytes("y");
  REQUIRE_THROWS_WITH(symvi::onnx::Parse(bytes),
      Catch::Matchers::ContainsSubstring("'h' (Mul)"));
  symvi::onnx::ImportOptions options;
  options.approximateGelu = true;
  REQUIRE(symvi::onnx::Parse(bytes, options).layers[0].activation ==
      Activation::GELU);
}

TEST_CASE("Softplus taken apart", "[onnx]")
{
  ModelBuilder m;
  m.build.Node("e", "Exp", { m.Dense("z", "x", 3, 4) });
  m.build.Node("s", "Add", { "e", m.build.Scalar("one", 1.0) });
  m.build.Node("h", "Log", { "s" });
  m.Dense("y", "h", 4, 2);
  REQUIRE(symvi::onnx::Parse(m.Bytes("y")).layers[0].activation ==
      Activation::Softplus);
}

TEST_CASE("Images are flattened, probabilities end the network", "[onnx]")
{
  const bool reshape = GENERATE(false, true);
  ModelBuilder m(0);
  m.build.Input("x", { "N", size_t(1), size_t(2), size_t(3) });
  if (reshape)
    m.build.Node("f", "Reshape", { "x", m.build.Integers("s", { -1, 6 }) });
  else
    m.build.Node("f", "Flatten", { "x" });
  m.build.Node("drop", "Dropout", { m.Dense("z", "f", 6, 2) });
  m.build.Node("p", "LogSoftmax", { "drop" }, { { "axis", int64_t(1) } });
  m.build.Node("y", "Identity", { "p" });
  const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
  REQUIRE(d.output == OutputKind::LogSoftmax);
  REQUIRE(d.InSize() == 6);
}

TEST_CASE("A final sigmoid is a Bernoulli output", "[onnx]")
{
  ModelBuilder m;
  m.build.Node("y", "Sigmoid", { m.Dense("z", "x", 3, 2) });
  const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
  REQUIRE(d.output == OutputKind::Bernoulli);
  REQUIRE(d.layers[0].activation == Activation::Identity);
}

TEST_CASE("Arithmetic on the input becomes a standardisation", "[onnx]")
{
  ModelBuilder m;
  m.build.Node("a", "Mul", { "x", m.build.Scalar("m", 0.5) });
  m.build.Node("b", "Add", { "a", m.build.Vector("c", { 1.0, 2.0, -3.0 }) });
  m.build.Node("c2", "Div", { "b", m.build.Vector("d", { 2.0, 4.0, 8.0 }) });
  m.build.Node("f", "Sub", { "c2", m.build.Scalar("e", 0.25) });
  m.Dense("y", "f", 3, 2);
  const NetworkDescription d = symvi::onnx::Parse(m.Bytes("y"));
  const arma::vec x{ 0.3, -0.7, 1.9 };
  const arma::vec expected = (0.5 * x + arma::vec{ 1.0, 2.0, -3.0 }) /
          arma::vec{ 2.0, 4.0, 8.0 } -
      0.25;
  REQUIRE(arma::approx_equal((x - d.inputMean) / d.inputScale, expected,
      "absdiff", 1e-14));
}

TEST_CASE("One of several outputs can be chosen", "[onnx]")
{
  ModelBuilder m;
  m.build.Node("p", "Softmax", { m.Dense("z", "x", 3, 2) });
  m.build.Node("label", "ArgMax", { "p" }, { { "axis", int64_t(1) } });
  m.build.Output("p", { "N", size_t(2) });
  m.build.Output("label", { "N", size_t(1) });
  REQUIRE_THROWS_WITH(symvi::onnx::Parse(m.Bytes("p")),
      Catch::Matchers::ContainsSubstring("choose one of 2 outputs"));
  symvi::onnx::ImportOptions options;
  options.output = "p";
  REQUIRE(
      symvi::onnx::Parse(m.Bytes("p"), options).output == OutputKind::Softmax);
  options.output = "label";
  REQUIRE_THROWS_WITH(symvi::onnx::Parse(m.Bytes("p"), options),
      Catch::Matchers::ContainsSubstring("'label' (ArgMax)"));
}
