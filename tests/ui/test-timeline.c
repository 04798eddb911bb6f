/* The timeline in the real window: a bar dragged to another device, an area, a gap and its reasons,
 * time that passes, lanes. */
#include "tests/support/toys.h"
#include "tests/ui/gui-window.h"

#include "engine/session/edit.h"
#include "engine/session/preview.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/analysis/time-events.h"
#include "engine/study/run/policy-run.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/legend.h"
#include "ui/timeline/moment-panel.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/timeline/timeline-view.h"
#include "ui/timeline/transport-bar.h"

#include <math.h>
#include <string.h>

static GobanTimelineView *
open_toy (GuiWindow *f)
{
  gui_open_toy (f);
  return GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
}

static GobanRun *
current (GuiWindow *f)
{
  return goban_session_get_current_run (f->session);
}

static gboolean
log_has (GuiWindow *f, const char *part)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  for (guint i = 0; i < log->len; i++)
    if (strstr (g_ptr_array_index (log, i), part) != NULL)
      return TRUE;
  return FALSE;
}

/* What gestures do, once they have become a drag. */
static void
begin_drag (GobanTimelineView *view, GobanPoint from, GobanPoint at)
{
  GobanPictureClass *klass = GOBAN_PICTURE_GET_CLASS (view);

  g_assert_true (klass->drag_begin (GOBAN_PICTURE (view), from, at, 0));
  klass->drag_update (GOBAN_PICTURE (view), at);
}

static void
end_drag (GobanTimelineView *view, GobanPoint at, gboolean is_cancelled)
{
  GOBAN_PICTURE_GET_CLASS (view)->drag_end (GOBAN_PICTURE (view), at, is_cancelled);
}

/* The op that runs longest: its bar is wide enough to be taken. */
static GobanNodeId
longest_op (GobanRun *run)
{
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  GobanNodeId best = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
    if (spans[v].finish_us - spans[v].start_us > spans[best].finish_us - spans[best].start_us)
      best = v;
  return best;
}

static GobanDeviceId
device_of (GobanRun *run, GobanNodeId node)
{
  return goban_plan_get_device (goban_run_get_plan (run), node);
}

static gboolean
is_by_hand (gpointer data)
{
  return goban_edit_is_by_hand (current (data)) && gui_has_no_job (data);
}

/* For gui_wait(). */
static gboolean
has_preview (gpointer data)
{
  return goban_preview_get_run (data) != NULL;
}

/* Where the op is, and where on another device's lane it could go. */
static GobanDeviceId
find_way (GuiWindow *f, GobanTimelineView *view, GobanNodeId node, GobanPoint *from, GobanPoint *to)
{
  GobanCluster *cluster = goban_session_get_cluster (f->session);
  GobanDeviceId target = device_of (current (f), node) == 0 ? 1 : 0;

  g_assert_true (gui_locate_op (view, node, from));
  g_assert_true (gui_locate_lane (view, goban_cluster_get_device (cluster, target)->name, 0, to));
  to->x = from->x;
  return target;
}

static void
test_drag_a_bar (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanRun *before = current (f);
  GobanNodeId node = longest_op (before);
  GobanDeviceId old = device_of (before, node);
  GobanDeviceId target;
  GobanPoint from, to;

  target = find_way (f, view, node, &from, &to);
  begin_drag (view, from, to);
  end_drag (view, to, FALSE);
  gui_wait (is_by_hand, f, "the op is moved");
  g_assert_cmpuint (device_of (current (f), node), ==, target);
  g_assert_true (goban_session_get_ghost (f->session) == before);
  g_assert_true (log_has (f, ":move \""));
  gui_draw (GTK_WIDGET (view));

  gui_act (f, "undo", NULL);
  g_assert_cmpuint (device_of (current (f), node), ==, old);
  g_assert_true (current (f) == before);
  gui_draw (GTK_WIDGET (view));
}

