/**
 * @file program.cpp
 */
#include "program.hpp"

#include <algorithm>

namespace symvi {
namespace cli {

const std::vector<Option>& CommonOptions()
{
  static const std::vector<Option> options = { Option(Kind::Flag, "help", 'h',
                                                   "Default help info."),
    Option(Kind::Text, "info", 0, "Print help on a specific option."),
    Option(Kind::Flag, "verbose", 'v',
        "Display informational messages and the full list of parameters and "
        "timers at the end of execution."),
    Option(Kind::Flag, "version", 'V', "Display the version of symvi.") };
  return options;
}

std::vector<Option> Program::AllOptions() const
{
  std::vector<Option> all = options;
  all.insert(all.end(), CommonOptions().begin(), CommonOptions().end());
  std::stable_sort(all.begin(), all.end(),
      [](const Option& a, const Option& b) { return a.name < b.name; });
  return all;
}

const Option* Program::Find(const std::string& wanted) const
{
  for (const std::vector<Option>* list : { &options, &CommonOptions() })
  {
    for (const Option& option : *list)
    {
      if (option.name == wanted ||
          (wanted.size() == 1 && option.alias == wanted[0]))
        return &option;
    }
  }
  return nullptr;
}

} // namespace cli
} // namespace symvi
