/**
 * @file examples/demo/digits.hpp
 *
 * The 8 x 8 digits of examples/data/digits.csv, split for training and testing.
 */
#ifndef SYMVI_EXAMPLES_DEMO_DIGITS_HPP
#define SYMVI_EXAMPLES_DEMO_DIGITS_HPP

#include <armadillo>

#include <stdexcept>
#include <string>

namespace demo {

//! Pixels in [0, 1], one image per column; labels 0..9, one per column.
struct Digits
{
  arma::mat trainImages, trainLabels, testImages, testLabels;
};

/**
 * Read the file and split it at random.
 *
 * @param file Lines of 64 pixels in 0..16 and a label.
 * @param testSize Number of images kept for testing.
 */
inline Digits LoadDigits(const std::string& file, const size_t testSize)
{
  arma::mat table;
  if (!table.load(file, arma::csv_ascii) || table.n_cols != 65 ||
      table.n_rows <= testSize)
  {
    throw std::runtime_error("LoadDigits(): " + file + " must hold more than " +
        std::to_string(testSize) + " lines of 65 numbers.");
  }
  const arma::mat points = arma::shuffle(table).t();
  const size_t trainSize = points.n_cols - testSize;

  Digits digits;
  digits.trainImages = points.submat(0, 0, 63, trainSize - 1) / 16.0;
  digits.trainLabels = points.submat(64, 0, 64, trainSize - 1);
  digits.testImages = points.submat(0, trainSize, 63, points.n_cols - 1) / 16.0;
  digits.testLabels = points.submat(64, trainSize, 64, points.n_cols - 1);
  return digits;
}

} // namespace demo

#endif
