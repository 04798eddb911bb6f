/* Changes by hand in the graph pane and with sliders, in the real window: a node and a group are
 * dragged to a device, a lasso selects, keys do the same; a slider moves by keys. Needs a display:
 * run by gui-run.sh. */
#include "tests/ui/gui-drag.h"

#include "engine/session/edit.h"
#include "engine/session/preview.h"
#include "engine/session/session-history.h"
#include "engine/session/view.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-drag.h"
#include "ui/graph/graph-view-private.h"
#include "ui/panels/cluster-panel.h"
#include "ui/panels/legend.h"
#include "ui/timeline/timeline-view.h"

#include <string.h>

static GobanRun *
current (GuiWindow *f)
{
  return goban_session_get_current_run (f->session);
}

static GobanNodeId
find (GuiWindow *f, const char *name)
{
  return goban_graph_find_node (goban_session_get_graph (f->session), name);
}

static GobanDeviceId
device_of (GuiWindow *f, const char *name)
{
  return goban_plan_get_device (goban_run_get_plan (current (f)), find (f, name));
}

/* --- what gestures do, once they have become a drag ------------------------------------------- */

static gboolean
begin (GobanGraphView *view, GobanPoint from, GdkModifierType modifiers)
{
  GobanPoint at = { from.x + 6, from.y + 6 };

  return GOBAN_PICTURE_GET_CLASS (view)->drag_begin (GOBAN_PICTURE (view), from, at, modifiers);
}

static void
move (GobanGraphView *view, GobanPoint at)
{
  GOBAN_PICTURE_GET_CLASS (view)->drag_update (GOBAN_PICTURE (view), at);
}

static void
end (GobanGraphView *view, GobanPoint at, gboolean is_cancelled)
{
  GOBAN_PICTURE_GET_CLASS (view)->drag_end (GOBAN_PICTURE (view), at, is_cancelled);
}

static GobanPoint
place_of (GuiWindow *f, const char *name)
{
  GobanPoint at;

  g_assert_true (goban_graph_view_locate (gui_graph_view (f), find (f, name), &at));
  return at;
}

static gboolean
is_surveyed (gpointer data)
{
  return !goban_graph_targets_is_busy (goban_graph_view_get_targets (gui_graph_view (data)));
}

static gboolean
is_by_hand (gpointer data)
{
  return goban_edit_is_by_hand (current (data));
}

