/* The five workspaces on the frame of the real window: sizes, keys, focus, and what is
 * remembered. */
#include "tests/support/shared-data.h"
#include "tests/ui/fake-evaluator.h"
#include "tests/ui/gui-keys.h"
#include "tests/ui/gui-window.h"

#include "engine/core/clock.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "tests/support/test-program.h"
#include "ui/compare/compare-page.h"
#include "ui/console/console-view.h"
#include "ui/frame/frame.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/panels/plan-list.h"
#include "ui/panels/start-page.h"
#include "ui/shell/presenter.h"
#include "ui/timeline/timeline-view.h"
#include "ui/timeline/transport-bar.h"
#include "ui/widgets/switcher.h"

#include <string.h>

static const char *const names[GOBAN_N_WORKSPACES]
    = { "explore", "decisions", "compare", "train", "script" };

static GobanFrame *
frame_of (GuiWindow *f)
{
  return GOBAN_FRAME (gui_part (f, GOBAN_TYPE_FRAME));
}

static void
show (GuiWindow *f, const char *workspace)
{
  gui_act (f, "workspace", g_variant_new_string (workspace));
  gui_draw (GTK_WIDGET (f->window));
}

static void
set_state (GuiWindow *f, const char *action, gboolean value)
{
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), action,
                                      g_variant_new_boolean (value));
  gui_draw (GTK_WIDGET (f->window));
}

/* The board has 45 % of the window's height, and the bar of each device is in sight. */
static void
assert_frame (GuiWindow *f, gboolean has_bars)
{
  GobanTimelineView *view = GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  GobanCluster *cluster = goban_session_get_cluster (f->session);
  GdkRectangle board = goban_frame_get_area (frame_of (f), GOBAN_SLOT_BOARD);
  int height = gtk_widget_get_height (GTK_WIDGET (f->window));

  g_test_message ("board %d of %d", board.height, height);
  g_assert_cmpint (board.height * 100, >=, height * 45);
  g_assert_cmpint (board.width, >=, 360);
  if (!has_bars)
    return;
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  for (guint i = 0; i < goban_cluster_get_n_devices (cluster); i++)
    {
      const char *name = goban_cluster_get_device (cluster, i)->name;
      GobanPoint at;

      g_assert_true (gui_locate_lane (view, name, 0, &at));
      g_assert_cmpfloat (at.y, >, 0);
      g_assert_cmpfloat (at.y, <, goban_picture_get_height (GOBAN_PICTURE (view)));
    }
}

static gboolean
has_devices (gpointer data)
{
  GuiWindow *f = data;

  return goban_cluster_get_n_devices (goban_session_get_cluster (f->session)) == 8
         && gui_has_settled (f);
}

static void
open_inception (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");

  gui_open_path (f, path);
  gui_settle (f);
}

/* --- the board and the bars ------------------------------------------------------------------- */

/* Each workspace, without and with the console, with four devices and with eight. */
static void
test_board (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();

  goban_window_set_evaluator (f->window, evaluator);
  open_inception (f);
  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
        {
          gboolean has_bars = i != GOBAN_WORKSPACE_COMPARE;

          show (f, names[i]);
          g_test_message ("%s", names[i]);
          set_state (f, "console-pane", FALSE);
          assert_frame (f, has_bars);
          set_state (f, "console-pane", TRUE);
          assert_frame (f, has_bars && i != GOBAN_WORKSPACE_SCRIPT);
          set_state (f, "console-pane", FALSE);
        }
      gui_act (f, "cluster", g_variant_new_string ("p100x8"));
      gui_wait (has_devices, f, "all is placed on eight devices");
    }
  goban_window_set_evaluator (f->window, NULL);
}

/* go-finetune, while its decisions are stepped through. */
static void
test_stepped (GuiWindow *f, gconstpointer data)
{
  open_inception (f);
  goban_session_place (f->session, "go-finetune", 0);
  gui_wait (gui_has_no_job, f, "go-finetune has placed");
  show (f, "decisions");
  goban_view_set_moment (goban_session_get_view (f->session), 12);
  gui_settle (f);
  assert_frame (f, TRUE);
}

/* --- switching -------------------------------------------------------------------------------- */

