#include "engine/session/document/opening.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/session/session-scenes.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/remap.h"

/* Data of a session: the job that reads a graph beside the session's job. */
#define KEY_READING "goban-reading"

/* --- carrying plans over --------------------------------------------------------------------- */

/* Plans of a graph as it was before its file changed, and of the graph as it is now. */
typedef struct
{
  GobanState *before;
  GobanCostModel *costs;
  guint n_known;        /* nodes that the old graph had */
  gboolean was_changed; /* the plans were not saved */
  GPtrArray *runs;
  GobanRun *shown; /* (nullable) */
} Carrying;

static void
carrying_free (Carrying *carrying)
{
  goban_state_unref (carrying->before);
  goban_cost_model_unref (carrying->costs);
  g_ptr_array_unref (carrying->runs);
  g_clear_pointer (&carrying->shown, goban_run_unref);
  g_free (carrying);
}

static Carrying *
carrying_new (GobanState *before, GobanCostModel *costs)
{
  Carrying *carrying = g_new0 (Carrying, 1);

  carrying->before = goban_state_ref (before);
  carrying->costs = goban_cost_model_ref (costs);
  carrying->runs = goban_run_array_new ();
  return carrying;
}

/* A plan that does not fit any more is left out; the caller counts these. */
static gpointer
carry_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Carrying *asked = data;
  GPtrArray *old = asked->before->runs;
  Carrying *done = carrying_new (asked->before, asked->costs);

  done->was_changed = asked->was_changed;
  done->n_known = goban_remap_count (goban_cost_model_get_graph (asked->before->costs),
                                     goban_cost_model_get_graph (asked->costs));
  for (guint i = 0; i < old->len; i++)
    {
      GobanRun *run = NULL;

      goban_progress_step (progress, (double) i / old->len, _ ("simulating"));
      if (goban_progress_check (progress, error))
        run = goban_remap_run (g_ptr_array_index (old, i), asked->costs, NULL); /* it is counted */
      else
        {
          carrying_free (done);
          return NULL;
        }
      if (run != NULL)
        g_ptr_array_add (done->runs, run);
      if (run != NULL && g_ptr_array_index (old, i) == asked->before->current)
        goban_run_set (&done->shown, run);
    }
  return done;
}

/* Reports the kept plans: how many, and how they were carried over to the present graph. */
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
  pinned = goban_remap_nodes (goban_cost_model_get_graph (done->before->costs),
                              goban_session_get_graph (self), done->before->pinned);
  goban_session_pin (self, pinned, TRUE);
  goban_session_scenes_carry (goban_session_scenes_of (self), done->before->scenes,
                              goban_cost_model_get_graph (done->before->costs));
  goban_session_log (self, "-- the plans of the graph as it was before went on with it");
  tell_carried (self, done);
  if (done->was_changed)
    goban_document_set_settled (goban_document_get (self), FALSE);
}