/* The middle of a device's entry in the legend, in device pixels of the timeline. */
static GobanPoint
place_of_entry (GuiWindow *f, GobanTimelineView *view, guint device)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (view));
  graphene_rect_t bounds;

  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (gtk_widget_compute_bounds (goban_legend_get_device_entry (legend, device),
                                            GTK_WIDGET (view), &bounds));
  return (GobanPoint){ (double) (bounds.origin.x + bounds.size.width / 2) * scale,
                       (double) (bounds.origin.y + bounds.size.height / 2) * scale };
}

static gboolean
is_aimed (GuiWindow *f, guint device)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));

  return gtk_widget_has_css_class (goban_legend_get_device_entry (legend, device), "aimed");
}

/* As with nodes of the graph: preview, the same edit and line, undo. */
static void
test_drop_a_bar_on_the_legend (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanRun *before = current (f);
  GobanNodeId node = longest_op (before);
  guint own = device_of (before, node);
  GobanPreview *preview = goban_preview_of (f->session);
  GobanPoint from, to;

  g_assert_true (gui_locate_op (view, node, &from));
  to = place_of_entry (f, view, own);
  g_assert_cmpfloat (to.y, <, 0);
  begin_drag (view, from, (GobanPoint){ from.x, from.y + 30 });

  /* On its own device nothing would change. */
  GOBAN_PICTURE_GET_CLASS (view)->drag_update (GOBAN_PICTURE (view), to);
  g_assert_false (is_aimed (f, own));
  to = place_of_entry (f, view, 3 - own);
  GOBAN_PICTURE_GET_CLASS (view)->drag_update (GOBAN_PICTURE (view), to);
  g_assert_true (is_aimed (f, 3 - own));
  gui_wait (has_preview, preview, "the move is simulated");
  end_drag (view, to, TRUE);
  g_assert_false (is_aimed (f, 3 - own));
  g_assert_true (current (f) == before);

  begin_drag (view, from, (GobanPoint){ from.x, from.y + 30 });
  end_drag (view, to, FALSE);
  g_assert_false (is_aimed (f, 3 - own));
  gui_wait (is_by_hand, f, "the op is moved");
  g_assert_cmpuint (device_of (current (f), node), ==, 3 - own);
  g_assert_true (log_has (f, ":move \"gpu:"));
  gui_act (f, "undo", NULL);
  g_assert_true (current (f) == before);
}

static void
test_escape_keeps_the_bar (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanRun *before = current (f);
  GobanPoint from, to;

  find_way (f, view, longest_op (before), &from, &to);
  begin_drag (view, from, to);
  end_drag (view, to, TRUE);
  gui_rest ();
  gui_draw (GTK_WIDGET (view));
  g_assert_true (current (f) == before);
  g_assert_false (log_has (f, ":move \""));

  /* Along the lane it pans. */
  to = (GobanPoint){ from.x + 40, from.y + 3 };
  g_assert_false (GOBAN_PICTURE_GET_CLASS (view)->drag_begin (GOBAN_PICTURE (view), from, to, 0));
}

static void
test_area (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanRun *run = current (f);
  GobanPoint from, to;
  guint n;

  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &from));
  g_assert_true (gui_locate_lane (view, "gpu:0", goban_run_get_makespan_us (run), &to));
  from.y = to.y = 10;
  begin_drag (view, from, to);
  end_drag (view, to, FALSE);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (view->area.text)), "longest:"));
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, goban_graph_get_n_nodes (goban_run_get_graph (run)));
  gui_draw (GTK_WIDGET (view));

  /* Escape takes the area away, once more the selection. */
  gui_act (f, "escape", NULL);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (view->area.text)), ==, "");
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, >, 0);
  gui_act (f, "escape", NULL);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 0);
}

