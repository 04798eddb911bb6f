/* fnv.h: the 64-bit hash FNV-1a of Fowler, Noll and Vo.
 *
 * The same bytes give the same number everywhere; it resists no attacker.
 */
#pragma once

#include <glib.h>

/* The hash of no bytes. */
#define GOBAN_FNV_START G_GUINT64_CONSTANT (0xcbf29ce484222325)

#define GOBAN_FNV_PRIME G_GUINT64_CONSTANT (0x100000001b3)

/* Returns @hash continued with @size bytes. */
static inline guint64
goban_fnv_add (guint64 hash, gconstpointer data, gsize size)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * GOBAN_FNV_PRIME;
  return hash;
}
