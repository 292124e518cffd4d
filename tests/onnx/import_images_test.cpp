/**
 * Models of other programs that take images: what is understood, and that it
 * computes the same.
 */
#include "catch.hpp"

#include "make_mlp.hpp"
#include "model_builder.hpp"

#include <symvi/onnx/file.hpp>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;
using test::ModelBuilder;

namespace {

using Ints = std::vector<int64_t>;

//! A model whose input is N x maps x height x width.
struct ImageBuilder : ModelBuilder
{
  explicit ImageBuilder(const size_t maps = 2, const size_t height = 4,
      const size_t width = 5, const int64_t opset = 13,
      const symvi::onnx::Axis& batch = "N") :
      ModelBuilder(0, ElementKind::Float, opset)
  {
    build.Input("x", { batch, maps, height, width });
  }

  //! Three maps, windows of height 2 and width 3.
  std::string Conv(const std::string& name, const std::string& value,
      std::initializer_list<symvi::onnx::Attribute> attributes = {},
      const size_t maps = 2)
  {
    return build.Node(name, "Conv",
        { value, Numbers(name + ".w", { 3, maps, 2, 3 }),
            Numbers(name + ".b", { 3 }) },
        attributes);
  }

  NetworkDescription Parse(const std::string& output)
  {
    return symvi::onnx::Parse(Bytes(output));
  }

  //! What Parse() says against the model.
  std::string Complaint(const std::string& output)
  {
    try
    {
      Parse(output);
    }
    catch (const symvi::onnx::ImportError& e)
    {
      return e.what();
    }
    return "";
  }
};

} // namespace

TEST_CASE("Filters are mlpack's, maps first", "[onnx]")
{
  ImageBuilder m;
  m.Conv("y", "x",
      { { "strides", Ints{ 1, 2 } }, { "pads", Ints{ 1, 0, 2, 3 } } });
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.input.width == 5);
  REQUIRE(d.input.height == 4);
  REQUIRE(d.input.maps == 2);
  const LayerDescription& layer = d.layers[0];
  REQUIRE(layer.kind == LayerKind::Convolution);
  REQUIRE(layer.window.width == 3);
  REQUIRE(layer.window.strideWidth == 2);
  REQUIRE(layer.window.padTop == 1);
  REQUIRE(layer.window.padBottom == 2);
  REQUIRE(layer.window.padRight == 3);
  // Number m, c, j, i of 3 x 2 x 2 x 3 is that of map m, column i + 3 (j + 2 c).
  REQUIRE(layer.weight(1, 2 + 3 * (1 + 2 * 1)) == (12 + 6 + 3 + 2 + 1) / 8.0);
  REQUIRE(layer.bias[2] == 0.375);
  REQUIRE(d.Extents().back().width == 3);
  REQUIRE(d.Extents().back().height == 6);
}

TEST_CASE("Padding by name depends on the sizes", "[onnx]")
{
  const std::string name = GENERATE("SAME_UPPER", "SAME_LOWER", "VALID");
  ImageBuilder m;
  m.Conv("y", "x");
  ::onnx::AttributeProto* a = m.graph.mutable_node(0)->add_attribute();
  a->set_name("auto_pad");
  a->set_type(::onnx::AttributeProto::STRING);
  a->set_s(name);
  const Window w = m.Parse("y").layers[0].window;
  const bool same = name != "VALID";
  REQUIRE(w.padLeft == (same ? 1 : 0));
  REQUIRE(w.padRight == (same ? 1 : 0));
  REQUIRE(w.padTop == (name == "SAME_LOWER" ? 1 : 0));
  REQUIRE(w.padBottom == (name == "SAME_UPPER" ? 1 : 0));
}

