/**
 * @file benchmarks/common/options.cpp
 */
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <stdexcept>

namespace bench {

Options ParseOptions(const int argc, char** argv,
    const std::vector<std::string>& groups)
{
  Options options;
  std::string hidden;
  CLI::App app("Prints ratios to a plain mlpack network", "ratios");
  app.add_flag("--quick", options.settings.quick, "the first tables only");
  app.add_option("--threads", options.settings.threads, "of everything")
      ->check(CLI::Range(1, 999));
  app.add_option("--json", options.json, "file for the rows");
  app.add_option("--only", options.only, "one group of rows")
      ->check(CLI::IsMember(groups));
  app.add_option("--hidden", hidden, "units of the hidden layers, 128-128");
  app.add_option("--child", options.child)->group("");
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::CallForHelp& help)
  {
    std::exit(app.exit(help));
  }
  catch (const CLI::ParseError& error)
  {
    throw std::invalid_argument(std::string(error.what()) + ".");
  }
  if (!hidden.empty())
    options.settings.hidden = Text(Shape(hidden));
  return options;
}

} // namespace bench
