/**
 * @file onnx_input.hpp
 *
 * Networks from ONNX, for the programs that have that component.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_ONNX_INPUT_HPP
#define SYMVI_BINDINGS_PROGRAMS_ONNX_INPUT_HPP

#include <symvi/onnx/convert.hpp>
#include <symvi/onnx/file.hpp>

#include <new>
#include <stdexcept>
#include <string>

namespace symvi {
namespace cli {

//! Import, with errors that name the file.
inline Pipeline ReadOnnx(const std::string& path,
    const onnx::PipelineOptions& options)
{
  try
  {
    return onnx::BuildPipeline(onnx::Import(path), options);
  }
  catch (const std::bad_alloc&)
  {
    throw;
  }
  catch (const std::exception& e)
  {
    std::string reason = e.what();
    if (reason.rfind("Import(): ", 0) == 0)
      reason.erase(0, 10);
    throw std::invalid_argument("cannot import '" + path + "': " + reason);
  }
}

} // namespace cli
} // namespace symvi

#endif
