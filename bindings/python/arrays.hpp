/**
 * @file arrays.hpp
 *
 * numpy's arrays as Armadillo's, and back.  One point per row there, in C
 * order, is one point per column here: the same memory.
 */
#ifndef SYMVI_BINDINGS_PYTHON_ARRAYS_HPP
#define SYMVI_BINDINGS_PYTHON_ARRAYS_HPP

#include <armadillo>
#include <pybind11/numpy.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace symvi {
namespace python {

namespace py = pybind11;

template<typename eT>
void CopyRows(const py::array& from, arma::mat& to)
{
  const char* start = static_cast<const char*>(from.data());
  const py::ssize_t row = from.strides(0), column = from.strides(1);
  for (size_t i = 0; i < to.n_cols; ++i)
    for (size_t j = 0; j < to.n_rows; ++j)
      to(j, i) = double(*reinterpret_cast<const eT*>(
          start + py::ssize_t(i) * row + py::ssize_t(j) * column));
}

//! A matrix of its own with one column per row of an array.
inline arma::mat CopyOf(const py::array& array)
{
  if (array.ndim() != 2)
    throw std::invalid_argument("an array must have 2 dimensions, but has " +
        std::to_string(array.ndim()) + ".");
  arma::mat matrix(array.shape(1), array.shape(0));
  if (py::isinstance<py::array_t<double>>(array))
    CopyRows<double>(array, matrix);
  else if (py::isinstance<py::array_t<float>>(array))
    CopyRows<float>(array, matrix);
  else
    throw std::invalid_argument("an array must hold float32 or float64, but "
                                "holds " +
        std::string(py::str(array.dtype())) + ".");
  return matrix;
}

//! The same, but in the array's own memory where that is possible: float64 in
//! C order.  The array must outlive it, and nobody may write to it.
inline arma::mat ViewOf(const py::array& array)
{
  if (array.ndim() == 2 && (array.flags() & py::array::c_style) &&
      py::isinstance<py::array_t<double>>(array))
    return arma::mat(static_cast<double*>(const_cast<void*>(array.data())),
        array.shape(1), array.shape(0), false, true);
  return CopyOf(array);
}

//! An array with one row per column of a matrix, whose memory it takes over.
inline py::array Give(arma::mat matrix)
{
  auto* owner = new arma::mat(std::move(matrix));
  const py::capsule base(owner,
      [](void* p) { delete static_cast<arma::mat*>(p); });
  return py::array_t<double>({ owner->n_cols, owner->n_rows }, owner->memptr(),
      base);
}

//! The same of a cube: slices x columns x rows.
inline py::array Give(arma::cube cube)
{
  auto* owner = new arma::cube(std::move(cube));
  const py::capsule base(owner,
      [](void* p) { delete static_cast<arma::cube*>(p); });
  return py::array_t<double>({ owner->n_slices, owner->n_cols, owner->n_rows },
      owner->memptr(), base);
}

} // namespace python
} // namespace symvi

#endif
