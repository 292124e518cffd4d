/**
 * @file src/kernel/blas_threads.hpp
 *
 * The threads and the kernels of OpenBLAS, where that is the BLAS.
 */
#ifndef SYMVI_SRC_KERNEL_BLAS_THREADS_HPP
#define SYMVI_SRC_KERNEL_BLAS_THREADS_HPP

#if defined(__GNUC__) && defined(__ELF__)
  #define SYMVI_OPENBLAS_SWITCH
// OpenBLAS's own switch; null where another BLAS is linked.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int openblas_get_num_threads() __attribute__((weak));
extern "C" char* openblas_get_corename() __attribute__((weak));
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

/**
 * The processor whose kernels OpenBLAS uses, such as "Haswell"; "" for another
 * BLAS.  A release that does not know the processor may take very old ones: set
 * OPENBLAS_CORETYPE in the environment then, see docs/performance.md.
 */
inline const char* BlasKernels()
{
#if defined(SYMVI_OPENBLAS_SWITCH)
  if (openblas_get_corename)
    return openblas_get_corename();
#endif
  return "";
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
