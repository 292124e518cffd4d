/**
 * @file src/io/label_codec.cpp
 */
#include <symvi/io/dataset.hpp>
#include <symvi/io/table.hpp>
#include <symvi/require.hpp>

#include <algorithm>

namespace symvi {
namespace io {

namespace {

bool AllNumbers(const std::vector<std::string>& labels)
{
  double ignored;
  return std::all_of(labels.begin(), labels.end(),
      [&](const std::string& s) { return ParseNumber(s, ignored); });
}

} // namespace

LabelCodec::LabelCodec(const std::vector<std::string>& labels)
{
  numeric = AllNumbers(labels);
  for (const std::string& label : labels)
  {
    if (indices.emplace(Key(label), 0).second)
      names.push_back(label);
  }

  const bool byValue = numeric;
  std::sort(names.begin(), names.end(),
      [byValue](const std::string& a, const std::string& b)
      {
    double x = 0.0, y = 0.0;
    if (byValue && ParseNumber(a, x) && ParseNumber(b, y))
      return x < y;
    return a < b;
  });
  Index();
}

LabelCodec LabelCodec::Ordered(const std::vector<std::string>& names)
{
  LabelCodec codec;
  codec.names = names;
  codec.Index();
  if (codec.indices.size() != names.size())
    Refuse("LabelCodec::Ordered", "names must differ from each other",
        "some are the same");
  return codec;
}

void LabelCodec::Index()
{
  numeric = AllNumbers(names);
  indices.clear();
  for (size_t i = 0; i < names.size(); ++i)
    indices[Key(names[i])] = i;
}

std::string LabelCodec::Key(const std::string& label) const
{
  double value;
  if (!numeric || !ParseNumber(label, value))
    return label;
  return ValueText(value == 0.0 ? 0.0 : value);
}

const std::string& LabelCodec::Decode(const size_t index) const
{
  if (index >= names.size())
    Require(false, "LabelCodec::Decode",
        "class must be below " + std::to_string(names.size()), index);
  return names[index];
}

bool LabelCodec::Find(const std::string& label, size_t& index) const
{
  const auto it = indices.find(Key(label));
  if (it == indices.end())
    return false;
  index = it->second;
  return true;
}

arma::mat LabelCodec::Encode(const std::vector<std::string>& labels,
    const std::string& source) const
{
  arma::mat encoded(1, labels.size());
  for (size_t i = 0; i < labels.size(); ++i)
  {
    size_t index;
    if (!Find(labels[i], index))
      RefuseAt("'" + source + "', point " + std::to_string(i + 1),
          "label '" + labels[i] + "' does not occur in the training data");
    encoded[i] = double(index);
  }
  return encoded;
}

} // namespace io
} // namespace symvi
