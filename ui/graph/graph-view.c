#include "ui/graph/attention-arrows.h"
#include "ui/graph/graph-view-private.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/coloring.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/report/report.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/export/picture.h"
#include "ui/widgets/context-menu.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Proportions that differ by this factor have another number of columns; larger graphs stay. */
#define OTHER_SHAPE 1.35
#define MOST_REARRANGED 2000
#define SETTLED_MS 150
#define MAX_SCALE 4.0
/* Fitting a toy must not blow its nodes up to the size of the window: they grow only with a board
 * that is larger than this, in design pixels. */
#define MAX_FIT_SCALE 1.5
#define BOARD_WIDTH 1280.0
#define BOARD_HEIGHT 720.0
#define MAX_SELECTION_SCALE 1.2
/* A group that fills this share of the view is the one in sight. */
#define MOST_OF_VIEW 0.8

enum
{
  PROP_ATTENTION = 1,
  PROP_FOLLOWS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GobanGraphView, goban_graph_view, GOBAN_TYPE_PICTURE)

static GobanPicture *
picture (GobanGraphView *self)
{
  return GOBAN_PICTURE (self);
}

GobanRun *
goban_graph_view_get_run (GobanGraphView *self)
{
  return self->leader != NULL ? self->compared.run : goban_session_get_shown_run (self->session);
}

/* (nullable): the run of the step that is shown in place of the current run. */
static GobanRun *
get_step (GobanGraphView *self)
{
  GobanRun *shown = goban_session_get_shown_run (self->session);

  return shown != goban_session_get_current_run (self->session)
                 && shown == goban_graph_view_get_run (self)
             ? shown
             : NULL;
}

void
goban_item_marks_forget (GobanItemMarks *self)
{
  goban_outline_marks_clear (&self->marks);
  self->is_known = FALSE;
}

static const GobanOutlineMarks *
find_marks (GobanItemMarks *self, const GobanOutline *outline, const GobanNodeId *ids, guint n)
{
  if (!self->is_known)
    self->marks = goban_outline_mark (outline, ids, n);
  self->is_known = TRUE;
  return &self->marks;
}

const GobanOutlineMarks *
goban_graph_view_get_marks (GobanGraphView *self)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  return find_marks (&self->marks, self->plots.plot->outline, ids,
                     self->compared.hides_selection ? 0 : n);
}

static GobanGraphPicture
describe_picture (GobanGraphView *self)
{
  GobanView *view = goban_session_get_view (self->session);

  return (GobanGraphPicture){
    .scene = goban_graph_view_get_scene (self),
    .layout = self->plots.layout,
    .camera = self->camera,
    .style = {
      .theme = goban_picture_get_theme (picture (self)),
      .fill = goban_fill_of_color (goban_view_get_color (view)),
      .show_critical = self->show_critical,
      .ui_scale = goban_picture_get_ui_scale (picture (self)),
      .is_frame = TRUE,
    },
    .states = self->states,
    .compare = goban_compared_run_get_look (&self->compared, self->plots.plot),
  };
}

void
goban_graph_view_content_changed (GobanGraphView *self)
{
  goban_picture_invalidate (picture (self));
  g_signal_emit_by_name (self, "content-changed");
}

/* --- camera ------------------------------------------------------------------------------- */

/* Passes the visible part to the session's view, for bookmarks and the way back. */
static void
store_viewport (GobanGraphView *self)
{
  GobanBox seen = { 0, 0, goban_picture_get_width (picture (self)),
                    goban_picture_get_height (picture (self)) };
  GobanBox box = goban_camera_box_to_world (&self->camera, seen);

  if (self->plots.layout != NULL && self->leader == NULL && seen.x1 > 0)
    goban_view_set_viewport (goban_session_get_view (self->session),
                             &(GobanViewport){ box.x0, box.y0, box.x1, box.y1 });
}

/* The innermost open group around what is seen: it fills the view, or its head is above it. 0: that
 * is the whole graph. */
