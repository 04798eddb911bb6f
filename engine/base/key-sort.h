/* key-sort.h: radix sort of indices by floating-point keys, in linear time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* order (n) is brought into ascending order of keys[order[i]]; equal keys stay as they stand. Keys are no NAN. */
void goban_key_sort (guint32 *order, const double *keys, guint n);

G_END_DECLS
