/**
 * @file symvi/io/container.hpp
 *
 * The frame of symvi's files: what a file is, how long, whether it is whole.
 */
#ifndef SYMVI_IO_CONTAINER_HPP
#define SYMVI_IO_CONTAINER_HPP

#include <algorithm>
#include <cereal/cereal.hpp>
#include <cereal/external/base64.hpp>
#include <cereal/types/string.hpp>
#include <cstdint>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>

namespace symvi {
namespace io {

//! FNV-1a over 64 bits: finds damage, not forgery.
uint64_t Checksum(const std::string& bytes);

/**
 * Write `content` behind a line "symvi KIND VERSION", its length and its
 * checksum; see docs/file_format.md.
 */
void WriteContainer(std::ostream& stream, const std::string& kind,
    const std::string& content);

//! The same to a file, completely or not at all; see AtomicFile.
void SaveContainer(const std::string& path, const std::string& kind,
    const std::string& content);

/**
 * Read the content back, to the end of the stream.  What cannot be read, is of
 * another kind or version, cut short or damaged is a std::invalid_argument that
 * begins with the name.  No more is read or allocated than there is.
 */
std::string ReadContainer(std::istream& stream, const std::string& name,
    const std::string& kind);

//! The same from a file, whose path is the name.
std::string LoadContainer(const std::string& path, const std::string& kind);

//! Whether a file can be read and begins as one of this kind.
bool IsContainer(const std::string& path, const std::string& kind);

/**
 * Write bytes with their length and checksum into an archive of cereal: as they are into a binary
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
    throw cereal::Exception(
        "the file is damaged: its " + std::string(name) + " is no number.");
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
