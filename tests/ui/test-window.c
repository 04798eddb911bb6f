/* The real window, driven from within: files, plans, selections, colours, panes, the console.
 * Needs a display: run by gui-run.sh. */
#include "tests/support/shared-data.h"
#include "tests/ui/fake-evaluator.h"
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "engine/session/compare-set.h"
#include "engine/session/session-log.h"
#include "engine/study/run/run-list.h"
#include "engine/study/training/training-list.h"
#include "tests/support/test-program.h"
#include "ui/console/console-view.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/legend.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/place-menu.h"
#include "ui/panels/plan-list.h"
#include "ui/panels/start-page.h"
#include "ui/shell/window.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/training/training-view.h"
#include "ui/widgets/actions.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static GobanNodeId
get_selected (GuiWindow *f, guint *n)
{
  const GobanNodeId *ids = goban_selection_get_ids (goban_session_get_selection (f->session), n);

  return *n > 0 ? ids[0] : GOBAN_NO_NODE;
}

static void
test_empty (GuiWindow *f, gconstpointer data)
{
  g_autofree char *samples = project_path ("samples");

  goban_window_set_samples (f->window, samples);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Goban");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "place"));
  g_assert_false (gtk_widget_get_mapped (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW)));
}

/* Each row of the table is an action of the window, and a part of the window does it. */
static void
test_commands_have_handlers (GuiWindow *f, gconstpointer data)
{
  gsize n;
  const GobanActionInfo *infos = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (f->window), infos[i].name);
      const char *signal = infos[i].state != NULL ? "change-state" : "activate";

      g_assert_nonnull (action);
      if (!g_signal_has_handler_pending (action, g_signal_lookup (signal, G_TYPE_SIMPLE_ACTION), 0,
                                         FALSE))
        g_error ("%s has no handler", infos[i].name);
    }
}

static void
test_open (GuiWindow *f, gconstpointer data)
{
  GListModel *plans;
  GobanRun *best;

  gui_open_toy (f);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "toy.dot – Goban");
  g_assert_cmpuint (goban_graph_get_n_nodes (goban_session_get_graph (f->session)), ==, 12);

  /* The best is on top, and shown. */
  plans = G_LIST_MODEL (
      gtk_list_view_get_model (gui_child (gui_part (f, GOBAN_TYPE_PLAN_LIST), "view")));
  g_assert_cmpuint (g_list_model_get_n_items (plans), >=, 4);
  best = goban_run_list_get (plans, 0);
  g_assert_true (best == goban_session_get_current_run (f->session));

  gui_act (f, "next-plan", NULL);
  g_assert_true (best != goban_session_get_current_run (f->session));
  gui_act (f, "previous-plan", NULL);
  g_assert_true (best == goban_session_get_current_run (f->session));
}

/* "goban rnnlm:layers=1" and "goban rnnlm": a graph is generated, whatever GIO takes the words
 * for. */
static void
test_open_spec (GuiWindow *f, gconstpointer data)
{
  static const char *const specs[] = { "rnnlm:layers=1,steps=2", "rnnlm" };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (specs[i]);
      g_autofree char *title = g_strconcat (specs[i], " – Goban", NULL);

      goban_window_open_file (f->window, file);
      g_assert_nonnull (goban_session_get_job (f->session));
      gui_wait (gui_has_settled, f, "the graph is generated and placed");
      g_assert_cmpstr (goban_session_get_path (f->session), ==, specs[i]);
      g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, title);
      g_assert_cmpstr (goban_graph_get_format (goban_session_get_graph (f->session)), ==,
                       "generated");
    }
}

static void
test_broken_file (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "broken.dot", NULL);

  g_assert_true (g_file_set_contents (path, "digraph { a -> ", -1, NULL));
  gui_open_path (f, path);
  gui_wait_notice (f, "broken.dot");
  g_assert_null (goban_session_get_graph (f->session));

  gui_open_path (f, "/nonexistent/graph.onnx");
  gui_wait_notice (f, "/nonexistent/graph.onnx");

  g_unlink (path);
  g_rmdir (folder);
}

