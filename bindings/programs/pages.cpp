/**
 * @file pages.cpp
 *
 * Writes manual pages and the bash completion of the programs named:
 *   symvi_cli_pages FOLDER PROGRAM...
 */
#include <symvi/io/file.hpp>
#include <symvi/version.hpp>

#include <filesystem>
#include <iostream>

#include "options/pages.hpp"
#include "tables.hpp"

using namespace symvi;

namespace {

void Write(const std::string& path, const std::string& text)
{
  io::AtomicFile file(path);
  file.Stream() << text;
  file.Commit();
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const std::string folder = (argc > 1) ? argv[1] : ".";
    std::filesystem::create_directories(folder);
    std::vector<cli::Program> chosen;
    for (const cli::Program& program :
        { cli::AlignProgram(), cli::BnnProgram(), cli::BnnMpiProgram(),
            cli::EvaluateProgram(), cli::InspectProgram(), cli::OnnxProgram() })
    {
      for (int i = 2; i < argc; ++i)
        if (program.name == argv[i])
          chosen.push_back(program);
    }
    for (const cli::Program& program : chosen)
      Write(folder + "/" + program.name + ".1",
          cli::ManPage(program, SYMVI_VERSION));
    Write(folder + "/symvi", cli::BashCompletion(chosen));
    return 0;
  }
  catch (const std::exception& e)
  {
    std::cerr << e.what() << std::endl;
    return 1;
  }
}
