/* graph-view-layout.c: the plot for the session's view, made in a worker; and the transition from
 * one plot to the next that keeps the user's place. */
#include "ui/graph/graph-view-follower.h"
#include "ui/graph/graph-view-private.h"

#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "engine/study/log/set-description.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MORPH_US 400000

/* --- the worker ------------------------------------------------------------------------------- */

typedef struct
{
  GobanGraph *graph;
  GobanLook look; /* keeps its target alive */
  GobanNames *expanded;
} PlotTask;

static void
plot_task_free (gpointer data)
{
  PlotTask *task = data;

  goban_graph_unref (task->graph);
  g_clear_pointer (&task->expanded, goban_names_unref);
  goban_selection_unref (task->look.hidden);
  g_clear_pointer (&task->look.trace, goban_trace_unref);
  g_clear_pointer (&task->look.hierarchy, goban_hierarchy_unref);
  g_clear_pointer (&task->look.outline, goban_outline_unref);
  g_free (task);
}

static void
next_plot_free (gpointer data)
{
  GobanNextPlot *result = data;

  g_clear_pointer (&result->pick, goban_pick_unref);
  g_clear_pointer (&result->plot, goban_plot_unref);
  g_free (result);
}

static gpointer
plot_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  PlotTask *task = data;
  g_autoptr (GobanPlot) plot = NULL;
  GobanNextPlot *result;

  task->look.progress = progress;
  plot = goban_plot_new (task->graph, &task->look, error);
  if (plot == NULL)
    return NULL;

  result = g_new0 (GobanNextPlot, 1);
  result->pick = goban_pick_new (plot->layout);
  result->plot = g_steal_pointer (&plot);
  result->grouping = task->look.grouping;
  result->arrangement = task->look.arrangement;
  return result;
}

/* --- from one layout to the next -------------------------------------------------------------- */

static void
show_layout (GobanGraphView *self, GobanLayout *layout)
{
  goban_layout_ref (layout);
  g_clear_pointer (&self->plots.layout, goban_layout_unref);
  self->plots.layout = layout;
  goban_graph_view_content_changed (self);
}

static void
stop_morph (GobanGraphView *self)
{
  if (self->plots.morph.tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->plots.morph.tick_id);
  self->plots.morph.tick_id = 0;
  g_clear_pointer (&self->plots.morph.from, goban_layout_unref);
}

/* Slow at both ends. */
static double
ease (double t)
{
  return t * t * (3 - 2 * t);
}

static gboolean
morph_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);
  GobanMorph *morph = &self->plots.morph;
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  double t;

  if (morph->start_us == 0)
    morph->start_us = now_us;
  t = CLAMP ((double) (now_us - morph->start_us) / MORPH_US, 0, 1);
  self->camera = goban_camera_blend (&morph->camera, &morph->camera_to, ease (t));
  if (t < 1)
    {
      g_autoptr (GobanLayout) between = goban_layout_blend (morph->from, self->plots.plot->layout,
                                                            self->plots.plot->outline, ease (t));

      show_layout (self, between);
      return G_SOURCE_CONTINUE;
    }
  morph->tick_id = 0;
  stop_morph (self);
  show_layout (self, self->plots.plot->layout);
  return G_SOURCE_REMOVE;
}

/* Every item moves from its old place to its place in the plot. */
static void
start_morph (GobanGraphView *self, GobanLayout *from)
{
  self->is_fitted = TRUE;
  if (!goban_picture_is_animated (goban_graph_view_picture (self)))
    {
      show_layout (self, self->plots.plot->layout);
      goban_graph_view_fit (self);
      return;
    }
  self->plots.morph.from = goban_layout_ref (from);
  self->plots.morph.camera = self->camera;
  self->plots.morph.camera_to = goban_graph_view_fitting (self, self->plots.plot->layout);
  self->plots.morph.start_us = 0;
  self->plots.morph.tick_id
      = gtk_widget_add_tick_callback (GTK_WIDGET (self), morph_cb, NULL, NULL);
}

/* --- anchors of the camera -------------------------------------------------------------------- */