/* A device and a time before which it has nothing to do, and after which it has. */
static gboolean
find_gap (GobanRun *run, GobanDeviceId *device, double *time_us)
{
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));

  for (*device = 0; *device < goban_cluster_get_n_devices (goban_run_get_cluster (run));
       (*device)++)
    {
      double first_us = INFINITY;

      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
        if (device_of (run, v) == *device)
          first_us = fmin (first_us, spans[v].start_us);
      *time_us = first_us / 2;
      if (isfinite (first_us) && first_us > goban_run_get_makespan_us (run) / 50)
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_gap_and_no_job (gpointer data)
{
  GobanDeviceId device;
  double time_us;

  return gui_has_no_job (data) && find_gap (current (data), &device, &time_us);
}

static void
clicked_cb (GtkButton *button, gboolean *is_clicked)
{
  *is_clicked = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

/* Clicks a gap, follows each of its reasons, and asks the same of the op by its key. */
static void
test_gap_has_reasons (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanDeviceId device;
  double time_us;
  GobanPoint at;
  const GobanCause *causes;
  GtkWidget *button;
  gboolean is_clicked = FALSE;
  guint n, n_selected;

  /* Of all plans for the sample, this one lets devices wait. */
  gui_act (f, "place", g_variant_new_string ("random"));
  gui_wait (has_gap_and_no_job, f, "a device waits");
  gui_draw (GTK_WIDGET (view));
  g_assert_true (find_gap (current (f), &device, &time_us));
  g_assert_true (gui_locate_lane (
      view, goban_cluster_get_device (goban_session_get_cluster (f->session), device)->name,
      time_us, &at));
  /* A gap has a tooltip, and while its reasons are shown none: what lies over the lanes would show
   * it. */
  GOBAN_PICTURE_GET_CLASS (view)->hover (GOBAN_PICTURE (view), &at);
  g_assert_nonnull (gtk_widget_get_tooltip_text (GTK_WIDGET (view)));
  goban_picture_click (GOBAN_PICTURE (view), at, 1, 0);
  g_assert_nonnull (view->why.causes);
  g_assert_null (gtk_widget_get_tooltip_text (GTK_WIDGET (view)));
  causes = goban_causes_get (view->why.causes, &n);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpint (causes[0].kind, ==, GOBAN_CAUSE_IDLE);
  for (guint i = 0; i < n; i++)
    {
      goban_timeline_view_follow_cause (view, i);
      goban_selection_get_ids (goban_session_get_selection (f->session), &n_selected);
      g_assert_cmpuint (n_selected, ==, 1);
      g_assert_nonnull (view->why.causes);
    }
  gui_draw (GTK_WIDGET (view));
  gui_act (f, "escape", NULL);
  g_assert_null (view->why.causes);
  gui_act (f, "why", NULL);
  g_assert_nonnull (view->why.causes);
  /* The click of a key comes later; the causes are gone then. Criticals end the test. */
  button = gui_find (gui_find (GTK_WIDGET (view), GTK_TYPE_POPOVER), GTK_TYPE_BUTTON);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), &is_clicked);
  g_assert_true (gtk_widget_activate (button));
  gui_act (f, "escape", NULL);
  g_assert_null (view->why.causes);
  gui_wait (is_true, &is_clicked, "the key's click");
}

/* A tooltip speaks of a slice or box of the graph that it was read from, and goes with it: the next
 * graph's nodes have other names, or there are fewer of them. */
static void
test_a_tooltip_goes_with_its_graph (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GtkWidget *graph_view = GTK_WIDGET (gui_graph_view (f));
  const char *const names[] = { "only", NULL };
  g_autoptr (GobanGraph) other = toy_of_names (names);
  GobanNodeId node = longest_op (current (f));
  const char *name = goban_graph_get_node (goban_session_get_graph (f->session), node)->name;
  GobanPoint at;

  gui_settle (f);
  gui_draw (GTK_WIDGET (view));
  g_assert_true (gui_locate_op (view, node, &at));
  GOBAN_PICTURE_GET_CLASS (view)->hover (GOBAN_PICTURE (view), &at);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (GTK_WIDGET (view)), name));
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), node, &at));
  GOBAN_PICTURE_GET_CLASS (graph_view)->hover (GOBAN_PICTURE (graph_view), &at);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (graph_view), name));

  goban_session_set_graph (f->session, other, NULL);
  g_assert_null (gtk_widget_get_tooltip_text (GTK_WIDGET (view)));
  g_assert_null (gtk_widget_get_tooltip_text (graph_view));
  gui_draw (GTK_WIDGET (view));
}

