/* Plans beside each other in the real window: chosen by keys and in the list, in every mode,
 * swapped, unlinked, and while plans change under it. Needs a display: run by gui-run.sh. */
#include "tests/support/sessions.h"
#include "tests/ui/gui-compare.h"
#include "tests/ui/gui-drag.h"
#include "tests/ui/gui.h"
#include "ui/graph/graph-view-follower.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/edit.h"
#include "engine/session/preview.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "ui/compare/compare-page.h"
#include "ui/compare/compare-ramps.h"
#include "ui/compare/race-bar.h"
#include "ui/graph/graph-view-private.h"
#include "ui/panels/plan-list.h"

#include <math.h>
#include <string.h>

static GobanComparePage *
page (GuiWindow *f)
{
  return GOBAN_COMPARE_PAGE (gui_part (f, GOBAN_TYPE_COMPARE_PAGE));
}

static GobanCompareSet *
set_of (GuiWindow *f)
{
  return goban_session_get_compare_set (f->session);
}

static GobanGraphView *
view_of (GuiWindow *f, guint i)
{
  return goban_compare_pane_get_view (goban_compare_page_get_pane (page (f), i));
}

/* The text of a pane's head: "B heft 182.4 ms −20.4 % ▼". (transfer full) */
static char *
dup_head (GobanComparePage *on, guint i)
{
  GobanComparePane *pane = goban_compare_page_get_pane (on, i);
  GobanRun *run
      = goban_compare_set_get_run (goban_session_get_compare_set (goban_window_get_session (
                                       GOBAN_WINDOW (gtk_widget_get_root (GTK_WIDGET (on))))),
                                   i);

  return g_strdup_printf ("%s %s%s %s %s", gui_child_text (pane, "letter"),
                          goban_run_get_name (run),
                          gtk_widget_get_visible (gui_child (pane, "warning")) ? " ⚠" : "",
                          gui_child_text (pane, "makespan"), gui_child_text (pane, "change"));
}

static const char *
get_ramps (GuiWindow *f)
{
  return goban_compare_ramps_get_text (
      GOBAN_COMPARE_RAMPS (gui_find (GTK_WIDGET (page (f)), GOBAN_TYPE_COMPARE_RAMPS)));
}

static gboolean
has_difference (gpointer data)
{
  return goban_compare_set_get_difference (set_of (data)) != NULL;
}

static void
settle (GuiWindow *f)
{
  gui_wait (gui_has_settled, f, "the graph is laid out");
  gui_wait (has_difference, f, "the difference is there");
  gui_draw (GTK_WIDGET (f->window));
}

static GobanRun *
listed (GuiWindow *f, guint place)
{
  GobanRun *run = goban_run_list_get (goban_session_get_runs (f->session), place - 1);

  return run;
}

static void
assert_said (GuiWindow *f, const char *line)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==, line);
}

static void
open_toy (GuiWindow *f)
{
  gui_open_toy (f);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), >=, 3);
}

static gboolean
is_seen (gpointer widget)
{
  return gtk_widget_get_mapped (GTK_WIDGET (widget));
}

/* A node is where it is in the explorer: on one line with others, in the same order. */
static void
assert_same_places (GuiWindow *f)
{
  GobanGraphView *explorer = GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  guint n = goban_graph_get_n_nodes (goban_session_get_graph (f->session));
  double ratio = 0;
  GobanPoint first[2], at[2];

  g_assert_true (goban_graph_view_locate (explorer, 0, &first[0]));
  g_assert_true (goban_graph_view_locate (view_of (f, 1), 0, &first[1]));
  for (GobanNodeId v = 1; v < n; v++)
    {
      g_assert_true (goban_graph_view_locate (explorer, v, &at[0]));
      g_assert_true (goban_graph_view_locate (view_of (f, 1), v, &at[1]));
      if (ratio == 0)
        ratio = (at[1].y - first[1].y) / (at[0].y - first[0].y);
      g_assert_cmpfloat_with_epsilon (at[1].x - first[1].x, ratio * (at[0].x - first[0].x), 1e-6);
      g_assert_cmpfloat_with_epsilon (at[1].y - first[1].y, ratio * (at[0].y - first[0].y), 1e-6);
    }
}

