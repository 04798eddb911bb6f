#include "ui/graph/graph-view.h"

#include "engine/base/error.h"
#include "engine/session/moment.h"
#include "engine/session/report.h"
#include "ui/draw/graph-painter.h"
#include "ui/draw/graph-pick.h"
#include "ui/shell/export-job.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_SCALE 4.0
#define FIT_MARGIN 24.0
/* Fitting a toy must not blow its nodes up to the size of the window. */
#define MAX_FIT_SCALE 1.0
#define MAX_SELECTION_SCALE 1.2
#define REACH_PX 6.0

struct _GobanGraphView
{
  GobanPicture parent;

  GobanSession *session;
  GobanGraphScene *scene; /* made by get_scene() when it is first needed; NULL without a graph */
  gboolean is_stale;      /* the scene is yet to be made */
  GobanLayout *layout;    /* NULL until the worker is done */
  GobanPick *pick;
  GobanJob *job; /* the layout being made, else NULL; older ones do not count */
  GobanCamera camera;
  gboolean is_fitted; /* the camera still shows everything: follow the size */
  gboolean show_critical;
  GobanNodeId hover;
  guint8 *states; /* (nullable) what nodes do at the view's time: GobanNodeState */
};

G_DEFINE_FINAL_TYPE (GobanGraphView, goban_graph_view, GOBAN_TYPE_PICTURE)

static GobanPicture *
picture (GobanGraphView *self)
{
  return GOBAN_PICTURE (self);
}

/* A session may go through several runs before the next frame, and a scene of 80,000 nodes takes
 * 20 ms: only the one that is seen is made. */
static GobanGraphScene *
get_scene (GobanGraphView *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanRun *run = goban_session_get_current_run (self->session);

  if (self->is_stale && graph != NULL)
    self->scene = goban_graph_scene_new (graph, goban_session_get_costs (self->session),
                                         run != NULL ? goban_run_get_plan (run) : NULL,
                                         run != NULL ? goban_run_get_trace (run) : NULL);
  self->is_stale = FALSE;
  return self->scene;
}

static GobanGraphPicture
describe_picture (GobanGraphView *self)
{
  GobanView *view = goban_session_get_view (self->session);
  gboolean by_priority = g_str_equal (goban_view_get_color (view), "priority");

  return (GobanGraphPicture){
    .scene = get_scene (self),
    .layout = self->layout,
    .camera = self->camera,
    .style = {
      .theme = goban_picture_get_theme (picture (self)),
      .fill = by_priority ? GOBAN_FILL_PRIORITY : GOBAN_FILL_DEVICE,
      .show_critical = self->show_critical,
      .ui_scale = goban_picture_get_ui_scale (picture (self)),
    },
    .states = self->states,
  };
}

/* --- camera ------------------------------------------------------------------------------- */

static void
camera_moved (GobanGraphView *self)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  if (self->layout != NULL)
    goban_camera_clamp (&self->camera, self->layout->bounds,
                        goban_picture_get_width (picture (self)),
                        goban_picture_get_height (picture (self)), MAX_SCALE * ui);
  goban_picture_invalidate (picture (self));
}

static void
show_box (GobanGraphView *self, GobanBox box, double max_scale)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  self->camera = goban_camera_fit (box, goban_picture_get_width (picture (self)),
                                   goban_picture_get_height (picture (self)), FIT_MARGIN * ui,
                                   max_scale * ui);
  goban_picture_invalidate (picture (self));
}

void
goban_graph_view_fit (GobanGraphView *self)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->is_fitted = TRUE;
  if (self->layout != NULL && goban_picture_get_width (picture (self)) > 0)
    show_box (self, self->layout->bounds, MAX_FIT_SCALE);
}

void
goban_graph_view_show_selection (GobanGraphView *self)
{
  const GobanNodeId *ids;
  GobanBox box;
  guint n;

  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  ids = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  if (n == 0 || self->layout == NULL)
    {
      goban_graph_view_fit (self);
      return;
    }

  box = goban_layout_node_box (self->layout, ids[0]);
  for (guint i = 1; i < n; i++)
    box = goban_box_union (box, goban_layout_node_box (self->layout, ids[i]));
  self->is_fitted = FALSE;
  show_box (self, box, MAX_SELECTION_SCALE);
}

