/* graph-follow.c: the view goes with the decisions that are stepped through. */
#include "ui/graph/graph-view-private.h"

#include "engine/session/view-groups.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

#define GLIDE_US 150000
/* The share of the view in each direction where what is decided may be without a move. */
#define MIDDLE 0.6
/* Lower boxes are zoomed in on, in design pixels. */
#define LEAST_BOX 24.0

/* --- what is decided -------------------------------------------------------------------------- */

/* The nodes that the shown decision is about; (transfer full) (nullable): no decision is shown. */
static GobanSelection *
dup_decided (GobanGraphView *self)
{
  GobanRun *run = goban_graph_view_get_run (self);
  GobanDecisions *decisions = run != NULL ? goban_run_get_decisions (run) : NULL;
  GobanMoment moment;
  g_autoptr (GobanSelection) changed = NULL;
  GobanNodeId node;
  guint n;

  if (decisions == NULL || run == goban_session_get_current_run (self->session)
      || goban_run_get_graph (run) != goban_session_get_graph (self->session))
    return NULL;
  moment = goban_run_get_moment (run);
  if (moment == 0)
    return NULL;
  changed = goban_moment_dup_changed (decisions, moment, GOBAN_N_TASKS);
  goban_selection_get_ids (changed, &n);
  if (n > 0)
    return g_steal_pointer (&changed);
  node = goban_moment_find_node (decisions, moment);
  return node != GOBAN_NO_NODE ? goban_selection_new (&node, 1) : NULL;
}

/* The innermost group around all of them, or around the first if there is none but the graph. */
static guint32
find_module (const GobanHierarchy *hierarchy, const GobanSelection *nodes)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);
  guint32 first = goban_hierarchy_get_group_of (hierarchy, ids[0]);
  guint32 group = first;

  for (guint i = 1; i < n && group != 0; i++)
    {
      guint32 other = goban_hierarchy_get_group_of (hierarchy, ids[i]);

      while (other < group || other >= goban_hierarchy_get_group (hierarchy, group)->end)
        group = goban_hierarchy_get_group (hierarchy, group)->parent;
    }
  return group != 0 ? group : first;
}

/* --- opening it ------------------------------------------------------------------------------- */

static gboolean
is_listed (const char *const *names, const char *name)
{
  return names != NULL && g_strv_contains (names, name);
}

/* The groups that users have opened, and those around and including the module. */
static void
open_module (GobanGraphView *self, guint32 group)
{
  GobanView *view = goban_session_get_view (self->session);
  const GobanHierarchy *hierarchy = self->plots.plot->hierarchy;
  g_autoptr (GStrvBuilder) opened = g_strv_builder_new ();
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  const char *const *open = goban_view_get_expanded (view);

  for (guint i = 0; open[i] != NULL; i++)
    if (!is_listed ((const char *const *) self->follow.opened, open[i]))
      g_ptr_array_add (all, g_strdup (open[i]));
  for (; group != 0; group = goban_hierarchy_get_group (hierarchy, group)->parent)
    {
      const char *path = goban_hierarchy_get_group (hierarchy, group)->path;

      if (is_listed (open, path) && !is_listed ((const char *const *) self->follow.opened, path))
        continue;
      g_ptr_array_add (all, g_strdup (path));
      g_strv_builder_add (opened, path);
    }
  g_ptr_array_add (all, NULL);
  g_strfreev (self->follow.opened);
  self->follow.opened = g_strv_builder_end (opened);
  goban_view_show_expanded (view, (const char *const *) all->pdata);
}

/* --- going there ------------------------------------------------------------------------------ */

static gboolean
glide_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  double t;

  if (self->follow.start_us == 0)
    self->follow.start_us = now_us;
  t = CLAMP ((double) (now_us - self->follow.start_us) / GLIDE_US, 0, 1);
  self->camera = goban_graph_view_blend_cameras (&self->follow.from, &self->follow.to, t);
  if (t >= 1)
    self->follow.tick_id = 0;
  goban_graph_view_camera_moved (self);
  return t < 1 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
stop_glide (GobanGraphView *self)
{
  if (self->follow.tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->follow.tick_id);
  self->follow.tick_id = 0;
}

static void
glide_to (GobanGraphView *self, const GobanCamera *camera)
{
  stop_glide (self);
  self->is_fitted = FALSE;
  if (!goban_graph_view_is_animated (self))
    {
      self->camera = *camera;
      goban_graph_view_camera_moved (self);
      return;
    }
  self->follow.from = self->camera;
  self->follow.to = *camera;
  self->follow.start_us = 0;
  self->follow.tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), glide_cb, NULL, NULL);
}

