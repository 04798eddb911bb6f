/* disjoint.h: disjoint sets (union-find) of the elements 0 .. n-1.
 *
 * A set is a tree in an array of parents; the root, which is its own parent, represents the set.
 * The caller merges two sets by making one root the parent of the other, and chooses which.
 */
#pragma once

#include <glib.h>

/* (transfer full) (array length=n): singletons, for g_free(). */
static inline guint32 *
goban_disjoint_new (guint32 n)
{
  guint32 *parents = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    parents[i] = i;
  return parents;
}

/* Root of @i, with path compression. */
static inline guint32
goban_disjoint_find (guint32 *parents, guint32 i)
{
  while (parents[i] != i)
    {
      parents[i] = parents[parents[i]];
      i = parents[i];
    }
  return i;
}