typedef struct
{
  GobanView *view;
  double after_us;
} Awaited;

static gboolean
has_passed (gpointer data)
{
  Awaited *awaited = data;

  return goban_view_get_time_us (awaited->view) > awaited->after_us;
}

static gboolean
is_before (gpointer data)
{
  Awaited *awaited = data;

  return goban_view_get_time_us (awaited->view) < awaited->after_us;
}

static void
test_time_passes (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  Awaited awaited = { goban_session_get_view (f->session), 0 };
  double end_us = goban_run_get_makespan_us (current (f));

  g_assert_true (isnan (goban_view_get_time_us (awaited.view)));
  gui_act (f, "play", NULL);
  g_assert_true (goban_timeline_view_is_playing (view));
  gui_wait (has_passed, &awaited, "time begins to pass");
  awaited.after_us = goban_view_get_time_us (awaited.view);
  gui_wait (has_passed, &awaited, "time passes");
  g_assert_false (log_has (f, "view.time"));

  /* Escape stops it where it is, and says so in a line. */
  gui_act (f, "escape", NULL);
  g_assert_false (goban_timeline_view_is_playing (view));
  g_assert_true (log_has (f, "view.time"));

  gui_act (f, "play-speed", g_variant_new_double (2));
  g_assert_cmpfloat (goban_timeline_view_get_speed (view), ==, 2);
  gui_act (f, "seek", g_variant_new_int32 (1));
  g_assert_cmpfloat (goban_view_get_time_us (awaited.view), ==, end_us);
  gui_act (f, "seek", g_variant_new_int32 (-1));
  g_assert_cmpfloat (goban_view_get_time_us (awaited.view), ==, 0);

  /* So fast that it is at its end with the next frames. */
  goban_timeline_view_set_speed (view, 64);
  gui_act (f, "play", NULL);
  awaited.after_us = nextafter (end_us, 0);
  gui_wait (has_passed, &awaited, "the run has been played");
  g_assert_false (goban_timeline_view_is_playing (view));

  /* Over and over: the end comes, and time is before it again. */
  gui_act (f, "play-loop", NULL);
  gui_act (f, "play", NULL);
  awaited.after_us = 0.6 * end_us;
  gui_wait (has_passed, &awaited, "the run is played again");
  awaited.after_us = 0.4 * end_us;
  gui_wait (is_before, &awaited, "it begins again");
  g_assert_true (goban_timeline_view_is_playing (view));

  /* Escape ends playing, then leaves the moment; the command leaves it, too. */
  gui_act (f, "escape", NULL);
  g_assert_true (isfinite (goban_view_get_time_us (awaited.view)));
  gui_act (f, "escape", NULL);
  g_assert_true (isnan (goban_view_get_time_us (awaited.view)));
  gui_act (f, "seek", g_variant_new_int32 (1));
  gui_act (f, "no-time", NULL);
  g_assert_true (isnan (goban_view_get_time_us (awaited.view)));
}

/* --- devices at the moment -------------------------------------------------------------------- */

static gboolean
has_panel (gpointer panel)
{
  return gtk_widget_get_mapped (panel);
}

/* All ops on one device, which therefore wait for it. (transfer full) */
static GobanRun *
show_single (GuiWindow *f)
{
  g_autoptr (GError) error = NULL;
  GobanRun *run
      = goban_run_new_from_policy (goban_session_get_costs (f->session), "single", NULL, &error);

  g_assert_no_error (error);
  goban_session_add_run (f->session, run);
  return run;
}

