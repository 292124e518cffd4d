/**
 * @file alloc_fault.cpp
 *
 * To be preloaded (LD_PRELOAD): the N-th allocation since the start of main()
 * fails, N from the environment variable SYMVI_ALLOC_FAULT.  If N is 0, the
 * program says at its end how many there were.
 */
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <unistd.h>

namespace {

std::atomic<long> count{ -1 }; // Below zero before main().
long target = 0;

//! Whether this is the allocation that fails.
bool Fails()
{
  return count.load(std::memory_order_relaxed) >= 0 &&
      count.fetch_add(1) + 1 == target;
}

using Main = int (*)(int, char**, char**);
Main realMain = nullptr;

int CountingMain(int argc, char** argv, char** environment)
{
  const char* number = std::getenv("SYMVI_ALLOC_FAULT");
  target = number ? std::atol(number) : 0;
  count = 0;
  const int code = realMain(argc, argv, environment);
  if (target == 0)
    std::fprintf(stderr, "calls %ld\n", count.load());
  return code;
}

} // namespace

extern "C" {

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size)
{
  return Fails() ? (errno = ENOMEM, nullptr) : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
  return Fails() ? (errno = ENOMEM, nullptr) : __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
  return Fails() ? (errno = ENOMEM, nullptr) : __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
  return Fails() ? (errno = ENOMEM, nullptr) : __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
  if (Fails())
    return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

int __libc_start_main(Main main, int argc, char** argv, void (*init)(),
    void (*fini)(), void (*loader)(), void* stack)
{
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(),
      void*);
  realMain = main;
  const Start start = reinterpret_cast<Start>(
      ::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(CountingMain, argc, argv, init, fini, loader, stack);
}

} // extern "C"
