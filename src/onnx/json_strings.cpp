#include "json_strings.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace symvi {
namespace onnx {

namespace {

//! Reads one list, character by character.
class ListReader
{
 public:
  explicit ListReader(const std::string& json) : json(json) { }

  std::vector<std::string> Read()
  {
    std::vector<std::string> strings;
    Expect('[');
    if (Peek() != ']')
    {
      strings.push_back(ReadString());
      while (Peek() == ',')
      {
        ++at;
        strings.push_back(ReadString());
      }
    }
    Expect(']');
    if (Peek() != '\0' || at != json.size())
      Fail();
    return strings;
  }

 private:
  [[noreturn]] void Fail() const
  {
    throw std::invalid_argument("FromJson(): a list of strings was expected, "
        "but character " + std::to_string(at) + " does not fit.");
  }

  //! The next character that is no blank; '\0' at the end.
  char Peek()
  {
    while (at < json.size() && (json[at] == ' ' || json[at] == '\t' ||
        json[at] == '\n' || json[at] == '\r'))
      ++at;
    return at < json.size() ? json[at] : '\0';
  }

  void Expect(const char c)
  {
    if (Peek() != c)
      Fail();
    ++at;
  }

  char Take()
  {
    if (at >= json.size())
      Fail();
    return json[at++];
  }

  std::string ReadString()
  {
    std::string text;
    Expect('"');
    for (char c = Take(); c != '"'; c = Take())
    {
      if (c == '\\')
        ReadEscape(text);
      else
        text += c;
    }
    return text;
  }

  void ReadEscape(std::string& text)
  {
    const char c = Take();
    const std::string plain = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const size_t which = plain.find(c);
    if (which != std::string::npos)
      text += meant[which];
    else if (c == 'u')
      AppendUtf8(text, ReadCodePoint());
    else
      Fail();
  }

  unsigned long ReadHex()
  {
    unsigned long value = 0;
    for (int i = 0; i < 4; ++i)
    {
      const std::string digits = "0123456789abcdefABCDEF";
      const size_t digit = digits.find(Take());
      if (digit == std::string::npos)
        Fail();
      value = 16 * value + (digit < 16 ? digit : digit - 6);
    }
    return value;
  }

  //! One code point, which may be two surrogates of UTF-16.
  unsigned long ReadCodePoint()
  {
    const unsigned long high = ReadHex();
    if (high < 0xD800 || high > 0xDFFF)
      return high;
    if (high > 0xDBFF || Take() != '\\' || Take() != 'u')
      Fail();
    const unsigned long low = ReadHex();
    if (low < 0xDC00 || low > 0xDFFF)
      Fail();
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  static void AppendUtf8(std::string& text, const unsigned long code)
  {
    if (code < 0x80)
    {
      text += char(code);
      return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const unsigned long lead[] = { 0, 0xC0, 0xE0, 0xF0 };
    text += char(lead[more] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i)
      text += char(0x80 | ((code >> (6 * i)) & 0x3F));
  }

  const std::string& json;
  size_t at = 0;
};

} // namespace

std::string ToJson(const std::vector<std::string>& strings)
{
  std::string json = "[";
  for (const std::string& text : strings)
  {
    json += json.size() > 1 ? ", \"" : "\"";
    for (const char c : text)
    {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", unsigned(c) & 0xFF);
      if (c == '"' || c == '\\')
        json += std::string("\\") + c;
      else if ((unsigned char) c < 0x20)
        json += escaped;
      else
        json += c;
    }
    json += '"';
  }
  return json + "]";
}

std::vector<std::string> FromJson(const std::string& json)
{
  return ListReader(json).Read();
}

} // namespace onnx
} // namespace symvi
