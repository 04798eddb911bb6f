/* session-live.c: the plans of a policy that runs, one after the other, as the current run.
 *
 * A timer takes snapshots of the policy's decisions; a worker replays and simulates the newest
 * finished plan of each. These runs are in no state: undo does not bring them back.
 */
#include "engine/core/error.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-private.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/run-origin.h"

/* Snapshots are at least so far apart, and by at most this share of the time busy with them. */
#define LEAST_WAIT_US (G_USEC_PER_SEC / 5)
#define MOST_SHARE 0.02

struct _GobanLive
{
  GobanSession *session; /* borrowed */
  GobanDecisionsFeed *feed;
  GobanCostModel *costs;
  char *policy;
  GobanRun *run;   /* (nullable): the newest that is shown */
  GobanJob *job;   /* (nullable): makes the next */
  gint64 began_us; /* when the last snapshot was asked for; 0: none since watching began */
  guint timeout;
};

typedef struct
{
  GobanDecisionsFeed *feed;
  GobanCostModel *costs;
  char *policy;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  goban_decisions_feed_unref (look->feed);
  goban_cost_model_unref (look->costs);
  g_free (look->policy);
  g_free (look);
}

static gpointer
look_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Look *look = data;
  g_autoptr (GobanDecisions) decisions = goban_decisions_feed_peek (look->feed);
  GobanMoment newest = decisions != NULL ? goban_moment_find_newest (decisions) : 0;
  GobanRun *run;

  if (newest == 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s has not finished a plan yet", look->policy);
      return NULL;
    }
  run = goban_moment_new_run (look->costs, decisions, look->policy, newest, error);
  if (run != NULL)
    goban_run_rename (run, look->policy);
  return run;
}

static void wait_for_next (GobanLive *self);

static void
notify (GobanSession *self)
{
  goban_session_notify (self, GOBAN_SESSION_PROP_CURRENT_RUN);
  goban_session_notify (self, GOBAN_SESSION_PROP_SHOWN_RUN);
}

/* Shows the newest run. After the first one, the moment that is shown stays. */
static void
show (GobanLive *self, GobanRun *run)
{
  gboolean is_first = self->run == NULL;

  goban_run_set (&self->run, run);
  if (is_first)
    goban_session_begin_steps (self->session, run);
  else
    goban_stepper_extend_base (self->session->stepper, run);
  notify (self->session);
}

static void
looked_cb (GobanJob *job, GobanLive *self)
{
  g_autoptr (GobanRun) run = goban_job_steal_result (job, NULL);
  g_autoptr (GobanSession) kept = g_object_ref (self->session);

  g_clear_object (&self->job);
  if (run != NULL
      && (self->run == NULL
          || goban_decisions_get_n_moments (goban_run_get_decisions (run))
                 > goban_decisions_get_n_moments (goban_run_get_decisions (self->run))))
    show (self, run);
  /* A handler may have ended it. */
  if (kept->live == self)
    wait_for_next (self);
}

static gboolean
look_cb (gpointer data)
{
  GobanLive *self = data;
  Look *look = g_new (Look, 1);

  self->timeout = 0;
  *look = (Look){ goban_decisions_feed_ref (self->feed), goban_cost_model_ref (self->costs),
                  g_strdup (self->policy) };
  self->began_us = g_get_monotonic_time ();
  self->job = goban_job_start ("Watching", look_worker, look, look_free,
                               (GDestroyNotify) goban_run_unref);
  g_signal_connect (self->job, "done", G_CALLBACK (looked_cb), self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_next (GobanLive *self)
{
  double busy_us = self->began_us > 0 ? (double) (g_get_monotonic_time () - self->began_us) : 0;

  self->timeout
      = g_timeout_add ((guint) (MAX (LEAST_WAIT_US, busy_us / MOST_SHARE) / 1000), look_cb, self);
}

static void
drop_job (GobanLive *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->began_us = 0;
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

GobanRun *
goban_session_get_live (GobanSession *self)
{
  return self->live != NULL ? self->live->run : NULL;
}

void
goban_session_start_live (GobanSession *self, GobanDecisionsFeed *feed, GobanCostModel *costs,
                          const char *policy)
{
  goban_session_end_live (self);
  self->live = g_new0 (GobanLive, 1);
  *self->live = (GobanLive){ .session = self,
                             .feed = goban_decisions_feed_ref (feed),
                             .costs = goban_cost_model_ref (costs),
                             .policy = g_strdup (policy) };
  if (self->is_watching)
    wait_for_next (self->live);
}

/* Shows the session's own run in place of the live one. */
static void
hide (GobanSession *self)
{
  if (self->live->run == NULL)
    return;
  g_clear_pointer (&self->live->run, goban_run_unref);
  goban_session_begin_steps (self, self->state->current);
  notify (self);
}

void
goban_session_end_live (GobanSession *self)
{
  GobanLive *live = self->live;

  if (live == NULL)
    return;
  drop_job (live);
  if (self->stepper != NULL)
    hide (self);
  if (self->live != live)
    return;
  self->live = NULL;
  goban_decisions_feed_unref (live->feed);
  goban_cost_model_unref (live->costs);
  g_free (live->policy);
  g_clear_pointer (&live->run, goban_run_unref);
  g_free (live);
}

void
goban_session_set_watching (GobanSession *self, gboolean is_watching)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (self->is_watching == is_watching)
    return;
  self->is_watching = is_watching;
  if (self->live == NULL)
    return;
  if (is_watching)
    wait_for_next (self->live);
  else
    {
      drop_job (self->live);
      hide (self);
    }
}