/* Brings a selection made elsewhere into sight, without changing the zoom. */
static void
reveal_selection (GobanGraphView *self)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  double width = goban_picture_get_width (picture (self));
  double height = goban_picture_get_height (picture (self));
  GobanPoint at;

  if (n != 1 || self->layout == NULL)
    return;

  at = goban_camera_to_screen (&self->camera, (GobanPoint){ (double) self->layout->x[ids[0]],
                                                            (double) self->layout->y[ids[0]] });
  if (at.x >= 0 && at.y >= 0 && at.x < width && at.y < height)
    return;

  self->is_fitted = FALSE;
  goban_camera_centre (
      &self->camera,
      (GobanPoint){ (double) self->layout->x[ids[0]], (double) self->layout->y[ids[0]] }, width,
      height);
  camera_moved (self);
}

static void
goban_graph_view_pan (GobanPicture *base, double dx, double dy)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);

  self->is_fitted = FALSE;
  goban_camera_pan (&self->camera, dx, dy);
  camera_moved (self);
}

static void
goban_graph_view_zoom (GobanPicture *base, double factor, GobanPoint at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);

  self->is_fitted = FALSE;
  goban_camera_zoom (&self->camera, factor, at);
  camera_moved (self);
}

static void
goban_graph_view_resized (GobanPicture *base, double old_width, double old_height)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);

  if (self->is_fitted)
    goban_graph_view_fit (self);
  else
    goban_graph_view_pan (base, (goban_picture_get_width (base) - old_width) / 2,
                          (goban_picture_get_height (base) - old_height) / 2);
}

/* --- layout --------------------------------------------------------------------------------- */

typedef struct
{
  GobanGraph *graph;
  double aspect;
} LayoutTask;

typedef struct
{
  GobanLayout *layout;
  GobanPick *pick;
} LayoutResult;

static void
layout_task_free (gpointer data)
{
  LayoutTask *task = data;

  goban_graph_unref (task->graph);
  g_free (task);
}

static void
layout_result_free (gpointer data)
{
  LayoutResult *result = data;

  g_clear_pointer (&result->pick, goban_pick_free);
  g_clear_pointer (&result->layout, goban_layout_unref);
  g_free (result);
}

static gpointer
layout_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  LayoutTask *task = data;
  GobanLayoutOptions options = { .aspect = task->aspect, .progress = progress };
  g_autoptr (GobanLayout) layout = goban_layout_new (task->graph, &options, error);
  LayoutResult *result;

  if (layout == NULL)
    return NULL;

  result = g_new0 (LayoutResult, 1);
  result->pick = goban_pick_new (layout);
  result->layout = g_steal_pointer (&layout);
  return result;
}

static void
layout_done_cb (GobanJob *job, gpointer user_data)
{
  GobanGraphView *self = user_data;
  g_autoptr (GError) error = NULL;
  LayoutResult *result = goban_job_steal_result (job, &error);

  if (job != self->job)
    {
      if (result != NULL)
        layout_result_free (result);
      return;
    }

  g_clear_object (&self->job);
  if (result == NULL)
    {
      goban_session_say (self->session, TRUE, "%s", error->message);
      return;
    }
  self->layout = g_steal_pointer (&result->layout);
  self->pick = g_steal_pointer (&result->pick);
  layout_result_free (result);
  goban_graph_view_fit (self);
  goban_picture_invalidate (picture (self));
}

static void
forget_layout (GobanGraphView *self)
{
  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->pick, goban_pick_free);
  g_clear_pointer (&self->layout, goban_layout_unref);
  self->hover = GOBAN_NO_NODE;
}