static void
test_pipe_does_not_stop_the_window (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pipe.dot", NULL);

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  gui_open_path (f, path);
  g_assert_true (gui_has_notice (f, "pipe.dot: it is a pipe"));
  g_assert_null (goban_session_get_job (f->session));
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_many_notices_leave_the_window (GuiWindow *f, gconstpointer data)
{
  GtkWidget *notice = gui_part (f, GOBAN_TYPE_NOTICE_BAR);
  g_autofree char *endless = g_strnfill (20000, 'x');

  for (guint i = 0; i < 300; i++)
    goban_session_say (f->session, FALSE, "op %u is not known", i);
  gui_wait_height (notice, 1, 59);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gui_find (notice, GTK_TYPE_TOGGLE_BUTTON)),
                                TRUE);
  gui_wait_height (notice, 101, 199);

  goban_session_say (f->session, TRUE, "%s", endless);
  gui_draw (notice);
  gui_wait_height (notice, 101, 299);
}

/* An error of megabytes is shown in part, and saved whole. */
static void
save_cb (char **saved, const char *text)
{
  *saved = g_strdup (text);
}

static void
test_long_notice (GuiWindow *f, gconstpointer data)
{
  GtkWidget *notice = gui_part (f, GOBAN_TYPE_NOTICE_BAR);
  g_autofree char *endless = g_strnfill (10 * 1000 * 1000, 'x');
  g_autofree char *saved = NULL;
  GtkWidget *save;

  goban_session_say (f->session, FALSE, "A short one");
  gui_draw (notice);
  save = gui_find_button (notice, "Save All…");
  g_assert_false (gtk_widget_get_mapped (save));

  goban_session_say (f->session, TRUE, "%s", endless);
  gui_draw (notice);
  g_assert_cmpuint (strlen (gui_child_text (notice, "label")), <, 1000);
  g_assert_true (gtk_widget_get_mapped (save));
  /* Instead of the window's file dialog. */
  g_signal_handlers_block_matched (notice, G_SIGNAL_MATCH_ID,
                                   g_signal_lookup ("save", GOBAN_TYPE_NOTICE_BAR), 0, NULL, NULL,
                                   NULL);
  g_signal_connect_swapped (notice, "save", G_CALLBACK (save_cb), &saved);
  g_signal_emit_by_name (save, "clicked");
  g_assert_nonnull (strstr (saved, endless));
  g_assert_nonnull (strstr (saved, "A short one"));
}

static void
assert_inspected (GobanInspector *inspector, const char *title, const char *row)
{
  g_autofree char *text = goban_inspector_dup_text (inspector);
  g_autofree char *first = g_strndup (text, strcspn (text, "\n"));

  g_assert_cmpstr (first, ==, title);
  g_assert_nonnull (strstr (text, row));
}