TEST_CASE("A network as the model zoo's for digits", "[onnx]")
{
  // A fixed batch of one, bias by Add, weights and value reshaped.
  ImageBuilder m(1, 4, 5, 8, symvi::onnx::Axis(1));
  m.build.Node("c", "Conv", { "x", m.Numbers("c.w", { 3, 1, 2, 3 }) },
      { { "kernel_shape", Ints{ 2, 3 } } });
  m.build.Node("s", "Add", { "c", m.Numbers("c.b", { 3, 1, 1 }) });
  m.build.Node("r", "Relu", { "s" });
  m.build.Node("p", "MaxPool", { "r" },
      { { "kernel_shape", Ints{ 2, 2 } }, { "strides", Ints{ 1, 1 } } });
  m.build.Node("f", "Reshape", { "p", m.build.Integers("f.shape", { 1, 12 }) });
  m.build.Node("w", "Reshape",
      { m.Numbers("w4", { 3, 2, 2, 2 }),
          m.build.Integers("w.shape", { -1, 2 }) });
  m.build.Node("z", "MatMul", { "f", "w" });
  m.build.Node("y", "Add", { "z", m.Numbers("z.b", { 1, 2 }) });
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.layers.size() == 3);
  REQUIRE(d.layers[0].bias[1] == 0.25);
  REQUIRE(d.layers[0].activation == Activation::ReLU);
  REQUIRE(d.layers[1].kind == LayerKind::MaxPooling);
  REQUIRE(d.layers[2].weight(1, 3) == 1.0);
  REQUIRE(d.layers[2].bias[1] == 0.25);
}

TEST_CASE("Sizes that the graph computes are found out", "[onnx]")
{
  // x.view(x.size(0), -1), as PyTorch writes it.
  ImageBuilder m;
  m.build.Node("p", "GlobalAveragePool", { "x" });
  m.build.Node("s", "Shape", { "p" });
  m.build.Node("n", "Gather", { "s", m.build.Integers("zero", { 0 }) },
      { { "axis", int64_t(0) } });
  m.build.Node("shape", "Concat", { "n", m.build.Integers("rest", { -1 }) },
      { { "axis", int64_t(0) } });
  m.build.Node("f", "Reshape", { "p", "shape" });
  m.Dense("y", "f", 2, 2);
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.layers[0].kind == LayerKind::MeanPooling);
  REQUIRE(d.layers[0].window.width == 5);
  REQUIRE(d.layers[0].window.height == 4);
}

TEST_CASE("Images with their maps last become mlpack's", "[onnx]")
{
  // As Keras has them: N x height x width x maps on both sides.
  ImageBuilder m(4, 5, 2);
  m.build.Node("t", "Transpose", { "x" }, { { "perm", Ints{ 0, 3, 1, 2 } } });
  m.Conv("c", "t");
  m.build.Node("u", "Transpose", { "c" }, { { "perm", Ints{ 0, 2, 3, 1 } } });
  m.build.Node("f", "Reshape", { "u", m.build.Integers("s", { -1, 27 }) });
  m.Dense("y", "f", 27, 2);
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.input.width == 5);
  REQUIRE(d.input.height == 4);
  REQUIRE(d.input.maps == 2);
  // Pixel (2, 1) of map 1 is number 1 + 3 (2 + 3) in the file and 2 + 3 (1 + 3)
  // of mlpack's.
  REQUIRE(d.layers[1].weight(0, 2 + 3 * (1 + 3 * 1)) ==
      (2 * (1 + 3 * (2 + 3 * 1)) + 1) / 8.0);
}

TEST_CASE("Norms at inference", "[onnx]")
{
  const int64_t opset = GENERATE(int64_t(6), int64_t(13));
  ImageBuilder m(2, 4, 5, opset);
  const std::string n = m.Numbers("n", { 2 });
  m.build.Node("b", "BatchNormalization", { "x", n, n, n, n },
      { { "epsilon", 0.5f }, { "is_test", int64_t(1) } });
  m.build.Node("y", "Relu", { "b" });
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.layers[0].kind == LayerKind::BatchNorm);
  REQUIRE(d.layers[0].epsilon == 0.5);
  REQUIRE(d.layers[0].variance[1] == 0.25);
  REQUIRE(d.layers[0].activation == Activation::ReLU);
  if (opset == 6)
  {
    m.graph.mutable_node(0)->mutable_attribute(1)->set_i(0);
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("(BatchNormalization)"));
  }
}