static GtkWidget *
find_checked (GtkWidget *widget)
{
  if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget)))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_checked (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_checked (gpointer data)
{
  gpointer *what = data;
  GtkWidget *header = gtk_window_get_titlebar (GTK_WINDOW (((GuiWindow *) what[0])->window));
  GtkWidget *checked = find_checked (gui_find (header, GOBAN_TYPE_SWITCHER));

  return checked != NULL && g_str_equal (gtk_button_get_label (GTK_BUTTON (checked)), what[1]);
}

/* Alt+1 to 5 check the toggle of the workspace, which the view and scripts name, too. */
static void
test_keys (GuiWindow *f, gconstpointer data)
{
  static const char *const labels[] = { "Explore", "Decisions", "Compare", "Train", "Script" };
  GobanView *view = goban_session_get_view (f->session);

  if (!gui_keys_begin (f))
    return;
  gui_open_toy (f);
  for (guint i = GOBAN_N_WORKSPACES; i > 0; i--)
    {
      g_autofree char *key = g_strdup_printf ("Alt+%u", i);
      gpointer what[] = { f, (gpointer) labels[i - 1] };
      gint64 begin_us = g_get_monotonic_time ();

      gui_keys_press (f, key);
      gui_wait (is_checked, what, "the workspace is chosen");
      g_test_message ("%s: %.1f ms", labels[i - 1],
                      (double) (g_get_monotonic_time () - begin_us) / 1000);
      g_assert_cmpuint (goban_view_get_workspace (view), ==, i - 1);
      g_assert_cmpuint (goban_frame_get_workspace (frame_of (f)), ==, i - 1);
    }
  /* By a script. */
  goban_view_set_workspace (view, GOBAN_WORKSPACE_TRAIN);
  g_assert_cmpuint (goban_frame_get_workspace (frame_of (f)), ==, GOBAN_WORKSPACE_TRAIN);
  g_assert_cmpstr (gui_last_line (f), ==, "view.workspace \"train\"");
}

/* A switch takes at most 100 ms of the processor until the new workspace is drawn, the least of
 * some rounds. */
static void
test_switch (GuiWindow *f, gconstpointer data)
{
  double least_ms[GOBAN_N_WORKSPACES] = { 0 };

  open_inception (f);
  for (guint round = 0; round < 4; round++)
    for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
      {
        gint64 begin_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID);
        double ms;

        show (f, names[i]);
        ms = (double) (goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID) - begin_ns) / 1e6;
        least_ms[i] = round == 0 ? ms : MIN (ms, least_ms[i]);
      }
  for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
    {
      g_test_message ("%s: %.1f ms", names[i], least_ms[i]);
      g_assert_cmpfloat (least_ms[i], <=, 100);
    }
}

/* Compare opens the comparison, and whatever closes it leaves Compare. */
static void
test_compare (GuiWindow *f, gconstpointer data)
{
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  GobanView *view = goban_session_get_view (f->session);
  GListModel *runs;

  gui_open_toy (f);
  show (f, "compare");
  g_assert_true (goban_compare_set_is_open (set));
  g_assert_true (gtk_widget_get_mapped (gui_part (f, GOBAN_TYPE_COMPARE_PAGE)));
  goban_compare_set_close (set);
  g_assert_cmpuint (goban_view_get_workspace (view), ==, GOBAN_WORKSPACE_EXPLORE);
  goban_compare_set_open (set);
  g_assert_cmpuint (goban_view_get_workspace (view), ==, GOBAN_WORKSPACE_COMPARE);
  show (f, "explore");
  g_assert_false (goban_compare_set_is_open (set));

  /* One plan is not compared: the page says what to do. */
  runs = goban_session_get_runs (f->session);
  while (g_list_model_get_n_items (runs) > 1)
    gui_act (f, "remove-plan", NULL);
  show (f, "compare");
  g_assert_false (goban_compare_set_is_open (set));
  g_assert_true (
      gtk_widget_get_mapped (gui_find_button (GTK_WIDGET (f->window), "Place Another Way")));
}

