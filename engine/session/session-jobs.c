/* session-jobs.c: jobs of a session in a worker: loading and placing.
 *
 * A worker gets values (costs, names), never the session. Its result is used only if its job is
 * still the session's job when it ends: a newer job replaces an older one.
 */
#include "engine/session/carry.h"
#include "engine/session/document.h"
#include "engine/session/edit.h"
#include "engine/session/log-lines.h"
#include "engine/session/session-private.h"

#include "engine/base/error.h"
#include "engine/graph/training.h"
#include "engine/io/io.h"
#include "engine/workloads/workload.h"

#include <inttypes.h>
#include <string.h>

/* What a graph is first shown with: from the plainest to the strongest. */
static const char *const default_policies[]
    = { "single", "tf-default", "metis", "critical-path", "heft", NULL };

gboolean
goban_session_is_spec (const char *text)
{
  return goban_workload_is_spec (text) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

/* A misspelt family looks like a missing file, so the error also lists the families. */
static void
mention_families (GError **error)
{
  g_autoptr (GString) message = NULL;
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  if (error == NULL)
    return;

  message = g_string_new ((*error)->message);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (message, "%s%s", i > 0 ? ", " : "; nor is it generated, as are ",
                            families[i]->name);
  g_clear_error (error);
  g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_IO, message->str);
}

static GobanGraph *
generate (const char *spec, const GobanLoadOptions *options, GError **error)
{
  if (options->batch > 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                   "%s: the batch of a generated graph is a key of its spec: batch=%" PRId64, spec,
                   options->batch);
      return NULL;
    }
  return goban_workload_generate (spec, error);
}

static GobanGraph *
read_or_generate (const char *path, const GobanLoadOptions *options, GError **error)
{
  GobanReadOptions reading = {
    .time_unit_us = options->time_unit_us,
    .batch = options->batch,
    .with_backward = options->with_backward,
    .keep_constants = options->keep_constants,
    .only_regular = options->only_regular,
    .progress = options->progress,
  };
  GobanGraph *graph;

  /* Who names a format means a file. */
  if (options->format == NULL && goban_session_is_spec (path))
    return generate (path, options, error);

  graph = goban_graph_load (path, options->format, &reading, error);
  if (graph == NULL && strchr (path, ':') != NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    mention_families (error);
  return graph;
}

/* A file that names an invalid cluster is refused here, so that no other code has to handle it. */
static gboolean
check_own_cluster (const GobanGraph *graph, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GobanCluster) own = goban_cluster_new_for_graph (graph, &local);

  if (local == NULL)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: its cluster: %s", path, local->message);
}

