/* disjoint.h: things 0 .. n-1 in sets that grow together.
 *
 * A set is a tree by an array of parents; its root, which is its own parent, stands for it. Two sets become
 * one where the caller makes one's root the other's parent: which of the two is for him to say.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) (array length=n): each thing alone, for g_free(). */
static inline guint32 *
goban_disjoint_new (guint32 n)
{
  guint32 *parents = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    parents[i] = i;
  return parents;
}

/* The root of the set that @i is in. Later ways to it are shorter. */
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

G_END_DECLS
