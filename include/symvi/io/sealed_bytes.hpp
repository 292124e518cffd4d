/**
 * @file symvi/io/sealed_bytes.hpp
 *
 * Bytes with a checksum inside an archive of cereal.
 */
#ifndef SYMVI_IO_SEALED_BYTES_HPP
#define SYMVI_IO_SEALED_BYTES_HPP

#include <symvi/io/container.hpp>

#include <algorithm>
#include <cereal/cereal.hpp>
#include <cereal/external/base64.hpp>
#include <cereal/types/string.hpp>
#include <stdexcept>
#include <string>

namespace symvi {
namespace io {

/**
 * Write bytes with their length and checksum: as they are into a binary
 * archive, in base 64 into JSON and XML.
 */
template<typename Archive>
void SaveSealed(Archive& ar, const std::string& bytes)
{
  const uint64_t size = bytes.size(), checksum = Checksum(bytes);
  ar(CEREAL_NVP(size));
  ar(CEREAL_NVP(checksum));
  if constexpr (cereal::traits::is_text_archive<Archive>::value)
  {
    const std::string content = cereal::base64::encode(
        reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    ar(CEREAL_NVP(content));
  }
  else
    ar(cereal::binary_data(bytes.data(), bytes.size()));
}

/**
 * Read or write a number.  XML that does not hold one is a std::out_of_range or
 * std::invalid_argument to cereal, which mlpack's Load() does not expect.
 */
template<typename Archive, typename T>
void ArchiveField(Archive& ar, const char* name, T& value)
{
  try
  {
    ar(cereal::make_nvp(name, value));
  }
  catch (const std::logic_error&)
  {
    throw cereal::Exception("the file is damaged: its " + std::string(name) +
        " is no number.");
  }
}

/**
 * Read what SaveSealed() wrote.  The size is not believed: memory grows with
 * the bytes that are there.
 *
 * @throws cereal::Exception if bytes are missing or damaged.
 */
template<typename Archive>
std::string LoadSealed(Archive& ar)
{
  uint64_t size = 0, checksum = 0;
  ArchiveField(ar, "size", size);
  ArchiveField(ar, "checksum", checksum);
  std::string bytes;
  if constexpr (cereal::traits::is_text_archive<Archive>::value)
  {
    std::string content;
    ar(CEREAL_NVP(content));
    bytes = cereal::base64::decode(content);
  }
  else
  {
    const uint64_t block = uint64_t(1) << 20;
    while (bytes.size() < size)
    {
      const size_t begin = bytes.size();
      bytes.resize(begin + size_t(std::min(block, size - begin)));
      ar(cereal::binary_data(&bytes[begin], bytes.size() - begin));
    }
  }
  if (bytes.size() != size || Checksum(bytes) != checksum)
    throw cereal::Exception("the file is damaged: its checksum is wrong.");
  return bytes;
}

} // namespace io
} // namespace symvi

#endif