/* Alt+2 and Alt+1 are these actions; tests of the table press the keys. */
static void
test_opens_and_closes (GuiWindow *f, gconstpointer data)
{
  g_autofree char *first = NULL, *second = NULL;
  int width;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  g_assert_true (is_seen (page (f)));
  g_assert_true (is_seen (view_of (f, 0)) && is_seen (view_of (f, 1)));
  g_assert_false (is_seen (view_of (f, 2)));
  g_assert_cmpuint (goban_picture_get_n_paints (GOBAN_PICTURE (view_of (f, 1))), >, 0);
  first = dup_head (page (f), 0);
  second = dup_head (page (f), 1);

  /* Small windows have room for two. */
  gtk_widget_measure (GTK_WIDGET (page (f)), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL,
                      NULL);
  g_assert_cmpint (width, <=, 1000);
  g_assert_true (g_str_has_prefix (first, "A ") && g_str_has_prefix (second, "B "));
  g_assert_true (strstr (second, "%") != NULL || strstr (second, "as the first") != NULL);
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (view_of (f, 0))));
  assert_same_places (f);

  gui_act (f, "workspace", g_variant_new_string ("explore"));
  gui_draw (GTK_WIDGET (f->window));
  g_assert_false (is_seen (page (f)));
  assert_said (f, "compare.close()");
}

/* Sign and arrow say the same. */
static void
test_change_is_said (GuiWindow *f, gconstpointer data)
{
  g_autofree char *worse = NULL, *better = NULL, *same = NULL;

  open_toy (f);
  worse = goban_compare_describe_change (listed (f, 1), listed (f, 3));
  better = goban_compare_describe_change (listed (f, 3), listed (f, 1));
  same = goban_compare_describe_change (listed (f, 1), listed (f, 1));
  g_assert_true (g_str_has_prefix (worse, "+") && g_str_has_suffix (worse, "▲"));
  g_assert_true (g_str_has_prefix (better, "−") && g_str_has_suffix (better, "▼"));
  g_assert_cmpstr (same, ==, "as the first");
}

static void
test_plan_list (GuiWindow *f, gconstpointer data)
{
  GobanPlanList *list;
  GobanRun *current;

  open_toy (f);
  list = GOBAN_PLAN_LIST (gui_part (f, GOBAN_TYPE_PLAN_LIST));
  current = goban_session_get_current_run (f->session);
  g_assert_true (goban_plan_list_choose (list, listed (f, 3)));
  g_assert_true (goban_plan_list_choose (list, listed (f, 2)));
  g_assert_false (goban_plan_list_choose (list, listed (f, 2)));
  g_assert_true (goban_plan_list_choose (list, listed (f, 1)));
  g_assert_true (goban_session_get_current_run (f->session) == current);
  g_signal_emit_by_name (gui_child (list, "compare"), "clicked");
  assert_said (f, "compare.show(3, 1)");
  settle (f);
  g_assert_true (goban_compare_set_get_run (set_of (f), 0) == listed (f, 3));

  /* One that is removed is chosen no more, though it was the first. */
  g_assert_true (goban_plan_list_choose (list, listed (f, 4)));
  g_assert_true (goban_plan_list_choose (list, listed (f, 3)));
  goban_session_remove_run (f->session, listed (f, 4));
  g_assert_true (goban_plan_list_choose (list, listed (f, 2)));
  g_signal_emit_by_name (gui_child (list, "compare"), "clicked");
  assert_said (f, "compare.show(3, 2)");
  settle (f);
  goban_compare_set_replace (set_of (f), 1, listed (f, 1));

  /* Another one by the head of the pane. */
  goban_compare_set_replace (set_of (f), 1, listed (f, 2));
  settle (f);
  assert_said (f, "compare.show(3, 2)");
}

static void
test_modes (GuiWindow *f, gconstpointer data)
{
  static const char *const modes[] = { "overlay", "blink", "difference", "side" };
  GobanGraphView *joint;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  joint = goban_compare_page_get_joint (page (f));
  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      gboolean is_side = g_str_equal (modes[i], "side");
      guint n = goban_picture_get_n_paints (GOBAN_PICTURE (joint));

      gui_act (f, "compare-mode", g_variant_new_string (modes[i]));
      settle (f);
      g_assert_cmpint (is_seen (joint), ==, !is_side);
      g_assert_cmpint (is_seen (view_of (f, 0)), ==, is_side);
      g_assert_true (is_side || goban_picture_get_n_paints (GOBAN_PICTURE (joint)) > n);
      g_assert_true (gtk_widget_has_focus (GTK_WIDGET (is_side ? view_of (f, 0) : joint)));
    }
  g_assert_nonnull (strstr (gui_compare_get_legend (page (f)), "moved"));
  for (GobanUnchanged unchanged = 0; unchanged < GOBAN_N_UNCHANGED; unchanged++)
    {
      gui_act (f, "compare-unchanged", g_variant_new_string (goban_unchanged_name (unchanged)));
      settle (f);
      g_assert_cmpint (goban_compare_set_get_unchanged (set_of (f)), ==, unchanged);
    }
}

