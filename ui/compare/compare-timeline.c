#include "ui/compare/compare-timeline-private.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/companions.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

/* How far a notch of the wheel moves the lanes. */
#define SCROLL_STEP 48.0

G_DEFINE_FINAL_TYPE (GobanCompareTimeline, goban_compare_timeline, GOBAN_TYPE_PICTURE)

static GobanPicture *
picture (GobanCompareTimeline *self)
{
  return GOBAN_PICTURE (self);
}

/* --- what differs, in words ----------------------------------------------------------------- */

static const char *
device_of (GobanRun *run, GobanNodeId node)
{
  return goban_cluster_get_device (goban_run_get_cluster (run),
                                   goban_plan_get_device (goban_run_get_plan (run), node))
      ->name;
}

static char *
describe_node (GobanRun *before, GobanRun *after, GobanNodeId node)
{
  const GobanOpSpan *a = goban_trace_get_ops (goban_run_get_trace (before));
  const GobanOpSpan *b = goban_trace_get_ops (goban_run_get_trace (after));
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN], change[GOBAN_QUANTITY_LEN];
  double change_us;

  if (a == NULL || b == NULL || node >= goban_graph_get_n_nodes (goban_run_get_graph (before)))
    return NULL;

  change_us = b[node].finish_us - a[node].finish_us;
  return g_strdup_printf (_ ("%s  ·  A: %s, done at %s  ·  B: %s, done at %s  ·  %s%s"),
                          goban_graph_get_node (goban_run_get_graph (before), node)->name,
                          device_of (before, node), goban_format_time (from, a[node].finish_us),
                          device_of (after, node), goban_format_time (to, b[node].finish_us),
                          change_us == 0 ? _ ("at the same time")
                                         : goban_format_time (change, fabs (change_us)),
                          change_us < 0   ? " earlier ▼"
                          : change_us > 0 ? " later ▲"
                                          : "");
}

/* --- nodes of two graphs, which the lanes number together ----------------------------------- */

/* The run of a node of the lanes, and its number in that run's graph. */
static GobanRun *
run_of_node (GobanCompareTimeline *self, GobanNodeId *node)
{
  guint first = self->lanes->first_node;

  if (first == 0 || *node < first)
    return self->after;
  *node -= first;
  return self->before;
}

static GobanSession *
session_of (GobanCompareTimeline *self, GobanRun *run)
{
  return self->lanes->first_node == 0 ? self->session : goban_companion_for (self->session, run);
}

/* (array length=n) (transfer full): what is selected of either graph. */
static GobanNodeId *
list_selected (GobanCompareTimeline *self, guint *n)
{
  guint n_after, n_before = 0;
  const GobanNodeId *after = goban_selection_get_ids (
      goban_session_get_selection (session_of (self, self->after)), &n_after);
  const GobanNodeId *before = NULL;
  GobanNodeId *all;

  if (self->lanes->first_node > 0)
    before = goban_selection_get_ids (goban_session_get_selection (session_of (self, self->before)),
                                      &n_before);
  all = g_new (GobanNodeId, n_after + n_before + 1);
  for (guint i = 0; i < n_after; i++)
    all[i] = after[i];
  for (guint i = 0; i < n_before; i++)
    all[n_after + i] = self->lanes->first_node + before[i];
  *n = n_after + n_before;
  return all;
}

/* "mb0/forward/stage_1  ·  B: gpu:1, 1 ms to 2 ms  ·  A: 0.5 ms to 1 ms" (transfer full) */
static char *
describe_partners (GobanCompareTimeline *self, GobanNodeId node)
{
  GobanRun *run = run_of_node (self, &node);
  guint side = run == self->after, n_partners = 0;
  GobanRun *other = side == 1 ? self->before : self->after;
  GobanGraphMatching *matching = goban_compare_set_get_graph_matching (self->set);
  const GobanOpSpan *span = &goban_trace_get_ops (goban_run_get_trace (run))[node];
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (other));
  const GobanNodeId *partners
      = matching != NULL ? goban_graph_matching_get_partners (matching, side, node, &n_partners)
                         : NULL;
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN];
  g_autofree char *own = g_strdup_printf (
      "%s  ·  %c: %s, %s – %s", goban_graph_get_node (goban_run_get_graph (run), node)->name,
      "AB"[side], device_of (run, node), goban_format_time (from, span->start_us),
      goban_format_time (to, span->finish_us));

  if (matching == NULL)
    return g_steal_pointer (&own);
  if (n_partners == 0)
    return g_strdup_printf (_ ("%s  ·  in this graph alone"), own);
  if (spans == NULL)
    return g_steal_pointer (&own);
  return g_strdup_printf ("%s  ·  %c: %s, %s – %s", own, "BA"[side], device_of (other, partners[0]),
                          goban_format_time (from, spans[partners[0]].start_us),
                          goban_format_time (to, spans[partners[0]].finish_us));
}

