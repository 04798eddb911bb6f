/* timeline-drag.c: drags over a timeline: the time cursor, an area, ops to another device, a lane.
 *
 * A drag that begins vertically on a bar moves the bar, to a lane or to a device that is shown
 * outside, such as in the legend; any other over the lanes pans.
 *
 * Decision U20 (ui/NOTES.md).
 */

#include "engine/core/i18n.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/widgets/signals.h"

#include <math.h>

/* How near to its line the moment is taken hold of. */
#define REACH_PX 7.0

static GobanPicture *
picture (GobanTimelineView *self)
{
  return GOBAN_PICTURE (self);
}

/* --- ops to another device ------------------------------------------------------------------ */

static GobanEdit *
new_move (GobanTimelineView *self)
{
  GobanEdit *edit = goban_edit_new (self->session, GOBAN_EDIT_MOVE, self->drag.moved);

  edit->device = (GobanDeviceId) self->drag.target;
  return edit;
}

/* "to gpu:1: −3.1 %, 182.4 ms", as far as it is known. */
static void
update_note (GobanTimelineView *self)
{
  GobanTimelineDrag *drag = &self->drag;
  g_autoptr (GobanEdit) edit = NULL;
  g_autofree char *effect = NULL;
  GobanCluster *cluster;

  g_clear_pointer (&drag->note, g_free);
  if (drag->kind != GOBAN_DRAG_OPS || drag->target == GOBAN_NO_DEVICE)
    return;

  edit = new_move (self);
  effect = goban_preview_describe (self->preview.source, edit);
  cluster = goban_run_get_cluster (edit->base);
  drag->note = g_strdup_printf (_ ("to %s: %s"),
                                goban_cluster_get_device (cluster, edit->device)->name, effect);
  goban_picture_hint (picture (self), drag->note); /* beyond the pane the picture has no room */
}

/* Shows the preview of any pane, with the present run as its ghost. */
void
goban_timeline_view_preview_changed (GobanTimelineView *self)
{
  GobanRun *run = goban_preview_get_run (self->preview.source);
  GobanRun *current = goban_session_get_current_run (self->session);
  gboolean is_other = run != NULL && current != NULL && run != current
                      && goban_run_get_graph (run) == goban_run_get_graph (current);

  goban_timeline_view_show_preview (self, is_other ? run : NULL);
  update_note (self);
  goban_picture_invalidate_overlay (picture (self));
}

/* Over the lanes, or outside. */
static guint
device_at (GobanTimelineView *self, GobanPoint at)
{
  GobanTimelinePicture described = goban_timeline_view_describe (self);
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  guint device = GOBAN_NO_DEVICE;
  guint lane = GOBAN_NO_LANE;

  g_signal_emit_by_name (self, "find", at.x / scale, at.y / scale, &device);
  if (device != GOBAN_NO_DEVICE)
    return device;
  lane = goban_timeline_lane_at (&described, at.y);
  return lane != GOBAN_NO_LANE ? scene->lanes[lane].device : GOBAN_NO_DEVICE;
}

static void
aim (GobanTimelineView *self, guint device)
{
  self->drag.target = device;
  self->drag.target_lane
      = device != GOBAN_NO_DEVICE
            ? goban_timeline_scene_find_device (goban_timeline_view_get_scene (self), device)
            : GOBAN_NO_LANE;
  g_signal_emit_by_name (self, "aimed", device);
}

static void
drag_ops (GobanTimelineView *self)
{
  GobanTimelineDrag *drag = &self->drag;
  guint target = device_at (self, drag->at);

  if (target == goban_timeline_view_get_scene (self)->lanes[drag->lane].device)
    target = GOBAN_NO_DEVICE;
  if (target != drag->target)
    {
      aim (self, target);
      if (target != GOBAN_NO_DEVICE)
        {
          g_autoptr (GobanEdit) edit = new_move (self);

          goban_preview_ask (self->preview.source, edit);
        }
      else
        goban_preview_drop (self->preview.source);
    }
  update_note (self);
}

