/* The bars of devices in the real window: all are in sight at all times, their sub-rows open and
 * close, and a plan under construction grows on a fixed axis. */
#include "tests/support/toys.h"
#include "tests/ui/gui-window.h"

#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/policy-run.h"
#include "tests/support/test-program.h"
#include "ui/draw/timeline/timeline-scene.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/timeline/transport-bar.h"

#include <math.h>
#include <string.h>

static GobanTimelineView *
timeline_of (GuiWindow *f)
{
  return GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
}

static GobanView *
look_of (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

/* A run on so many devices in a window of 1280 x 800. */
static GobanRun *
open_run (GuiWindow *f, const char *policy, const char *cluster)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, cluster);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, policy, NULL, &error);

  g_assert_no_error (error);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 800);
  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  gui_draw (GTK_WIDGET (timeline_of (f)));
  return goban_session_get_current_run (f->session);
}

static void
assert_bars_in_sight (GobanTimelineView *view, guint n_devices)
{
  double scale = goban_picture_get_ui_scale (GOBAN_PICTURE (view));
  double height = goban_picture_get_height (GOBAN_PICTURE (view));
  double above = GOBAN_TIMELINE_AXIS * scale;

  for (guint d = 0; d < n_devices; d++)
    {
      g_autofree char *name = g_strdup_printf ("gpu:%u", d);
      GobanPoint at;

      g_assert_true (gui_locate_lane (view, name, 0, &at));
      g_assert_cmpfloat (at.y, >, above);
      g_assert_cmpfloat (at.y + 4 * scale, <, height);
      above = at.y + 4 * scale;
    }
}

static gboolean
sees_row (GobanTimelineView *view, const char *id)
{
  GobanPoint at;

  return gui_locate_lane (view, id, 0, &at);
}

static void
test_eight_bars (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);

  open_run (f, "heft", "p100x8");
  assert_bars_in_sight (view, 8);
  g_assert_false (sees_row (view, "gpu:0/memory"));
}

/* Wherever the sub-rows are scrolled. */
static void
test_bars_stay_over_rows (GuiWindow *f, gconstpointer data)
{
  static const char *const clusters[] = { "p100x4", "p100x8" };
  GobanTimelineView *view = timeline_of (f);

  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++)
    {
      guint n_devices = i == 0 ? 4 : 8;
      double scrolled;

      open_run (f, "heft", clusters[i]);
      goban_view_set_lanes (look_of (f), &(GobanLanes){ NULL });
      gui_act (f, "timeline-rows", NULL);
      g_assert_true (sees_row (view, "gpu:0/memory"));
      do
        {
          assert_bars_in_sight (view, n_devices);
          scrolled = view->camera.scroll_y;
          GOBAN_PICTURE_GET_CLASS (view)->pan (GOBAN_PICTURE (view), 0, -11);
          gui_draw (GTK_WIDGET (view));
        }
      while (view->camera.scroll_y > scrolled);
      g_assert_cmpfloat (scrolled, >, 0);
    }
}

static gboolean
has_high_bars (gpointer view)
{
  return GOBAN_TIMELINE_VIEW (view)->scenes.scene->lanes[0].height > 16;
}

/* The frame gives bars less room when they are strips, and gives it back. */
static void
test_cycle (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);
  const GobanLane *bar;

  open_run (f, "heft", "p100x4");
  bar = &view->scenes.scene->lanes[0];
  g_assert_cmpfloat (bar->height, >, 16);
  gui_act (f, "timeline-rows", NULL);
  g_assert_true (sees_row (view, "gpu:3/memory"));
  g_assert_cmpstr (gui_last_line (f), ==, "view.lanes{open = { \"memory\", \"links\" }}");
  gui_act (f, "timeline-rows", NULL);
  g_assert_false (sees_row (view, "gpu:3/memory"));
  g_assert_cmpfloat (bar->height + view->scenes.scene->bar_gap, ==, GOBAN_BAR_STRIP_PITCH);
  g_assert_cmpstr (gui_last_line (f), ==, "view.lanes{strips = true}");
  gui_draw (GTK_WIDGET (view));
  gui_act (f, "timeline-rows", NULL);
  g_assert_cmpstr (gui_last_line (f), ==, "view.lanes{}");
  gui_wait (has_high_bars, view, "bars are as high as before");
}