/* A graph that was zoomed has the same view after other workspaces. */
static void
test_cameras (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *graph = gui_graph_view (f);
  GobanTimelineView *timeline;
  double scale, from, to, after_from, after_to;
  GobanPoint before, after;

  open_inception (f);
  timeline = GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  gtk_widget_grab_focus (GTK_WIDGET (graph));
  gui_act (f, "zoom-in", NULL);
  gui_act (f, "zoom-in", NULL);
  gui_act (f, "pan", g_variant_new_string ("left"));
  gtk_widget_grab_focus (GTK_WIDGET (timeline));
  gui_act (f, "zoom-in", NULL);
  gtk_widget_grab_focus (GTK_WIDGET (graph));
  gui_draw (GTK_WIDGET (f->window));
  scale = goban_graph_view_get_scale (graph);
  goban_timeline_view_get_span (timeline, &from, &to);
  g_assert_true (goban_graph_view_locate (graph, 0, &before));
  for (guint i = 1; i < GOBAN_N_WORKSPACES; i++)
    {
      show (f, names[i]);
      show (f, "explore");
      g_assert_cmpfloat (goban_graph_view_get_scale (graph), ==, scale);
      g_assert_true (goban_graph_view_locate (graph, 0, &after));
      g_assert_cmpfloat_with_epsilon (after.x, before.x, 1);
      g_assert_cmpfloat_with_epsilon (after.y, before.y, 1);
      goban_timeline_view_get_span (timeline, &after_from, &after_to);
      g_assert_cmpfloat_with_epsilon (after_from, from, (to - from) / 100);
      g_assert_cmpfloat_with_epsilon (after_to, to, (to - from) / 100);
    }
}

static gboolean
is_arranging (gpointer data)
{
  return !goban_graph_view_is_ready (data);
}

/* A graph that is arranged for a board of another shape stays where people go meanwhile. */
static void
test_zoom_while_arranged (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *graph = gui_graph_view (f);
  double scale;

  open_inception (f);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1500, 620);
  gui_wait (is_arranging, graph, "it is arranged anew");
  gtk_widget_grab_focus (GTK_WIDGET (graph));
  for (guint i = 0; i < 3; i++)
    gui_act (f, "zoom-in", NULL);
  scale = goban_graph_view_get_scale (graph);
  gui_settle (f);
  g_assert_cmpfloat (goban_graph_view_get_scale (graph), ==, scale);
}

/* --- sizes ------------------------------------------------------------------------------------ */

static void
get_areas (GuiWindow *f, GdkRectangle areas[GOBAN_N_SLOTS])
{
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    areas[i] = goban_frame_get_area (frame_of (f), (GobanSlot) i);
}

static gboolean
has_large_column (gpointer data)
{
  return goban_frame_get_area (frame_of (data), GOBAN_SLOT_RIGHT).width >= 550;
}

static gboolean
has_usual_column (gpointer data)
{
  return goban_frame_get_area (frame_of (data), GOBAN_SLOT_RIGHT).width == 360;
}

/* Columns, bars and the fitted board grow with a large window. */
static void
test_large (GuiWindow *f, gconstpointer data)
{
  int usual;

  open_inception (f);
  gui_act (f, "workspace", g_variant_new_string ("decisions"));
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1600, 1000);
  gui_wait (has_usual_column, f, "the right column has its usual width");
  usual = goban_frame_get_area (frame_of (f), GOBAN_SLOT_TIME).height;
  gtk_window_set_default_size (GTK_WINDOW (f->window), 2560, 1440);
  gui_wait (has_large_column, f, "the right column is wide");
  g_assert_cmpint (goban_frame_get_area (frame_of (f), GOBAN_SLOT_TIME).height, >, usual * 3 / 2);
  gui_act (f, "workspace", g_variant_new_string ("explore"));
  gui_settle (f);
  gui_act (f, "fit", NULL);
  g_assert_cmpfloat (goban_graph_view_get_scale (gui_graph_view (f)), >, 1.2);
}

/* The button of a pane's heading that lets it fill the frame. */
static GtkWidget *
find_enlarger (GtkWidget *root)
{
  GtkWidget *found = NULL;

  if (GTK_IS_ACTIONABLE (root)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (root)), "win.maximize") == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_enlarger (child);
  return found;
}

