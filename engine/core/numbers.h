/* numbers.h: arithmetic on arrays of doubles, element by element and by groups.
 *
 * Outputs may be the inputs unless told otherwise. Sums add from the first to the last, as a loop
 * would. NAN stands after all numbers in every order.
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_NUMBERS_ADD,
  GOBAN_NUMBERS_SUBTRACT,
  GOBAN_NUMBERS_MULTIPLY,
  GOBAN_NUMBERS_DIVIDE,
  GOBAN_NUMBERS_POWER,
  GOBAN_NUMBERS_LEAST,
  GOBAN_NUMBERS_MOST,
  GOBAN_NUMBERS_LESS, /* this and those below: 1 if it is so, else 0 */
  GOBAN_NUMBERS_LESS_OR_EQUAL,
  GOBAN_NUMBERS_GREATER,
  GOBAN_NUMBERS_GREATER_OR_EQUAL,
  GOBAN_NUMBERS_EQUAL,
  GOBAN_NUMBERS_UNEQUAL,
} GobanNumbersPair;

/* out (n), a (n) or a (1) with @step_a 0, b likewise. */
void goban_numbers_pair (GobanNumbersPair pair, double *out, const double *a, gsize step_a,
                         const double *b, gsize step_b, gsize n);

typedef enum
{
  GOBAN_NUMBERS_EXP,
  GOBAN_NUMBERS_LOG,
  GOBAN_NUMBERS_ABS,
  GOBAN_NUMBERS_SQRT,
  GOBAN_NUMBERS_FLOOR,
  GOBAN_NUMBERS_NEGATIVE,
  GOBAN_NUMBERS_RUNNING_SUM,
} GobanNumbersMap;

/* out (n), a (n) */
void goban_numbers_map (GobanNumbersMap map, double *out, const double *a, gsize n);

typedef enum
{
  GOBAN_NUMBERS_SUM,
  GOBAN_NUMBERS_MEAN,
  GOBAN_NUMBERS_SPREAD, /* sample standard deviation; NAN of fewer than two */
  GOBAN_NUMBERS_MIN,    /* NAN of none */
  GOBAN_NUMBERS_MAX,
  GOBAN_NUMBERS_COUNT, /* of those that are not 0 */
} GobanNumbersFold;

double goban_numbers_fold (GobanNumbersFold fold, const double *a, gsize n);

/* The place of the first smallest (@sign 1) or largest (-1) number; n without a number. */
gsize goban_numbers_find_least (const double *a, gsize n, double sign);

/* order, out (n): places from small to large, equal ones as they stand. */
void goban_numbers_order (guint32 *order, const double *a, gsize n);

/* out (n): the numbers from small to large. */
void goban_numbers_sort (double *out, const double *a, gsize n);

/* The number below which a share @q in [0, 1] of @sorted lies, between two of them by linear
 * interpolation; NAN of none. */
double goban_numbers_quantile (const double *sorted, gsize n, double q);

/* group, out (n): the place in @keys of each number; keys, out: the different ones, sorted, with
 * room for n. Returns how many. */
gsize goban_numbers_group (guint32 *group, double *keys, const double *a, gsize n);

/* out (n): the numbers of the first group, then those of the second and so on, in each as they
 * stand; begins, out (n_groups + 1): where those of each group begin, and n. @out is not @a. */
void goban_numbers_gather_groups (double *out, gsize *begins, gsize n_groups, const double *a,
                                  const guint32 *group, gsize n);
