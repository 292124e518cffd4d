/**
 * @file symvi/onnx/pipeline.hpp
 *
 * Pipelines to descriptions of networks, and back.
 */
#ifndef SYMVI_ONNX_PIPELINE_HPP
#define SYMVI_ONNX_PIPELINE_HPP

#include <symvi/model/ensemble.hpp>
#include <symvi/onnx/mlp_description.hpp>

namespace symvi {
namespace onnx {

//! The network of a pipeline with its scaling, class names and, as metadata,
//! how it was trained.
MlpDescription Describe(const Pipeline& model);

//! The same for every member of an ensemble.
std::vector<MlpDescription> Describe(const Ensemble& model);

//! What a description leaves open.
struct PipelineOptions
{
  //! "classification" or "regression"; empty: as the description says.
  std::string task;
  //! Class names; empty: those of the description, or numbers from 0.
  std::vector<std::string> classNames;
  //! Standard deviation of a weight that has none, relative to its size; at
  //! least 0.001.
  double relativeSigma = 0.1;
  double priorStddev = 1.0;
  //! Standard deviation of fixed noise in the units of the responses; 0:
  //! learned.
  double noise = 0.0;
};

/**
 * A pipeline with the weights of a description.
 *
 * @throws std::invalid_argument if it cannot be trained as a Pipeline: all
 *     hidden layers need the same activation, one of Activations().
 */
Pipeline BuildPipeline(const MlpDescription& description,
    const PipelineOptions& options = PipelineOptions());

} // namespace onnx
} // namespace symvi

#endif