static gboolean
find_group_box (const GobanPlot *plot, const char *path, GobanBox *box)
{
  guint32 item, hull;

  if (!goban_outline_find_group (plot->outline, path, &item, &hull))
    return FALSE;
  if (hull != GOBAN_NO_ITEM && (plot->layout->hulls == NULL || hull >= plot->layout->n_hulls))
    return FALSE;

  *box = hull != GOBAN_NO_ITEM ? plot->layout->hulls[hull]
                               : goban_layout_node_box (plot->layout, item);
  return TRUE;
}

gboolean
goban_graph_view_locate_group (GobanGraphView *self, const char *path, gboolean *is_open,
                               GobanBox *box)
{
  guint32 item, hull;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  if (self->plots.plot == NULL || !find_group_box (self->plots.plot, path, box))
    return FALSE;

  goban_outline_find_group (self->plots.plot->outline, path, &item, &hull);
  *is_open = hull != GOBAN_NO_ITEM;
  *box = goban_camera_box_to_screen (&self->camera, *box);
  return TRUE;
}

/* The item nearest to the middle of the surface that the next plot has as well, in both. */
static gboolean
find_middle_boxes (GobanGraphView *self, const GobanPlot *next, GobanBox *old_box,
                   GobanBox *new_box)
{
  const GobanPlot *plot = self->plots.plot;
  GobanPoint middle = goban_camera_to_world (
      &self->camera,
      (GobanPoint){ goban_picture_get_width (goban_graph_view_picture (self)) / 2,
                    goban_picture_get_height (goban_graph_view_picture (self)) / 2 });
  double least = G_MAXDOUBLE;

  for (guint i = 0; i < plot->outline->n_items; i++)
    {
      GobanNodeId node = plot->outline->items[i].first;
      double dx = (double) plot->layout->x[i] - middle.x;
      double dy = (double) plot->layout->y[i] - middle.y;
      guint32 item = next->outline->item_of[node];

      if (dx * dx + dy * dy >= least || item == GOBAN_NO_ITEM)
        continue;
      least = dx * dx + dy * dy;
      *old_box = goban_layout_node_box (plot->layout, i);
      *new_box = goban_layout_node_box (next->layout, item);
    }
  return least < G_MAXDOUBLE;
}

/* Moves the camera so that the upper left corner of the item in focus keeps its place; if that
 * would take a group away from under the pointer, it goes there. */
static void
keep_anchor (GobanGraphView *self, const GobanPlot *next)
{
  const GobanAnchor *anchor = &self->plots.anchor;
  GobanBox old_box, new_box;
  GobanPoint at;
  double width;

  if (anchor->group == NULL || !find_group_box (self->plots.plot, anchor->group, &old_box)
      || !find_group_box (next, anchor->group, &new_box))
    {
      if (!find_middle_boxes (self, next, &old_box, &new_box))
        return;
    }
  at = goban_camera_to_screen (&self->camera, (GobanPoint){ old_box.x0, old_box.y0 });
  width = (new_box.x1 - new_box.x0) * self->camera.scale;
  if (anchor->group != NULL && anchor->has_pointer
      && (anchor->pointer.x < at.x || anchor->pointer.x > at.x + width))
    at.x = anchor->pointer.x - width / 2;
  self->camera.x = at.x - new_box.x0 * self->camera.scale;
  self->camera.y = at.y - new_box.y0 * self->camera.scale;
  self->is_fitted = FALSE;
}

static void
clear_anchor (GobanAnchor *anchor)
{
  g_clear_pointer (&anchor->group, g_free);
  anchor->has_pointer = FALSE;
}

/* --- taking a plot ---------------------------------------------------------------------------- */

static void
drop_next (GobanGraphView *self)
{
  g_clear_pointer (&self->plots.next, next_plot_free);
}

static void
drop_plot (GobanGraphView *self)
{
  stop_morph (self);
  goban_free_aside (g_steal_pointer (&self->scenes.items), (GDestroyNotify) goban_graph_scene_free);
  goban_compared_run_forget_look (&self->compared);
  goban_free_aside (g_steal_pointer (&self->plots.pick), (GDestroyNotify) goban_pick_unref);
  goban_free_aside (g_steal_pointer (&self->plots.layout), (GDestroyNotify) goban_layout_unref);
  goban_free_aside (g_steal_pointer (&self->plots.plot), (GDestroyNotify) goban_plot_unref);
  goban_item_marks_forget (&self->marks);
  goban_item_marks_forget (&self->found);
  self->hover.item = self->hover.hull = GOBAN_NO_ITEM;
  goban_set_tooltip_lines (GTK_WIDGET (self), NULL);
}

