/**
 * @file examples/demo/picture.hpp
 *
 * The picture of the demonstration, as SVG: objectives over epochs on the left,
 * reliability on the right.
 */
#ifndef SYMVI_EXAMPLES_DEMO_PICTURE_HPP
#define SYMVI_EXAMPLES_DEMO_PICTURE_HPP

#include <symvi/io/atomic_file.hpp>
#include <symvi/io/chart.hpp>
#include <symvi/predict/metrics.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace demo {

//! What the picture shows of one model.
struct Curve
{
  std::string name;
  symvi::io::Tone tone;
  std::vector<double> history;
  symvi::ReliabilityDiagram reliability;
};

//! Means over blocks of epochs; the first ones would flatten the rest.
inline void DrawHistory(symvi::io::Chart& chart, const Curve& curve)
{
  const arma::vec history(curve.history);
  const size_t length = std::max<size_t>(1, history.n_elem / 75);
  const size_t first = history.n_elem / 10;
  arma::vec x((history.n_elem - first) / length), y(x.n_elem);
  for (size_t i = 0; i < x.n_elem; ++i)
  {
    const size_t begin = first + i * length;
    x[i] = double(begin) + 0.5 * double(length);
    y[i] = arma::mean(history.subvec(begin, begin + length - 1));
  }
  chart.Line(x, y, curve.tone, curve.name);
}

inline void DrawReliability(symvi::io::Chart& chart, const Curve& curve)
{
  const arma::uvec filled = arma::find(curve.reliability.counts > 0);
  const arma::vec confidence = curve.reliability.confidence.elem(filled);
  const arma::vec accuracy = curve.reliability.accuracy.elem(filled);
  chart.Line(confidence, accuracy, curve.tone, "");
  chart.Points(confidence, accuracy, curve.tone, "");
}

inline void WritePicture(const std::string& file,
                         const std::vector<Curve>& curves)
{
  symvi::io::Chart training("Training", "epoch", "L, L^G per image (nats)");
  symvi::io::Chart reliability("Reliability on the test images", "confidence",
      "accuracy");
  reliability.FixX(0.0, 1.0);
  reliability.FixY(0.0, 1.0);
  reliability.Guide(0.0, 0.0, 1.0, 1.0);
  for (const Curve& curve : curves)
  {
    DrawHistory(training, curve);
    DrawReliability(reliability, curve);
  }
  symvi::io::AtomicFile output(file);
  output.Stream() << symvi::io::SvgFile({ training, reliability });
  output.Commit();
}

} // namespace demo

#endif
