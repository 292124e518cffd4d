/**
 * @file onnx.cpp
 *
 * symvi._onnx: posteriors as ONNX files.  A module of its own, so that ONNX and
 * protobuf come into a process only where they are used.
 */
#include <symvi/io/file.hpp>
#include <symvi/onnx/convert.hpp>
#include <symvi/onnx/file.hpp>

#include <pybind11/pybind11.h>

#include <sstream>
#include <string>

namespace py = pybind11;
using namespace py::literals;

namespace {

//! @param model The content of a model file.
void Export(const std::string& model, const std::string& path,
    const std::string& mode, const size_t samples, const bool members)
{
  const py::gil_scoped_release release;
  std::istringstream stream(model);
  const symvi::Ensemble ensemble = symvi::Ensemble::Read(stream);
  symvi::onnx::ExportOptions options;
  options.mode = symvi::onnx::ParseExportMode(mode);
  options.samples = samples;
  options.members = members;
  options.seed = ensemble.Seed();
  try
  {
    const std::string bytes = symvi::onnx::Serialize(
        symvi::onnx::Describe(ensemble), options);
    symvi::io::AtomicFile file(path);
    file.Stream().write(bytes.data(), std::streamsize(bytes.size()));
    file.Commit();
  }
  catch (const std::runtime_error& e)
  {
    const py::gil_scoped_acquire gil;
    PyErr_SetString(PyExc_OSError, e.what());
    throw py::error_already_set();
  }
}

} // namespace

PYBIND11_MODULE(_onnx, module)
{
  module.doc() = "Posteriors as ONNX files.";
  module.def("export", &Export, "model"_a, "path"_a, "mode"_a, "samples"_a,
      "members"_a);
}
