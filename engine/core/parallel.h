/* parallel.h: parallel loops whose results do not depend on the number of threads.
 *
 * The caller splits the work into parts, and two parts never write to the same memory. Sums over
 * parts are made by the caller, in the order of the parts.
 */
#pragma once

#include <glib.h>

typedef void (*GobanPartFunc) (guint part, gpointer data);

/* Calls func (part, data) for part = 0 .. n_parts - 1, each once, in any order, on the caller's
 * thread and as many others as there are processors beside it; returns when all are done. A part
 * may call it again: then it is a plain loop. Any number of threads may call it at once. */
void goban_parallel_for (guint n_parts, GobanPartFunc func, gpointer data);

/* Maximum number of threads per loop, the caller's included; 0 (the default): the number of
 * processors. More than those are allowed. Running loops keep their threads. */
void goban_parallel_set_max_threads (guint n_threads);
guint goban_parallel_get_max_threads (void);
