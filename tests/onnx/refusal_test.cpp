/**
 * Files that are no models, damaged, too large, or hold what mlpack lacks.
 */
#include "catch.hpp"

#include "make_mlp.hpp"
#include "model_builder.hpp"

#include <symvi/onnx/file.hpp>

#include <fstream>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;
using test::ModelBuilder;

namespace {

//! What Parse() says about the bytes; empty if it takes them.
std::string Complaint(const std::string& bytes,
    const symvi::onnx::ImportOptions& options = symvi::onnx::ImportOptions())
{
  try
  {
    symvi::onnx::Parse(bytes, options);
  }
  catch (const symvi::onnx::ImportError& e)
  {
    return e.what();
  }
  return "";
}

} // namespace

TEST_CASE("What is no ONNX file is refused", "[onnx]")
{
  REQUIRE_THAT(Complaint(""), ContainsSubstring("empty"));
  REQUIRE_THAT(Complaint("#!/bin/sh\necho hello\n"),
      ContainsSubstring("no ONNX"));
  REQUIRE_THAT(Complaint(std::string(1000, '\0')),
      ContainsSubstring("no ONNX"));
  REQUIRE_THROWS_AS(symvi::onnx::Import("/"), symvi::onnx::ImportError);
  REQUIRE_THROWS_AS(symvi::onnx::Import("no such file"),
      symvi::onnx::ImportError);
}

TEST_CASE("Every truncation of a model is refused", "[onnx]")
{
  ModelBuilder m;
  const std::string bytes = m.Bytes(m.Dense("y", "x", 3, 2));
  REQUIRE(Complaint(bytes).empty());
  for (size_t size = 0; size < bytes.size(); ++size)
    REQUIRE_FALSE(Complaint(bytes.substr(0, size)).empty());
}

TEST_CASE("Operators that are not supported are named", "[onnx]")
{
  ModelBuilder m;
  const std::string z = m.Dense("z", "x", 3, 4);
  SECTION("unknown operator")
  {
    m.build.Node("block1/norm", "BatchNormalization", { z, z, z, z, z });
    REQUIRE_THAT(Complaint(m.Bytes("block1/norm")),
        ContainsSubstring("'block1/norm' (BatchNormalization)"));
  }
  SECTION("other domain")
  {
    m.build.Node("fast", "Gemm", { z, "z.w" });
    m.graph.mutable_node(1)->set_domain("com.microsoft");
    REQUIRE_THAT(Complaint(m.Bytes("fast")),
        ContainsSubstring("com.microsoft"));
  }
  SECTION("two branches")
  {
    m.build.Node("a", "Relu", { z });
    m.build.Node("b", "MatMul", { z, m.Numbers("v", { 4, 4 }) });
    m.build.Node("y", "Add", { "a", "b" });
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("'a' (Relu)"));
  }
  SECTION("computed weights")
  {
    m.build.Node("y", "MatMul", { z, z });
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("'y' (MatMul)"));
  }
  SECTION("activation unknown to mlpack")
  {
    m.build.Node("s", "Sigmoid", { z });
    m.build.Node("y", "Mul", { z, "s" });
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("(Sigmoid)"));
  }
  SECTION("after softmax")
  {
    m.build.Node("p", "Softmax", { z });
    m.Dense("y", "p", 4, 2);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("'y' (Gemm)"));
  }
  SECTION("bias of the whole batch")
  {
    m.build.Node("y", "Add",
        { m.build.Node("q", "MatMul", { z, m.Numbers("v", { 4, 2 }) }),
            m.Numbers("c", { 2, 1 }) });
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("'y' (Add)"));
  }
}

