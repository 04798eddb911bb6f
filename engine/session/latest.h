/* latest.h: keeps up with what changes faster than it can be worked out.
 *
 * A worker makes something of what it is asked. One piece of work runs at a time; what is asked meanwhile waits, and of
 * that only the newest. What runs is finished and delivered all the same, or whoever asks often enough would never be
 * answered: who takes an answer sees whether it still holds. Small work can be done at once, without a worker.
 * Main thread.
 */
#pragma once

#include "engine/session/job.h"

G_BEGIN_DECLS

typedef struct _GobanLatest GobanLatest;

/* What kind of work it is. */
typedef struct
{
  const char *title; /* static */
  GobanJobFunc work; /* as a job's; the data is what was asked */
  GDestroyNotify free_question;
  GDestroyNotify free_answer;
  /* Gets the answer, (transfer full), on the main thread. Errors are dropped: work that can fail says so in its
   * answer. It may ask again, and may free the GobanLatest. */
  void (*take) (gpointer answer, gpointer user_data);
} GobanLatestKind;

/* @kind is static. */
GobanLatest *goban_latest_new (const GobanLatestKind *kind,
                               gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
/* Forgets all that was asked; a worker may go on a little, and nobody hears of it. */
void goban_latest_free (GobanLatest *self);

/* @question: (transfer full) */
void goban_latest_ask (GobanLatest *self, gpointer question);
/* The same, answered before it returns; what was asked before is forgotten. */
void goban_latest_ask_now (GobanLatest *self, gpointer question);
/* Nothing that was asked matters any more. */
void goban_latest_forget (GobanLatest *self);
/* Whether an answer is still to come. */
gboolean goban_latest_is_busy (const GobanLatest *self);

/* Frees in a worker what is large enough to be felt. @data: (transfer full) (nullable) */
void goban_free_aside (gpointer data, GDestroyNotify free_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLatest, goban_latest_free)

G_END_DECLS