GobanGraph *
goban_session_load_graph (const char *path, const GobanLoadOptions *options, GError **error)
{
  static const GobanLoadOptions none = { 0 };
  g_autoptr (GobanGraph) graph = NULL;
  GobanTrainingCosts training_costs = goban_training_costs_default ();

  if (options == NULL)
    options = &none;

  graph = read_or_generate (path, options, error);
  if (graph != NULL && !check_own_cluster (graph, path, error))
    return NULL;
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

/* Policies and options of placing, shared by the worker and a possible later request. */
typedef struct
{
  GobanCostModel *costs;
  char **policies;
  GobanRunOptions options;
  gboolean is_opening; /* a part of opening the graph, no change of its own */
  gint finish;         /* atomic */
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
  g_clear_pointer (&placing->options.pinned, goban_selection_unref);
  g_clear_pointer (&placing->options.pinned_by, goban_plan_unref);
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

/* The progress of one policy as a part of all. */
typedef struct
{
  const GobanProgress *whole;
  const gint *finish;
  const char *policy;
  guint i;
  guint n;
} Part;

static void
part_step_worker (double fraction, const char *what, gpointer user_data)
{
  const Part *part = user_data;
  g_autofree char *text = NULL;

  if (part->n == 1)
    {
      goban_progress_step (part->whole, fraction, what);
      return;
    }
  text = what != NULL && *what != '\0' ? g_strdup_printf ("%s, %s", part->policy, what)
                                       : g_strdup (part->policy);
  goban_progress_step (part->whole, (part->i + CLAMP (fraction, 0, 1)) / part->n, text);
}

static gboolean
part_should_stop_worker (gpointer user_data)
{
  const Part *part = user_data;
  const GobanProgress *whole = part->whole;

  /* The plans of the others are what there is to end with. */
  if (part->n > 1 && g_atomic_int_get (part->finish) != 0)
    return TRUE;
  return whole->should_stop != NULL && whole->should_stop (whole->user_data);
}

static GobanRun *
place_part (const Placing *placing, Part *part, GError **error)
{
  GobanProgress progress = { part_step_worker, part_should_stop_worker, part };
  GobanRunOptions options = placing->options;

  options.progress = &progress;
  options.finish = part->finish;
  return goban_run_new_from_policy (placing->costs, part->policy, &options, error);
}

/* If a policy fails, the others' plans are kept, and the failure is reported. */
static gpointer
place_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Placing *placing = data;
  g_autoptr (Placed) placed = g_new0 (Placed, 1);
  guint n = g_strv_length (placing->policies);

  placed->runs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) local = NULL;
      Part part = { progress, &placing->finish, placing->policies[i], i, n };
      GobanRun *run;

      goban_progress_step (progress, n > 1 ? (double) i / n : -1, n > 1 ? part.policy : "");
      run = place_part (placing, &part, &local);
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

/* Pinned nodes keep their devices in the current plan; without a plan these are unknown. */
static void
keep_pinned (GobanSession *self, GobanRunOptions *options)
{
  GobanRun *run = goban_session_get_current_run (self);
  GobanSelection *pinned = goban_session_get_pinned (self);
  guint n;

  options->pinned = NULL;
  options->pinned_by = NULL;
  goban_selection_get_ids (pinned, &n);
  if (n == 0 || run == NULL
      || goban_plan_get_n_devices (goban_run_get_plan (run))
             != goban_cluster_get_n_devices (goban_session_get_cluster (self)))
    return;
  options->pinned = goban_selection_ref (pinned);
  options->pinned_by = goban_plan_ref (goban_run_get_plan (run));
}

/* @like: what is asked, copied. */
static void
place_like (GobanSession *self, const char *title, const Placing *like)
{
  Placing *placing = g_rc_box_new0 (Placing);

  placing->costs = goban_cost_model_ref (goban_session_get_costs (self));
  placing->policies = g_strdupv (like->policies);
  placing->options = like->options;
  placing->options.progress = NULL;
  placing->options.finish = NULL;
  keep_pinned (self, &placing->options);
  placing->is_opening = like->is_opening;
  start (self, title, place_worker, placing, placing_release, (GDestroyNotify) placed_free,
         G_CALLBACK (placed_cb));
  g_object_set_data_full (G_OBJECT (goban_session_get_job (self)), "placing",
                          g_rc_box_acquire (placing), placing_release);
}

/* One line, since it is one change: view.show(sim.run(...)), view.show{sim.run(...), sim.run(...)}. */
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

static void
add_placed (GobanSession *self, GPtrArray *runs, Placing *placing)
{
  GobanRun *best = g_ptr_array_index (runs, 0);
  g_autofree char *name = NULL;

  for (guint i = 1; i < runs->len; i++)
    if (goban_run_compare (g_ptr_array_index (runs, i), best) < 0)
      best = g_ptr_array_index (runs, i);

  if (runs->len > 1)
    name = g_strdup_printf ("place with %u policies", runs->len);
  else
    name = g_strdup_printf ("place with %s", goban_run_get_name (best));
  goban_session_add_runs (self, placing->is_opening ? NULL : name, runs, best);
  log_placed (self, runs, placing);
}

static void
placed_cb (GobanJob *job, GobanSession *self)
{
  g_autofree char *title = g_strdup (goban_job_get_title (job));
  Placing *placing = g_rc_box_acquire (g_object_get_data (G_OBJECT (job), "placing"));
  g_autoptr (Placed) placed = end (self, job);

  if (placed != NULL && placing->costs == goban_session_get_costs (self))
    {
      add_placed (self, placed->runs, placing);
      if (placed->trouble != NULL)
        goban_session_say (self, TRUE, "%s", placed->trouble);
    }
  else if (placed != NULL
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
  /* The user may have waited a long time for it. */
  if (goban_session_get_job (self) != NULL)
    goban_session_say (self, FALSE, "%s was given up: one piece of work runs at a time",
                       goban_job_get_title (goban_session_get_job (self)));
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
  if (placing == NULL || g_atomic_int_get (&placing->finish) != 0
      || (placing->policies[1] == NULL
          && (!goban_policy_find (placing->policies[0], &info, NULL)
              || g_str_equal (info.effort, "quick"))))
    goban_session_cancel_job (self);
  else
    g_atomic_int_set (&placing->finish, 1);
}

/* --- carrying plans over --------------------------------------------------------------------- */

/* Plans of a graph as it was before its file changed, and of the graph as it is now. */
typedef struct
{
  GobanState *before;
  GobanCostModel *costs;
  guint n_known;        /* nodes that the old graph had */
  gboolean was_changed; /* the plans are not saved */
  GPtrArray *runs;
  GobanRun *shown; /* (nullable) */
} Carrying;

static void
carrying_free (gpointer data)
{
  Carrying *carrying = data;

  goban_state_unref (carrying->before);
  goban_cost_model_unref (carrying->costs);
  g_ptr_array_unref (carrying->runs);
  g_clear_object (&carrying->shown);
  g_free (carrying);
}

static Carrying *
carrying_new (GobanState *before, GobanCostModel *costs)
{
  Carrying *carrying = g_new0 (Carrying, 1);

  carrying->before = goban_state_ref (before);
  carrying->costs = goban_cost_model_ref (costs);
  carrying->runs = g_ptr_array_new_with_free_func (g_object_unref);
  return carrying;
}

/* A plan that does not fit any more is left out, and counted by who compares. */
static gpointer
carry_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Carrying *asked = data;
  GPtrArray *old = asked->before->runs;
  Carrying *done = carrying_new (asked->before, asked->costs);

  done->was_changed = asked->was_changed;
  done->n_known = goban_carry_count (goban_cost_model_get_graph (asked->before->costs),
                                     goban_cost_model_get_graph (asked->costs));
  for (guint i = 0; i < old->len; i++)
    {
      GobanRun *run = NULL;

      goban_progress_step (progress, (double) i / old->len, "simulating");
      if (goban_progress_check (progress, error))
        run = goban_carry_run (g_ptr_array_index (old, i), asked->costs, NULL); /* it is counted */
      else
        {
          carrying_free (done);
          return NULL;
        }
      if (run != NULL)
        g_ptr_array_add (done->runs, run);
      if (run != NULL && g_ptr_array_index (old, i) == asked->before->current)
        g_set_object (&done->shown, run);
    }
  return done;
}

/* Reports the number of plans that were kept, and how they were adapted to the changed graph. */
static void
tell_carried (GobanSession *self, const Carrying *done)
{
  guint n = goban_graph_get_n_nodes (goban_session_get_graph (self));
  guint n_lost = done->before->runs->len - done->runs->len;

  if (done->n_known < n || n_lost > 0)
    goban_session_say (
        self, FALSE,
        "%u of %u plans go on with the changed graph: %u of its %u nodes are where they "
        "were, by name, and %u beside their neighbours; kernels were taken apart. A saved "
        "session has the plans as they were",
        done->runs->len, done->before->runs->len, done->n_known, n, n - done->n_known);
}

static void
take_carried (GobanSession *self, const Carrying *done)
{
  g_autoptr (GobanSelection) pinned = NULL;

  goban_session_add_runs (self, NULL, done->runs,
                          done->shown != NULL ? done->shown : g_ptr_array_index (done->runs, 0));
  pinned = goban_carry_nodes (goban_cost_model_get_graph (done->before->costs),
                              goban_session_get_graph (self), done->before->pinned);
  goban_session_pin (self, pinned, TRUE);
  goban_session_log (self, "-- the plans of the graph as it was before went on with it");
  tell_carried (self, done);
  if (done->was_changed)
    goban_document_set_unsaved (goban_document_get (self));
}

static void
carried_cb (GobanJob *job, GobanSession *self)
{
  g_autoptr (GobanJob) held = g_object_ref (job);
  GobanSnapshot *unsaved = g_object_get_data (G_OBJECT (job), "unsaved");
  Carrying *done = end (self, job);
  gboolean is_complete = FALSE;

  if (done != NULL && done->costs == goban_session_get_costs (self) && done->runs->len > 0)
    {
      take_carried (self, done);
      is_complete = done->runs->len == done->before->runs->len;
    }
  /* Another job took the place of this one, or the plans do not fit the changed graph. */
  if (!is_complete && unsaved != NULL)
    goban_document_keep_replaced (goban_document_get (self), unsaved);
  g_clear_pointer (&done, carrying_free);
}

/* @unsaved: (nullable): the old session if it was not saved */
static void
carry_over (GobanSession *self, GobanState *before, GobanSnapshot *unsaved)
{
  Carrying *asked = carrying_new (before, goban_session_get_costs (self));

  asked->was_changed = unsaved != NULL;
  start (self, "Keeping the plans", carry_worker, asked, carrying_free, carrying_free,
         G_CALLBACK (carried_cb));
  if (unsaved != NULL)
    g_object_set_data_full (G_OBJECT (goban_session_get_job (self)), "unsaved",
                            goban_snapshot_ref (unsaved), (GDestroyNotify) goban_snapshot_unref);
}

/* --- opening ------------------------------------------------------------------------------- */

typedef struct
{
  char *path;
  GobanState *last;    /* whose cluster the graph is opened on, unless its file names one */
  GobanCluster *known; /* (nullable) */
  gboolean is_again;   /* the file of the graph that is open */
} Loading;

typedef struct
{
  GobanGraph *graph;
  GobanState *state; /* (nullable): the graph on its cluster */
  GobanState *last;  /* that it was made from */
  gboolean is_again;
} Loaded;

static void
loading_free (Loading *asked)
{
  g_free (asked->path);
  goban_state_unref (asked->last);
  g_clear_pointer (&asked->known, goban_cluster_unref);
  g_free (asked);
}

static void
loaded_free (Loaded *loaded)
{
  g_clear_pointer (&loaded->state, goban_state_unref);
  goban_state_unref (loaded->last);
  goban_graph_unref (loaded->graph);
  g_free (loaded);
}

/* What every op costs where is worked out here too: it takes 4 ms of 80,000 nodes. */
static gpointer
load_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Loading *asked = data;
  GobanLoadOptions options = { .progress = progress };
  g_autoptr (GobanGraph) graph = goban_session_load_graph (asked->path, &options, error);
  Loaded *loaded;

  /* A generator cannot be cancelled, but its result is dropped. */
  if (graph == NULL || !goban_progress_check (progress, error))
    return NULL;
  loaded = g_new0 (Loaded, 1);
  loaded->state = goban_state_for_graph (asked->last, graph, asked->known, asked->is_again);
  loaded->graph = g_steal_pointer (&graph);
  loaded->last = goban_state_ref (asked->last);
  loaded->is_again = asked->is_again;
  return loaded;
}

