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

/* The work: its title and its functions. */
typedef struct
{
  const char *title; /* static */
  GobanJobFunc work; /* as a job's; the data is the request */
  GDestroyNotify free_question;
  GDestroyNotify free_answer;
  /* Receives the result, (transfer full), on the main thread. Errors are dropped: work that can
   * fail returns the failure in its result. The function may send the next request, and may free
   * the GobanLatest. */
  void (*take) (gpointer answer, gpointer user_data);
} GobanLatestKind;

/* @kind is static. */
GobanLatest *goban_latest_new (const GobanLatestKind *kind,
                               gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
/* Drops all requests; a running worker finishes, and its result is dropped. */
void goban_latest_free (GobanLatest *self);

/* @question: (transfer full) */
void goban_latest_ask (GobanLatest *self, gpointer question);
/* The same, synchronously; earlier requests are dropped. */
void goban_latest_ask_now (GobanLatest *self, gpointer question);
/* Drops all requests. */
void goban_latest_forget (GobanLatest *self);
/* Whether a result is pending. */
gboolean goban_latest_is_busy (const GobanLatest *self);

/* Frees large data in a worker, so that the main thread is not delayed. @data: (transfer full)
 * (nullable) */
void goban_free_aside (gpointer data, GDestroyNotify free_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLatest, goban_latest_free)

G_END_DECLS