static void
start_layout (GobanGraphView *self, GobanGraph *graph)
{
  LayoutTask *task = g_new0 (LayoutTask, 1);
  double width = goban_picture_get_width (picture (self));
  double height = goban_picture_get_height (picture (self));

  task->graph = goban_graph_ref (graph);
  task->aspect = width > 0 && height > 0 ? CLAMP (width / height, 0.5, 4.0) : 0;
  self->job = goban_job_start ("Laying out the graph", layout_worker, task, layout_task_free,
                               layout_result_free);
  g_signal_connect_object (self->job, "done", G_CALLBACK (layout_done_cb), self, 0);
}

/* --- following the session ------------------------------------------------------------------ */

static void
describe_to_people (GobanGraphView *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanRun *run = goban_session_get_current_run (self->session);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  g_autofree char *sentence = run != NULL ? goban_report_run_sentence (run) : g_strdup ("");
  g_autofree char *chosen = NULL;
  g_autofree char *label = NULL;

  if (graph == NULL)
    {
      goban_set_accessible_label (GTK_WIDGET (self), "Graph: nothing is open");
      return;
    }

  chosen = n == 1 ? goban_describe_node (graph, run, ids[0]) : g_strdup_printf ("%u selected", n);
  label = g_strdup_printf ("Graph of %u nodes; %s", goban_graph_get_n_nodes (graph), chosen);
  goban_set_accessible_label (GTK_WIDGET (self), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  g_strstrip (sentence), -1);
}

/* O(N), well under a millisecond at 80,000 nodes: each frame of playback can have its own. */
static void
time_changed_cb (GobanGraphView *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  double time_us = goban_view_get_time_us (goban_session_get_view (self->session));
  gboolean had_states = self->states != NULL;

  g_clear_pointer (&self->states, g_free);
  if (run != NULL && isfinite (time_us))
    {
      self->states = g_malloc (MAX (goban_graph_get_n_nodes (goban_run_get_graph (run)), 1));
      goban_moment_compute (run, time_us, self->states, NULL);
    }
  if (had_states || self->states != NULL)
    goban_picture_invalidate (picture (self));
}

static void
update_scene (GobanGraphView *self)
{
  time_changed_cb (self);
  g_clear_pointer (&self->scene, goban_graph_scene_free);
  self->is_stale = TRUE;
  describe_to_people (self);
  goban_picture_invalidate (picture (self));
}

static void
graph_changed_cb (GobanGraphView *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);

  forget_layout (self);
  if (graph != NULL)
    start_layout (self, graph);
  update_scene (self);
}

static void
selection_changed_cb (GobanGraphView *self)
{
  describe_to_people (self);
  reveal_selection (self);
  goban_picture_invalidate_overlay (picture (self));
}

static void
color_changed_cb (GobanGraphView *self)
{
  goban_picture_invalidate (picture (self));
}

static void
zoom_cb (GobanGraphView *self, const char *what)
{
  if (g_str_equal (what, "selection"))
    goban_graph_view_show_selection (self);
  else
    goban_graph_view_fit (self);
}

/* --- painting ------------------------------------------------------------------------------- */

static void
paint_waiting (GobanGraphView *self, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (picture (self)));
  double ui = goban_picture_get_ui_scale (picture (self));
  double width = goban_pen_get_width (pen);
  double height = goban_pen_get_height (pen);
  GobanTextStyle style = { 13 * ui, FALSE, GOBAN_ALIGN_CENTRE, colours->muted };
  char count[32];
  g_autofree char *text = NULL;

  goban_pen_rect (pen, (GobanBox){ 0, 0, width, height }, colours->canvas);
  if (get_scene (self) == NULL)
    return;

  text = g_strdup_printf ("Laying out %s nodes…",
                          goban_format_grouped (count, get_scene (self)->n_nodes));
  goban_pen_text (pen, text, (GobanPoint){ 0, height / 2 }, width, &style);
}

