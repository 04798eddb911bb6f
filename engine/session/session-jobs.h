/* session-jobs.h: long tasks of a session, one at a time: a new one cancels the previous one. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/session/session.h"

/* Places the open graph with one policy in a worker and adds the run. */
void goban_session_place (GobanSession *self, const char *policy, guint64 seed);
/* The same with several policies in turn, and with a budget for searches; the progress of @options
 * is ignored. The best plan is shown. */
void goban_session_place_with (GobanSession *self, const char *const *policies,
                               const GobanRunOptions *options);
/* Goes on from a step of the current run's decisions with a search (force.h), in a worker, and adds
 * its run. */
void goban_session_fork (GobanSession *self, guint step, const char *policy,
                         const GobanRunOptions *options);
/* Takes another option at a decision of the current run (force.h), in a worker, and adds the run of
 * the plan that comes of it. */
void goban_session_force (GobanSession *self, GobanMoment moment, guint32 option);
/* Curves that the running job fills if it places with one policy that learns on the graph; %NULL
 * for other jobs. @policy: (out): borrowed, likewise. (nullable) */
GobanTrainingLog *goban_session_get_learning (GobanSession *self, const char **policy);
/* @is_watching: while one policy places the graph, the current run is the newest finished plan that
 * it has tried, with its decisions until then. FALSE at first. Watching takes at most a fiftieth of
 * a processor. Another choice of a run ends it for the job. Edits are refused meanwhile. */
void goban_session_set_watching (GobanSession *self, gboolean is_watching);
void goban_session_cancel_job (GobanSession *self);
/* Ends placing early: a search returns its best plan, several policies the plans made so far. Any
 * other job, and one that was asked before, is cancelled: its plans are dropped, even if it has
 * ended meanwhile. */
void goban_session_finish_job (GobanSession *self);

/* --- for tasks of other kinds ----------------------------------------------------------------- */

/* The functions of a job. @finished gets the job, in the main thread, whatever became of it. */
typedef struct
{
  GobanJobFunc func;
  GDestroyNotify free_data;
  GDestroyNotify free_result;
  void (*finished) (GobanJob *job, GobanSession *self);
  /* (nullable): stores with the job the data that handlers need, before they are called */
  void (*started) (GobanJob *job, gpointer data);
} GobanSessionWork;

/* Starts a job in place of the one that runs. @data: (transfer full) */
void goban_session_start_job (GobanSession *self, const char *title, const GobanSessionWork *work,
                              gpointer data);
/* The result of a job that has ended if it is still the session's job; (transfer full) (nullable).
 * An error becomes a notice. */
gpointer goban_session_end_job (GobanSession *self, GobanJob *job);

/* Places a graph that has just been opened with the default policies. */
void goban_session_place_opened (GobanSession *self);

/* Sets the running job. @job: (transfer full) (nullable) */
void goban_session_take_job (GobanSession *self, GobanJob *job);
