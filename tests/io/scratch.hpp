/**
 * @file scratch.hpp
 *
 * A folder that lives as long as a test.
 */
#ifndef SYMVI_TESTS_IO_SCRATCH_HPP
#define SYMVI_TESTS_IO_SCRATCH_HPP

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <stdlib.h>

class Scratch
{
 public:
  Scratch()
  {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "symvi-XXXXXX").string();
    if (mkdtemp(&pattern[0]) == nullptr)
      throw std::runtime_error("cannot create a scratch folder");
    folder = pattern;
  }

  ~Scratch()
  {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  std::string Path(const std::string& name) const
  {
    return (folder / name).string();
  }

  std::string Write(const std::string& name, const std::string& text) const
  {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }

  std::string Read(const std::string& name) const
  {
    std::ifstream file(Path(name), std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
  }

  size_t Files() const
  {
    size_t count = 0;
    for (auto& entry : std::filesystem::directory_iterator(folder))
      count += entry.exists();
    return count;
  }

 private:
  std::filesystem::path folder;
};

#endif
