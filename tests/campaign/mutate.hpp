/**
 * @file mutate.hpp
 *
 * Deterministic damage to files.
 */
#ifndef SYMVI_TESTS_CAMPAIGN_MUTATE_HPP
#define SYMVI_TESTS_CAMPAIGN_MUTATE_HPP

#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace symvi {
namespace test {

//! One random change of the bytes; `other` is a second file to take from.
inline void MutateOnce(std::string& bytes, const std::string& other,
    RandomStream& stream)
{
  const auto position = [&](const std::string& text)
  { return stream.NextIndex(std::max<size_t>(text.size(), 1)); };
  const size_t at = position(bytes);
  const size_t length = 1 + stream.NextIndex(16);
  switch (stream.NextIndex(11))
  {
  case 0: // One bit.
    if (!bytes.empty())
      bytes[at] = char(bytes[at] ^ (1 << stream.NextIndex(8)));
    break;
  case 1: // One byte.
    if (!bytes.empty())
      bytes[at] = char(stream.NextIndex(256));
    break;
  case 2: // The end is lost.
    bytes.resize(at);
    break;
  case 3: // A part is lost.
    bytes.erase(std::min(at, bytes.size()), length);
    break;
  case 4: // Random bytes come in.
    for (size_t i = 0; i < length; ++i)
      bytes.insert(bytes.begin() + long(std::min(at, bytes.size())),
          char(stream.NextIndex(256)));
    break;
  case 5: // A part is doubled.
    bytes.insert(std::min(at, bytes.size()),
        bytes.substr(std::min(at, bytes.size()), length * 8));
    break;
  case 6: // The end comes from another file.
    bytes = bytes.substr(0, at) + other.substr(position(other));
    break;
  case 7: // Large numbers, as protobuf writes them.
  {
    static const std::string numbers[] = { std::string(1, '\0'), "\x7f",
      "\xff\xff\xff\xff\x07", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
      "\x80\x80\x80\x80\x80\x20", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f" };
    const std::string& number = numbers[stream.NextIndex(6)];
    bytes.replace(std::min(at, bytes.size()), stream.NextIndex(3), number);
    break;
  }
  case 8: // A line is lost.
  {
    const size_t begin = bytes.rfind('\n', at) + 1;
    const size_t end = bytes.find('\n', begin);
    bytes.erase(std::min(begin, bytes.size()), end - begin + 1);
    break;
  }
  case 9: // A number becomes large.
  {
    const size_t digit = bytes.find_first_of("0123456789", at);
    if (digit != std::string::npos)
      bytes.insert(digit, stream.NextIndex(2) ? "1000000000" : "-1e200");
    break;
  }
  default: // Two places change theirs.
    if (!bytes.empty())
      std::swap(bytes[at], bytes[position(bytes)]);
  }
}

//! One to eight changes.
inline std::string Mutate(const std::vector<std::string>& seeds,
    RandomStream& stream)
{
  std::string bytes = seeds[stream.NextIndex(seeds.size())];
  const std::string& other = seeds[stream.NextIndex(seeds.size())];
  for (size_t n = 1 + stream.NextIndex(8); n > 0; --n)
    MutateOnce(bytes, other, stream);
  return bytes;
}

} // namespace test
} // namespace symvi

#endif