/* Parts of an old plot that decide how the next is shown. */
static void
take_plot (GobanGraphView *self, GobanNextPlot *next, GobanGraphScene *scene)
{
  GobanLayout *from = self->plots.layout != NULL ? goban_layout_ref (self->plots.layout) : NULL;
  gboolean is_first = self->plots.plot == NULL;
  gboolean is_same_outline = !is_first && self->plots.plot->outline == next->plot->outline;
  gboolean is_regrouped = !is_first && self->plots.plot->hierarchy != next->plot->hierarchy;
  gboolean is_rearranged = !is_first && self->plots.arrangement != next->arrangement;
  /* Without an anchor group: if the old camera fitted the graph, fit the new one. */
  gboolean is_fitted = self->is_fitted && self->plots.anchor.group == NULL;
  /* A plot that is for another board alone leaves people where they have gone meanwhile. */
  gboolean is_morphed = is_same_outline && (is_rearranged || self->is_fitted);

  if (!is_first && !is_morphed && !is_regrouped && !is_rearranged)
    keep_anchor (self, next->plot);
  drop_plot (self);
  self->plots.plot = g_steal_pointer (&next->plot);
  goban_set_description_offer_groups (goban_view_get_words (goban_session_get_view (self->session)),
                                      self->plots.plot->outline->graph,
                                      self->plots.plot->hierarchy);
  self->plots.pick = g_steal_pointer (&next->pick);
  self->scenes.items = scene;
  self->plots.grouping = next->grouping;
  self->plots.arrangement = next->arrangement;
  clear_anchor (&self->plots.anchor);
  if (is_morphed)
    {
      show_layout (self, from);
      start_morph (self, from);
      goban_layout_unref (from); /* the morph's now, or the plot's */
      return;
    }
  goban_free_aside (from, (GDestroyNotify) goban_layout_unref);
  show_layout (self, self->plots.plot->layout);
  if (is_first || is_regrouped || is_rearranged || is_fitted)
    goban_graph_view_fit (self);
  else
    goban_graph_view_camera_moved (self);
}

/* A follower takes its leader's plot as a leader takes its worker's, with an anchor of its own. */
void
goban_graph_view_follow_plot (GobanGraphView *self)
{
  GobanGraphView *leader = self->leader;
  GobanNextPlot next
      = { .grouping = leader->plots.grouping, .arrangement = leader->plots.arrangement };

  if (leader->plots.plot == NULL)
    {
      drop_plot (self);
      clear_anchor (&self->plots.anchor);
      goban_graph_view_content_changed (self);
      return;
    }
  if (self->plots.plot == leader->plots.plot)
    return;
  next.plot = goban_plot_ref (leader->plots.plot);
  next.pick = goban_pick_ref (leader->plots.pick);
  take_plot (self, &next, NULL);
}

/* Says why a grouping shows no groups: once when it is chosen, and when another graph comes. */
static void
say_if_flat (GobanGraphView *self)
{
  const char *reason = goban_hierarchy_get_flat_reason (self->plots.plot->hierarchy);

  if (reason != NULL)
    goban_session_say (self->session, FALSE, "%s", _ (reason));
}

void
goban_graph_view_take_next (GobanGraphView *self, GobanGraphScene *scene)
{
  GobanNextPlot *next = g_steal_pointer (&self->plots.next);
  gboolean is_chosen = self->plots.plot == NULL || self->plots.grouping != next->grouping;

  take_plot (self, next, scene);
  next_plot_free (next);
  if (is_chosen)
    say_if_flat (self);
  goban_graph_view_plot_changed (self);
  if (self->plots.job == NULL && goban_viewport_is_set (&self->plots.awaited))
    {
      GobanViewport viewport = self->plots.awaited;

      self->plots.awaited = (GobanViewport){ 0 };
      stop_morph (self);
      goban_graph_view_go_to_viewport (self, &viewport);
    }
}

