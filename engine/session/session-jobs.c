/* session-jobs.c: jobs of a session, one at a time, and placing as one of them.
 *
 * A worker gets values (costs, names), never the session. Its result is used only if its job is
 * still the session's job when it ends: a newer job replaces an older one.
 */
#include "engine/session/session-jobs.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/graph/file-devices.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-list.h"

#include <string.h>

/* Policies that a graph is first placed with, from the plainest to the strongest. */
static const char *const default_policies[]
    = { "single", "tf-default", "metis", "critical-path", "heft", NULL };
static const char *const recorded_policies[] = { "recorded", NULL };

/* A recorded run is shown as recorded; plans of policies are made on request. */
static const char *const *
choose_policies (const GobanGraph *graph)
{
  gboolean is_recorded = goban_graph_get_n_nodes (graph) > 0
                         && goban_graph_get_node (graph, 0)->lane != GOBAN_NO_LANE;

  return is_recorded ? recorded_policies : default_policies;
}

void
goban_session_take_job (GobanSession *self, GobanJob *job)
{
  goban_session_end_live (self);
  g_clear_object (&self->job);
  self->job = job;
  goban_session_notify (self, GOBAN_SESSION_PROP_JOB);
}

void
goban_session_cancel_job (GobanSession *self)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (self->job != NULL)
    goban_job_cancel (self->job);
}

void
goban_session_start_job (GobanSession *self, const char *title, const GobanSessionWork *work,
                         gpointer data)
{
  GobanJob *job;

  goban_session_cancel_job (self);
  job = goban_job_start (title, work->func, data, work->free_data, work->free_result);
  if (work->started != NULL)
    work->started (job, data);
  g_signal_connect_object (job, "done", G_CALLBACK (work->finished), self, 0);
  goban_session_take_job (self, job);
}

gpointer
goban_session_end_job (GobanSession *self, GobanJob *job)
{
  g_autoptr (GError) error = NULL;
  gpointer result;

  if (job != goban_session_get_job (self))
    return NULL;

  result = goban_job_steal_result (job, &error);
  goban_session_take_job (self, NULL);
  if (error != NULL)
    goban_session_say (self, !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED), "%s",
                       error->message);
  return result;
}

/* --- placing -------------------------------------------------------------------------------- */

/* Policies and options of placing, shared by the worker and a possible later request. */
typedef struct
{
  GobanCostModel *costs;
  char **policies;
  GobanRunOptions options; /* of goban_run_options_dup() */
  gboolean is_opening;     /* a part of opening the graph, no change of its own */
  GobanRun *fork_of;       /* (nullable): the policy continues from a step of this run */
  guint fork_step;
  GobanForce force;         /* of a decision of @fork_of, if it has a moment */
  GobanDecisionsFeed *feed; /* of one policy alone; else (nullable) */
  gint finish;              /* atomic */
  gboolean is_given_up;     /* stopped twice: drop the worker's result */
} Placing;

typedef struct
{
  GPtrArray *runs; /* GobanRun, at least one */
  char *trouble;   /* (nullable): why some policies gave none */
} Placed;

static void
placing_clear (gpointer data)
{
  Placing *placing = data;

  goban_cost_model_unref (placing->costs);
  g_strfreev (placing->policies);
  goban_run_options_clear (&placing->options);
  g_clear_pointer (&placing->fork_of, goban_run_unref);
  g_clear_pointer (&placing->feed, goban_decisions_feed_unref);
}

static void
placing_release (gpointer data)
{
  g_rc_box_release_full (data, placing_clear);
}

static void
placed_free (Placed *placed)
{
  g_clear_pointer (&placed->runs, g_ptr_array_unref);
  g_free (placed->trouble);
  g_free (placed);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Placed, placed_free)

/* The progress of one policy of several, which ends with the plans of the others. */
typedef struct
{
  GobanPartProgress part;
  const gint *finish;
} Part;

static gboolean
part_should_stop_worker (gpointer user_data)
{
  const Part *self = user_data;

  return (self->part.name != NULL && g_atomic_int_get (self->finish) != 0)
         || !goban_progress_check (self->part.whole, NULL);
}

