/**
 * @file examples/demo/picture.hpp
 *
 * The picture of the demonstration, as SVG: a regression and its intervals away
 * from the data on the left, digits that were never seen on the right.
 */
#ifndef SYMVI_EXAMPLES_DEMO_PICTURE_HPP
#define SYMVI_EXAMPLES_DEMO_PICTURE_HPP

#include <symvi/io/chart.hpp>
#include <symvi/io/file.hpp>

#include <string>
#include <vector>

namespace demo {

//! Mean and 95 % interval of a regression on a grid.
struct Band
{
  arma::vec mean, lower, upper;
};

//! Bands of a plain network and of symvi around the training points.
inline symvi::io::Chart DrawRegression(const arma::vec& x, const arma::vec& y,
    const arma::vec& grid, const Band& plain, const Band& bayesian)
{
  using symvi::io::Tone;
  symvi::io::Chart chart("Regression: 95 % intervals away from the data", "x",
      "y");
  chart.FixX(grid.front(), grid.back());
  chart.FixY(-4.0, 4.0);
  chart.Band(grid, bayesian.lower, bayesian.upper, Tone::Blue, "");
  chart.Line(grid, arma::clamp(bayesian.mean, -4.0, 4.0), Tone::Blue, "symvi");
  for (const arma::vec& line : { plain.lower, plain.upper })
    chart.Line(grid, arma::clamp(line, -4.0, 4.0), Tone::Orange, "");
  chart.Line(grid, arma::clamp(plain.mean, -4.0, 4.0), Tone::Orange,
      "plain network");
  chart.Points(x, y, Tone::Grey, "training points");
  return chart;
}

//! The confidence of a classifier in its answers to images it cannot know.
struct Confidence
{
  std::string name;
  symvi::io::Tone tone;
  arma::vec values;
};

//! How many of the answers have at least a given confidence.
inline symvi::io::Chart DrawConfidence(const std::vector<Confidence>& list)
{
  symvi::io::Chart chart("Classification: digits never seen in training",
      "confidence of the answer", "fraction of answers above it");
  chart.FixX(0.0, 1.0);
  chart.FixY(0.0, 1.0);
  for (const Confidence& c : list)
  {
    const arma::vec sorted = arma::sort(c.values);
    chart.Line(sorted,
        arma::linspace(1.0, 1.0 / double(sorted.n_elem), sorted.n_elem), c.tone,
        c.name);
  }
  return chart;
}

inline void WritePicture(const std::string& file,
    const std::vector<symvi::io::Chart>& charts)
{
  symvi::io::AtomicFile output(file);
  output.Stream() << symvi::io::SvgFile(charts);
  output.Commit();
}

} // namespace demo

#endif
