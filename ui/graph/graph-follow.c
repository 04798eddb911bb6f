/* graph-follow.c: the view goes with the decisions that are stepped through, and returns to where
 * it was when that is over.
 *
 * All of the board is shown if what is decided can be read then. Else the view goes there when it
 * is out of sight, and nowhere shows emptiness beyond the board. Users' zoom stays. */
#include "ui/graph/graph-view-private.h"

#include "engine/session/view.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/graph/graph-label.h"
#include "ui/widgets/signals.h"

#include <string.h>

#define GLIDE_US 150000
/* Lower boxes are zoomed in on if not all of the board can be read, in design pixels. */
#define LEAST_BOX 24.0
/* Pixels by which a box may be out of sight. */
#define ROUNDING 0.5
/* More groups are not opened for one decision: they are seen as boxes. */
#define MOST_GROUPS 8

/* What was seen before the first decision was followed. */
typedef struct
{
  GobanCamera camera;
  gboolean is_fitted;
  double width; /* of the view */
  double height;
  GobanGrouping grouping;
  GobanArrangement arrangement;
} Origin;

typedef struct
{
  gboolean is_due; /* the view is to go to the decision as soon as the plot is there */
  /* Groups opened for the last decision, and not by users. NULL: none was followed, and the view is
   * at the origin. */
  char **opened;
  gboolean is_return; /* it is to go back to the origin as soon as the plot is there */
  Origin origin;
  GobanCamera camera;   /* where it last went; scale 0: nowhere since the origin */
  double width, height; /* of the view then */
  gboolean is_zoomed;   /* by users since then */
  gboolean has_box;
  GobanBox box; /* of the node that is decided, in the present layout */
} Follow;

static void
follow_free (gpointer data)
{
  Follow *self = data;

  g_strfreev (self->opened);
  g_free (self);
}

static Follow *follow_of (GobanGraphView *self);

/* --- the decided nodes ------------------------------------------------------------------------ */

/* The nodes that the shown decision is about, and the first of them. Empty for a decision about no
 * node, such as a rule; (transfer full) (nullable): no decision is shown. */
static GobanSelection *
dup_decided (GobanGraphView *self, GobanNodeId *first)
{
  GobanRun *run = goban_graph_view_get_run (self);
  GobanDecisions *decisions = run != NULL ? goban_run_get_decisions (run) : NULL;
  GobanMoment moment;
  g_autoptr (GobanSelection) changed = NULL;
  guint n;

  if (decisions == NULL || run == goban_session_get_current_run (self->session)
      || goban_run_get_graph (run) != goban_session_get_graph (self->session))
    return NULL;
  moment = goban_run_get_moment (run);
  if (moment == 0)
    return NULL;
  changed = goban_moment_dup_changed (decisions, moment, GOBAN_N_TASKS);
  goban_selection_get_ids (changed, &n);
  *first = goban_moment_find_node (decisions, moment);
  if (n > 0 && *first != GOBAN_NO_NODE)
    return g_steal_pointer (&changed);
  return goban_selection_new (first, *first != GOBAN_NO_NODE ? 1 : 0);
}

/* --- opening it ------------------------------------------------------------------------------- */

static gboolean
is_opened (const Follow *self, const char *path)
{
  return self->opened != NULL && g_strv_contains ((const char *const *) self->opened, path);
}

/* The groups that users have opened. (transfer full), not terminated */
static GPtrArray *
dup_open_of_users (GobanGraphView *self)
{
  const char *const *open = goban_view_get_expanded (goban_session_get_view (self->session));
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; open[i] != NULL; i++)
    if (!is_opened (follow_of (self), open[i]))
      g_ptr_array_add (paths, g_strdup (open[i]));
  return paths;
}

/* Whether the shown decision is a plan or a move, and not a choice for an op. */
static gboolean
is_plan (GobanRun *run)
{
  GobanDecision decision;

  return goban_decisions_get (goban_run_get_decisions (run), goban_run_get_moment (run), NULL,
                              &decision)
         && !goban_option_is_choice (decision.options);
}

/* (n_groups): the groups around the nodes, down to the innermost; returns how many. */
static guint
mark_around (const GobanHierarchy *hierarchy, const GobanNodeId *nodes, guint n, guint8 *is_around)
{
  guint n_groups = 0;

  for (guint i = 0; i < n; i++)
    for (guint32 group = goban_hierarchy_get_group_of (hierarchy, nodes[i]);
         group != 0 && !is_around[group];
         group = goban_hierarchy_get_group (hierarchy, group)->parent)
      {
        is_around[group] = TRUE;
        n_groups++;
      }
  return n_groups;
}

