/**
 * @file bnn_train.hpp
 *
 * Training by symvi_bnn.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_BNN_TRAIN_HPP
#define SYMVI_BINDINGS_PROGRAMS_BNN_TRAIN_HPP

#include <functional>
#include <memory>

#include "model/trainer.hpp"
#include "options/arguments.hpp"

namespace symvi {
namespace cli {

//! A trained model with its network.
struct Trained
{
  Model model;
  std::unique_ptr<Network> network;
  Outcome outcome = Outcome::Complete;
  uint64_t epochs = 0;       // Complete ones.
  uint64_t asked = 0;
};

/**
 * Train as the options say.  `beforeTraining` is called once everything but
 * the weights is known, to find mistakes before hours of work.
 */
Trained Train(const Arguments& arguments,
              const std::function<void(const Model&)>& beforeTraining);

//! The seed to use: --seed, or one from the clock and the system.
uint64_t SeedOf(const Arguments& arguments);

} // namespace cli
} // namespace symvi

#endif