static GtkToggleButton *
toggle_of (GuiWindow *f, const char *label)
{
  GtkWidget *bar = gui_part (f, GOBAN_TYPE_TRANSPORT_BAR);

  return GTK_TOGGLE_BUTTON (gui_find_button (bar, label));
}

/* The toggles of the toolbar, the triangles and the pins: each leaves what the others opened. */
static void
test_open_and_close (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);
  GobanPoint at;

  open_run (f, "heft", "p100x4");
  gtk_toggle_button_set_active (toggle_of (f, "Memory"), TRUE);
  g_assert_true (sees_row (view, "gpu:0/memory") && sees_row (view, "gpu:3/memory"));
  g_assert_cmpstr (gui_last_line (f), ==, "view.lanes{open = { \"memory\" }}");
  gui_draw (GTK_WIDGET (view));

  /* The triangle closes one device, and the others stay open. */
  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &at));
  at.x = 14;
  goban_picture_click (GOBAN_PICTURE (view), at, 1, 0);
  g_assert_false (sees_row (view, "gpu:0/memory"));
  g_assert_true (sees_row (view, "gpu:1/memory") && sees_row (view, "gpu:3/memory"));
  g_assert_false (gtk_toggle_button_get_active (toggle_of (f, "Memory")));
  g_assert_true (gui_locate_lane (view, "gpu:0", 0, &at));
  at.x = 14;
  goban_picture_click (GOBAN_PICTURE (view), at, 1, 0);
  g_assert_true (sees_row (view, "gpu:0/memory"));

  /* A pinned sub-row stays when all others close. */
  goban_view_set_lanes (look_of (f), &(GobanLanes){ NULL });
  goban_view_set_lanes_open (look_of (f), "gpu:0", TRUE);
  g_assert_true (gui_locate_lane (view, "gpu:0/memory", 0, &at));
  at.x = 14;
  goban_picture_click (GOBAN_PICTURE (view), at, 1, 0);
  goban_view_set_lanes_open (look_of (f), "gpu:0", FALSE);
  g_assert_true (sees_row (view, "gpu:0/memory"));
  g_assert_false (sees_row (view, "gpu:1/memory"));
  g_assert_cmpstr (gui_last_line (f), ==, "view.lanes{pinned = { \"gpu:0/memory\" }}");
  gtk_toggle_button_set_active (toggle_of (f, "Links"), TRUE);
  gtk_toggle_button_set_active (toggle_of (f, "Links"), FALSE);
  g_assert_true (sees_row (view, "gpu:0/memory"));
}

/* Sets the size of the window, and waits until the frame has it. */
static void
resize (GuiWindow *f, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (f->window), width, height);
  gui_draw (GTK_WIDGET (f->window));
  gui_draw (GTK_WIDGET (f->window));
}

/* In a window of a large screen memory rows are open by themselves, until somebody chooses. */
static void
test_wide (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);

  open_run (f, "heft", "p100x4");
  g_assert_false (sees_row (view, "gpu:0/memory"));
  resize (f, 2560, 1440);
  g_assert_true (sees_row (view, "gpu:0/memory") && sees_row (view, "gpu:3/memory"));
  g_assert_true (gtk_toggle_button_get_active (toggle_of (f, "Memory")));
  assert_bars_in_sight (view, 4);
  resize (f, 1280, 800);
  g_assert_false (sees_row (view, "gpu:0/memory"));
  resize (f, 2560, 1440);
  g_assert_true (sees_row (view, "gpu:0/memory"));
  gtk_toggle_button_set_active (toggle_of (f, "Memory"), FALSE);
  g_assert_false (sees_row (view, "gpu:0/memory"));
  resize (f, 1280, 800);
  resize (f, 2560, 1440);
  g_assert_false (sees_row (view, "gpu:0/memory"));
  gtk_toggle_button_set_active (toggle_of (f, "Memory"), TRUE);
  resize (f, 1280, 800);
  g_assert_true (sees_row (view, "gpu:0/memory"));
}

static char *
dup_label (GtkWidget *widget)
{
  return gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                             "\001");
}

