/**
 * @file src/onnx/extents.cpp
 *
 * Sizes of what the layers of a description take and give.
 */
#include <symvi/onnx/network_description.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <string>

namespace symvi {

namespace {

std::string Text(const Extent& e)
{
  return e.isImage ? std::to_string(e.width) + " x " +
          std::to_string(e.height) + " x " + std::to_string(e.maps) :
                     std::to_string(e.Size());
}

void RequireFits(const bool fits, const LayerDescription& layer,
    const std::string& what, const Extent& input, const size_t has = 0)
{
  if (!fits)
    Refuse("NetworkDescription",
        std::string("a layer of kind ") + Name(layer.kind) + " " + what,
        (has > 0 ? "has " + std::to_string(has) + " and " : "") + "takes " +
            Text(input) + " numbers");
}

//! Windows along one side of an image.
size_t Windows(const LayerDescription& layer, const Extent& input,
    const size_t size, const size_t window, const size_t stride)
{
  RequireFits(stride > 0 && window > 0 && window <= size, layer,
      "must have windows that are not larger than its image, and positive "
      "strides",
      input);
  const size_t rest = size - window;
  const size_t last = layer.window.isPartial ? (rest + stride - 1) / stride :
                                               rest / stride;
  RequireFits(last * stride < size, layer,
      "must have windows that begin inside its image", input);
  return last + 1;
}

} // namespace

const char* Name(const LayerKind kind)
{
  switch (kind)
  {
  case LayerKind::Convolution: return "convolution";
  case LayerKind::MaxPooling: return "max pooling";
  case LayerKind::MeanPooling: return "mean pooling";
  case LayerKind::Padding: return "padding";
  case LayerKind::BatchNorm: return "batch norm";
  case LayerKind::LayerNorm: return "layer norm";
  default: return "dense";
  }
}

Extent LayerDescription::Output(const Extent& input) const
{
  Extent output = input;
  const size_t size = input.Size();
  if (kind == LayerKind::Dense)
  {
    RequireFits(weight.n_cols == size, *this,
        "must take as many numbers as it has columns", input, weight.n_cols);
    output = Extent();
    output.maps = weight.n_rows;
    return output;
  }
  if (kind == LayerKind::BatchNorm || kind == LayerKind::LayerNorm)
  {
    const bool perMap = kind == LayerKind::BatchNorm &&
        weight.n_elem == input.maps;
    RequireFits(perMap || weight.n_elem == size, *this,
        "must have one weight per map or number", input, weight.n_elem);
    return output;
  }
  RequireFits(input.isImage, *this, "must take an image", input);
  output.width += window.padLeft + window.padRight;
  output.height += window.padTop + window.padBottom;
  if (kind == LayerKind::Padding)
    return output;
  output.width = Windows(*this, input, output.width, window.width,
      window.strideWidth);
  output.height = Windows(*this, input, output.height, window.height,
      window.strideHeight);
  if (kind != LayerKind::Convolution)
    return output;
  const size_t patch = window.width * window.height * input.maps;
  RequireFits(weight.n_cols == patch, *this,
      "must have one weight per map for each number of a window", input,
      weight.n_cols);
  output.maps = weight.n_rows;
  return output;
}

std::vector<Extent> NetworkDescription::Extents() const
{
  std::vector<Extent> extents{ input };
  if (!input.isImage)
  {
    extents.back() = Extent();
    extents.back().maps = InSize();
  }
  for (const LayerDescription& layer : layers)
    extents.push_back(layer.Output(extents.back()));
  return extents;
}

} // namespace symvi