/* The bar at a point, if it is wide enough to be grabbed. */
static gboolean
find_bar (GobanTimelineView *self, GobanPoint at, GobanTimelineHit *hit)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  const GobanSlice *slice;

  *hit = goban_timeline_view_hit (self, at);
  if (hit->kind != GOBAN_HIT_SLICE || scene->lanes[hit->lane].kind != GOBAN_LANE_DEVICE)
    return FALSE;

  slice = &scene->lanes[hit->lane].slices[hit->slice];
  return slice->finish_us - slice->start_us >= GOBAN_TIMELINE_WHOLE_PX * self->camera.us_per_px;
}

static void
take_ops (GobanTimelineView *self, const GobanTimelineHit *hit)
{
  GobanSelection *selection = goban_session_get_selection (self->session);
  GobanNodeId node = goban_timeline_view_get_scene (self)->lanes[hit->lane].slices[hit->slice].node;

  self->drag.kind = GOBAN_DRAG_OPS;
  self->drag.lane = hit->lane;
  if (goban_selection_contains (selection, node))
    {
      self->drag.moved = goban_selection_ref (selection);
    }
  else
    {
      self->drag.moved = goban_selection_new (&node, 1);
      goban_session_set_selection (self->session, self->drag.moved);
    }
}

static void
drop_ops (GobanTimelineView *self)
{
  g_autoptr (GobanEdit) edit = NULL;

  if (self->drag.target == GOBAN_NO_DEVICE)
    return;

  edit = new_move (self);
  aim (self, GOBAN_NO_DEVICE);
  self->drag.kind = GOBAN_DRAG_NOTHING;
  goban_preview_commit (self->preview.source, self->session, edit);
}

/* --- moments and areas ---------------------------------------------------------------------- */

static double
time_at (GobanTimelineView *self, double x)
{
  double left = GOBAN_TIMELINE_HEADER * goban_picture_get_ui_scale (picture (self));
  double time_us = goban_time_camera_to_us (&self->camera, x - left);

  return CLAMP (time_us, 0, goban_timeline_view_get_scene (self)->end_us);
}

static gboolean
is_at_moment (GobanTimelineView *self, GobanPoint at)
{
  double ui = goban_picture_get_ui_scale (picture (self));
  double time_us = goban_view_get_time_us (goban_session_get_view (self->session));
  double x = GOBAN_TIMELINE_HEADER * ui + goban_time_camera_to_x (&self->camera, time_us);

  return isfinite (time_us) && fabs (at.x - x) <= REACH_PX * ui;
}

static void
drag_area (GobanTimelineView *self)
{
  double height = goban_picture_get_height (picture (self));
  double a = time_at (self, self->drag.from.x);
  double b = time_at (self, self->drag.at.x);

  goban_timeline_view_mark_area (self, fmin (a, b), fmax (a, b), 0, height);
}

/* --- all of them ------------------------------------------------------------------------------ */

static gboolean
choose_drag (GobanTimelineView *self, GobanPoint from, GobanPoint at)
{
  double ui = goban_picture_get_ui_scale (picture (self));
  GobanTimelineHit hit;

  if (from.y < GOBAN_TIMELINE_AXIS * ui)
    {
      if (from.x < GOBAN_TIMELINE_HEADER * ui)
        return FALSE;
      self->drag.kind = is_at_moment (self, from) ? GOBAN_DRAG_TIME : GOBAN_DRAG_AREA;
      return TRUE;
    }
  hit = goban_timeline_view_hit (self, from);
  if (hit.kind == GOBAN_HIT_HEADER || hit.kind == GOBAN_HIT_FOLD)
    {
      self->drag.kind = GOBAN_DRAG_LANE;
      self->drag.lane = hit.lane;
      return TRUE;
    }
  /* A decision step is read-only. */
  if (fabs (at.y - from.y) <= fabs (at.x - from.x)
      || goban_session_get_shown_run (self->session)
             != goban_session_get_current_run (self->session)
      || !find_bar (self, from, &hit))
    return FALSE;

  take_ops (self, &hit);
  return TRUE;
}