static guint32
find_hull_in_sight (GobanGraphView *self)
{
  const GobanLayout *layout = self->plots.layout;
  double width = goban_picture_get_width (picture (self));
  double height = goban_picture_get_height (picture (self));
  guint32 found = 0;

  /* Inner hulls come after those around them. */
  for (guint h = 1; h < layout->n_hulls; h++)
    {
      GobanBox box = goban_camera_box_to_screen (&self->camera, layout->hulls[h]);
      double seen_w = MIN (box.x1, width) - MAX (box.x0, 0);
      double seen_h = MIN (box.y1, height) - MAX (box.y0, 0);
      gboolean is_around = box.x0 <= width / 2 && box.x1 >= width / 2 && box.y0 <= height / 2
                           && box.y1 >= height / 2;

      if (is_around && (box.y0 < 0 || seen_w * seen_h >= MOST_OF_VIEW * width * height))
        found = h;
    }
  return found;
}

guint32
goban_graph_view_find_hull_of_selection (GobanGraphView *self)
{
  const GobanOutline *outline = self->plots.plot->outline;
  const GobanOutlineMarks *marks = goban_graph_view_get_marks (self);
  guint32 hull = marks->n > 0 ? outline->items[marks->items[0]].hull : 0;

  for (guint i = 1; i < marks->n && hull != 0; i++)
    hull = goban_outline_meet (outline, hull, outline->items[marks->items[i]].hull);
  return hull;
}

static gboolean
update_controls_cb (gpointer user_data)
{
  GobanGraphView *self = user_data;
  GobanGraph *graph = goban_session_get_graph (self->session);
  gboolean is_shown
      = graph != NULL && self->plots.plot != NULL && self->drag.kind == GOBAN_GRAPH_DRAG_NOTHING;
  guint32 hull = 0;

  self->plots.controls_id = 0;
  gtk_widget_set_visible (self->controls, is_shown);
  if (!is_shown)
    return G_SOURCE_REMOVE;
  if (self->plots.layout->n_hulls > 1)
    hull = find_hull_in_sight (self);
  if (hull == 0)
    hull = goban_graph_view_find_hull_of_selection (self);
  goban_graph_controls_show (GOBAN_GRAPH_CONTROLS (self->controls),
                             &(GobanGraphControlsState){
                                 .title = goban_graph_get_name (graph),
                                 .outline = self->plots.plot->outline,
                                 .hull = hull,
                                 .scale = goban_graph_view_get_scale (self),
                                 .has_follow = self->plots.has_follow,
                             });
  return G_SOURCE_REMOVE;
}

void
goban_graph_view_update_controls (GobanGraphView *self)
{
  if (self->controls != NULL && self->plots.controls_id == 0)
    self->plots.controls_id
        = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, update_controls_cb, self, NULL);
}

static void
go_to_group_cb (GobanGraphView *self, const char *path)
{
  gboolean is_open;
  GobanBox box;

  if (goban_graph_view_locate_group (self, path, &is_open, &box))
    goban_graph_view_show_box (self, goban_camera_box_to_world (&self->camera, box),
                               MAX_SELECTION_SCALE);
}

static void
show_camera (GobanGraphView *self)
{
  store_viewport (self);
  goban_graph_view_update_controls (self);
  goban_picture_invalidate (picture (self));
  g_signal_emit_by_name (self, "camera-changed");
}

void
goban_graph_view_camera_moved (GobanGraphView *self)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  if (self->plots.layout != NULL)
    goban_camera_clamp (&self->camera, self->plots.layout->bounds,
                        goban_picture_get_width (picture (self)),
                        goban_picture_get_height (picture (self)), MAX_SCALE * ui);
  show_camera (self);
}

static GobanCamera
fit_box (GobanGraphView *self, GobanBox box, double max_scale)
{
  return goban_plot_fit (box, goban_picture_get_width (picture (self)),
                         goban_picture_get_height (picture (self)), max_scale,
                         goban_picture_get_ui_scale (picture (self)));
}