static void
test_pick_node (GuiWindow *f, gconstpointer data)
{
  GobanPicture *view;
  GobanInspector *inspector;
  GobanNodeId conv, other;
  GobanPoint at;
  guint n;

  gui_open_toy (f);
  view = GOBAN_PICTURE (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  inspector = GOBAN_INSPECTOR (gui_part (f, GOBAN_TYPE_INSPECTOR));
  conv = goban_graph_find_node (goban_session_get_graph (f->session), "image/conv1");
  other = goban_graph_find_node (goban_session_get_graph (f->session), "text/ffn");

  g_assert_true (goban_graph_view_locate (GOBAN_GRAPH_VIEW (view), conv, &at));
  goban_picture_click (view, at, 1, 0);
  g_assert_cmpuint (get_selected (f, &n), ==, conv);
  g_assert_cmpuint (n, ==, 1);
  assert_inspected (inspector, "image/conv1", "\nop\tConv\n");

  /* Shift adds, and takes away again. */
  g_assert_true (goban_graph_view_locate (GOBAN_GRAPH_VIEW (view), other, &at));
  goban_picture_click (view, at, 1, GDK_SHIFT_MASK);
  get_selected (f, &n);
  g_assert_cmpuint (n, ==, 2);
  assert_inspected (inspector, "2 nodes selected", "");
  goban_picture_click (view, at, 1, GDK_SHIFT_MASK);
  get_selected (f, &n);
  g_assert_cmpuint (n, ==, 1);

  /* Nodes of one scope have its name. */
  other = goban_graph_find_node (goban_session_get_graph (f->session), "image/conv2");
  g_assert_true (goban_graph_view_locate (GOBAN_GRAPH_VIEW (view), other, &at));
  goban_picture_click (view, at, 1, GDK_SHIFT_MASK);
  assert_inspected (inspector, "image, 2 nodes", "");
  goban_picture_click (view, at, 1, GDK_SHIFT_MASK);

  gui_act (f, "select-inputs", g_variant_new_string ("inputs"));
  get_selected (f, &n);
  g_assert_cmpuint (n, ==, 2);
  gui_act (f, "select-none", NULL);
  get_selected (f, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_pick_slice (GuiWindow *f, gconstpointer data)
{
  GobanPicture *view;
  GobanNodeId node;
  GobanPoint at;
  guint n;

  gui_open_toy (f);
  view = GOBAN_PICTURE (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  node = goban_graph_find_node (goban_session_get_graph (f->session), "text/attention");
  g_assert_true (gui_locate_op (GOBAN_TIMELINE_VIEW (view), node, &at));
  goban_picture_click (view, at, 1, 0);
  g_assert_cmpuint (get_selected (f, &n), ==, node);
  g_assert_cmpuint (n, ==, 1);

  /* Stepping stays on the device. */
  gui_act (f, "step", g_variant_new_int32 (-1));
  g_assert_cmpuint (get_selected (f, &n), !=, node);
  gui_act (f, "step", g_variant_new_int32 (1));
  g_assert_cmpuint (get_selected (f, &n), ==, node);
}

/* A label that wraps is shaped several times to be measured, which took a third of the frame after
 * everything had been selected: only long values wrap. */
static void
assert_short_values_do_not_wrap (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "numeric")
      && g_utf8_strlen (gtk_label_get_text (GTK_LABEL (widget)), -1) <= 10)
    g_assert_false (gtk_label_get_wrap (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_short_values_do_not_wrap (child);
}

static void
test_short_values_do_not_wrap (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  gui_act (f, "select-all", NULL);
  gui_settle (f);
  gui_draw (GTK_WIDGET (f->window));
  assert_short_values_do_not_wrap (gui_part (f, GOBAN_TYPE_INSPECTOR));
}

typedef struct
{
  GobanPicture *picture;
  guint n_paints; /* before */
} Painting;

static gboolean
is_painted_again (gpointer data)
{
  Painting *painting = data;

  return goban_picture_get_n_paints (painting->picture) > painting->n_paints;
}

static void
test_color (GuiWindow *f, gconstpointer data)
{
  GobanLegend *legend;
  Painting painting;

  gui_open_toy (f);
  legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));
  painting.picture = GOBAN_PICTURE (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  g_assert_cmpuint (goban_legend_get_n_entries (legend), ==, 4);

  painting.n_paints = goban_picture_get_n_paints (painting.picture);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "color",
                                      g_variant_new_string ("priority"));
  g_assert_cmpstr (goban_view_get_color (goban_session_get_view (f->session)), ==, "priority");
  g_assert_cmpuint (goban_legend_get_n_entries (legend), ==, 5); /* the ramp, and stripes */
  gui_wait (is_painted_again, &painting, "the other colours are painted");

  /* A change from elsewhere shows in the action. */
  goban_view_set_color (goban_session_get_view (f->session), "device");
  {
    g_autoptr (GVariant) state
        = g_action_group_get_action_state (G_ACTION_GROUP (f->window), "color");

    g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "device");
  }
}

/* What follows the pointer never paints the base again. */
static void
test_hover_is_cheap (GuiWindow *f, gconstpointer data)
{
  GobanPicture *view;
  GobanPoint at;
  guint painted;

  gui_open_toy (f);
  view = GOBAN_PICTURE (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  gui_draw (GTK_WIDGET (view));
  painted = goban_picture_get_n_paints (view);
  g_assert_true (goban_graph_view_locate (GOBAN_GRAPH_VIEW (view), 0, &at));
  GOBAN_PICTURE_GET_CLASS (view)->hover (view, &at);
  goban_picture_click (view, at, 1, 0);
  gui_draw (GTK_WIDGET (view));
  g_assert_cmpuint (goban_picture_get_n_paints (view), ==, painted);
}

static void
test_zoom (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  double fitted;

  gui_open_toy (f);
  view = GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  fitted = goban_graph_view_get_scale (view);
  gui_act (f, "zoom-in", NULL);
  g_assert_cmpfloat (goban_graph_view_get_scale (view), >, fitted);
  gui_act (f, "pan", g_variant_new_string ("left"));
  gui_act (f, "fit", NULL);
  g_assert_cmpfloat_with_epsilon (goban_graph_view_get_scale (view), fitted, 1e-9);
  goban_session_zoom (f->session, "selection");
}

static void
test_panes (GuiWindow *f, gconstpointer data)
{
  GtkWidget *timeline, *inspector;

  gui_open_toy (f);
  timeline = gui_part (f, GOBAN_TYPE_TIMELINE_VIEW);
  inspector = gui_part (f, GOBAN_TYPE_INSPECTOR);
  g_assert_true (gtk_widget_is_visible (timeline));
  gui_act (f, "timeline-pane", NULL);
  g_assert_false (gtk_widget_is_visible (timeline));
  gui_act (f, "timeline-pane", NULL);
  g_assert_true (gtk_widget_is_visible (timeline));
  gui_act (f, "right-pane", NULL);
  g_assert_false (gtk_widget_is_visible (inspector));

  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "dark",
                                      g_variant_new_boolean (TRUE));
  g_assert_cmpint (goban_picture_get_theme (GOBAN_PICTURE (timeline)), ==, GOBAN_THEME_DARK);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "dark",
                                      g_variant_new_boolean (FALSE));
}

