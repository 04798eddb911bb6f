/* session-jobs.c: what a session does in a worker: loading and placing.
 *
 * A worker gets values (costs, names), never the session. Its result counts only if its
 * job is still the session's job when it ends: a newer job makes an older one void.
 */
#include "engine/session/session-private.h"

#include "engine/base/error.h"
#include "engine/graph/training.h"
#include "engine/io/io.h"

/* What a graph is first shown with: from the plainest to the strongest. */
static const char *const default_policies[]
    = { "single", "tf-default", "metis", "critical-path", "heft", NULL };

GobanGraph *
goban_session_load_graph (const char *path, const GobanLoadOptions *options, GError **error)
{
  static const GobanLoadOptions none = { 0 };
  g_autoptr (GobanGraph) graph = NULL;
  GobanTrainingCosts training_costs = goban_training_costs_default ();
  GobanReadOptions reading;

  if (options == NULL)
    options = &none;

  reading = (GobanReadOptions){
    .time_unit_us = options->time_unit_us,
    .batch = options->batch,
    .with_backward = options->with_backward,
    .keep_constants = options->keep_constants,
    .progress = options->progress,
  };
  graph = goban_graph_load (path, options->format, &reading, error);
  if (graph == NULL || !options->training)
    return g_steal_pointer (&graph);
  return goban_graph_new_training (graph, &training_costs, error);
}

gboolean
goban_session_check_reader (const char *format, GError **error)
{
  return format == NULL || goban_format_find (format, error) != NULL;
}

gboolean
goban_session_check_writer (const char *path, const char *format, GError **error)
{
  return goban_format_find_writer (path, format, error) != NULL;
}

gboolean
goban_session_save_graph (GobanGraph *graph, const char *path, const char *format, GError **error)
{
  return goban_graph_save (graph, path, format, error);
}

/* Starts a job in place of the one that runs. @finished_cb gets the job and the session. */
static void
start (GobanSession *self, const char *title, GobanJobFunc func, gpointer data,
       GDestroyNotify free_data, GDestroyNotify free_result, GCallback finished_cb)
{
  GobanJob *job;

  goban_session_cancel_job (self);
  job = goban_job_start (title, func, data, free_data, free_result);
  g_signal_connect_object (job, "done", finished_cb, self, 0);
  goban_session_take_job (self, job);
}

/* The result of a job that ended, if it still counts; (transfer full) (nullable). Says what failed. */
static gpointer
end (GobanSession *self, GobanJob *job)
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

typedef struct
{
  GobanCostModel *costs;
  char **policies;
  guint64 seed;
} Placing;

static void
placing_free (Placing *placing)
{
  goban_cost_model_unref (placing->costs);
  g_strfreev (placing->policies);
  g_free (placing);
}

static gpointer
place_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Placing *placing = data;
  GobanRunOptions options = { .seed = placing->seed, .progress = progress };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_strv_length (placing->policies);

  for (guint i = 0; i < n; i++)
    {
      GobanRun *run;

      goban_progress_step (progress, (double) i / n, placing->policies[i]);
      if (!goban_progress_check (progress, error))
        return NULL;
      run = goban_run_new_from_policy (placing->costs, placing->policies[i], &options, error);
      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
    }
  return g_steal_pointer (&runs);
}

static void
placed_cb (GobanJob *job, GobanSession *self)
{
  g_autoptr (GPtrArray) runs = end (self, job);
  GobanRun *best = NULL;

  if (runs == NULL)
    return;

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);

      /* The graph or the cluster may have changed while the worker was at it. */
      if (goban_run_get_costs (run) != goban_session_get_costs (self))
        return;
      if (best == NULL || goban_run_compare (run, best) < 0)
        best = run;
    }
  for (guint i = 0; i < runs->len; i++)
    goban_session_add_run (self, g_ptr_array_index (runs, i));
  if (best != NULL)
    goban_session_set_current_run (self, best);
}

static void
place_with (GobanSession *self, const char *title, const char *const *policies, guint64 seed)
{
  Placing *placing = g_new0 (Placing, 1);

  placing->costs = goban_cost_model_ref (goban_session_get_costs (self));
  placing->policies = g_strdupv ((char **) policies);
  placing->seed = seed;
  start (self, title, place_worker, placing, (GDestroyNotify) placing_free,
         (GDestroyNotify) g_ptr_array_unref, G_CALLBACK (placed_cb));
}

void
goban_session_place (GobanSession *self, const char *policy, guint64 seed)
{
  const char *const policies[] = { policy, NULL };
  g_autofree char *title = g_strdup_printf ("Placing with %s", policy);

  g_return_if_fail (GOBAN_IS_SESSION (self) && policy != NULL);

  if (goban_session_get_graph (self) == NULL)
    {
      goban_session_say (self, TRUE, "There is no graph to place: open one first");
      return;
    }
  place_with (self, title, policies, seed);
}

/* --- opening ------------------------------------------------------------------------------- */

static gpointer
load_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  GobanLoadOptions options = { .progress = progress };

  return goban_session_load_graph (data, &options, error);
}

static void
loaded_cb (GobanJob *job, GobanSession *self)
{
  g_autoptr (GobanGraph) graph = NULL;
  const char *const *warnings;
  const char *path = g_object_get_data (G_OBJECT (job), "path");

  g_object_ref (job);
  graph = end (self, job);
  if (graph != NULL)
    {
      goban_session_set_graph (self, graph, path);
      warnings = goban_graph_get_warnings (graph);
      for (guint i = 0; warnings[i] != NULL; i++)
        goban_session_say (self, FALSE, "%s", warnings[i]);
      place_with (self, "Placing", default_policies, 0);
    }
  g_object_unref (job);
}

void
goban_session_open_path (GobanSession *self, const char *path)
{
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && path != NULL);

  name = g_path_get_basename (path);
  title = g_strdup_printf ("Opening %s", name);
  start (self, title, load_worker, g_strdup (path), g_free, (GDestroyNotify) goban_graph_unref,
         G_CALLBACK (loaded_cb));
  g_object_set_data_full (G_OBJECT (goban_session_get_job (self)), "path", g_strdup (path), g_free);
}

void
goban_session_open_plan (GobanSession *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *name = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && path != NULL);

  if (goban_session_get_costs (self) == NULL)
    {
      goban_session_say (self, TRUE, "%s: a plan needs its graph: open that first", path);
      return;
    }
  plan = goban_plan_load (path, goban_session_get_costs (self), &error);
  if (plan == NULL)
    {
      goban_session_say (self, TRUE, "%s", error->message);
      return;
    }
  name = g_path_get_basename (path);
  run = goban_run_new (goban_session_get_costs (self), plan, name);
  goban_session_add_run (self, run);
}