/* While it is held the other plan is in the same place; afterwards it is as before. */
static void
test_blink (GuiWindow *f, gconstpointer data)
{
  GobanGraphPicture before, held, after;
  GobanGraphView *joint;
  GobanCamera camera;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  gui_act (f, "compare-mode", g_variant_new_string ("blink"));
  settle (f);
  joint = goban_compare_page_get_joint (page (f));
  g_assert_true (goban_graph_view_describe (joint, &before));
  camera = before.camera;
  goban_compare_page_blink (page (f), TRUE);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (goban_graph_view_describe (joint, &held));
  g_assert_true (held.scene != before.scene && held.layout == before.layout);
  g_assert_cmpfloat (held.camera.x, ==, camera.x);
  g_assert_cmpfloat (held.camera.scale, ==, camera.scale);
  goban_compare_page_blink (page (f), FALSE);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (goban_graph_view_describe (joint, &after));
  g_assert_true (after.scene == before.scene);
}

static void
test_linked (GuiWindow *f, gconstpointer data)
{
  GobanGraphPicture a, b;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  goban_picture_zoom (GOBAN_PICTURE (view_of (f, 1)), 2);
  goban_picture_pan (GOBAN_PICTURE (view_of (f, 1)), 1, 0);
  g_assert_true (goban_graph_view_describe (view_of (f, 0), &a));
  g_assert_true (goban_graph_view_describe (view_of (f, 1), &b));
  g_assert_cmpfloat (a.camera.scale, ==, b.camera.scale);
  g_assert_cmpfloat_with_epsilon (a.camera.x, b.camera.x, 2);

  gui_act (f, "compare-sync-view", NULL);
  assert_said (f, "compare.sync{ view = false, time = true, selection = true }");
  goban_picture_zoom (GOBAN_PICTURE (view_of (f, 0)), 2);
  g_assert_true (goban_graph_view_describe (view_of (f, 0), &a));
  g_assert_true (goban_graph_view_describe (view_of (f, 1), &b));
  g_assert_cmpfloat (a.camera.scale, >, 1.5 * b.camera.scale);
  gui_act (f, "compare-sync-view", NULL);
  g_assert_true (goban_graph_view_describe (view_of (f, 1), &b));
  g_assert_cmpfloat (a.camera.scale, ==, b.camera.scale);
}

static void
take_hint_cb (GobanPicture *picture, const char *text, char **hint)
{
  g_free (*hint);
  *hint = g_strdup (text);
}

/* A click in a pane or on a lane is a click in the graph. */
static void
test_selection (GuiWindow *f, gconstpointer data)
{
  GobanCompareTimeline *timeline;
  g_autofree char *text = NULL;
  const GobanNodeId *ids;
  GobanPoint at;
  guint n;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  g_assert_true (goban_graph_view_locate (view_of (f, 1), 3, &at));
  goban_picture_click (GOBAN_PICTURE (view_of (f, 1)), at, 1, 0);
  ids = goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_true (n == 1 && ids[0] == 3);

  timeline = goban_compare_page_get_timeline (page (f));
  for (int is_after = 0; is_after < 2; is_after++)
    {
      g_assert_true (gui_compare_locate (timeline, 5, is_after, &at));
      goban_picture_click (GOBAN_PICTURE (timeline), at, 1, 0);
      ids = goban_selection_get_ids (goban_session_get_selection (f->session), &n);
      g_assert_true (n == 1 && ids[0] == 5);
    }
  g_signal_connect (timeline, "hint", G_CALLBACK (take_hint_cb), &text);
  GOBAN_PICTURE_GET_CLASS (timeline)->hover (GOBAN_PICTURE (timeline), &at);
  g_signal_handlers_disconnect_by_data (timeline, &text);
  g_assert_nonnull (strstr (text, "A: "));
  g_assert_nonnull (strstr (text, "B: "));
}

