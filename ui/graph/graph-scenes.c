#include "ui/graph/graph-scenes.h"

#include "engine/core/jobs/coalescing-worker.h"
#include "engine/study/analysis/coloring.h"
#include "engine/study/analysis/difference/compare-values.h"
#include "engine/study/run/run-list.h"
#include "ui/draw/graph/graph-painter.h"

/* Up to so many nodes all of it takes less than a few milliseconds. */
#define FEW_NODES 2000

/* --- parts shared by runs ------------------------------------------------------------------- */

/* A scene of all nodes is shared by those made of it. */
typedef struct
{
  GobanGraphScene *scene;
} Base;

static void
base_clear (gpointer data)
{
  goban_graph_scene_free (((Base *) data)->scene);
}

typedef struct
{
  GobanRunScene public;
  Base *base;
} RunScene;

static void
run_scene_clear (gpointer data)
{
  RunScene *self = data;

  g_clear_pointer (&self->public.scene, goban_graph_scene_free);
  g_atomic_rc_box_release_full (self->base, base_clear);
  goban_plot_unref (self->public.plot);
  goban_run_unref (self->public.run);
}

GobanRunScene *
goban_run_scene_ref (GobanRunScene *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
goban_run_scene_unref (GobanRunScene *self)
{
  g_atomic_rc_box_release_full (self, run_scene_clear);
}

static void
run_marks_clear (gpointer data)
{
  GobanRunMarks *self = data;

  goban_compare_marks_free (self->marks);
  goban_plot_unref (self->plot);
  goban_difference_unref (self->difference);
}

GobanRunMarks *
goban_run_marks_ref (GobanRunMarks *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
goban_run_marks_unref (GobanRunMarks *self)
{
  g_atomic_rc_box_release_full (self, run_marks_clear);
}

/* --- all that is shown together --------------------------------------------------------------- */

/* A request, and its results so far. */
typedef struct
{
  GobanPlot *plot;
  GPtrArray *runs;             /* of the plot's graph */
  GobanDifference *difference; /* (nullable) */
  gboolean has_own_scales;
  char *color;
  GobanNodeValues *script; /* (nullable): these fill nodes */
  GPtrArray *scenes;       /* of GobanRunScene; those that need not be made, or all */
  GobanRunMarks *marks;    /* (nullable) */
  gboolean is_of_colour;   /* scenes are filled by that already */
} Batch;

static void
batch_free (gpointer data)
{
  Batch *self = data;

  goban_plot_unref (self->plot);
  g_ptr_array_unref (self->runs);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_free (self->color);
  g_clear_pointer (&self->script, goban_node_values_unref);
  g_ptr_array_unref (self->scenes);
  g_clear_pointer (&self->marks, goban_run_marks_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Batch, batch_free)

static RunScene *
find_scene (const Batch *self, GobanRun *run)
{
  for (guint i = 0; self != NULL && i < self->scenes->len; i++)
    {
      RunScene *scene = g_ptr_array_index (self->scenes, i);

      if (scene->public.run == run)
        return scene;
    }
  return NULL;
}

static gboolean
has_same_runs (const Batch *a, const Batch *b)
{
  for (guint i = 0; i < a->runs->len; i++)
    if (!g_ptr_array_find (b->runs, g_ptr_array_index (a->runs, i), NULL))
      return FALSE;
  return a->runs->len == b->runs->len;
}

/* Whether the node values of one batch are right for the other: a ramp that runs share depends on
 * all of them. */
static gboolean
has_same_colours (const Batch *a, const Batch *b)
{
  gboolean is_plain = goban_fill_of_color (a->color) != GOBAN_FILL_METRIC || a->script != NULL;

  return g_str_equal (a->color, b->color) && a->script == b->script
         && (is_plain
             || (a->has_own_scales == b->has_own_scales
                 && (a->has_own_scales || has_same_runs (a, b))));
}

/* Takes over results that another batch has already. */
static void
inherit (Batch *self, const Batch *from)
{
  if (from == NULL)
    return;
  for (guint i = 0; i < self->runs->len; i++)
    {
      RunScene *scene = find_scene (from, g_ptr_array_index (self->runs, i));

      if (scene != NULL)
        g_ptr_array_add (self->scenes, g_atomic_rc_box_acquire (scene));
    }
  self->is_of_colour = from->plot == self->plot && has_same_colours (self, from);
  if (from->marks != NULL && from->plot == self->plot
      && from->marks->difference == self->difference)
    self->marks = goban_run_marks_ref (from->marks);
}

static gboolean
is_complete (const Batch *self)
{
  return self->is_of_colour && self->scenes->len == self->runs->len
         && (self->difference == NULL || self->marks != NULL);
}

/* --- in the worker ---------------------------------------------------------------------------- */

static RunScene *
new_scene (const Batch *self, GobanRun *run, Base *base, GobanNodeValues *values)
{
  RunScene *scene = g_atomic_rc_box_new0 (RunScene);

  scene->public.run = goban_run_ref (run);
  scene->public.plot = goban_plot_ref (self->plot);
  scene->base = base;
  scene->public.base = base->scene;
  scene->public.scene = goban_plot_new_scene (self->plot, base->scene);
  goban_graph_scene_set_values (scene->public.scene, values);
  if (goban_run_is_unfinished (run))
    goban_graph_scene_set_step (scene->public.scene, run);
  return scene;
}

/* (transfer full) */
static Base *
get_base (const RunScene *known, GobanRun *run)
{
  Base *base;

  if (known != NULL)
    return g_atomic_rc_box_acquire (known->base);
  base = g_atomic_rc_box_new0 (Base);
  base->scene = goban_graph_scene_new (goban_run_get_graph (run), goban_run_get_costs (run),
                                       goban_run_get_plan (run), goban_run_get_trace (run));
  return base;
}

static void
make_marks (Batch *self)
{
  if (self->difference == NULL || self->marks != NULL)
    return;
  self->marks = g_atomic_rc_box_new0 (GobanRunMarks);
  self->marks->difference = goban_difference_ref (self->difference);
  self->marks->plot = goban_plot_ref (self->plot);
  self->marks->marks = goban_compare_marks_new (self->difference, self->plot->outline);
}

static Batch *
copy_batch (const Batch *self)
{
  Batch *copy = g_new0 (Batch, 1);

  copy->plot = goban_plot_ref (self->plot);
  copy->runs = g_ptr_array_ref (self->runs);
  copy->difference = self->difference != NULL ? goban_difference_ref (self->difference) : NULL;
  copy->has_own_scales = self->has_own_scales;
  copy->color = g_strdup (self->color);
  copy->script = self->script != NULL ? goban_node_values_ref (self->script) : NULL;
  copy->scenes = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_scene_unref);
  copy->marks = self->marks != NULL ? goban_run_marks_ref (self->marks) : NULL;
  copy->is_of_colour = TRUE;
  return copy;
}

static gpointer
batch_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Batch *asked = data;
  g_autoptr (Batch) made = copy_batch (asked);
  g_autoptr (GPtrArray) values
      = goban_compare_values_new (asked->color, asked->runs, asked->has_own_scales);

  for (guint i = 0; i < asked->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (asked->runs, i);
      RunScene *known = find_scene (asked, run);

      if (!goban_progress_check (progress, error))
        return NULL;
      if (known != NULL && asked->is_of_colour)
        g_ptr_array_add (made->scenes, g_atomic_rc_box_acquire (known));
      else
        g_ptr_array_add (
            made->scenes,
            new_scene (asked, run, get_base (known, run),
                       asked->script != NULL ? asked->script : g_ptr_array_index (values, i)));
    }
  make_marks (made);
  return g_steal_pointer (&made);
}

/* --- asking ----------------------------------------------------------------------------------- */

struct _GobanGraphScenes
{
  GobanSession *session;
  void (*ready) (gpointer user_data); /* NULL: stopped */
  gpointer user_data;
  GobanCoalescingWorker *maker;
  Batch *asked; /* (nullable): the newest, while it is not there */
  Batch *shown; /* (nullable) */
};

/* A batch for an older plot is useless, because its layout is gone. */
static void
take (gpointer data, gpointer user_data)
{
  GobanGraphScenes *self = user_data;
  g_autoptr (Batch) made = data;

  if (self->asked == NULL || made->plot != self->asked->plot)
    return;

  if (made->runs == self->asked->runs)
    g_clear_pointer (&self->asked, batch_free);
  goban_free_aside (self->shown, batch_free);
  self->shown = g_steal_pointer (&made);
  if (self->ready != NULL)
    self->ready (self->user_data);
}

static const GobanCoalescingWorkerKind kind
    = { "Drawing the plans", batch_worker, batch_free, batch_free, take };

static Batch *
new_batch (GobanGraphScenes *self, const GobanScenesWish *wish)
{
  GobanView *view = goban_session_get_view (self->session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  GobanGraph *graph = wish->plot->outline->graph;
  Batch *batch = g_new0 (Batch, 1);

  batch->plot = goban_plot_ref (wish->plot);
  batch->runs = goban_run_array_new ();
  for (guint i = 0; i < wish->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (wish->runs, i);

      if (goban_run_get_graph (run) == graph)
        g_ptr_array_add (batch->runs, goban_run_ref (run));
    }
  if (wish->difference != NULL && goban_run_get_graph (wish->difference->after) == graph)
    batch->difference = goban_difference_ref (wish->difference);
  batch->has_own_scales = wish->has_own_scales;
  batch->color = g_strdup (goban_view_get_color (view));
  if (g_str_equal (batch->color, "script") && script != NULL
      && script->n_nodes == goban_graph_get_n_nodes (graph))
    batch->script = goban_node_values_ref (script);
  batch->scenes = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_scene_unref);
  return batch;
}

static gboolean
is_same (const Batch *a, const Batch *b)
{
  return a->plot == b->plot && a->difference == b->difference && has_same_runs (a, b)
         && has_same_colours (a, b);
}

void
goban_graph_scenes_want (GobanGraphScenes *self, const GobanScenesWish *wish)
{
  g_autoptr (Batch) batch = new_batch (self, wish);

  if (self->asked != NULL && is_same (self->asked, batch))
    return;

  inherit (batch, self->shown);
  if (is_complete (batch))
    {
      gboolean is_new = !is_same (self->shown, batch);

      goban_coalescing_worker_forget (self->maker);
      g_clear_pointer (&self->asked, batch_free);
      batch_free (self->shown);
      self->shown = g_steal_pointer (&batch);
      if (is_new && self->ready != NULL)
        self->ready (self->user_data);
      return;
    }
  g_clear_pointer (&self->asked, batch_free);
  self->asked = copy_batch (batch);
  if (goban_graph_get_n_nodes (wish->plot->outline->graph) <= FEW_NODES)
    goban_coalescing_worker_ask_now (self->maker, g_steal_pointer (&batch));
  else
    goban_coalescing_worker_ask (self->maker, g_steal_pointer (&batch));
}

gboolean
goban_graph_scenes_is_busy (const GobanGraphScenes *self)
{
  return self->asked != NULL;
}

/* --- results ---------------------------------------------------------------------------------- */

GobanPlot *
goban_graph_scenes_get_plot (const GobanGraphScenes *self)
{
  return self->shown != NULL ? self->shown->plot : NULL;
}

GobanRunScene *
goban_graph_scenes_get (const GobanGraphScenes *self, GobanRun *run)
{
  return (GobanRunScene *) find_scene (self->shown, run);
}

GobanRunMarks *
goban_graph_scenes_get_marks (const GobanGraphScenes *self, const GobanDifference *difference)
{
  GobanRunMarks *marks = self->shown != NULL ? self->shown->marks : NULL;

  return marks != NULL && marks->difference == difference ? marks : NULL;
}

/* --- construction and disposal ---------------------------------------------------------------- */

GobanGraphScenes *
goban_graph_scenes_new (GobanSession *session, void (*ready) (gpointer user_data),
                        gpointer user_data)
{
  GobanGraphScenes *self = g_rc_box_new0 (GobanGraphScenes);

  self->session = g_object_ref (session);
  self->ready = ready;
  self->user_data = user_data;
  self->maker = goban_coalescing_worker_new (&kind, self);
  return self;
}

GobanGraphScenes *
goban_graph_scenes_ref (GobanGraphScenes *self)
{
  return g_rc_box_acquire (self);
}

void
goban_graph_scenes_stop (GobanGraphScenes *self)
{
  self->ready = NULL;
  goban_coalescing_worker_forget (self->maker);
  g_clear_pointer (&self->asked, batch_free);
}

static void
clear (gpointer data)
{
  GobanGraphScenes *self = data;

  goban_coalescing_worker_free (self->maker);
  g_clear_pointer (&self->asked, batch_free);
  g_clear_pointer (&self->shown, batch_free);
  g_object_unref (self->session);
}

void
goban_graph_scenes_unref (GobanGraphScenes *self)
{
  g_rc_box_release_full (self, clear);
}
