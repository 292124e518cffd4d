/**
 * @file examples/common/options.hpp
 *
 * The command line every experiment shares.
 */
#ifndef SYMVI_EXAMPLES_COMMON_OPTIONS_HPP
#define SYMVI_EXAMPLES_COMMON_OPTIONS_HPP

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
          const std::map<std::string, std::string>& own = {}) : values(own)
  {
    output = "results/" + program;
    jobs = std::max(1u, std::thread::hardware_concurrency());
    Parse(argc, argv, program, about);
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
      numbers.push_back(Positive("--" + name, word));
    if (numbers.empty())
      throw std::invalid_argument("--" + name + " is empty");
    return numbers;
  }

  size_t Number(const std::string& name) const
  {
    return Positive("--" + name, values.at(name));
  }

  //! One of the program's own options as a positive real number.
  double Real(const std::string& name) const
  {
    std::istringstream text(values.at(name));
    double number = 0;
    if (!(text >> number) || !text.eof() || !(number > 0))
      throw std::invalid_argument("--" + name + " must be a positive number, "
          "but is " + values.at(name));
    return number;
  }

  //! A file in the output folder.
  std::string File(const std::string& name) const
  {
    return (std::filesystem::path(output) / name).string();
  }

 private:
  void Parse(int argc, char** argv, const std::string& program,
             const std::string& about)
  {
    for (int i = 1; i < argc; ++i)
    {
      const std::string option = argv[i];
      if (option == "--help" || option == "-h")
        Help(program, about);
      else if (option == "--quick")
        quick = true;
      else if (option == "--full")
        full = true;
      else if (i + 1 == argc)
        throw std::invalid_argument(option + " is unknown or lacks a value");
      else
        Set(option, argv[++i]);
    }
    if (quick && full)
      throw std::invalid_argument("--quick and --full exclude each other");
  }

  void Set(const std::string& option, const std::string& value)
  {
    if (option == "--output")
      output = value;
    else if (option == "--seeds" || option == "--jobs")
      (option == "--seeds" ? seeds : jobs) = Positive(option, value);
    else if (option.rfind("--", 0) == 0 && values.count(option.substr(2)))
      values[option.substr(2)] = value;
    else
      throw std::invalid_argument(option + " is unknown");
  }

  static size_t Positive(const std::string& option, const std::string& value)
  {
    const bool digits = !value.empty() && value.size() < 10 &&
        value.find_first_not_of("0123456789") == std::string::npos;
    const size_t number = digits ? std::stoul(value) : 0;
    if (number < 1)
      throw std::invalid_argument(option + " must be a positive number, but "
          "is " + value);
    return number;
  }

  [[noreturn]] void Help(const std::string& program,
                         const std::string& about) const
  {
    std::cout << program << ": " << about << "\n\n"
        << "  --quick        seconds; exit code 1 if a claim is violated\n"
        << "  --full         the whole protocol\n"
        << "  --seeds N      training seeds\n"
        << "  --jobs N       runs at a time (default: all cores)\n"
        << "  --output DIR   where tables and pictures go (default: results/"
        << program << ")\n";
    for (const auto& [name, value] : values)
      std::cout << "  --" << name << " VALUE  (default: " << value << ")\n";
    std::exit(0);
  }

  std::map<std::string, std::string> values;
};

/**
 * The main() of a program: reads the options and calls experiment(options),
 * whose value is the exit code.  What goes wrong is said in one sentence, and
 * the exit code is 2.
 */
template<typename Experiment>
int RunExample(int argc, char** argv, const std::string& program,
               const std::string& about, Experiment experiment,
               const std::map<std::string, std::string>& own = {})
{
  try
  {
    return experiment(Options(argc, argv, program, about, own));
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