/* --- changes by hand ------------------------------------------------------------------------- */

static gboolean
begin_drag (GobanGraphView *view, GobanNodeId node)
{
  GobanPoint at;

  g_assert_true (goban_graph_view_locate (view, node, &at));
  return GOBAN_PICTURE_GET_CLASS (view)->drag_begin (GOBAN_PICTURE (view), at,
                                                     (GobanPoint){ at.x + 6, at.y + 6 }, 0);
}

static GobanDeviceId
device_in (GobanRun *run, GobanNodeId node)
{
  return goban_plan_get_device (goban_run_get_plan (run), node);
}

/* What is shown in a pane where the other one has something else. */
static GobanDeviceId
shown_device (GobanGraphView *view, GobanNodeId node)
{
  GobanGraphPicture picture;

  g_assert_true (goban_graph_view_describe (view, &picture));
  return (GobanDeviceId) picture.scene->nodes[node].device;
}

/* A node is dragged in the pane of a plan that is not the current one: what comes of it is that
 * plan's heir, there. */
static void
test_drag_in_a_pane (GuiWindow *f, gconstpointer data)
{
  const GobanNodeId node = 3;
  GobanRun *first, *second, *edited;
  GobanDeviceId device;
  GobanPoint to;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  first = goban_compare_set_get_run (set_of (f), 0);
  second = goban_compare_set_get_run (set_of (f), 1);
  g_assert_true (goban_session_get_current_run (f->session) == second);
  device = (GobanDeviceId) ((device_in (first, node) + 1) % 4);

  g_assert_true (begin_drag (view_of (f, 0), node));
  g_assert_true (goban_session_get_current_run (f->session) == first);
  to = gui_place_of_target (view_of (f, 0), device);
  GOBAN_PICTURE_GET_CLASS (view_of (f, 0))->drag_update (GOBAN_PICTURE (view_of (f, 0)), to);
  gui_wait (gui_has_answer, f, "the move is simulated");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpuint (shown_device (view_of (f, 0), node), ==, device);
  g_assert_cmpuint (shown_device (view_of (f, 1), node), ==, device_in (second, node));
  GOBAN_PICTURE_GET_CLASS (view_of (f, 0))->drag_end (GOBAN_PICTURE (view_of (f, 0)), to, FALSE);
  settle (f);
  edited = goban_compare_set_get_run (set_of (f), 0);
  g_assert_true (edited != first && goban_edit_is_by_hand (edited));
  g_assert_true (goban_session_get_current_run (f->session) == edited);
  g_assert_true (goban_compare_set_get_run (set_of (f), 1) == second);
  g_assert_cmpuint (device_in (edited, node), ==, device);
  g_assert_cmpuint (shown_device (view_of (f, 0), node), ==, device);

  gui_act (f, "undo", NULL);
  settle (f);
  g_assert_true (goban_compare_set_get_run (set_of (f), 0) == first);
  g_assert_true (goban_compare_set_get_run (set_of (f), 1) == second);
  g_assert_cmpuint (shown_device (view_of (f, 0), node), ==, device_in (first, node));
}

/* What is given up leaves all as it was. */
static void
test_drag_given_up (GuiWindow *f, gconstpointer data)
{
  GobanRun *first;
  GobanPoint to;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  first = goban_compare_set_get_run (set_of (f), 0);
  g_assert_true (begin_drag (view_of (f, 0), 3));
  to = gui_place_of_target (view_of (f, 0), 2);
  GOBAN_PICTURE_GET_CLASS (view_of (f, 0))->drag_update (GOBAN_PICTURE (view_of (f, 0)), to);
  gui_wait (gui_has_answer, f, "the move is simulated");
  GOBAN_PICTURE_GET_CLASS (view_of (f, 0))->drag_end (GOBAN_PICTURE (view_of (f, 0)), to, TRUE);
  settle (f);
  g_assert_true (goban_compare_set_get_run (set_of (f), 0) == first);
  g_assert_cmpuint (shown_device (view_of (f, 0), 3), ==, device_in (first, 3));
}

/* Where a node is of two plans nothing is lifted, and a hint says why; a lasso selects all the
 * same. */