GobanCamera
goban_graph_view_fitting (GobanGraphView *self, const GobanLayout *layout)
{
  GobanPicture *picture = goban_graph_view_picture (self);
  double ui = goban_picture_get_ui_scale (picture);
  double size = MIN (goban_picture_get_width (picture) / BOARD_WIDTH,
                     goban_picture_get_height (picture) / BOARD_HEIGHT)
                / ui;

  return fit_box (self, layout->bounds, CLAMP (size, 1, MAX_FIT_SCALE));
}

void
goban_graph_view_show_box (GobanGraphView *self, GobanBox box, double max_scale)
{
  self->is_fitted = FALSE;
  self->camera = fit_box (self, box, max_scale);
  show_camera (self);
}

void
goban_graph_view_fit (GobanGraphView *self)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->is_fitted = TRUE;
  if (self->plots.layout == NULL || goban_picture_get_width (picture (self)) <= 0)
    return;

  self->camera = goban_graph_view_fitting (self, self->plots.layout);
  show_camera (self);
}

void
goban_graph_view_show_selection (GobanGraphView *self)
{
  const GobanOutlineMarks *marks;
  GobanBox box;

  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  marks = self->plots.plot != NULL ? goban_graph_view_get_marks (self) : NULL;
  if (marks == NULL || marks->n == 0)
    {
      goban_graph_view_fit (self);
      return;
    }

  box = goban_layout_node_box (self->plots.layout, marks->items[0]);
  for (guint i = 1; i < marks->n; i++)
    box = goban_box_union (box, goban_layout_node_box (self->plots.layout, marks->items[i]));
  goban_graph_view_show_box (self, box, MAX_SELECTION_SCALE);
}

void
goban_graph_view_look_at (GobanGraphView *self, GobanPoint world)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->is_fitted = FALSE;
  goban_camera_centre (&self->camera, world, goban_picture_get_width (picture (self)),
                       goban_picture_get_height (picture (self)));
  goban_graph_view_camera_moved (self);
}

/* Shows exactly the same part as before, as far as the pane has the same shape. */
void
goban_graph_view_go_to_viewport (GobanGraphView *self, const GobanViewport *viewport)
{
  GobanBox box = { viewport->x0, viewport->y0, viewport->x1, viewport->y1 };
  double width = goban_picture_get_width (picture (self));
  double height = goban_picture_get_height (picture (self));

  if (self->plots.layout == NULL || self->plots.job != NULL || self->plots.next != NULL
      || width <= 0)
    {
      self->plots.awaited = *viewport;
      return;
    }

  self->is_fitted = FALSE;
  self->camera = goban_camera_fit (box, width, height, 0,
                                   MAX_SCALE * goban_picture_get_ui_scale (picture (self)));
  goban_graph_view_camera_moved (self);
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

  if (n != 1 || self->compared.hides_selection || !goban_graph_view_locate (self, ids[0], &at))
    return;
  if (at.x >= 0 && at.y >= 0 && at.x < width && at.y < height)
    return;

  goban_graph_view_look_at (self, goban_camera_to_world (&self->camera, at));
}

static void
goban_graph_view_pan (GobanPicture *base, double dx, double dy)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);

  self->is_fitted = FALSE;
  goban_camera_pan (&self->camera, dx, dy);
  goban_graph_view_camera_moved (self);
}

static void
goban_graph_view_zoom (GobanPicture *base, double factor, GobanPoint at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);

  self->is_fitted = FALSE;
  goban_camera_zoom (&self->camera, factor, at);
  goban_graph_view_camera_moved (self);
}

static gboolean
settled_cb (gpointer user_data)
{
  GobanGraphView *self = user_data;

  self->plots.room_id = 0;
  if (self->is_fitted)
    goban_graph_view_start_plot (self);
  return G_SOURCE_REMOVE;
}

/* A graph that is shown as a whole is arranged for the proportions of the board. Once people have
 * gone somewhere in a leader, all stays where it is. */