/* Z lets a pane fill the frame; Escape brings back the same allocations. */
static void
test_maximized (GuiWindow *f, gconstpointer data)
{
  GdkRectangle before[GOBAN_N_SLOTS], after[GOBAN_N_SLOTS];
  GtkWidget *graph = GTK_WIDGET (gui_graph_view (f));
  GtkWidget *button;

  if (!gui_keys_begin (f))
    return;
  open_inception (f);
  gtk_widget_grab_focus (graph);
  get_areas (f, before);
  gui_keys_press (f, "Z");
  gui_draw (graph);
  get_areas (f, after);
  g_assert_cmpint (after[GOBAN_SLOT_BOARD].width, ==,
                   gtk_widget_get_width (GTK_WIDGET (frame_of (f))));
  g_assert_cmpint (after[GOBAN_SLOT_TIME].width, ==, 0);
  g_assert_true (gtk_widget_has_focus (graph));
  gui_keys_press (f, "Escape");
  gui_draw (graph);
  get_areas (f, after);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    g_assert_true (gdk_rectangle_equal (&before[i], &after[i]));

  /* So does the button in the bar of the time. */
  button = find_enlarger (gui_part (f, GOBAN_TYPE_TRANSPORT_BAR));
  gtk_widget_grab_focus (button);
  g_signal_emit_by_name (button, "clicked");
  gui_draw (graph);
  get_areas (f, after);
  g_assert_cmpint (after[GOBAN_SLOT_BOARD].width, ==, 0);
  g_assert_cmpint (after[GOBAN_SLOT_TIME].height, >, before[GOBAN_SLOT_TIME].height);
  g_signal_emit_by_name (button, "clicked");
  gui_draw (graph);
  get_areas (f, after);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    g_assert_true (gdk_rectangle_equal (&before[i], &after[i]));

  /* The player stays. */
  show (f, "decisions");
  set_state (f, "maximize", TRUE);
  g_assert_cmpint (goban_frame_get_area (frame_of (f), GOBAN_SLOT_PLAYER).height, >, 0);
}

/* The handle of a slot. */
static GtkWidget *
find_handle (GtkWidget *frame, GobanSlot slot)
{
  for (GtkWidget *child = gtk_widget_get_first_child (frame); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (gtk_widget_get_css_name (child), "framehandle")
        && GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (child), "goban-slot")) == slot)
      return child;
  g_assert_not_reached ();
}

static GobanWindow *
open_window (GobanSession *session, GobanSettings *settings)
{
  GobanWindow *window
      = goban_window_new (GTK_APPLICATION (g_application_get_default ()), session, settings);

  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, window, "the window is mapped");
  return window;
}

static void
close_window (GobanWindow *window)
{
  GObject *held = g_object_ref (G_OBJECT (window));

  gtk_window_close (GTK_WINDOW (window));
  gui_wait_finalized (held);
}

/* A small window with eight devices and the console: the board keeps its share. */
static void
test_small (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();
  g_autoptr (GobanSettings) settings = goban_settings_new ("/nonexistent");
  GuiWindow small = { .session = f->session };
  GtkWidget *plans;

  goban_settings_set_int (settings, GOBAN_SETTING_WIDTH, 800);
  goban_settings_set_int (settings, GOBAN_SETTING_HEIGHT, 560);
  small.window = open_window (f->session, settings);
  f = &small;
  plans = gui_part (f, GOBAN_TYPE_PLAN_LIST);
  goban_window_set_evaluator (f->window, evaluator);
  open_inception (f);
  gui_act (f, "cluster", g_variant_new_string ("p100x8"));
  gui_wait (has_devices, f, "all is placed on eight devices");
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (f->window)), <=, 800);
  for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
    {
      show (f, names[i]);
      set_state (f, "console-pane", TRUE);
      assert_frame (f, FALSE);
      set_state (f, "console-pane", FALSE);
      assert_frame (f, FALSE);
    }

  /* Explore's columns float over the board, until Escape or a click beside them. */
  show (f, "explore");
  g_assert_false (gtk_widget_get_mapped (plans));
  set_state (f, "left-pane", TRUE);
  g_assert_true (gtk_widget_get_mapped (plans));
  assert_frame (f, TRUE);
  gui_press (GTK_WIDGET (frame_of (f)), GDK_KEY_Escape, 0);
  gui_wait (gui_is_unmapped, plans, "the column is closed");
  goban_window_set_evaluator (f->window, NULL);
  close_window (f->window);
}

/* Sizes and shown panes of each workspace, and open rows of the time, come back in the next
 * window. */