static const char *
subtitle_has (GtkWidget *widget, const char *text)
{
  if (gui_get_text (widget) != NULL && strstr (gui_get_text (widget), text) != NULL)
    return gui_get_text (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (subtitle_has (child, text) != NULL)
      return subtitle_has (child, text);
  return NULL;
}

static void
test_a_node_is_dragged_to_a_device (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanGraphTargets *targets;
  GobanRun *before;
  GobanPoint home, to;

  gui_open_toy (f);
  view = gui_graph_view (f);
  targets = goban_graph_view_get_targets (view);
  before = current (f);
  home = place_of (f, "image/conv1");
  g_assert_true (begin (view, home, 0));
  g_assert_true (goban_graph_targets_is_open (targets));
  g_assert_cmpuint (goban_graph_targets_get_n (targets), ==, 4);

  /* What it would give is shown everywhere before it is let go of, and is nowhere done. */
  to = gui_place_of_target (gui_graph_view (f), 3);
  move (view, to);
  g_assert_cmpuint (goban_graph_targets_get_aim (targets), ==, 3);
  gui_wait (gui_has_answer, f, "the move is simulated");
  g_assert_true (g_str_has_prefix (view->drag.note, "to gpu:3: "));
  gui_draw (GTK_WIDGET (f->window));
  g_assert_nonnull (subtitle_has (gtk_window_get_titlebar (GTK_WINDOW (f->window)), " → "));
  g_assert_true (current (f) == before);

  gui_wait (is_surveyed, f, "all devices are known");
  g_assert_nonnull (strstr (goban_graph_targets_get_text (targets, 1), "as it is, memory "));
  g_assert_nonnull (strstr (goban_graph_targets_get_text (targets, 3), ", key 3"));

  end (view, to, FALSE);
  g_assert_true (is_by_hand (f));
  g_assert_cmpuint (device_of (f, "image/conv1"), ==, 3);
  g_assert_true (goban_session_get_ghost (f->session) == before);
  g_assert_cmpstr (gui_last_line (f), ==, "g:nodes{\"image/conv1\"}:move \"gpu:3\"");
  g_assert_false (goban_graph_targets_is_open (targets));
  g_assert_null (goban_preview_get_run (goban_preview_of (f->session)));
  gui_draw (GTK_WIDGET (f->window));

  /* Nothing has moved on the canvas, and one key takes it back. */
  to = place_of (f, "image/conv1");
  g_assert_cmpfloat (to.x, ==, home.x);
  g_assert_cmpfloat (to.y, ==, home.y);
  gui_act (f, "undo", NULL);
  g_assert_true (current (f) == before);
}

/* A selected node can be taken however small it is, and beside it; so can one that is highlighted.
 * Only from where nothing is, a drag pans. */
static void
test_small_nodes_are_dragged (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanGraphTargets *targets;
  GobanPoint home;

  gui_open_toy (f);
  view = gui_graph_view (f);
  targets = goban_graph_view_get_targets (view);
  goban_graph_view_show_box (view, (GobanBox){ -40000, -30000, 40000, 30000 }, 1);
  home = place_of (f, "image/conv1");
  g_assert_cmpfloat (GOBAN_NODE_HEIGHT * goban_graph_view_get_scale (view), <, 3);
  gui_select (f, "image/conv1");
  g_assert_true (begin (view, (GobanPoint){ home.x - 7, home.y - 7 }, 0));
  g_assert_true (goban_graph_targets_is_open (targets));
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
  end (view, home, TRUE);
  g_assert_false (begin (view, (GobanPoint){ home.x - 60, home.y }, 0));

  gui_act (f, "select-none", NULL);
  g_assert_true (begin (view, home, 0));
  g_assert_true (goban_graph_targets_is_open (targets));
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
  end (view, home, TRUE);
}

/* The middle of a device's entry in the legend, in device pixels of the view. */
static GobanPoint
place_of_entry (GuiWindow *f, guint device)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));
  GtkWidget *view = GTK_WIDGET (gui_graph_view (f));
  double scale = gtk_widget_get_scale_factor (view);
  graphene_rect_t bounds;

  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (
      gtk_widget_compute_bounds (goban_legend_get_device_entry (legend, device), view, &bounds));
  g_assert_cmpfloat (bounds.size.height, >, 0);
  return (GobanPoint){ (double) (bounds.origin.x + bounds.size.width / 2) * scale,
                       (double) (bounds.origin.y + bounds.size.height / 2) * scale };
}

static gboolean
is_aimed (GuiWindow *f, guint device)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));

  return gtk_widget_has_css_class (goban_legend_get_device_entry (legend, device), "aimed");
}

