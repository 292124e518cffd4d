/**
 * @file chart.hpp
 *
 * Diagrams as inline SVG.
 */
#ifndef SYMVI_BINDINGS_REPORT_CHART_HPP
#define SYMVI_BINDINGS_REPORT_CHART_HPP

#include <armadillo>
#include <string>
#include <vector>

namespace symvi {
namespace cli {

//! Colours that colour-blind readers can tell apart, as CSS classes s0 .. s3.
enum class Tone { Blue = 0, Orange = 1, Green = 2, Grey = 3 };

/**
 * An x-y diagram with lines, bars and points.  The range of an axis is that of
 * what was added unless it is fixed.
 */
class Chart
{
 public:
  Chart(const std::string& title,
        const std::string& xLabel,
        const std::string& yLabel);

  void FixX(double low, double high);
  void FixY(double low, double high);

  //! A line through the points; points that are not finite leave a gap.
  void Line(const arma::vec& x,
            const arma::vec& y,
            Tone tone,
            const std::string& name);

  //! Dashed, without a place in the legend.
  void Guide(double x1, double y1, double x2, double y2);

  //! Bars between edges[i] and edges[i + 1].
  void Bars(const arma::vec& edges,
            const arma::vec& heights,
            Tone tone,
            const std::string& name);

  void Points(const arma::vec& x,
              const arma::vec& y,
              Tone tone,
              const std::string& name);

  //! The figure element.
  std::string Svg() const;

 private:
  enum class Kind { Line, Bars, Points };
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
  std::string DrawBars(const Series& series) const;
  std::string DrawPoints(const Series& series) const;
  std::string Axes() const;
  std::string Legend() const;
  void Include(const Series& series);

  std::string title, xLabel, yLabel;
  Range xRange, yRange;
  std::vector<Series> series;
  std::vector<arma::vec> guides;
};

//! A square map of values from `low` (light) to `high` (dark).
std::string HeatMap(const std::string& title,
                    const arma::mat& values,
                    const std::vector<std::string>& names,
                    const std::string& unit);

//! Counts of `values` in equal bins between low and high.
arma::vec Histogram(const arma::vec& values, const arma::vec& edges);

//! Text that is safe inside HTML.
std::string Escape(const std::string& text);

//! A number with about four significant digits.
std::string Short(double value);

} // namespace cli
} // namespace symvi

#endif
