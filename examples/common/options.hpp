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
#include <stdexcept>
#include <string>
#include <thread>

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
    try
    {
      Parse(argc, argv, program, about);
      std::filesystem::create_directories(output);
    }
    catch (const std::exception& error)
    {
      std::cerr << program << ": " << error.what() << " (see --help)\n";
      std::exit(2);
    }
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
    const long number = std::atol(value.c_str());
    if (number < 1)
      throw std::invalid_argument(option + " must be a positive number, but "
          "is " + value);
    return size_t(number);
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

} // namespace examples

#endif
