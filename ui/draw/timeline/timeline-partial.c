/* timeline-partial.c: timeline of a plan under construction: the ops that are placed so far.
 *
 * Of a policy with a schedule of its own they are at its times; else at those of the finished plan.
 * Transfers and memory follow from the finished plan and are left out. The axis ends where the
 * finished plan does, so that it is the same for all moments that lead to it.
 */
#include "ui/draw/timeline/timeline-scene.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

/* The spans of ops that are to be seen: (n_nodes) NAN for the others. (transfer full) */
static GobanOpSpan *
dup_spans (GobanRun *run, gboolean *is_own)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);
  GobanMoment moment = goban_run_get_moment (run);
  g_autoptr (GobanSelection) undecided = NULL;
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *final = goban_trace_get_ops (goban_run_get_trace (run));
  GobanOpSpan *spans = goban_moment_dup_spans (goban_run_get_costs (run), decisions, moment);

  const GobanOpSpan none = { (double) NAN, (double) NAN, (double) NAN };
  const GobanNodeId *ids;
  guint n;

  *is_own = spans != NULL;
  if (spans != NULL)
    return spans;
  undecided = goban_moment_dup_undecided (decisions, moment);
  ids = goban_selection_get_ids (undecided, &n);
  spans = g_new (GobanOpSpan, MAX (n_nodes, 1));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    spans[v] = final != NULL ? final[v] : none;
  for (guint i = 0; i < n; i++)
    spans[ids[i]] = none;
  return spans;
}

static void
empty_lane (GobanLane *lane)
{
  g_clear_pointer (&lane->slices, g_free);
  g_clear_pointer (&lane->row_first, g_free);
  g_clear_pointer (&lane->points, g_free);
  lane->n_points = 0;
  lane->peak_bytes = 0;
  lane->busy = (double) NAN;
  g_free (lane->detail);
  lane->detail = g_strdup ("");
}

/* Takes the slices of nodes with a span; returns their number. */
static guint
keep_ops (GobanTimelineScene *self, GobanLane *lane, const GobanOpSpan *spans)
{
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (GobanSlice));

  for (guint s = 0; lane->kind == GOBAN_LANE_DEVICE && s < lane->n_slices; s++)
    {
      GobanSlice slice = lane->slices[s];

      if (!isfinite (spans[slice.node].start_us) || !isfinite (spans[slice.node].finish_us))
        continue;
      slice.start_us = spans[slice.node].start_us;
      slice.finish_us = spans[slice.node].finish_us;
      slice.is_critical = FALSE;
      self->partial.so_far_us = MAX (self->partial.so_far_us, slice.finish_us);
      g_array_append_val (kept, slice);
    }
  empty_lane (lane);
  goban_lane_set_slices (lane, (const GobanSlice *) (gpointer) kept->data, kept->len);
  return kept->len;
}

/* The end of the axis, the same for all moments that lead to a plan: that of the plan, or of the
 * policy's own schedule of it, which may be longer. */
static double
find_end (GobanRun *run, gboolean is_own)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);
  GobanMoment last = goban_moment_find_plan (decisions, goban_run_get_moment (run));
  double makespan_us = goban_run_get_makespan_us (run);
  double before_us, after_us = (double) NAN;
  GobanDecision decision;

  if (is_own && goban_decisions_get (decisions, last, NULL, &decision))
    goban_decision_get_times (decisions, &decision, &before_us, &after_us);
  return fmax (isfinite (makespan_us) ? makespan_us : 0, isfinite (after_us) ? after_us : 0);
}

void
goban_timeline_scene_keep_decided (GobanTimelineScene *self, GobanRun *run)
{
  gboolean is_own;
  g_autofree GobanOpSpan *spans = dup_spans (run, &is_own);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run)), n_kept = 0;
  char kept[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];

  self->partial.so_far_us = 0;
  for (guint l = 0; l < self->n_lanes; l++)
    {
      guint n = keep_ops (self, &self->lanes[l], spans);

      n_kept += n;
      if (self->lanes[l].kind != GOBAN_LANE_DEVICE)
        continue;
      g_free (self->lanes[l].detail);
      self->lanes[l].detail = g_strdup (goban_format_grouped (kept, n));
    }
  self->end_us = fmax (find_end (run, is_own), self->partial.so_far_us);
  g_free (self->partial.note);
  self->partial.note = g_strdup_printf (_ ("%s of %s"), goban_format_grouped (kept, n_kept),
                                        goban_format_grouped (all, n_nodes));
  self->partial.times = is_own ? _ ("as the policy expected it") : _ ("as in the finished plan");
  g_clear_pointer (&self->partial.decided, goban_selection_unref);
  self->partial.decided = goban_moment_dup_changed (
      goban_run_get_decisions (run), goban_run_get_moment (run), GOBAN_TASK_PLACEMENT);
  g_clear_pointer (&self->op_places, g_free);
  g_clear_pointer (&self->transfer_places, g_free);
  goban_timeline_scene_arrange (self, NULL, INFINITY);
}

GobanTimelineScene *
goban_timeline_scene_new_of_step (GobanRun *run, gboolean is_step)
{
  GobanTimelineScene *self = goban_timeline_scene_new (goban_run_get_trace (run));

  if (is_step && goban_run_is_unfinished (run))
    goban_timeline_scene_keep_decided (self, run);
  return self;
}