static GtkWidget *
heading (GobanTimelineView *view, guint i)
{
  g_assert_cmpuint (i, <, view->headings.buttons->len);
  return g_ptr_array_index (view->headings.buttons, i);
}

/* One stop of Tab; arrows go from heading to heading, fold and unfold. */
static void
test_headings_by_keys (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);
  GobanRun *run = open_run (f, "heft", "p100x4");
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (run));
  double busy = uses[1].busy_us / goban_run_get_makespan_us (run);
  g_autofree char *closed
      = g_strdup_printf ("gpu:1, %d percent busy, closed", (int) (100 * busy + 0.5));
  g_autofree char *open
      = g_strdup_printf ("gpu:1, %d percent busy, open", (int) (100 * busy + 0.5));
  g_autofree char *said = dup_label (heading (view, 1));
  g_autofree char *now = NULL;

  g_assert_cmpuint (view->headings.buttons->len, ==, 4);
  g_assert_cmpstr (said, ==, closed);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (f->window), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_widget_is_focus (heading (view, 0)));
  gui_press (heading (view, 0), GDK_KEY_Down, 0);
  g_assert_true (gtk_widget_is_focus (heading (view, 1)));
  gui_press (heading (view, 1), GDK_KEY_Right, 0);
  g_assert_true (sees_row (view, "gpu:1/memory"));
  g_assert_false (sees_row (view, "gpu:0/memory"));
  now = dup_label (heading (view, 1));
  g_assert_cmpstr (now, ==, open);
  gui_draw (GTK_WIDGET (view));
  gui_press (heading (view, 1), GDK_KEY_Left, 0);
  g_assert_false (sees_row (view, "gpu:1/memory"));
  g_assert_true (gtk_widget_is_focus (heading (view, 1)));
  g_signal_emit_by_name (heading (view, 1), "clicked");
  g_assert_true (sees_row (view, "gpu:1/memory"));
  gui_press (heading (view, 1), GDK_KEY_Up, 0);
  g_assert_true (gtk_widget_is_focus (heading (view, 0)));
  gui_press (heading (view, 0), GDK_KEY_Up, 0);
  g_assert_true (gtk_widget_is_focus (heading (view, 0)));
}

/* The device of the selected op is folded by the command. */
static void
test_fold_of_selection (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);
  GobanRun *run = open_run (f, "heft", "p100x4");
  GobanNodeId node = 7;
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);
  guint device = goban_plan_get_device (goban_run_get_plan (run), node);
  g_autofree char *row = g_strdup_printf ("gpu:%u/memory", device);

  goban_session_set_selection (f->session, one);
  gui_act (f, "fold-lane", g_variant_new_boolean (TRUE));
  g_assert_true (sees_row (view, row));
  gui_act (f, "fold-lane", g_variant_new_boolean (FALSE));
  g_assert_false (sees_row (view, row));
}

/* More devices, rows and text want more. */
static void
test_heights (GuiWindow *f, gconstpointer data)
{
  GobanTimelineView *view = timeline_of (f);
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (view));
  int least, wanted, other_least, other_wanted, rows;

  open_run (f, "heft", "p100x4");
  goban_timeline_view_get_heights (view, FALSE, &least, &wanted, &rows);
  g_assert_cmpint (least, ==, 26 + 4 * 12);
  g_assert_cmpint (wanted, ==, 126);
  goban_view_cycle_lanes (look_of (f));
  goban_timeline_view_get_heights (view, FALSE, &other_least, &other_wanted, &rows);
  g_assert_cmpint (other_least, ==, least);
  g_assert_cmpint (other_wanted, >=, wanted + 4 * 22);
  goban_view_set_lanes (look_of (f), &(GobanLanes){ NULL });
  g_object_set (settings, "gtk-xft-dpi", 144 * PANGO_SCALE, NULL);
  goban_timeline_view_get_heights (view, FALSE, &other_least, &other_wanted, &rows);
  g_assert_cmpint (other_least, ==, least * 3 / 2);
  g_assert_cmpint (other_wanted, ==, wanted * 3 / 2);
  gtk_settings_reset_property (settings, "gtk-xft-dpi");
  open_run (f, "heft", "p100x8");
  goban_timeline_view_get_heights (view, TRUE, &least, &wanted, &rows);
  g_assert_cmpint (least, ==, 26 + 8 * 12);
  g_assert_cmpint (wanted, ==, 216 - 32);
}