static void
test_remembered (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanSettings) settings = goban_settings_new ("/nonexistent");
  GuiWindow other = { f->session, open_window (f->session, settings) };
  int left, script;
  GdkRectangle areas[GOBAN_N_SLOTS];

  open_inception (&other);
  left = goban_frame_get_area (frame_of (&other), GOBAN_SLOT_LEFT).width;
  for (guint i = 0; i < 3; i++)
    {
      gui_press (find_handle (GTK_WIDGET (frame_of (&other)), GOBAN_SLOT_LEFT), GDK_KEY_Right, 0);
      gui_draw (GTK_WIDGET (other.window));
    }
  set_state (&other, "right-pane", FALSE);
  goban_view_set_lanes_open (goban_session_get_view (f->session), GOBAN_LANES_LINKS, TRUE);
  show (&other, "script");
  script = goban_frame_get_area (frame_of (&other), GOBAN_SLOT_LEFT).width;
  gui_press (find_handle (GTK_WIDGET (frame_of (&other)), GOBAN_SLOT_LEFT), GDK_KEY_Left, 0);
  gui_draw (GTK_WIDGET (other.window));
  close_window (other.window);

  goban_view_set_lanes_open (goban_session_get_view (f->session), GOBAN_LANES_LINKS, FALSE);
  other.window = open_window (f->session, settings);
  gui_settle (&other);
  g_assert_true (goban_lanes_have (goban_view_get_lanes (goban_session_get_view (f->session))->open,
                                   GOBAN_LANES_LINKS));
  get_areas (&other, areas);
  show (&other, "explore");
  get_areas (&other, areas);
  g_assert_cmpint (areas[GOBAN_SLOT_LEFT].width, ==, left + 30);
  g_assert_cmpint (areas[GOBAN_SLOT_RIGHT].width, ==, 0);
  show (&other, "script");
  g_assert_cmpint (goban_frame_get_area (frame_of (&other), GOBAN_SLOT_LEFT).width, ==,
                   script - 10);

  /* The command of the menu gives back the usual ones, of the shown workspace. */
  show (&other, "explore");
  gui_act (&other, "reset-layout", NULL);
  gui_draw (GTK_WIDGET (other.window));
  get_areas (&other, areas);
  g_assert_cmpint (areas[GOBAN_SLOT_LEFT].width, ==, left);
  g_assert_cmpint (areas[GOBAN_SLOT_RIGHT].width, >, 0);
  show (&other, "script");
  g_assert_cmpint (goban_frame_get_area (frame_of (&other), GOBAN_SLOT_LEFT).width, ==,
                   script - 10);
  close_window (other.window);
}

/* --- start ------------------------------------------------------------------------------------ */

static gboolean
shows_decisions (gpointer data)
{
  GuiWindow *f = data;
  GobanView *view = goban_session_get_view (f->session);

  return goban_view_get_workspace (view) == GOBAN_WORKSPACE_DECISIONS
         && goban_view_get_moment (view) != GOBAN_NO_MOMENT && gui_has_settled (f);
}

/* First run: no console, one default button, and Enter shows the first decision. */
static void
test_first_run (GuiWindow *f, gconstpointer data)
{
  g_autofree char *samples = project_path ("samples");
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();
  GtkWidget *button
      = goban_start_page_get_default (GOBAN_START_PAGE (gui_part (f, GOBAN_TYPE_START_PAGE)));
  gint64 begin_us, begin_ns;
  double work_s;

  if (!gui_keys_begin (f))
    return;
  goban_window_set_evaluator (f->window, evaluator);
  goban_window_set_samples (f->window, samples);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_false (gtk_widget_get_mapped (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW)));
  g_assert_true (gtk_window_get_default_widget (GTK_WINDOW (f->window)) == button);
  begin_us = g_get_monotonic_time ();
  begin_ns = goban_clock_read_ns (CLOCK_THREAD_CPUTIME_ID);
  gui_keys_press (f, "Enter");
  gui_wait (shows_decisions, f, "the first decision is shown");
  /* This thread alone: workers place meanwhile. */
  work_s = (double) (goban_clock_read_ns (CLOCK_THREAD_CPUTIME_ID) - begin_ns) / 1e9;
  g_test_message ("%.2f s to the first decision, of them %.2f s of the main loop's work",
                  (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC, work_s);
  g_assert_cmpfloat (work_s, <, 5);
  g_assert_cmpstr (
      goban_plan_get_policy (goban_run_get_plan (goban_session_get_current_run (f->session))), ==,
      "go-zeroshot");
  g_assert_false (gtk_widget_get_mapped (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW)));
  goban_window_set_evaluator (f->window, NULL);
}

