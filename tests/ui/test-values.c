/* Colouring by a number, brushing its histogram, and the map of the whole graph, in the real
 * window. */
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "engine/session/session-jobs.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/slack.h"
#include "tests/support/test-program.h"
#include "ui/graph/minimap-view.h"
#include "ui/panels/legend.h"
#include "ui/panels/value-histogram.h"

#include <math.h>
#include <string.h>

#define N_BINS GOBAN_HISTOGRAM_BINS

static GobanView *
view_of (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

static GtkDropDown *
choice_of (GuiWindow *f)
{
  return GTK_DROP_DOWN (gui_find (gui_part (f, GOBAN_TYPE_LEGEND), GTK_TYPE_DROP_DOWN));
}

static GobanValueHistogram *
histogram_of (GuiWindow *f)
{
  return GOBAN_VALUE_HISTOGRAM (gui_part (f, GOBAN_TYPE_VALUE_HISTOGRAM));
}

/* Its place in the list, or the length of the list. */
static guint
find_choice (GuiWindow *f, const char *title)
{
  GListModel *titles = gtk_drop_down_get_model (choice_of (f));
  guint n = g_list_model_get_n_items (titles);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (titles), i), title))
      return i;
  return n;
}

static gboolean
has_choice (GuiWindow *f, const char *title)
{
  return find_choice (f, title)
         < g_list_model_get_n_items (gtk_drop_down_get_model (choice_of (f)));
}

static void
choose (GuiWindow *f, const char *title)
{
  g_assert_true (has_choice (f, title));
  gtk_drop_down_set_selected (choice_of (f), find_choice (f, title));
}

static gboolean
has_width (gpointer data)
{
  return gtk_widget_get_width (data) > 0;
}

static void
wait_for_histogram (GuiWindow *f)
{
  gui_wait (gui_is_mapped, histogram_of (f), "the histogram is shown");
  gui_wait (has_width, histogram_of (f), "the histogram has its size");
}

/* The middle of a bin, in pixels of the widget. */
static double
bin_x (GuiWindow *f, guint bin)
{
  return (bin + 0.5) * gtk_widget_get_width (GTK_WIDGET (histogram_of (f))) / N_BINS;
}

/* What is selected is every node, and no other, whose slack is within the bins. */
static void
assert_selected_by_slack (GuiWindow *f, guint first, guint last, GobanNodeId also)
{
  GobanRun *run = goban_session_get_current_run (f->session);
  const double *slacks_us = goban_run_get_slacks (run);
  GobanNodeContext context = { goban_run_get_costs (run), run };
  g_autoptr (GobanNodeValues) values
      = goban_node_values_get (goban_node_field_find ("slack", NULL), &context);
  guint n_inside = 0;
  double low, high;

  g_assert_true (goban_node_values_range (values, N_BINS, first, last, &low, &high));
  for (guint v = 0; v < values->n_nodes; v++)
    {
      gboolean is_inside = slacks_us[v] >= low && slacks_us[v] <= high;

      g_assert_true (goban_selection_contains (goban_session_get_selection (f->session), v)
                     == (is_inside || v == also));
      n_inside += is_inside;
    }
  g_assert_cmpuint (n_inside, >, 0);
  g_assert_cmpuint (n_inside, <, values->n_nodes);
}

/* A legend that is not seen is not made anew by runs that are stepped through; it is right when it
 * is seen again. */
static void
test_unseen (GuiWindow *f, gconstpointer data)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));
  gpointer entry;

  gui_open_toy (f);
  goban_session_place (f->session, "heft", 0);
  gui_wait (gui_has_no_job, f, "heft has placed");
  gui_rest ();
  gui_act (f, "workspace", g_variant_new_string ("decisions"));
  gui_settle (f);
  entry = goban_legend_get_device_entry (legend, 0);
  g_assert_nonnull (entry);
  g_object_add_weak_pointer (entry, &entry);
  goban_view_set_moment (goban_session_get_view (f->session), 2);
  gui_settle (f);
  goban_view_set_moment (goban_session_get_view (f->session), 3);
  gui_settle (f);
  g_assert_nonnull (entry);
  gui_act (f, "workspace", g_variant_new_string ("explore"));
  gui_settle (f);
  g_assert_null (entry);
}