gboolean
goban_timeline_view_drag_begin (GobanPicture *base, GobanPoint from, GobanPoint at,
                                GdkModifierType modifiers)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);

  goban_timeline_view_forget_drag (self);
  if ((modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0
      || goban_timeline_view_get_scene (self) == NULL)
    return FALSE;

  self->drag.from = from;
  self->drag.at = at;
  self->drag.time_us = goban_view_get_time_us (goban_session_get_view (self->session));
  if (!choose_drag (self, from, at))
    return FALSE;

  goban_timeline_view_forget_why (self);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), FALSE);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->drag.kind == GOBAN_DRAG_OPS
                                                              || self->drag.kind == GOBAN_DRAG_LANE
                                                          ? "grabbing"
                                                          : "col-resize");
  return TRUE;
}

void
goban_timeline_view_drag_update (GobanPicture *base, GobanPoint at)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);

  self->drag.at = at;
  switch (self->drag.kind)
    {
    case GOBAN_DRAG_TIME:
      goban_view_play_to (goban_session_get_view (self->session), time_at (self, at.x));
      break;
    case GOBAN_DRAG_AREA:
      drag_area (self);
      break;
    case GOBAN_DRAG_OPS:
      drag_ops (self);
      break;
    case GOBAN_DRAG_LANE:
    case GOBAN_DRAG_NOTHING:
      break;
    }
  goban_picture_invalidate_overlay (base);
}

void
goban_timeline_view_drag_end (GobanPicture *base, GobanPoint at, gboolean is_cancelled)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanView *view = goban_session_get_view (self->session);
  double time_us;

  if (!is_cancelled && self->drag.kind != GOBAN_DRAG_NOTHING)
    goban_timeline_view_drag_update (base, at);
  switch (self->drag.kind)
    {
    case GOBAN_DRAG_TIME:
      /* One line of the log for the whole drag. */
      time_us = goban_view_get_time_us (view);
      goban_view_play_to (view, self->drag.time_us);
      if (!is_cancelled)
        goban_view_set_time_us (view, time_us);
      break;
    case GOBAN_DRAG_AREA:
      if (is_cancelled)
        goban_timeline_view_forget_area (self);
      else
        goban_timeline_view_select_area (self);
      break;
    case GOBAN_DRAG_OPS:
      if (!is_cancelled)
        drop_ops (self);
      break;
    case GOBAN_DRAG_LANE:
      if (!is_cancelled)
        goban_timeline_view_move_lane (self, self->drag.lane, at.y);
      break;
    case GOBAN_DRAG_NOTHING:
      break;
    }
  goban_timeline_view_forget_drag (self);
}

void
goban_timeline_view_forget_drag (GobanTimelineView *self)
{
  GobanTimelineDrag *drag = &self->drag;
  gboolean had_ops = drag->kind == GOBAN_DRAG_OPS;

  if (drag->target != GOBAN_NO_DEVICE)
    g_signal_emit_by_name (self, "aimed", (guint) GOBAN_NO_DEVICE);
  drag->kind = GOBAN_DRAG_NOTHING;
  drag->target = GOBAN_NO_DEVICE;
  drag->target_lane = GOBAN_NO_LANE;
  g_clear_pointer (&drag->note, g_free);
  g_clear_pointer (&drag->moved, goban_selection_unref);
  if (had_ops)
    {
      goban_preview_drop (self->preview.source);
      goban_picture_hint (picture (self), "");
    }
  goban_picture_invalidate_overlay (picture (self));
}

/* --- devices outside -------------------------------------------------------------------------- */

static gboolean
take_first (GSignalInvocationHint *hint, GValue *taken, const GValue *returned, gpointer data)
{
  g_value_copy (returned, taken);
  return g_value_get_uint (returned) == GOBAN_NO_DEVICE;
}

static guint
find_nothing (GobanTimelineView *self, double x, double y)
{
  return GOBAN_NO_DEVICE;
}

void
goban_timeline_view_add_drag_signals (GobanTimelineViewClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  g_signal_new_class_handler ("find", type, G_SIGNAL_RUN_LAST, G_CALLBACK (find_nothing),
                              take_first, NULL, NULL, G_TYPE_UINT, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  goban_signal_add (klass, "aimed", 1, G_TYPE_UINT);
}
