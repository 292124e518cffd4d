/**
 * @file src/onnx/json_strings.hpp
 *
 * Lists of strings as JSON, the form in which class names travel.
 */
#ifndef SYMVI_SRC_ONNX_JSON_STRINGS_HPP
#define SYMVI_SRC_ONNX_JSON_STRINGS_HPP

#include <string>
#include <vector>

namespace symvi {
namespace onnx {

//! ["a","b"], with quotes, backslashes and control characters escaped.
std::string ToJson(const std::vector<std::string>& strings);

//! The strings of a JSON list; std::invalid_argument for anything else.
std::vector<std::string> FromJson(const std::string& json);

} // namespace onnx
} // namespace symvi

#endif