static void
test_choice (GuiWindow *f, gconstpointer data)
{
  GobanLegend *legend = GOBAN_LEGEND (gui_part (f, GOBAN_TYPE_LEGEND));

  gui_open_toy (f);
  g_assert_cmpuint (goban_legend_get_n_entries (legend), ==, 4);
  g_assert_false (has_choice (f, "Entropy")); /* no policy of this run told it */
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (histogram_of (f))));

  choose (f, "Slack");
  g_assert_cmpstr (goban_view_get_color (view_of (f)), ==, "slack");
  g_assert_cmpstr (gui_last_line (f), ==, "view.color \"slack\"");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (histogram_of (f))));
  g_assert_cmpuint (goban_legend_get_n_entries (legend), ==, 5); /* the ramp, and four stripes */

  choose (f, "Operation");
  g_assert_cmpstr (goban_view_get_color (view_of (f)), ==, "op");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (histogram_of (f))));

  /* From elsewhere, and of a script. */
  gui_act (f, "color", g_variant_new_string ("priority"));
  g_assert_cmpuint (gtk_drop_down_get_selected (choice_of (f)), ==, find_choice (f, "Priority"));
  {
    g_autofree double *numbers = g_new0 (double, 12);
    g_autoptr (GobanNodeValues) values
        = goban_node_values_new_from_numbers ("my own", GOBAN_FIELD_COUNT, numbers, 12);

    goban_view_set_script_values (view_of (f), values);
  }
  g_assert_cmpuint (gtk_drop_down_get_selected (choice_of (f)), ==, find_choice (f, "my own"));
  choose (f, "Device");
  g_assert_cmpstr (goban_view_get_color (view_of (f)), ==, "device");

  /* No colouring has that name: what shows stays. */
  gui_act (f, "color", g_variant_new_string ("mood"));
  gui_wait_notice (f, "no colouring “mood”");
  g_assert_cmpstr (goban_view_get_color (view_of (f)), ==, "device");
}

static void
test_brush (GuiWindow *f, gconstpointer data)
{
  GobanValueHistogram *histogram;
  const GobanBrush *brush;
  GobanNodeId other = 0;

  gui_open_toy (f);
  choose (f, "Slack");
  wait_for_histogram (f);
  histogram = histogram_of (f);
  goban_value_histogram_drag (histogram, bin_x (f, 12), bin_x (f, 0), 0);
  brush = goban_value_histogram_get_brush (histogram);
  g_assert_nonnull (brush);
  g_assert_cmpuint (brush->first, ==, 0);
  g_assert_cmpuint (brush->last, ==, 12);
  assert_selected_by_slack (f, 0, 12, GOBAN_NO_NODE);
  g_assert_true (g_str_has_prefix (gui_last_line (f), "view.select("));

  /* Shift adds to what was selected; a selection made elsewhere takes the brush away. */
  while (goban_selection_contains (goban_session_get_selection (f->session), other))
    other++;
  {
    g_autoptr (GobanSelection) one = goban_selection_new (&other, 1);

    goban_session_set_selection (f->session, one);
  }
  g_assert_null (goban_value_histogram_get_brush (histogram));
  goban_value_histogram_drag (histogram, bin_x (f, 0), bin_x (f, 12), GDK_SHIFT_MASK);
  assert_selected_by_slack (f, 0, 12, other);

  /* So do other values, whose bins are others. */
  g_assert_nonnull (goban_value_histogram_get_brush (histogram));
  choose (f, "Cost");
  gui_settle (f);
  g_assert_null (goban_value_histogram_get_brush (histogram));
}

