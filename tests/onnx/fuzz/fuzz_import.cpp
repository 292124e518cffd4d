/**
 * Feeds damaged files to the reader.  Every one must give a description or an
 * ImportError, in bounded memory and time.
 *
 *   fuzz_onnx [number of files [seed]]
 *
 * The same number and seed give the same files.
 */
#include "../make_mlp.hpp"
#include "../../campaign/mutate.hpp"
#include "mutate_model.hpp"

#include <symvi/onnx/file.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>

// Bytes that the program asked for since the count was set to zero.
static size_t allocated = 0;

void* operator new(const size_t size)
{
  allocated += size;
  if (void* memory = std::malloc(size > 0 ? size : 1))
    return memory;
  throw std::bad_alloc();
}

// With some levels of optimisation GCC inlines these but not the one above, and
// then takes std::free() for a mistake.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept
{
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept
{
  std::free(memory);
}

using namespace symvi;

namespace {

//! Small models in every mode, as symvi and (without metadata) others write.
std::vector<std::string> Seeds()
{
  std::vector<std::string> seeds;
  const auto add = [&](const NetworkDescription& d, const int mode)
  {
    symvi::onnx::ExportOptions options;
    options.mode = symvi::onnx::ExportMode(mode);
    options.samples = 2;
    seeds.push_back(symvi::onnx::Serialize(d, options));
    if (mode != 0)
      return;
    ::onnx::ModelProto model;
    model.ParseFromString(seeds.back());
    model.clear_metadata_props();
    seeds.push_back(model.SerializeAsString());
  };
  for (int activation = 0; activation < 8; ++activation)
  {
    for (int mode = 0; mode < 4; ++mode)
    {
      NetworkDescription d = test::MakeMlp({ 3, 4, 4, 2 },
          Activation(activation), ElementKind(activation % 2), 1);
      test::Standardise(d, 2);
      d.output = OutputKind(activation % 5);
      d.noise = d.output == OutputKind::Gaussian ? NoiseKind::Heteroscedastic :
                                                   NoiseKind::None;
      d.classNames = { "yes", "no" };
      if (d.output == OutputKind::Gaussian)
        d.targetMean = d.targetScale = arma::vec{ 1.0 };
      add(d, mode);
    }
  }
  for (int kind = 0; kind < 2; ++kind)
  {
    for (int mode = 0; mode < 4; ++mode)
    {
      NetworkDescription d = test::MakeImageNetwork(ElementKind(kind), 1);
      test::Standardise(d, 2);
      add(d, mode);
    }
  }
  return seeds;
}

//! Damage to the bytes, or to the model that they hold.
std::string Damage(const std::vector<std::string>& seeds, RandomStream& stream)
{
  if (stream.NextIndex(2) == 0)
    return test::Mutate(seeds, stream);
  ::onnx::ModelProto model;
  model.ParseFromString(seeds[stream.NextIndex(seeds.size())]);
  test::MutateModel(model, stream);
  return model.SerializeAsString();
}

//! Whether the reader took the file; exits where it misbehaved.
bool Try(const std::string& bytes, const size_t number, size_t& peak)
{
  // Memory: so many bytes for each of the file, and so many in any case.
  const size_t limit = 200 * bytes.size() + (size_t(1) << 20);
  bool taken = false;
  const auto start = std::chrono::steady_clock::now();
  allocated = 0;
  try
  {
    symvi::onnx::Parse(bytes);
    taken = true;
  }
  catch (const symvi::onnx::ImportError&)
  { /* A refusal is an answer. */
  }
  peak = std::max(peak, allocated);
  const double seconds = std::chrono::duration<double>(
      std::chrono::steady_clock::now() - start)
                             .count();
  if (allocated <= limit && seconds < 5.0)
    return taken;
  std::printf("file %zu: %zu bytes made the reader take %zu bytes, %.1f s\n",
      number, bytes.size(), allocated, seconds);
  std::ofstream("fuzz_failure.onnx", std::ios::binary) << bytes;
  std::exit(1);
}

} // namespace

int main(int argc, char** argv)
{
  const size_t files = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::vector<std::string> seeds = Seeds();
  RandomStream stream(seed);
  size_t taken = 0, peak = 0;
  for (size_t i = 0; i < files; ++i)
    taken += Try(Damage(seeds, stream), i, peak);
  std::printf("%zu files: %zu read, %zu refused; at most %zu bytes "
              "allocated for one\n",
      files, taken, files - taken, peak);
  return 0;
}
