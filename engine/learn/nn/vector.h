/* vector.h: the exponential that compilers can turn into vectors, and functions in several widths.
 *
 * exp (x) = 2^n e^r with |r| <= ln 2 / 2 and a polynomial of degree 6 for e^r: within 2e-7 of the
 * true value, monotone enough for softmax, without a branch, and the same bits at every width,
 * for nothing here is contracted or reassociated.
 *
 * Decision N1 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

/* A function compiled for the processors there may be, chosen when the program starts. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)          \
    && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define GOBAN_VECTOR __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define GOBAN_VECTOR
#endif

/* e^r for |r| <= ln 2 / 2 */
static inline float
goban_exp_series (float r)
{
  return 1.0f
         + r
               * (1.0f
                  + r
                        * (0.5f
                           + r
                                 * (0.166666657f
                                    + r
                                          * (0.0416666158f
                                             + r * (0.00833345205f + r * 0.00138889f)))));
}

/* INFINITY above 88.7, 0 below -86.9 (where results come near the subnormal numbers), NAN for
 * NAN. */
static inline float
goban_exp (float x)
{
  /* Adding 1.5 * 2^23 rounds to a whole number, which stands in the low bits. */
  const float shift = 12582912.0f;
  float bounded = x < -86.9f ? -86.9f : (x > 88.7f ? 88.7f : x);
  float shifted = bounded * 1.44269504f + shift;
  float n = shifted - shift;
  float r = (bounded - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = goban_exp_series (r);
  guint32 bits;
  float power;

  memcpy (&bits, &shifted, sizeof bits);
  /* 2^128 has no float, so half of it is multiplied in twice. */
  bits = (bits + 126) << 23;
  memcpy (&power, &bits, sizeof power);
  p = p * power * 2.0f;
  p = x > 88.7f ? (float) __builtin_inff () : p;
  p = x < -86.9f ? 0.0f : p;
  return x == x ? p : x;
}

/* goban_exp() of what is not above 0, in half the time: as softmax asks for it. The same bits, but
 * for the last one below -86.2, where the other passes through subnormal numbers. */
static inline float
goban_exp_below (float x)
{
  const float shift = 12582912.0f;
  float bounded = x < -86.9f ? -86.9f : x;
  float shifted = bounded * 1.44269504f + shift;
  float n = shifted - shift;
  float r = (bounded - n * 0.693359375f) + n * 2.12194440e-4f;
  guint32 bits;
  float power;

  memcpy (&bits, &shifted, sizeof bits);
  bits = (bits + 127) << 23;
  memcpy (&power, &bits, sizeof power);
  return x < -86.9f ? 0.0f : goban_exp_series (r) * power;
}

/* The natural logarithm of a positive finite number, within 1e-9, with the same bits on every
 * processor and with every C library: 2^n m with m from sqrt (1/2) to sqrt (2), and the series of
 * the inverse hyperbolic tangent. */
static inline double
goban_log (double x)
{
  const double sqrt_2 = 1.4142135623730951;
  int n;
  double m = frexp (x, &n);
  double s, s2;

  if (m * sqrt_2 < 1)
    {
      m *= 2;
      n--;
    }
  s = (m - 1) / (m + 1);
  s2 = s * s;
  return n * 0.69314718055994531
         + 2 * s
               * (1 + s2 * (1.0 / 3 + s2 * (1.0 / 5 + s2 * (1.0 / 7 + s2 * (1.0 / 9 + s2 / 11)))));
}

/* x, or 0 if it is so near that its products would be subnormal, which processors multiply a
 * hundred times slower: what has been learned for good leaves gradients of no size at all. */
static inline float
goban_flush (float x)
{
  return x < 1e-18f && x > -1e-18f ? 0.0f : x;
}

/* 1 / (1 + e^-x) */
static inline float
goban_sigmoid (float x)
{
  return 1.0f / (1.0f + goban_exp (-x));
}

/* By e^2x where that is far from 1, else by the series: the difference would cancel. */
static inline float
goban_tanh (float x)
{
  float x2 = x * x;
  float far = 1.0f - 2.0f / (goban_exp (2.0f * x) + 1.0f);
  float near
      = x
        + x * x2
              * (-0.333333333f
                 + x2
                       * (0.133333333f
                          + x2 * (-0.0539682540f + x2 * (0.0218694885f - x2 * 0.00886323f))));

  return x2 < 0.16f ? near : far;
}
