/**
 * @file symvi/kernel/flush_denormals.hpp
 *
 * Numbers too small to matter count as zero.
 *
 * Means of weights to inputs that are always zero are pulled to the prior's
 * mean, 0, by KL alone: they shrink by a factor a step and reach the denormal
 * numbers (below 1.2e-38 in float, 2.2e-308 in double) after some hundred or
 * thousand of them, and Adam's moments follow.  Many processors take a hundred
 * cycles for an operation on such a number: a training step on images with a
 * dark border was seen to take three to four times as long then.  So symvi's
 * passes are made with denormal numbers read and written as zero.
 */
#ifndef SYMVI_KERNEL_FLUSH_DENORMALS_HPP
#define SYMVI_KERNEL_FLUSH_DENORMALS_HPP

// The built-in functions of the compiler: <xmmintrin.h> is a long header.
#if defined(__GNUC__) && defined(__SSE2__)
  #define SYMVI_FLOATING_POINT_MODE
#endif

namespace symvi {
namespace kernel {

//! How the caller's thread computes with floating-point numbers; 0 where that
//! cannot be asked.
inline unsigned int FloatingPointMode()
{
#if defined(SYMVI_FLOATING_POINT_MODE)
  return __builtin_ia32_stmxcsr();
#else
  return 0;
#endif
}

//! Compute as another thread does, see FloatingPointMode().
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
 * threads of the pool that work for it) takes denormal numbers for zero.  Does
 * nothing on other processors than x86.
 */
class FlushDenormals
{
 public:
  FlushDenormals() : before(FloatingPointMode())
  {
    // Bit 15 flushes results to zero, bit 6 takes operands for zero.
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
