/**
 * @file run.cpp
 */
#include "run.hpp"

#include <symvi/network/mlpack_version.hpp>
#include <symvi/version.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <new>

#include "pages.hpp"
#include "text.hpp"

namespace symvi {
namespace cli {

namespace {

bool verbose = false;

int Fatal(std::string text)
{
  // One line, whatever a library put into its message.
  for (char& c : text)
    c = (c == '\n') ? ' ' : c;
  std::cout.flush();
  std::cerr << "[FATAL] " << text << std::endl;
  return 1;
}

void PrintInfo(const Program& program, std::string name)
{
  name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
  const Option* option = program.Find(name);
  if (option != nullptr)
  {
    std::cout << InfoPage(*option);
    return;
  }
  std::vector<std::string> names;
  for (const Option& other : program.AllOptions())
    names.push_back(other.name);
  const std::string nearest = Nearest(name, names);
  throw UsageError("there is no option '--" + name + "'" + (nearest.empty() ?
      "; see --help." : "; did you mean '--" + nearest + "'?"));
}

void PrintParameters(const Arguments& arguments)
{
  std::cout << "[INFO ] Execution parameters:\n";
  for (const Option& option : arguments.Table().AllOptions())
  {
    const std::string value = (option.kind == Kind::Flag) ?
        (arguments.Flag(option.name) ? "true" : "false") :
        arguments.Text(option.name);
    std::cout << "[INFO ]   " << option.name << ": " << value << "\n";
  }
}

int RunBody(const Arguments& arguments,
            const std::function<int(const Arguments&)>& body)
{
  const auto start = std::chrono::steady_clock::now();
  arguments.CheckRequired();
  arguments.CheckFiles();
  const int code = body(arguments);
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (verbose)
  {
    PrintParameters(arguments);
    std::cout << "[INFO ] Program timers:\n[INFO ]   total_time: " <<
        elapsed.count() << "s\n";
  }
  if (!std::cout.flush())
    throw std::runtime_error("cannot write to the standard output.");
  return code;
}

} // namespace

void Info(const std::string& text)
{
  if (verbose)
    std::cout << "[INFO ] " << text << std::endl;
}

void Warn(const std::string& text)
{
  std::cerr << "[WARN ] " << text << std::endl;
}

int Run(const Program& program,
        const int argc,
        const char* const* argv,
        const std::function<int(const Arguments&)>& body)
{
  // A file that grows too large is an error message, not a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  try
  {
    const Arguments arguments(program, argc, argv);
    verbose = arguments.Flag("verbose");
    if (arguments.Flag("help"))
      std::cout << HelpPage(program);
    else if (arguments.Has("info"))
      PrintInfo(program, arguments.Text("info"));
    else if (arguments.Flag("version"))
      std::cout << program.name << ": part of symvi " << SYMVI_VERSION <<
          " (" << DependencyVersions() << ").\n";
    else
      return RunBody(arguments, body);
    return 0;
  }
  catch (const std::bad_alloc&)
  {
    return Fatal("there is not enough memory.");
  }
  catch (const std::exception& e)
  {
    return Fatal(e.what());
  }
}

} // namespace cli
} // namespace symvi