static void
test_no_drag_in_joint (GuiWindow *f, gconstpointer data)
{
  static const char *const modes[] = { "overlay", "difference", "blink" };
  GobanGraphView *joint;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  gui_act (f, "compare-devices", NULL);
  joint = goban_compare_page_get_joint (page (f));
  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      gboolean can = g_str_equal (modes[i], "blink");
      g_autofree char *hint = NULL;
      gulong id = g_signal_connect (joint, "hint", G_CALLBACK (take_hint_cb), &hint);

      gui_act (f, "compare-mode", g_variant_new_string (modes[i]));
      settle (f);
      g_assert_cmpint (begin_drag (joint, 3), ==, can);
      g_assert_true (can || strstr (hint, "side by side") != NULL);
      if (can)
        GOBAN_PICTURE_GET_CLASS (joint)->drag_end (GOBAN_PICTURE (joint), (GobanPoint){ 0, 0 },
                                                   TRUE);
      g_signal_handler_disconnect (joint, id);
    }
}

/* Devices that have the names of the first plan are not those that a hand would move nodes to. */
static void
test_no_drag_among_renamed (GuiWindow *f, gconstpointer data)
{
  g_autofree char *hint = NULL;
  GobanRun *first, *second, *exchanged;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GPtrArray) runs = goban_run_array_new ();

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  first = goban_compare_set_get_run (set_of (f), 0);
  plan = goban_plan_copy (goban_run_get_plan (first));
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v,
                           goban_plan_get_n_devices (plan) - 1 - goban_plan_get_device (plan, v));
  exchanged = goban_run_new (goban_run_get_costs (first), plan, "exchanged");
  g_ptr_array_add (runs, exchanged);
  goban_session_add_runs (f->session, NULL, runs, first);
  goban_compare_set_replace (set_of (f), 1, exchanged);
  settle (f);
  second = goban_compare_set_get_shown (set_of (f), 1);
  g_assert_true (second != exchanged);
  g_assert_cmpuint (shown_device (view_of (f, 1), 3), ==, device_in (first, 3));
  g_signal_connect (view_of (f, 1), "hint", G_CALLBACK (take_hint_cb), &hint);
  g_assert_false (begin_drag (view_of (f, 1), 3));
  g_assert_nonnull (strstr (hint, "Match devices"));
  g_signal_handlers_disconnect_by_data (view_of (f, 1), &hint);
  gui_act (f, "compare-devices", NULL);
  settle (f);
  g_assert_cmpuint (shown_device (view_of (f, 1), 3), ==, device_in (exchanged, 3));
}

/* A lasso in a pane, then what it chose is dragged by one of it, together. */
static void
test_lasso_in_a_pane (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanPictureClass *klass;
  GobanRun *edited;
  GobanPoint to;
  guint n_moved = 0;
  double width, height;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  gui_act (f, "compare-devices", NULL);
  settle (f);
  view = view_of (f, 1);
  klass = GOBAN_PICTURE_GET_CLASS (view);
  width = goban_picture_get_width (GOBAN_PICTURE (view));
  height = goban_picture_get_height (GOBAN_PICTURE (view));
  g_assert_true (klass->drag_begin (GOBAN_PICTURE (view), (GobanPoint){ 0, 0 },
                                    (GobanPoint){ 6, 0 }, GDK_SHIFT_MASK));
  klass->drag_update (GOBAN_PICTURE (view), (GobanPoint){ width, 0 });
  klass->drag_update (GOBAN_PICTURE (view), (GobanPoint){ width, height });
  klass->drag_end (GOBAN_PICTURE (view), (GobanPoint){ 0, height }, FALSE);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n_moved);
  g_assert_cmpuint (n_moved, ==, goban_graph_get_n_nodes (goban_session_get_graph (f->session)));

  g_assert_true (begin_drag (view, 3));
  to = gui_place_of_target (view, 2);
  klass->drag_update (GOBAN_PICTURE (view), to);
  klass->drag_end (GOBAN_PICTURE (view), to, FALSE);
  gui_wait (gui_has_no_job, f, "the move is done");
  settle (f);
  edited = goban_compare_set_get_run (set_of (f), 1);
  for (guint v = 0; v < n_moved; v++)
    g_assert_cmpuint (device_in (edited, v), ==, 2);
}

/* --- colours and lanes ------------------------------------------------------------------------ */