/* "gpu:0 A: 3.1 GB; gpu:0 B: 4 GB", of a lane of memory at a time. (transfer full) */
static char *
describe_memory (const GobanCompareLanes *lanes, const GobanTimelineHit *hit)
{
  const GobanLane *a = &lanes->scene->lanes[hit->lane & ~1u];
  char time[GOBAN_QUANTITY_LEN], before[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN],
      most[GOBAN_QUANTITY_LEN];
  g_autofree char *device = g_strndup (a->id, strcspn (a->id, "/"));

  goban_format_time (time, hit->time_us);
  goban_format_bytes (before, goban_lane_get_bytes (a, hit->time_us));
  goban_format_bytes (after, goban_lane_get_bytes (a + 1, hit->time_us));
  if (isfinite (a->capacity_bytes))
    return g_strdup_printf (_ ("Memory of %s at %s  ·  A: %s  ·  B: %s  ·  of %s"), device, time,
                            before, after, goban_format_bytes (most, a->capacity_bytes));
  return g_strdup_printf (_ ("Memory of %s at %s  ·  A: %s  ·  B: %s"), device, time, before,
                          after);
}

/* "conv1  ·  to gpu:1 in A from 1 ms to 2 ms": of a slice of a link. (transfer full) */
static char *
describe_sent (const GobanCompareLanes *lanes, const GobanTimelineHit *hit)
{
  const GobanLane *lane = &lanes->scene->lanes[hit->lane];
  const GobanSlice *slice = &lane->slices[hit->slice];
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (_ ("%s  ·  %s, from %s to %s"), lanes->scene->names[slice->node],
                          lane->name, goban_format_time (from, slice->start_us),
                          goban_format_time (to, slice->finish_us));
}

/* --- the scene ------------------------------------------------------------------------------ */

static double
lanes_width (GobanCompareTimeline *self)
{
  GobanTimelineStyle style = { .ui_scale = goban_picture_get_ui_scale (picture (self)) };

  return goban_timeline_lanes_width (&style, goban_picture_get_width (picture (self)));
}

static double
end_of_all (GobanCompareTimeline *self)
{
  return fmax (self->lanes->scene->end_us, self->lanes->ghost->end_us);
}

static void
clamp_camera (GobanCompareTimeline *self)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  goban_time_camera_clamp (&self->camera, end_of_all (self), lanes_width (self),
                           self->lanes->scene->height * ui,
                           goban_picture_get_height (picture (self)) - GOBAN_TIMELINE_AXIS * ui);
}

static void
set_times (GobanCompareTimeline *self, double from_us, double to_us)
{
  double scroll_y = self->camera.scroll_y;

  self->camera = goban_time_camera_fit (from_us, to_us, fmax (lanes_width (self), 1));
  self->camera.scroll_y = scroll_y;
  clamp_camera (self);
}

static GobanTimelinePicture
describe (GobanCompareTimeline *self)
{
  GobanCompareLanes *lanes = goban_compare_timeline_get_lanes (self);
  const char *color = goban_view_get_color (goban_session_get_view (self->session));

  return (GobanTimelinePicture){
    .scene = lanes != NULL ? lanes->scene : NULL,
    .ghost = lanes != NULL ? lanes->ghost : NULL,
    .camera = self->camera,
    .style = { .theme = goban_picture_get_theme (picture (self)),
               .fill = goban_fill_of_color (color),
               .ui_scale = goban_picture_get_ui_scale (picture (self)) },
  };
}

