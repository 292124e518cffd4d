/**
 * @file src/io/npy.hpp
 *
 * Arrays in NumPy's .npy files.
 */
#ifndef SYMVI_SRC_IO_NPY_HPP
#define SYMVI_SRC_IO_NPY_HPP

#include <armadillo>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {
namespace io {

//! Numbers along any number of axes, the last of which runs fastest.
struct NumberArray
{
  std::vector<size_t> shape;
  std::vector<double> values;

  //! "(100, 26)", as NumPy shows it.
  std::string ShapeText() const;
};

//! Whether `path` ends in the extension, with its dot, in whatever case.
bool HasExtension(const std::string& path, const std::string& extension);

/**
 * Read an .npy file of float32 or float64 numbers of either byte order, in C or
 * Fortran order.  A file that is foreign, of other numbers, truncated or longer
 * than its header says, and numbers that are not finite or above
 * LargestNumber(), are a std::invalid_argument that names file and place.
 */
NumberArray LoadNpy(const std::string& path);

//! Write a matrix as array of columns x rows of float64: one column of it per
//! row of the file's array.
void WriteNpy(std::ostream& stream, const arma::mat& values);

} // namespace io
} // namespace symvi

#endif
