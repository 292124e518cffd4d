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

//! Values from the tenth part on: the first epochs would flatten the rest.
inline std::vector<double> Tail(const std::vector<double>& history)
{
  return { history.begin() + history.size() / 10, history.end() };
}

inline void DrawHistory(SvgPanel& panel, const Curve& curve)
{
  const size_t skipped = curve.history.size() / 10;
  std::vector<double> epochs;
  for (size_t i = skipped; i < curve.history.size(); ++i)
    epochs.push_back(double(i + 1));
  panel.Line(epochs, Tail(curve.history), curve.color);
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
  const std::vector<double> tailA = Tail(a.history), tailB = Tail(b.history);
  const double low = std::min(*std::min_element(tailA.begin(), tailA.end()),
      *std::min_element(tailB.begin(), tailB.end()));
  const double high = std::max(*std::max_element(tailA.begin(), tailA.end()),
      *std::max_element(tailB.begin(), tailB.end()));
  const double margin = 0.05 * (high - low);

  SvgPanel training(0, "Training", "epoch", "objective per image (nats)",
      { 0.0, double(a.history.size()) }, { low - margin, high + margin });
  SvgPanel reliability(1, "Reliability on the test images", "confidence",
      "accuracy", { 0.0, 1.0 }, { 0.0, 1.0 });
  reliability.Line({ 0.0, 1.0 }, { 0.0, 1.0 }, "#aaaaaa");
  for (const Curve* curve : { &a, &b })
  {
    DrawHistory(training, *curve);
    DrawReliability(reliability, *curve);
    training.Legend(curve->name, curve->color);
  }
  WriteSvg(file, { &training, &reliability });
}

} // namespace demo

#endif