/* The panel lists the op that waits, and goes with the moment. */
static void
test_devices_at_moment (GuiWindow *f, gconstpointer data)
{
  GobanView *look = goban_session_get_view (f->session);
  GobanMomentPanel *panel = GOBAN_MOMENT_PANEL (gui_part (f, GOBAN_TYPE_MOMENT_PANEL));
  g_autoptr (GobanRun) run = NULL;
  double time_us;
  g_autofree char *text = NULL;
  const char *ready = NULL;
  GobanGraph *graph;

  gui_open_toy (f);
  run = show_single (f);
  graph = goban_run_get_graph (run);
  time_us = goban_time_events_find (run, (double) NAN, 1, NULL);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (panel)));
  /* The first moment at which an op waits for a device: its selection shows that device's queue. */
  for (; ready == NULL && !isnan (time_us);)
    {
      g_autoptr (GobanDeviceMoments) moments = goban_device_moments_new (run, time_us, 1);

      goban_view_set_time_us (look, time_us);
      for (guint d = 0; d < moments->n_devices; d++)
        if (moments->devices[d].ready.n > 0)
          ready = goban_graph_get_node (graph, moments->devices[d].ready.items[0])->name;
      time_us = goban_time_events_find (run, time_us, 1, NULL);
    }
  g_assert_nonnull (ready);
  gui_act (f, "moment", NULL);
  gui_wait (has_panel, panel, "the panel opens");
  gui_select (f, ready);
  goban_moment_panel_update (panel);
  text = goban_moment_panel_dup_text (panel);
  g_assert_true (g_str_has_prefix (text, "gpu:0  "));
  g_assert_nonnull (strstr (text, "\ngpu:1  "));
  g_assert_nonnull (strstr (strstr (text, "Ready, by"), ready));

  /* With the moment its tab goes, and the command brings back both. */
  gui_act (f, "escape", NULL);
  gui_wait (gui_is_unmapped, panel, "the tab is gone");
  gui_act (f, "moment", NULL);
  gui_wait (gui_is_mapped, panel, "the tab is in front");
  g_assert_cmpfloat (goban_view_get_time_us (look), ==, 0);
}

/* --- event by event --------------------------------------------------------------------------- */

/* Steps to one end; all moments are steps of the bar's words, too. Returns how many there are. */
static guint
step_to_end (GuiWindow *f, const char *action, int direction)
{
  GobanView *view = goban_session_get_view (f->session);
  GobanTransportBar *bar = GOBAN_TRANSPORT_BAR (gui_part (f, GOBAN_TYPE_TRANSPORT_BAR));
  double before_us;
  guint n = 0;

  for (;;)
    {
      before_us = goban_view_get_time_us (view);
      gui_act (f, action, g_variant_new_int32 (direction));
      if (goban_view_get_time_us (view) == before_us)
        return n;
      g_assert_true (isnan (before_us)
                     || (goban_view_get_time_us (view) - before_us) * direction > 0);
      g_assert_nonnull (strstr (goban_transport_bar_get_text (bar), " on "));
      n++;
    }
}

static void
test_events (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanView *look = goban_session_get_view (f->session);
  GobanRun *run = current (f);
  double end_us = goban_run_get_makespan_us (run);
  GobanTransportBar *bar = GOBAN_TRANSPORT_BAR (gui_part (f, GOBAN_TYPE_TRANSPORT_BAR));
  guint n, n_transfers;

  g_assert_true (g_str_has_prefix (goban_transport_bar_get_text (bar), "Whole run · "));
  n = step_to_end (f, "event", 1);
  goban_trace_get_transfers (goban_run_get_trace (run), &n_transfers);
  g_assert_cmpuint (n, >, goban_graph_get_n_nodes (goban_run_get_graph (run)));
  g_assert_cmpuint (n, <=, 2 * (goban_graph_get_n_nodes (goban_run_get_graph (run)) + n_transfers));
  g_assert_cmpfloat (goban_view_get_time_us (look), ==, end_us);
  g_assert_cmpuint (step_to_end (f, "event", -1), ==, n - 1);
  g_assert_cmpfloat (goban_view_get_time_us (look), ==, 0);

  /* A step ends playing, where it is. */
  gui_act (f, "play", NULL);
  gui_act (f, "event", g_variant_new_int32 (1));
  g_assert_false (goban_timeline_view_is_playing (view));

  /* Of the selection's device alone; without one, a notice says how. */
  gui_act (f, "escape", NULL);
  gui_act (f, "select-none", NULL);
  gui_act (f, "device-event", g_variant_new_int32 (1));
  g_assert_true (isnan (goban_view_get_time_us (look)));
  gui_wait_notice (f, "click a device's name");
  gui_select (f, goban_graph_get_node (goban_run_get_graph (run), 0)->name);
  g_assert_cmpuint (step_to_end (f, "device-event", 1), <, n);
}