TEST_CASE("Tensors that do not hold together are named", "[onnx]")
{
  ModelBuilder m;
  m.Dense("y", "x", 3, 2);
  ::onnx::TensorProto* w = m.graph.mutable_initializer(0);
  SECTION("huge")
  {
    w->set_dims(0, int64_t(1) << 40);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("'y.w'"));
  }
  SECTION("product overflows")
  {
    w->set_dims(0, 1 << 24);
    w->set_dims(1, 1 << 24);
    for (int i = 0; i < 4; ++i)
      w->add_dims(1 << 24);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("more numbers"));
  }
  SECTION("negative")
  {
    w->set_dims(0, -3);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("'y.w'"));
  }
  SECTION("too short")
  {
    w->mutable_raw_data()->resize(20);
    REQUIRE_THAT(Complaint(m.Bytes("y")),
        ContainsSubstring("24 bytes, but "
                          "has 20"));
  }
  SECTION("type")
  {
    w->set_data_type(::onnx::TensorProto::FLOAT16);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("element type"));
  }
  SECTION("not a number")
  {
    const float nan = arma::fdatum::nan;
    w->mutable_raw_data()->replace(0, 4,
        std::string(reinterpret_cast<const char*>(&nan), 4));
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("not finite"));
  }
  SECTION("elsewhere")
  {
    w->set_data_location(::onnx::TensorProto::EXTERNAL);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("another file"));
  }
  SECTION("other size than the input")
  {
    w->set_dims(0, 2);
    w->set_dims(1, 3);
    REQUIRE_THAT(Complaint(m.Bytes("y")),
        ContainsSubstring("takes 2 numbers, "
                          "but there are 3"));
  }
}

TEST_CASE("Graphs that are no graphs are refused", "[onnx]")
{
  ModelBuilder m;
  m.Dense("y", "x", 3, 2);
  SECTION("cycle")
  {
    m.graph.mutable_node(0)->set_input(0, "y");
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("nothing before"));
  }
  SECTION("made twice")
  {
    *m.graph.add_node() = m.graph.node(0);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("exists already"));
  }
  SECTION("no such output")
  {
    REQUIRE_THAT(Complaint(m.Bytes("q")), ContainsSubstring("'q'"));
  }
  SECTION("opset")
  {
    m.model.mutable_opset_import(0)->set_version(5);
    REQUIRE_THAT(Complaint(m.Bytes("y")), ContainsSubstring("operator set"));
  }
}

TEST_CASE("Limits are checked before memory is taken", "[onnx]")
{
  ModelBuilder m;
  const std::string bytes = m.Bytes(m.Dense("y", "x", 3, 2));
  symvi::onnx::ImportOptions options;
  SECTION("bytes")
  {
    options.maxFileBytes = bytes.size() - 1;
    REQUIRE_THAT(Complaint(bytes, options), ContainsSubstring("maxFileBytes"));
  }
  SECTION("objects")
  {
    options.maxObjects = 10;
    REQUIRE_THAT(Complaint(bytes, options), ContainsSubstring("maxObjects"));
  }
  SECTION("parameters")
  {
    options.maxParameters = 7;
    REQUIRE_THAT(Complaint(bytes, options), ContainsSubstring("maxParameters"));
  }
  SECTION("a bomb of empty nodes")
  {
    // A graph (field 7) of empty nodes (field 1), two bytes each.
    std::string nodes;
    for (size_t i = 0; i < 1000000; ++i)
      nodes += std::string("\x0a\x00", 2);
    const size_t n = nodes.size();
    std::string bomb = "\x3a";
    for (size_t rest = n; rest > 0; rest >>= 7)
      bomb += char((rest & 0x7F) | (rest >= 128 ? 0x80 : 0));
    REQUIRE_THAT(Complaint(bomb + nodes), ContainsSubstring("maxObjects"));
  }
  SECTION("one tensor used by many layers")
  {
    ModelBuilder many;
    many.Numbers("w", { 100, 100 });
    std::string value = many.build.Node("first", "MatMul",
        { "x", many.Numbers("v", { 3, 100 }) });
    for (size_t i = 0; i < 50; ++i)
      value = many.build.Node("l" + std::to_string(i), "MatMul",
          { value, "w" });
    options.maxParameters = 100000;
    REQUIRE_THAT(Complaint(many.Bytes(value), options),
        ContainsSubstring("maxParameters"));
  }
}

TEST_CASE("An ensemble's posterior cannot be had back", "[onnx]")
{
  const NetworkDescription d = test::MakeMlp({ 3, 4, 2 }, Activation::ReLU,
      ElementKind::Float, 1);
  symvi::onnx::ExportOptions options;
  options.mode = symvi::onnx::ExportMode::Ensemble;
  options.samples = 6;
  REQUIRE_THAT(Complaint(symvi::onnx::Serialize(d, options)),
      ContainsSubstring("6 sets of weights"));
}