static void
test_scales (GuiWindow *f, gconstpointer data)
{
  GobanNodeValues *a, *b;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  g_assert_cmpstr (get_ramps (f), ==, "");
  goban_view_set_color (goban_session_get_view (f->session), "start");
  settle (f);
  g_assert_nonnull (strstr (get_ramps (f), "one scale for all plans"));
  a = goban_graph_view_get_scene (view_of (f, 0))->values;
  b = goban_graph_view_get_scene (view_of (f, 1))->values;
  g_assert_true (a != b && a->least == b->least && a->most == b->most);

  gui_act (f, "compare-scales", NULL);
  settle (f);
  assert_said (f, "compare.scales \"own\"");
  g_assert_nonnull (strstr (get_ramps (f), "do not compare"));
  a = goban_graph_view_get_scene (view_of (f, 0))->values;
  b = goban_graph_view_get_scene (view_of (f, 1))->values;
  g_assert_true (a->most != b->most);

  goban_view_set_color (goban_session_get_view (f->session), "priority");
  settle (f);
  g_assert_nonnull (strstr (get_ramps (f), "by rank"));
  goban_view_set_color (goban_session_get_view (f->session), "device");
  settle (f);
  g_assert_cmpstr (get_ramps (f), ==, "");
}

static void
test_lanes (GuiWindow *f, gconstpointer data)
{
  GobanCompareTimeline *timeline;
  guint n;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  timeline = goban_compare_page_get_timeline (page (f));
  n = gui_compare_count_lanes (timeline);
  g_assert_cmpuint (n, ==, 2 * 4);
  gui_act (f, "compare-lanes", NULL);
  settle (f);
  assert_said (f, "compare.lanes \"all\"");
  g_assert_cmpuint (gui_compare_count_lanes (timeline), >, 4 * 4);
  gui_act (f, "compare-lanes", NULL);
  g_assert_cmpuint (gui_compare_count_lanes (timeline), ==, n);
}

/* All panes go while the picture or the choice of one has the focus: nothing stays behind, which
 * the fixture sees. */
static void
test_hidden_with_focus (GuiWindow *f, gconstpointer data)
{
  GtkWidget *pane, *parts[2];

  open_toy (f);
  pane = GTK_WIDGET (goban_compare_page_get_pane (page (f), 1));
  parts[0] = GTK_WIDGET (view_of (f, 1));
  parts[1] = gui_find (pane, GTK_TYPE_DROP_DOWN);
  for (guint is_removed = 0; is_removed < 2; is_removed++)
    for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
      {
        GtkWidget *focus;

        gui_act (f, "workspace", g_variant_new_string ("compare"));
        settle (f);
        g_assert_true (gtk_widget_grab_focus (parts[i]));
        if (!is_removed)
          goban_compare_set_show (set_of (f), NULL, 0);
        while (is_removed && goban_compare_set_get_n_runs (set_of (f)) > 0)
          goban_session_remove_run (f->session, goban_compare_set_get_run (set_of (f), 0));
        gui_draw (GTK_WIDGET (f->window));
        focus = gtk_window_get_focus (GTK_WINDOW (f->window));
        g_assert_false (is_seen (page (f)) || is_seen (parts[i]));
        g_assert_true (focus == NULL || !gtk_widget_is_ancestor (focus, pane));
      }
}

static void
test_swap (GuiWindow *f, gconstpointer data)
{
  g_autofree char *before = NULL, *after = NULL;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  before = dup_head (page (f), 0);
  gui_act (f, "compare-swap", NULL);
  settle (f);
  after = dup_head (page (f), 1);
  assert_said (f, "compare.swap()");
  g_assert_true (strncmp (before + 2, after + 2, strcspn (before + 2, " ")) == 0);
}

static void
test_plans_change (GuiWindow *f, gconstpointer data)
{
  const GobanNodeId node = 2;
  g_autoptr (GobanSelection) nodes = goban_selection_new (&node, 1);
  g_autoptr (GobanEdit) edit = NULL;
  g_autoptr (GobanRun) run = NULL;
  GobanRun *edited;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  edited = goban_compare_set_get_run (set_of (f), 1);
  g_assert_true (edited == goban_session_get_current_run (f->session));
  edit = goban_edit_new (f->session, GOBAN_EDIT_MOVE, nodes);
  edit->device = 3;
  run = goban_edit_run (edit, NULL);
  g_assert_true (session_add_edit (f->session, edit, run, NULL));
  settle (f);
  g_assert_true (goban_compare_set_get_run (set_of (f), 1) == run);
  gui_act (f, "undo", NULL);
  settle (f);
  g_assert_true (goban_compare_set_get_run (set_of (f), 1) == edited);

  /* What is removed leaves its pane, and comes back to it. */
  goban_session_remove_run (f->session, edited);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpuint (goban_compare_set_get_n_runs (set_of (f)), ==, 1);
  g_assert_false (is_seen (view_of (f, 1)));
  gui_act (f, "undo", NULL);
  settle (f);
  g_assert_true (is_seen (view_of (f, 1)));
  g_assert_true (goban_compare_set_get_run (set_of (f), 1) == edited);

  /* Another graph ends it. */
  gui_open_toy (f);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_false (goban_compare_set_is_open (set_of (f)));
}