static void
board_changed (GobanGraphView *self)
{
  GobanGraphView *leader = self->leader != NULL ? self->leader : self;
  GobanArrangement arrangement = goban_view_get_layout (goban_session_get_view (self->session));
  GobanGraphPlots *plots = &leader->plots;
  double ui = goban_picture_get_ui_scale (picture (self));
  GobanSize board = { (float) (goban_picture_get_width (picture (self)) / ui),
                      (float) (goban_picture_get_height (picture (self)) / ui) };
  double change;

  if (board.width <= 0 || board.height <= 0
      || (self->leader != NULL
          && (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !leader->is_fitted)))
    return;
  plots->board = board;
  if (!self->is_fitted || !gtk_widget_get_mapped (GTK_WIDGET (self)) || plots->plot == NULL
      || plots->plot->outline->n_items > MOST_REARRANGED
      || (arrangement != GOBAN_ARRANGE_AUTO && arrangement != GOBAN_ARRANGE_WRAPPED))
    return;
  change = (double) (board.width * plots->laid_out.height)
           / MAX ((double) (board.height * plots->laid_out.width), 1);
  g_clear_handle_id (&plots->room_id, g_source_remove);
  if (MAX (change, 1 / change) >= OTHER_SHAPE)
    plots->room_id = g_timeout_add (SETTLED_MS, settled_cb, leader);
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
  board_changed (self);
}

static void
goban_graph_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_graph_view_parent_class)->map (widget);
  board_changed (GOBAN_GRAPH_VIEW (widget));
}

/* --- following the session ------------------------------------------------------------------ */

/* (transfer full) */
static char *
describe_shown (GobanGraphView *self, GobanGraph *graph, const char *chosen)
{
  const GobanOutline *outline = self->plots.plot != NULL ? self->plots.plot->outline : NULL;
  char nodes[GOBAN_QUANTITY_LEN], boxes[GOBAN_QUANTITY_LEN], groups[GOBAN_QUANTITY_LEN];
  guint n = goban_graph_get_n_nodes (graph);

  goban_format_grouped (nodes, n);
  if (outline == NULL || outline->n_closed == 0)
    return g_strdup_printf (
        goban_i18n_get_plural ("Graph of %s node; %s", "Graph of %s nodes; %s", n), nodes, chosen);

  return g_strdup_printf (_ ("Graph of %s nodes, shown as %s boxes of which %s are groups; %s"),
                          nodes, goban_format_grouped (boxes, outline->n_items),
                          goban_format_grouped (groups, outline->n_closed), chosen);
}

void
goban_graph_view_update_description (GobanGraphView *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanRun *run = goban_graph_view_get_run (self);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  char number[GOBAN_QUANTITY_LEN];
  g_autofree char *chosen = NULL;
  g_autofree char *label = NULL;

  /* The comparison sets the contents of a follower. */
  if (self->leader != NULL)
    return;
  if (graph == NULL)
    {
      goban_set_accessible_label (GTK_WIDGET (self), _ ("Graph: nothing is open"));
      return;
    }

  chosen = n == 1 ? goban_describe_node (graph, run, ids[0])
                  : g_strdup_printf (_ ("%s selected"), goban_format_grouped (number, n));
  label = describe_shown (self, graph, chosen);
  goban_set_accessible_label (GTK_WIDGET (self), label);
}

/* The states at the time. O(N), well under a millisecond at 80,000 nodes: each frame of playback
 * can have its own. */
void
goban_graph_view_time_changed (GobanGraphView *self)
{
  GobanRun *run = goban_graph_view_get_run (self);
  GobanView *view = goban_session_get_view (self->session);
  double time_us = goban_view_get_time_us (view);
  gboolean has_time = isfinite (time_us) && !self->compared.hides_time;
  gboolean had_states = self->states != NULL;

  g_clear_pointer (&self->states, g_free);
  if (run != NULL && has_time)
    {
      self->states = g_malloc (MAX (goban_graph_get_n_nodes (goban_run_get_graph (run)), 1));
      goban_playback_state_compute (run, time_us, self->states, NULL);
    }
  if (had_states || self->states != NULL)
    goban_picture_invalidate (picture (self));
}

static void
update_scene (GobanGraphView *self)
{
  goban_graph_view_forget_drag (self);
  goban_graph_view_want_scene (self);
  goban_graph_view_time_changed (self);
  goban_graph_view_update_description (self);
}

