/**
 * @file src/model/report.cpp
 *
 * The page around the diagrams: no script, no link, one file.
 */
#include <symvi/io/chart.hpp>
#include <symvi/model/pipeline.hpp>
#include <symvi/version.hpp>

#include <cmath>
#include <sstream>

#include "model/report_sections.hpp"

namespace symvi {

using io::Escape;
using io::Short;

namespace {

const char* style = R"(
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p.lead, p.note { color: var(--soft); margin-top: .3rem; }
table { border-collapse: collapse; }
td, th { text-align: left; padding: .25rem 1.5rem .25rem 0;
  border-bottom: 1px solid var(--line); font-weight: normal; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.row { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fill, minmax(min(28rem, 100%), 1fr)); }
figure { margin: 0; }
figcaption { font-weight: 600; font-size: .95rem; }
svg { width: 100%; height: auto; }
.legend { font-size: .85rem; color: var(--soft); margin: .2rem 0 0; }
.legend span { margin-right: 1rem; }
.legend i { display: inline-block; width: .8em; height: .8em;
  margin-right: .4em; border-radius: 2px; }
)";

std::string Number(const double value)
{
  return std::isnan(value) ? "not available" : Short(value);
}

std::string MeasureTable(const Evaluation& evaluation)
{
  std::string text = "<table>\n";
  for (const Metric& metric : evaluation.metrics)
  {
    text += "<tr><th scope=\"row\">" + Escape(metric.label) +
        "</th><td class=\"number\">" + Number(metric.value) + "</td><td>" +
        (metric.standardError < 0.0 ?
                "" :
                "&plusmn; " + Number(metric.standardError)) +
        "</td></tr>\n";
  }
  return text + "</table>\n";
}

std::string Section(const std::string& title, const std::string& note,
    const std::string& content)
{
  return "<section>\n<h2>" + title + "</h2>\n" +
      (note.empty() ? "" : "<p class=\"note\">" + note + "</p>\n") +
      "<div class=\"row\">\n" + content + "</div>\n</section>\n";
}

//! The weights of the evidence, if there are any.
std::string Evidence(const EvidenceReport& report)
{
  if (!(report.effectiveSamples >= 1.0))
    return "";
  std::ostringstream text;
  text << report;
  return Section("Evidence", Escape(text.str()), EvidenceSection(report));
}

std::string Lead(const Pipeline& model, const Evaluation& evaluation,
    const std::string& modelName, const std::string& dataName)
{
  return Escape("Model '" + modelName + "', " + model.Spec().task +
      ", layers " + model.Spec().Describe() + ", trained by " +
      (model.Bound().symmetrize ? "sgm" : "mfvi") + " on " +
      std::to_string(model.TrainedPoints()) + " points; measured on the " +
      std::to_string(evaluation.points) + " points of '" + dataName +
      "' with " + std::to_string(evaluation.options.predict.samples) +
      " draws.");
}

} // namespace

std::string HtmlReport(const Pipeline& model, const Evaluation& evaluation,
    const std::string& modelName, const std::string& dataName)
{
  const bool classes = model.Spec().IsClassification();
  const EpochRecord* kept = model.KeptEpoch();
  const bool marked = kept && kept->epoch < model.History().size();
  return std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                     "content=\"width=device-width, initial-scale=1\">\n"
                     "<title>symvi report</title>\n<style>") +
      io::ChartStyle(true) + style +
      "</style>\n</head>\n<body>\n<h1>Evaluation of a Bayesian neural "
      "network</h1>\n<p class=\"lead\">" +
      Lead(model, evaluation, modelName, dataName) + "</p>\n" +
      MeasureTable(evaluation) +
      Section("Calibration",
          classes ?
              "Bars on the dashed line mean that a confidence of 80 % is right "
              "in 80 % of the cases." :
              "A curve below the dashed line means that the model is too sure "
              "of itself.",
          CalibrationSection(evaluation)) +
      Section("Uncertainty", "", UncertaintySection(evaluation)) +
      Evidence(evaluation.elbo.evidence) +
      Section("Training",
          marked ? "The dashed line marks the epoch whose weights were kept." :
                   "",
          HistorySection(model)) +
      Section("Posterior",
          "Units at a distance of a few posterior standard deviations are told "
          "apart; near ones are nearly interchangeable.",
          PosteriorSection(model)) +
      "<p class=\"note\">Written by symvi_evaluate " SYMVI_VERSION ".</p>\n"
      "</body>\n</html>\n";
}

} // namespace symvi