/* As on the row over the graph; rows of the legend stay while their counts change. */
static void
test_the_legend_is_a_target (GuiWindow *f, gconstpointer data)
{
  GobanLegend *legend;
  GobanGraphView *view;
  GobanRun *before;
  GtkWidget *entry;
  GobanPoint to;

  gui_open_toy (f);
  view = gui_graph_view (f);
  legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));
  before = current (f);
  g_assert_true (begin (view, place_of (f, "image/conv1"), 0));
  to = place_of_entry (f, 3);
  g_assert_cmpfloat (to.x, <, 0);
  entry = goban_legend_get_device_entry (legend, 3);
  move (view, to);
  g_assert_cmpuint (goban_graph_targets_get_aim (goban_graph_view_get_targets (view)), ==, 3);
  g_assert_true (is_aimed (f, 3));
  gui_wait (gui_has_answer, f, "the move is simulated");
  g_assert_true (g_str_has_prefix (view->drag.note, "to gpu:3: "));
  g_assert_true (goban_legend_get_device_entry (legend, 3) == entry);

  /* Beside it nothing is a target. */
  move (view, (GobanPoint){ to.x, -5 });
  g_assert_false (is_aimed (f, 3));
  g_assert_null (view->drag.note);
  move (view, to);
  gui_wait (gui_has_answer, f, "the move is simulated again");
  end (view, to, FALSE);
  g_assert_true (is_by_hand (f));
  g_assert_cmpuint (device_of (f, "image/conv1"), ==, 3);
  g_assert_cmpstr (gui_last_line (f), ==, "g:nodes{\"image/conv1\"}:move \"gpu:3\"");
  g_assert_false (is_aimed (f, 3));
  gui_act (f, "undo", NULL);
  g_assert_true (current (f) == before);

  /* Coloured by a number, the legend has its devices two a row. */
  goban_view_set_color (goban_session_get_view (f->session), "cost");
  g_assert_true (begin (view, place_of (f, "image/conv1"), 0));
  to = place_of_entry (f, 2);
  move (view, to);
  g_assert_true (is_aimed (f, 2));
  gui_wait (gui_has_answer, f, "the move is simulated");
  end (view, to, FALSE);
  g_assert_cmpuint (device_of (f, "image/conv1"), ==, 2);
}

/* Ids of no device, and a pane that is not shown, are no targets. */
static void
test_a_hidden_legend_is_no_target (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanPoint to;

  gui_open_toy (f);
  view = gui_graph_view (f);
  to = place_of_entry (f, 3);
  gui_act (f, "left-pane", NULL);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (begin (view, place_of (f, "image/conv1"), 0));
  move (view, to);
  g_assert_cmpuint (goban_graph_targets_get_aim (goban_graph_view_get_targets (view)), ==,
                    GOBAN_NO_TARGET);
  end (view, to, TRUE);
  g_assert_false (goban_edit_is_by_hand (current (f)));
}

static void
test_a_drag_can_be_given_up (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanRun *before;
  GobanPoint to;

  gui_open_toy (f);
  view = gui_graph_view (f);
  before = current (f);

  /* Escape. */
  g_assert_true (begin (view, place_of (f, "fuse"), 0));
  to = gui_place_of_target (gui_graph_view (f), 2);
  move (view, to);
  end (view, to, TRUE);
  gui_rest ();
  g_assert_false (goban_graph_targets_is_open (goban_graph_view_get_targets (view)));
  /* Elsewhere. */
  g_assert_true (begin (view, place_of (f, "fuse"), 0));
  to = gui_place_of_target (gui_graph_view (f), 2);
  move (view, to);
  move (view, (GobanPoint){ to.x, 400 });
  g_assert_null (view->drag.note);
  end (view, (GobanPoint){ to.x, 400 }, FALSE);
  gui_rest ();
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (current (f) == before);
  g_assert_null (strstr (gui_last_line (f), ":move"));

  /* From bare ground it pans. */
  g_assert_false (begin (view, (GobanPoint){ 5, 300 }, 0));
}

static void
test_a_digit_drops (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanPictureClass *klass;

  gui_open_toy (f);
  view = gui_graph_view (f);
  klass = GOBAN_PICTURE_GET_CLASS (view);
  g_assert_true (begin (view, place_of (f, "text/ffn"), 0));
  g_assert_false (klass->drag_key (GOBAN_PICTURE (view), GDK_KEY_x));
  g_assert_false (klass->drag_key (GOBAN_PICTURE (view), GDK_KEY_9));
  g_assert_true (klass->drag_key (GOBAN_PICTURE (view), GDK_KEY_2));
  gui_wait (is_by_hand, f, "the op is moved");
  g_assert_cmpuint (device_of (f, "text/ffn"), ==, 2);
}

