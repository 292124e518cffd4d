/**
 * @file bnn_setup.hpp
 *
 * From options and data to a model that can be trained.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_BNN_SETUP_HPP
#define SYMVI_BINDINGS_PROGRAMS_BNN_SETUP_HPP

#include "data/data.hpp"
#include "model/trainer.hpp"
#include "options/arguments.hpp"

namespace symvi {
namespace cli {

//! Points in the order of training, the held-out ones last; never copied.
struct Split
{
  Split(Data& data, arma::mat targets, double validation, uint64_t seed);

  arma::mat targets;
  arma::mat points, pointTargets;            // Views of the first part.
  arma::mat heldOut, heldOutTargets;         // Views of the last part.
};

//! A model for the data: labels, network; standardisation comes later.
Model NewModel(const Arguments& arguments,
               const std::string& task,
               const Data& data);

//! The model of --input_model_file, checked against the data.
Model LoadedModel(const Arguments& arguments, const std::string& task,
                  const Data& data);

//! Fit what --standardize asks for to the training part, and apply it to all.
void Standardize(const Arguments& arguments, Model& model, Split& split);

//! Options of the trainer; checks the batch size.
TrainOptions TrainOptionsOf(const Arguments& arguments,
                            const Model& model,
                            size_t points);

//! Text that two runs share only if they do the same.
std::string Fingerprint(const Model& model,
                        const TrainOptions& options,
                        const Split& split);

} // namespace cli
} // namespace symvi

#endif