/* The box around the decided nodes, that of the first, and the least of their heights; FALSE if all
 * are hidden. */
static gboolean
find_boxes (GobanGraphView *self, const GobanSelection *nodes, GobanBox *box, GobanBox *first,
            double *least)
{
  const GobanOutline *outline = self->plots.plot->outline;
  gboolean is_found = FALSE;
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  *least = G_MAXDOUBLE;
  for (guint i = 0; i < n; i++)
    {
      guint32 item = outline->item_of[ids[i]];
      GobanBox one;

      if (item == GOBAN_NO_ITEM)
        continue;
      one = goban_layout_node_box (self->plots.layout, item);
      *box = is_found ? goban_box_union (*box, one) : one;
      *first = is_found ? *first : one;
      *least = MIN (*least, one.y1 - one.y0);
      is_found = TRUE;
    }
  return is_found;
}

/* Where a box is to be, in pixels. */
static GobanBox
find_middle (GobanGraphView *self)
{
  double width = goban_picture_get_width (goban_graph_view_picture (self));
  double height = goban_picture_get_height (goban_graph_view_picture (self));
  double x = width * (1 - MIDDLE) / 2;
  double y = height * (1 - MIDDLE) / 2;

  return (GobanBox){ x, y, width - x, height - y };
}

static gboolean
fits_into (GobanBox box, GobanBox middle)
{
  return box.x1 - box.x0 <= middle.x1 - middle.x0 && box.y1 - box.y0 <= middle.y1 - middle.y0;
}

static gboolean
is_inside (GobanBox box, GobanBox middle)
{
  return box.x0 >= middle.x0 && box.x1 <= middle.x1 && box.y0 >= middle.y0 && box.y1 <= middle.y1;
}

void
goban_graph_view_follow_plot_made (GobanGraphView *self)
{
  g_autoptr (GobanSelection) nodes = NULL;
  GobanBox middle = find_middle (self);
  double ui = goban_picture_get_ui_scale (goban_graph_view_picture (self));
  GobanCamera camera = self->camera;
  GobanBox box = { 0 }, first = { 0 };
  double least;

  if (!self->follow.is_due || self->plots.plot == NULL || self->plots.job != NULL
      || self->plots.next != NULL || middle.x1 <= middle.x0)
    return;
  self->follow.is_due = FALSE;
  nodes = dup_decided (self);
  if (nodes == NULL || !find_boxes (self, nodes, &box, &first, &least))
    return;
  camera.scale = MAX (camera.scale, LEAST_BOX * ui / least);
  /* What is too large for the middle is begun with. */
  if (!fits_into (goban_camera_box_to_screen (&camera, box), middle))
    box = first;
  if (camera.scale <= self->camera.scale
      && is_inside (goban_camera_box_to_screen (&camera, box), middle))
    return;
  goban_camera_centre (&camera, (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 },
                       middle.x0 + middle.x1, middle.y0 + middle.y1);
  glide_to (self, &camera);
}

void
goban_graph_view_follow (GobanGraphView *self)
{
  g_autoptr (GobanSelection) nodes = NULL;

  if (!self->follow.is_offered || !self->follow.is_on || self->leader != NULL
      || self->plots.plot == NULL)
    return;
  nodes = dup_decided (self);
  if (nodes == NULL)
    return;
  stop_glide (self);
  self->follow.is_due = TRUE;
  open_module (self, find_module (self->plots.plot->hierarchy, nodes));
  goban_graph_view_follow_plot_made (self);
}

void
goban_graph_view_stop_follow (GobanGraphView *self)
{
  stop_glide (self);
  self->follow.is_due = FALSE;
  g_clear_pointer (&self->follow.opened, g_strfreev);
}

void
goban_graph_view_offer_follow (GobanGraphView *self, gboolean is_offered)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  if (self->follow.is_offered == is_offered)
    return;
  self->follow.is_offered = is_offered;
  if (self->controls != NULL)
    goban_graph_controls_offer_follow (GOBAN_GRAPH_CONTROLS (self->controls), is_offered);
  goban_graph_view_follow (self);
}

void
goban_graph_view_set_follows (GobanGraphView *self, gboolean follows)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->follow.is_on = follows;
  goban_graph_view_follow (self);
}