static void
test_moment_is_dragged (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanView *look = goban_session_get_view (f->session);
  double end_us = goban_run_get_makespan_us (current (f));
  GobanPoint from, to;

  g_assert_true (gui_locate_lane (view, "gpu:0", end_us / 4, &from));
  g_assert_true (gui_locate_lane (view, "gpu:0", end_us / 2, &to));
  from.y = to.y = 10;
  goban_picture_click (GOBAN_PICTURE (view), from, 1, 0);
  g_assert_cmpfloat_with_epsilon (goban_view_get_time_us (look), end_us / 4, end_us / 100);
  begin_drag (view, from, to);
  g_assert_cmpfloat_with_epsilon (goban_view_get_time_us (look), end_us / 2, end_us / 100);
  end_drag (view, to, TRUE);
  g_assert_cmpfloat_with_epsilon (goban_view_get_time_us (look), end_us / 4, end_us / 100);
  begin_drag (view, from, to);
  end_drag (view, to, FALSE);
  g_assert_cmpfloat_with_epsilon (goban_view_get_time_us (look), end_us / 2, end_us / 100);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (view->area.text)), ==, "");
}

static void
test_lanes (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanView *look = goban_session_get_view (f->session);
  GobanPoint first, second, at;

  g_assert_false (gui_locate_lane (view, "gpu:0/memory", 0, &at));
  goban_view_set_lanes_open (look, "memory", TRUE);
  g_assert_true (gui_locate_lane (view, "gpu:0/memory", 0, &at));
  g_assert_true (log_has (f, "view.lanes{open = { \"memory\" }}"));

  /* The header of gpu:1 is dragged above that of gpu:0. */
  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &first));
  g_assert_true (gui_locate_lane (view, "gpu:1", 0, &second));
  g_assert_cmpfloat (first.y, <, second.y);
  first = (GobanPoint){ 40, first.y - 12 };
  second.x = 40;
  begin_drag (view, second, first);
  end_drag (view, first, FALSE);
  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &first));
  g_assert_true (gui_locate_lane (view, "gpu:1", 0, &second));
  g_assert_cmpfloat (second.y, <, first.y);
  gui_draw (GTK_WIDGET (view));

  gui_act (f, "all-lanes", NULL);
  g_assert_false (gui_locate_lane (view, "gpu:0/memory", 0, &at));
  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &first));
  g_assert_true (gui_locate_lane (view, "gpu:1", 0, &second));
  g_assert_cmpfloat (first.y, <, second.y);
}

static double
lane_distance (GobanTimelineView *view)
{
  GobanPoint first, second;

  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &first));
  g_assert_true (gui_locate_lane (view, "gpu:1", 0, &second));
  return second.y - first.y;
}

typedef struct
{
  GobanTimelineView *view;
  double distance;
} Distance;

static gboolean
is_as_far (gpointer data)
{
  Distance *wanted = data;

  return fabs (lane_distance (wanted->view) - wanted->distance) <= 2;
}

/* Lanes grow with the desktop's text scale, in the pictures that are open, as the frame gives them
 * room. */
static void
test_text_scale (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (view));
  Distance usual = { view, lane_distance (view) };
  Distance larger = { view, 1.5 * usual.distance };
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (view));

  g_assert_cmpfloat (ui, ==, gtk_widget_get_scale_factor (GTK_WIDGET (view)));
  g_object_set (settings, "gtk-xft-dpi", 144 * PANGO_SCALE, NULL);
  g_assert_cmpfloat (goban_picture_get_ui_scale (GOBAN_PICTURE (view)), ==, 1.5 * ui);
  gui_wait (is_as_far, &larger, "lanes are larger");
  gui_draw (GTK_WIDGET (view));
  gui_draw (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  g_object_set (settings, "gtk-xft-dpi", 96 * PANGO_SCALE, NULL);
  gui_wait (is_as_far, &usual, "lanes are as before");
  gtk_settings_reset_property (settings, "gtk-xft-dpi");
}