/* A time that nobody would get is no better one. */
static void
test_out_of_memory (GuiWindow *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  open_toy (f);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  settle (f);
  text = dup_head (page (f), 1);
  g_assert_null (strstr (text, "⚠"));
  g_clear_pointer (&text, g_free);
  for (GobanDeviceId device = 0; device < 4; device++)
    g_assert_true (session_set_device (f->session, device, "memory", 1, NULL));
  settle (f);
  text = dup_head (page (f), 1);
  g_assert_nonnull (strstr (text, "⚠"));
}

static void
test_four_and_groups (GuiWindow *f, gconstpointer data)
{
  GobanRun *runs[GOBAN_COMPARE_MAX];
  gboolean is_open;
  GobanBox box;

  open_toy (f);
  for (guint i = 0; i < GOBAN_COMPARE_MAX; i++)
    runs[i] = listed (f, i + 1);
  goban_compare_set_show (set_of (f), runs, GOBAN_COMPARE_MAX);
  gui_act (f, "group", g_variant_new_string ("scope"));
  settle (f);
  for (guint i = 0; i < GOBAN_COMPARE_MAX; i++)
    {
      g_assert_true (is_seen (view_of (f, i)));
      g_assert_true (goban_graph_view_locate_group (view_of (f, i), "text", &is_open, &box));
      g_assert_false (is_open);
    }
  /* A double click in one opens it in all. */
  goban_picture_click (GOBAN_PICTURE (view_of (f, 2)),
                       (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 }, 2, 0);
  settle (f);
  for (guint i = 0; i < GOBAN_COMPARE_MAX; i++)
    {
      g_assert_true (goban_graph_view_locate_group (view_of (f, i), "text", &is_open, &box));
      g_assert_true (is_open);
    }
  for (GobanCompareMode mode = 0; mode < GOBAN_N_COMPARE_MODES; mode++)
    {
      gui_act (f, "compare-mode", g_variant_new_string (goban_compare_mode_name (mode)));
      settle (f);
    }
  gui_act (f, "dark", NULL);
  settle (f);
}

/* --- a race ----------------------------------------------------------------------------------- */

static gboolean
has_raced (gpointer data)
{
  GobanRaceBar *race = GOBAN_RACE_BAR (gui_part (data, GOBAN_TYPE_RACE_BAR));
  GobanComparePage *page = GOBAN_COMPARE_PAGE (gui_part (data, GOBAN_TYPE_COMPARE_PAGE));

  return !goban_race_bar_is_busy (race) && goban_race_bar_get_run (race, 1) != NULL
         && !goban_compare_page_is_busy (page);
}

/* A finished plan is no moment of the race: all of it is decided. */
static guint
count_decided (GobanRun *run)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  g_autoptr (GobanSelection) undecided = NULL;
  guint n;

  if (!goban_run_is_unfinished (run))
    return n_nodes;
  undecided
      = goban_moment_dup_undecided (goban_run_get_decisions (run), goban_run_get_moment (run));
  goban_selection_get_ids (undecided, &n);
  return n_nodes - n;
}