/* What each workspace says while it has nothing to show, and its next step. */
static void
test_empty (GuiWindow *f, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (f->window);

  /* Without a graph: the start page, but trainings and scripts need none. */
  show (f, "decisions");
  g_assert_true (gtk_widget_get_mapped (gui_part (f, GOBAN_TYPE_START_PAGE)));
  show (f, "train");
  g_assert_false (gtk_widget_get_mapped (gui_part (f, GOBAN_TYPE_START_PAGE)));
  g_assert_true (gtk_widget_get_mapped (gui_find_button (window, "New Training…")));
  gui_open_toy (f);
  show (f, "decisions");
  g_assert_false (gtk_widget_get_mapped (gui_find_button (window, "Place with go-zeroshot")));
  while (g_list_model_get_n_items (goban_session_get_runs (f->session)) > 0)
    gui_act (f, "remove-plan", NULL);
  gui_draw (window);
  g_assert_true (gtk_widget_get_mapped (gui_find_button (window, "Place with go-zeroshot")));
  show (f, "explore");
  g_assert_true (
      gtk_widget_get_mapped (gui_find_button (gui_part (f, GOBAN_TYPE_PLAN_LIST), "Place")));
}

/* --- the drawer, panes and talks -------------------------------------------------------------- */

/* F12, Escape and the button close the drawer; F6 goes from pane to pane. */
static void
test_drawer (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();
  GtkWidget *console = gui_part (f, GOBAN_TYPE_CONSOLE_VIEW);
  GtkWidget *visited[3] = { NULL };

  if (!gui_keys_begin (f))
    return;
  goban_window_set_evaluator (f->window, evaluator);
  gui_open_toy (f);
  gui_keys_press (f, "F12");
  gui_wait (gui_is_mapped, console, "the console is open");
  gui_draw (console);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (f->window)), console));
  gui_keys_press (f, "Escape");
  gui_wait (gui_is_unmapped, console, "Escape closes it");
  gui_draw (GTK_WIDGET (f->window));
  for (gsize i = 0; i < G_N_ELEMENTS (visited); i++)
    {
      visited[i] = gtk_window_get_focus (GTK_WINDOW (f->window));
      gui_keys_press (f, "F6");
      gui_draw (GTK_WIDGET (f->window));
      for (gsize k = 0; k <= i; k++)
        g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window)) != visited[k]);
    }
  goban_window_set_evaluator (f->window, NULL);
}

/* A talk keeps the plan's name, the colours and all bars. */
static void
test_presented (GuiWindow *f, gconstpointer data)
{
  GtkWidget *strip = gui_part (f, GOBAN_TYPE_PRESENTER_STRIP);
  GobanRun *run;

  open_inception (f);
  g_assert_false (gtk_widget_get_mapped (strip));
  for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
    {
      show (f, names[i]);
      set_state (f, "presenter", TRUE);
      run = goban_session_get_current_run (f->session);
      g_assert_true (gtk_widget_get_mapped (strip));
      g_assert_cmpstr (gui_get_text (gtk_widget_get_first_child (strip)), ==,
                       goban_run_get_name (run));
      g_assert_nonnull (strstr (
          gui_get_text (gtk_widget_get_next_sibling (gtk_widget_get_first_child (strip))), "ms"));
      assert_frame (f, i != GOBAN_WORKSPACE_COMPARE);
      set_state (f, "presenter", FALSE);
    }
  g_assert_false (gtk_widget_get_mapped (strip));
}

TEST_PROGRAM (workspaces)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/workspaces/board", test_board);
  gui_window_add ("/ui/workspaces/stepped", test_stepped);
  gui_window_add ("/ui/workspaces/small", test_small);
  gui_window_add ("/ui/workspaces/keys", test_keys);
  gui_window_add ("/ui/workspaces/switch", test_switch);
  gui_window_add ("/ui/workspaces/compare", test_compare);
  gui_window_add ("/ui/workspaces/cameras", test_cameras);
  gui_window_add ("/ui/workspaces/zoom-while-arranged", test_zoom_while_arranged);
  gui_window_add ("/ui/workspaces/large", test_large);
  gui_window_add ("/ui/workspaces/maximized", test_maximized);
  gui_window_add ("/ui/workspaces/remembered", test_remembered);
  gui_window_add ("/ui/workspaces/first-run", test_first_run);
  gui_window_add ("/ui/workspaces/empty", test_empty);
  gui_window_add ("/ui/workspaces/drawer", test_drawer);
  gui_window_add ("/ui/workspaces/presented", test_presented);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
