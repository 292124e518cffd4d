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
//! @param output Which output to read; empty: the only one.
inline Pipeline ReadOnnx(const std::string& path,
    const onnx::PipelineOptions& options, const std::string& output = "")
{
  try
  {
    onnx::ImportOptions reading;
    reading.output = output;
    return onnx::BuildPipeline(onnx::Import(path, reading), options);
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
