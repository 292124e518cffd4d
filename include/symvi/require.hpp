/**
 * @file symvi/require.hpp
 *
 * Checks of what a user passes, in the manner of Stan Math's check_positive():
 * one sentence that says where, what and which value it was.
 *
 *   RequirePositive("GaussianPrior", "stddev", stddev);
 *   // GaussianPrior(): stddev must be positive and finite, but is -1.
 *
 * A check that holds costs a comparison; the sentence is written only if it
 * fails.  NaN fails every check.  All throw std::invalid_argument, except
 * RequireMemory().
 */
#ifndef SYMVI_REQUIRE_HPP
#define SYMVI_REQUIRE_HPP

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace symvi {

//! How a message shows a value: the shortest text that reads back as the same
//! number, or text in single quotes.
std::string ValueText(double value);
std::string ValueText(float value);
std::string ValueText(std::string_view value);

//! Throws "WHERE(): WHAT, but FOUND."
[[noreturn]] void Refuse(std::string_view where, std::string_view what,
    std::string_view found);

//! Throws "'PATH' WHY." for a file: "'a.csv' is empty."
[[noreturn]] void RefuseFile(std::string_view path, std::string_view why);

//! Throws "PLACE: WHY." for a place in a file: "'a.csv', line 3: ...".
[[noreturn]] void RefuseAt(std::string_view place, std::string_view why);

//! Throws "WHERE(): WHAT, but is VALUE." unless the condition holds; `what` says
//! what must be, such as "the batch size must be at most 20".
template<typename T>
void Require(const bool condition, const std::string_view where,
    const std::string_view what, const T& value)
{
  if (condition)
    return;
  if constexpr (std::is_integral_v<T>)
    Refuse(where, what, "is " + std::to_string(value));
  else
    Refuse(where, what, "is " + ValueText(value));
}

//! A number must be positive, and finite if its type can be anything else.
template<typename T>
void RequirePositive(const std::string_view where, const std::string_view name,
    const T value)
{
  constexpr bool whole = std::is_integral_v<T>;
  if (!(value > T(0)) || !std::isfinite(double(value)))
    Require(false, where,
        std::string(name) +
            (whole ? " must be positive" : " must be positive and finite"),
        value);
}

//! A number must be finite.
template<typename T>
void RequireFinite(const std::string_view where, const std::string_view name,
    const T value)
{
  if (!std::isfinite(value))
    Require(false, where, std::string(name) + " must be finite", value);
}

//! A number must lie in [low, high].
template<typename T>
void RequireWithin(const std::string_view where, const std::string_view name,
    const T value, const T low, const T high)
{
  if (!(value >= low && value <= high))
    Require(false, where,
        std::string(name) + " must lie in [" + ValueText(low) + ", " +
            ValueText(high) + "]",
        value);
}

//! "data must have 3 dimensions, but has 4."
inline void RequireCount(const std::string_view where,
    const std::string_view name, const std::string_view unit,
    const size_t found, const size_t expected)
{
  if (found != expected)
    Refuse(where,
        std::string(name) + " must have " + std::to_string(expected) + " " +
            std::string(unit),
        "has " + std::to_string(found));
}

/**
 * Throw a std::runtime_error that says how much memory is needed and how much
 * there is, unless `bytes` and the buffers of OpenBLAS can be allocated.
 * (OpenBLAS never returns from a product if it cannot allocate its buffer.)
 *
 * @param what What needs it, such as "training".
 */
void RequireMemory(const std::string& what, double bytes);

} // namespace symvi

#endif
