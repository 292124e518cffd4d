/**
 * @file outputs.cpp
 */
#include "outputs.hpp"

#include <symvi/io/table.hpp>

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

void Outputs::AddTable(const std::string& option, const arma::mat& values,
    const std::vector<std::string>& header)
{
  if (std::ostream* stream = Open(option))
    io::WriteTable(*stream, arguments.Text(option), values, header);
}

void Outputs::AddText(const std::string& option, const std::string& text)
{
  if (std::ostream* stream = Open(option))
    *stream << text;
}

void Outputs::AddModel(const Ensemble& model)
{
  if (std::ostream* stream = Open("output_model_file"))
    model.Write(*stream);
}

void Outputs::Commit()
{
  io::CommitAll(files);
  files.clear();
}

} // namespace cli
} // namespace symvi
