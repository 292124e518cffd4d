/**
 * @file src/onnx/read_axes.cpp
 *
 * Which axes a point has, and operators that change nothing else.
 */
#include "read_layers.hpp"

#include "quoted.hpp"

#include <algorithm>

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

namespace {

//! Longest list of sizes that is computed, and deepest computation.
constexpr size_t maxSizes = 16;
constexpr int maxDepth = 16;
constexpr size_t maxSteps = 4096; // In a whole file.

size_t Product(const std::vector<size_t>& sizes)
{
  size_t product = 1;
  for (const size_t size : sizes)
    product *= size;
  return product;
}

//! No other number comes to lie between two than there was.
bool KeepsOrder(const std::vector<size_t>& sizes,
    const std::vector<int64_t>& order)
{
  int64_t last = -1;
  for (const int64_t axis : order)
  {
    if (sizes[size_t(axis)] == 1)
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return true;
}

} // namespace

size_t LayerReader::Features() const
{
  return Product(axes);
}

void LayerReader::SetAxes(const Node& node, const std::vector<size_t>& sizes)
{
  const bool flat = std::count_if(sizes.begin(), sizes.end(),
                        [](const size_t size) { return size != 1; }) <= 1;
  if (mapsLast && !flat)
    GraphView::Refuse(node,
        "makes new axes of an image whose maps are its last axis, which is not "
        "supported");
  axes = sizes;
  if (sizes.size() == 3 && result.layers.empty())
    extent = { sizes[2], sizes[1], sizes[0], true };
  value = node.output(0);
}

void LayerReader::Flatten(const Node& node)
{
  const int64_t axis = IntegerAttribute(node, "axis", 1);
  if (isVector)
    GraphView::Refuse(node, "must take points with a batch axis");
  if (axis != 1 && axis != -int64_t(axes.size()))
    GraphView::Refuse(node,
        "must keep the batch axis and no other, but "
        "flattens from axis " +
            std::to_string(axis));
  SetAxes(node, { Features() });
}

std::vector<int64_t> LayerReader::Sizes(const Node& node,
    const std::string& name, const int depth) const
{
  const auto refuse = [&]()
  {
    GraphView::Refuse(node,
        "takes the sizes " + Quoted(name) +
            ", which are not stored in the file, and not found out");
  };
  if (graph.IsConstant(name))
  {
    if (!graph.IsSmall(name, int64_t(maxSizes)))
      refuse();
    const Constant constant = graph.GetConstant(name);
    if (constant.type != ::onnx::TensorProto::INT64)
      refuse();
    return std::vector<int64_t>(constant.data.begin(), constant.data.end());
  }
  const Node* maker = graph.Producer(name);
  if (!maker || depth > maxDepth || ++sizeSteps > maxSteps ||
      maker->input_size() < 1 || size_t(maker->input_size()) > maxSizes)
    refuse();
  const std::string& op = maker->op_type();
  std::vector<int64_t> sizes;
  if (op == "Shape")
  {
    const auto found = passed.find(maker->input(0));
    if (found == passed.end())
      refuse();
    sizes.push_back(batch > 0 ? int64_t(batch) : batchSize);
    sizes.insert(sizes.end(), found->second.begin(), found->second.end());
    if (std::count(sizes.begin() + 1, sizes.end(), 0) > 0)
      refuse();
  }
  else if (op == "Concat")
  {
    for (const std::string& part : maker->input())
      for (const int64_t size : Sizes(node, part, depth + 1))
        sizes.push_back(size);
    if (sizes.size() > maxSizes)
      refuse();
  }
  else if (op == "Unsqueeze" || op == "Squeeze" || op == "Cast")
    sizes = Sizes(node, maker->input(0), depth + 1);
  else if (op == "Gather" && maker->input_size() == 2)
  {
    const std::vector<int64_t> from = Sizes(node, maker->input(0), depth + 1);
    for (int64_t at : Sizes(node, maker->input(1), depth + 1))
    {
      at += at < 0 ? int64_t(from.size()) : 0;
      if (at < 0 || at >= int64_t(from.size()))
        refuse();
      sizes.push_back(from[size_t(at)]);
    }
  }
  else
    refuse();
  return sizes;
}

void LayerReader::Reshape(const Node& node)
{
  const bool all = IntegerAttribute(node, "allowzero", 0) == 0;
  if (node.input_size() != 2 || node.input(0) != value || !all)
    GraphView::Refuse(node, "must reshape the value to a stored shape");
  const std::vector<int64_t> shape = Sizes(node, node.input(1), 0);
  const auto refuse = [&]()
  { GraphView::Refuse(node, "must flatten a point and nothing else"); };
  if (shape.size() < 2 || isVector)
    refuse();

  // The axes of a point: given, kept (0), or one that is left (-1).
  std::vector<size_t> sizes(shape.size() - 1);
  size_t known = 1, open = sizes.size();
  for (size_t i = 0; i < sizes.size(); ++i)
  {
    int64_t size = shape[i + 1];
    if (size == 0 && i < axes.size())
      size = int64_t(axes[i]);
    if (size == -1 && open == sizes.size())
      open = i;
    else if (size < 1 || uint64_t(size) > options.maxDimension ||
        known > options.maxDimension / size_t(size))
      refuse();
    else
      known *= sizes[i] = size_t(size);
  }
  const size_t features = Features();
  if (open < sizes.size())
  {
    // Without the size of the batch, it must be kept as it is.
    if (shape[0] == -1 || (features > 0 && features % known != 0))
      refuse();
    sizes[open] = features / known;
  }
  const bool left = shape[0] == -1 && features > 0;
  if ((shape[0] != 0 && shape[0] != batchSize && !left &&
          (batch == 0 || shape[0] != int64_t(batch))) ||
      (features > 0 && Product(sizes) != features))
    refuse();
  SetAxes(node, sizes);
}

void LayerReader::Squeeze(const Node& node)
{
  std::vector<int64_t> which;
  if (node.input_size() == 2)
    which = Sizes(node, node.input(1), 0);
  else
    which = IntegersAttribute(node, "axes", {});
  if (isVector)
    GraphView::Refuse(node, "must take points with a batch axis");
  std::vector<size_t> sizes = axes;
  for (int64_t& axis : which)
  {
    axis += axis < 0 ? int64_t(axes.size()) + 1 : 0;
    if (axis < 1 || axis > int64_t(axes.size()) || axes[size_t(axis) - 1] != 1)
      GraphView::Refuse(node,
          "must remove axes of size 1 other than the batch's");
  }
  std::sort(which.rbegin(), which.rend());
  which.erase(std::unique(which.begin(), which.end()), which.end());
  if (which.empty() || which.size() == axes.size())
    GraphView::Refuse(node, "must remove some axes of a point");
  for (const int64_t axis : which)
    sizes.erase(sizes.begin() + (axis - 1));
  SetAxes(node, sizes);
}

void LayerReader::Transpose(const Node& node)
{
  const std::vector<int64_t> given = IntegersAttribute(node, "perm", {});
  std::vector<int64_t> order(given.begin(), given.end()), sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = order.size() == axes.size() + 1 && order[0] == 0;
  for (size_t i = 0; fits && i < sorted.size(); ++i)
    fits = sorted[i] == int64_t(i);
  if (!fits || Features() == 0 || isVector)
    GraphView::Refuse(node, "must exchange known axes of a point");
  order.erase(order.begin());
  std::vector<size_t> sizes;
  for (int64_t& axis : order)
  {
    --axis;
    sizes.push_back(axes[size_t(axis)]);
  }

  const bool toMapsFirst = order == std::vector<int64_t>{ 2, 0, 1 };
  const bool toMapsLast = order == std::vector<int64_t>{ 1, 2, 0 };
  if (toMapsFirst && (mapsLast || result.layers.empty()))
  {
    // Images are mlpack's, maps first, whatever the order in the file.
    const Extent image{ axes[1], axes[0], axes[2], true };
    if (result.layers.empty())
      extent = image;
    mapsLast = false;
    for (arma::vec* v : { &shift, &scale })
      if (v->n_elem > 1)
      {
        arma::vec moved(v->n_elem);
        for (size_t i = 0; i < v->n_elem; ++i)
          moved[MapsFirst(i)] = (*v)[i];
        *v = moved;
      }
  }
  else if (toMapsLast && !mapsLast && extent.isImage &&
      axes == std::vector<size_t>{ extent.maps, extent.height, extent.width })
    mapsLast = true;
  else if (mapsLast || !KeepsOrder(axes, order))
    GraphView::Refuse(node, "exchanges axes in a way that is not supported");
  axes = sizes;
  value = node.output(0);
}

size_t LayerReader::MapsFirst(const size_t i) const
{
  return i / extent.maps + i % extent.maps * extent.width * extent.height;
}

std::vector<size_t> LayerReader::Aligned(const Node& node,
    const Constant& constant) const
{
  const size_t rank = axes.size() + 1, given = constant.shape.size();
  // Before opset 7, an attribute says where the constant's axes begin.
  int64_t from = int64_t(rank) - int64_t(given);
  if (opset < 7)
    from = IntegerAttribute(node, "axis", from);
  if (from < 0 || size_t(from) + given > rank)
    GraphView::Refuse(node,
        "takes a constant with " + std::to_string(given) +
            " axes, which do not fit those of the value");
  std::vector<size_t> sizes(rank, 1);
  std::copy(constant.shape.begin(), constant.shape.end(), sizes.begin() + from);
  return sizes;
}

arma::vec LayerReader::Spread(const Node& node, const Constant& constant) const
{
  const std::vector<size_t> sizes = Aligned(node, constant);
  bool fits = sizes[0] == 1;
  for (size_t i = 0; i < axes.size(); ++i)
    fits = fits &&
        (sizes[i + 1] == 1 || sizes[i + 1] == axes[i] ||
            (axes.size() == 1 && axes[i] == 0));
  const size_t n = constant.data.size(), features = Features();
  if (!fits || (n > 1 && n != features && features > maxSpread))
    GraphView::Refuse(node, "must have one constant for each feature");
  if (n == 1 || n == features || features == 0)
    return arma::vec(constant.data);
  arma::vec result(features);
  for (size_t i = 0; i < features; ++i)
  {
    size_t rest = i, at = 0, stride = 1;
    for (size_t a = axes.size(); a-- > 0;)
    {
      if (sizes[a + 1] > 1)
        at += rest % axes[a] * stride;
      rest /= axes[a];
      stride *= sizes[a + 1];
    }
    result[i] = constant.data[at];
  }
  return result;
}

} // namespace onnx
} // namespace symvi