/* Follows the separators of a name, so that no word of it is broken. */
#define WRAPS "\xe2\x80\x8b"

/* Nobody sees the rows of a hidden pane: they follow when it is shown again. */
static void
test_hidden_inspector_waits (GuiWindow *f, gconstpointer data)
{
  GtkWidget *inspector, *title;

  gui_open_toy (f);
  inspector = gui_part (f, GOBAN_TYPE_INSPECTOR);
  title = gui_find (inspector, GTK_TYPE_LABEL);
  gui_select (f, "image/conv1");
  assert_inspected (GOBAN_INSPECTOR (inspector), "image/conv1", "");
  gui_act (f, "right-pane", NULL);
  gui_select (f, "text/ffn");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (title)), ==, "image/" WRAPS "conv1");
  gui_act (f, "right-pane", NULL);
  gui_wait (gui_is_mapped, inspector, "the pane is shown");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (title)), ==, "text/" WRAPS "ffn");
}

typedef struct
{
  GuiWindow *f;
  const char *name;
} ClusterWith;

static gboolean
is_taken (gpointer data)
{
  const ClusterWith *with = data;

  return g_str_equal (goban_cluster_get_name (goban_session_get_cluster (with->f->session)),
                      with->name);
}

/* Its plans are simulated in a worker, or where none fits the graph is placed again. */
static void
choose_cluster (GuiWindow *f, const char *name)
{
  gui_act (f, "cluster", g_variant_new_string (name));
  gui_wait (is_taken, &(ClusterWith){ f, name }, "the cluster is taken");
  gui_wait (gui_has_settled, f, "the graph is placed on the other cluster");
}

