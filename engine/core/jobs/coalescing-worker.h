/* coalescing-worker.h: answers the newest of many requests in a worker thread.
 *
 * One request is worked on at a time. Requests that arrive meanwhile wait, and only the newest is
 * kept. A request that has begun is finished and delivered even if a newer one waits; otherwise
 * frequent requests would never be answered. The receiver checks whether an answer still applies.
 * Small work can be done at once, without a worker. Main thread.
 *
 * Decision U7 (ui/NOTES.md).
 */
#pragma once

#include "engine/core/jobs/job.h"

typedef struct _GobanLatest GobanCoalescingWorker;

typedef struct
{
  const char *title; /* static */
  GobanJobFunc work; /* as a job's; the data is the request */
  GDestroyNotify free_question;
  GDestroyNotify free_answer;
  /* Gets the answer, (transfer full), in the main thread. Errors are dropped: work that can fail
   * reports it in its answer. The function may ask again, and may free the worker. */
  void (*take) (gpointer answer, gpointer user_data);
} GobanCoalescingWorkerKind;

/* @kind is static. */
GobanCoalescingWorker *goban_coalescing_worker_new (const GobanCoalescingWorkerKind *kind,
                                                    gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
/* Drops all requests; work that has begun may go on for a while, and its answer is freed. */
void goban_coalescing_worker_free (GobanCoalescingWorker *self);

/* @question: (transfer full) */
void goban_coalescing_worker_ask (GobanCoalescingWorker *self, gpointer question);
/* The same, answered before it returns; earlier requests are dropped. */
void goban_coalescing_worker_ask_now (GobanCoalescingWorker *self, gpointer question);
/* Drops all requests. */
void goban_coalescing_worker_forget (GobanCoalescingWorker *self);
/* TRUE while an answer is expected. */
gboolean goban_coalescing_worker_is_busy (const GobanCoalescingWorker *self);

/* Frees large data in a worker. @data: (transfer full) (nullable) */
void goban_free_aside (gpointer data, GDestroyNotify free_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCoalescingWorker, goban_coalescing_worker_free)