static void
test_brush_by_keys (GuiWindow *f, gconstpointer data)
{
  GobanValueHistogram *histogram;
  const GobanBrush *brush;
  guint n;

  gui_open_toy (f);
  choose (f, "Slack");
  wait_for_histogram (f);
  histogram = histogram_of (f);
  g_assert_false (gui_try_press (GTK_WIDGET (histogram), GDK_KEY_Escape, 0));
  gui_press (GTK_WIDGET (histogram), GDK_KEY_Right, 0);
  for (guint i = 0; i < 5; i++)
    gui_press (GTK_WIDGET (histogram), GDK_KEY_Right, GDK_SHIFT_MASK);
  brush = goban_value_histogram_get_brush (histogram);
  g_assert_cmpuint (brush->first, ==, 0);
  g_assert_cmpuint (brush->last, ==, 5);
  assert_selected_by_slack (f, 0, 5, GOBAN_NO_NODE);

  /* Both edges stop together at the end; the lower one never passes the upper. */
  gui_press (GTK_WIDGET (histogram), GDK_KEY_Left, 0);
  g_assert_cmpuint (goban_value_histogram_get_brush (histogram)->last, ==, 5);
  for (guint i = 0; i < 9; i++)
    gui_press (GTK_WIDGET (histogram), GDK_KEY_Right, GDK_CONTROL_MASK);
  brush = goban_value_histogram_get_brush (histogram);
  g_assert_cmpuint (brush->first, ==, 5);
  g_assert_cmpuint (brush->last, ==, 5);
  gui_press (GTK_WIDGET (histogram), GDK_KEY_Escape, 0);
  g_assert_null (goban_value_histogram_get_brush (histogram));
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 0);
}

/* --- map ----------------------------------------------------------------------------------- */

static GobanGraphPicture
picture_of (GuiWindow *f)
{
  GobanGraphPicture picture;

  g_assert_true (
      goban_graph_view_describe (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)), &picture));
  return picture;
}

static void
zoom_in (GuiWindow *f)
{
  GtkWidget *minimap = gui_part (f, GOBAN_TYPE_MINIMAP_VIEW);

  for (guint i = 0; i < 12; i++)
    gui_act (f, "zoom-in", NULL);
  gui_wait (gui_is_mapped, minimap, "the map is shown");
  gui_wait (has_width, minimap, "the map has its size");
  gui_draw (minimap);
}

static void
test_map_moves_the_camera (GuiWindow *f, gconstpointer data)
{
  GobanMinimapView *minimap = GOBAN_MINIMAP_VIEW (gui_part (f, GOBAN_TYPE_MINIMAP_VIEW));
  GobanGraphPicture before, after;
  guint n_paints;

  gui_open_toy (f);
  gui_rest ();
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (minimap))); /* all is in view */
  zoom_in (f);
  before = picture_of (f);
  n_paints = goban_minimap_view_get_n_paints (minimap);
  goban_minimap_view_press (minimap, 8, 8);
  after = picture_of (f);
  g_assert_cmpfloat (after.camera.scale, ==, before.camera.scale);
  g_assert_cmpfloat (after.camera.x, >, before.camera.x);
  g_assert_cmpfloat (after.camera.y, >, before.camera.y);
  goban_minimap_view_press (minimap, gtk_widget_get_width (GTK_WIDGET (minimap)) - 8.0,
                            gtk_widget_get_height (GTK_WIDGET (minimap)) - 8.0);
  before = after;
  after = picture_of (f);
  g_assert_cmpfloat (after.camera.x, <, before.camera.x);
  g_assert_cmpfloat (after.camera.y, <, before.camera.y);

  /* Moving the view never paints the map again; other colours do. */
  gui_draw (GTK_WIDGET (minimap));
  g_assert_cmpuint (goban_minimap_view_get_n_paints (minimap), ==, n_paints);
  goban_view_set_color (view_of (f), "cost");
  gui_draw (GTK_WIDGET (minimap));
  g_assert_cmpuint (goban_minimap_view_get_n_paints (minimap), ==, n_paints + 1);
}

static void
test_map_comes_and_goes (GuiWindow *f, gconstpointer data)
{
  GtkWidget *minimap = gui_part (f, GOBAN_TYPE_MINIMAP_VIEW);

  gui_open_toy (f);
  zoom_in (f);
  gui_act (f, "minimap", NULL);
  gui_wait (gui_is_unmapped, minimap, "the map is hidden");
  gui_act (f, "minimap", NULL);
  gui_wait (gui_is_mapped, minimap, "the map is shown again");
  gui_act (f, "fit", NULL);
  gui_wait (gui_is_unmapped, minimap, "the map is hidden where all is in view");
}

TEST_PROGRAM (values)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/values/choice", test_choice);
  gui_window_add ("/values/unseen", test_unseen);
  gui_window_add ("/values/brush", test_brush);
  gui_window_add ("/values/brush-by-keys", test_brush_by_keys);
  gui_window_add ("/values/map/moves-the-camera", test_map_moves_the_camera);
  gui_window_add ("/values/map/comes-and-goes", test_map_comes_and_goes);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
