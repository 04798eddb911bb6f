/* malloc-tuning.h: keeps freed memory while jobs run, and trims the heap when the program is idle.
 *
 * Frames and edits allocate and free the same large blocks again and again. Kept blocks are free of
 * charge; returned ones are faulted in anew. A worker trims the heap when no job has run for a
 * while, if much is free. Does nothing without glibc.
 *
 * Decision E49 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

/* First in main(), before there is a second thread. Without it the C library keeps its defaults. */
void goban_malloc_tuning_begin (void);

/* Called by jobs in pairs, in the main thread. */
void goban_malloc_tuning_job_begins (void);
void goban_malloc_tuning_job_ends (void);

/* How often it was looked whether to trim; any thread. */
guint goban_malloc_tuning_get_n_trims (void);
