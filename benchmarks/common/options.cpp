/**
 * @file benchmarks/common/options.cpp
 */
#include "options.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace bench {

namespace {

size_t ThreadCount(const std::string& text)
{
  const bool digits = !text.empty() && text.size() <= 3 &&
      text.find_first_not_of("0123456789") == std::string::npos;
  const size_t threads = digits ? std::strtoul(text.c_str(), nullptr, 10) : 0;
  if (threads == 0)
    throw std::invalid_argument("--threads must be a number from 1 to 999, but "
        "is '" + text + "'.");
  return threads;
}

std::string GroupName(const std::string& text,
                      const std::vector<std::string>& groups)
{
  std::string list;
  for (const std::string& group : groups)
    list += (list.empty() ? "" : ", ") + group;
  if (std::find(groups.begin(), groups.end(), text) == groups.end())
    throw std::invalid_argument("--only must be one of " + list + ", but is '" +
        text + "'.");
  return text;
}

} // namespace

Options ParseOptions(const int argc, char** argv,
                     const std::vector<std::string>& groups)
{
  Options options;
  for (int i = 1; i < argc; ++i)
  {
    const std::string name = argv[i];
    if (name == "--quick")
    {
      options.settings.quick = true;
      continue;
    }
    if (name != "--threads" && name != "--json" && name != "--only" &&
        name != "--hidden" && name != "--child")
      throw std::invalid_argument("there is no option '" + name + "'.");
    if (i + 1 == argc || std::string(argv[i + 1]).empty())
      throw std::invalid_argument(name + " needs a value.");

    const std::string value = argv[++i];
    if (name == "--threads")
      options.settings.threads = ThreadCount(value);
    else if (name == "--json")
      options.json = value;
    else if (name == "--only")
      options.only = GroupName(value, groups);
    else if (name == "--hidden")
      options.settings.hidden = Text(Shape(value));
    else
      options.child = value;
  }
  return options;
}

} // namespace bench
