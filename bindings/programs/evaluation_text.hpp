/**
 * @file evaluation_text.hpp
 *
 * An evaluation as text.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_EVALUATION_TEXT_HPP
#define SYMVI_BINDINGS_PROGRAMS_EVALUATION_TEXT_HPP

#include <symvi/model/reports.hpp>

#include <string>

namespace symvi {
namespace cli {

//! The metrics, one per line.
std::string AsTable(const Evaluation& evaluation);

//! One JSON object; a number that is not finite is null.
std::string AsJson(const Evaluation& evaluation, const std::string& model,
    const std::string& data, const std::string& task);

} // namespace cli
} // namespace symvi

#endif
