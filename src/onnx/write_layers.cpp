#include "write_network.hpp"

namespace symvi {
namespace onnx {

namespace {

// Armadillo's column-major out x in memory is ONNX's row-major in x out.

std::string WeightTensor(GraphBuilder& builder, const std::string& name,
    const arma::mat& w)
{
  return builder.Tensor(name, { w.n_cols, w.n_rows }, w.memptr());
}

//! The weights of a layer of points.
LayerValues WritePoints(GraphBuilder& builder, const std::string& name,
    const LayerDescription& layer, const bool native)
{
  LayerValues values;
  const Window& w = layer.window;
  if (layer.kind == LayerKind::Convolution && native)
  {
    // Maps x input maps x height x width: the rows of the weights.
    const arma::mat rows = layer.weight.t();
    values.weight = builder.Tensor(name + ".weight",
        { layer.weight.n_rows, layer.weight.n_cols / (w.width * w.height),
            w.height, w.width },
        rows.memptr());
  }
  else if (!layer.weight.is_empty())
    values.weight = WeightTensor(builder, name + ".weight", layer.weight);
  if (!layer.bias.is_empty())
    values.bias = builder.Vector(name + ".bias", layer.bias);
  return values;
}

//! S draws of layer l side by side: S x in x out and S x 1 x out.
LayerValues WriteDraws(GraphBuilder& builder, const std::string& name,
    const std::vector<NetworkDescription>& members, const size_t l)
{
  const LayerDescription& shape = members.front().layers[l];
  std::vector<double> weights, biases;
  weights.reserve(members.size() * shape.weight.n_elem);
  for (const NetworkDescription& member : members)
  {
    const LayerDescription& layer = member.layers[l];
    weights.insert(weights.end(), layer.weight.begin(), layer.weight.end());
    biases.insert(biases.end(), layer.bias.begin(), layer.bias.end());
  }
  LayerValues values;
  values.weight = builder.Tensor(name + ".weight",
      { members.size(), shape.weight.n_cols, shape.weight.n_rows },
      weights.data());
  if (!shape.bias.is_empty())
    values.bias = builder.Tensor(name + ".bias",
        { members.size(), 1, shape.bias.n_elem }, biases.data());
  return values;
}

//! mu + sigma % eps with the S x n block `eps` of the noise, as S x rows x out.
std::string WriteDraw(GraphBuilder& builder, const std::string& name,
    const arma::mat& mean, const arma::mat& sigma, const std::string& eps,
    const size_t rows, const size_t out)
{
  const std::string mu = builder.Tensor(name + ".mean", { rows, out },
      mean.memptr());
  const std::string scale = builder.Tensor(name + ".sigma", { rows, out },
      sigma.memptr());
  const std::string shape = builder.Integers(name + ".shape",
      { 0, int64_t(rows), int64_t(out) });
  const std::string block = builder.Node(name + ".eps", "Reshape",
      { eps, shape });
  const std::string spread = builder.Node(name + ".spread", "Mul",
      { scale, block });
  return builder.Node(name, "Add", { mu, spread });
}

//! Cuts the S x P noise into one block for each weight matrix and bias.
std::vector<std::string> SplitNoise(GraphBuilder& builder,
    const NetworkDescription& description, const std::string& noise)
{
  std::vector<int64_t> sizes;
  for (const LayerDescription& layer : description.layers)
  {
    if (!layer.IsBayesian())
      continue;
    sizes.push_back(int64_t(layer.weight.n_elem));
    if (!layer.bias.is_empty())
      sizes.push_back(int64_t(layer.bias.n_elem));
  }
  std::vector<std::string> blocks;
  for (size_t i = 0; i < sizes.size(); ++i)
    blocks.push_back("noise.block" + std::to_string(i));
  builder.Node(blocks, "Split",
      { noise, builder.Integers("noise.sizes", sizes) },
      { { "axis", int64_t(1) } });
  return blocks;
}

//! The S x P noise: an input, or drawn by the graph for the input `samples`.
std::string WriteNoise(GraphBuilder& builder,
    const NetworkDescription& description, const ExportOptions& options)
{
  const size_t size = description.PosteriorSize();
  if (options.mode == ExportMode::Noise)
  {
    builder.Input("noise", { "S", size });
    return "noise";
  }
  builder.IntegerInput("samples", { size_t(1) });
  const std::string shape = builder.Node("noise.shape", "Concat",
      { "samples", builder.Integers("noise.size", { int64_t(size) }) },
      { { "axis", int64_t(0) } });
  // ConstantOfShape makes float zeros; RandomNormalLike takes their shape.
  const std::string zeros = builder.Node("noise.zeros", "ConstantOfShape",
      { shape });
  const int64_t type = builder.Element() == ElementKind::Float ?
      ::onnx::TensorProto::FLOAT :
      ::onnx::TensorProto::DOUBLE;
  if (options.seed == 0)
    return builder.Node("noise", "RandomNormalLike", { zeros },
        { { "dtype", type } });
  return builder.Node("noise", "RandomNormalLike", { zeros },
      { { "dtype", type }, { "seed", float(options.seed) } });
}

std::string WriteStandardisation(GraphBuilder& builder,
    const NetworkDescription& description)
{
  if (description.inputMean.is_empty())
    return names::Input;
  const Extent& input = description.input;
  const std::vector<size_t> shape = input.isImage ?
      std::vector<size_t>{ input.maps, input.height, input.width } :
      std::vector<size_t>{ description.InSize() };
  const std::string centred = builder.Node("input.centred", "Sub",
      { names::Input,
          builder.Tensor(names::InputMean, shape,
              description.inputMean.memptr()) });
  return builder.Node("input.standardised", "Div",
      { centred,
          builder.Tensor(names::InputScale, shape,
              description.inputScale.memptr()) });
}

//! W h + b: one Gemm in mean mode, MatMul and Add on stacks of draws.
std::string WriteDense(GraphBuilder& builder, const std::string& name,
    const std::string& h, const LayerValues& values, const bool stacked)
{
  if (values.bias.empty())
    return builder.Node(name, "MatMul", { h, values.weight });
  if (!stacked)
    return builder.Node(name, "Gemm", { h, values.weight, values.bias });
  const std::string product = builder.Node(name + ".product", "MatMul",
      { h, values.weight });
  return builder.Node(name, "Add", { product, values.bias });
}

//! Where the layers' weights come from, by mode.
std::vector<LayerValues> WriteWeights(GraphBuilder& builder,
    const NetworkDescription& description,
    const std::vector<NetworkDescription>& draws, const ExportOptions& options,
    const bool native)
{
  std::vector<std::string> blocks;
  if (options.mode == ExportMode::Sampling || options.mode == ExportMode::Noise)
    blocks = SplitNoise(builder, description,
        WriteNoise(builder, description, options));

  std::vector<LayerValues> weights;
  auto block = blocks.begin();
  for (size_t l = 0; l < description.layers.size(); ++l)
  {
    const LayerDescription& layer = description.layers[l];
    const std::string name = "layer" + std::to_string(l);
    const size_t in = layer.weight.n_cols, out = layer.weight.n_rows;
    if (layer.kind == LayerKind::BatchNorm ||
        layer.kind == LayerKind::LayerNorm)
    {
      weights.emplace_back(); // WriteImageLayer() writes them.
    }
    else if (options.mode == ExportMode::Mean || !layer.IsBayesian())
    {
      weights.push_back(WritePoints(builder, name, layer, native));
    }
    else if (options.mode == ExportMode::Ensemble)
    {
      weights.push_back(WriteDraws(builder, name, draws, l));
    }
    else
    {
      LayerValues values;
      values.weight = WriteDraw(builder, name + ".weight", layer.weight,
          layer.weightSigma, *block++, in, out);
      if (!layer.bias.is_empty())
        values.bias = WriteDraw(builder, name + ".bias", layer.bias,
            layer.biasSigma, *block++, 1, out);
      weights.push_back(values);
    }
  }
  return weights;
}

} // namespace

bool LastIsMean(const NetworkDescription& description)
{
  return description.output == OutputKind::Raw ||
      (description.output == OutputKind::Gaussian &&
          description.targetScale.is_empty() &&
          description.noise != NoiseKind::Heteroscedastic);
}

std::string WriteLayers(GraphBuilder& builder,
    const NetworkDescription& description,
    const std::vector<NetworkDescription>& draws, const ExportOptions& options)
{
  const std::vector<Extent> extents = description.Extents();
  const Extent& input = extents.front();
  if (input.isImage)
    builder.Input(names::Input, { "N", input.maps, input.height, input.width });
  else
    builder.Input(names::Input, { "N", input.Size() });
  const bool stacked = options.mode != ExportMode::Mean;
  const bool native = !stacked && description.element == ElementKind::Float;
  const std::vector<LayerValues> weights = WriteWeights(builder, description,
      draws, options, native);

  Flow flow{ WriteStandardisation(builder, description), input, false, !native,
    !input.isImage };
  if (!native)
    WriteFlat(builder, "input.flat", flow);
  if (stacked)
    flow.value = builder.Node("input.stacked", "Unsqueeze",
        { flow.value, builder.Integers("input.axis", { 0 }) });
  flow.stacked = stacked;
  for (size_t l = 0; l < description.layers.size(); ++l)
  {
    const LayerDescription& layer = description.layers[l];
    const bool linear = layer.activation == Activation::Identity;
    const bool last = l + 1 == description.layers.size();
    const bool flatten = last && native && extents.back().isImage;
    const bool isMean = !stacked && LastIsMean(description) && last && !flatten;
    const std::string name = "layer" + std::to_string(l);
    const std::string linearName = isMean && linear ? "mean" : name;
    if (layer.kind == LayerKind::Dense)
    {
      WriteFlat(builder, name + ".flat", flow);
      flow.value = WriteDense(builder, linearName, flow.value, weights[l],
          stacked);
    }
    else
      WriteImageLayer(builder, linearName, layer, weights[l], flow);
    flow.extent = extents[l + 1];
    flow.value = WriteActivation(builder, flow.value,
        isMean ? "mean" : name + ".activation", layer);
    if (flatten)
      WriteFlat(builder, LastIsMean(description) ? "mean" : "output.flat",
          flow);
  }
  return flow.value;
}

} // namespace onnx
} // namespace symvi
