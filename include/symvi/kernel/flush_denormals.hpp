/**
 * @file symvi/kernel/flush_denormals.hpp
 *
 * Denormal numbers are treated as zero (FTZ and DAZ).
 *
 * Means of weights to inputs that are always zero are pulled to the prior's
 * mean, 0, by the KL divergence alone: they shrink by a constant factor per step
 * and become denormal (below 1.2e-38 in float, 2.2e-308 in double) after some
 * hundreds or thousands of steps, and Adam's moments follow.  Many processors
 * take a hundred cycles for an operation on such a number: training steps on
 * images with a dark border were seen to take three to four times as long.
 */
#ifndef SYMVI_KERNEL_FLUSH_DENORMALS_HPP
#define SYMVI_KERNEL_FLUSH_DENORMALS_HPP

// The built-in functions of the compiler: <xmmintrin.h> is a long header.
#if defined(__GNUC__) && defined(__SSE2__)
  #define SYMVI_FLOATING_POINT_MODE
#endif

namespace symvi {
namespace kernel {

//! The floating-point mode of the caller's thread; 0 where it is unknown.
inline unsigned int FloatingPointMode()
{
#if defined(SYMVI_FLOATING_POINT_MODE)
  return __builtin_ia32_stmxcsr();
#else
  return 0;
#endif
}

//! Set the mode that another thread's FloatingPointMode() returned.
inline void SetFloatingPointMode(const unsigned int mode)
{
#if defined(SYMVI_FLOATING_POINT_MODE)
  __builtin_ia32_ldmxcsr(mode);
#else
  (void) mode;
#endif
}

/**
 * From its construction to the end of its scope, the caller's thread (and
 * threads of the pool that work for it) treats denormals as zero.  Does nothing
 * on processors other than x86.
 */
class FlushDenormals
{
 public:
  FlushDenormals() : before(FloatingPointMode())
  {
    // Bit 15 flushes results to zero, bit 6 reads operands as zero.
    SetFloatingPointMode(before | 0x8040u);
  }
  ~FlushDenormals() { SetFloatingPointMode(before); }

  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  const unsigned int before;
};

} // namespace kernel
} // namespace symvi

#endif
