/**
 * @file src/io/chart.cpp
 */
#include <symvi/io/chart.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace symvi {
namespace io {

namespace {

// The drawing area inside the figure.
const double width = 440, height = 300;
const double left = 72, right = 14, top = 14, bottom = 46;

//! Names of the style's colours, and what they are on light paper.
const std::pair<std::string, std::string> lightColours[] = {
  { "ink", "#1c2430" }, { "soft", "#5b6675" }, { "paper", "#ffffff" },
  { "line", "#d9dee5" }, { "c0", "#0072b2" }, { "c1", "#d55e00" },
  { "c2", "#00875f" }, { "c3", "#8a94a3" }
};

std::string Num(const double value)
{
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.2f", value);
  return buffer;
}

std::string ToneClass(const Tone tone)
{
  return "s" + std::to_string(int(tone));
}

//! About five round numbers between low and high.
std::vector<double> Ticks(const double low, const double high)
{
  const double raw = (high - low) / 5.0;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10.0 * power;
  for (const double factor : { 1.0, 2.0, 5.0 })
  {
    if (factor * power >= raw)
    {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  for (double t = std::ceil(low / step - 1e-9) * step;
       t <= high + 1e-9 * step && ticks.size() < 20; t += step)
    ticks.push_back(std::abs(t) < 1e-9 * step ? 0.0 : t);
  return ticks;
}

std::string Text(const double x, const double y, const std::string& anchor,
    const std::string& text, const std::string& more = "")
{
  return "<text x=\"" + Num(x) + "\" y=\"" + Num(y) + "\" text-anchor=\"" +
      anchor + "\"" + more + ">" + Escape(text) + "</text>\n";
}

} // namespace

std::string Escape(const std::string& text)
{
  std::string result;
  for (const char c : text)
  {
    switch (c)
    {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    default: result += c;
    }
  }
  return result;
}

std::string Short(const double value)
{
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.4g", value);
  return buffer;
}

arma::vec Histogram(const arma::vec& values, const arma::vec& edges)
{
  arma::vec counts(edges.n_elem - 1, arma::fill::zeros);
  const double low = edges.front();
  const double size = edges.back() - low;
  for (const double value : values)
  {
    if (!std::isfinite(value) || value < low || value > edges.back())
      continue;
    const size_t bin = size_t((value - low) / size * double(counts.n_elem));
    counts[std::min<size_t>(bin, counts.n_elem - 1)] += 1.0;
  }
  return counts;
}

void Chart::Range::Include(const double value)
{
  if (fixed || !std::isfinite(value))
    return;
  low = set ? std::min(low, value) : value;
  high = set ? std::max(high, value) : value;
  set = true;
}

Chart::Chart(const std::string& title, const std::string& xLabel,
    const std::string& yLabel) :
    title(title),
    xLabel(xLabel),
    yLabel(yLabel)
{ }

void Chart::FixX(const double low, const double high)
{
  xRange = { low, high, true, true };
}

void Chart::FixY(const double low, const double high)
{
  yRange = { low, high, true, true };
}

void Chart::Include(const Series& added)
{
  for (const double x : added.x)
    xRange.Include(x);
  for (const double y : added.y)
    yRange.Include(y);
  if (added.kind == Kind::Bars)
    yRange.Include(0.0);
  series.push_back(added);
}

void Chart::Line(const arma::vec& x, const arma::vec& y, const Tone tone,
    const std::string& name)
{
  Include({ Kind::Line, x, y, tone, name });
}

void Chart::Band(const arma::vec& x, const arma::vec& lower,
    const arma::vec& upper, const Tone tone, const std::string& name)
{
  Include({ Kind::Band, arma::join_cols(x, arma::reverse(x)),
      arma::join_cols(lower, arma::reverse(upper)), tone, name });
}

void Chart::Bars(const arma::vec& edges, const arma::vec& heights,
    const Tone tone, const std::string& name)
{
  Include({ Kind::Bars, edges, heights, tone, name });
}

void Chart::Points(const arma::vec& x, const arma::vec& y, const Tone tone,
    const std::string& name)
{
  Include({ Kind::Points, x, y, tone, name });
}

void Chart::Guide(const double x1, const double y1, const double x2,
    const double y2)
{
  arma::vec guide(4);
  guide[0] = x1;
  guide[1] = y1;
  guide[2] = x2;
  guide[3] = y2;
  guides.push_back(guide);
}

double Chart::X(const double value) const
{
  const double size = (xRange.Size() > 0.0) ? xRange.Size() : 1.0;
  return left + (value - xRange.low) / size * (width - left - right);
}

double Chart::Y(const double value) const
{
  const double size = (yRange.Size() > 0.0) ? yRange.Size() : 1.0;
  return height - bottom -
      (value - yRange.low) / size * (height - top - bottom);
}

std::string Chart::DrawLine(const Series& s) const
{
  std::string path;
  bool pen = false;
  // A screen does not show more points than this.
  const size_t stride = std::max<size_t>(1, s.x.n_elem / 1000);
  for (size_t i = 0; i < s.x.n_elem; i += stride)
  {
    const bool finite = std::isfinite(s.x[i]) && std::isfinite(s.y[i]);
    if (finite)
      path += (pen ? "L" : "M") + Num(X(s.x[i])) + " " + Num(Y(s.y[i]));
    pen = finite;
  }
  return "<path class=\"line " + ToneClass(s.tone) + "\" d=\"" + path +
      "\"/>\n";
}

std::string Chart::DrawBand(const Series& s) const
{
  // What leaves the area ends at its edge.
  std::string path;
  for (size_t i = 0; i < s.x.n_elem; ++i)
    path += (i == 0 ? "M" : "L") + Num(X(s.x[i])) + " " +
        Num(std::min(std::max(Y(s.y[i]), top), height - bottom));
  return "<path class=\"band " + ToneClass(s.tone) + "\" d=\"" + path +
      "Z\"/>\n";
}

std::string Chart::DrawBars(const Series& s) const
{
  std::string text;
  for (size_t i = 0; i < s.y.n_elem; ++i)
  {
    const double x1 = X(s.x[i]), x2 = X(s.x[i + 1]);
    const double y1 = Y(std::max(s.y[i], 0.0)), y2 = Y(0.0);
    if (y2 - y1 <= 0.0)
      continue;
    text += "<rect class=\"bar " + ToneClass(s.tone) + "\" x=\"" +
        Num(x1 + 0.5) + "\" y=\"" + Num(y1) + "\" width=\"" +
        Num(std::max(0.5, x2 - x1 - 1.0)) + "\" height=\"" + Num(y2 - y1) +
        "\"><title>" + Escape(s.name) + ", " + Short(s.x[i]) + " to " +
        Short(s.x[i + 1]) + ": " + Short(s.y[i]) + "</title></rect>\n";
  }
  return text;
}

std::string Chart::DrawPoints(const Series& s) const
{
  std::string text;
  const size_t stride = std::max<size_t>(1, s.x.n_elem / 1500);
  for (size_t i = 0; i < s.x.n_elem; i += stride)
    text += "<circle class=\"point " + ToneClass(s.tone) + "\" cx=\"" +
        Num(X(s.x[i])) + "\" cy=\"" + Num(Y(s.y[i])) + "\" r=\"2.5\"/>\n";
  return text;
}

std::string Chart::Draw(const Series& s) const
{
  return (s.kind == Kind::Line) ? DrawLine(s) :
      (s.kind == Kind::Band)    ? DrawBand(s) :
      (s.kind == Kind::Bars)    ? DrawBars(s) :
                                  DrawPoints(s);
}

std::string Chart::Axes() const
{
  std::string text;
  for (const double t : Ticks(xRange.low, xRange.high))
    text += "<line class=\"grid\" x1=\"" + Num(X(t)) + "\" x2=\"" + Num(X(t)) +
        "\" y1=\"" + Num(top) + "\" y2=\"" + Num(height - bottom) + "\"/>\n" +
        Text(X(t), height - bottom + 16, "middle", Short(t));
  for (const double t : Ticks(yRange.low, yRange.high))
    text += "<line class=\"grid\" x1=\"" + Num(left) + "\" x2=\"" +
        Num(width - right) + "\" y1=\"" + Num(Y(t)) + "\" y2=\"" + Num(Y(t)) +
        "\"/>\n" + Text(left - 6, Y(t) + 4, "end", Short(t));
  text += Text((left + width - right) / 2, height - 8, "middle", xLabel);
  const double middle = (top + height - bottom) / 2;
  return text +
      Text(14, middle, "middle", yLabel,
          " transform=\"rotate(-90 14 " + Num(middle) + ")\"");
}

std::string Chart::Legend() const
{
  std::string text;
  for (const Series& s : series)
  {
    if (!s.name.empty())
      text += "<span><i class=\"" + ToneClass(s.tone) + "\"></i>" +
          Escape(s.name) + "</span> ";
  }
  return (series.size() < 2) ? "" : "<p class=\"legend\">" + text + "</p>\n";
}

std::string Chart::Body() const
{
  std::string text = Axes();
  for (const Series& s : series)
    text += Draw(s);
  for (const arma::vec& g : guides)
    text += "<line class=\"guide\" x1=\"" + Num(X(g[0])) + "\" y1=\"" +
        Num(Y(g[1])) + "\" x2=\"" + Num(X(g[2])) + "\" y2=\"" + Num(Y(g[3])) +
        "\"/>\n";
  return text;
}

std::string Chart::Svg() const
{
  return "<figure>\n<figcaption>" + Escape(title) +
      "</figcaption>\n<svg role=\"img\" aria-label=\"" + Escape(title) +
      "\" viewBox=\"0 0 " + Num(width) + " " + Num(height) + "\">\n" + Body() +
      "</svg>\n" + Legend() + "</figure>\n";
}

//! The upper left corner of the legend: where it hides the fewest points.
arma::vec Chart::LegendCorner(const double boxWidth,
    const double boxHeight) const
{
  const double edge = 6, far = width - right - edge - boxWidth;
  const double low = height - bottom - edge - boxHeight;
  arma::vec best;
  size_t fewest = size_t(-1);
  for (const arma::vec& corner :
      { arma::vec{ far, low }, arma::vec{ left + edge, low },
          arma::vec{ left + edge, top + edge }, arma::vec{ far, top + edge } })
  {
    size_t hidden = 0;
    for (const Series& s : series)
      for (size_t i = 0; i < std::min(s.x.n_elem, s.y.n_elem); ++i)
        hidden += X(s.x[i]) >= corner[0] && X(s.x[i]) <= corner[0] + boxWidth &&
            Y(s.y[i]) >= corner[1] && Y(s.y[i]) <= corner[1] + boxHeight;
    if (hidden >= fewest)
      continue;
    fewest = hidden;
    best = corner;
  }
  return best;
}

std::string Chart::Panel() const
{
  std::string text = Text((left + width - right) / 2, -12, "middle", title,
                         " class=\"title\"") +
      Body();
  size_t longest = 0, names = 0;
  for (const Series& s : series)
  {
    longest = std::max(longest, s.name.size());
    names += !s.name.empty();
  }
  // A letter is about 6.5 wide, a line 18 high.
  const arma::vec corner = LegendCorner(22 + 6.5 * double(longest),
      18.0 * double(names));
  double y = corner[1] + 13;
  for (const Series& s : series)
  {
    if (s.name.empty())
      continue;
    text += "<rect class=\"bar " + ToneClass(s.tone) + "\" x=\"" +
        Num(corner[0]) + "\" y=\"" + Num(y - 6) +
        "\" width=\"16\" height=\"4\"/>\n" +
        Text(corner[0] + 22, y, "start", s.name);
    y += 18;
  }
  return text;
}

std::string ChartStyle(const bool followSystem)
{
  const std::string dark = R"(
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b6;
  --paper: #14181f; --line: #323a46; --c0: #56b4e9; --c1: #e8853b;
  --c2: #2fc498; --c3: #7b8694; } })";
  std::string style = "\n:root {";
  for (const auto& [name, light] : lightColours)
    style += " --" + name + ": " + light + ";";
  style += " }" + (followSystem ? dark : std::string()) + R"(
svg text { font-size: 12px; fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 1; }
.guide { stroke: var(--ink); stroke-dasharray: 5 4; stroke-width: 1.2; }
.line { fill: none; stroke-width: 1.8; }
.point { fill-opacity: .7; }
.band { fill-opacity: .22; }
.cell { fill: var(--c0); }
)";
  for (const Tone tone : { Tone::Blue, Tone::Orange, Tone::Green, Tone::Grey })
  {
    const std::string s = "." + ToneClass(tone);
    const std::string colour = "var(--c" + std::to_string(int(tone)) + ")";
    style += s + " { background: " + colour + "; } .line" + s +
        " { stroke: " + colour + "; } .bar" + s + ", .point" + s + ", .band" +
        s + " { fill: " + colour + "; }\n";
  }
  return style;
}

namespace {

//! The style of a picture that stands alone: many viewers know no variables.
std::string FileStyle()
{
  std::string style = ChartStyle(false) +
      "svg text.title { font-size: 15px; fill: var(--ink); }\n";
  for (const auto& [name, light] : lightColours)
  {
    const std::string variable = "var(--" + name + ")";
    for (size_t i; (i = style.find(variable)) != std::string::npos;)
      style.replace(i, variable.size(), light);
  }
  return style;
}

} // namespace

std::string SvgFile(const std::vector<Chart>& charts)
{
  const double head = 36;
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                     "font-family=\"sans-serif\" width=\"" +
      Num(width * double(charts.size())) + "\" height=\"" + Num(height + head) +
      "\">\n<style>" + FileStyle() +
      "</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (size_t i = 0; i < charts.size(); ++i)
    text += "<g transform=\"translate(" + Num(width * double(i)) + " " +
        Num(head) + ")\">\n" + charts[i].Panel() + "</g>\n";
  return text + "</svg>\n";
}

std::string HeatMap(const std::string& title, const arma::mat& values,
    const std::vector<std::string>& names, const std::string& unit)
{
  const size_t n = values.n_rows;
  const double cell = (height - top - bottom) / double(n);
  const double high = std::max(values.max(), 1e-300);
  std::string text = "<figure>\n<figcaption>" + Escape(title) +
      "</figcaption>\n<svg role=\"img\" aria-label=\"" + Escape(title) +
      "\" viewBox=\"0 0 " + Num(width) + " " + Num(height) + "\">\n";
  for (size_t a = 0; a < n; ++a)
  {
    for (size_t b = 0; b < n; ++b)
    {
      if (a == b)
        continue;
      text += "<rect class=\"cell\" x=\"" + Num(left + double(b) * cell) +
          "\" y=\"" + Num(top + double(a) * cell) + "\" width=\"" + Num(cell) +
          "\" height=\"" + Num(cell) + "\" fill-opacity=\"" +
          Num(0.04 + 0.96 * values(a, b) / high) + "\"><title>" +
          Escape(names[a] + " and " + names[b]) + ": " + Short(values(a, b)) +
          "</title></rect>\n";
    }
  }
  const size_t stride = 1 + n / 20;
  for (size_t a = 0; a < n; a += stride)
  {
    const double at = top + (double(a) + 0.5) * cell;
    text += Text(left - 6, at + 4, "end", names[a]) +
        Text(at + left - top, height - bottom + 14, "middle", names[a]);
  }
  // The key to the shades.
  const double x = left + double(n) * cell + 24;
  for (int i = 0; i < 20; ++i)
    text += "<rect class=\"cell\" x=\"" + Num(x) + "\" y=\"" +
        Num(top + i * 8.0) + "\" width=\"14\" height=\"8\" fill-opacity=\"" +
        Num(0.04 + 0.96 * (19 - i) / 19.0) + "\"/>\n";
  text += Text(x + 20, top + 9, "start", Short(high)) +
      Text(x + 20, top + 160, "start", "0") + Text(x, top + 180, "start", unit);
  return text + "</svg>\n</figure>\n";
}

} // namespace io
} // namespace symvi