/* Opens the groups around the decided nodes, and leaves those open that users have opened. If they
 * are too many, it opens none for a plan, else those around the node that the others come with. */
static void
open_module (GobanGraphView *self, const GobanSelection *nodes, GobanNodeId first)
{
  Follow *follow = follow_of (self);
  GobanView *view = goban_session_get_view (self->session);
  const GobanHierarchy *hierarchy = self->plots.plot->hierarchy;
  guint n_groups = goban_hierarchy_get_n_groups (hierarchy);
  g_autofree guint8 *is_around = g_malloc0 (n_groups);
  g_autoptr (GStrvBuilder) opened = g_strv_builder_new ();
  g_autoptr (GPtrArray) all = dup_open_of_users (self);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  if (mark_around (hierarchy, ids, n, is_around) > MOST_GROUPS)
    {
      memset (is_around, 0, n_groups);
      if (!is_plan (goban_graph_view_get_run (self)))
        mark_around (hierarchy, &first, 1, is_around);
    }
  for (guint32 group = 1; group < n_groups; group++)
    {
      const char *path = goban_hierarchy_get_group (hierarchy, group)->path;

      if (!is_around[group] || (goban_view_is_expanded (view, path) && !is_opened (follow, path)))
        continue;
      g_ptr_array_add (all, g_strdup (path));
      g_strv_builder_add (opened, path);
    }
  g_ptr_array_add (all, NULL);
  g_strfreev (follow->opened);
  follow->opened = g_strv_builder_end (opened);
  goban_view_show_expanded (view, (const char *const *) all->pdata);
}

/* Closes the groups that were opened for the last decision. */
static void
close_module (GobanGraphView *self)
{
  Follow *follow = follow_of (self);
  g_autoptr (GPtrArray) all = dup_open_of_users (self);

  g_ptr_array_add (all, NULL);
  g_clear_pointer (&follow->opened, g_strfreev);
  goban_view_show_expanded (goban_session_get_view (self->session),
                            (const char *const *) all->pdata);
}

/* --- going there ------------------------------------------------------------------------------ */

/* The morph of the camera alone. */
static gboolean
glide_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);
  GobanMorph *morph = &self->plots.morph;
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  double t;

  if (morph->start_us == 0)
    morph->start_us = now_us;
  t = CLAMP ((double) (now_us - morph->start_us) / GLIDE_US, 0, 1);
  /* The view may have got another size. */
  if (self->is_fitted)
    morph->camera_to = goban_graph_view_fitting (self, self->plots.layout);
  self->camera
      = t < 1 ? goban_camera_blend (&morph->camera, &morph->camera_to, t) : morph->camera_to;
  if (t >= 1)
    morph->tick_id = 0;
  goban_graph_view_camera_moved (self);
  return t < 1 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
stop_glide (GobanGraphView *self)
{
  GobanMorph *morph = &self->plots.morph;

  if (morph->tick_id == 0 || morph->from != NULL)
    return;
  gtk_widget_remove_tick_callback (GTK_WIDGET (self), morph->tick_id);
  morph->tick_id = 0;
  follow_of (self)->camera = self->camera;
}

static void
glide_to (GobanGraphView *self, const GobanCamera *camera)
{
  GobanMorph *morph = &self->plots.morph;

  stop_glide (self);
  self->is_fitted = FALSE;
  if (morph->tick_id != 0 || !goban_picture_is_animated (goban_graph_view_picture (self)))
    {
      self->camera = *camera;
      goban_graph_view_camera_moved (self);
    }
  else
    {
      morph->camera = self->camera;
      morph->camera_to = *camera;
      morph->start_us = 0;
      morph->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), glide_cb, NULL, NULL);
    }
  follow_of (self)->camera = *camera;
}

/* The box around the decided nodes, that of the first, and the least of their heights; FALSE if all
 * are hidden. */
static gboolean
find_boxes (GobanGraphView *self, const GobanSelection *nodes, GobanNodeId node, GobanBox *box,
            GobanBox *first, double *least)
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
      if (!is_found || ids[i] == node)
        *first = one;
      *least = MIN (*least, one.y1 - one.y0);
      is_found = TRUE;
    }
  return is_found;
}

static gboolean
fits_into (GobanBox box, double scale, GobanBox sight)
{
  return (box.x1 - box.x0) * scale <= sight.x1 - sight.x0
         && (box.y1 - box.y0) * scale <= sight.y1 - sight.y0;
}