/* --- a plan under construction ---------------------------------------------------------------- */

typedef struct
{
  GobanTimelineView *view;
  GobanSession *session;
} Walk;

/* The timeline has the scene of the run that the session shows. */
static gboolean
shows_run (gpointer data)
{
  Walk *walk = data;
  GobanRun *run = goban_session_get_shown_run (walk->session);

  return (int) goban_run_get_moment (run)
             == goban_view_get_moment (goban_session_get_view (walk->session))
         && goban_timeline_view_get_scene (walk->view) != NULL && walk->view->scenes.run == run;
}

/* Every op that has a device has a slice, no other has one, and the axis is always the same. */
static void
check_walk (GuiWindow *f, const char *policy)
{
  GobanTimelineView *view = timeline_of (f);
  GobanRun *run = open_run (f, policy, "p100x4");
  GobanDecisions *decisions = goban_run_get_decisions (run);
  GobanMoment last = goban_moment_find_plan (decisions, 1);
  Walk walk = { view, f->session };
  double us_per_px = NAN;

  goban_view_set_lanes_open (look_of (f), "memory", TRUE);
  for (GobanMoment m = 1; m <= last; m++)
    {
      const GobanTimelineScene *scene;
      g_autoptr (GobanSelection) undecided = goban_moment_dup_undecided (decisions, m);
      g_autoptr (GobanSelection) changed
          = goban_moment_dup_changed (decisions, m, GOBAN_TASK_PLACEMENT);
      guint n_undecided, n = 0;
      double end_us = 0;

      goban_selection_get_ids (undecided, &n_undecided);
      goban_view_set_moment (look_of (f), (int) m);
      gui_wait (shows_run, &walk, "the moment is shown");
      scene = view->scenes.scene;
      for (guint l = 0; l < scene->n_lanes; l++)
        for (guint s = 0; s < scene->lanes[l].n_slices; s++)
          {
            const GobanSlice *slice = &scene->lanes[l].slices[s];

            n += slice->transfer == GOBAN_NO_TRANSFER;
            end_us = fmax (end_us, slice->finish_us);
          }
      g_assert_cmpuint (n, ==, 60 - n_undecided);
      g_assert_null (view->scenes.ghost);
      /* Sub-rows would be empty until the plan is finished. */
      g_assert_cmpint (sees_row (view, "gpu:0/memory"), ==, m == last);
      if (m < last)
        {
          g_assert_cmpfloat (scene->partial.so_far_us, ==, end_us);
          g_assert_true (goban_selection_equal (scene->partial.decided, changed));
          g_assert_nonnull (scene->partial.note);
        }
      if (m > 1)
        g_assert_cmpfloat (view->camera.us_per_px, ==, us_per_px);
      us_per_px = view->camera.us_per_px;
    }
}

static void
test_walk (GuiWindow *f, gconstpointer data)
{
  check_walk (f, "heft");
}

static void
test_walk_of_network (GuiWindow *f, gconstpointer data)
{
  check_walk (f, "go-zeroshot");
}

TEST_PROGRAM (timeline_rows)
{
  int status;

  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/timeline-rows/eight-bars", test_eight_bars);
  gui_window_add ("/ui/timeline-rows/bars-stay-over-rows", test_bars_stay_over_rows);
  gui_window_add ("/ui/timeline-rows/cycle", test_cycle);
  gui_window_add ("/ui/timeline-rows/open-and-close", test_open_and_close);
  gui_window_add ("/ui/timeline-rows/headings-by-keys", test_headings_by_keys);
  gui_window_add ("/ui/timeline-rows/fold-of-selection", test_fold_of_selection);
  gui_window_add ("/ui/timeline-rows/heights", test_heights);
  gui_window_add ("/ui/timeline-rows/wide", test_wide);
  gui_window_add ("/ui/timeline-rows/walk", test_walk);
  gui_window_add ("/ui/timeline-rows/walk-of-network", test_walk_of_network);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
