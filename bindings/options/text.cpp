/**
 * @file text.cpp
 */
#include "text.hpp"

#include <algorithm>
#include <numeric>

namespace symvi {
namespace cli {

namespace {

//! Edits (insert, delete, replace, swap neighbours) between two words.
size_t EditDistance(const std::string& a, const std::string& b)
{
  std::vector<std::vector<size_t>> d(a.size() + 1,
      std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), size_t(0));
  for (size_t i = 1; i <= a.size(); ++i)
  {
    for (size_t j = 1; j <= b.size(); ++j)
    {
      const size_t cost = (a[i - 1] == b[j - 1]) ? 0 : 1;
      d[i][j] = std::min(
          { d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost });
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

} // namespace

std::string Wrap(const std::string& text, const size_t indent)
{
  const size_t width = (indent < 60) ? 80 - indent : 20;
  std::string result;
  size_t column = 0;
  for (size_t at = 0; at < text.size();)
  {
    const size_t blank = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, blank - at);
    if (column > 0 && column + 1 + word.size() > width)
    {
      result.erase(result.find_last_not_of(' ') + 1);
      result += '\n' + std::string(indent, ' ');
      column = 0;
    }
    // Two blanks after a full stop stay, as in mlpack's pages.
    if (column > 0)
    {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    at = blank + 1;
  }
  return result;
}

std::string Nearest(const std::string& word,
    const std::vector<std::string>& candidates)
{
  std::string best;
  size_t bestDistance = 1 + std::max<size_t>(2, word.size() / 3);
  for (const std::string& candidate : candidates)
  {
    const bool part = word.size() >= 3 &&
        (candidate.rfind(word, 0) == 0 || word.rfind(candidate, 0) == 0);
    const size_t distance = part ? 1 : EditDistance(word, candidate);
    if (distance < bestDistance)
    {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string Printable(const std::string& text)
{
  const char* digits = "0123456789abcdef";
  std::string result;
  bool wide = false; // Behind 0xc2, which starts the control characters of C1.
  for (const char c : text)
  {
    const unsigned char byte = (unsigned char) c;
    const bool control = byte < 0x20 || byte == 0x7f ||
        (wide && byte >= 0x80 && byte < 0xa0);
    wide = (byte == 0xc2);
    if (control)
      result += { '\\', 'x', digits[byte >> 4], digits[byte & 15] };
    else
      result += c;
  }
  return result;
}

std::string OneOf(const std::vector<std::string>& items)
{
  std::string result;
  for (size_t i = 0; i < items.size(); ++i)
  {
    if (i > 0)
      result += (i + 1 == items.size()) ? " or " : ", ";
    result += "'" + items[i] + "'";
  }
  return result;
}

} // namespace cli
} // namespace symvi
