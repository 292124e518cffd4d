/**
 * @file symvi/io/atomic_file.hpp
 *
 * Files that are either written completely or not touched at all.
 */
#ifndef SYMVI_IO_ATOMIC_FILE_HPP
#define SYMVI_IO_ATOMIC_FILE_HPP

#include <memory>
#include <ostream>
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

} // namespace io
} // namespace symvi

#endif