TEST_CASE("Old operators say where their constants' axes begin", "[onnx]")
{
  ImageBuilder m(2, 4, 5, 6);
  m.build.Node("z", "Sub", { "x", m.Numbers("mean", { 2 }) },
      { { "broadcast", int64_t(1) }, { "axis", int64_t(1) } });
  m.build.Node("c", "Conv", { "z", m.Numbers("c.w", { 3, 2, 2, 3 }) });
  m.build.Node("y", "Add", { "c", m.Numbers("c.b", { 3 }) },
      { { "broadcast", int64_t(1) }, { "axis", int64_t(1) } });
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.layers[0].bias[2] == 0.375);
  REQUIRE(d.inputMean[19] == 0.125);
  REQUIRE(d.inputMean[20] == 0.25);
}

TEST_CASE("Constants on the input may have batch axes", "[onnx]")
{
  ImageBuilder m(1, 1, 5);
  m.build.Node("s", "Sub", { "x", m.Numbers("mean", { 1, 1, 1, 5 }) });
  m.build.Node("d", "Div", { "s", m.Numbers("scale", { 1, 1, 1, 1 }) });
  m.build.Node("f", "Flatten", { "d" });
  m.Dense("y", "f", 5, 2);
  const NetworkDescription d = m.Parse("y");
  REQUIRE(d.inputMean[4] == 0.625);
  REQUIRE(d.inputScale[4] == 0.125);
  REQUIRE_FALSE(d.input.isImage);
}

TEST_CASE("Operators on images that are not supported are named", "[onnx]")
{
  ImageBuilder m;
  SECTION("groups")
  {
    m.Conv("y", "x", { { "group", int64_t(2) } }, 1);
    REQUIRE_THAT(m.Complaint("y"),
        ContainsSubstring("'y' (Conv) has 2 groups"));
  }
  SECTION("dilations")
  {
    m.Conv("y", "x", { { "dilations", Ints{ 2, 2 } } });
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("dilations"));
  }
  SECTION("filters that are computed")
  {
    m.build.Input("w", { size_t(3), size_t(2), size_t(2), size_t(3) });
    m.build.Node("y", "Conv", { "x", "w" });
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("'y' (Conv)"));
  }
  SECTION("maxima of pads")
  {
    m.build.Node("y", "MaxPool", { "x" },
        { { "kernel_shape", Ints{ 2, 2 } }, { "pads", Ints{ 1, 1, 1, 1 } } });
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("'y' (MaxPool)"));
  }
  SECTION("windows larger than the image")
  {
    m.build.Node("y", "AveragePool", { "x" },
        { { "kernel_shape", Ints{ 5, 5 } } });
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("'y' (AveragePool)"));
  }
  SECTION("a dense layer without a Flatten")
  {
    m.build.Node("y", "MatMul", { "x", m.Numbers("w", { 5, 2 }) });
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("must be flattened"));
  }
  SECTION("an image made of a vector")
  {
    m.build.Node("f", "Flatten", { "x" });
    m.build.Node("g", "Reshape",
        { m.Dense("z", "f", 40, 12), m.build.Integers("s", { -1, 2, 2, 3 }) });
    m.Conv("y", "g");
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("made of a vector"));
  }
  SECTION("sizes that are not known")
  {
    m.graph.mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(2)
        ->set_dim_param("H");
    m.Conv("y", "x");
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("needs the sizes"));
  }
  SECTION("other operators")
  {
    m.build.Node("y", "LRN", { m.Conv("c", "x") });
    REQUIRE_THAT(m.Complaint("y"), ContainsSubstring("'y' (LRN)"));
  }
}
