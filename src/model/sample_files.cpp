/**
 * @file src/model/sample_files.cpp
 *
 * Weight samples from tables and NumPy arrays.
 */
#include <symvi/io/table.hpp>
#include <symvi/require.hpp>

#include "io/npy.hpp"
#include "model/sample_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace symvi {

namespace {

//! Samples of some weights, one per column, chain after chain.
struct Part
{
  arma::mat samples;
  std::vector<size_t> chains;
};

//! Whether a column of a table holds Stan's diagnostics.
bool IsDiagnostic(const std::string& name)
{
  return name.size() > 2 && name.compare(name.size() - 2, 2, "__") == 0;
}

io::NumberArray ReadTable(const std::string& path)
{
  io::TableOptions options;
  options.hasRowNames = true;
  io::Table table = io::LoadTable(path, options);
  for (size_t i = table.names.size(); i-- > 0;)
    if (IsDiagnostic(table.names[i]))
      table.values.shed_row(i);
  io::NumberArray array;
  array.shape = { size_t(table.values.n_cols), size_t(table.values.n_rows) };
  array.values.assign(table.values.begin(), table.values.end());
  return array;
}

//! Leave only some entries of the last axis.
void SelectColumns(const std::string& path, const SampleFileOptions& options,
    io::NumberArray& array)
{
  if (options.firstColumn == 0 && options.lastColumn == 0)
    return;
  const size_t columns = array.shape.empty() ? 1 : array.shape.back();
  const size_t first = std::max<size_t>(options.firstColumn, 1);
  const size_t last = options.lastColumn ? options.lastColumn : columns;
  if (first > last || last > columns)
    RefuseFile(path,
        "has no columns " + std::to_string(first) + " to " +
            std::to_string(last) + " among its " + std::to_string(columns));
  std::vector<double> kept;
  for (size_t row = 0; row < array.values.size(); row += columns)
    kept.insert(kept.end(), array.values.begin() + row + first - 1,
        array.values.begin() + row + last);
  array.values = std::move(kept);
  if (!array.shape.empty())
    array.shape.back() = last - first + 1;
}

/**
 * Cut an array into samples of `size` numbers: its last axes must multiply to
 * it.  The first of several axes that are left numbers chains.
 */
bool Cut(const io::NumberArray& array, const size_t size, Part& part)
{
  size_t axes = array.shape.size(), product = 1;
  while (axes > 0 && product * array.shape[axes - 1] <= size)
    product *= array.shape[--axes];
  if (product != size)
    return false;
  std::vector<size_t> leading;
  for (size_t k = 0; k < axes; ++k)
    if (array.shape[k] > 1)
      leading.push_back(array.shape[k]);
  const size_t samples = array.values.size() / size;
  const size_t chains = (leading.size() > 1) ? leading[0] : 1;
  part.samples = arma::mat(array.values.data(), size, samples);
  part.chains.assign(chains, samples / chains);
  return true;
}

//! Numbers per sample.
size_t Total(const NetworkSpec& spec, const WeightLayout& layout)
{
  const std::vector<size_t> sizes = ArraySizes(spec, layout);
  return std::accumulate(sizes.begin(), sizes.end(), size_t(0));
}

//! "1 x 8 + 8 + 8 x 1 + 1 = 25", in the order of symvi.
std::string Count(const NetworkSpec& spec, const WeightLayout& layout)
{
  const bool hasBias = layout.bias != WeightLayout::Bias::None;
  const std::vector<uint64_t> widths = spec.Widths();
  std::string text;
  size_t total = 0;
  for (size_t l = 0; l + 1 < widths.size(); ++l)
  {
    text += (l ? " + " : "") + std::to_string(widths[l]) + " x " +
        std::to_string(widths[l + 1]) +
        (hasBias ? " + " + std::to_string(widths[l + 1]) : "");
    total += widths[l + 1] * (widths[l] + (hasBias ? 1 : 0));
  }
  return text + " = " + std::to_string(total);
}

[[noreturn]] void RefuseShape(const std::string& path,
    const io::NumberArray& array, const NetworkSpec& spec,
    const WeightLayout& layout)
{
  const size_t rows = array.shape.empty() ? 1 : array.shape.front();
  WeightLayout none = layout;
  none.bias = WeightLayout::Bias::None;
  const size_t total = Total(spec, layout);
  Part part;
  const char* const hint = (layout.bias != none.bias &&
                               Cut(array, Total(spec, none), part)) ?
      "; without biases it would have as many as that" :
      (rows == total) ? "; are samples its columns? they must be its rows" :
                        "";
  RefuseFile(path,
      "has the shape " + array.ShapeText() +
          ", which are no samples of a network " + spec.Describe() + " with " +
          Count(spec, layout) + " weights" +
          (layout.bias == none.bias ? "" : " and biases") + hint);
}

//! Samples as one matrix: of chains side by side, or of a file per array.
Part Join(const std::vector<std::string>& paths,
    const std::vector<io::NumberArray>& arrays, const NetworkSpec& spec,
    const WeightLayout& layout)
{
  const std::vector<size_t> sizes = ArraySizes(spec, layout);
  const size_t total = Total(spec, layout);
  Part all, part;
  const bool arePieces = paths.size() == sizes.size() &&
      !Cut(arrays.front(), total, part);
  for (size_t i = 0; i < paths.size(); ++i)
  {
    if (arePieces && !Cut(arrays[i], sizes[i], part))
      RefuseFile(paths[i],
          "has the shape " + arrays[i].ShapeText() + ", but as array " +
              std::to_string(i + 1) + " of " + std::to_string(sizes.size()) +
              " of a network " + spec.Describe() + " it must hold " +
              std::to_string(sizes[i]) + " numbers per sample");
    if (!arePieces && !Cut(arrays[i], total, part))
      RefuseShape(paths[i], arrays[i], spec, layout);
    if (!arePieces)
    {
      all.samples.insert_cols(all.samples.n_cols, part.samples);
      all.chains.insert(all.chains.end(), part.chains.begin(),
          part.chains.end());
      continue;
    }
    if (i > 0 && part.samples.n_cols != all.samples.n_cols)
      RefuseFile(paths[i],
          "has " + std::to_string(part.samples.n_cols) + " samples, but '" +
              paths[0] + "' has " + std::to_string(all.samples.n_cols));
    all.samples.insert_rows(all.samples.n_rows, part.samples);
    // Axes of size 1 do not say what they number.
    if (i == 0 || part.chains.size() > all.chains.size())
      all.chains = part.chains;
  }
  return all;
}

//! Leave out the beginning of each chain, and thin the rest.
Part Thin(Part part, const SampleFileOptions& options)
{
  if (options.burnIn == 0 && options.thin == 1)
    return part;
  std::vector<arma::uword> kept;
  size_t start = 0;
  for (size_t& length : part.chains)
  {
    const size_t before = kept.size();
    for (size_t s = options.burnIn; s < length; s += options.thin)
      kept.push_back(start + s);
    start += length;
    if (kept.size() == before)
      Refuse("WeightSamples::Load", "a chain must be longer than the burn-in",
          "a chain has " + std::to_string(length) +
              " samples, so that none is left behind a burn-in of " +
              std::to_string(options.burnIn));
    length = kept.size() - before;
  }
  part.samples = part.samples.cols(arma::uvec(kept));
  return part;
}

} // namespace

WeightSamples WeightSamples::Load(const NetworkSpec& spec,
    const std::vector<std::string>& paths, const WeightLayout& layout,
    const SampleFileOptions& options)
{
  spec.Check(true);
  RequireSymmetry(spec);
  RequirePositive("WeightSamples::Load", "thin", options.thin);
  Require(!paths.empty(), "WeightSamples::Load",
      "the number of files must be positive", paths.size());
  std::vector<io::NumberArray> arrays;
  for (const std::string& path : paths)
  {
    for (const char* const extension : { ".npz", ".pt", ".pth", ".pkl" })
      if (io::HasExtension(path, extension))
        RefuseFile(path,
            "is an archive or a pickle; save each array in it as .npy");
    arrays.push_back(
        io::HasExtension(path, ".npy") ? io::LoadNpy(path) : ReadTable(path));
    SelectColumns(path, options, arrays.back());
  }
  const Part part = Thin(Join(paths, arrays, spec, layout), options);
  return WeightSamples(spec, part.samples, layout, part.chains);
}

} // namespace symvi