static void
test_place (GuiWindow *f, gconstpointer data)
{
  GListModel *runs;
  guint before;

  gui_open_toy (f);
  runs = goban_session_get_runs (f->session);
  before = g_list_model_get_n_items (runs);
  gui_act (f, "place", g_variant_new_string ("round-robin"));
  gui_wait (gui_has_settled, f, "the policy has placed");
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, before + 1);
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==,
                   "round-robin");
  gui_act (f, "remove-plan", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, before);

  choose_cluster (f, "p100x2");
  g_assert_cmpuint (goban_cluster_get_n_devices (goban_session_get_cluster (f->session)), ==, 2);
}

static void
test_plan_file (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mine.json", NULL);
  g_autoptr (GError) error = NULL;
  GobanRun *run;
  guint before;

  gui_open_toy (f);
  run = goban_session_get_current_run (f->session);
  g_assert_true (
      goban_plan_save (goban_run_get_plan (run), goban_run_get_costs (run), path, &error));
  g_assert_no_error (error);

  before = g_list_model_get_n_items (goban_session_get_runs (f->session));
  gui_open_path (f, path);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, before + 1);
  g_assert_cmpuint (goban_graph_get_n_nodes (goban_session_get_graph (f->session)), ==, 12);

  g_unlink (path);
  g_rmdir (folder);
}

/* Exports and waits until the notice bar says @words of it, which it has not said before. */
static void
export_to (GuiWindow *f, const char *path, gboolean timeline, const char *words)
{
  goban_notice_bar_hide (GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR)));
  goban_window_export (f->window, path, timeline);
  gui_wait_notice (f, words);
}

static void
test_export (GuiWindow *f, gconstpointer data)
{
  static const char *const names[] = { "a.svg", "a.png", "a.pdf" };
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *readonly = g_build_filename (folder, "none", "a.svg", NULL);

  export_to (f, "a.svg", FALSE, "open one first");
  export_to (f, "a.svg", TRUE, "place the graph first");

  gui_open_toy (f);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i / 2], NULL);
      g_autofree char *saved = g_strdup_printf ("Saved %s", names[i / 2]);
      GStatBuf info;

      export_to (f, path, i % 2 == 1, saved);
      g_assert_cmpint (g_stat (path, &info), ==, 0);
      g_assert_cmpint ((gint64) info.st_size, >, 1000);
      g_unlink (path);
    }
  export_to (f, "a.bmp", FALSE, "a.bmp");
  export_to (f, readonly, FALSE, readonly);
  g_rmdir (folder);
}

static gboolean
output_has_value (gpointer data)
{
  g_autofree char *text = goban_console_output_dup_text (goban_console_view_get_output (data));

  return strstr (text, "=hello") != NULL;
}

static void
test_console (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();
  GobanConsoleView *console = GOBAN_CONSOLE_VIEW (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW));

  goban_window_set_evaluator (f->window, evaluator);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (console)));
  gui_act (f, "console-pane", NULL);
  gui_wait (gui_is_mapped, console, "the console is open");
  gui_set_input (console, "echo hello");
  gui_press (gui_child (console, "input"), GDK_KEY_Return, 0);
  gui_wait (output_has_value, console, "the console shows the value");
  g_assert_false (goban_console_view_is_running (console));

  gui_act (f, "console-pane", NULL);
  gui_wait (gui_is_unmapped, console, "the console is closed");
  goban_window_set_evaluator (f->window, NULL);
}