static GobanRun *
place_part (const Placing *placing, const GobanProgress *whole, guint i, guint n, GError **error)
{
  const char *policy = placing->policies[i];
  Part part = { .finish = &placing->finish };
  GobanRunOptions options = placing->options;

  options.progress = goban_part_progress_begin (&part.part, whole, i, n, policy);
  part.part.progress.should_stop = part_should_stop_worker;
  options.finish = part.finish;
  options.feed = placing->feed;
  if (placing->force.moment > 0)
    return goban_force_new_run (placing->fork_of, &placing->force, &options, error);
  if (placing->fork_of != NULL)
    return goban_fork_new_run (placing->fork_of, placing->fork_step, policy, &options, error);
  return goban_run_new_from_policy (placing->costs, policy, &options, error);
}

/* If a policy fails, the others' plans are kept, and the failure is reported. */
static gpointer
place_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Placing *placing = data;
  g_autoptr (Placed) placed = g_new0 (Placed, 1);
  guint n = g_strv_length (placing->policies);

  placed->runs = goban_run_array_new ();
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) local = NULL;
      GobanRun *run = place_part (placing, progress, i, n, &local);

      if (local != NULL && placed->runs->len > 0 && g_atomic_int_get (&placing->finish) != 0)
        break;
      if (run != NULL)
        g_ptr_array_add (placed->runs, run);
      else if (placed->trouble == NULL)
        placed->trouble = g_strdup_printf ("%s: %s", placing->policies[i], local->message);

      if (!goban_progress_check (progress, error))
        return NULL;
      if (local != NULL && i + 1 == n && placed->runs->len == 0)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
    }
  return g_steal_pointer (&placed);
}

static void placed_cb (GobanJob *job, GobanSession *self);

static void
keep_placing (GobanJob *job, gpointer placing)
{
  g_object_set_data_full (G_OBJECT (job), "placing", g_rc_box_acquire (placing), placing_release);
}

static const GobanSessionWork place_work = { .func = place_worker,
                                             .free_data = placing_release,
                                             .free_result = (GDestroyNotify) placed_free,
                                             .finished = placed_cb,
                                             .started = keep_placing };

/* The log of a search that may learn; several policies would need a log each. */
static GobanTrainingLog *
new_learning (char **policies)
{
  GobanPolicyInfo info;

  return policies[1] == NULL && goban_policy_find (policies[0], &info, NULL)
                 && !g_str_equal (info.effort, "quick")
             ? goban_training_log_new ()
             : NULL;
}

/* Pinned nodes keep their devices in the current plan; without a plan these are unknown. */
static void
keep_pinned (GobanSession *self, GobanRunOptions *options)
{
  GobanRun *run = goban_session_get_current_run (self);
  GobanSelection *pinned = goban_session_get_pinned (self);
  guint n;

  g_clear_pointer (&options->pinned, goban_selection_unref);
  g_clear_pointer (&options->pinned_by, goban_plan_unref);
  goban_selection_get_ids (pinned, &n);
  if (n == 0 || run == NULL
      || goban_plan_get_n_devices (goban_run_get_plan (run))
             != goban_cluster_get_n_devices (goban_session_get_cluster (self)))
    return;
  options->pinned = goban_selection_ref (pinned);
  options->pinned_by = goban_plan_ref (goban_run_get_plan (run));
}

/* @like: a request, copied. */
static void
place_like (GobanSession *self, const char *title, const Placing *like)
{
  Placing *placing = g_rc_box_new0 (Placing);

  placing->costs = goban_cost_model_ref (goban_session_get_costs (self));
  placing->policies = g_strdupv (like->policies);
  placing->options = goban_run_options_dup (&like->options);
  keep_pinned (self, &placing->options);
  placing->is_opening = like->is_opening;
  placing->fork_step = like->fork_step;
  placing->force = like->force;
  goban_run_set (&placing->fork_of, like->fork_of);
  /* A repeated job begins its curves anew. */
  g_clear_pointer (&placing->options.learning, goban_training_log_unref);
  placing->options.learning = new_learning (placing->policies);
  if (placing->policies[1] == NULL && placing->force.moment == 0)
    placing->feed = goban_decisions_feed_new ();
  goban_session_start_job (self, title, &place_work, placing);
  if (placing->feed != NULL)
    goban_session_start_live (self, placing->feed, placing->costs, placing->policies[0]);
}

GobanTrainingLog *
goban_session_get_learning (GobanSession *self, const char **policy)
{
  const Placing *placing;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  placing = self->job != NULL ? g_object_get_data (G_OBJECT (self->job), "placing") : NULL;
  *policy = placing != NULL ? placing->policies[0] : NULL;
  return placing != NULL ? placing->options.learning : NULL;
}

