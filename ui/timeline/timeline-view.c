#include "ui/timeline/timeline-view.h"

#include "engine/base/error.h"
#include "engine/base/quantity.h"
#include "engine/session/coloring.h"
#include "engine/session/report.h"
#include "ui/draw/timeline-painter.h"
#include "ui/shell/export-job.h"
#include "ui/timeline/timeline-reasons.h"
#include "ui/widgets/text.h"

#include <math.h>

/* How far a notch of the wheel moves the lanes. */
#define SCROLL_STEP 48.0

struct _GobanTimelineView
{
  GobanPicture parent;

  GobanSession *session;
  GobanTimelineScene *scene; /* made by get_scene() when it is first needed; NULL without a run */
  gboolean is_stale;         /* the scene is yet to be made */
  GobanTimeCamera camera;
  gboolean is_fitted; /* the camera still shows everything: follow the size */
  gboolean show_critical;

  GobanTimelineHit hit;    /* what is under the pointer */
  double cursor_us;        /* NAN: the pointer is elsewhere */
  GobanSelection *matches; /* (nullable) what a search has found */
};

G_DEFINE_FINAL_TYPE (GobanTimelineView, goban_timeline_view, GOBAN_TYPE_PICTURE)

static GobanPicture *
picture (GobanTimelineView *self)
{
  return GOBAN_PICTURE (self);
}

static double
lanes_width (GobanTimelineView *self)
{
  GobanTimelineStyle style = { .ui_scale = goban_picture_get_ui_scale (picture (self)) };

  return goban_timeline_lanes_width (&style, goban_picture_get_width (picture (self)));
}

static void
clamp_camera (GobanTimelineView *self)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  goban_time_camera_clamp (&self->camera, self->scene->end_us, lanes_width (self),
                           self->scene->height * ui,
                           goban_picture_get_height (picture (self)) - GOBAN_TIMELINE_AXIS * ui);
}

/* The scene must be there. */
static void
set_times (GobanTimelineView *self, double from_us, double to_us)
{
  double scroll_y = self->camera.scroll_y;

  self->camera = goban_time_camera_fit (from_us, to_us, fmax (lanes_width (self), 1));
  self->camera.scroll_y = scroll_y;
  clamp_camera (self);
}

/* What the view colours by, as far as ops have it. */
static void
fill_scene (GobanTimelineView *self)
{
  g_autoptr (GobanNodeValues) values = goban_session_dup_color_values (self->session);

  goban_timeline_scene_set_values (self->scene, values);
}

static GobanFill
shown_fill (GobanTimelineView *self)
{
  return goban_fill_of_color (goban_view_get_color (goban_session_get_view (self->session)));
}

/* A session may go through several runs before the next frame, and a scene of 80,000 ops takes
 * 20 ms: only the one that is seen is made. */
static GobanTimelineScene *
get_scene (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);

  if (self->is_stale && run != NULL)
    {
      self->scene = goban_timeline_scene_new (goban_run_get_trace (run));
      fill_scene (self);
      if (self->is_fitted)
        set_times (self, 0, self->scene->end_us);
    }
  self->is_stale = FALSE;
  return self->scene;
}

static GobanTimelinePicture
describe_picture (GobanTimelineView *self)
{
  GobanTimelineScene *scene = get_scene (self);

  return (GobanTimelinePicture){
    .scene = scene,
    .camera = self->camera,
    .style = {
      .theme = goban_picture_get_theme (picture (self)),
      .fill = shown_fill (self),
      .show_critical = self->show_critical,
      .ui_scale = goban_picture_get_ui_scale (picture (self)),
    },
  };
}

/* --- camera ------------------------------------------------------------------------------- */

static void
camera_moved (GobanTimelineView *self)
{
  if (get_scene (self) != NULL)
    clamp_camera (self);
  goban_picture_invalidate (picture (self));
}

static void
show_times (GobanTimelineView *self, double from_us, double to_us)
{
  set_times (self, from_us, to_us);
  goban_picture_invalidate (picture (self));
}

void
goban_timeline_view_fit (GobanTimelineView *self)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->is_fitted = TRUE;
  if (get_scene (self) != NULL && goban_picture_get_width (picture (self)) > 0)
    show_times (self, 0, get_scene (self)->end_us);
}