static void
carried_cb (GobanJob *job, GobanSession *self)
{
  g_autoptr (GobanJob) held = g_object_ref (job);
  GobanSnapshot *unsaved = g_object_get_data (G_OBJECT (job), "unsaved");
  Carrying *done = goban_session_end_job (self, job);
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

static const GobanSessionWork carry_work = { carry_worker, (GDestroyNotify) carrying_free,
                                             (GDestroyNotify) carrying_free, carried_cb, NULL };

/* @unsaved: (nullable): the session as it was, if it has unsaved changes */
static void
carry_over (GobanSession *self, GobanState *before, GobanSnapshot *unsaved)
{
  Carrying *asked = carrying_new (before, goban_session_get_costs (self));

  asked->was_changed = unsaved != NULL;
  goban_session_start_job (self, "Keeping the plans", &carry_work, asked);
  if (unsaved != NULL)
    g_object_set_data_full (G_OBJECT (goban_session_get_job (self)), "unsaved",
                            goban_snapshot_ref (unsaved), (GDestroyNotify) goban_snapshot_unref);
}

/* --- opening ------------------------------------------------------------------------------- */

typedef struct
{
  char *path;
  GobanGraph *measured; /* (nullable): the path is that of a profile of this graph */
  GobanState *last;     /* whose cluster the graph is opened on, unless its file names one */
  GobanCluster *known;  /* (nullable) */
  gboolean is_again;    /* the file of the graph that is open */
} Loading;

typedef struct
{
  GobanGraph *graph;
  GobanState *state; /* (nullable): the graph on its cluster */
  GobanState *last;  /* that it was made from */
  gboolean is_again;
  gboolean is_measured;
} Loaded;

static void
loading_free (Loading *asked)
{
  g_free (asked->path);
  g_clear_pointer (&asked->measured, goban_graph_unref);
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

/* The costs of every op on every device are computed here too: 4 ms for 80,000 nodes. */
static gpointer
load_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Loading *asked = data;
  GobanLoadOptions options = { .progress = progress };
  g_autoptr (GobanGraph) graph
      = asked->measured != NULL ? goban_graph_source_measure (asked->measured, asked->path,
                                                              asked->last->cluster, progress, error)
                                : goban_graph_source_load (asked->path, &options, error);
  Loaded *loaded;

  /* A generator cannot be interrupted; its result is dropped afterwards. */
  if (graph == NULL || !goban_progress_check (progress, error))
    return NULL;
  loaded = g_new0 (Loaded, 1);
  loaded->state = goban_state_for_graph (asked->last, graph, asked->known, asked->is_again);
  loaded->graph = g_steal_pointer (&graph);
  loaded->last = goban_state_ref (asked->last);
  loaded->is_again = asked->is_again;
  loaded->is_measured = asked->measured != NULL;
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

struct _GobanReadGraph
{
  GobanSession *session;
  Loaded *loaded;
  char *path;
};

/* Reading the same file again keeps the plans of its graph. */
static void
open_loaded (GobanSession *self, Loaded *loaded, const char *path)
{
  g_autofree char *quoted = goban_log_path (path);
  g_autofree char *line = g_strdup_printf (
      loaded->is_measured ? "view.show(g:with_costs(%s))" : "app.open %s", quoted);
  g_autofree char *origin = g_strdup (loaded->is_measured ? goban_session_get_path (self) : path);
  gboolean is_again = g_strcmp0 (goban_session_get_path (self), origin) == 0
                      && goban_session_get_state (self)->runs->len > 0;
  /* A copy holds its runs. */
  g_autoptr (GobanState) before = goban_state_copy (goban_session_get_state (self));
  g_autofree char *notes = g_strdup (goban_session_get_notes (self));
  GobanDocument *document = goban_document_get (self);
  g_autoptr (GobanSnapshot) unsaved
      = is_again && goban_document_is_changed (document)
            ? goban_document_make_snapshot (document, GOBAN_DEPARTURE_REPLACED)
            : NULL;
  const char *const *warnings;

  show_loaded (self, loaded, origin);
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
    goban_session_place_opened (self);
}

const char *
goban_read_graph_get_path (const GobanReadGraph *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}

void
goban_read_graph_open (const GobanReadGraph *self)
{
  g_return_if_fail (self != NULL);

  open_loaded (self->session, self->loaded, self->path);
}

void
goban_read_graph_free (GobanReadGraph *self)
{
  g_object_unref (self->session);
  loaded_free (self->loaded);
  g_free (self->path);
  g_free (self);
}

/* Who asked for a graph instead of opening it. */
typedef struct
{
  GWeakRef owner;
  GobanReadGraphFunc func;
} Reader;

static void
reader_free (gpointer data)
{
  Reader *reader = data;

  g_weak_ref_clear (&reader->owner);
  g_free (reader);
}

static void
hand_over (GobanSession *self, Reader *reader, Loaded *loaded, const char *path)
{
  g_autoptr (GObject) owner = g_weak_ref_get (&reader->owner);
  GobanReadGraph *read;

  if (owner == NULL)
    {
      loaded_free (loaded);
      return;
    }
  read = g_new (GobanReadGraph, 1);
  *read = (GobanReadGraph){ g_object_ref (self), loaded, g_strdup (path) };
  reader->func (owner, read);
}

/* As goban_session_end_job(), of a job beside the session's. */
static Loaded *
end_reading (GobanSession *self, GobanJob *job)
{
  g_autoptr (GError) error = NULL;
  Loaded *loaded = goban_job_steal_result (job, &error);

  g_object_set_data (G_OBJECT (self), KEY_READING, NULL);
  if (error != NULL)
    goban_session_say (self, TRUE, "%s", error->message);
  return loaded;
}

static void
loaded_cb (GobanJob *job, GobanSession *self)
{
  g_autoptr (GobanJob) held = g_object_ref (job);
  Loaded *loaded = job == g_object_get_data (G_OBJECT (self), KEY_READING)
                       ? end_reading (self, job)
                       : goban_session_end_job (self, job);
  const char *path = g_object_get_data (G_OBJECT (job), "path");
  Reader *reader = g_object_get_data (G_OBJECT (job), "reader");

  if (loaded == NULL)
    return;
  if (reader != NULL)
    {
      hand_over (self, reader, loaded, path);
      return;
    }
  open_loaded (self, loaded, path);
  loaded_free (loaded);
}

static const GobanSessionWork load_work
    = { load_worker, (GDestroyNotify) loading_free, (GDestroyNotify) loaded_free, loaded_cb, NULL };

static void
drop_reading (gpointer job)
{
  goban_job_cancel (job);
  g_object_unref (job);
}

/* @asked: (transfer full). @reader: (transfer full) (nullable): reading alone lets a search go on,
 * because the open graph may be kept. */
static void
start_loading (GobanSession *self, Loading *asked, const char *title, Reader *reader)
{
  g_autofree char *path = g_strdup (asked->path);
  GobanJob *job = goban_session_get_job (self);

  asked->last = goban_state_ref (goban_session_get_state (self));
  if (goban_session_get_known_cluster (self) != NULL)
    asked->known = goban_cluster_ref (goban_session_get_known_cluster (self));
  g_object_set_data (G_OBJECT (self), KEY_READING, NULL);
  if (reader != NULL && job != NULL && g_object_get_data (G_OBJECT (job), "path") == NULL)
    {
      job = goban_job_start (title, load_work.func, asked, load_work.free_data,
                             load_work.free_result);
      g_signal_connect_object (job, "done", G_CALLBACK (loaded_cb), self, 0);
      g_object_set_data_full (G_OBJECT (self), KEY_READING, job, drop_reading);
    }
  else
    {
      goban_session_start_job (self, title, &load_work, asked);
      job = goban_session_get_job (self);
    }
  g_object_set_data_full (G_OBJECT (job), "path", g_steal_pointer (&path), g_free);
  if (reader != NULL)
    g_object_set_data_full (G_OBJECT (job), "reader", reader, reader_free);
}

static void
load_path (GobanSession *self, const char *path, Reader *reader)
{
  g_autofree char *name = goban_graph_source_dup_title (path, NULL);
  g_autofree char *title
      = g_strdup_printf (goban_graph_source_is_spec (path) ? "Generating %s" : "Opening %s", name);
  Loading *asked = g_new0 (Loading, 1);

  asked->path = g_strdup (path);
  asked->is_again = g_strcmp0 (goban_session_get_path (self), path) == 0;
  start_loading (self, asked, title, reader);
}

void
goban_session_open_path (GobanSession *self, const char *path)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && path != NULL);

  load_path (self, path, NULL);
}

void
goban_session_read_path (GobanSession *self, const char *path, GobanReadGraphFunc func,
                         gpointer owner)
{
  Reader *reader;

  g_return_if_fail (GOBAN_IS_SESSION (self) && path != NULL && func != NULL);

  reader = g_new0 (Reader, 1);
  g_weak_ref_init (&reader->owner, owner);
  reader->func = func;
  load_path (self, path, reader);
}

void
goban_session_open_profile (GobanSession *self, const char *path)
{
  GobanGraph *graph;
  Loading *asked;

  g_return_if_fail (GOBAN_IS_SESSION (self) && path != NULL);

  graph = goban_session_get_graph (self);
  if (graph == NULL)
    {
      goban_session_say (self, TRUE, "%s: measured times need their graph: open that first", path);
      return;
    }
  asked = g_new0 (Loading, 1);
  asked->path = g_strdup (path);
  asked->measured = goban_graph_ref (graph);
  asked->is_again = TRUE;
  start_loading (self, asked, "Reading measured times", NULL);
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
  quoted_name = goban_lua_text_quote (name);
  line = g_strdup_printf ("view.show(sim.run(plan.load(%s, g), { name = %s }))", quoted_path,
                          quoted_name);
  goban_session_log (self, line);
}
