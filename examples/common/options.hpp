/**
 * @file examples/common/options.hpp
 *
 * The command line every experiment shares.
 */
#ifndef SYMVI_EXAMPLES_COMMON_OPTIONS_HPP
#define SYMVI_EXAMPLES_COMMON_OPTIONS_HPP

#include "ranks.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace examples {

/**
 * Options of an experiment: --quick (seconds; checks the claims), --full (the
 * whole protocol), --seeds N, --jobs N (runs at a time), --output FOLDER, and
 * the program's own `--name value` pairs, given with their defaults.
 */
class Options
{
 public:
  bool quick = false, full = false;
  size_t seeds = 0; // 0: the program's own default.
  size_t jobs = 1;
  std::string output;

  Options(int argc, char** argv, const std::string& program,
      const std::string& about,
      const std::map<std::string, std::string>& own = {}) :
      values(own)
  {
    output = "results/" + program;
    jobs = std::max(1u, std::thread::hardware_concurrency());
    CLI::App app(about, program);
    CLI::Option* few = app.add_flag("--quick", quick,
        "seconds; exit code 1 if a claim is violated");
    app.add_flag("--full", full, "the whole protocol")->excludes(few);
    const CLI::Range count(1, 1000000000);
    app.add_option("--seeds", seeds, "training seeds")->check(count);
    app.add_option("--jobs", jobs, "runs at a time (default: all cores)")
        ->check(count);
    app.add_option("--output", output, "where tables and pictures go")
        ->capture_default_str();
    for (auto& [name, value] : values)
      app.add_option("--" + name, value)->capture_default_str();
    try
    {
      app.parse(argc, argv);
    }
    catch (const CLI::CallForHelp& help)
    {
      std::exit(app.exit(help));
    }
    std::error_code failure;
    std::filesystem::create_directories(output, failure);
    if (!std::filesystem::is_directory(output))
      throw std::invalid_argument("cannot make the folder " + output);
  }

  //! The number of seeds: as given, else by mode.
  size_t Seeds(size_t ifQuick, size_t usual, size_t ifFull) const
  {
    return seeds ? seeds : quick ? ifQuick : full ? ifFull : usual;
  }

  //! The value of one of the program's own options.
  const std::string& operator[](const std::string& name) const
  {
    return values.at(name);
  }

  //! One of the program's own options as positive numbers, "5 30".
  std::vector<size_t> Numbers(const std::string& name) const
  {
    std::istringstream list(values.at(name));
    std::vector<size_t> numbers;
    for (std::string word; list >> word;)
      numbers.push_back(As<size_t>(name, word));
    if (numbers.empty())
      throw std::invalid_argument("--" + name + " is empty");
    return numbers;
  }

  size_t Number(const std::string& name) const
  {
    return As<size_t>(name, values.at(name));
  }

  //! One of the program's own options as a positive real number.
  double Real(const std::string& name) const
  {
    return As<double>(name, values.at(name));
  }

  //! A file in the output folder.
  std::string File(const std::string& name) const
  {
    return (std::filesystem::path(output) / name).string();
  }

 private:
  //! A word as a positive number.
  template<typename Number>
  static Number As(const std::string& name, const std::string& word)
  {
    Number number;
    if (!CLI::detail::lexical_cast(word, number) || !(number > 0))
      throw std::invalid_argument(
          "--" + name + " must be a positive number, but is " + word);
    return number;
  }

  std::map<std::string, std::string> values;
};

/**
 * The main() of a program: reads the options and calls experiment(options),
 * whose value is the exit code.  What goes wrong is said in one sentence, and
 * the exit code is 2.  Under mpirun every rank calls it: see ranks.hpp.
 */
template<typename Experiment>
int RunExample(int argc, char** argv, const std::string& program,
    const std::string& about, Experiment experiment,
    const std::map<std::string, std::string>& own = {})
{
  try
  {
    Options options(argc, argv, program, about, own);
    if (!IsOneOfRanks())
      return experiment(options);
    return OverRanks(program, options.output,
        [&] { return experiment(options); });
  }
  catch (const CLI::ParseError& error)
  {
    std::cerr << program << ": " << error.what() << " (see --help)\n";
  }
  catch (const std::invalid_argument& error)
  {
    std::cerr << program << ": " << error.what() << " (see --help)\n";
  }
  catch (const std::exception& error)
  {
    std::cerr << program << ": " << error.what() << "\n";
  }
  return 2;
}

} // namespace examples

#endif
