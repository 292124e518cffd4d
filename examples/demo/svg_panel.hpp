/**
 * @file examples/demo/svg_panel.hpp
 *
 * Line charts side by side in an SVG file.
 */
#ifndef SYMVI_EXAMPLES_DEMO_SVG_PANEL_HPP
#define SYMVI_EXAMPLES_DEMO_SVG_PANEL_HPP

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {

//! One chart: axes with five ticks each, lines, dots and a legend.
class SvgPanel
{
 public:
  struct Range { double low, high; };

  static constexpr double Width = 440, Height = 340;

  SvgPanel(const size_t column, const std::string& title,
           const std::string& xLabel, const std::string& yLabel,
           const Range x, const Range y) :
      xRange(x), yRange(y), left(double(column) * Width + 70)
  {
    out << "<rect x='" << left << "' y='" << top << "' width='" << width
        << "' height='" << height << "' fill='none' stroke='#444'/>\n";
    Text(left + width / 2, top - 12, title, "middle", 15);
    Text(left + width / 2, top + height + 38, xLabel, "middle", 13);
    const double x0 = left - 52, y0 = top + height / 2;
    out << "<g transform='rotate(-90 " << x0 << ' ' << y0 << ")'>";
    Text(x0, y0, yLabel, "middle", 13);
    out << "</g>\n";
    for (int i = 0; i <= 4; ++i)
      Tick(i / 4.0);
  }

  void Line(const std::vector<double>& x, const std::vector<double>& y,
            const std::string& color)
  {
    out << "<polyline fill='none' stroke-width='1.8' stroke='" << color
        << "' points='";
    for (size_t i = 0; i < x.size(); ++i)
      out << X(x[i]) << ',' << Y(y[i]) << ' ';
    out << "'/>\n";
  }

  void Dots(const std::vector<double>& x, const std::vector<double>& y,
            const std::string& color)
  {
    for (size_t i = 0; i < x.size(); ++i)
      out << "<circle r='3.5' fill='" << color << "' cx='" << X(x[i])
          << "' cy='" << Y(y[i]) << "'/>\n";
  }

  //! Add a line to the legend, bottom right.
  void Legend(const std::string& name, const std::string& color)
  {
    const double y = top + height - 34 + 18 * legends++;
    out << "<rect x='" << left + width - 132 << "' y='" << y - 9
        << "' width='16' height='4' fill='" << color << "'/>\n";
    Text(left + width - 110, y - 3, name, "start", 13);
  }

  std::string Svg() const { return out.str(); }

 private:
  double X(const double x) const
  {
    return left + width * (x - xRange.low) / (xRange.high - xRange.low);
  }
  double Y(const double y) const
  {
    return top + height * (yRange.high - y) / (yRange.high - yRange.low);
  }

  void Text(const double x, const double y, const std::string& text,
            const char* anchor, const int size)
  {
    out << "<text x='" << x << "' y='" << y << "' text-anchor='" << anchor
        << "' font-size='" << size << "'>" << text << "</text>\n";
  }

  //! Both axes' tick at a fraction of their range.
  void Tick(const double fraction)
  {
    const double x = xRange.low + fraction * (xRange.high - xRange.low);
    const double y = yRange.low + fraction * (yRange.high - yRange.low);
    Text(X(x), top + height + 18, Number(x), "middle", 12);
    Text(left - 6, Y(y) + 4, Number(y), "end", 12);
  }

  static std::string Number(const double value)
  {
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", value);
    return text;
  }

  static constexpr double top = 40, width = 350, height = 240;
  Range xRange, yRange;
  double left;
  int legends = 0;
  std::ostringstream out;
};

inline void WriteSvg(const std::string& file,
                     const std::vector<const SvgPanel*>& panels)
{
  std::ofstream out(file);
  out << "<svg xmlns='http://www.w3.org/2000/svg' font-family='sans-serif' "
      << "width='" << SvgPanel::Width * panels.size() << "' height='"
      << SvgPanel::Height << "'>\n<rect width='100%' height='100%' "
      << "fill='white'/>\n";
  for (const SvgPanel* panel : panels)
    out << panel->Svg();
  out << "</svg>\n";
  if (!out.flush())
    throw std::runtime_error("WriteSvg(): cannot write " + file + ".");
}

} // namespace demo

#endif
