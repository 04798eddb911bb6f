/* ordered-sum.h: sums of vectors as a fixed binary tree over items.
 *
 *   level 1: item 0 + item 1, item 2 + item 3, ...    level 2: items 0..1 + items 2..3, ...
 *
 * The last item of an odd number moves up alone. A rank that has all items of a subtree adds them;
 * others need only the roots of such subtrees. A range of items has at most 2 log2 (n_items) of
 * them. Pure functions.
 */
#pragma once

#include <glib.h>

/* Width of the largest subtree that begins at item @i and has no item from @end on: a power of two,
 * the end of all items cut off. i < end <= n_items. */
guint goban_ordered_sum_get_width (guint i, guint end, guint n_items);

/* Adds items @first .. @end - 1 (end - first, n), and moves the roots of their subtrees, in order,
 * to the front. Returns the number of roots. */
gsize goban_ordered_sum_reduce (float *items, guint first, guint end, guint n_items, gsize n);

/* Adds the roots (any, n) of the ranges bounds[0] .. bounds[1] - 1, bounds[1] .. bounds[2] - 1 and
 * so on, @n_ranges of them; the sum of all is the first vector then. */
void goban_ordered_sum_join (float *roots, const guint *bounds, guint n_ranges, guint n_items,
                             gsize n);