static void
test_log_is_the_evaluators (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();
  GobanConsoleView *console = GOBAN_CONSOLE_VIEW (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW));
  g_autofree char *output = NULL;

  goban_window_set_evaluator (f->window, evaluator);
  gui_act (f, "color", g_variant_new_string ("priority"));
  g_signal_emit_by_name (evaluator, "output", GOBAN_CONSOLE_LOG, "view.color\n");
  output = goban_console_output_dup_text (goban_console_view_get_output (console));
  g_assert_nonnull (strstr (output, "view.color"));
  g_assert_null (strstr (strstr (output, "view.color") + 1, "view.color"));
  goban_window_set_evaluator (f->window, NULL);
}

static void
test_cluster_places_again (GuiWindow *f, gconstpointer data)
{
  g_autofree char *policy = NULL;
  GobanRun *run;

  gui_open_toy (f);
  run = goban_session_get_current_run (f->session);
  policy = g_strdup (goban_plan_get_policy (goban_run_get_plan (run)));
  choose_cluster (f, "p100x8");
  run = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_plan_get_policy (goban_run_get_plan (run)), ==, policy);
  g_assert_cmpuint (goban_cluster_get_n_devices (goban_run_get_cluster (run)), ==, 8);
}

static void
assert_name_selects (GuiWindow *f, guint device)
{
  GobanTimelineView *timeline = GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  GobanPlan *plan = goban_run_get_plan (goban_session_get_current_run (f->session));
  g_autofree char *name = g_strdup_printf ("gpu:%u", device);
  GobanSelection *selection;
  GobanPoint at;

  gui_act (f, "select-none", NULL);
  g_assert_true (gui_locate_lane (timeline, name, 0, &at));
  at.x = 60;
  goban_picture_click (GOBAN_PICTURE (timeline), at, 1, 0);
  selection = goban_session_get_selection (f->session);
  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    g_assert_cmpint (goban_selection_contains (selection, v), ==,
                     goban_plan_get_device (plan, v) == device);
}

/* Whether the lane is under the pointer where it is placed, and not scrolled away or covered. */
static gboolean
is_lane_in_sight (GuiWindow *f, const char *name)
{
  GobanTimelineView *timeline = GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  GobanTimelineHit hit;
  GobanPoint at;

  g_assert_true (gui_locate_lane (timeline, name, 0, &at));
  at.x = 60;
  hit = goban_timeline_view_hit (timeline, at);
  return at.y < goban_picture_get_height (GOBAN_PICTURE (timeline)) && hit.kind == GOBAN_HIT_HEADER
         && hit.lane == goban_timeline_scene_find_lane (timeline->scenes.scene, name);
}

static void
assert_scrolled_to (GuiWindow *f, guint seen, guint unseen)
{
  g_autofree char *seen_row = g_strdup_printf ("gpu:%u/memory", seen);
  g_autofree char *unseen_row = g_strdup_printf ("gpu:%u/memory", unseen);

  g_assert_true (is_lane_in_sight (f, seen_row));
  g_assert_false (is_lane_in_sight (f, unseen_row));
  for (guint device = 0; device < 8; device++)
    assert_name_selects (f, device);
}