static GobanRun *
find_plan (GuiWindow *f, const char *policy)
{
  GListModel *runs = goban_session_get_runs (f->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    if (g_str_equal (goban_plan_get_policy (goban_run_get_plan (goban_run_list_get (runs, i))),
                     policy))
      return goban_run_list_get (runs, i);
  g_assert_not_reached ();
}

/* Both records are played on one clock. Makespans are hidden before the end; then the bar says who
 * has won, and whether that was guessed. */
static void
test_race (GuiWindow *f, gconstpointer data)
{
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  GobanRaceBar *race = GOBAN_RACE_BAR (gui_part (f, GOBAN_TYPE_RACE_BAR));
  GobanComparePage *page = GOBAN_COMPARE_PAGE (gui_part (f, GOBAN_TYPE_COMPARE_PAGE));
  GtkWidget *panels = GTK_WIDGET (goban_compare_page_get_panels (page));
  guint n_before[2];

  gui_open_toy (f);
  goban_compare_set_show (
      set, (GobanRun *[]){ find_plan (f, "heft"), find_plan (f, "critical-path") }, 2);
  gui_draw (GTK_WIDGET (f->window));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "compare-race",
                                      g_variant_new_boolean (TRUE));
  g_assert_cmpstr (gui_last_line (f), ==, "compare.race()");
  /* A script ends it, and begins it again. */
  goban_compare_set_set_racing (set, FALSE);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (race)));
  goban_compare_set_set_racing (set, TRUE);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (race)));
  g_assert_cmpstr (gtk_button_get_icon_name (gui_child (race, "play")), ==,
                   "media-playback-pause-symbolic");
  gui_act (f, "play", NULL);
  g_assert_cmpstr (gtk_button_get_icon_name (gui_child (race, "play")), ==,
                   "media-playback-start-symbolic");
  goban_race_bar_seek (race, 0.5);
  gui_wait (has_raced, f, "half of the decisions are shown");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (goban_compare_set_is_racing (set));
  g_assert_false (gtk_widget_get_mapped (panels));
  g_assert_cmpstr (gui_child_text (race, "text"), ==, "50 % decided. Who will win?");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *head = dup_head (page, i);

      g_assert_null (strstr (head, " ms"));
      n_before[i] = count_decided (goban_race_bar_get_run (race, i));
      g_test_message ("%s: %u", head, n_before[i]);
      g_assert_cmpuint (n_before[i], <,
                        goban_graph_get_n_nodes (goban_session_get_graph (f->session)));
    }
  goban_race_bar_seek (race, 0.8);
  gui_wait (has_raced, f, "more decisions are shown");
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (count_decided (goban_race_bar_get_run (race, i)), >, n_before[i]);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gui_find_button (GTK_WIDGET (race), "A")), TRUE);
  goban_race_bar_seek (race, 1);
  gui_wait (has_raced, f, "the end is shown");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_false (goban_compare_set_is_racing (set));
  g_assert_true (gtk_widget_get_mapped (panels));
  g_assert_nonnull (strstr (gui_child_text (race, "text"), " wins with "));
  g_assert_nonnull (strstr (gui_child_text (race, "text"), "You said "));
  for (guint i = 0; i < 2; i++)
    g_assert_true (goban_race_bar_get_run (race, i) == goban_compare_set_get_run (set, i));

  /* Who leaves ends it. */
  goban_race_bar_seek (race, 0.3);
  gui_act (f, "workspace", g_variant_new_string ("explore"));
  gui_draw (GTK_WIDGET (f->window));
  g_assert_false (goban_compare_set_is_racing (set));
  g_assert_null (goban_race_bar_get_run (race, 0));
}

TEST_PROGRAM (compare)
{
  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/compare/opens-and-closes", test_opens_and_closes);
  gui_window_add ("/compare/change-is-said", test_change_is_said);
  gui_window_add ("/compare/plan-list", test_plan_list);
  gui_window_add ("/compare/modes", test_modes);
  gui_window_add ("/compare/blink", test_blink);
  gui_window_add ("/compare/linked", test_linked);
  gui_window_add ("/compare/selection", test_selection);
  gui_window_add ("/compare/drag-in-a-pane", test_drag_in_a_pane);
  gui_window_add ("/compare/drag-given-up", test_drag_given_up);
  gui_window_add ("/compare/no-drag-in-joint", test_no_drag_in_joint);
  gui_window_add ("/compare/no-drag-among-renamed", test_no_drag_among_renamed);
  gui_window_add ("/compare/lasso-in-a-pane", test_lasso_in_a_pane);
  gui_window_add ("/compare/scales", test_scales);
  gui_window_add ("/compare/lanes", test_lanes);
  gui_window_add ("/compare/hidden-with-focus", test_hidden_with_focus);
  gui_window_add ("/compare/swap", test_swap);
  gui_window_add ("/compare/plans-change", test_plans_change);
  gui_window_add ("/compare/out-of-memory", test_out_of_memory);
  gui_window_add ("/compare/four-and-groups", test_four_and_groups);
  gui_window_add ("/compare/race", test_race);
  int status = g_test_run ();

  gui_window_end ();
  return status;
}