static void
set_attention (GobanGraphView *self, GArray *arrows)
{
  if (arrows == self->attention)
    return;
  g_clear_pointer (&self->attention, g_array_unref);
  self->attention = arrows != NULL ? g_array_ref (arrows) : NULL;
  goban_picture_invalidate_overlay (picture (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ATTENTION]);
}

static void
graph_changed_cb (GobanGraphView *self)
{
  goban_graph_view_set_matches (self, NULL);
  set_attention (self, NULL);
  self->plots.awaited = (GobanViewport){ 0 };
  goban_graph_view_forget_plot (self);
  goban_graph_view_forget_scenes (self);
  goban_graph_view_start_plot (self);
  update_scene (self);
}

void
goban_graph_view_selection_changed (GobanGraphView *self)
{
  goban_item_marks_forget (&self->marks);
  goban_graph_view_update_description (self);
  reveal_selection (self);
  goban_graph_view_update_controls (self);
  goban_picture_invalidate_overlay (picture (self));
}

static void
color_changed_cb (GobanGraphView *self)
{
  goban_graph_view_forget_pending (self);
  self->scenes.is_stale = TRUE;
  goban_graph_view_content_changed (self);
}

/* Lanes are of the run that is shown, clusters of its plan; nothing else moves. */
static void
arranged_run_changed_cb (GobanGraphView *self)
{
  GobanView *view = goban_session_get_view (self->session);

  if (goban_view_get_layout (view) == GOBAN_ARRANGE_LANES
      || goban_view_get_grouping (view) == GOBAN_GROUPING_CLUSTER)
    goban_graph_view_start_plot (self);
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
  GobanGraph *graph = goban_session_get_graph (self->session);
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (picture (self)));
  double ui = goban_picture_get_ui_scale (picture (self));
  double width = goban_pen_get_width (pen);
  double height = goban_pen_get_height (pen);
  GobanTextStyle style = { 13 * ui, FALSE, GOBAN_ALIGN_CENTRE, colours->muted };
  char count[32];
  guint n;
  g_autofree char *text = NULL;

  goban_pen_rect (pen, (GobanBox){ 0, 0, width, height }, colours->canvas);
  if (graph == NULL)
    return;

  n = goban_graph_get_n_nodes (graph);
  text = g_strdup_printf (goban_i18n_get_plural ("Laying out %s node…", "Laying out %s nodes…", n),
                          goban_format_grouped (count, n));
  goban_pen_text (pen, text, (GobanPoint){ 0, height / 2 }, width, &style);
}

/* After a zoom to empty space, a hint shows how to come back. */
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

  for (guint v = 0; v < self->plots.layout->n_nodes; v++)
    {
      GobanBox box = goban_layout_node_box (self->plots.layout, v);

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

  if (self->plots.layout == NULL || goban_graph_view_get_scene (self) == NULL)
    {
      paint_waiting (self, pen);
      return;
    }

  goban_graph_paint (&described, pen);
  if (self->plots.layout->n_nodes > 0)
    paint_way_back (self, pen);
}

/* A group is marked if some of it is found: that is the way to it. */
static void
mark_found (GobanGraphView *self, GobanGraphOverlay *overlay)
{
  const GobanOutlineMarks *found;
  const GobanNodeId *ids;
  guint n;

  if (self->matches == NULL)
    return;

  ids = goban_selection_get_ids (self->matches, &n);
  found = find_marks (&self->found, self->plots.plot->outline, ids, n);
  overlay->matched = found->items;
  overlay->n_matched = found->n;
}