static gboolean
is_inside (GobanBox box, GobanBox sight)
{
  return box.x0 >= sight.x0 - ROUNDING && box.x1 <= sight.x1 + ROUNDING
         && box.y0 >= sight.y0 - ROUNDING && box.y1 <= sight.y1 + ROUNDING;
}

static void
leave_origin (GobanGraphView *self)
{
  Follow *follow = follow_of (self);

  if (follow->opened == NULL)
    {
      follow->camera.scale = 0;
      follow->is_zoomed = FALSE;
    }
  if (follow->opened == NULL && !follow->is_return)
    follow->origin = (Origin){
      .camera = self->camera,
      .is_fitted = self->is_fitted,
      .width = goban_picture_get_width (goban_graph_view_picture (self)),
      .height = goban_picture_get_height (goban_graph_view_picture (self)),
      .grouping = self->plots.grouping,
      .arrangement = self->plots.arrangement,
    };
  follow->is_return = FALSE;
}

/* A view of another size keeps its middle, as when it is resized. Once users have grouped or
 * arranged the graph anew, what was seen is not there any more. */
static void
return_to_origin (GobanGraphView *self)
{
  Follow *follow = follow_of (self);
  const Origin *origin = &follow->origin;
  GobanPicture *picture = goban_graph_view_picture (self);

  follow->is_return = self->plots.job != NULL || self->plots.next != NULL;
  if (origin->grouping != self->plots.grouping || origin->arrangement != self->plots.arrangement)
    return;
  if (origin->is_fitted)
    {
      goban_graph_view_fit (self);
      return;
    }
  self->is_fitted = FALSE;
  self->camera = origin->camera;
  self->camera.x += (goban_picture_get_width (picture) - origin->width) / 2;
  self->camera.y += (goban_picture_get_height (picture) - origin->height) / 2;
  goban_graph_view_camera_moved (self);
}

static double
cover_offset (double offset, double lo, double hi, double from, double to)
{
  return hi - lo <= to - from ? (from + to - lo - hi) / 2 : CLAMP (offset, to - hi, from - lo);
}

/* Moves it so that @world covers @sight, or is in its middle where it is smaller. */
static void
cover (GobanCamera *camera, GobanBox world, GobanBox sight)
{
  double scale = camera->scale;

  camera->x = cover_offset (camera->x, world.x0 * scale, world.x1 * scale, sight.x0, sight.x1);
  camera->y = cover_offset (camera->y, world.y0 * scale, world.y1 * scale, sight.y0, sight.y1);
}

