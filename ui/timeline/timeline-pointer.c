/* timeline-pointer.c: pointer handling over a timeline: hover texts and clicks. */
#include "ui/timeline/timeline-view-private.h"
#include "ui/timeline/timeline-view.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/graph/delay-lane.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "ui/timeline/timeline-reasons.h"
#include "ui/widgets/text.h"

#include <math.h>

static char *
describe_slice (GobanTimelineView *self, const GobanLane *lane, const GobanSlice *slice)
{
  GobanGraph *graph = goban_run_get_graph (self->scenes.run);
  GobanTrace *trace = goban_timeline_view_get_trace (self);
  const char *times = goban_timeline_view_get_scene (self)->partial.times;
  gboolean is_transfer = slice->transfer != GOBAN_NO_TRANSFER;
  g_autofree char *why = times != NULL ? g_strdup (times)
                         : is_transfer ? goban_describe_transfer_wait (trace, slice->transfer)
                                       : goban_describe_op_wait (trace, slice->node);
  g_autofree char *deviation
      = is_transfer
            ? NULL
            : goban_describe_deviation (self->scenes.run, self->scenes.ghost_run, slice->node);
  char start[GOBAN_QUANTITY_LEN], finish[GOBAN_QUANTITY_LEN], length[GOBAN_QUANTITY_LEN];

  g_autofree char *text = g_strdup_printf (
      _ ("%s%s  ·  %s, %s to %s  ·  %s"), goban_graph_get_node (graph, slice->node)->name,
      is_transfer ? _ (" is sent") : "",
      goban_format_time (length, slice->finish_us - slice->start_us),
      goban_format_time (start, slice->start_us), goban_format_time (finish, slice->finish_us),
      why);

  return deviation != NULL ? g_strdup_printf ("%s  ·  %s", text, deviation)
                           : g_steal_pointer (&text);
}

/* The item at the end of a gap explains it. */
static char *
describe_gap (GobanTimelineView *self, const GobanTimelineHit *hit)
{
  const GobanLane *lane = &goban_timeline_view_get_scene (self)->lanes[hit->lane];
  GobanTrace *trace = goban_timeline_view_get_trace (self);
  char length[GOBAN_QUANTITY_LEN];
  const char *what = lane->kind == GOBAN_LANE_LINK ? _ ("sends nothing") : _ ("idle");
  guint next;

  goban_format_time (length, hit->to_us - hit->from_us);
  next = lane->n_rows > 0 ? goban_lane_find (lane, 0, hit->time_us) : 0;
  if (lane->kind != GOBAN_LANE_DEVICE || lane->n_rows == 0 || next >= lane->row_first[1])
    return g_strdup_printf (_ ("%s  ·  %s for %s"), lane->name, what, length);

  {
    GobanGraph *graph = goban_run_get_graph (self->scenes.run);
    const GobanSlice *slice = &lane->slices[next];
    g_autofree char *why = goban_describe_op_wait (trace, slice->node);

    return g_strdup_printf (_ ("%s  ·  %s for %s  ·  then %s: %s"), lane->name, what, length,
                            goban_graph_get_node (graph, slice->node)->name, why);
  }
}

/* The name is whole here, if it is shortened in the header. */
static char *
describe_header (const GobanLane *lane)
{
  char capacity[GOBAN_QUANTITY_LEN];

  if (lane->kind == GOBAN_LANE_DEVICE && g_strcmp0 (lane->id, GOBAN_DELAY_LANE) == 0)
    return g_strdup (goban_get_delays_text ());
  if (lane->kind == GOBAN_LANE_MEMORY && isfinite (lane->capacity_bytes))
    return g_strdup_printf (_ ("%s  ·  %s of %s"), lane->name, lane->detail,
                            goban_format_bytes (capacity, lane->capacity_bytes));
  return g_strdup_printf ("%s  ·  %s", lane->name, lane->detail != NULL ? lane->detail : "");
}

static const char *
describe_fold (const GobanLane *lane)
{
  if (lane->kind == GOBAN_LANE_DEVICE)
    return lane->place.fold == GOBAN_FOLD_OPEN ? _ ("Close memory and links of this device")
                                               : _ ("Open memory and links of this device");
  return lane->place.is_pinned ? _ ("Close this row with the others")
                               : _ ("Keep this row when the others close");
}

static char *
describe_hit (GobanTimelineView *self, const GobanTimelineHit *hit)
{
  const GobanLane *lane;
  const GobanTimeMark *mark;
  char time[GOBAN_QUANTITY_LEN], bytes[GOBAN_QUANTITY_LEN];

  switch (hit->kind)
    {
    case GOBAN_HIT_SLICE:
      lane = &goban_timeline_view_get_scene (self)->lanes[hit->lane];
      return describe_slice (self, lane, &lane->slices[hit->slice]);
    case GOBAN_HIT_GAP:
      return describe_gap (self, hit);
    case GOBAN_HIT_MEMORY:
      return g_strdup_printf (_ ("memory at %s: %s"), goban_format_time (time, hit->time_us),
                              goban_format_bytes (bytes, hit->bytes));
    case GOBAN_HIT_FOLD:
      return g_strdup (describe_fold (&goban_timeline_view_get_scene (self)->lanes[hit->lane]));
    case GOBAN_HIT_HEADER:
      return describe_header (&goban_timeline_view_get_scene (self)->lanes[hit->lane]);
    case GOBAN_HIT_AXIS:
      mark = goban_timeline_view_mark_at (self, hit->time_us);
      if (mark != NULL)
        return g_strdup_printf ("%s  ·  %s", mark->name, goban_format_time (time, mark->time_us));
      return g_strdup (goban_format_time (time, hit->time_us));
    case GOBAN_HIT_NOTHING:
    default:
      return g_strdup ("");
    }
}

