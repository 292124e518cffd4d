/**
 * @file symvi/kernel/blas_threads.hpp
 *
 * The threads of OpenBLAS, where that is the BLAS.
 */
#ifndef SYMVI_KERNEL_BLAS_THREADS_HPP
#define SYMVI_KERNEL_BLAS_THREADS_HPP

#if defined(__GNUC__) && defined(__ELF__)
  #define SYMVI_OPENBLAS_SWITCH
// OpenBLAS's own switch; null where another BLAS is linked.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int openblas_get_num_threads() __attribute__((weak));
#endif

namespace symvi {
namespace kernel {

//! The threads of OpenBLAS; 0 for another BLAS.
inline int BlasThreads()
{
#if defined(SYMVI_OPENBLAS_SWITCH)
  if (openblas_get_num_threads)
    return openblas_get_num_threads();
#endif
  return 0;
}

//! Set the threads of OpenBLAS; does nothing to another BLAS.
inline void SetBlasThreads(const int n)
{
#if defined(SYMVI_OPENBLAS_SWITCH)
  if (openblas_set_num_threads)
    openblas_set_num_threads(n);
#endif
  (void) n;
}

/**
 * While it lives, OpenBLAS uses one thread: for products that symvi's own
 * threads share.
 */
class OneBlasThread
{
 public:
  OneBlasThread() : previous(BlasThreads())
  {
    if (previous > 1)
      SetBlasThreads(1);
  }

  ~OneBlasThread()
  {
    if (previous > 1)
      SetBlasThreads(previous);
  }

  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int previous;
};

} // namespace kernel
} // namespace symvi

#endif
