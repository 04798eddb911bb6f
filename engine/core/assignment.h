/* assignment.h: assignment problem: the best one-to-one choice of columns for rows.
 *
 * Exact, by shortest augmenting paths (Jonker and Volgenant 1987); O(n^3).
 */
#pragma once

#include <glib.h>

/* gains (n x n): finite; column_of (out) (n): a permutation with the largest sum of gains. Returns
 * that sum. */
double goban_assignment_solve (const double *gains, guint n, guint32 *column_of);
