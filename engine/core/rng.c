#include "engine/core/rng.h"

static guint64
rotate_left (guint64 x, int k)
{
  return (x << k) | (x >> (64 - k));
}

#define SPLITMIX_STEP G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

guint64
goban_rng_mix (guint64 value)
{
  guint64 z = value + SPLITMIX_STEP;

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void
goban_rng_init (GobanRng *rng, guint64 seed)
{
  for (guint i = 0; i < G_N_ELEMENTS (rng->s); i++)
    rng->s[i] = goban_rng_mix (seed + i * SPLITMIX_STEP);
}

guint64
goban_rng_next (GobanRng *rng)
{
  guint64 *s = rng->s;
  guint64 result = rotate_left (s[1] * 5, 7) * 9;
  guint64 t = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left (s[3], 45);
  return result;
}

guint32
goban_rng_below (GobanRng *rng, guint32 n)
{
  guint64 product;
  guint32 threshold;

  g_return_val_if_fail (n > 0, 0);

  /* Lemire's multiply-and-reject: the rejected low part is shorter than n, so
   * the loop runs once on average for any n. */
  threshold = -n % n;
  do
    product = (goban_rng_next (rng) >> 32) * n;
  while ((guint32) product < threshold);

  return product >> 32;
}

double
goban_rng_uniform (GobanRng *rng)
{
  return (goban_rng_next (rng) >> 11) * 0x1p-53;
}

void
goban_rng_shuffle (GobanRng *rng, guint32 *values, gsize n_values)
{
  for (gsize i = n_values; i > 1; i--)
    {
      gsize j = goban_rng_below (rng, i);
      guint32 swapped = values[i - 1];

      values[i - 1] = values[j];
      values[j] = swapped;
    }
}