/* What is selected goes together, by pointer and by keys. */
static void
test_lasso_then_keys (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanPoint a, b;
  guint n;

  gui_open_toy (f);
  view = gui_graph_view (f);
  a = place_of (f, "image/conv1");
  b = place_of (f, "image/pool");
  g_assert_true (begin (view, (GobanPoint){ a.x - 20, a.y - 30 }, GDK_SHIFT_MASK));
  move (view, (GobanPoint){ a.x + 20, a.y - 30 });
  move (view, (GobanPoint){ b.x + 20, b.y + 12 });
  gui_draw (GTK_WIDGET (view));
  end (view, (GobanPoint){ b.x - 20, b.y + 12 }, FALSE);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpstr (gui_last_line (f), ==,
                   "view.select(g:nodes{\"image/conv1\", \"image/conv2\", \"image/pool\"})");

  /* With Ctrl it adds; given up, it does nothing. */
  a = place_of (f, "head/softmax");
  g_assert_true (begin (view, (GobanPoint){ a.x - 30, a.y - 9 }, GDK_SHIFT_MASK));
  move (view, (GobanPoint){ a.x + 30, a.y - 9 });
  end (view, (GobanPoint){ a.x, a.y + 20 }, TRUE);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_true (
      begin (view, (GobanPoint){ a.x - 30, a.y - 9 }, GDK_SHIFT_MASK | GDK_CONTROL_MASK));
  move (view, (GobanPoint){ a.x + 30, a.y - 9 });
  end (view, (GobanPoint){ a.x, a.y + 20 }, FALSE);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 4);

  /* D, arrows, Enter: the same devices are offered, and each is tried. */
  gui_act (f, "device-key", NULL);
  g_assert_true (goban_graph_targets_is_open (goban_graph_view_get_targets (view)));
  g_assert_true (goban_graph_view_aim (view, 1) && goban_graph_view_aim (view, 1));
  g_assert_true (goban_graph_view_aim (view, -1) && goban_graph_view_aim (view, -1));
  g_assert_cmpuint (goban_graph_targets_get_aim (goban_graph_view_get_targets (view)), ==, 3);
  gui_wait (gui_has_answer, f, "the move is simulated");
  g_assert_true (goban_graph_view_drop (view));
  gui_wait (is_by_hand, f, "they are moved");
  g_assert_cmpuint (device_of (f, "image/conv2"), ==, 3);
  g_assert_cmpuint (device_of (f, "head/softmax"), ==, 3);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "move 4 nodes to gpu:3");
}

/* A closed group is dragged by its box, all of it. */
static void
test_a_group_is_dragged (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GobanPoint to;
  GobanBox box;
  gboolean is_open;
  GobanNodeId id;

  gui_open_toy (f);
  view = gui_graph_view (f);
  goban_view_set_grouping (goban_session_get_view (f->session), GOBAN_GROUPING_SCOPE);
  gui_wait (gui_has_settled, f, "the groups are laid out");
  gui_draw (GTK_WIDGET (view));
  g_assert_true (goban_graph_view_locate_group (view, "text", &is_open, &box));
  g_assert_false (is_open);
  g_assert_true (begin (view, (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 }, 0));
  to = gui_place_of_target (gui_graph_view (f), 1);
  move (view, to);
  gui_wait (gui_has_answer, f, "the move is simulated");
  end (view, to, FALSE);
  gui_wait (is_by_hand, f, "the group is moved");
  g_assert_true (g_str_has_suffix (gui_last_line (f), ":move \"gpu:1\""));
  for (id = 0; id < goban_graph_get_n_nodes (goban_session_get_graph (f->session)); id++)
    {
      const char *name = goban_graph_get_node (goban_session_get_graph (f->session), id)->name;

      if (g_str_has_prefix (name, "text/"))
        g_assert_cmpuint (device_of (f, name), ==, 1);
    }
}

