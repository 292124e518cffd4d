/**
 * @file src/require.cpp
 */
#include <symvi/require.hpp>

#include <charconv>
#include <stdexcept>

namespace symvi {

namespace {

template<typename T>
std::string Shortest(const T value)
{
  char buffer[64];
  const std::to_chars_result result = std::to_chars(buffer,
      buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

} // namespace

std::string ValueText(const double value)
{
  return Shortest(value);
}

std::string ValueText(const float value)
{
  return Shortest(value);
}

std::string ValueText(const std::string_view value)
{
  return "'" + std::string(value) + "'";
}

void Refuse(const std::string_view where, const std::string_view what,
    const std::string_view found)
{
  std::string message(where);
  message.append("(): ").append(what).append(", but ").append(found);
  throw std::invalid_argument(message + ".");
}

void RefuseFile(const std::string_view path, const std::string_view why)
{
  throw std::invalid_argument(
      ValueText(path).append(" ").append(why).append("."));
}

void RefuseAt(const std::string_view place, const std::string_view why)
{
  throw std::invalid_argument(
      std::string(place).append(": ").append(why).append("."));
}

} // namespace symvi
