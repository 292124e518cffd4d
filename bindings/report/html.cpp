/**
 * @file html.cpp
 *
 * The page around the diagrams: no script, no link, one file.
 */
#include <symvi/version.hpp>

#include "chart.hpp"
#include "measures.hpp"
#include "sections.hpp"

namespace symvi {
namespace cli {

namespace {

const char* style = R"(
:root { --ink: #1c2430; --soft: #5b6675; --paper: #ffffff; --line: #d9dee5;
  --c0: #0072b2; --c1: #d55e00; --c2: #00875f; --c3: #8a94a3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b6;
  --paper: #14181f; --line: #323a46; --c0: #56b4e9; --c1: #e8853b;
  --c2: #2fc498; --c3: #7b8694; } }
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
svg text { font-size: 12px; fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 1; }
.guide { stroke: var(--ink); stroke-dasharray: 5 4; stroke-width: 1.2; }
.line { fill: none; stroke-width: 1.8; }
.s0 { --tone: var(--c0); } .s1 { --tone: var(--c1); }
.s2 { --tone: var(--c2); } .s3 { --tone: var(--c3); }
.line { stroke: var(--tone); }
.bar, .point { fill: var(--tone); }
.point { fill-opacity: .7; }
.cell { fill: var(--c0); }
.legend { font-size: .85rem; color: var(--soft); margin: .2rem 0 0; }
.legend span { margin-right: 1rem; }
.legend i { display: inline-block; width: .8em; height: .8em;
  background: var(--tone); margin-right: .4em; border-radius: 2px; }
)";

std::string MeasureTable(const Evaluation& evaluation)
{
  std::string text = "<table>\n";
  for (const Measure& measure : evaluation.measures)
  {
    text += "<tr><th scope=\"row\">" + Escape(measure.label) +
        "</th><td class=\"number\">" + Short(measure.value) + "</td><td>" +
        (measure.standardError >= 0.0 ? "&plusmn; " +
         Short(measure.standardError) : "") + "</td></tr>\n";
  }
  return text + "</table>\n";
}

std::string Section(const std::string& title,
                    const std::string& note,
                    const std::string& content)
{
  return "<section>\n<h2>" + title + "</h2>\n" + (note.empty() ? "" :
      "<p class=\"note\">" + note + "</p>\n") + "<div class=\"row\">\n" +
      content + "</div>\n</section>\n";
}

std::string Lead(const Evaluation& evaluation)
{
  const Model& model = evaluation.model;
  return Escape("Model '" + evaluation.modelPath + "', " + model.spec.task +
      ", layers " + DescribeLayers(model.spec) + ", trained by " +
      model.method + " on " + std::to_string(model.points) +
      " points; measured on the " + std::to_string(evaluation.points) +
      " points of '" + evaluation.dataPath + "' with " +
      std::to_string(evaluation.draws) + " draws.");
}

} // namespace

std::string AsHtml(const Evaluation& evaluation)
{
  const Model& model = evaluation.model;
  const bool classes = model.spec.IsClassification();
  const bool marked = model.keptEpoch > 0 &&
      model.keptEpoch < model.history.size();
  return std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n"
      "<title>symvi report</title>\n<style>") + style +
      "</style>\n</head>\n<body>\n<h1>Evaluation of a Bayesian neural "
      "network</h1>\n<p class=\"lead\">" + Lead(evaluation) + "</p>\n" +
      MeasureTable(evaluation) +
      Section("Calibration", classes ? "Bars on the dashed line mean that a "
          "confidence of 80 % is right in 80 % of the cases." : "A curve below "
          "the dashed line means that the model is too sure of itself.",
          CalibrationSection(evaluation)) +
      Section("Uncertainty", "", UncertaintySection(evaluation)) +
      Section("Training", marked ? "The dashed line marks the epoch whose "
          "weights were kept." : "", HistorySection(evaluation)) +
      Section("Posterior", "Units at a distance of a few posterior standard "
          "deviations are told apart; near ones are nearly interchangeable.",
          PosteriorSection(evaluation)) +
      "<p class=\"note\">Written by symvi_evaluate " SYMVI_VERSION ".</p>\n"
      "</body>\n</html>\n";
}

} // namespace cli
} // namespace symvi
