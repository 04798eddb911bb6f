/* progress.h: callbacks for progress reports and cancellation of long work.
 *
 * A plain struct of callbacks, so that the engine needs no main loop and no GObject. Every field
 * may be NULL, and so may the struct. The callbacks run in the thread that does the work.
 */
#pragma once

#include <glib.h>

typedef struct
{
  /* fraction in [0, 1], or negative if the end is not known */
  void (*on_step) (double fraction, const char *what, gpointer user_data);
  gboolean (*should_stop) (gpointer user_data);
  gpointer user_data;
} GobanProgress;

void goban_progress_step (const GobanProgress *self, double fraction, const char *what);

/* A part of longer work. */
typedef struct
{
  GobanProgress progress; /* of the part */
  const GobanProgress *whole;
  const char *name; /* (nullable) precedes what the part says */
  double begin;     /* of the whole */
  double share;     /* of the whole */
} GobanPartProgress;

/* Part @i of @n equal ones of @whole (nullable), all borrowed; a single part says no name. Returns
 * the part's progress. */
const GobanProgress *goban_part_progress_begin (GobanPartProgress *self, const GobanProgress *whole,
                                                guint i, guint n, const char *name);

/**
 * goban_progress_check:
 *
 * Returns: %TRUE to go on; %FALSE with %GOBAN_ERROR_CANCELLED set in @error
 */
gboolean goban_progress_check (const GobanProgress *self, GError **error);