/* The camera that has the boxes in sight; @least is their lowest height. */
static GobanCamera
find_camera (GobanGraphView *self, GobanBox box, GobanBox first, double least)
{
  Follow *follow = follow_of (self);
  GobanPicture *picture = goban_graph_view_picture (self);
  GobanBox sight
      = goban_plot_get_sight (goban_picture_get_width (picture), goban_picture_get_height (picture),
                              goban_picture_get_ui_scale (picture));
  double readable = LEAST_BOX * goban_picture_get_ui_scale (picture) / least;
  GobanCamera camera = self->camera;
  GobanPoint centre;

  camera.scale = follow->camera.scale == 0 ? readable : MAX (camera.scale, readable);
  /* Too many to be read at once: it begins with the first. */
  if (!fits_into (box, camera.scale, sight))
    {
      if (!follow->is_zoomed && fits_into (box, readable, sight))
        camera.scale = readable;
      else
        box = first;
    }
  if (camera.scale == self->camera.scale)
    {
      cover (&camera, self->plots.layout->bounds, sight);
      if (is_inside (goban_camera_box_to_screen (&camera, box), sight))
        return camera;
    }
  centre = (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
  goban_camera_centre (&camera, centre, sight.x0 + sight.x1, sight.y0 + sight.y1);
  cover (&camera, self->plots.layout->bounds, sight);
  return camera;
}

static void
show_all (GobanGraphView *self)
{
  GobanCamera camera = goban_graph_view_fitting (self, self->plots.layout);

  if (!self->is_fitted)
    glide_to (self, &camera);
  follow_of (self)->camera = camera;
  self->is_fitted = TRUE;
}

static void
plot_changed_cb (GobanGraphView *self)
{
  Follow *follow = follow_of (self);
  g_autoptr (GobanSelection) nodes = NULL;
  double ui = goban_picture_get_ui_scale (goban_graph_view_picture (self));
  GobanCamera camera;
  GobanBox box = { 0 }, first = { 0 };
  GobanNodeId node;
  double least;

  follow->has_box = FALSE;
  if (follow->is_return && self->plots.plot != NULL)
    return_to_origin (self);
  if (!follow->is_due || self->plots.plot == NULL || self->plots.job != NULL
      || self->plots.next != NULL || goban_picture_get_width (goban_graph_view_picture (self)) <= 0)
    return;
  follow->is_due = FALSE;
  if (self->is_fitted)
    follow->is_zoomed = FALSE;
  else if (follow->camera.scale != 0 && self->camera.scale != follow->camera.scale)
    follow->is_zoomed = TRUE;
  nodes = dup_decided (self, &node);
  if (nodes == NULL)
    return;
  if (node == GOBAN_NO_NODE)
    show_all (self);
  if (!find_boxes (self, nodes, node, &box, &first, &least))
    return;
  follow->box = first;
  follow->has_box = TRUE;
  camera = goban_graph_view_fitting (self, self->plots.layout);
  if (!follow->is_zoomed && least * camera.scale >= GOBAN_LEAST_READABLE * ui
      && goban_plot_get_label_size (self->plots.plot, camera.scale / ui) >= GOBAN_READABLE_LABEL)
    {
      show_all (self);
      return;
    }
  camera = find_camera (self, box, first, least);
  if (camera.x != self->camera.x || camera.y != self->camera.y
      || camera.scale != self->camera.scale)
    glide_to (self, &camera);
}

gboolean
goban_graph_view_find_followed (GobanGraphView *self, GobanBox *box)
{
  Follow *follow = self->plots.has_follow ? follow_of (self) : NULL;

  if (follow == NULL || follow->opened == NULL || !follow->has_box)
    return FALSE;
  *box = goban_camera_box_to_screen (&self->camera, follow->box);
  return TRUE;
}

/* A view of another size keeps its middle; what is decided is to stay in sight, too. */
static void
camera_changed_cb (GobanGraphView *self)
{
  Follow *follow = follow_of (self);
  GobanPicture *picture = goban_graph_view_picture (self);
  double dx = (goban_picture_get_width (picture) - follow->width) / 2;
  double dy = (goban_picture_get_height (picture) - follow->height) / 2;

  follow->width += 2 * dx;
  follow->height += 2 * dy;
  if ((dx == 0 && dy == 0) || follow->opened == NULL || self->is_fitted
      || self->camera.scale != follow->camera.scale || self->camera.x != follow->camera.x + dx
      || self->camera.y != follow->camera.y + dy)
    return;
  follow->camera = self->camera;
  follow->is_due = TRUE;
  plot_changed_cb (self);
}

static void
run_changed_cb (GobanGraphView *self)
{
  Follow *follow = follow_of (self);
  g_autoptr (GobanSelection) nodes = NULL;
  GobanNodeId node;

  if (!self->plots.has_follow || !self->plots.follows || self->leader != NULL
      || self->plots.plot == NULL)
    return;
  nodes = dup_decided (self, &node);
  if (nodes == NULL)
    return;
  stop_glide (self);
  leave_origin (self);
  follow->is_due = TRUE;
  open_module (self, nodes, node);
  plot_changed_cb (self);
}

static void
graph_changed_cb (GobanGraphView *self)
{
  Follow *follow = follow_of (self);

  stop_glide (self);
  follow->is_due = follow->is_return = FALSE;
  g_clear_pointer (&follow->opened, g_strfreev);
}

static void
go_back (GobanGraphView *self)
{
  Follow *follow = follow_of (self);

  if (follow->opened == NULL)
    return;
  stop_glide (self);
  follow->is_due = FALSE;
  close_module (self);
  return_to_origin (self);
}

/* Made when it is first asked for. */
static Follow *
follow_of (GobanGraphView *self)
{
  Follow *follow = g_object_get_data (G_OBJECT (self), "follow");

  if (follow != NULL)
    return follow;
  follow = g_new0 (Follow, 1);
  g_object_set_data_full (G_OBJECT (self), "follow", follow, follow_free);
  g_signal_connect (self, "plot-changed", G_CALLBACK (plot_changed_cb), NULL);
  g_signal_connect (self, "camera-changed", G_CALLBACK (camera_changed_cb), NULL);
  g_signal_connect (self, "notify::follows", G_CALLBACK (run_changed_cb), NULL);
  GOBAN_CONNECT (self->session, "notify::shown-run", run_changed_cb, self);
  GOBAN_CONNECT (self->session, "notify::graph", graph_changed_cb, self);
  return follow;
}

void
goban_graph_view_offer_follow (GobanGraphView *self, gboolean is_offered)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  if (self->plots.has_follow == is_offered)
    return;
  self->plots.has_follow = is_offered;
  goban_graph_view_update_controls (self);
  if (is_offered)
    run_changed_cb (self);
  else
    go_back (self);
}
