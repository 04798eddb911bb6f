/* heap.h: what of the heap a program with a window keeps, and when it gives the rest back.
 *
 * Frames and edits allocate and free the same large blocks again and again: kept, they cost nothing; returned at
 * once, their pages are faulted in anew. So all is kept while jobs come one after another, and what is free is
 * given back in a worker when there have been none for a while. Where the C library is not glibc, nothing is done.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* First in main(), before there is a second thread. Programs that do not call it give back as the C library does. */
void goban_heap_begin (void);

/* Main thread; by jobs, in pairs. */
void goban_heap_job_begins (void);
void goban_heap_job_ends (void);

/* How often memory was given back; any thread. */
guint goban_heap_get_n_trims (void);

G_END_DECLS