static void
test_wheel_over_names_scrolls_lanes (GuiWindow *f, gconstpointer data)
{
  GobanPicture *timeline;
  GobanPoint over_names = { 60, 46 };
  double from, to, after_from, after_to;
  guint n;

  gui_open_toy (f);
  choose_cluster (f, "p100x8");
  gui_act (f, "timeline-rows", NULL);
  gui_draw (GTK_WIDGET (f->window));
  timeline = GOBAN_PICTURE (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  goban_timeline_view_get_span (GOBAN_TIMELINE_VIEW (timeline), &from, &to);

  /* The names of devices stay; sub-rows are those of the first, and at the end of the last. */
  assert_name_selects (f, 0);
  get_selected (f, &n);
  g_assert_cmpuint (n, >, 0);
  assert_scrolled_to (f, 0, 7);
  GOBAN_PICTURE_GET_CLASS (timeline)->scroll (timeline, 100, over_names);
  gui_draw (GTK_WIDGET (timeline));
  assert_scrolled_to (f, 7, 0);
  goban_timeline_view_get_span (GOBAN_TIMELINE_VIEW (timeline), &after_from, &after_to);
  g_assert_cmpfloat (after_from, ==, from);
  g_assert_cmpfloat (after_to, ==, to);
}

/* What the window would be told by the pointer's last inch. Returns whether it took the files. */
static gboolean
drop (GuiWindow *f, const char *path)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (f->window));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (&file, 1));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        g_signal_emit_by_name (controller, "drop", &value, 10.0, 10.0, &taken);
    }
  return taken;
}

static void
test_drop (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  g_assert_true (drop (f, path));
  gui_wait (gui_has_settled, f, "the dropped graph is open and placed");
  g_assert_cmpuint (goban_graph_get_n_nodes (goban_session_get_graph (f->session)), ==, 12);

  /* A file that is nothing of ours leaves what is open. */
  g_assert_true (drop (f, "/nowhere/at-all.onnx"));
  gui_wait_notice (f, "/nowhere/at-all.onnx");
  g_assert_cmpuint (goban_graph_get_n_nodes (goban_session_get_graph (f->session)), ==, 12);
}

static gboolean
takes_drops (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller) || GTK_IS_DROP_TARGET_ASYNC (controller))
        return TRUE;
    }
  return FALSE;
}

/* Files that fall on the legend are the window's: nothing around its entries takes them. */
static void
test_drop_on_legend (GuiWindow *f, gconstpointer data)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));

  gui_open_toy (f);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_nonnull (goban_legend_get_device_entry (legend, 0));
  for (GtkWidget *widget = goban_legend_get_device_entry (legend, 0);
       widget != GTK_WIDGET (f->window); widget = gtk_widget_get_parent (widget))
    g_assert_false (takes_drops (widget));
  g_assert_true (takes_drops (GTK_WIDGET (f->window)));
}

/* No label of @widget is one that GTK would cut inside a word, but for those that GTK makes for
 * choices and entries. */