/* Where a zoom went between the nodes, white alone would not say how to come back. */
static void
paint_way_back (GobanGraphView *self, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (picture (self)));
  double width = goban_pen_get_width (pen);
  double height = goban_pen_get_height (pen);
  GobanPoint from = goban_camera_to_world (&self->camera, (GobanPoint){ 0, 0 });
  GobanPoint to = goban_camera_to_world (&self->camera, (GobanPoint){ width, height });
  GobanTextStyle style = { 13 * goban_picture_get_ui_scale (picture (self)), FALSE,
                           GOBAN_ALIGN_CENTRE, colours->muted };

  for (guint v = 0; v < self->layout->n_nodes; v++)
    {
      GobanBox box = goban_layout_node_box (self->layout, v);

      if (box.x1 >= from.x && box.x0 <= to.x && box.y1 >= from.y && box.y0 <= to.y)
        return;
    }
  goban_pen_text (pen, "No node here. F shows the whole graph.", (GobanPoint){ 0, height / 2 },
                  width, &style);
}

static void
goban_graph_view_paint (GobanPicture *base, GobanPen *pen)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanGraphPicture described = describe_picture (self);

  if (self->layout == NULL || get_scene (self) == NULL)
    {
      paint_waiting (self, pen);
      return;
    }

  goban_graph_paint (&described, pen);
  if (self->layout->n_nodes > 0)
    paint_way_back (self, pen);
}

static void
goban_graph_view_paint_overlay (GobanPicture *base, GobanPen *pen)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanGraphPicture described = describe_picture (self);
  GobanGraphOverlay overlay = { .hover = self->hover };

  if (self->layout == NULL || get_scene (self) == NULL)
    return;

  overlay.selected
      = goban_selection_get_ids (goban_session_get_selection (self->session), &overlay.n_selected);
  goban_graph_paint_overlay (&described, &overlay, pen);
}

/* --- pointer ---------------------------------------------------------------------------------- */

static GobanNodeId
node_at (GobanGraphView *self, GobanPoint at)
{
  if (self->pick == NULL)
    return GOBAN_NO_NODE;

  return goban_pick_at (self->pick, &self->camera, at,
                        REACH_PX * goban_picture_get_ui_scale (picture (self)));
}

/* Ctrl or Shift adds what was not selected and takes away what was. */
static void
select_ids (GobanGraphView *self, const GobanNodeId *ids, guint n, GdkModifierType modifiers)
{
  GobanSelection *old = goban_session_get_selection (self->session);
  g_autoptr (GobanSelection) fresh = goban_selection_new (ids, n);
  g_autoptr (GobanSelection) result = NULL;

  if ((modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) == 0)
    result = goban_selection_ref (fresh);
  else if (n == 1 && goban_selection_contains (old, ids[0]))
    result = goban_selection_difference (old, fresh);
  else
    result = goban_selection_union (old, fresh);
  goban_session_set_selection (self->session, result);
}

static void
goban_graph_view_click (GobanPicture *base, GobanPoint at, int n_press, GdkModifierType modifiers)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanNodeId node = node_at (self, at);
  gboolean is_adding = (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;

  if (node == GOBAN_NO_NODE)
    {
      if (!is_adding)
        select_ids (self, NULL, 0, 0);
      return;
    }

  if (n_press == 1)
    select_ids (self, &node, 1, modifiers);
  else
    goban_graph_view_show_selection (self);
}

static void
goban_graph_view_pick_box (GobanPicture *base, GobanBox box, GdkModifierType modifiers)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  g_autofree GobanNodeId *ids = NULL;
  guint n;

  if (self->pick == NULL)
    return;

  ids = goban_pick_inside (self->pick, goban_camera_box_to_world (&self->camera, box), &n);
  select_ids (self, ids, n, (modifiers & GDK_SHIFT_MASK));
}

static void
goban_graph_view_hover (GobanPicture *base, const GobanPoint *at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanNodeId node = at != NULL ? node_at (self, *at) : GOBAN_NO_NODE;
  g_autofree char *text = NULL;

  if (node == self->hover)
    return;

  self->hover = node;
  if (node != GOBAN_NO_NODE)
    text = goban_describe_node (goban_session_get_graph (self->session),
                                goban_session_get_current_run (self->session), node);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), node != GOBAN_NO_NODE ? "pointer" : NULL);
  goban_set_tooltip_lines (GTK_WIDGET (self), text);
  goban_picture_hint (base, text != NULL ? text : "");
  goban_picture_invalidate_overlay (base);
}

