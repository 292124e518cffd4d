/**
 * @file onnx.cpp
 *
 * symvi_onnx: models to ONNX, and networks from ONNX.
 */
#include <symvi/onnx/file.hpp>

#include "inputs.hpp"
#include "onnx_input.hpp"
#include "options/run.hpp"
#include "outputs.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

void ExportModel(const Arguments& arguments)
{
  const Ensemble model = Ensemble::Load(arguments.Text("input_model_file"));
  onnx::ExportOptions options;
  options.mode = onnx::ParseExportMode(arguments.Text("mode"));
  options.samples = arguments.Count("samples");
  options.members = arguments.Flag("members");
  options.isFloat = !arguments.Flag("double");
  options.seed = (arguments.Count("seed") != 0) ? arguments.Count("seed") :
                                                  model.Seed();
  Outputs outputs(arguments);
  outputs.AddText("output_onnx_file",
      onnx::Serialize(onnx::Describe(model), options));
  outputs.Commit();
}

void ImportModel(const Arguments& arguments)
{
  onnx::PipelineOptions options;
  options.task = arguments.Text("task");
  if (arguments.Has("class_names"))
    options.classNames = SplitList(arguments.Text("class_names"));
  options.relativeSigma = arguments.Number("relative_sigma");
  options.priorStddev = arguments.Number("prior_stddev");
  options.noise = NoiseOf(arguments, { "learned" });
  const Pipeline model = ReadOnnx(arguments.Text("input_onnx_file"), options,
      arguments.Text("output"));
  Outputs outputs(arguments);
  outputs.AddModel(Ensemble({ model }));
  outputs.Commit();
}

int Body(const Arguments& arguments)
{
  const bool exporting = arguments.Has("input_model_file");
  if (exporting == arguments.Has("input_onnx_file"))
    throw UsageError("either --input_model_file (to export) or "
                     "--input_onnx_file (to import) is needed.");
  const std::string output = exporting ? "output_onnx_file" :
                                         "output_model_file";
  if (!arguments.Has(output))
    throw UsageError("--" + output + " is needed.");
  CheckOutputs(arguments);
  if (exporting)
    arguments.Forbid({ "task", "class_names", "relative_sigma", "prior_stddev",
                         "noise", "output", "output_model_file" },
        "for an export");
  else
    arguments.Forbid(
        { "mode", "samples", "members", "double", "output_onnx_file" },
        "for an import");
  if (exporting)
    ExportModel(arguments);
  else
    ImportModel(arguments);
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(OnnxProgram, argc, argv, Body);
}