/* view.show(r.decisions[40]:continue("anneal", { seed = 1, evals = 500 })), of the run that r is by
 * then. */
static void
log_fork (GobanSession *self, GobanRun *fork, Placing *placing)
{
  g_autofree char *line = goban_log_fork (
      placing->fork_step, goban_plan_get_policy (goban_run_get_plan (fork)), &placing->options);

  goban_session_log (self, line);
}

/* view.show(r.decisions[60]:force("gpu:1")), likewise. */
static void
log_forced (GobanSession *self, const Placing *placing)
{
  GobanDecision decision = { 0 };
  g_autofree char *option = NULL;
  g_autofree char *quoted = NULL;
  g_autofree char *line = NULL;

  goban_decisions_get (goban_run_get_decisions (placing->fork_of), placing->force.moment, NULL,
                       &decision);
  option = goban_option_dup_name (goban_run_get_costs (placing->fork_of), &decision,
                                  placing->force.option);
  quoted = goban_lua_text_quote (option);
  line = g_strdup_printf ("view.show(r.decisions[%u]:force(%s))", placing->force.moment, quoted);
  goban_session_log (self, line);
}

/* One line for one change: view.show(sim.run(...)), view.show{sim.run(...), sim.run(...)}. */
static void
log_placed (GobanSession *self, GPtrArray *runs, Placing *placing)
{
  const char *note = g_atomic_int_get (&placing->finish) != 0 ? " -- ended early" : "";
  g_autoptr (GString) line = g_string_new ("view.show");

  for (guint i = 0; i < runs->len; i++)
    {
      GobanPlan *made = goban_run_get_plan (g_ptr_array_index (runs, i));
      g_autofree char *plan = goban_log_policy (goban_plan_get_policy (made), &placing->options);

      g_string_append_printf (line, "%ssim.run(%s)",
                              i > 0           ? ", "
                              : runs->len > 1 ? "{"
                                              : "(",
                              plan);
    }
  g_string_append_printf (line, "%c%s", runs->len > 1 ? '}' : ')', note);
  goban_session_log (self, line->str);
}

/* A placed graph is first shown as its file has it. */
static GobanRun *
find_file_run (GPtrArray *runs, GobanRun *otherwise)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_str_equal (goban_plan_get_policy (goban_run_get_plan (g_ptr_array_index (runs, i))),
                     "tf-default"))
      return g_ptr_array_index (runs, i);
  return otherwise;
}

static void
add_placed (GobanSession *self, GPtrArray *runs, Placing *placing)
{
  GobanRun *best = g_ptr_array_index (runs, 0);
  g_autofree char *name = NULL;

  if (placing->fork_of != NULL
      && goban_run_list_find (goban_session_get_runs (self), placing->fork_of, NULL))
    goban_session_set_current_run (self, placing->fork_of);
  for (guint i = 1; i < runs->len; i++)
    if (goban_run_compare (g_ptr_array_index (runs, i), best) < 0)
      best = g_ptr_array_index (runs, i);
  if (placing->is_opening && goban_graph_has_file_devices (goban_session_get_graph (self)))
    best = find_file_run (runs, best);

  goban_session_name_runs (self, runs);
  if (runs->len > 1)
    name = g_strdup_printf (_ ("place with %u policies"), runs->len);
  else
    name = g_strdup_printf (_ ("place with %s"), goban_run_get_name (best));
  goban_session_add_runs (self, placing->is_opening ? NULL : name, runs, best);
  if (placing->force.moment > 0)
    log_forced (self, placing);
  else if (placing->fork_of != NULL)
    log_fork (self, best, placing);
  else
    log_placed (self, runs, placing);
}

static void
placed_cb (GobanJob *job, GobanSession *self)
{
  g_autofree char *title = g_strdup (goban_job_get_title (job));
  Placing *placing = g_rc_box_acquire (g_object_get_data (G_OBJECT (job), "placing"));
  gboolean is_shown = job == goban_session_get_job (self) && goban_session_get_live (self) != NULL;
  int moment = goban_view_get_moment (self->view);
  g_autoptr (Placed) placed = goban_session_end_job (self, job);

  if (placed != NULL && placing->is_given_up)
    goban_session_say (self, FALSE, "stopped on request");
  else if (placed != NULL && placing->costs == goban_session_get_costs (self))
    {
      add_placed (self, placed->runs, placing);
      /* A moment of the running policy is shown on. */
      if (is_shown && moment != GOBAN_NO_MOMENT)
        goban_view_play_moment (self->view, moment);
      if (placed->trouble != NULL)
        goban_session_say (self, TRUE, "%s", placed->trouble);
    }
  else if (placed != NULL && placing->fork_of == NULL
           && goban_cost_model_get_graph (placing->costs) == goban_session_get_graph (self))
    /* The cluster has changed while the worker was at it: ask again for the new one. */
    place_like (self, title, placing);
  placing_release (placing);
}