static void
goban_graph_view_paint_overlay (GobanPicture *base, GobanPen *pen)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanGraphPicture described = describe_picture (self);
  const GobanOutlineMarks *marks;
  GobanGraphOverlay overlay;
  g_autoptr (GArray) arrows = NULL;

  if (self->plots.layout == NULL || goban_graph_view_get_scene (self) == NULL)
    return;

  arrows = goban_attention_arrows_place (self->attention, goban_graph_view_get_scene (self));
  marks = goban_graph_view_get_marks (self);
  overlay = (GobanGraphOverlay){
    .selected = marks->items,
    .n_selected = marks->n_whole,
    .partly = marks->items + marks->n_whole,
    .n_partly = marks->n - marks->n_whole,
    .hover = self->hover.item,
    .hover_hull = self->hover.hull != GOBAN_NO_ITEM ? self->hover.hull : 0,
    .arrows = (const GobanAttentionArrow *) (gpointer) arrows->data,
    .n_arrows = arrows->len,
  };
  mark_found (self, &overlay);
  goban_graph_paint_overlay (&described, &overlay, pen);
  if (self->drag.kind != GOBAN_GRAPH_DRAG_NOTHING)
    goban_graph_view_paint_drag (self, pen);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_graph_view_dispose (GObject *object)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (object);

  goban_compared_run_clear (&self->compared);
  g_clear_object (&self->leader);
  goban_graph_view_forget_drag (self);
  g_clear_pointer (&self->targets, gtk_widget_unparent);
  g_clear_handle_id (&self->plots.controls_id, g_source_remove);
  g_clear_pointer (&self->controls, gtk_widget_unparent);
  g_clear_pointer (&self->attention, g_array_unref);
  g_clear_pointer (&self->states, g_free);
  goban_graph_view_forget_plot (self);
  goban_graph_view_end_scenes (self);
  g_clear_pointer (&self->matches, goban_selection_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_graph_view_parent_class)->dispose (object);
}

/* The row of devices is as wide as the picture has room, at its top. */
static void
goban_graph_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);

  GTK_WIDGET_CLASS (goban_graph_view_parent_class)->size_allocate (widget, width, height, baseline);
  if (self->controls != NULL)
    gtk_widget_allocate (self->controls, width, height, -1, NULL);
  if (gtk_widget_should_layout (self->targets))
    {
      int room = MAX (width - 16, 1);
      int least, natural, least_w, natural_w;
      GskTransform *to;

      gtk_widget_measure (self->targets, GTK_ORIENTATION_HORIZONTAL, -1, &least_w, &natural_w, NULL,
                          NULL);
      room = MAX (MIN (room, natural_w), least_w);
      gtk_widget_measure (self->targets, GTK_ORIENTATION_VERTICAL, room, &least, &natural, NULL,
                          NULL);
      to = gsk_transform_translate (NULL,
                                    &GRAPHENE_POINT_INIT ((float) MAX ((width - room) / 2, 0), 8));
      gtk_widget_allocate (self->targets, room, natural, -1, to);
    }
}

static void
goban_graph_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);

  GTK_WIDGET_CLASS (goban_graph_view_parent_class)->snapshot (widget, snapshot);
  if (self->controls != NULL)
    gtk_widget_snapshot_child (widget, self->controls, snapshot);
  gtk_widget_snapshot_child (widget, self->targets, snapshot);
}

static void
goban_graph_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ATTENTION)
    g_value_set_boxed (value, GOBAN_GRAPH_VIEW (object)->attention);
  else if (id == PROP_FOLLOWS)
    g_value_set_boolean (value, GOBAN_GRAPH_VIEW (object)->plots.follows);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
goban_graph_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ATTENTION)
    set_attention (GOBAN_GRAPH_VIEW (object), g_value_get_boxed (value));
  else if (id == PROP_FOLLOWS)
    GOBAN_GRAPH_VIEW (object)->plots.follows = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* A node, or else a group. */
static gboolean
locate (GobanPicture *base, const char *name, GobanBox *box)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanNodeId node = graph != NULL ? goban_graph_find_node (graph, name) : GOBAN_NO_NODE;
  gboolean is_open;
  GobanPoint middle;
  guint32 item;

  if (node == GOBAN_NO_NODE || !goban_graph_view_locate (self, node, &middle))
    return goban_graph_view_locate_group (self, name, &is_open, box);
  item = self->plots.plot->outline->item_of[node];
  *box = goban_camera_box_to_screen (&self->camera,
                                     goban_layout_node_box (self->plots.layout, item));
  return TRUE;
}