static void
plot_done_cb (GobanJob *job, gpointer user_data)
{
  GobanGraphView *self = user_data;
  g_autoptr (GError) error = NULL;
  GobanNextPlot *next = goban_job_steal_result (job, &error);

  if (job != self->plots.job)
    {
      if (next != NULL)
        next_plot_free (next);
      return;
    }

  g_clear_object (&self->plots.job);
  if (next == NULL)
    {
      goban_session_say (self->session, TRUE, "%s", error->message);
      return;
    }
  drop_next (self);
  self->plots.next = next;
  goban_graph_view_ask_scene (self);
}

static void
cancel_job (GobanGraphView *self)
{
  if (self->plots.job != NULL)
    goban_job_cancel (self->plots.job);
  g_clear_object (&self->plots.job);
  drop_next (self);
}

void
goban_graph_view_forget_plot (GobanGraphView *self)
{
  cancel_job (self);
  g_clear_handle_id (&self->plots.room_id, g_source_remove);
  drop_plot (self);
  clear_anchor (&self->plots.anchor);
  goban_graph_view_plot_changed (self);
}

/* --- asking for one --------------------------------------------------------------------------- */

/* Whether open groups and hidden nodes of the plot are those of the view: then its outline is as
 * good as a new one. */
static gboolean
has_outline (GobanGraphView *self, const PlotTask *task)
{
  const GobanOutline *outline = self->plots.plot->outline;
  guint n_hidden, n_open = 0, n_shown = 0;
  const GobanNodeId *hidden = goban_selection_get_ids (task->look.hidden, &n_hidden);

  for (guint i = 0; i < n_hidden; i++)
    if (outline->item_of[hidden[i]] != GOBAN_NO_ITEM)
      return FALSE;
  for (guint i = 0; i < outline->n_items; i++)
    n_shown += outline->items[i].n_nodes;
  if (n_shown + n_hidden != goban_graph_get_n_nodes (outline->graph))
    return FALSE;
  for (guint i = 0; task->look.expanded[i] != NULL; i++)
    {
      guint32 item, hull;

      if (!goban_outline_find_group (outline, task->look.expanded[i], &item, &hull))
        continue;
      if (hull == GOBAN_NO_ITEM)
        return FALSE;
      n_open += hull != 0;
    }
  return n_open + 1 == outline->n_hulls;
}

/* Parts of the plot that need not be made again. */
static void
keep_what_holds (GobanGraphView *self, PlotTask *task)
{
  GobanView *view = goban_session_get_view (self->session);

  if (self->plots.plot == NULL || self->plots.plot->outline->graph != task->graph
      || self->plots.grouping != goban_view_get_grouping (view)
      || goban_hierarchy_get_grouping (self->plots.plot->hierarchy) == GOBAN_GROUPING_CLUSTER)
    return;

  task->look.hierarchy = goban_hierarchy_ref (self->plots.plot->hierarchy);
  if (has_outline (self, task))
    task->look.outline = goban_outline_ref (self->plots.plot->outline);
}

void
goban_graph_view_start_plot (GobanGraphView *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanView *view = goban_session_get_view (self->session);
  GobanRun *run = goban_session_get_shown_run (self->session);
  PlotTask *task;

  cancel_job (self);
  g_clear_handle_id (&self->plots.room_id, g_source_remove);
  if (graph == NULL)
    return;

  self->plots.laid_out = self->plots.board;
  task = g_new0 (PlotTask, 1);
  task->graph = goban_graph_ref (graph);
  task->expanded = goban_view_ref_expanded (view);
  task->look = (GobanLook){
    .grouping = goban_view_get_grouping (view),
    .expanded = goban_names_get (task->expanded),
    .hidden = goban_selection_ref (goban_view_get_hidden (view)),
    .arrangement = goban_view_get_layout (view),
    .trace = run != NULL ? goban_trace_ref (goban_run_get_trace (run)) : NULL,
    .board = self->plots.laid_out,
  };
  keep_what_holds (self, task);
  self->plots.job
      = goban_job_start ("Laying out the graph", plot_worker, task, plot_task_free, next_plot_free);
  g_signal_connect_object (self->plots.job, "done", G_CALLBACK (plot_done_cb), self, 0);
}
