#include "check_model.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>
#pragma GCC diagnostic pop

namespace symvi {
namespace onnx {

void CheckModel(::onnx::ModelProto& model)
{
  ::onnx::checker::check_model(model);
  const ::onnx::ShapeInferenceOptions strict(true, 1, true);
  ::onnx::shape_inference::InferShapes(model,
      ::onnx::OpSchemaRegistry::Instance(), strict);
}

} // namespace onnx
} // namespace symvi
