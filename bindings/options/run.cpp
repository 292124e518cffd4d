/**
 * @file run.cpp
 */
#include "run.hpp"

#include <symvi/prereqs.hpp>
#include <symvi/version.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include <unistd.h>

#include "pages.hpp"
#include "text.hpp"

namespace symvi {
namespace cli {

namespace {

bool verbose = false;

//! Without allocating anything.
void WriteError(const char* text)
{
  for (size_t left = std::strlen(text); left > 0;)
  {
    const ssize_t count = ::write(STDERR_FILENO, text, left);
    if (count <= 0)
      return;
    text += count;
    left -= size_t(count);
  }
}

const char* const noMemory = "[FATAL] there is not enough memory.\n";

int Fatal(const char* text)
{
  std::cout.flush();
  try
  {
    // One line, whatever a library put into its message.
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    WriteError(("[FATAL] " + Printable(line) + "\n").c_str());
  }
  catch (const std::exception&)
  {
    WriteError(noMemory);
  }
  return 1;
}

//! An exception that nobody can catch: in another thread, or while another one
//! is on its way.
[[noreturn]] void Terminate()
{
  WriteError(
      "[FATAL] the program cannot go on; most likely there is not enough "
      "memory.\n");
  ::_exit(1);
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
  throw UsageError("there is no option '--" + name + "'" +
      (nearest.empty() ? "; see --help." :
                         "; did you mean '--" + nearest + "'?"));
}

void PrintParameters(const Arguments& arguments)
{
  std::cout << "[INFO ] Execution parameters:\n";
  for (const Option& option : arguments.Table().AllOptions())
  {
    const std::string value = (option.kind == Kind::Flag) ?
        (arguments.Flag(option.name) ? "true" : "false") :
        arguments.Text(option.name);
    std::cout << "[INFO ]   " << option.name << ": " << Printable(value)
              << "\n";
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
    std::cout << "[INFO ] Program timers:\n[INFO ]   total_time: "
              << elapsed.count() << "s\n";
  }
  return code;
}

} // namespace

void Info(const std::string& text)
{
  if (verbose)
    std::cout << "[INFO ] " << Printable(text) << std::endl;
}

void Warn(const std::string& text)
{
  std::cerr << "[WARN ] " << Printable(text) << std::endl;
}

int Run(const Program& (*table)(), const int argc, const char* const* argv,
    const std::function<int(const Arguments&)>& body)
{
  // A file that grows too large is an error message, not a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(Terminate);
  int code = 0;
  try
  {
    const Program& program = table();
    const Arguments arguments(program, argc, argv);
    verbose = arguments.Flag("verbose");
    if (arguments.Flag("help"))
      std::cout << HelpPage(program);
    else if (arguments.Has("info"))
      PrintInfo(program, arguments.Text("info"));
    else if (arguments.Flag("version"))
      std::cout << program.name << ": part of symvi " << SYMVI_VERSION << " ("
                << DependencyVersions() << ").\n";
    else
      code = RunBody(arguments, body);
    if (!std::cout.flush())
      throw std::runtime_error("cannot write to the standard output.");
    return code;
  }
  catch (const std::bad_alloc&)
  {
    WriteError(noMemory);
    return 1;
  }
  catch (const std::exception& e)
  {
    return Fatal(e.what());
  }
}

} // namespace cli
} // namespace symvi