static void
assert_no_cut_words (GtkWidget *widget)
{
  if (GTK_IS_DROP_DOWN (widget) || GTK_IS_TEXT (widget))
    return;
  if (GTK_IS_LABEL (widget) && gtk_label_get_ellipsize (GTK_LABEL (widget)) != PANGO_ELLIPSIZE_NONE)
    g_error ("“%s” is cut inside its words", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_no_cut_words (child);
}

static GtkMenuButton *
find_primary (GtkWidget *widget)
{
  GtkMenuButton *found = NULL;

  if (GTK_IS_MENU_BUTTON (widget) && gtk_menu_button_get_primary (GTK_MENU_BUTTON (widget)))
    return GTK_MENU_BUTTON (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_primary (child);
  return found;
}

/* Below the header bar of a window that is 800 pixels high. */
static void
test_menu_fits (GuiWindow *f, gconstpointer data)
{
  GtkMenuButton *button = find_primary (GTK_WIDGET (f->window));
  GtkWidget *menu;
  int height;

  gtk_menu_button_popup (button);
  menu = GTK_WIDGET (gtk_menu_button_get_popover (button));
  gui_wait (gui_is_mapped, menu, "the menu is open");
  gtk_widget_measure (menu, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  g_assert_cmpint (height, >, 300);
  g_assert_cmpint (height, <, 740);
  gtk_menu_button_popdown (button);
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
}

/* A learning in the list, with its pane. */
static void
train (GuiWindow *f)
{
  static const GobanTrainingSeries series[]
      = { { "reward", "Reward", GOBAN_SERIES_REWARD, FALSE } };
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();

  goban_training_log_begin (log, series, G_N_ELEMENTS (series), NULL);
  goban_training_list_add_learning (G_OBJECT (f->session), "go-one", log);
  gui_act (f, "workspace", g_variant_new_string ("train"));
  gui_wait (gui_is_mapped, gui_part (f, GOBAN_TYPE_TRAINING_VIEW), "the training pane");
}

static void
test_no_cut_words (GuiWindow *f, gconstpointer data)
{
  /* From the start page to two plans that are compared, with what a click makes on the way. */
  static const char *const actions[]
      = { "why", "device-key", "search", "table-pane", "notes-pane" };
  const char *const recent[] = { "/a/transformer-xl with a name of many words.onnx", NULL };
  GtkWidget *window = GTK_WIDGET (f->window);
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  GobanRun *runs[2];
  GtkWidget *menu;

  goban_start_page_set_recent (GOBAN_START_PAGE (gui_part (f, GOBAN_TYPE_START_PAGE)), recent);
  assert_no_cut_words (window);
  gui_open_toy (f);
  runs[0] = goban_run_list_get (goban_session_get_runs (f->session), 0);
  runs[1] = goban_run_list_get (goban_session_get_runs (f->session), 1);
  gui_act (f, "choose-policy", NULL);
  menu = gui_part (f, GOBAN_TYPE_PLACE_MENU);
  gui_wait (gui_is_mapped, menu, "the menu is open");
  assert_no_cut_words (menu);
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_select (f, "fuse");
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gui_act (f, actions[i], NULL);
      gui_draw (window);
      assert_no_cut_words (window);
    }
  gui_act (f, "devices", g_variant_new_string (""));
  gui_draw (window);
  assert_no_cut_words (window);
  train (f);
  gui_draw (window);
  assert_no_cut_words (window);
  goban_compare_set_show (set, runs, 2);
  gui_wait (gui_has_settled, f, "two plans are compared");
  gui_draw (window);
  assert_no_cut_words (window);
}

TEST_PROGRAM (window)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/window/empty", test_empty);
  gui_window_add ("/window/commands-have-handlers", test_commands_have_handlers);
  gui_window_add ("/window/open", test_open);
  gui_window_add ("/window/open-spec", test_open_spec);
  gui_window_add ("/window/drop", test_drop);
  gui_window_add ("/window/drop-on-legend", test_drop_on_legend);
  gui_window_add ("/window/no-cut-words", test_no_cut_words);
  gui_window_add ("/window/menu-fits", test_menu_fits);
  gui_window_add ("/window/broken-file", test_broken_file);
  gui_window_add ("/window/pipe-does-not-stop-the-window", test_pipe_does_not_stop_the_window);
  gui_window_add ("/window/many-notices-leave-the-window", test_many_notices_leave_the_window);
  gui_window_add ("/window/long-notice", test_long_notice);
  gui_window_add ("/window/pick/node", test_pick_node);
  gui_window_add ("/window/pick/slice", test_pick_slice);
  gui_window_add ("/window/color", test_color);
  gui_window_add ("/window/hover-is-cheap", test_hover_is_cheap);
  gui_window_add ("/window/zoom", test_zoom);
  gui_window_add ("/window/panes", test_panes);
  gui_window_add ("/window/place", test_place);
  gui_window_add ("/window/plan-file", test_plan_file);
  gui_window_add ("/window/export", test_export);
  gui_window_add ("/window/console", test_console);
  gui_window_add ("/window/log-is-the-evaluators", test_log_is_the_evaluators);
  gui_window_add ("/window/hidden-inspector-waits", test_hidden_inspector_waits);
  gui_window_add ("/window/short-values-do-not-wrap", test_short_values_do_not_wrap);
  gui_window_add ("/window/cluster-places-again", test_cluster_places_again);
  gui_window_add ("/window/wheel-over-names-scrolls-lanes", test_wheel_over_names_scrolls_lanes);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
