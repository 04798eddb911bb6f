/* rng.h: seeded random numbers (xoshiro256**), the only source of randomness in the program.
 *
 * xoshiro256** by Blackman and Vigna (2018), seeded through splitmix64: the
 * same seed gives the same numbers on every machine. The state is a plain
 * value; copy it to fork a stream. Not for secrets.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 s[4];
} GobanRng;

void goban_rng_init (GobanRng *rng, guint64 seed);

/* The first number of splitmix64 from the state @value: a hash whose bits all depend on all of
 * @value's. */
guint64 goban_rng_mix (guint64 value);

guint64 goban_rng_next (GobanRng *rng);

/* Uniform in 0..n-1, without modulo bias; n > 0. */
guint32 goban_rng_below (GobanRng *rng, guint32 n);

/* Uniform in [0, 1) with 53 random bits. */
double goban_rng_uniform (GobanRng *rng);

/* Fisher-Yates. */
void goban_rng_shuffle (GobanRng *rng, guint32 *values, gsize n_values);