/* The cluster may be another one by now. */
static void
show_loaded (GobanSession *self, Loaded *loaded, const char *path)
{
  GobanState *present = goban_session_get_state (self);

  if (loaded->last->cluster != present->cluster)
    {
      goban_state_unref (loaded->state);
      loaded->state = goban_state_for_graph (
          present, loaded->graph, goban_session_get_known_cluster (self), loaded->is_again);
    }
  goban_session_take_graph (self, loaded->graph, path, g_steal_pointer (&loaded->state));
}

/* FALSE if no plan on the session's cluster would mean anything. */
static gboolean
say_costs (GobanSession *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *warning = NULL;

  if (!goban_cluster_check_times (goban_session_get_cluster (self), goban_session_get_graph (self),
                                  &warning, &error))
    goban_session_say (self, TRUE, "%s", error->message);
  else if (warning != NULL)
    goban_session_say (self, FALSE, "%s", warning);
  return error == NULL;
}

static void
loaded_cb (GobanJob *job, GobanSession *self)
{
  Loaded *loaded;
  const char *const *warnings;
  const char *path = g_object_get_data (G_OBJECT (job), "path");

  g_object_ref (job);
  loaded = end (self, job);
  if (loaded != NULL)
    {
      g_autofree char *quoted = goban_log_path (path);
      g_autofree char *line = g_strdup_printf ("app.open %s", quoted);
      /* The same file once more: what was done to its graph goes on. A copy holds its runs. */
      gboolean is_again = g_strcmp0 (goban_session_get_path (self), path) == 0
                          && goban_session_get_state (self)->runs->len > 0;
      g_autoptr (GobanState) before = goban_state_copy (goban_session_get_state (self));
      g_autofree char *notes = g_strdup (goban_session_get_notes (self));
      GobanDocument *document = goban_document_get (self);
      g_autoptr (GobanSnapshot) unsaved
          = is_again && goban_document_is_changed (document)
                ? goban_document_make_snapshot (document, GOBAN_DEPARTURE_REPLACED)
                : NULL;

      show_loaded (self, loaded, path);
      goban_session_log (self, line);
      warnings = goban_graph_get_warnings (loaded->graph);
      for (guint i = 0; warnings[i] != NULL; i++)
        goban_session_say (self, FALSE, "%s", warnings[i]);
      if (!say_costs (self))
        g_debug ("the graph stays without plans");
      else if (is_again)
        {
          goban_session_keep_notes (self, notes);
          carry_over (self, before, unsaved);
        }
      else
        place_like (self, "Placing",
                    &(Placing){ .policies = (char **) default_policies, .is_opening = TRUE });
      loaded_free (loaded);
    }
  g_object_unref (job);
}

