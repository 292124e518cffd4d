/**
 * @file src/io/atomic_file.cpp
 *
 * Temporary file, fsync, rename; POSIX calls, because iostreams hide errno.
 */
#include <symvi/io/file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <streambuf>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symvi {
namespace io {

namespace {

[[noreturn]] void Fail(const std::string& path, const int error)
{
  throw std::runtime_error(
      "cannot write '" + path + "': " + std::strerror(error) + ".");
}

std::string FolderOf(const std::string& path)
{
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return (slash == 0) ? "/" : path.substr(0, slash);
}

//! Follow a symbolic link, so that the link itself survives.
std::string Resolve(const std::string& path)
{
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr)
    return path;
  const std::string result(real);
  std::free(real);
  return result;
}

//! What the names of temporary files have in common.
const char* const temporarySuffix = ".symvi-";

//! The rename itself must reach the disk too; a folder that cannot be opened
//! for reading only loses this last guarantee.
void SyncFolder(const std::string& path)
{
  const int folder = ::open(FolderOf(path).c_str(),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  ::fsync(folder);
  ::close(folder);
}

/**
 * Remove temporary files that runs which were killed left behind for `target`:
 * those that nobody has locked.
 */
void RemoveStale(const std::string& target)
{
  struct Closer
  {
    void operator()(DIR* d) const { ::closedir(d); }
  };
  const std::unique_ptr<DIR, Closer> folder(
      ::opendir(FolderOf(target).c_str()));
  if (!folder)
    return;
  const size_t slash = target.rfind('/');
  const size_t begin = (slash == std::string::npos) ? 0 : slash + 1;
  const std::string prefix = target.substr(begin) + temporarySuffix;
  while (const dirent* entry = ::readdir(folder.get()))
  {
    const std::string name = entry->d_name;
    const size_t random = name.size() - std::min(name.size(), prefix.size());
    if (name.compare(0, prefix.size(), prefix) != 0 ||
        (random != 6 && !(random == 7 && name.back() == 'o')))
      continue;
    const std::string path = target.substr(0, begin) + name;
    const int fd = ::open(path.c_str(),
        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
      continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
      ::unlink(path.c_str());
    ::close(fd);
  }
}

//! A stream buffer over a file descriptor that throws with the reason.
class DescriptorBuffer : public std::streambuf
{
 public:
  DescriptorBuffer(const int fd, const std::string& path) :
      fd(fd),
      path(path),
      buffer(1 << 16)
  {
    setp(buffer.data(), buffer.data() + buffer.size());
  }

  void Flush()
  {
    const char* from = pbase();
    while (from < pptr())
    {
      const ssize_t written = ::write(fd, from, size_t(pptr() - from));
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
      {
        const int error = errno;
        setp(buffer.data(), buffer.data() + buffer.size());
        Fail(path, error);
      }
      from += written;
    }
    setp(buffer.data(), buffer.data() + buffer.size());
  }

 protected:
  int_type overflow(const int_type c) override
  {
    Flush();
    if (c != traits_type::eof())
      sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

  int sync() override
  {
    Flush();
    return 0;
  }

 private:
  int fd;
  std::string path;
  std::vector<char> buffer;
};

} // namespace

struct AtomicFile::Implementation
{
  std::string path;
  std::string target;
  std::string temporary; // Empty: written directly.
  std::string backup;    // Another name of the older file, for Restore().
  bool existed = false;
  int fd = -1;
  bool finished = false;
  std::unique_ptr<DescriptorBuffer> buffer;
  std::unique_ptr<std::ostream> stream;

  ~Implementation()
  {
    if (!temporary.empty())
      ::unlink(temporary.c_str());
    if (!backup.empty())
      ::unlink(backup.c_str());
    if (fd >= 0)
      ::close(fd);
  }

  void OpenTemporary(const mode_t mode)
  {
    RemoveStale(target);
    struct stat info;
    do
    {
      if (fd >= 0)
        ::close(fd);
      temporary.clear();
      std::string pattern = target + temporarySuffix + "XXXXXX";
      fd = ::mkostemp(&pattern[0], O_CLOEXEC);
      if (fd < 0)
        Fail(path, errno);
      temporary = std::move(pattern);
      // Held as long as the file is wanted.  Another run may have taken it for
      // a stale one in between, and removed it.
      ::flock(fd, LOCK_EX);
    }
    while (::fstat(fd, &info) == 0 && info.st_nlink == 0);
    ::fchmod(fd, mode);
  }

  void Open()
  {
    struct stat info;
    existed = (::stat(target.c_str(), &info) == 0);
    if (existed && S_ISDIR(info.st_mode))
      Fail(path, EISDIR);
    if (existed && !S_ISREG(info.st_mode))
      fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    else if (existed && ::access(target.c_str(), W_OK) != 0)
      Fail(path, errno);
    else
      OpenTemporary(existed ? (info.st_mode & 07777) : DefaultMode());
    if (fd < 0)
      Fail(path, errno);
  }

  //! Give the older file a second name.
  void KeepOlder()
  {
    if (temporary.empty() || !existed)
      return;
    std::string name = temporary + "o";
    if (::link(target.c_str(), name.c_str()) == 0)
      backup = std::move(name);
  }

  void Rename()
  {
    if (temporary.empty())
      return;
    if (::rename(temporary.c_str(), target.c_str()) != 0)
      Fail(path, errno);
    temporary.clear();
    SyncFolder(target);
  }

  //! Undo Rename().
  void Restore()
  {
    if (!backup.empty())
      ::rename(backup.c_str(), target.c_str());
    else if (!existed)
      ::unlink(target.c_str());
    // Where that failed, at least the older content stays.
    backup.clear();
  }

  static mode_t DefaultMode()
  {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
  }
};

AtomicFile::AtomicFile(const std::string& path) :
    implementation(new Implementation)
{
  if (path.empty())
    throw std::runtime_error("cannot write '': the file name is empty.");
  implementation->path = path;
  implementation->target = Resolve(path);
  implementation->Open();
  implementation->buffer.reset(new DescriptorBuffer(implementation->fd, path));
  implementation->stream.reset(new std::ostream(implementation->buffer.get()));
  // Let the buffer's own exception through.
  implementation->stream->exceptions(std::ios::badbit);
}

AtomicFile::~AtomicFile() = default;
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;

std::ostream& AtomicFile::Stream()
{
  return *implementation->stream;
}

const std::string& AtomicFile::Path() const
{
  return implementation->path;
}

void AtomicFile::Finish()
{
  if (implementation->finished)
    return;
  implementation->buffer->Flush();
  // Pipes and terminals cannot be synchronised, and need not be.
  if (::fsync(implementation->fd) != 0 && !implementation->temporary.empty())
    Fail(implementation->path, errno);
  implementation->finished = true;
}

void AtomicFile::Commit()
{
  Finish();
  implementation->Rename();
  const int fd = implementation->fd;
  implementation->fd = -1;
  if (fd >= 0 && ::close(fd) != 0)
    Fail(implementation->path, errno);
}

void RequireWritable(const std::string& path)
{
  AtomicFile probe(path);
}

void CommitAll(std::vector<AtomicFile>& files)
{
  for (AtomicFile& file : files)
    file.Finish();
  if (files.size() > 1)
    for (AtomicFile& file : files)
      file.implementation->KeepOlder();
  size_t done = 0;
  try
  {
    for (; done < files.size(); ++done)
      files[done].implementation->Rename();
  }
  catch (...)
  {
    while (done-- > 0)
      files[done].implementation->Restore();
    throw;
  }
  for (AtomicFile& file : files)
    file.Commit();
}

} // namespace io
} // namespace symvi