static void
describe_to_people (GobanCompareTimeline *self)
{
  g_autofree char *text = NULL;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && goban_compare_timeline_get_lanes (self) != NULL)
    text = goban_compare_lanes_describe (self->lanes, goban_run_get_name (self->before),
                                         goban_run_get_name (self->after));
  goban_set_accessible_label (
      GTK_WIDGET (self), text != NULL ? text : _ ("Timeline of two plans: no two are compared"));
}

void
goban_compare_timeline_lanes_changed (GobanCompareTimeline *self)
{
  self->hit = (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  g_clear_pointer (&self->note, g_free);
  if (self->lanes != NULL && self->is_fitted)
    set_times (self, 0, end_of_all (self));
  else if (self->lanes != NULL)
    clamp_camera (self);
  describe_to_people (self);
  goban_picture_invalidate (picture (self));
  g_signal_emit_by_name (self, "lanes-changed");
}

/* --- painting ------------------------------------------------------------------------------- */

static void
goban_compare_timeline_paint (GobanPicture *base, GobanPen *pen)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);
  GobanTimelinePicture described = describe (self);
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (base));
  double ui = goban_picture_get_ui_scale (base);
  GobanTextStyle style = { 13 * ui, FALSE, GOBAN_ALIGN_CENTRE, colours->muted };

  if (described.scene != NULL)
    {
      goban_compare_lanes_paint (self->lanes, &described, pen);
      return;
    }
  goban_pen_rect (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                  colours->canvas);
  goban_pen_text (pen, _ ("Two plans for the same devices have a timeline together"),
                  (GobanPoint){ 0, goban_pen_get_height (pen) / 2 }, goban_pen_get_width (pen),
                  &style);
}

static void
goban_compare_timeline_paint_overlay (GobanPicture *base, GobanPen *pen)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);
  GobanTimelinePicture described = describe (self);
  GobanTimelineOverlay overlay = goban_timeline_overlay_none ();
  g_autofree GobanNodeId *selected = NULL;

  if (described.scene == NULL)
    return;

  selected = list_selected (self, &overlay.n_selected);
  overlay.selected = selected;
  overlay.time_us = goban_view_get_time_us (goban_session_get_view (self->session));
  overlay.cursor_us = self->cursor_us;
  if (self->hit.kind == GOBAN_HIT_SLICE)
    overlay.hover = described.scene->lanes[self->hit.lane].slices[self->hit.slice].node;
  overlay.note = self->note;
  overlay.note_at = self->pointer;
  goban_timeline_paint_overlay (&described, &overlay, pen);
}

/* --- the pointer ---------------------------------------------------------------------------- */

static char *
short_note (GobanCompareTimeline *self, GobanNodeId node)
{
  const GobanOpSpan *a = goban_trace_get_ops (goban_run_get_trace (self->before));
  const GobanOpSpan *b = goban_trace_get_ops (goban_run_get_trace (self->after));
  char time[GOBAN_QUANTITY_LEN];
  double change_us;

  if (a == NULL || b == NULL)
    return NULL;
  change_us = b[node].finish_us - a[node].finish_us;
  if (change_us == 0)
    return g_strdup ("as in A");
  return g_strdup_printf ("%s %s", goban_format_time_change (time, change_us),
                          change_us < 0 ? "▼ earlier in B" : "▲ later in B");
}

/* Tooltip of the item under the pointer, with an op's note. (transfer full) (nullable) */
static char *
describe_hit (GobanCompareTimeline *self)
{
  const GobanTimelineHit *hit = &self->hit;
  const GobanSlice *slice;

  if (hit->kind == GOBAN_HIT_MEMORY)
    return describe_memory (self->lanes, hit);
  if (hit->kind != GOBAN_HIT_SLICE)
    return NULL;
  slice = &self->lanes->scene->lanes[hit->lane].slices[hit->slice];
  if (slice->transfer != GOBAN_NO_TRANSFER)
    return describe_sent (self->lanes, hit);
  if (self->lanes->first_node > 0)
    return describe_partners (self, slice->node);
  self->note = short_note (self, slice->node);
  return describe_node (self->before, self->after, slice->node);
}

