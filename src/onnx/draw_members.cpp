#include <symvi/onnx/file.hpp>

#include <symvi/kernel/random_stream.hpp>

#include <stdexcept>

namespace symvi {
namespace onnx {

namespace {

// Draw s of a seed is draw s of PosteriorSampler, so that an ensemble of S draws
// predicts what Predict() with PredictOptions(S, seed) does.

//! w = mu + sigma % eps in the arithmetic of eT, for weights and bias at once.
template<typename eT>
void Draw(LayerDescription& layer, RandomStream& stream)
{
  std::vector<eT> eps(layer.Size());
  stream.FillNormal(eps.data(), eps.size());
  const auto move = [](double& w, const double sigma, const eT noise)
  { w = double(eT(w) + eT(sigma) * noise); };
  const size_t weights = layer.weight.n_elem;
  for (size_t i = 0; i < weights; ++i)
    move(layer.weight[i], layer.weightSigma[i], eps[i]);
  for (size_t i = 0; i < layer.bias.n_elem; ++i)
    move(layer.bias[i], layer.biasSigma[i], eps[weights + i]);
  layer.weightSigma.reset();
  layer.biasSigma.reset();
}

} // namespace

std::vector<NetworkDescription> DrawMembers(
    const NetworkDescription& description, const size_t samples,
    const uint64_t seed)
{
  Validate(description);
  if (samples == 0)
    throw std::invalid_argument("DrawMembers(): samples must be positive, but "
                                "is 0.");

  RandomStream stream(kernel::KeyFromSeed(seed));
  std::vector<NetworkDescription> members(samples, description);
  for (size_t s = 0; s < samples; ++s)
  {
    stream.Seek(uint64_t(s) << 32);
    for (LayerDescription& layer : members[s].layers)
    {
      if (!layer.IsBayesian())
        continue;
      if (description.element == ElementKind::Float)
        Draw<float>(layer, stream);
      else
        Draw<double>(layer, stream);
    }
  }
  return members;
}

} // namespace onnx
} // namespace symvi
