#include "graph_view.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace symvi {
namespace onnx {

namespace {

using ::onnx::AttributeProto;

//! The attribute of that name and type; nullptr where there is none.
const AttributeProto* Find(const ::onnx::NodeProto& node,
    const std::string& name, const AttributeProto::AttributeType type)
{
  for (const AttributeProto& attribute : node.attribute())
  {
    if (attribute.name() != name)
      continue;
    if (attribute.type() != type)
      GraphView::Refuse(node,
          "has an attribute '" + name +
              "' of a wrong "
              "type");
    return &attribute;
  }
  return nullptr;
}

//! The double nearest to the shortest decimal that names the float: 0.03, not
//! 0.0299999993.
double Widen(const float value)
{
  char text[32];
  for (int digits = 1; digits <= 9; ++digits)
  {
    std::snprintf(text, sizeof(text), "%.*g", digits, double(value));
    if (std::strtof(text, nullptr) == value)
      break;
  }
  return std::strtod(text, nullptr);
}

} // namespace

int64_t IntegerAttribute(const ::onnx::NodeProto& node, const std::string& name,
    const int64_t otherwise)
{
  const AttributeProto* found = Find(node, name, AttributeProto::INT);
  return found ? found->i() : otherwise;
}

double NumberAttribute(const ::onnx::NodeProto& node, const std::string& name,
    const double otherwise)
{
  const AttributeProto* found = Find(node, name, AttributeProto::FLOAT);
  if (found && !std::isfinite(found->f()))
    GraphView::Refuse(node,
        "has an attribute '" + name +
            "' that is not "
            "finite");
  return found ? Widen(found->f()) : otherwise;
}

std::vector<int64_t> IntegersAttribute(const ::onnx::NodeProto& node,
    const std::string& name, const std::vector<int64_t>& otherwise)
{
  const AttributeProto* found = Find(node, name, AttributeProto::INTS);
  return found ?
      std::vector<int64_t>(found->ints().begin(), found->ints().end()) :
      otherwise;
}

std::string TextAttribute(const ::onnx::NodeProto& node,
    const std::string& name, const std::string& otherwise)
{
  const AttributeProto* found = Find(node, name, AttributeProto::STRING);
  return found ? found->s() : otherwise;
}

} // namespace onnx
} // namespace symvi