static void
goban_compare_timeline_hover (GobanPicture *base, const GobanPoint *at)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);
  GobanTimelinePicture described = describe (self);
  g_autofree char *text = NULL;

  g_clear_pointer (&self->note, g_free);
  self->hit = (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  self->cursor_us = NAN;
  if (at != NULL && described.scene != NULL)
    {
      self->pointer = *at;
      self->hit = goban_timeline_pick (&described, *at);
      if (goban_timeline_hit_has_time (&self->hit))
        self->cursor_us = self->hit.time_us;
    }
  text = describe_hit (self);
  goban_picture_hint (base, text != NULL ? text : "");
  goban_picture_invalidate_overlay (base);
}

static void
goban_compare_timeline_click (GobanPicture *base, GobanPoint at, int n_press,
                              GdkModifierType modifiers)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);
  GobanTimelinePicture described = describe (self);
  g_autoptr (GobanSelection) chosen = NULL;
  GobanSession *session = self->session;
  GobanTimelineHit hit;
  GobanNodeId node;

  if (described.scene == NULL)
    return;
  hit = goban_timeline_pick (&described, at);
  if (hit.kind == GOBAN_HIT_AXIS)
    {
      goban_view_set_time_us (goban_session_get_view (self->session), hit.time_us);
      return;
    }
  if (hit.kind == GOBAN_HIT_SLICE)
    {
      node = described.scene->lanes[hit.lane].slices[hit.slice].node;
      session = session_of (self, run_of_node (self, &node));
    }
  chosen = goban_selection_new (&node, hit.kind == GOBAN_HIT_SLICE);
  if ((modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0)
    {
      g_autoptr (GobanSelection) all
          = goban_selection_union (goban_session_get_selection (session), chosen);

      goban_session_set_selection (session, all);
      return;
    }
  goban_session_set_selection (session, chosen);
  goban_picture_invalidate_overlay (base);
}

static void
camera_moved (GobanCompareTimeline *self)
{
  if (goban_compare_timeline_get_lanes (self) != NULL)
    clamp_camera (self);
  goban_picture_invalidate (picture (self));
}

static void
goban_compare_timeline_pan (GobanPicture *base, double dx, double dy)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);

  self->is_fitted = FALSE;
  goban_time_camera_pan (&self->camera, dx, dy);
  camera_moved (self);
}

static void
goban_compare_timeline_zoom (GobanPicture *base, double factor, GobanPoint at)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);
  double left = GOBAN_TIMELINE_HEADER * goban_picture_get_ui_scale (base);

  self->is_fitted = FALSE;
  goban_time_camera_zoom (&self->camera, factor, fmax (at.x - left, 0));
  camera_moved (self);
}

static void
goban_compare_timeline_scroll (GobanPicture *base, double steps, GobanPoint at)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);
  double ui = goban_picture_get_ui_scale (base);

  if (at.x < GOBAN_TIMELINE_HEADER * ui)
    goban_compare_timeline_pan (base, 0, -steps * SCROLL_STEP * ui);
  else
    goban_compare_timeline_zoom (base, pow (GOBAN_SCROLL_ZOOM, -steps), at);
  self->is_fitted = FALSE;
}

void
goban_compare_timeline_arrange (GobanCompareTimeline *self)
{
  double room
      = goban_picture_get_height (picture (self)) / goban_picture_get_ui_scale (picture (self))
        - GOBAN_TIMELINE_AXIS;

  goban_compare_lanes_arrange (self->lanes, goban_compare_set_get_all_lanes (self->set), room);
}

static void
goban_compare_timeline_resized (GobanPicture *base, double old_width, double old_height)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (base);

  if (self->lanes != NULL)
    goban_compare_timeline_arrange (self);
  if (self->is_fitted)
    goban_compare_timeline_fit (self);
  else
    camera_moved (self);
}

void
goban_compare_timeline_fit (GobanCompareTimeline *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_TIMELINE (self));

  self->is_fitted = TRUE;
  if (goban_compare_timeline_get_lanes (self) != NULL
      && goban_picture_get_width (picture (self)) > 0)
    set_times (self, 0, end_of_all (self));
  goban_picture_invalidate (picture (self));
}

