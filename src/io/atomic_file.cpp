/**
 * @file atomic_file.cpp
 *
 * Temporary file, fsync, rename; POSIX calls, because iostreams hide errno.
 */
#include <symvi/io/atomic_file.hpp>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <streambuf>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symvi {
namespace io {

namespace {

[[noreturn]] void Fail(const std::string& path, const int error)
{
  throw std::runtime_error("cannot write '" + path + "': " +
      std::strerror(error) + ".");
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
  std::string temporary;  // Empty: written directly.
  int fd = -1;
  bool finished = false;
  std::unique_ptr<DescriptorBuffer> buffer;
  std::unique_ptr<std::ostream> stream;

  ~Implementation()
  {
    if (fd >= 0)
      ::close(fd);
    if (!temporary.empty())
      ::unlink(temporary.c_str());
  }

  void OpenTemporary(const mode_t mode)
  {
    std::string pattern = target + ".XXXXXX";
    fd = ::mkstemp(&pattern[0]);
    if (fd < 0)
      Fail(path, errno);
    temporary = pattern;
    ::fchmod(fd, mode);
  }

  void Open()
  {
    struct stat info;
    const bool exists = (::stat(target.c_str(), &info) == 0);
    if (exists && S_ISDIR(info.st_mode))
      Fail(path, EISDIR);
    if (exists && !S_ISREG(info.st_mode))
      fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    else if (exists && ::access(target.c_str(), W_OK) != 0)
      Fail(path, errno);
    else
      OpenTemporary(exists ? (info.st_mode & 07777) : DefaultMode());
    if (fd < 0)
      Fail(path, errno);
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
  implementation->buffer.reset(
      new DescriptorBuffer(implementation->fd, path));
  implementation->stream.reset(
      new std::ostream(implementation->buffer.get()));
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
  const int fd = implementation->fd;
  implementation->fd = -1;
  if (::close(fd) != 0)
    Fail(implementation->path, errno);
  implementation->finished = true;
}

void AtomicFile::Commit()
{
  Finish();
  if (implementation->temporary.empty())
    return;
  if (::rename(implementation->temporary.c_str(),
               implementation->target.c_str()) != 0)
    Fail(implementation->path, errno);
  implementation->temporary.clear();

  // The rename itself must reach the disk too; a folder that cannot be
  // opened for reading only loses this last guarantee.
  const int folder = ::open(FolderOf(implementation->target).c_str(),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0)
  {
    ::fsync(folder);
    ::close(folder);
  }
}

void RequireWritable(const std::string& path)
{
  AtomicFile probe(path);
}

void CommitAll(std::vector<AtomicFile>& files)
{
  for (AtomicFile& file : files)
    file.Finish();
  for (AtomicFile& file : files)
    file.Commit();
}

} // namespace io
} // namespace symvi