/* --- sliders ---------------------------------------------------------------------------------- */

static GobanClusterPanel *
open_panel (GuiWindow *f, const char *what)
{
  gui_open_toy (f);
  gui_act (f, "devices", g_variant_new_string (what));
  gui_draw (GTK_WIDGET (f->window));
  /* Before it was seen there was nothing to show. */
  gui_act (f, "devices", g_variant_new_string (what));
  gui_draw (GTK_WIDGET (f->window));
  return GOBAN_CLUSTER_PANEL (gui_part (f, GOBAN_TYPE_CLUSTER_PANEL));
}

/* As a key does it. */
static void
nudge (GobanNumberSlider *slider, GtkScrollType by)
{
  gboolean is_handled;

  g_signal_emit_by_name (gui_child (slider, "slider"), "move-slider", by, &is_handled);
}

static gboolean
total_has_arrow (gpointer data)
{
  return strstr (gui_child_text (data, "total"), " → ") != NULL;
}

static void
test_a_slider_is_a_change (GuiWindow *f, gconstpointer data)
{
  GobanClusterPanel *panel = open_panel (f, "");
  GobanNumberSlider *speed = goban_cluster_panel_find (panel, "all 4 gpu devices", "Bandwidth");
  GobanCluster *before = goban_session_get_cluster (f->session);
  double old;

  g_assert_null (speed);
  speed = goban_cluster_panel_find (panel, "all 6 links", "Bandwidth");
  g_assert_nonnull (speed);
  old = goban_number_slider_get_value (speed);
  g_assert_cmpfloat_with_epsilon (old, 12e9, 1);
  nudge (speed, GTK_SCROLL_PAGE_LEFT);
  nudge (speed, GTK_SCROLL_PAGE_LEFT);
  g_assert_cmpfloat (goban_number_slider_get_value (speed), <, old);
  g_assert_true (goban_session_get_cluster (f->session) == before);
  gui_wait (total_has_arrow, panel, "what is tried is simulated");
  gui_draw (GTK_WIDGET (f->window));

  /* Two steps that follow each other are one change. */
  gui_wait_undo (f, "give the link gpu:0–gpu:1 and its like 3.96 GB/s");
  g_assert_cmpstr (gui_last_line (f), ==,
                   "app.link(\"gpu:0\", \"gpu:1\", { bandwidth = 3960000000, alike = true })");
  g_assert_true (goban_number_slider_get_value (speed) < old);
  gui_wait (total_has_arrow, panel, "before and after are known");
  g_assert_true (*gui_child_text (panel, "difference") != '\0');
  gui_draw (GTK_WIDGET (f->window));

  /* Back to what was. */
  g_signal_emit_by_name (gui_child (speed, "reset"), "clicked");
  gui_wait_undo (f, "give the link gpu:0–gpu:1 and its like 12 GB/s");
  g_assert_cmpfloat (goban_number_slider_get_value (speed), ==, old);
  gui_act (f, "undo", NULL);
  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_cluster (f->session) == before);
  g_assert_cmpfloat (goban_number_slider_get_value (speed), ==, old);
}