void
goban_compare_timeline_show_selection (GobanCompareTimeline *self)
{
  double from_us = INFINITY, to_us = 0, around_us;

  g_return_if_fail (GOBAN_IS_COMPARE_TIMELINE (self));

  for (guint r = 0; r < 2 && goban_compare_timeline_get_lanes (self) != NULL; r++)
    {
      GobanRun *run = r == 0 ? self->before : self->after;
      const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
      guint n;
      const GobanNodeId *ids
          = goban_selection_get_ids (goban_session_get_selection (session_of (self, run)), &n);

      for (guint i = 0; spans != NULL && i < n; i++)
        {
          from_us = fmin (from_us, spans[ids[i]].start_us);
          to_us = fmax (to_us, spans[ids[i]].finish_us);
        }
    }
  if (!(to_us >= from_us))
    {
      goban_compare_timeline_fit (self);
      return;
    }
  around_us = fmax ((to_us - from_us) / 2, end_of_all (self) / 500);
  self->is_fitted = FALSE;
  set_times (self, fmax (from_us - around_us, 0), to_us + around_us);
  goban_picture_invalidate (picture (self));
}

static void
selection_changed_cb (GobanCompareTimeline *self)
{
  goban_picture_invalidate_overlay (picture (self));
}

static void
lanes_wanted_cb (GobanCompareTimeline *self)
{
  if (self->lanes == NULL)
    return;
  goban_compare_timeline_arrange (self);
  goban_compare_timeline_lanes_changed (self);
}

static void
goban_compare_timeline_dispose (GObject *object)
{
  GobanCompareTimeline *self = GOBAN_COMPARE_TIMELINE (object);

  g_clear_pointer (&self->note, g_free);
  goban_compare_timeline_end_scenes (self);
  g_clear_object (&self->set);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_compare_timeline_parent_class)->dispose (object);
}

static void
goban_compare_timeline_class_init (GobanCompareTimelineClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_compare_timeline_dispose;
  picture_class->paint = goban_compare_timeline_paint;
  picture_class->paint_overlay = goban_compare_timeline_paint_overlay;
  picture_class->pan = goban_compare_timeline_pan;
  picture_class->zoom = goban_compare_timeline_zoom;
  picture_class->scroll = goban_compare_timeline_scroll;
  picture_class->click = goban_compare_timeline_click;
  picture_class->hover = goban_compare_timeline_hover;
  picture_class->resized = goban_compare_timeline_resized;
  goban_signal_add (klass, "lanes-changed", 0);
}

static void
goban_compare_timeline_init (GobanCompareTimeline *self)
{
  self->camera.us_per_px = 1;
  self->cursor_us = NAN;
  self->is_fitted = TRUE;
  goban_compare_timeline_begin_scenes (self);
}

GtkWidget *
goban_compare_timeline_new (GobanSession *session)
{
  GobanCompareTimeline *self = g_object_new (GOBAN_TYPE_COMPARE_TIMELINE, NULL);
  static const char *const remake[] = { "notify::pair", "notify::min-change", "notify::scales" };
  GobanView *view = goban_session_get_view (session);

  self->session = g_object_ref (session);
  self->set = g_object_ref (goban_session_get_compare_set (session));
  self->preview = goban_preview_of (session);
  GOBAN_CONNECT (self->preview, "changed", goban_compare_timeline_preview_changed, self);
  for (gsize i = 0; i < G_N_ELEMENTS (remake); i++)
    GOBAN_CONNECT (self->set, remake[i], goban_compare_timeline_forget_lanes, self);
  GOBAN_CONNECT (self->set, "notify::runs", goban_compare_timeline_runs_changed, self);
  GOBAN_CONNECT (self->set, "notify::difference", goban_compare_timeline_preview_changed, self);
  GOBAN_CONNECT (self->set, "notify::lanes", lanes_wanted_cb, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
  GOBAN_CONNECT (view, "notify::time", selection_changed_cb, self);
  GOBAN_CONNECT (view, "notify::color", goban_compare_timeline_forget_lanes, self);
  g_signal_connect (self, "map", G_CALLBACK (describe_to_people), NULL);
  describe_to_people (self);
  return GTK_WIDGET (self);
}
