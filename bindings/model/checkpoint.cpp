/**
 * @file checkpoint.cpp
 */
#include <cereal/archives/portable_binary.hpp>

#include <sstream>
#include <stdexcept>

#include "container.hpp"
#include "spec_archive.hpp"
#include "trainer.hpp"

namespace symvi {
namespace cli {

template<typename Archive>
void TrainState::serialize(Archive& ar, const uint32_t /* version */)
{
  ar(seed, epoch, steps, parameters, firstMoment, secondMoment, history,
      bestParameters, bestValidation, bestEpoch);
}

void WriteCheckpoint(std::ostream& stream,
                     const TrainState& state,
                     const std::string& fingerprint)
{
  std::ostringstream payload;
  {
    cereal::PortableBinaryOutputArchive archive(payload);
    archive(fingerprint, state);
  }
  WriteContainer(stream, "checkpoint", payload.str());
}

TrainState ReadCheckpoint(const std::string& path, std::string& fingerprint)
{
  std::istringstream payload(ReadContainer(path, "checkpoint"));
  cereal::PortableBinaryInputArchive archive(payload);
  TrainState state;
  archive(fingerprint, state);
  return state;
}

void RequireSameRun(const std::string& path,
                    const std::string& theirs,
                    const std::string& ours)
{
  if (theirs == ours)
    return;
  std::istringstream left(theirs), right(ours);
  std::string a, b;
  while (std::getline(left, a) && std::getline(right, b) && a == b) { }
  throw std::invalid_argument("'" + path + "' belongs to another run: '" + a +
      "' there, but '" + b + "' here.");
}

} // namespace cli
} // namespace symvi