/* M, its names, and ways to a mark. */
static void
test_marks (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanView *look = goban_session_get_view (f->session);
  GobanTimeMarks *marks = goban_view_get_marks (look);
  double end_us = goban_run_get_makespan_us (current (f));
  const GobanTimeMark *list;
  guint n;

  gui_act (f, "go-mark", g_variant_new_int32 (1));
  gui_wait_notice (f, "There is no mark");
  goban_view_set_time_us (look, end_us / 2);
  gui_act (f, "mark", NULL);
  goban_time_marks_put (marks, end_us / 4, "early");
  list = goban_time_marks_list (marks, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (list[0].name, ==, "early");
  g_assert_cmpstr (list[1].name, ==, "A");
  g_assert_true (log_has (f, "view.mark(\""));
  gui_draw (GTK_WIDGET (view));

  gui_act (f, "go-mark", g_variant_new_int32 (1));
  g_assert_cmpfloat (goban_view_get_time_us (look), ==, list[0].time_us);
  gui_act (f, "go-mark", g_variant_new_int32 (-1));
  g_assert_cmpfloat (goban_view_get_time_us (look), ==, list[1].time_us);
  gui_act (f, "show-mark", g_variant_new_string ("early"));
  g_assert_cmpfloat (goban_view_get_time_us (look), ==, list[0].time_us);
  gui_act (f, "name-mark", NULL);
  gui_draw (GTK_WIDGET (view));

  /* Another M where one is takes it away. */
  gui_act (f, "mark", NULL);
  goban_time_marks_list (marks, &n);
  g_assert_cmpuint (n, ==, 1);
  gui_act (f, "clear-marks", NULL);
  goban_time_marks_list (marks, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (log_has (f, "view.unmark()"));
}

static void
test_lane_moves_by_keys (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = open_toy (f);
  GobanNodeId node = longest_op (current (f));
  const char *own = goban_cluster_get_device (goban_session_get_cluster (f->session),
                                              device_of (current (f), node))
                        ->name;
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);
  GobanPoint before, after, back;

  goban_session_set_selection (f->session, one);
  g_assert_true (gui_locate_lane (view, own, 0, &before));
  gui_act (f, "move-lane", g_variant_new_int32 (1));
  g_assert_true (gui_locate_lane (view, own, 0, &after));
  g_assert_cmpfloat (after.y, >, before.y);
  g_assert_true (log_has (f, "view.lanes{order = {"));
  gui_act (f, "move-lane", g_variant_new_int32 (-1));
  g_assert_true (gui_locate_lane (view, own, 0, &back));
  g_assert_cmpfloat (back.y, ==, before.y);
}

TEST_PROGRAM (timeline)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/timeline/gap-has-reasons", test_gap_has_reasons);
  gui_window_add ("/ui/timeline/a-tooltip-goes-with-its-graph", test_a_tooltip_goes_with_its_graph);
  gui_window_add ("/ui/timeline/drag-a-bar", test_drag_a_bar);
  gui_window_add ("/ui/timeline/drop-a-bar-on-the-legend", test_drop_a_bar_on_the_legend);
  gui_window_add ("/ui/timeline/escape-keeps-the-bar", test_escape_keeps_the_bar);
  gui_window_add ("/ui/timeline/area", test_area);
  gui_window_add ("/ui/timeline/time-passes", test_time_passes);
  gui_window_add ("/ui/timeline/events", test_events);
  gui_window_add ("/ui/timeline/devices-at-moment", test_devices_at_moment);
  gui_window_add ("/ui/timeline/moment-is-dragged", test_moment_is_dragged);
  gui_window_add ("/ui/timeline/lanes", test_lanes);
  gui_window_add ("/ui/timeline/lane-moves-by-keys", test_lane_moves_by_keys);
  gui_window_add ("/ui/timeline/text-scale", test_text_scale);
  gui_window_add ("/ui/timeline/marks", test_marks);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
