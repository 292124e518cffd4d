/**
 * @file extract_snippets.cpp
 *
 * Gathers the blocks between ```cpp or ```diff and ``` of README.md and docs/
 * into two files for the compiler; of a diff, the program that it leads to.
 *
 *   usage: extract_snippets ROOT PROGRAMS.cpp FRAGMENTS.cpp DEPENDENCIES.d
 *
 * A block with `int main` is a program; it must include a header of symvi, and
 * lands in a namespace of its own.  Any other block is a fragment; it becomes
 * the body of a function whose arguments fragment_context.hpp names.
 * Preprocessor lines move to the top of the file.
 */
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

//! One block: the file it comes from and its lines.
struct Snippet
{
  fs::path page;
  size_t firstLine;
  std::vector<std::string> lines;
};

static bool Contains(const Snippet& snippet, const std::string& text)
{
  return std::any_of(snippet.lines.begin(), snippet.lines.end(),
      [&](const std::string& line)
      { return line.find(text) != std::string::npos; });
}

static std::string Where(const Snippet& snippet)
{
  return snippet.page.string() + ":" + std::to_string(snippet.firstLine);
}

static std::vector<fs::path> Pages(const fs::path& root)
{
  std::vector<fs::path> pages;
  if (fs::exists(root / "README.md"))
    pages.push_back(root / "README.md");
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md")
      pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

static void ReadPage(const fs::path& page, std::vector<Snippet>& snippets)
{
  std::ifstream file(page);
  std::string line;
  bool inside = false, isDiff = false;
  for (size_t number = 1; std::getline(file, line); ++number)
  {
    if (!inside && (line == "```cpp" || line == "```diff"))
    {
      inside = true;
      isDiff = (line == "```diff");
      snippets.push_back({ page, number + 1, {} });
    }
    else if (inside && line == "```")
    {
      inside = false;
    }
    else if (inside && isDiff)
    {
      const bool isGone = line.empty() || line[0] == '-';
      snippets.back().lines.push_back(isGone ? "" : line.substr(1));
    }
    else if (inside)
    {
      snippets.back().lines.push_back(line);
    }
  }
  if (inside)
    throw std::runtime_error(Where(snippets.back()) + ": block not closed");
}

static bool IsDirective(const std::string& line)
{
  const size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line[first] == '#';
}

//! Writes the preprocessor lines of all snippets.
static void WriteDirectives(std::ostream& out,
    const std::vector<Snippet>& snippets)
{
  for (const Snippet& snippet : snippets)
    for (const std::string& line : snippet.lines)
      if (IsDirective(line))
        out << line << '\n';
}

//! Writes the other lines, so that the compiler names the page in its errors.
static void WriteBody(std::ostream& out, const Snippet& snippet)
{
  out << "#line " << snippet.firstLine << " \"" << snippet.page.string()
      << "\"\n";
  for (const std::string& line : snippet.lines)
    out << (IsDirective(line) ? "" : line) << '\n';
}

static void WritePrograms(const fs::path& path,
    const std::vector<Snippet>& programs)
{
  std::ofstream out(path);
  WriteDirectives(out, programs);
  for (size_t i = 0; i < programs.size(); ++i)
  {
    if (!Contains(programs[i], "#include <symvi"))
    {
      throw std::runtime_error(Where(programs[i]) +
          ": a program must include "
          "the header of symvi that it uses");
    }
    out << "namespace program" << i << " {\n";
    WriteBody(out, programs[i]);
    out << "}\n";
  }
}

static void WriteFragments(const fs::path& path,
    const std::vector<Snippet>& fragments)
{
  std::ofstream out(path);
  out << "#include <fragment_context.hpp>\n";
  WriteDirectives(out, fragments);
  for (size_t i = 0; i < fragments.size(); ++i)
  {
    out << "void Fragment" << i << "(SYMVI_FRAGMENT_ARGUMENTS)\n{{\n";
    WriteBody(out, fragments[i]);
    out << "}}\n";
  }
}

//! Spaces in a dependency file are escaped.
static std::string Escaped(const fs::path& path)
{
  std::string result;
  for (const char c : path.string())
    result += (c == ' ') ? std::string("\\ ") : std::string(1, c);
  return result;
}

static void WriteDependencies(const fs::path& path, const fs::path& target,
    const fs::path& root, const std::vector<fs::path>& pages)
{
  std::ofstream out(path);
  out << Escaped(target) << ": " << Escaped(root / "docs");
  for (const fs::path& page : pages)
    out << " \\\n  " << Escaped(page);
  out << '\n';
}

//! Pages named after the four files belong to components that are not built.
static void Extract(char** argv, const std::vector<std::string>& skipped)
{
  const std::vector<fs::path> pages = Pages(argv[1]);
  std::vector<Snippet> snippets;
  for (const fs::path& page : pages)
    if (std::find(skipped.begin(), skipped.end(), page.filename().string()) ==
        skipped.end())
      ReadPage(page, snippets);
  const auto firstFragment = std::stable_partition(snippets.begin(),
      snippets.end(), [](const Snippet& s) { return Contains(s, "int main"); });

  WritePrograms(argv[2], { snippets.begin(), firstFragment });
  WriteFragments(argv[3], { firstFragment, snippets.end() });
  WriteDependencies(argv[4], argv[2], argv[1], pages);
  std::cout << "documentation: " << firstFragment - snippets.begin()
            << " programs, " << snippets.end() - firstFragment
            << " fragments\n";
}

int main(int argc, char** argv)
{
  if (argc < 5)
  {
    std::cerr << "usage: extract_snippets ROOT PROGRAMS.cpp FRAGMENTS.cpp "
                 "DEPENDENCIES.d [SKIPPED_PAGE.md]...\n";
    return 2;
  }
  try
  {
    Extract(argv, std::vector<std::string>(argv + 5, argv + argc));
  }
  catch (const std::exception& e)
  {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
