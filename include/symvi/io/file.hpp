/**
 * @file symvi/io/file.hpp
 *
 * Files that are either written completely or not touched at all, and the frame
 * of symvi's own files: their kind, length and checksum.
 */
#ifndef SYMVI_IO_FILE_HPP
#define SYMVI_IO_FILE_HPP

#include <algorithm>
#include <cereal/cereal.hpp>
#include <cereal/external/base64.hpp>
#include <cereal/types/string.hpp>
#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {
namespace io {

/**
 * An output file that appears under its name only when it is complete.
 *
 * Everything goes to a temporary file in the same folder.  Commit() flushes
 * it to the disk and renames it over the target; without a Commit() the
 * destructor removes the temporary file and an older file of that name stays
 * as it was.  A target that is no regular file (a pipe, /dev/stdout) is written
 * directly.  What a run that was killed left behind (TARGET.symvi-XXXXXX) is
 * removed by the next one that writes the same target.
 *
 * Every failure (no such folder, no permission, a full disk) is a
 * std::runtime_error that names the file and the system's reason.
 */
class AtomicFile
{
 public:
  //! Create the temporary file next to `path`.
  explicit AtomicFile(const std::string& path);

  //! Discards what was written unless Commit() was called.
  ~AtomicFile();

  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;

  //! Where to write; throws by itself when the disk is full.
  std::ostream& Stream();

  //! Push everything to the disk; afterwards only Commit() may follow.
  void Finish();

  //! Finish() and take the target's name.
  void Commit();

  //! The name that the file will have.
  const std::string& Path() const;

 private:
  friend void CommitAll(std::vector<AtomicFile>& files);

  struct Implementation;
  std::unique_ptr<Implementation> implementation;
};

/**
 * Throw a std::runtime_error unless a file can be created at `path`.  Nothing
 * is left behind; call it before hours of work whose result goes there.
 */
void RequireWritable(const std::string& path);

/**
 * Commit several files together: all are pushed to the disk before the first
 * takes its name, and if one cannot take its name, those before it give theirs
 * back.  Only a kill between two renames leaves some files old and some new.
 */
void CommitAll(std::vector<AtomicFile>& files);

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
 * Write bytes with their length and checksum into an archive of cereal: as they
 * are into a binary archive, in base 64 into JSON and XML.
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
