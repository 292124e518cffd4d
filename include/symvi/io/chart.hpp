/**
 * @file symvi/io/chart.hpp
 *
 * Diagrams as inline SVG.
 */
#ifndef SYMVI_IO_CHART_HPP
#define SYMVI_IO_CHART_HPP

#include <armadillo>
#include <string>
#include <vector>

namespace symvi {
namespace io {

//! Colours that colour-blind readers can tell apart.
enum class Tone
{
  Blue = 0,
  Orange = 1,
  Green = 2,
  Grey = 3
};

/**
 * An x-y diagram with lines, bars and points.  The range of an axis is that of
 * what was added unless it is fixed.
 */
class Chart
{
 public:
  Chart(const std::string& title, const std::string& xLabel,
      const std::string& yLabel);

  void FixX(double low, double high);
  void FixY(double low, double high);

  //! A line through the points; points that are not finite leave a gap.
  void Line(const arma::vec& x, const arma::vec& y, Tone tone,
      const std::string& name);

  //! The area between two lines, behind what is added later.
  void Band(const arma::vec& x, const arma::vec& lower, const arma::vec& upper,
      Tone tone, const std::string& name);

  //! Dashed, without a place in the legend.
  void Guide(double x1, double y1, double x2, double y2);

  //! Bars between edges[i] and edges[i + 1].
  void Bars(const arma::vec& edges, const arma::vec& heights, Tone tone,
      const std::string& name);

  void Points(const arma::vec& x, const arma::vec& y, Tone tone,
      const std::string& name);

  //! A figure element for an HTML page that has ChartStyle().
  std::string Svg() const;

  //! Title, axes, series and legend, for SvgFile().
  std::string Panel() const;

 private:
  enum class Kind
  {
    Line,
    Bars,
    Points,
    Band
  };
  struct Series
  {
    Kind kind;
    arma::vec x, y;
    Tone tone;
    std::string name;
  };
  struct Range
  {
    double low = 0, high = 0;
    bool set = false, fixed = false;
    void Include(double value);
    double Size() const { return high - low; }
  };

  double X(double value) const;
  double Y(double value) const;
  std::string Draw(const Series& series) const;
  std::string DrawLine(const Series& series) const;
  std::string DrawBand(const Series& series) const;
  std::string DrawBars(const Series& series) const;
  std::string DrawPoints(const Series& series) const;
  std::string Axes() const;
  std::string Body() const;
  std::string Legend() const;
  arma::vec LegendCorner(double boxWidth, double boxHeight) const;
  void Include(const Series& series);

  std::string title, xLabel, yLabel;
  Range xRange, yRange;
  std::vector<Series> series;
  std::vector<arma::vec> guides;
};

//! CSS of charts, light or as the reader's system prefers.
std::string ChartStyle(bool followSystem);

//! An SVG file with charts side by side.
std::string SvgFile(const std::vector<Chart>& charts);

//! A square map of values from `low` (light) to `high` (dark).
std::string HeatMap(const std::string& title, const arma::mat& values,
    const std::vector<std::string>& names, const std::string& unit);

//! Counts of `values` in equal bins between low and high.
arma::vec Histogram(const arma::vec& values, const arma::vec& edges);

//! Text that is safe inside HTML.
std::string Escape(const std::string& text);

//! A number with about four significant digits.
std::string Short(double value);

} // namespace io
} // namespace symvi

#endif
