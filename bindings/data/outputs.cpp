/**
 * @file outputs.cpp
 */
#include "outputs.hpp"

#include <symvi/io/table.hpp>

#include "model/model_file.hpp"

namespace symvi {
namespace cli {

void CheckOutputs(const Arguments& arguments)
{
  for (const Option& option : arguments.Table().options)
  {
    if (option.IsOutput() && arguments.Has(option.name))
      io::RequireWritable(arguments.Text(option.name));
  }
}

std::ostream* Outputs::Open(const std::string& option)
{
  if (!arguments.Has(option))
    return nullptr;
  files.emplace_back(arguments.Text(option));
  return &files.back().Stream();
}

void Outputs::AddTable(const std::string& option,
                       const arma::mat& values,
                       const std::vector<std::string>& header)
{
  if (std::ostream* stream = Open(option))
    io::WriteTable(*stream, arguments.Text(option), values, header);
}

void Outputs::AddLines(const std::string& option,
                       const std::vector<std::string>& lines)
{
  if (std::ostream* stream = Open(option))
  {
    for (const std::string& line : lines)
      *stream << line << '\n';
  }
}

void Outputs::AddText(const std::string& option, const std::string& text)
{
  if (std::ostream* stream = Open(option))
    *stream << text;
}

void Outputs::AddModel(const std::string& option, const Model& model)
{
  if (std::ostream* stream = Open(option))
    WriteModel(*stream, arguments.Text(option), model);
}

void Outputs::Commit()
{
  io::CommitAll(files);
  files.clear();
}

} // namespace cli
} // namespace symvi