/* From the first start to the last end of what is selected; FALSE where that is nothing. */
static gboolean
get_selected_times (GobanTimelineView *self, double *from_us, double *to_us)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  const GobanOpSpan *spans = run != NULL ? goban_trace_get_ops (goban_run_get_trace (run)) : NULL;
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  if (spans == NULL || n == 0)
    return FALSE;

  *from_us = spans[ids[0]].start_us;
  *to_us = spans[ids[0]].finish_us;
  for (guint i = 1; i < n; i++)
    {
      *from_us = fmin (*from_us, spans[ids[i]].start_us);
      *to_us = fmax (*to_us, spans[ids[i]].finish_us);
    }
  return TRUE;
}

void
goban_timeline_view_show_selection (GobanTimelineView *self)
{
  double from_us, to_us, around_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (get_scene (self) == NULL || !get_selected_times (self, &from_us, &to_us))
    {
      goban_timeline_view_fit (self);
      return;
    }

  /* With some of what is before and after, or a single op would fill the pane. */
  around_us = fmax (1.5 * (to_us - from_us), get_scene (self)->end_us / 1000);
  self->is_fitted = FALSE;
  show_times (self, from_us - around_us, to_us + around_us);
}

/* Brings a selection made elsewhere into sight, without changing the zoom. */
static void
reveal_selection (GobanTimelineView *self)
{
  double width = lanes_width (self);
  double from_us, to_us, middle_us, x;

  if (get_scene (self) == NULL || width <= 0 || !get_selected_times (self, &from_us, &to_us))
    return;

  middle_us = (from_us + to_us) / 2;
  x = goban_time_camera_to_x (&self->camera, middle_us);
  if (x >= 0 && x < width)
    return;

  self->is_fitted = FALSE;
  goban_time_camera_pan (&self->camera, width / 2 - x, 0);
  camera_moved (self);
}

static void
goban_timeline_view_pan (GobanPicture *base, double dx, double dy)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);

  if (dx != 0)
    self->is_fitted = FALSE;
  goban_time_camera_pan (&self->camera, dx, dy);
  camera_moved (self);
}

static void
goban_timeline_view_zoom (GobanPicture *base, double factor, GobanPoint at)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  double header = GOBAN_TIMELINE_HEADER * goban_picture_get_ui_scale (base);

  self->is_fitted = FALSE;
  goban_time_camera_zoom (&self->camera, factor, fmax (at.x - header, 0));
  camera_moved (self);
}

static void
goban_timeline_view_resized (GobanPicture *base, double old_width, double old_height)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);

  if (self->is_fitted)
    goban_timeline_view_fit (self);
  else
    camera_moved (self);
}

static void
goban_timeline_view_scroll (GobanPicture *base, double steps, GobanPoint at)
{
  double ui = goban_picture_get_ui_scale (base);

  /* Lanes are scrolled where their names are; beside them the wheel is for time. */
  if (at.x < GOBAN_TIMELINE_HEADER * ui)
    goban_timeline_view_pan (base, 0, -steps * SCROLL_STEP * ui);
  else
    goban_picture_zoom (base, pow (GOBAN_SCROLL_ZOOM, -steps));
}

/* --- painting ------------------------------------------------------------------------------- */

/* More lanes than there is room for: how much of them is in sight, and where. */
static void
paint_scroll_mark (GobanTimelineView *self, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (picture (self)));
  double ui = goban_picture_get_ui_scale (picture (self));
  double top = GOBAN_TIMELINE_AXIS * ui;
  double seen = goban_pen_get_height (pen) - top;
  double all = get_scene (self)->height * ui;
  double room = seen - 4 * ui;
  double length = fmax (room * seen / all, 16 * ui);
  double right = goban_pen_get_width (pen) - 3 * ui;
  GobanBox thumb;

  if (all <= seen || room <= length)
    return;

  thumb.y0 = floor (top + 2 * ui + (room - length) * self->camera.scroll_y / (all - seen));
  thumb = (GobanBox){ right - 4 * ui, thumb.y0, right, thumb.y0 + floor (length) };
  goban_pen_tint (pen, thumb, colours->ink, GOBAN_OPAQUE / 2);
}