static void
count_rows (GtkWidget *widget, guint *n_mapped, guint *n_all)
{
  *n_all += gtk_widget_has_css_class (widget, "clusterrow");
  *n_mapped += gtk_widget_has_css_class (widget, "clusterrow") && gtk_widget_get_mapped (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count_rows (child, n_mapped, n_all);
}

static void
test_sliders_are_found_by_name (GuiWindow *f, gconstpointer data)
{
  GobanClusterPanel *panel = open_panel (f, "gpu:1");
  GobanNumberSlider *memory = goban_cluster_panel_find (panel, "gpu:1", "Memory");
  guint n_mapped = 0, n_all = 0;

  /* gpu:1 and its three links, of 4 + 6 and one for all of each. */
  count_rows (gui_child (panel, "list"), &n_mapped, &n_all);
  g_assert_cmpuint (n_mapped, ==, 4);
  g_assert_cmpuint (n_all, ==, 12);
  nudge (memory, GTK_SCROLL_STEP_RIGHT);
  g_assert_cmpfloat (goban_number_slider_get_value (memory), >, 17.2e9);
  gui_wait (gui_has_answer, f, "it is tried");
  gui_act (f, "devices", g_variant_new_string (""));
  gui_draw (GTK_WIDGET (f->window));
  g_assert_nonnull (goban_cluster_panel_find (panel, "all 4 gpu devices", "Speed"));
}

/* The other numbers are made when they are asked for: those that the device has. */
static void
test_efficiencies_are_sliders (GuiWindow *f, gconstpointer data)
{
  GobanClusterPanel *panel;
  GobanNumberSlider *slider;

  gui_open_toy (f);
  gui_act (f, "cluster", g_variant_new_string ("a100x2"));
  gui_wait_undo (f, "take the cluster a100x2");
  gui_act (f, "devices", g_variant_new_string (""));
  gui_draw (GTK_WIDGET (f->window));
  panel = GOBAN_CLUSTER_PANEL (gui_part (f, GOBAN_TYPE_CLUSTER_PANEL));
  g_assert_null (goban_cluster_panel_find (panel, "all 2 gpu devices", "Peak of f16"));
  gtk_expander_set_expanded (goban_cluster_panel_get_more (panel, "all 2 gpu devices"), TRUE);
  gui_draw (GTK_WIDGET (f->window));
  slider = goban_cluster_panel_find (panel, "all 2 gpu devices", "Peak of f16");
  g_assert_cmpfloat (goban_number_slider_get_value (slider), ==, 312e12);
  g_assert_null (goban_cluster_panel_find (panel, "all 2 gpu devices", "Peak of f8"));
  slider = goban_cluster_panel_find (panel, "all 2 gpu devices", "Peak share");
  g_assert_cmpfloat (goban_number_slider_get_value (slider), ==, 0.83);
  nudge (slider, GTK_SCROLL_START);
  gui_wait_undo (f, "give gpu:0 and its like 10.4 % of the peak");
  g_assert_cmpstr (gui_last_line (f), ==,
                   "app.device(\"gpu:0\", { compute_efficiency = 0.104, alike = true })");
  g_assert_cmpfloat (
      goban_cluster_get_device (goban_session_get_cluster (f->session), 1)->compute_efficiency, ==,
      0.104);
}

TEST_PROGRAM (graph_drag)
{
  int result;

  gtk_test_init (&argc, &argv);
  gui_window_begin ();
  gui_window_add ("/graph-drag/a-node-is-dragged-to-a-device", test_a_node_is_dragged_to_a_device);
  gui_window_add ("/graph-drag/small-nodes-are-dragged", test_small_nodes_are_dragged);
  gui_window_add ("/graph-drag/the-legend-is-a-target", test_the_legend_is_a_target);
  gui_window_add ("/graph-drag/a-hidden-legend-is-no-target", test_a_hidden_legend_is_no_target);
  gui_window_add ("/graph-drag/a-drag-can-be-given-up", test_a_drag_can_be_given_up);
  gui_window_add ("/graph-drag/a-digit-drops", test_a_digit_drops);
  gui_window_add ("/graph-drag/lasso-then-keys", test_lasso_then_keys);
  gui_window_add ("/graph-drag/a-group-is-dragged", test_a_group_is_dragged);
  gui_window_add ("/graph-drag/a-slider-is-a-change", test_a_slider_is_a_change);
  gui_window_add ("/graph-drag/sliders-are-found-by-name", test_sliders_are_found_by_name);
  gui_window_add ("/graph-drag/efficiencies-are-sliders", test_efficiencies_are_sliders);
  result = g_test_run ();
  gui_window_end ();
  return result;
}