GobanTimelineHit
goban_timeline_view_hit (GobanTimelineView *self, GobanPoint at)
{
  GobanTimelinePicture described = goban_timeline_view_describe (self);
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanTimelineHit hit = { .kind = GOBAN_HIT_NOTHING };

  if (scene == NULL)
    return hit;
  hit = goban_timeline_pick (&described, at);
  /* The causes that are known are those of the finished run. */
  if (hit.kind == GOBAN_HIT_GAP && scene->partial.note != NULL)
    hit.kind = GOBAN_HIT_NOTHING;
  return hit;
}

void
goban_timeline_view_hover (GobanPicture *base, const GobanPoint *at)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  g_autofree char *text = NULL;
  gboolean is_tip;

  self->hit = at != NULL ? goban_timeline_view_hit (self, *at)
                         : (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  self->cursor_us = self->hit.time_us;
  if (!goban_timeline_hit_has_time (&self->hit))
    self->cursor_us = NAN;
  text = describe_hit (self, &self->hit);
  is_tip = self->hit.kind == GOBAN_HIT_SLICE || self->hit.kind == GOBAN_HIT_GAP
           || self->hit.kind == GOBAN_HIT_HEADER || self->hit.kind == GOBAN_HIT_FOLD;
  goban_set_tooltip_lines (GTK_WIDGET (self), is_tip ? text : NULL);
  goban_picture_hint (base, text);
  goban_picture_invalidate_overlay (base);
}

static void
select_device (GobanTimelineView *self, GobanDeviceId device)
{
  GobanPlan *plan = goban_run_get_plan (self->scenes.run);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) selection = NULL;

  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (goban_plan_get_device (plan, v) == device)
      g_array_append_val (ids, v);
  selection = goban_selection_new ((const GobanNodeId *) ids->data, ids->len);
  goban_session_set_selection (self->session, selection);
}

/* With Ctrl or Shift a click toggles the selection. */
static void
select_node (GobanTimelineView *self, GobanNodeId node, gboolean is_adding)
{
  GobanSelection *old = goban_session_get_selection (self->session);
  g_autoptr (GobanSelection) chosen = goban_selection_new (&node, 1);
  g_autoptr (GobanSelection) result = NULL;

  if (!is_adding)
    result = goban_selection_ref (chosen);
  else if (goban_selection_contains (old, node))
    result = goban_selection_difference (old, chosen);
  else
    result = goban_selection_union (old, chosen);
  goban_session_set_selection (self->session, result);
}

static void
select_nothing (GobanTimelineView *self)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  goban_session_set_selection (self->session, nothing);
}

/* Shows the moment; at a flag that of the mark, whose name a double click asks for. */
static void
click_axis (GobanTimelineView *self, double time_us, int n_press)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  const GobanTimeMark *mark = goban_timeline_view_mark_at (self, time_us);

  if (scene == NULL)
    return;
  goban_view_set_time_us (goban_session_get_view (self->session),
                          mark != NULL ? mark->time_us : CLAMP (time_us, 0, scene->end_us));
  if (n_press > 1)
    goban_timeline_view_name_mark (self);
}

static void
click_fold (GobanTimelineView *self, guint l)
{
  const GobanLane *lane = &goban_timeline_view_get_scene (self)->lanes[l];

  if (lane->kind == GOBAN_LANE_DEVICE)
    goban_timeline_view_fold_lane (self, l, lane->place.fold == GOBAN_FOLD_CLOSED);
  else
    goban_view_set_lane_pinned (goban_session_get_view (self->session), lane->id,
                                !lane->place.is_pinned);
}

void
goban_timeline_view_click (GobanPicture *base, GobanPoint at, int n_press,
                           GdkModifierType modifiers)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanTimelineHit hit = goban_timeline_view_hit (self, at);
  gboolean is_adding = (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;
  GobanTimelineScene *scene = goban_timeline_view_get_scene (self);

  if (!is_adding)
    goban_timeline_view_clear (self);
  switch (hit.kind)
    {
    case GOBAN_HIT_FOLD:
      click_fold (self, hit.lane);
      break;
    case GOBAN_HIT_HEADER:
      if (scene->lanes[hit.lane].kind == GOBAN_LANE_DEVICE)
        select_device (self, scene->lanes[hit.lane].device);
      else if (!is_adding)
        select_nothing (self);
      break;
    case GOBAN_HIT_AXIS:
      click_axis (self, hit.time_us, n_press);
      break;
    case GOBAN_HIT_SLICE:
      if (n_press > 1)
        goban_timeline_view_show_selection (self);
      else
        select_node (self, scene->lanes[hit.lane].slices[hit.slice].node, is_adding);
      break;
    case GOBAN_HIT_GAP:
      if (!is_adding)
        {
          select_nothing (self);
          goban_timeline_view_explain_hit (self, &hit);
        }
      break;
    case GOBAN_HIT_MEMORY:
    case GOBAN_HIT_NOTHING:
    default:
      if (!is_adding)
        select_nothing (self);
    }
}
