/**
 * @file src/kernel/multiversion.hpp
 *
 * One binary, several instruction sets.
 *
 * A function marked SYMVI_MULTIVERSION is compiled once for the baseline
 * processor and once for x86-64-v3 (AVX2, FMA); the loader picks the version
 * that fits the processor.  Where the compiler cannot do that the macro is
 * empty and the function is compiled once, for the flags of the build.
 *
 * Rules for the functions that carry it: free functions (templates are fine)
 * or static member functions, called through ordinary calls; whatever they
 * call in their inner loops must be inlined (SYMVI_INLINE), because a call
 * leaves the chosen version.  Integer results do not depend on the version.
 * Floating-point results may differ in the last place, as the versions with
 * FMA round a * b + c once; on one machine they are always the same.
 *
 * Kernels that are worth it have one more version, written for registers of 64
 * bytes and marked SYMVI_VERSION_512, which their callers choose where
 * HasVersion512() says so.
 *
 * Define SYMVI_NO_MULTIVERSION to switch it off.
 */
#ifndef SYMVI_SRC_KERNEL_MULTIVERSION_HPP
#define SYMVI_SRC_KERNEL_MULTIVERSION_HPP

// Sanitizers run before the resolvers' shadow memory exists, and a build for
// AVX2 has nothing left to choose.
#if !defined(SYMVI_NO_MULTIVERSION) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__INTEL_COMPILER) && \
    defined(__x86_64__) && defined(__linux__) && (__GNUC__ >= 12) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !(defined(__AVX2__) && defined(__FMA__))
  #define SYMVI_MULTIVERSION \
    __attribute__((target_clones("arch=x86-64-v3", "default")))
  //! Without FMA: every version gives the same results bit for bit.
  #define SYMVI_MULTIVERSION_EXACT \
    __attribute__((target_clones("avx2", "default")))
  //! For x86-64-v4 (AVX-512) only.
  #define SYMVI_VERSION_512 __attribute__((target("arch=x86-64-v4")))
#else
  #define SYMVI_MULTIVERSION
  #define SYMVI_MULTIVERSION_EXACT
#endif

#if defined(__GNUC__)
  #define SYMVI_INLINE inline __attribute__((always_inline))
  #define SYMVI_INLINE_LAMBDA __attribute__((always_inline))
  #define SYMVI_RESTRICT __restrict__
#else
  #define SYMVI_INLINE inline
  #define SYMVI_INLINE_LAMBDA
  #define SYMVI_RESTRICT
#endif

//! For functions that are called rarely, or do much when they are: one copy of
//! their code, where compilers would put one into every caller.
#if defined(__GNUC__) && !defined(__clang__)
  #define SYMVI_NOINLINE __attribute__((noinline, noclone))
#elif defined(__GNUC__)
  #define SYMVI_NOINLINE __attribute__((noinline))
#else
  #define SYMVI_NOINLINE
#endif

namespace symvi {
namespace kernel {

//! Whether functions marked SYMVI_VERSION_512 exist, and this processor can
//! run them.
inline bool HasVersion512()
{
#if defined(SYMVI_VERSION_512)
  static const bool has = __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has;
#else
  return false;
#endif
}

} // namespace kernel
} // namespace symvi

#endif