void
goban_session_open_path (GobanSession *self, const char *path)
{
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;
  Loading *asked;

  g_return_if_fail (GOBAN_IS_SESSION (self) && path != NULL);

  name = g_filename_display_basename (path);
  title = g_strdup_printf (goban_session_is_spec (path) ? "Generating %s" : "Opening %s", name);
  asked = g_new0 (Loading, 1);
  asked->path = g_strdup (path);
  asked->last = goban_state_ref (goban_session_get_state (self));
  if (goban_session_get_known_cluster (self) != NULL)
    asked->known = goban_cluster_ref (goban_session_get_known_cluster (self));
  asked->is_again = g_strcmp0 (goban_session_get_path (self), path) == 0;
  start (self, title, load_worker, asked, (GDestroyNotify) loading_free,
         (GDestroyNotify) loaded_free, G_CALLBACK (loaded_cb));
  g_object_set_data_full (G_OBJECT (goban_session_get_job (self)), "path", g_strdup (path), g_free);
}

void
goban_session_open_plan (GobanSession *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *name = NULL;
  g_autofree char *quoted_path = NULL;
  g_autofree char *quoted_name = NULL;
  g_autofree char *line = NULL;

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
  name = g_filename_display_basename (path);
  run = goban_run_new (goban_session_get_costs (self), plan, name);
  goban_session_add_run (self, run);
  quoted_path = goban_log_path (path);
  quoted_name = goban_log_quote (name);
  line = g_strdup_printf ("view.show(sim.run(plan.load(%s, g), { name = %s }))", quoted_path,
                          quoted_name);
  goban_session_log (self, line);
}