void
goban_session_place (GobanSession *self, const char *policy, guint64 seed)
{
  const char *const policies[] = { policy, NULL };
  GobanRunOptions options = { .seed = seed };

  g_return_if_fail (GOBAN_IS_SESSION (self) && policy != NULL);

  goban_session_place_with (self, policies, &options);
}

/* The user may have waited a long time for it. */
static void
say_cancelled (GobanSession *self)
{
  if (goban_session_get_job (self) != NULL)
    goban_session_say (self, FALSE, "%s was cancelled: only one job can run at a time",
                       goban_job_get_title (goban_session_get_job (self)));
}

void
goban_session_fork (GobanSession *self, guint step, const char *policy,
                    const GobanRunOptions *options)
{
  const char *const policies[] = { policy, NULL };
  Placing placing = { .policies = (char **) policies,
                      .options = *options,
                      .fork_of = goban_session_get_current_run (self),
                      .fork_step = step };
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && policy != NULL);

  if (placing.fork_of == NULL || !goban_fork_check_policy (policy, &error))
    {
      goban_session_say (self, TRUE, "%s",
                         error != NULL ? error->message : "There is no plan to go on from");
      return;
    }
  say_cancelled (self);
  title = g_strdup_printf ("Going on with %s", policy);
  place_like (self, title, &placing);
}

void
goban_session_force (GobanSession *self, GobanMoment moment, guint32 option)
{
  GobanRun *run;
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;
  Placing placing = { .force = { moment, option, GOBAN_FORCE_PLAN } };

  g_return_if_fail (GOBAN_IS_SESSION (self) && moment > 0);

  run = goban_session_get_current_run (self);
  g_return_if_fail (run != NULL);
  if (!goban_force_check (run, &placing.force, &error))
    {
      goban_session_say (self, TRUE, "%s", error->message);
      return;
    }
  const char *const policies[] = { goban_plan_get_policy (goban_run_get_plan (run)), NULL };

  placing.policies = (char **) policies;
  placing.fork_of = run;
  say_cancelled (self);
  title = g_strdup_printf ("Forcing decision %u", moment);
  place_like (self, title, &placing);
}

void
goban_session_place_with (GobanSession *self, const char *const *policies,
                          const GobanRunOptions *options)
{
  Placing placing = { .policies = (char **) policies };
  g_autofree char *title = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && policies != NULL && policies[0] != NULL);

  if (goban_session_get_graph (self) == NULL)
    {
      goban_session_say (self, TRUE, "There is no graph to place: open one first");
      return;
    }
  say_cancelled (self);
  title = policies[1] == NULL
              ? g_strdup_printf ("Placing with %s", policies[0])
              : g_strdup_printf ("Placing with %u policies", g_strv_length ((char **) policies));
  if (options != NULL)
    placing.options = *options;
  place_like (self, title, &placing);
}

void
goban_session_finish_job (GobanSession *self)
{
  GobanJob *job;
  Placing *placing;
  GobanPolicyInfo info;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  job = goban_session_get_job (self);
  placing = job != NULL ? g_object_get_data (G_OBJECT (job), "placing") : NULL;
  if (placing != NULL)
    placing->is_given_up = g_atomic_int_get (&placing->finish) != 0;
  if (placing == NULL || g_atomic_int_get (&placing->finish) != 0
      || (placing->policies[1] == NULL
          && (!goban_policy_find (placing->policies[0], &info, NULL)
              || g_str_equal (info.effort, "quick"))))
    goban_session_cancel_job (self);
  else
    g_atomic_int_set (&placing->finish, GOBAN_FINISH_EARLY);
}

void
goban_session_place_opened (GobanSession *self)
{
  const GobanGraph *graph = goban_session_get_graph (self);

  place_like (self, "Placing",
              &(Placing){ .policies = (char **) choose_policies (graph), .is_opening = TRUE });
}