static void
goban_timeline_view_paint (GobanPicture *base, GobanPen *pen)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (base));
  GobanTimelinePicture described = describe_picture (self);

  if (get_scene (self) != NULL)
    goban_timeline_paint (&described, pen);
  else
    goban_pen_rect (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                    colours->canvas);
}

static void
goban_timeline_view_paint_overlay (GobanPicture *base, GobanPen *pen)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanTimelinePicture described = describe_picture (self);
  GobanTimelineOverlay overlay = {
    .hover = GOBAN_NO_NODE,
    .cursor_us = self->cursor_us,
    .gap_from_us = NAN,
    .gap_to_us = NAN,
  };

  if (get_scene (self) == NULL)
    return;

  overlay.selected
      = goban_selection_get_ids (goban_session_get_selection (self->session), &overlay.n_selected);
  if (self->matches != NULL)
    overlay.matched = goban_selection_get_ids (self->matches, &overlay.n_matched);
  if (self->hit.kind == GOBAN_HIT_SLICE)
    overlay.hover = get_scene (self)->lanes[self->hit.lane].slices[self->hit.slice].node;
  if (self->hit.kind == GOBAN_HIT_GAP)
    {
      overlay.gap_from_us = self->hit.from_us;
      overlay.gap_to_us = self->hit.to_us;
      overlay.gap_lane = self->hit.lane;
    }
  goban_timeline_paint_overlay (&described, &overlay, pen);
  paint_scroll_mark (self, pen);
}

/* --- pointer ---------------------------------------------------------------------------------- */

static char *
describe_slice (GobanTimelineView *self, const GobanLane *lane, const GobanSlice *slice)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanTrace *trace = goban_run_get_trace (goban_session_get_current_run (self->session));
  gboolean is_transfer = slice->transfer != GOBAN_NO_TRANSFER;
  g_autofree char *why = is_transfer ? goban_describe_transfer_wait (trace, slice->transfer)
                                     : goban_describe_op_wait (trace, slice->node);
  char start[GOBAN_QUANTITY_LEN], finish[GOBAN_QUANTITY_LEN], length[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (
      "%s%s  ·  %s, %s to %s  ·  %s", goban_graph_get_node (graph, slice->node)->name,
      is_transfer ? " is sent" : "", goban_format_time (length, slice->finish_us - slice->start_us),
      goban_format_time (start, slice->start_us), goban_format_time (finish, slice->finish_us),
      why);
}

/* What ends the gap says why there is one. */
static char *
describe_gap (GobanTimelineView *self, const GobanTimelineHit *hit)
{
  const GobanLane *lane = &get_scene (self)->lanes[hit->lane];
  GobanTrace *trace = goban_run_get_trace (goban_session_get_current_run (self->session));
  char length[GOBAN_QUANTITY_LEN];
  const char *what = lane->kind == GOBAN_LANE_LINK ? "sends nothing" : "idle";
  guint next;

  goban_format_time (length, hit->to_us - hit->from_us);
  next = lane->n_rows > 0 ? goban_lane_find (lane, 0, hit->time_us) : 0;
  if (lane->kind != GOBAN_LANE_DEVICE || lane->n_rows == 0 || next >= lane->row_first[1])
    return g_strdup_printf ("%s  ·  %s for %s", lane->name, what, length);

  {
    GobanGraph *graph = goban_session_get_graph (self->session);
    const GobanSlice *slice = &lane->slices[next];
    g_autofree char *why = goban_describe_op_wait (trace, slice->node);

    return g_strdup_printf ("%s  ·  %s for %s  ·  then %s: %s", lane->name, what, length,
                            goban_graph_get_node (graph, slice->node)->name, why);
  }
}