/* --- life --------------------------------------------------------------------------------------- */

static void
goban_graph_view_dispose (GObject *object)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (object);

  forget_layout (self);
  g_clear_pointer (&self->states, g_free);
  g_clear_pointer (&self->scene, goban_graph_scene_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_graph_view_parent_class)->dispose (object);
}

static void
goban_graph_view_class_init (GobanGraphViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_graph_view_dispose;
  picture_class->paint = goban_graph_view_paint;
  picture_class->paint_overlay = goban_graph_view_paint_overlay;
  picture_class->pan = goban_graph_view_pan;
  picture_class->zoom = goban_graph_view_zoom;
  picture_class->click = goban_graph_view_click;
  picture_class->pick_box = goban_graph_view_pick_box;
  picture_class->hover = goban_graph_view_hover;
  picture_class->resized = goban_graph_view_resized;
}

static void
goban_graph_view_init (GobanGraphView *self)
{
  self->hover = GOBAN_NO_NODE;
  self->camera.scale = 1;
  self->is_fitted = TRUE;
}

GtkWidget *
goban_graph_view_new (GobanSession *session)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } watched[] = {
    { "notify::graph", G_CALLBACK (graph_changed_cb) },
    { "notify::cluster", G_CALLBACK (update_scene) },
    { "notify::current-run", G_CALLBACK (update_scene) },
    { "notify::selection", G_CALLBACK (selection_changed_cb) },
    { "zoom", G_CALLBACK (zoom_cb) },
  };
  GobanGraphView *self = g_object_new (GOBAN_TYPE_GRAPH_VIEW, NULL);

  self->session = g_object_ref (session);
  for (gsize i = 0; i < G_N_ELEMENTS (watched); i++)
    g_signal_connect_object (session, watched[i].signal, watched[i].callback, self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::color",
                           G_CALLBACK (color_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::time",
                           G_CALLBACK (time_changed_cb), self, G_CONNECT_SWAPPED);
  graph_changed_cb (self);

  return GTK_WIDGET (self);
}

/* --- for others ----------------------------------------------------------------------------------- */

void
goban_graph_view_set_show_critical (GobanGraphView *self, gboolean show)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->show_critical = show;
  goban_picture_invalidate (picture (self));
}

gboolean
goban_graph_view_is_ready (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  return self->layout != NULL;
}

double
goban_graph_view_get_scale (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), 0);

  return self->layout != NULL ? self->camera.scale / goban_picture_get_ui_scale (picture (self))
                              : 0;
}

gboolean
goban_graph_view_locate (GobanGraphView *self, GobanNodeId node, GobanPoint *at)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  if (self->layout == NULL || node >= self->layout->n_nodes)
    return FALSE;

  *at = goban_camera_to_screen (&self->camera, (GobanPoint){ (double) self->layout->x[node],
                                                             (double) self->layout->y[node] });
  return TRUE;
}

GobanJob *
goban_graph_view_export (GobanGraphView *self, const char *path, GError **error)
{
  GobanGraphPicture described;
  GobanExportSource source;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), NULL);

  if (self->layout == NULL || get_scene (self) == NULL)
    {
      g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                           get_scene (self) == NULL ? "there is no graph to export: open one first"
                                                    : "the graph is still being laid out");
      return NULL;
    }

  described = describe_picture (self);
  source = (GobanExportSource){
    .graph = goban_session_get_graph (self->session),
    .costs = goban_session_get_costs (self->session),
    .run = goban_session_get_current_run (self->session),
    .layout = self->layout,
    .options = { .theme = described.style.theme,
                 .fill = described.style.fill,
                 .show_critical = self->show_critical },
  };
  return goban_export_job_start (&source, path);
}
