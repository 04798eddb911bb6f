/* job.h: a long task in a worker thread, with progress, completion and cancellation.
 *
 * Made and watched on the main thread. The worker may report as often as it likes: progress is
 * a mailbox that keeps the latest value, emptied at most once per 33 ms on the main loop.
 * When the work is done, "done" is emitted once, on the main thread, whatever the outcome.
 */
#pragma once

#include "engine/core/progress.h"

#include <gio/gio.h>

#define GOBAN_TYPE_JOB (goban_job_get_type ())
G_DECLARE_FINAL_TYPE (GobanJob, goban_job, GOBAN, JOB, GObject)

/* Runs in the worker. Returns a result that free_result frees, or NULL with @error set. */
typedef gpointer (*GobanJobFunc) (const GobanProgress *progress, gpointer data, GError **error);

/**
 * goban_job_start:
 * @title: a title for users: "placing with heft"
 * @data: (transfer full): freed with @free_data when the work is done
 *
 * Returns: (transfer full): the running job; it keeps itself alive until it is done
 */
GobanJob *goban_job_start (const char *title, GobanJobFunc func, gpointer data,
                           GDestroyNotify free_data,
                           GDestroyNotify free_result) G_GNUC_WARN_UNUSED_RESULT;

const char *goban_job_get_title (GobanJob *self);
double goban_job_get_fraction (GobanJob *self);  /* property "fraction"; negative: unknown */
const char *goban_job_get_what (GobanJob *self); /* property "what": the current step */
gboolean goban_job_is_done (GobanJob *self);     /* property "done" */

/* Requests cancellation; the work soon ends with GOBAN_ERROR_CANCELLED. */
void goban_job_cancel (GobanJob *self);

/* Pauses the work at its next cancellation check, or resumes it. A cancelled job is not paused.
 * Property "paused". */
void goban_job_set_paused (GobanJob *self, gboolean paused);
gboolean goban_job_is_paused (GobanJob *self);

/* Estimated remaining seconds at the pace so far, without pauses; NAN if unknown. */
double goban_job_get_seconds_left (GobanJob *self);

/* After "done": the result, owned by the caller, once; or NULL with @error set. */
gpointer goban_job_steal_result (GobanJob *self, GError **error);

/* Runs the main context until the job is done. For tests and the headless host. */
void goban_job_wait (GobanJob *self);
/* Cancels the job and waits for its worker without running the main context, before the program
 * exits. The final steps of the work, such as saving a file, are completed. */
void goban_job_stop_and_join (GobanJob *self);
