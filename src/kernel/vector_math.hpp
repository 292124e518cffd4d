/**
 * @file src/kernel/vector_math.hpp
 *
 * Elementary functions without branches, calls or tables, so that a loop over
 * them becomes vector instructions.  Each is written for the range its users
 * need, which the comment states together with the accuracy; ulp is the
 * spacing of the type.  None looks at errno or depends on -ffast-math.
 */
#ifndef SYMVI_SRC_KERNEL_VECTOR_MATH_HPP
#define SYMVI_SRC_KERNEL_VECTOR_MATH_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/multiversion.hpp"

namespace symvi {
namespace kernel {

//! The same bits as another type of the same size.
template<typename To, typename From>
SYMVI_INLINE To BitCast(const From x)
{
  static_assert(sizeof(To) == sizeof(From), "BitCast(): sizes differ");
  To y;
  std::memcpy(&y, &x, sizeof(y));
  return y;
}

/**
 * condition ? a : b, by masks: both sides are computed, and no compiler makes a
 * branch of it.
 */
SYMVI_INLINE float Select(const bool condition, const float a, const float b)
{
  const uint32_t mask = condition ? 0xffffffffu : 0u;
  const uint32_t x = BitCast<uint32_t>(a), y = BitCast<uint32_t>(b);
  return BitCast<float>((x & mask) | (y & ~mask));
}

SYMVI_INLINE double Select(const bool condition, const double a, const double b)
{
  const uint64_t mask = condition ? ~uint64_t(0) : uint64_t(0);
  const uint64_t x = BitCast<uint64_t>(a), y = BitCast<uint64_t>(b);
  return BitCast<double>((x & mask) | (y & ~mask));
}

/**
 * exp(-|x|); 2 ulp.  -|x| = k log 2 + r with |r| <= log(2) / 2, and
 * exp(-|x|) = 2^k exp(r).  Beyond 87 (708 for double), where the exponential
 * stops being a normal number, the value at that bound.
 */
SYMVI_INLINE float ExpMinusAbs(const float rho)
{
  const float magnitude = BitCast<float>(BitCast<uint32_t>(rho) & 0x7fffffffu);
  const float x = Select(magnitude > 87.0f, 87.0f, magnitude);
  // NaN passes through x, but has no integer.
  const float whole = Select(magnitude < 87.0f, magnitude, 87.0f);
  const int32_t k = int32_t(whole * 1.44269504088896341f + 0.5f);
  const float kf = float(k);
  const float r = (kf * 0.693359375f - x) + kf * -2.12194440e-4f;
  // Pairs of terms first: a shorter chain of operations than Horner's rule.
  const float square = r * r;
  const float p01 = 1.6666665459e-1f * r + 5.0000001201e-1f;
  const float p23 = 8.3334519073e-3f * r + 4.1665795894e-2f;
  const float p45 = 1.9875691500e-4f * r + 1.3981999507e-3f;
  float p = (p45 * square + p23) * square + p01;
  p = (p * square + r) + 1.0f;
  return p * BitCast<float>((127 - k) << 23);
}

SYMVI_INLINE double ExpMinusAbs(const double rho)
{
  const double magnitude = BitCast<double>(
      BitCast<uint64_t>(rho) & 0x7fffffffffffffff);
  const double x = Select(magnitude > 708.0, 708.0, magnitude);
  // NaN passes through x, but has no integer.
  const double whole = Select(magnitude < 708.0, magnitude, 708.0);
  const int32_t k = int32_t(whole * 1.4426950408889634074 + 0.5);
  const double kf = double(k);
  const double r = (kf * 6.93147180369123816490e-01 - x) +
      kf * 1.90821492927058770002e-10;
  // The series to r^13 / 13!; what is left out is below 1e-17.
  double p = 1.6059043836821614599e-10;
  p = p * r + 2.0876756987868098979e-9;
  p = p * r + 2.5052108385441718775e-8;
  p = p * r + 2.7557319223985890653e-7;
  p = p * r + 2.7557319223985892511e-6;
  p = p * r + 2.4801587301587301566e-5;
  p = p * r + 1.9841269841269841253e-4;
  p = p * r + 1.3888888888888889419e-3;
  p = p * r + 8.3333333333333332177e-3;
  p = p * r + 4.1666666666666664354e-2;
  p = p * r + 1.6666666666666665741e-1;
  p = p * r + 0.5;
  p = (p * (r * r) + r) + 1.0;
  return p * BitCast<double>(int64_t(1023 - k) << 52);
}

/**
 * log(1 + f) - f for sqrt(1/2) - 1 <= f <= sqrt(2) - 1; error 1 ulp of f.
 */
SYMVI_INLINE float LogTail(const float f)
{
  const float square = f * f;
  // Pairs of terms first: a shorter chain of operations than Horner's rule.
  const float p01 = -2.4999993993e-1f * f + 3.3333331174e-1f;
  const float p23 = -1.6668057665e-1f * f + 2.0000714765e-1f;
  const float p45 = -1.2420140846e-1f * f + 1.4249322787e-1f;
  const float p67 = -1.1514610310e-1f * f + 1.1676998740e-1f;
  const float fourth = square * square;
  const float high = (7.0376836292e-2f * square + p67) * square + p45;
  const float p = high * fourth + (p23 * square + p01);
  return p * (square * f) - 0.5f * square;
}

SYMVI_INLINE double LogTail(const double f)
{
  // log(1 + f) = 2 atanh(s) with s = f / (2 + f), as fdlibm splits it.
  const double s = f / (2.0 + f);
  const double z = s * s;
  double p = 1.479819860511658591e-01;
  p = p * z + 1.531383769920937332e-01;
  p = p * z + 1.818357216161805012e-01;
  p = p * z + 2.222219843214978396e-01;
  p = p * z + 2.857142874366239149e-01;
  p = p * z + 3.999999999940941908e-01;
  p = p * z + 6.666666666666735130e-01;
  const double half = 0.5 * f * f;
  return s * (half + z * p) - half;
}

/**
 * log(x) for normal positive x; 2 ulp of max(|log x|, 1/2).  x = 2^k (1 + f).
 */
SYMVI_INLINE float Log(const float x)
{
  const int32_t shifted = BitCast<int32_t>(x) - 0x3f3504f3;
  const float k = float(shifted >> 23);
  const float f = BitCast<float>((shifted & 0x007fffff) + 0x3f3504f3) - 1.0f;
  return k * 0.693359375f + ((LogTail(f) + k * -2.12194440e-4f) + f);
}

SYMVI_INLINE double Log(const double x)
{
  constexpr uint64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
  const uint64_t shifted = BitCast<uint64_t>(x) + (one - root);
  // The integer k as a double without a 64 bit conversion: 2^52 + k has the
  // bits of 2^52 with k in the lowest.
  const double k = BitCast<double>((shifted >> 52) | 0x4330000000000000) -
      (4503599627370496.0 + 1023.0);
  const double f = BitCast<double>((shifted & 0x000fffffffffffff) + root) - 1.0;
  return k * 6.93147180369123816490e-01 +
      ((LogTail(f) + k * 1.90821492927058770002e-10) + f);
}

/**
 * atanh(s) / s for z = s^2 in [0, 1/9]; 1 ulp.  Chebyshev fits of
 * (atanh(s) / s - 1) / z, off by less than 1.7e-8 and 5e-18.
 */
SYMVI_INLINE float AtanhRatio(const float z)
{
  float p = 0.13425749011f;
  p = p * z + 0.14118309903f;
  p = p * z + 0.20003780322f;
  p = p * z + 0.33333320168f;
  return p * z + 1.0f;
}

SYMVI_INLINE double AtanhRatio(const double z)
{
  double p = 0.080820228059717661105;
  p = p * z + 0.044003692430723369411;
  p = p * z + 0.060005364047953562676;
  p = p * z + 0.066570721048274680752;
  p = p * z + 0.076927850324793115517;
  p = p * z + 0.090908947180664290846;
  p = p * z + 0.11111111358713931495;
  p = p * z + 0.14285714283554378581;
  p = p * z + 0.20000000000007291337;
  p = p * z + 0.33333333333333329281;
  return p * z + 1.0;
}

/**
 * sigma = softplus(rho) and slope = sigmoid(rho) from e = exp(-|rho|); 8 ulp.
 *
 *   sigma = max(rho, 0) + log(1 + e),  log(1 + e) = 2 atanh(e / (2 + e)),
 *   slope = (rho > 0 ? 1 : e) / (1 + e),
 *
 * with one division for both.
 */
template<typename eT>
SYMVI_INLINE void Softplus(const eT rho, const eT e, eT& sigma, eT& slope)
{
  const eT a = eT(1) + e, b = eT(2) + e;
  const eT inverse = eT(1) / (a * b);
  const eT s = e * (a * inverse);
  const eT positive = Select(rho > eT(0), rho, eT(0));
  sigma = positive + (s + s) * AtanhRatio(s * s);
  slope = Select(rho > eT(0), eT(1), e) * (b * inverse);
}

/**
 * x = m 2^k with m in [sqrt(1/2), sqrt(2)), for normal positive x.  k is offset
 * by what Exponents() takes off again, because 64 bit integers are only shifted
 * without sign.
 */
SYMVI_INLINE void Split(const float x, float& m, uint32_t& k)
{
  const uint32_t shifted = BitCast<uint32_t>(x) + (0x3f800000u - 0x3f3504f3u);
  k = shifted >> 23;
  m = BitCast<float>((shifted & 0x007fffffu) + 0x3f3504f3u);
}

SYMVI_INLINE void Split(const double x, double& m, uint64_t& k)
{
  constexpr uint64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
  const uint64_t shifted = BitCast<uint64_t>(x) + (one - root);
  k = shifted >> 52;
  m = BitCast<double>((shifted & 0x000fffffffffffff) + root);
}

//! The sum of n exponents that Split() gave; exact.
SYMVI_INLINE float Exponents(const uint32_t sum, const float n)
{
  return float(int32_t(sum)) - 127.0f * n;
}

SYMVI_INLINE double Exponents(const uint64_t sum, const double n)
{
  // 2^52 + sum has the bits of 2^52 with those of sum in the lowest.
  return BitCast<double>(sum | 0x4330000000000000) -
      (4503599627370496.0 + 1023.0 * n);
}

/**
 * sqrt(x) for x = 0 or x a normal number that is not huge; 3 ulp.  Newton's
 * iteration for 1 / sqrt(x) from the well-known first guess; the instruction
 * would be as good, but compilers keep loops with it scalar because of errno.
 */
SYMVI_INLINE float Sqrt(const float x)
{
  float y = BitCast<float>(0x5f375a86u - (BitCast<uint32_t>(x) >> 1));
  const float half = 0.5f * x;
  y = y * (1.5f - half * y * y);
  y = y * (1.5f - half * y * y);
  y = y * (1.5f - half * y * y);
  return x * y;
}

SYMVI_INLINE double Sqrt(const double x)
{
  double y = BitCast<double>(0x5fe6eb50c7b537a9 - (BitCast<uint64_t>(x) >> 1));
  const double half = 0.5 * x;
  y = y * (1.5 - half * y * y);
  y = y * (1.5 - half * y * y);
  y = y * (1.5 - half * y * y);
  y = y * (1.5 - half * y * y);
  return x * y;
}

//! sin(t) and cos(t) for |t| <= pi / 4; 2 ulp.
SYMVI_INLINE void SinCos(const float t, float& sine, float& cosine)
{
  const float z = t * t;
  const float p = (-1.9515295891e-4f * z + 8.3321608736e-3f) * z -
      1.6666654611e-1f;
  const float q = (2.443315711809948e-5f * z - 1.388731625493765e-3f) * z +
      4.166664568298827e-2f;
  sine = t + t * (z * p);
  cosine = (1.0f - 0.5f * z) + z * (z * q);
}

SYMVI_INLINE void SinCos(const double t, double& sine, double& cosine)
{
  const double z = t * t;
  double p = 1.58969099521155010221e-10;
  p = p * z - 2.50507602534068634195e-08;
  p = p * z + 2.75573137070700676789e-06;
  p = p * z - 1.98412698298579493134e-04;
  p = p * z + 8.33333333332248946124e-03;
  p = p * z - 1.66666666666666324348e-01;
  double q = -1.13596475577881948265e-11;
  q = q * z + 2.08757232129817482790e-09;
  q = q * z - 2.75573143513906633035e-07;
  q = q * z + 2.48015872894767294178e-05;
  q = q * z - 1.38888888888741095749e-03;
  q = q * z + 4.16666666666666019037e-02;
  sine = t + t * (z * p);
  cosine = (1.0 - 0.5 * z) + z * (z * q);
}

} // namespace kernel
} // namespace symvi

#endif
