/**
 * @file text.hpp
 *
 * Wrapping and spelling.
 */
#ifndef SYMVI_BINDINGS_OPTIONS_TEXT_HPP
#define SYMVI_BINDINGS_OPTIONS_TEXT_HPP

#include <string>
#include <vector>

namespace symvi {
namespace cli {

/**
 * Break `text` at blanks so that no line passes column 80; all lines but the
 * first start with `indent` blanks, and the first is taken to start there too.
 */
std::string Wrap(const std::string& text, size_t indent);

//! The candidate that `word` was probably meant to be; empty if none is near.
std::string Nearest(const std::string& word,
    const std::vector<std::string>& candidates);

//! `text` for a terminal: control characters as "\\x1b".
std::string Printable(const std::string& text);

//! "a, b or c"
std::string OneOf(const std::vector<std::string>& items);

} // namespace cli
} // namespace symvi

#endif