static void
goban_graph_view_class_init (GobanGraphViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_graph_view_dispose;
  G_OBJECT_CLASS (klass)->get_property = goban_graph_view_get_property;
  G_OBJECT_CLASS (klass)->set_property = goban_graph_view_set_property;
  GTK_WIDGET_CLASS (klass)->map = goban_graph_view_map;
  GTK_WIDGET_CLASS (klass)->size_allocate = goban_graph_view_size_allocate;
  GTK_WIDGET_CLASS (klass)->snapshot = goban_graph_view_snapshot;
  picture_class->paint = goban_graph_view_paint;
  picture_class->paint_overlay = goban_graph_view_paint_overlay;
  picture_class->pan = goban_graph_view_pan;
  picture_class->zoom = goban_graph_view_zoom;
  picture_class->click = goban_graph_view_click;
  picture_class->menu = goban_graph_view_menu;
  picture_class->pick_box = goban_graph_view_pick_box;
  picture_class->drag_begin = goban_graph_view_drag_begin;
  picture_class->drag_update = goban_graph_view_drag_update;
  picture_class->drag_end = goban_graph_view_drag_end;
  picture_class->drag_key = goban_graph_view_drag_key;
  picture_class->hover = goban_graph_view_hover;
  picture_class->locate = locate;
  picture_class->resized = goban_graph_view_resized;

  /* GobanAttentionArrow between nodes of the graph; NULL: none. They go when the graph does. */
  props[PROP_ATTENTION]
      = g_param_spec_boxed ("attention", NULL, NULL, G_TYPE_ARRAY,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  /* Decisions that are stepped through, where that is offered. */
  props[PROP_FOLLOWS] = g_param_spec_boolean ("follows", NULL, NULL, TRUE,
                                              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  goban_signal_add (klass, "camera-changed", 0);
  goban_signal_add (klass, "content-changed", 0);
  goban_signal_add (klass, "plot-changed", 0);
  goban_signal_add (klass, "offer-over", 0);
  goban_signal_add (klass, "connect", 2, G_TYPE_UINT, G_TYPE_UINT);
}

void
goban_graph_view_plot_changed (GobanGraphView *self)
{
  goban_graph_view_update_controls (self);
  g_signal_emit_by_name (self, "plot-changed");
}

static void
goban_graph_view_init (GobanGraphView *self)
{
  self->hover.item = self->hover.hull = GOBAN_NO_ITEM;
  self->camera.scale = 1;
  self->is_fitted = TRUE;
  self->plots.follows = TRUE;
  goban_graph_view_begin_scenes (self);
  goban_graph_view_build_targets (self);
  goban_context_menu_add_keys (GTK_WIDGET (self), goban_graph_view_open_menu);
  goban_set_accessible_label (GTK_WIDGET (self), _ ("Graph: nothing is open"));
}

/* Signals that views of any run handle. */
void
goban_graph_view_watch_session (GobanGraphView *self, GobanSession *session)
{
  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::selection", goban_graph_view_selection_changed, self);
  GOBAN_CONNECT (session, "zoom", zoom_cb, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::time", goban_graph_view_time_changed,
                 self);
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
    { "notify::shown-run", G_CALLBACK (update_scene) },
    { "pending-edit", G_CALLBACK (goban_graph_view_run_pending) },
  };
  static const char *const looks[]
      = { "notify::grouping", "notify::expanded", "notify::hidden", "notify::layout" };
  GobanGraphView *self = g_object_new (GOBAN_TYPE_GRAPH_VIEW, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (watched); i++)
    g_signal_connect_object (session, watched[i].signal, watched[i].callback, self,
                             G_CONNECT_SWAPPED);
  goban_graph_view_watch_session (self, session);
  self->preview = goban_preview_of (session);
  GOBAN_CONNECT (self->preview, "changed", goban_graph_view_preview_changed, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::color", color_changed_cb, self);
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    g_signal_connect_object (goban_session_get_view (session), looks[i],
                             G_CALLBACK (goban_graph_view_start_plot), self, G_CONNECT_SWAPPED);
  GOBAN_CONNECT (session, "notify::shown-run", arranged_run_changed_cb, self);
  GOBAN_CONNECT (goban_session_get_view (session), "look", goban_graph_view_go_to_viewport, self);
  self->controls = goban_graph_controls_new (picture (self), session);
  GOBAN_CONNECT (self->controls, "go-to", go_to_group_cb, self);
  graph_changed_cb (self);

  return GTK_WIDGET (self);
}

/* --- for others ------------------------------------------------------------------------------- */

void
goban_graph_view_set_show_critical (GobanGraphView *self, gboolean show)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->show_critical = show;
  goban_graph_view_content_changed (self);
}

gboolean
goban_graph_view_describe (GobanGraphView *self, GobanGraphPicture *described)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  if (self->plots.layout == NULL || goban_graph_view_get_scene (self) == NULL)
    return FALSE;

  *described = describe_picture (self);
  return TRUE;
}

