/* pattern-search.h: a small search for constants that fit measurements best.
 *
 * Hooke and Jeeves (1961), on a grid of factors: values are multiplied by a factor or divided by
 * it, first one at a time, then several at once where that does not help, and the factor's root is
 * taken when nothing does. Deterministic; the error need not be smooth.
 */
#pragma once

#include <glib.h>

/* The error with these constants; INFINITY where they may not lie. */
typedef double (*GobanPatternError) (const double *values, gpointer data);

#define GOBAN_PATTERN_MOST 4

/* @start: n <= GOBAN_PATTERN_MOST values above 0; @best: (out): n of them, which differ from the
 * least error's by at most a thousandth if there is but one minimum. Returns the error of @best. */
double goban_pattern_search (const double *start, guint n, GobanPatternError error_of,
                             gpointer data, double *best);
