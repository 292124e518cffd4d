/**
 * @file syscall_fault.cpp
 *
 * Runs a program up to one of its system calls:
 *
 *   symvi_syscall_fault kill N PROGRAM [ARGUMENT]...   kill -9 at the N-th
 *   symvi_syscall_fault fail N PROGRAM [ARGUMENT]...   the N-th that reads,
 *       writes, opens, renames, ... a file fails with "No space left on device"
 *
 * counted from the end of the dynamic loader's work (the first call of
 * prlimit64 or getrandom), over all threads.  Exits as the program did, with
 * 128 + signal if it was killed.  If N is 0, it says at the end how many calls
 * there were.
 */
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

#if defined(__x86_64__)
//! Calls that work on files; those that stdout and stderr share are among them.
const std::set<long> fileCalls = { SYS_read, SYS_write, SYS_open, SYS_openat,
  SYS_close, SYS_fsync, SYS_rename, SYS_link, SYS_lseek, SYS_pread64,
  SYS_writev, SYS_readv, SYS_flock, SYS_fchmod, SYS_getdents64, SYS_unlink };

long CallOf(const pid_t thread)
{
  struct user_regs_struct registers;
  return (::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) == 0) ?
      long(registers.orig_rax) :
      -1;
}

//! Make the call that was entered do nothing, and let it return an error.
void Refuse(const pid_t thread)
{
  struct user_regs_struct registers;
  ::ptrace(PTRACE_GETREGS, thread, nullptr, &registers);
  registers.orig_rax = ~0ull;
  ::ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
  ::ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
  int status;
  ::waitpid(thread, &status, __WALL);
  ::ptrace(PTRACE_GETREGS, thread, nullptr, &registers);
  registers.rax = (unsigned long long) (-ENOSPC);
  ::ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
}

class Tracer
{
 public:
  Tracer(const bool kill, const long target) : kill(kill), target(target) { }

  int Run(char** command);

 private:
  void Stopped(pid_t thread);

  bool kill;
  long target;
  long count = 0;
  bool started = false;
  pid_t child = 0;
  std::set<pid_t> inside; // Threads between the two ends of a call.
};

void Tracer::Stopped(const pid_t thread)
{
  if (inside.erase(thread) > 0)
    return;
  const long call = CallOf(thread);
  inside.insert(thread);
  started = started || call == SYS_prlimit64 || call == SYS_getrandom;
  if (!started || (!kill && fileCalls.count(call) == 0) || ++count != target)
    return;
  if (kill)
    ::kill(child, SIGKILL);
  else
  {
    Refuse(thread);
    inside.erase(thread);
  }
}

int Tracer::Run(char** command)
{
  child = ::fork();
  if (child == 0)
  {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::execv(command[0], command);
    std::perror(command[0]);
    ::_exit(98);
  }
  int status;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr,
      PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  while (true)
  {
    const pid_t thread = ::waitpid(-1, &status, __WALL);
    if (thread < 0)
      return 98;
    if (WIFEXITED(status) || WIFSIGNALED(status))
    {
      if (thread != child)
        continue;
      if (target == 0)
        std::fprintf(stderr, "calls %ld\n", count);
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    long signal = 0;
    if (WSTOPSIG(status) == (SIGTRAP | 0x80))
      Stopped(thread);
    else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP)
      signal = WSTOPSIG(status);
    ::ptrace(PTRACE_SYSCALL, thread, nullptr, signal);
  }
}
#endif

} // namespace

int main(int argc, char** argv)
{
  if (argc < 4)
  {
    std::fprintf(stderr, "usage: %s kill|fail N PROGRAM [ARGUMENT]...\n",
        argv[0]);
    return 98;
  }
#if defined(__x86_64__)
  return Tracer(std::strcmp(argv[1], "kill") == 0, std::atol(argv[2]))
      .Run(argv + 3);
#else
  std::fprintf(stderr, "%s: only for x86-64\n", argv[0]);
  return 98;
#endif
}