void
goban_graph_view_set_matches (GobanGraphView *self, GobanSelection *matches)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  g_clear_pointer (&self->matches, goban_selection_unref);
  self->matches = matches != NULL ? goban_selection_ref (matches) : NULL;
  goban_item_marks_forget (&self->found);
  goban_picture_invalidate_overlay (picture (self));
}

gboolean
goban_graph_view_is_ready (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  return self->plots.plot != NULL && self->plots.job == NULL
         && !goban_coalescing_worker_is_busy (self->scenes.maker)
         && !goban_coalescing_worker_is_busy (self->scenes.pending.maker)
         && self->plots.morph.tick_id == 0;
}

double
goban_graph_view_get_scale (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), 0);

  return self->plots.layout != NULL
             ? self->camera.scale / goban_picture_get_ui_scale (picture (self))
             : 0;
}

guint
goban_graph_view_get_n_boxes (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), 0);

  return self->plots.plot != NULL && self->plots.plot->outline->hierarchy != NULL
             ? self->plots.plot->outline->n_items
             : 0;
}

gboolean
goban_graph_view_locate (GobanGraphView *self, GobanNodeId node, GobanPoint *at)
{
  guint32 item;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  if (self->plots.plot == NULL
      || node >= goban_graph_get_n_nodes (self->plots.plot->outline->graph))
    return FALSE;
  item = self->plots.plot->outline->item_of[node];
  if (item == GOBAN_NO_ITEM)
    return FALSE;

  *at = goban_camera_to_screen (
      &self->camera,
      (GobanPoint){ (double) self->plots.layout->x[item], (double) self->plots.layout->y[item] });
  return TRUE;
}

GobanJob *
goban_graph_view_export (GobanGraphView *self, const GobanExportOptions *options, const char *path,
                         GError **error)
{
  GobanGraphPicture described;
  GobanExportPicture *picture;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), NULL);

  if (self->plots.layout == NULL || goban_graph_view_get_scene (self) == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       goban_session_get_graph (self->session) == NULL
                           ? "there is no graph to export: open one first"
                           : "the graph is still being laid out");
      return NULL;
    }
  if (!goban_export_check_path (path, error))
    return NULL;

  described = describe_picture (self);
  picture = g_new0 (GobanExportPicture, 1);
  picture->path = g_strdup (path);
  picture->costs = goban_cost_model_ref (goban_session_get_costs (self->session));
  picture->run = goban_run_ref (goban_graph_view_get_run (self));
  picture->plot = goban_plot_ref (self->plots.plot);
  if (described.scene->values != NULL)
    picture->values = goban_node_values_ref (described.scene->values);
  picture->is_step = get_step (self) != NULL;
  picture->options.theme = described.style.theme;
  if (options != NULL)
    picture->options = *options;
  picture->options.fill = described.style.fill;
  picture->options.show_critical = self->show_critical;
  return goban_job_start ("Exporting", goban_export_picture_run, picture,
                          (GDestroyNotify) goban_export_picture_free, g_free);
}