static char *
describe_hit (GobanTimelineView *self, const GobanTimelineHit *hit)
{
  const GobanLane *lane;
  char time[GOBAN_QUANTITY_LEN], bytes[GOBAN_QUANTITY_LEN];

  switch (hit->kind)
    {
    case GOBAN_HIT_SLICE:
      lane = &get_scene (self)->lanes[hit->lane];
      return describe_slice (self, lane, &lane->slices[hit->slice]);
    case GOBAN_HIT_GAP:
      return describe_gap (self, hit);
    case GOBAN_HIT_MEMORY:
      return g_strdup_printf ("memory at %s: %s", goban_format_time (time, hit->time_us),
                              goban_format_bytes (bytes, hit->bytes));
    case GOBAN_HIT_HEADER:
      lane = &get_scene (self)->lanes[hit->lane];
      return g_strdup_printf ("%s  ·  %s", lane->name, lane->detail != NULL ? lane->detail : "");
    case GOBAN_HIT_AXIS:
      return g_strdup (goban_format_time (time, hit->time_us));
    case GOBAN_HIT_NOTHING:
    default:
      return g_strdup ("");
    }
}

static GobanTimelineHit
hit_at (GobanTimelineView *self, GobanPoint at)
{
  GobanTimelinePicture described = describe_picture (self);

  if (get_scene (self) == NULL)
    return (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  return goban_timeline_pick (&described, at);
}

static void
goban_timeline_view_hover (GobanPicture *base, const GobanPoint *at)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  g_autofree char *text = NULL;
  gboolean is_tip;

  self->hit = at != NULL ? hit_at (self, *at) : (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  self->cursor_us = self->hit.time_us;
  if (self->hit.kind == GOBAN_HIT_NOTHING || self->hit.kind == GOBAN_HIT_HEADER)
    self->cursor_us = NAN;
  text = describe_hit (self, &self->hit);
  is_tip = self->hit.kind == GOBAN_HIT_SLICE || self->hit.kind == GOBAN_HIT_GAP;
  goban_set_tooltip_lines (GTK_WIDGET (self), is_tip ? text : NULL);
  goban_picture_hint (base, text);
  goban_picture_invalidate_overlay (base);
}

static void
select_device (GobanTimelineView *self, GobanDeviceId device)
{
  GobanPlan *plan = goban_run_get_plan (goban_session_get_current_run (self->session));
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) selection = NULL;

  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (goban_plan_get_device (plan, v) == device)
      g_array_append_val (ids, v);
  selection = goban_selection_new ((const GobanNodeId *) ids->data, ids->len);
  goban_session_set_selection (self->session, selection);
}

static void
goban_timeline_view_click (GobanPicture *base, GobanPoint at, int n_press,
                           GdkModifierType modifiers)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanSelection *old = goban_session_get_selection (self->session);
  GobanTimelineHit hit = hit_at (self, at);
  gboolean is_adding = (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;
  g_autoptr (GobanSelection) chosen = NULL;
  g_autoptr (GobanSelection) result = NULL;
  GobanNodeId node;

  if (hit.kind == GOBAN_HIT_HEADER && get_scene (self)->lanes[hit.lane].kind == GOBAN_LANE_DEVICE)
    {
      select_device (self, get_scene (self)->lanes[hit.lane].device);
      return;
    }
  if (hit.kind != GOBAN_HIT_SLICE)
    {
      chosen = goban_selection_new (NULL, 0);
      if (!is_adding)
        goban_session_set_selection (self->session, chosen);
      return;
    }
  if (n_press > 1)
    {
      goban_timeline_view_show_selection (self);
      return;
    }

  node = get_scene (self)->lanes[hit.lane].slices[hit.slice].node;
  chosen = goban_selection_new (&node, 1);
  if (!is_adding)
    result = goban_selection_ref (chosen);
  else if (goban_selection_contains (old, node))
    result = goban_selection_difference (old, chosen);
  else
    result = goban_selection_union (old, chosen);
  goban_session_set_selection (self->session, result);
}

/* --- following the session ------------------------------------------------------------------ */

static void
color_changed_cb (GobanTimelineView *self)
{
  if (!self->is_stale && self->scene != NULL)
    fill_scene (self);
  goban_picture_invalidate (picture (self));
}

