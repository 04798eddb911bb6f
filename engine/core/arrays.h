/* arrays.h: arrays that are freed all at once, with the list that has them. */
#pragma once

#include <glib.h>

/* g_ptr_array_unref() frees its arrays. (transfer full) */
static inline GPtrArray *
goban_arrays_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

static inline gpointer
goban_arrays_add (GPtrArray *self, gsize n, gsize size)
{
  gpointer array = g_malloc0_n (MAX (n, 1), size);

  g_ptr_array_add (self, array);
  return array;
}

/* (n) zeroes of a type, in the arrays of an object; borrowed. */
#define goban_own(object, type, n) ((type *) goban_arrays_add ((object)->arrays, n, sizeof (type)))
