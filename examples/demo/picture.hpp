/**
 * @file examples/demo/picture.hpp
 *
 * The picture of the demonstration, as SVG: objectives over epochs on the left,
 * reliability on the right.
 */
#ifndef SYMVI_EXAMPLES_DEMO_PICTURE_HPP
#define SYMVI_EXAMPLES_DEMO_PICTURE_HPP

#include <symvi/predict/metrics.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "svg_panel.hpp"

namespace demo {

//! What the picture shows of one model.
struct Curve
{
  std::string name, color;
  std::vector<double> history;
  symvi::ReliabilityDiagram reliability;
};

//! Points of a line.
struct Points
{
  std::vector<double> x, y;
};

//! Means over blocks of epochs; the first ones would flatten the rest.
inline Points Smooth(const std::vector<double>& history)
{
  const size_t length = std::max<size_t>(1, history.size() / 75);
  Points points;
  for (size_t i = history.size() / 10; i + length <= history.size();
      i += length)
  {
    const auto first = history.begin() + i;
    points.x.push_back(double(i) + 0.5 * double(length));
    points.y.push_back(std::accumulate(first, first + length, 0.0) /
        double(length));
  }
  return points;
}

inline void DrawReliability(SvgPanel& panel, const Curve& curve)
{
  const symvi::ReliabilityDiagram& diagram = curve.reliability;
  std::vector<double> confidence, accuracy;
  for (size_t b = 0; b < diagram.counts.n_elem; ++b)
  {
    if (diagram.counts[b] == 0)
      continue;
    confidence.push_back(diagram.confidence[b]);
    accuracy.push_back(diagram.accuracy[b]);
  }
  panel.Line(confidence, accuracy, curve.color);
  panel.Dots(confidence, accuracy, curve.color);
}

inline void WritePicture(const std::string& file, const Curve& a,
                         const Curve& b)
{
  const Points pointsA = Smooth(a.history), pointsB = Smooth(b.history);
  const auto [lowA, highA] = std::minmax_element(pointsA.y.begin(),
      pointsA.y.end());
  const auto [lowB, highB] = std::minmax_element(pointsB.y.begin(),
      pointsB.y.end());
  const double low = std::min(*lowA, *lowB), high = std::max(*highA, *highB);
  const double margin = 0.05 * (high - low);

  SvgPanel training(0, "Training", "epoch", "L, L^G per image (nats)",
      { 0.0, double(a.history.size()) }, { low - margin, high + margin });
  SvgPanel reliability(1, "Reliability on the test images", "confidence",
      "accuracy", { 0.0, 1.0 }, { 0.0, 1.0 });
  reliability.Line({ 0.0, 1.0 }, { 0.0, 1.0 }, "#aaaaaa");
  training.Line(pointsA.x, pointsA.y, a.color);
  training.Line(pointsB.x, pointsB.y, b.color);
  for (const Curve* curve : { &a, &b })
  {
    DrawReliability(reliability, *curve);
    training.Legend(curve->name, curve->color);
  }
  WriteSvg(file, { &training, &reliability });
}

} // namespace demo

#endif