static void
run_changed_cb (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  g_autofree char *sentence = run != NULL ? goban_report_run_sentence (run) : NULL;

  self->hit = (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  g_clear_pointer (&self->scene, goban_timeline_scene_free);
  self->is_stale = TRUE;
  goban_set_accessible_label (GTK_WIDGET (self), run != NULL ? "Timeline" : "Timeline: no plan");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sentence != NULL ? g_strstrip (sentence) : "", -1);

  /* Runs of one graph are compared on one scale only by those who ask for it. */
  self->is_fitted = TRUE;
  goban_picture_invalidate (picture (self));
}

static void
selection_changed_cb (GobanTimelineView *self)
{
  reveal_selection (self);
  goban_picture_invalidate_overlay (picture (self));
}

/* --- life --------------------------------------------------------------------------------------- */

static void
goban_timeline_view_dispose (GObject *object)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (object);

  g_clear_pointer (&self->scene, goban_timeline_scene_free);
  g_clear_pointer (&self->matches, goban_selection_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_timeline_view_parent_class)->dispose (object);
}

static void
goban_timeline_view_class_init (GobanTimelineViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_timeline_view_dispose;
  picture_class->paint = goban_timeline_view_paint;
  picture_class->paint_overlay = goban_timeline_view_paint_overlay;
  picture_class->pan = goban_timeline_view_pan;
  picture_class->zoom = goban_timeline_view_zoom;
  picture_class->scroll = goban_timeline_view_scroll;
  picture_class->click = goban_timeline_view_click;
  picture_class->hover = goban_timeline_view_hover;
  picture_class->resized = goban_timeline_view_resized;
}

static void
goban_timeline_view_init (GobanTimelineView *self)
{
  self->camera.us_per_px = 1;
  self->cursor_us = NAN;
  self->is_fitted = TRUE;
}

GtkWidget *
goban_timeline_view_new (GobanSession *session)
{
  GobanTimelineView *self = g_object_new (GOBAN_TYPE_TIMELINE_VIEW, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::selection", G_CALLBACK (selection_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::color",
                           G_CALLBACK (color_changed_cb), self, G_CONNECT_SWAPPED);
  run_changed_cb (self);

  return GTK_WIDGET (self);
}

/* --- for others ----------------------------------------------------------------------------------- */

void
goban_timeline_view_set_show_critical (GobanTimelineView *self, gboolean show)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->show_critical = show;
  goban_picture_invalidate (picture (self));
}

void
goban_timeline_view_set_matches (GobanTimelineView *self, GobanSelection *matches)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  g_clear_pointer (&self->matches, goban_selection_unref);
  self->matches = matches != NULL ? goban_selection_ref (matches) : NULL;
  goban_picture_invalidate_overlay (picture (self));
}

gboolean
goban_timeline_view_locate (GobanTimelineView *self, GobanNodeId node, GobanPoint *at)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  for (guint l = 0; get_scene (self) != NULL && l < get_scene (self)->n_lanes; l++)
    {
      const GobanLane *lane = &get_scene (self)->lanes[l];

      for (guint s = 0; lane->kind == GOBAN_LANE_DEVICE && s < lane->n_slices; s++)
        if (lane->slices[s].node == node)
          {
            double middle_us = (lane->slices[s].start_us + lane->slices[s].finish_us) / 2;

            at->x = GOBAN_TIMELINE_HEADER * ui + goban_time_camera_to_x (&self->camera, middle_us);
            at->y = (GOBAN_TIMELINE_AXIS + lane->y + lane->height / 2) * ui - self->camera.scroll_y;
            return TRUE;
          }
    }

  return FALSE;
}

GobanJob *
goban_timeline_view_export (GobanTimelineView *self, const char *path, GError **error)
{
  g_autoptr (GobanNodeValues) values = NULL;
  GobanExportSource source = { .plot = NULL };

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), NULL);

  source.run = goban_session_get_current_run (self->session);
  if (source.run == NULL)
    {
      g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                           "there is no run to export: place the graph first");
      return NULL;
    }

  values = goban_session_dup_color_values (self->session);
  source.values = values;
  source.options.fill = shown_fill (self);
  source.graph = goban_run_get_graph (source.run);
  source.costs = goban_run_get_costs (source.run);
  source.options.theme = goban_picture_get_theme (picture (self));
  source.options.show_critical = self->show_critical;
  return goban_export_job_start (&source, path);
}
