/**
 * @file examples/common/picture.hpp
 *
 * Pictures by gnuplot: a script that anybody can run again, and a PNG of it.
 */
#ifndef SYMVI_EXAMPLES_COMMON_PICTURE_HPP
#define SYMVI_EXAMPLES_COMMON_PICTURE_HPP

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace examples {

/**
 * Collects a gnuplot script.  Data() puts columns into the script as a named
 * data block; everything else is streamed in with <<.  Write() saves
 * `<name>.gp` and runs gnuplot on it to make `<name>.png`; without gnuplot it
 * says so and leaves the script.
 */
class Picture
{
 public:
  Picture(const std::string& folder, const std::string& name,
      size_t width = 900, size_t height = 600) :
      folder(folder),
      name(name)
  {
    script.precision(8);
    script
        << "set terminal pngcairo size " << width << "," << height
        << " font 'DejaVu Sans,11' background rgb 'white'\n"
        << "set output '" << name << ".png'\n"
        << "set grid linecolor rgb '#dddddd'\nset key noautotitle\n"
        << "set linetype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7\n"
        << "set linetype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 5\n"
        << "set linetype 3 linecolor rgb '#009e73' linewidth 2 pointtype 9\n"
        << "set linetype 4 linecolor rgb '#cc79a7' linewidth 2 pointtype 13\n"
        << "set linetype 5 linecolor rgb '#444444' linewidth 2 pointtype 11\n";
  }

  template<typename T>
  Picture& operator<<(const T& value)
  {
    script << value;
    return *this;
  }

  //! Defines the data block $block; each inner container is one column.
  template<typename... Columns>
  void Data(const std::string& block, const Columns&... columns)
  {
    script << "$" << block << " << EOD\n";
    const size_t rows = std::min({ size_t(columns.size())... });
    for (size_t i = 0; i < rows; ++i)
    {
      ((script << columns[i] << " "), ...);
      script << "\n";
    }
    script << "EOD\n";
  }

  //! Saves the script and draws it.
  void Write() const
  {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::ofstream(path.string() + ".gp") << script.str();
    const std::string command = "cd '" + folder + "' && gnuplot '" + name +
        ".gp' >/dev/null 2>'" + name + ".log'";
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
      std::cout << "gnuplot is not installed: " << path.string()
                << ".gp is the script of the picture.\n";
    else if (std::system(command.c_str()) != 0)
      std::cout << "gnuplot failed on " << path.string() << ".gp: see "
                << path.string() << ".log\n";
    else
    {
      std::filesystem::remove(path.string() + ".log");
      std::cout << "picture: " << path.string() << ".png\n";
    }
  }

 private:
  std::string folder, name;
  std::ostringstream script;
};

} // namespace examples

#endif
