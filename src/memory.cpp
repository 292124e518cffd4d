/**
 * @file src/memory.cpp
 *
 * Whether there is memory for what is about to start.
 */
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace symvi {

namespace {

//! The buffer that OpenBLAS maps for the first product of a thread.
const double blasBuffer = double(32 << 22);

const double unlimited = std::numeric_limits<double>::infinity();

//! The sum of the fields of these names in /proc/meminfo.
double FreeMemory()
{
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kilobytes = 0.0, sum = 0.0;
  bool known = false;
  while (file >> name >> kilobytes)
  {
    std::getline(file, unit);
    if (name == "MemAvailable:" || name == "SwapFree:")
      sum += 1024.0 * kilobytes;
    known = known || name == "MemAvailable:";
  }
  return known ? sum : unlimited;
}

//! What the limit of the control group leaves.
double ControlGroupMemory()
{
  std::ifstream most("/sys/fs/cgroup/memory.max");
  std::ifstream current("/sys/fs/cgroup/memory.current");
  double limit, used;
  return (most >> limit && current >> used) ? limit - used : unlimited;
}

//! What the limit of the address space leaves.
double AddressSpace()
{
  struct rlimit limit;
  std::ifstream file("/proc/self/statm");
  double pages;
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      !(file >> pages))
    return unlimited;
  return double(limit.rlim_cur) - pages * double(::sysconf(_SC_PAGESIZE));
}

bool CanMap(const double bytes)
{
  const size_t size = size_t(bytes);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED && ::munmap(memory, size) == 0;
}

std::string Megabytes(const double bytes)
{
  return std::to_string(size_t(std::ceil(std::max(bytes, 0.0) / 1048576.0))) +
      " MB";
}

} // namespace

void RequireMemory(const std::string& what, const double bytes)
{
  const double available = std::min(FreeMemory(), ControlGroupMemory());
  const double space = bytes + blasBuffer;
  if (bytes <= available && space < 1e18 && CanMap(space))
    return;
  throw std::runtime_error("there is not enough memory: " + what +
      " needs about " + Megabytes(space) + ", but there are " +
      Megabytes(std::min(available, AddressSpace())) + ".");
}

} // namespace symvi
