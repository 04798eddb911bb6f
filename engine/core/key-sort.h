/* key-sort.h: radix sort of indices by floating-point keys, in linear time. */
#pragma once

#include <glib.h>

/* Sorts order (n) by ascending keys[order[i]]; stable. Keys must not be NAN. */
void goban_key_sort (guint32 *order, const double *keys, guint n);
