/* What every workspace owes to who looks at it, at the sizes of screens, light and dark, in each
 * language: LANGUAGE chooses it, and GOBAN_TEST_PO is the folder of the translations. And three
 * tasks of newcomers, by what is in sight. */
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/ui/gui-keys.h"
#include "tests/ui/gui-window.h"

#include "app/lua/lua-console.h"
#include "engine/core/i18n.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/option-times.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-runs.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/view-time.h"
#include "ui/compare/breakdown-list.h"
#include "ui/compare/compare-page.h"
#include "ui/compare/compare-pane.h"
#include "ui/compare/compare-panels.h"
#include "ui/console/script-view.h"
#include "ui/decisions/decision-card.h"
#include "ui/decisions/decision-record.h"
#include "ui/decisions/option-row.h"
#include "ui/decisions/record-model.h"
#include "ui/dialogs/preferences.h"
#include "ui/frame/frame.h"
#include "ui/graph/graph-controls.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/panels/inspector.h"
#include "ui/panels/place-menu.h"
#include "ui/shell/presenter.h"
#include "ui/timeline/timeline-view.h"
#include "ui/widgets/short-label.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static const char *const workspaces[] = { "explore", "decisions", "compare", "train", "script" };

static const struct
{
  int width, height;
} sizes[] = { { 800, 560 }, { 1280, 800 }, { 1600, 1000 }, { 2560, 1440 } };

#define SHADOW 60

static void
show (GuiWindow *f, const char *workspace)
{
  gui_act (f, "workspace", g_variant_new_string (workspace));
  gui_draw (GTK_WIDGET (f->window));
  gui_draw (GTK_WIDGET (f->window));
}

static void
set_dark (GuiWindow *f, gboolean is_dark)
{
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "dark",
                                      g_variant_new_boolean (is_dark));
  gui_draw (GTK_WIDGET (f->window));
}

static void
open_inception (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *examples = project_path ("scripts/examples");

  goban_window_set_examples (f->window, examples);
  gui_open_path (f, path);
  gui_settle (f);
}

static GobanRun *
current_run (GuiWindow *f)
{
  return goban_session_get_current_run (f->session);
}

static GobanConsoleEvaluator *
new_evaluator (GobanSession *session)
{
  return GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (session));
}

typedef void (*Check) (GtkWidget *widget, const char *where, GString *faults);

static void
walk (GtkWidget *widget, const char *where, Check check, GString *faults)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  check (widget, where, faults);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk (child, where, check, faults);
}

static const char *
name_of (GtkWidget *widget)
{
  const char *text = GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : NULL;

  text = text != NULL ? text : gui_get_text (widget);
  text = text != NULL ? text : gtk_widget_get_tooltip_text (widget);
  return text != NULL ? text : G_OBJECT_TYPE_NAME (widget);
}

/* The other tests go on. */
static void
report (const char *what, GString *faults)
{
  g_auto (GStrv) lines = g_strsplit (faults->str, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_test_message ("%s: %s", what, lines[i]);
  if (faults->len > 0)
    g_test_fail ();
}

/* --- sizes ------------------------------------------------------------------------------------ */

static gboolean
is_control (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget)
         || GTK_IS_SPIN_BUTTON (widget) || GTK_IS_ENTRY (widget) || GTK_IS_SWITCH (widget)
         || GTK_IS_CHECK_BUTTON (widget);
}

/* None of the controls over a board lies on another. */
static void
check_apart (GtkWidget *controls, const char *where, GString *faults)
{
  graphene_rect_t a, b;

  for (GtkWidget *one = gtk_widget_get_first_child (controls); one != NULL;
       one = gtk_widget_get_next_sibling (one))
    for (GtkWidget *other = gtk_widget_get_next_sibling (one); other != NULL;
         other = gtk_widget_get_next_sibling (other))
      if (gtk_widget_get_mapped (one) && gtk_widget_get_mapped (other)
          && gtk_widget_compute_bounds (one, controls, &a)
          && gtk_widget_compute_bounds (other, controls, &b)
          && graphene_rect_intersection (&a, &b, NULL))
        g_string_append_printf (faults, "\n  %s: a control of the board is covered", where);
}

/* A control that cannot be scrolled to is whole, within all that would cut it. */
static void
check_whole (GtkWidget *widget, const char *where, GString *faults)
{
  gboolean is_around = TRUE;

  if (GOBAN_IS_GRAPH_CONTROLS (widget))
    check_apart (widget, where, faults);
  if (!is_control (widget))
    return;
  for (GtkWidget *around = gtk_widget_get_parent (widget); is_around && around != NULL;
       around = gtk_widget_get_parent (around))
    {
      graphene_rect_t bounds;

      if (GTK_IS_VIEWPORT (around) || GTK_IS_SCROLLED_WINDOW (around))
        return;
      is_around = !GTK_IS_NATIVE (around);
      if (is_around && gtk_widget_get_overflow (around) != GTK_OVERFLOW_HIDDEN)
        continue;
      if (!gtk_widget_compute_bounds (widget, around, &bounds))
        continue;
      if (bounds.origin.x < -1 || bounds.origin.y < -1
          || bounds.origin.x + bounds.size.width > (float) gtk_widget_get_width (around) + 1
          || bounds.origin.y + bounds.size.height > (float) gtk_widget_get_height (around) + 1)
        {
          g_string_append_printf (faults, "\n  %s: “%s” is cut by %s", where, name_of (widget),
                                  G_OBJECT_TYPE_NAME (around));
          return;
        }
    }
}

/* The board has 45 % of the height, and each device its bar in sight. */
static void
check_frame (GuiWindow *f, const char *where, gboolean has_bars)
{
  GobanTimelineView *view = GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW));
  GobanCluster *cluster = goban_session_get_cluster (f->session);
  GdkRectangle board
      = goban_frame_get_area (GOBAN_FRAME (gui_part (f, GOBAN_TYPE_FRAME)), GOBAN_SLOT_BOARD);
  int height = gtk_widget_get_height (GTK_WIDGET (f->window));

  g_test_message ("%s: board %d x %d", where, board.width, board.height);
  g_assert_cmpint (board.height * 100, >=, height * 45);
  for (guint i = 0; has_bars && i < goban_cluster_get_n_devices (cluster); i++)
    {
      GobanPoint at;

      g_assert_true (gui_locate_lane (view, goban_cluster_get_device (cluster, i)->name, 0, &at));
      g_assert_cmpfloat (at.y, <, goban_picture_get_height (GOBAN_PICTURE (view)));
    }
}

/* The window has the size that was asked for, but for its shadow. */
static void
assert_size (GtkWidget *window, int width, int height)
{
  g_assert_cmpint (gtk_widget_get_width (window), <=, width);
  g_assert_cmpint (gtk_widget_get_width (window), >=, width - SHADOW);
  g_assert_cmpint (gtk_widget_get_height (window), <=, height);
  g_assert_cmpint (gtk_widget_get_height (window), >=, height - SHADOW);
}

/* Checks 3, 5, 7, 8: the board's share, and that no control is cut, in each workspace. */
static void
test_sizes (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) faults = g_string_new (NULL);

  open_inception (f);
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      gtk_window_set_default_size (GTK_WINDOW (f->window), sizes[s].width, sizes[s].height);
      gui_draw (GTK_WIDGET (f->window));
      gui_settle (f);
      for (gsize w = 0; w < G_N_ELEMENTS (workspaces); w++)
        {
          g_autofree char *where
              = g_strdup_printf ("%s at %d x %d", workspaces[w], sizes[s].width, sizes[s].height);

          show (f, workspaces[w]);
          for (guint dark = 0; dark < 2; dark++)
            {
              set_dark (f, dark);
              assert_size (GTK_WIDGET (f->window), sizes[s].width, sizes[s].height);
              check_frame (f, where, !g_str_equal (workspaces[w], "compare"));
              walk (GTK_WIDGET (f->window), where, check_whole, faults);
            }
        }
    }
  report ("controls that are cut", faults);
}

static gboolean
has_eight_devices (gpointer data)
{
  GuiWindow *f = data;

  return goban_cluster_get_n_devices (goban_session_get_cluster (f->session)) == 8
         && gui_has_settled (f);
}

/* Checks 4, 6, 7, 8: eight devices, with all sub-rows, and with the drawer. In the lowest
 * window, and in Script, the drawer may cover the bars. */
static void
test_eight_devices (GuiWindow *f, gconstpointer data)
{
  GobanView *view = goban_session_get_view (f->session);
  g_autoptr (GString) faults = g_string_new (NULL);

  gtk_window_set_default_size (GTK_WINDOW (f->window), sizes[0].width, sizes[0].height);
  open_inception (f);
  gui_act (f, "cluster", g_variant_new_string ("p100x8"));
  gui_wait (has_eight_devices, f, "all is placed on eight devices");
  for (gsize s = 0; s < 2; s++)
    {
      gtk_window_set_default_size (GTK_WINDOW (f->window), sizes[s].width, sizes[s].height);
      gui_draw (GTK_WIDGET (f->window));
      gui_settle (f);
      for (gsize i = 0; i < 2 * G_N_ELEMENTS (workspaces); i++)
        {
          const char *workspace = workspaces[i / 2];
          gboolean has_drawer = i % 2 == 1;
          gboolean is_covered = has_drawer && (s == 0 || g_str_equal (workspace, "script"));
          g_autofree char *where
              = g_strdup_printf ("%s at %d x %d, %s", workspace, sizes[s].width, sizes[s].height,
                                 has_drawer ? "drawer" : "rows");

          show (f, workspace);
          goban_view_set_lanes_open (view, GOBAN_LANES_MEMORY, !has_drawer);
          goban_view_set_lanes_open (view, GOBAN_LANES_LINKS, !has_drawer);
          g_action_group_change_action_state (G_ACTION_GROUP (f->window), "table-pane",
                                              g_variant_new_boolean (has_drawer));
          set_dark (f, !has_drawer);
          assert_size (GTK_WIDGET (f->window), sizes[s].width, sizes[s].height);
          check_frame (f, where, !is_covered && !g_str_equal (workspace, "compare"));
          if (!is_covered)
            walk (GTK_WIDGET (f->window), where, check_whole, faults);
        }
    }
  set_dark (f, FALSE);
  report ("controls that are cut", faults);
}

static void
check_option (GtkWidget *widget, const char *where, GString *faults)
{
  g_autofree char *shown = NULL;

  if (!GOBAN_IS_SHORT_LABEL (widget)
      || gtk_widget_get_ancestor (widget, GOBAN_TYPE_OPTION_ROW) == NULL)
    return;
  shown = goban_short_label_dup_shown (GOBAN_SHORT_LABEL (widget), gtk_widget_get_width (widget));
  if (!g_str_equal (shown, gui_get_text (widget)))
    g_string_append_printf (faults, "\n  %s: “%s” is shortened to “%s”", where,
                            gui_get_text (widget), shown);
}

/* The devices among which was decided have their whole names in the smallest window, the chosen
 * one, which is bold, too. */
static void
test_options (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) faults = g_string_new (NULL);

  gtk_window_set_default_size (GTK_WINDOW (f->window), 800, 560);
  open_inception (f);
  goban_session_place (f->session, "go-zeroshot", 0);
  gui_wait_undo (f, "place with go-zeroshot");
  gui_settle (f);
  show (f, "decisions");
  goban_view_set_moment (goban_session_get_view (f->session), 5);
  gui_settle (f);
  gui_draw (GTK_WIDGET (f->window));
  walk (GTK_WIDGET (f->window), "decision 5", check_option, faults);
  report ("names that are cut", faults);
}

/* A label that tells by how much one plan is better, or the makespan, is seen whole or not at all.
 */
static void
check_head (GtkWidget *widget, const char *where, GString *faults)
{
  GtkWidget *pane = gtk_widget_get_ancestor (widget, GOBAN_TYPE_COMPARE_PANE);
  graphene_rect_t bounds;

  if (pane == NULL || !GTK_IS_LABEL (widget) || !gtk_widget_get_child_visible (widget)
      || !gtk_widget_compute_bounds (widget, gtk_widget_get_parent (pane), &bounds))
    return;
  if (bounds.origin.x + bounds.size.width
      > (float) gtk_widget_get_width (gtk_widget_get_parent (pane)))
    g_string_append_printf (faults, "\n  %s: “%s” is cut", where, name_of (widget));
}

static void
check_short_name (GtkWidget *widget, const char *where, GString *faults)
{
  g_autofree char *shown = NULL;

  if (!GOBAN_IS_SHORT_LABEL (widget)
      || gtk_widget_get_ancestor (widget, GOBAN_TYPE_SCRIPT_VIEW) == NULL)
    return;
  shown = goban_short_label_dup_shown (GOBAN_SHORT_LABEL (widget), gtk_widget_get_width (widget));
  if (!g_str_equal (shown, gui_get_text (widget)))
    g_string_append_printf (faults, "\n  %s: “%s” is shortened to “%s”", where,
                            gui_get_text (widget), shown);
}

static gboolean
has_digit (const char *text)
{
  return strpbrk (text, "0123456789") != NULL;
}

/* Names may be shortened, counts and times not: a part of a number is another number. */
static void
check_number (GtkWidget *widget, const char *where, GString *faults)
{
  g_autofree char *shown = NULL;
  gboolean is_of_numbers = gtk_widget_has_css_class (widget, "note")
                           || gtk_widget_has_css_class (widget, "spare")
                           || gtk_widget_has_css_class (widget, "subtitle")
                           || gtk_widget_has_css_class (widget, "dim-label");

  if (!is_of_numbers || !gtk_widget_get_child_visible (widget))
    return;
  if (GTK_IS_LABEL (widget)
      && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    g_string_append_printf (faults, "\n  %s: “%s” is shortened", where, gui_get_text (widget));
  if (!GOBAN_IS_SHORT_LABEL (widget) || !has_digit (gui_get_text (widget)))
    return;
  shown = goban_short_label_dup_shown (GOBAN_SHORT_LABEL (widget), gtk_widget_get_width (widget));
  if (strstr (shown, "…") != NULL)
    g_string_append_printf (faults, "\n  %s: “%s” is shortened to “%s”", where,
                            gui_get_text (widget), shown);
}

/* No number of Compare is shortened, whatever the size and the plans: two that differ in many
 * nodes, and the groups of what that changes. */
static void
test_numbers (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (f->window));
  GobanRun *runs[2];
  GtkWidget *breakdown;

  open_inception (f);
  runs[0] = current_run (f);
  goban_session_place (f->session, "expert", 0);
  gui_wait (gui_has_no_job, f, "expert has placed");
  runs[1] = current_run (f);
  goban_compare_set_show (goban_session_get_compare_set (f->session), runs, 2);
  show (f, "compare");
  gui_settle (f);
  breakdown = gui_part (f, GOBAN_TYPE_BREAKDOWN_LIST);
  while (goban_attributor_is_running (
      goban_breakdown_list_get_attributor (GOBAN_BREAKDOWN_LIST (breakdown))))
    g_main_context_iteration (NULL, TRUE);
  g_signal_emit_by_name (
      gui_find (breakdown, GTK_TYPE_LIST_BOX), "row-activated",
      gtk_list_box_get_row_at_index (GTK_LIST_BOX (gui_find (breakdown, GTK_TYPE_LIST_BOX)), 1));
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autofree char *where = g_strdup_printf ("%d x %d", sizes[s].width, sizes[s].height);

      gtk_window_set_default_size (GTK_WINDOW (f->window), sizes[s].width, sizes[s].height);
      gui_draw (GTK_WIDGET (f->window));
      gui_settle (f);
      gui_draw (GTK_WIDGET (f->window));
      walk (GTK_WIDGET (f->window), where, check_number, faults);
    }
  /* And the makespan in the header, where a long name leaves little room. */
  goban_session_set_current_run (f->session, runs[0]);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 800, 560);
  g_object_set (settings, "gtk-xft-dpi", 134 * PANGO_SCALE, NULL);
  gui_draw (GTK_WIDGET (f->window));
  gui_draw (GTK_WIDGET (f->window));
  walk (GTK_WIDGET (f->window), "large text", check_number, faults);
  gtk_settings_reset_property (settings, "gtk-xft-dpi");
  report ("numbers that are cut", faults);
}

static void
find_no_graph (GtkWidget *widget, const char *where, GString *found)
{
  if (GTK_IS_LABEL (widget)
      && g_str_equal (gui_get_text (widget), _ ("An open graph is shown here.")))
    g_string_append (found, where);
}

/* In the smallest window, the board without a graph tells what it is for, Compare the difference of
 * its second plan, and Script the name of the file. */
static void
test_narrow (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autoptr (GString) empty = g_string_new (NULL);

  gtk_window_set_default_size (GTK_WINDOW (f->window), 800, 560);
  for (gsize w = 0; w < G_N_ELEMENTS (workspaces); w++)
    {
      show (f, workspaces[w]);
      walk (GTK_WIDGET (f->window), workspaces[w], find_no_graph, empty);
    }
  g_assert_cmpstr (empty->str, ==, "trainscript");
  open_inception (f);
  show (f, "compare");
  gui_settle (f);
  gui_draw (GTK_WIDGET (f->window));
  walk (GTK_WIDGET (f->window), "compare", check_head, faults);
  show (f, "script");
  walk (GTK_WIDGET (f->window), "script", check_short_name, faults);
  report ("names and differences that are cut", faults);
}

static int
get_least_width (GtkWidget *widget)
{
  int width;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  return width;
}

/* A talk on the smallest screen: nothing is cut at its right edge, with eight devices, too. */
static void
test_presented (GuiWindow *f, gconstpointer data)
{
  static const char *const clusters[] = { "p100x4", "p100x8" };
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkWidget *frame = gui_part (f, GOBAN_TYPE_FRAME);
  GtkWidget *strip = gui_part (f, GOBAN_TYPE_PRESENTER_STRIP);

  gtk_window_set_default_size (GTK_WINDOW (f->window), 800, 560);
  open_inception (f);
  for (gsize c = 0; c < G_N_ELEMENTS (clusters); c++)
    {
      gui_act (f, "cluster", g_variant_new_string (clusters[c]));
      gui_wait (gui_has_no_job, f, "plans are simulated");
      for (gsize w = 0; w < G_N_ELEMENTS (workspaces); w++)
        {
          g_autofree char *where = g_strdup_printf ("%s, %s", clusters[c], workspaces[w]);

          show (f, workspaces[w]);
          g_action_group_change_action_state (G_ACTION_GROUP (f->window), "presenter",
                                              g_variant_new_boolean (TRUE));
          gui_draw (GTK_WIDGET (f->window));
          gui_settle (f);
          gui_draw (GTK_WIDGET (f->window));
          if (get_least_width (strip) > 800 || get_least_width (frame) > 800)
            g_string_append_printf (faults, "\n  %s: the strip needs %d pixels, the frame %d",
                                    where, get_least_width (strip), get_least_width (frame));
          walk (frame, where, check_whole, faults);
          walk (frame, where, check_head, faults);
          check_frame (f, where, !g_str_equal (workspaces[w], "compare"));
          g_action_group_change_action_state (G_ACTION_GROUP (f->window), "presenter",
                                              g_variant_new_boolean (FALSE));
        }
    }
  report ("what a talk cuts", faults);
}

/* --- large text ------------------------------------------------------------------------------- */

/* The text of a control has all of its letters, and a label all of its lines. */
static void
check_text (GtkWidget *widget, const char *where, GString *faults)
{
  PangoLayout *layout = GTK_IS_LABEL (widget) ? gtk_label_get_layout (GTK_LABEL (widget)) : NULL;
  int height;

  check_whole (widget, where, faults);
  if (layout == NULL)
    return;
  if (gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON) != NULL
      && pango_layout_is_ellipsized (layout))
    g_string_append_printf (faults, "\n  %s: “%.40s” is shortened", where, name_of (widget));
  pango_layout_get_pixel_size (layout, NULL, &height);
  if (gtk_widget_get_height (widget) < height)
    g_string_append_printf (faults, "\n  %s: “%.40s” has %d of %d pixels", where, name_of (widget),
                            gtk_widget_get_height (widget), height);
}

static void
check_window (GtkWidget *window, const char *where, GString *faults)
{
  int width = gtk_widget_get_width (window), height = gtk_widget_get_height (window);

  if (width > 1280 || height > 800)
    g_string_append_printf (faults, "\n  %s: %d x %d pixels", where, width, height);
  walk (window, where, check_text, faults);
}

static void
check_dialog (GuiWindow *f, const char *name, GString *faults)
{
  GtkWidget *dialog = gui_dialog (f, GTK_TYPE_WINDOW);

  g_test_message ("%s", name);
  g_assert_nonnull (dialog);
  gui_draw (dialog);
  gui_draw (dialog);
  check_window (dialog, name, faults);
  gtk_window_close (GTK_WINDOW (dialog));
  gui_rest ();
}

/* With letters of one and a half times the size, nothing is cut or out of sight. */
static void
test_large_text (GuiWindow *f, gconstpointer data)
{
  static const char *const dialogs[]
      = { "generate",    "shortcuts",     "glossary",        "networks",           "export-page",
          "export-film", "make-pipeline", "copy-model",      "in-parallel",        "measure",
          "calibrate",   "export-graph",  "export-timeline", "simulate-collective" };
  GtkWidget *window = GTK_WIDGET (f->window);
  GtkSettings *settings = gtk_widget_get_settings (window);
  g_autoptr (GobanSettings) preferences = goban_settings_new ("/nonexistent");
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkWidget *popover;

  g_object_set (settings, "gtk-xft-dpi", 144 * PANGO_SCALE, NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gui_draw (window);
  gui_draw (window);
  check_window (window, "start", faults);
  open_inception (f);
  goban_session_place (f->session, "heft", 0);
  gui_wait (gui_has_no_job, f, "heft has placed");
  for (gsize w = 0; w < G_N_ELEMENTS (workspaces); w++)
    {
      show (f, workspaces[w]);
      check_frame (f, workspaces[w], !g_str_equal (workspaces[w], "compare"));
      check_window (window, workspaces[w], faults);
      set_dark (f, TRUE);
      check_window (window, workspaces[w], faults);
      set_dark (f, FALSE);
    }
  show (f, "train");
  gui_act (f, "train", NULL);
  gui_draw (window);
  gui_draw (window);
  check_window (window, "a new training", faults);
  show (f, "explore");
  for (gsize i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      gui_act (f, dialogs[i], NULL);
      gui_rest ();
      check_dialog (f, dialogs[i], faults);
    }
  gtk_window_present (
      GTK_WINDOW (goban_preferences_new (GTK_WINDOW (window), preferences, NULL, NULL)));
  check_dialog (f, "preferences", faults);
  gui_act (f, "choose-policy", NULL);
  gui_draw (window);
  gui_draw (window);
  popover = gtk_widget_get_ancestor (gui_part (f, GOBAN_TYPE_PLACE_MENU), GTK_TYPE_POPOVER);
  check_window (popover, "place", faults);
  gtk_popover_popdown (GTK_POPOVER (popover));
  gtk_settings_reset_property (settings, "gtk-xft-dpi");
  report ("texts that are cut", faults);
}

/* --- contrast --------------------------------------------------------------------------------- */

/* A text of the window is drawn three times as large, so that its strokes have pixels of the whole
 * colour between the softened ones of their edges. */
#define ZOOM 3
#define LEAST_CONTRAST 4.5

typedef struct
{
  guint32 *pixels;
  int width, height;
  GtkWidget *window;
} Picture;

static Picture picture;

static void
take_picture (GtkWidget *window)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GdkTexture) texture = NULL;
  GskRenderNode *node;

  picture.window = window;
  picture.width = ZOOM * gtk_widget_get_width (window);
  picture.height = ZOOM * gtk_widget_get_height (window);
  picture.pixels = g_renew (guint32, picture.pixels, (gsize) picture.width * picture.height);
  gdk_paintable_snapshot (paintable, snapshot, picture.width, picture.height);
  node = gtk_snapshot_free_to_node (snapshot);
  texture = gsk_renderer_render_texture (
      renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float) picture.width, (float) picture.height));
  gdk_texture_download (texture, (guchar *) picture.pixels, 4 * (gsize) picture.width);
  gsk_render_node_unref (node);
}

static double
luminance (guint32 argb)
{
  static const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    {
      double c = ((argb >> (8 * i)) & 255) / 255.0;

      sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
    }
  return sum;
}

static double
contrast (guint32 a, guint32 b)
{
  double bright = MAX (luminance (a), luminance (b));

  return (bright + 0.05) / (MIN (luminance (a), luminance (b)) + 0.05);
}

/* The most frequent pixel of a part of the picture. */
static guint32
find_ground (int x0, int y0, int x1, int y1)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  guint32 best = 0;
  guint most = 0;

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        gpointer pixel = GUINT_TO_POINTER (picture.pixels[(gsize) y * picture.width + x]);
        guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, pixel)) + 1;

        g_hash_table_insert (counts, pixel, GUINT_TO_POINTER (n));
        if (n > most)
          {
            most = n;
            best = GPOINTER_TO_UINT (pixel);
          }
      }
  return best;
}

static void
check_contrast (GtkWidget *widget, const char *where, GString *faults)
{
  const char *text
      = GTK_IS_LABEL (widget) || GOBAN_IS_SHORT_LABEL (widget) ? gui_get_text (widget) : NULL;
  GtkWidget *scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  graphene_rect_t bounds;
  double most = 0;
  guint32 ground;
  int x0, y0, x1, y1;

  if (text == NULL || *text == '\0' || !gtk_widget_is_sensitive (widget))
    return;
  /* Scrolled out of sight. */
  if (scroller != NULL && gtk_widget_compute_bounds (widget, scroller, &bounds)
      && (bounds.origin.y < 0
          || bounds.origin.y + bounds.size.height > (float) gtk_widget_get_height (scroller)))
    return;
  if (!gtk_widget_compute_bounds (widget, picture.window, &bounds))
    return;
  x0 = CLAMP ((int) (ZOOM * bounds.origin.x), 0, picture.width);
  y0 = CLAMP ((int) (ZOOM * bounds.origin.y), 0, picture.height);
  x1 = CLAMP ((int) (ZOOM * (bounds.origin.x + bounds.size.width)), 0, picture.width);
  y1 = CLAMP ((int) (ZOOM * (bounds.origin.y + bounds.size.height)), 0, picture.height);
  if (x1 - x0 < 4 * ZOOM || y1 - y0 < 4 * ZOOM)
    return;
  ground = find_ground (x0, y0, x1, y1);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      most = MAX (most, contrast (ground, picture.pixels[(gsize) y * picture.width + x]));
  /* Scrolled out of sight, or under something else. */
  if (most < 1.2)
    return;
  if (most < LEAST_CONTRAST)
    g_string_append_printf (faults, "\n  %s: “%.40s” %.2f on #%06x", where, text, most,
                            ground & 0xffffff);
}

/* @surface: a window or a popover. */
static void
check_colours (GuiWindow *f, GtkWidget *surface, const char *what, GString *faults)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      g_autofree char *where = g_strdup_printf ("%s, %s", what, dark ? "dark" : "light");

      set_dark (f, dark);
      gui_draw (surface);
      take_picture (surface);
      walk (surface, where, check_contrast, faults);
    }
}

static gboolean
is_pane_idle (gpointer data)
{
  GuiWindow *f = data;

  return goban_lesson_pane_is_idle (GOBAN_LESSON_PANE (gui_part (f, GOBAN_TYPE_LESSON_PANE)))
         && gui_has_no_job (f);
}

static void
act_in_lesson (GuiWindow *f, const char *action, GVariant *parameter)
{
  gui_act (f, action, parameter);
  gui_wait (is_pane_idle, f, "the lesson's code has run");
  gui_draw (GTK_WIDGET (f->window));
}

static void
add_difference (GtkWidget *widget, const char *where, GString *differences)
{
  if (GOBAN_IS_OPTION_ROW (widget))
    g_string_append_printf (differences, "%s;",
                            goban_option_row_get_difference (GOBAN_OPTION_ROW (widget)));
}

/* Check 19: decisions and plans have these names alone, in each language. */
static void
check_words (GtkWidget *widget, const char *where, GString *faults)
{
  const char *text = gui_get_text (widget);

  if (text != NULL
      && g_regex_match_simple ("\\b([Ss]teps?|[Rr]ows?|Schritte?n?|Zeilen?)\\b", text, 0, 0))
    g_string_append_printf (faults, "\n  %s: “%s”", where, text);
}

/* Check 25: each text has a contrast of 4.5: of the start page, the workspaces with and without
 * content, the popover of policies, and dialogs. */
static void
test_contrast (GuiWindow *f, gconstpointer data)
{
  static const char *const dialogs[] = { "generate", "in-parallel", "export-page", "measure" };
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autoptr (GString) differences = g_string_new (NULL);
  g_autofree char *best = NULL;
  GtkWidget *window = GTK_WIDGET (f->window);
  GtkWidget *popover;

  check_colours (f, window, "start", faults);
  open_inception (f);
  goban_session_place (f->session, "single", 0);
  gui_wait (gui_has_no_job, f, "one device has all");
  show (f, "decisions");
  check_colours (f, window, "no decisions", faults);
  goban_session_place (f->session, "heft", 0);
  gui_wait (gui_has_no_job, f, "heft has placed");
  for (gsize w = 0; w < G_N_ELEMENTS (workspaces); w++)
    {
      show (f, workspaces[w]);
      check_colours (f, window, workspaces[w], faults);
    }
  show (f, "decisions");
  goban_view_set_moment (goban_session_get_view (f->session), 60);
  gui_settle (f);
  check_colours (f, window, "decision 60", faults);
  /* Checks 13 and 14: one option of HEFT's is the best. */
  walk (gui_part (f, GOBAN_TYPE_DECISION_CARD), "card", add_difference, differences);
  best = g_strdup_printf ("+19.0 µs;+19.0 µs;%s;+19.0 µs;", _ ("★ best"));
  g_assert_cmpstr (differences->str, ==, best);
  walk (window, "decision 60", check_words, faults);
  show (f, "explore");
  gui_act (f, "choose-policy", NULL);
  gui_draw (window);
  popover = gtk_widget_get_ancestor (gui_part (f, GOBAN_TYPE_PLACE_MENU), GTK_TYPE_POPOVER);
  check_colours (f, popover, "place", faults);
  /* Check 24. */
  g_assert_cmpint (gtk_widget_get_height (popover), <=, 440);
  gtk_popover_popdown (GTK_POPOVER (popover));
  for (gsize i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      GtkWidget *dialog;

      gui_act (f, dialogs[i], NULL);
      gui_rest ();
      dialog = gui_dialog (f, GTK_TYPE_WINDOW);
      g_assert_nonnull (dialog);
      gui_draw (dialog);
      check_colours (f, dialog, dialogs[i], faults);
      gtk_window_close (GTK_WINDOW (dialog));
      gui_rest ();
    }
  set_dark (f, FALSE);
  g_clear_pointer (&picture.pixels, g_free);
  report ("texts that are hard to read", faults);
}

/* Check 25, of lessons: their list, and steps with a question, its verdicts, a task, its hint. */
static void
test_contrast_of_lessons (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkWidget *window = GTK_WIDGET (f->window);
  GobanLessonState *state = goban_lesson_state_of (G_OBJECT (f->session));

  goban_window_set_lesson_evaluator (f->window, new_evaluator);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "lesson-pane",
                                      g_variant_new_boolean (TRUE));
  gui_draw (window);
  check_colours (f, window, "list of lessons", faults);
  act_in_lesson (f, "lesson", g_variant_new_string ("placement"));
  for (;;)
    {
      const GobanLesson *lesson = goban_lesson_state_get_lesson (state);
      guint at = goban_lesson_state_get_step (state);
      const GobanLessonStep *step = lesson->steps->pdata[at];
      g_autofree char *where = g_strdup_printf ("step %u of lesson 1", at + 1);

      check_colours (f, window, where, faults);
      if (step->answers[0] != NULL)
        for (int k = 0; k < 2; k++)
          {
            act_in_lesson (f, "lesson-answer", g_variant_new_int32 (k));
            check_colours (f, window, where, faults);
          }
      if (step->check != NULL)
        {
          act_in_lesson (f, "lesson-check", NULL);
          act_in_lesson (f, "lesson-hint", NULL);
          check_colours (f, window, where, faults);
          act_in_lesson (f, "lesson-solve", NULL);
          check_colours (f, window, where, faults);
        }
      if (at + 1 == lesson->steps->len)
        break;
      act_in_lesson (f, "lesson-next", NULL);
    }
  act_in_lesson (f, "lesson", g_variant_new_string ("fan"));
  check_colours (f, window, "a challenge", faults);
  set_dark (f, FALSE);
  g_clear_pointer (&picture.pixels, g_free);
  report ("texts of lessons that are hard to read", faults);
}

/* --- the keyboard ----------------------------------------------------------------------------- */

static GHashTable *reached;

/* What can be acted upon, and takes the focus. Rows of lists are reached by arrows. */
static void
check_reached (GtkWidget *widget, const char *where, GString *faults)
{
  if (!is_control (widget) || !gtk_widget_is_sensitive (widget)
      || gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER) != NULL
      || gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL)
    return;
  /* GTK's compound controls have a part for the focus; arrows go on among buttons of which one is
   * a stop. */
  if (g_hash_table_contains (reached, widget))
    return;
  for (GtkWidget *other = gtk_widget_get_first_child (gtk_widget_get_parent (widget));
       other != NULL && GTK_IS_BUTTON (widget) && !gtk_widget_get_focusable (widget);
       other = gtk_widget_get_next_sibling (other))
    if (g_hash_table_contains (reached, other))
      return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_hash_table_contains (reached, child))
      return;
  for (GtkWidget *around = gtk_widget_get_parent (widget); around != NULL;
       around = gtk_widget_get_parent (around))
    if ((GTK_IS_SPIN_BUTTON (around) || GTK_IS_MENU_BUTTON (around) || GTK_IS_DROP_DOWN (around)
         || GTK_IS_LIST_VIEW (around) || GTK_IS_ENTRY (around) || GTK_IS_LIST_BOX (around)))
      return;
  g_string_append_printf (faults, "\n  %s: “%s” in %s", where, name_of (widget),
                          G_OBJECT_TYPE_NAME (gtk_widget_get_parent (widget)));
}

/* Round after round until nothing new has the focus. */
static void
go_round (GtkWidget *window, gboolean is_back)
{
  for (guint n_again = 0; n_again < 60;)
    {
      GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
      GtkWidget *list = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_VIEW) : NULL;

      /* Lists have a way of their own. */
      if (list != NULL)
        gui_press (list, is_back ? GDK_KEY_ISO_Left_Tab : GDK_KEY_Tab, 0);
      else if (!gtk_widget_child_focus (window,
                                        is_back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD))
        gtk_window_set_focus (GTK_WINDOW (window), NULL);
      focus = gtk_window_get_focus (GTK_WINDOW (window));
      n_again = focus == NULL || g_hash_table_add (reached, focus) ? 0 : n_again + 1;
      for (GtkWidget *around = focus; around != NULL; around = gtk_widget_get_parent (around))
        if (is_control (around))
          g_hash_table_add (reached, around);
    }
}

/* Check 25: Tab and Shift+Tab come by every control of a workspace. A text keeps Tab for itself:
 * there Ctrl+Tab does the same. */
static void
test_tab (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkWidget *window = GTK_WIDGET (f->window);

  open_inception (f);
  for (gsize w = 0; w < G_N_ELEMENTS (workspaces); w++)
    {
      show (f, workspaces[w]);
      reached = g_hash_table_new (NULL, NULL);
      go_round (window, TRUE);
      go_round (window, FALSE);
      g_test_message ("%s: %u stops", workspaces[w], g_hash_table_size (reached));
      walk (window, workspaces[w], check_reached, faults);
      g_clear_pointer (&reached, g_hash_table_unref);
    }
  report ("controls that Tab does not reach", faults);
}

/* --- newcomers -------------------------------------------------------------------------------- */

static void
click (GtkWidget *root, const char *label)
{
  GtkWidget *button = gui_find_button (root, label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_mapped (button) && gtk_widget_is_sensitive (button));
  g_assert_null (gtk_widget_get_ancestor (button, GTK_TYPE_POPOVER));
  g_signal_emit_by_name (button, "clicked");
}

/* Compare two policies: the toggle in the header shows two plans and why they differ. */
static void
test_compare_two (GuiWindow *f, gconstpointer data)
{
  GtkWidget *panels;

  open_inception (f);
  click (GTK_WIDGET (f->window), "Compare");
  gui_settle (f);
  panels = gui_part (f, GOBAN_TYPE_COMPARE_PANELS);
  g_assert_true (gtk_widget_get_mapped (panels));
  g_assert_cmpuint (goban_compare_set_get_n_runs (goban_session_get_compare_set (f->session)), ==,
                    2);
}

/* Make it faster by hand: an op is selected, and a button of the inspector moves it. */
static void
test_by_hand (GuiWindow *f, gconstpointer data)
{
  double before_us;

  gui_open_toy (f);
  goban_session_place (f->session, "single", 0);
  gui_wait (gui_has_no_job, f, "one device has all");
  before_us = goban_run_get_makespan_us (current_run (f));
  for (guint i = 0; i < 4; i++)
    {
      static const char *const tower[]
          = { "text/embed", "text/attention", "text/ffn", "text/norm" };
      g_autofree char *what = g_strdup_printf ("move %s to gpu:3", tower[i]);
      GtkWidget *moves;

      gui_select (f, tower[i]);
      gui_draw (GTK_WIDGET (f->window));
      moves = gui_child (gui_part (f, GOBAN_TYPE_INSPECTOR), "devices");
      g_assert_true (gtk_widget_get_mapped (moves));
      g_signal_emit_by_name (gtk_widget_get_first_child (gtk_widget_get_last_child (moves)),
                             "clicked");
      gui_wait_undo (f, what);
    }
  g_assert_cmpfloat (goban_run_get_makespan_us (current_run (f)), <, before_us * 0.8);
}

/* What the card says beside an option; @words: (nullable): it is slower than the best. */
static void
assert_difference (GtkWidget *widget, guint option, const char *words)
{
  if (GOBAN_IS_OPTION_ROW (widget) && gtk_widget_get_mapped (widget)
      && goban_option_row_get_option (GOBAN_OPTION_ROW (widget)) == option)
    {
      const char *difference = goban_option_row_get_difference (GOBAN_OPTION_ROW (widget));

      if (words != NULL)
        g_assert_cmpstr (difference, ==, _ (words));
      else
        g_assert_true (g_str_has_prefix (difference, "+"));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_difference (child, option, words);
}

/* Find the worst decision and play the other: Decisions, Review Decisions, Costliest First, which
 * shows it, the digit of the best option, Enter. */
static void
test_worst (GuiWindow *f, gconstpointer data)
{
  GobanOptionTimes *times = goban_option_times_of (f->session);
  GobanDecisionRecord *record;
  const double *makespans_us;
  GobanMoment moment;
  guint best = 0, n;
  double before_us;
  GtkWidget *costly, *card;
  GobanDecision decision;

  open_inception (f);
  goban_session_place (f->session, "heft", 0);
  gui_wait (gui_has_no_job, f, "heft has placed");
  before_us = goban_run_get_makespan_us (current_run (f));
  click (GTK_WIDGET (f->window), "Decisions");
  gui_settle (f);
  record = GOBAN_DECISION_RECORD (gui_part (f, GOBAN_TYPE_DECISION_RECORD));
  click (GTK_WIDGET (record), "Review Decisions");
  while (goban_option_times_is_reviewing (times))
    g_main_context_iteration (NULL, TRUE);
  costly = gui_find_button (GTK_WIDGET (record), "Costliest First");
  g_assert_true (gtk_widget_get_mapped (costly));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (costly), TRUE);
  moment = goban_record_model_get_place (goban_decision_record_get_model (record), 0).index + 1;
  g_assert_cmpfloat (goban_option_times_get_loss_us (times, moment), >, 1);
  gui_settle (f);
  g_assert_cmpint (goban_view_get_moment (goban_session_get_view (f->session)), ==, (int) moment);
  makespans_us = goban_option_times_peek (times, moment, &n);
  for (guint i = 1; i < n; i++)
    if (makespans_us[i] < makespans_us[best])
      best = i;
  card = gui_part (f, GOBAN_TYPE_DECISION_CARD);
  assert_difference (card, best, "★ best");
  assert_difference (
      card,
      goban_decisions_get (goban_run_get_decisions (current_run (f)), moment, NULL, &decision)
          ? decision.chosen
          : 0,
      NULL);
  gui_press (GTK_WIDGET (f->window), GDK_KEY_0 + best, 0);
  gui_draw (GTK_WIDGET (f->window));
  gui_press (GTK_WIDGET (f->window), GDK_KEY_Return, 0);
  gui_wait (gui_has_no_job, f, "the policy has played on");
  g_test_message ("%.1f us before, %.1f after", before_us,
                  goban_run_get_makespan_us (current_run (f)));
  g_assert_nonnull (goban_run_get_origin (current_run (f))->forced.of);
  g_assert_cmpuint (goban_run_get_origin (current_run (f))->forced.option, ==, best);
}

TEST_PROGRAM (acceptance)
{
  const char *folder = g_getenv ("GOBAN_TEST_PO");
  int failed;

  gtk_test_init (&argc, &argv);
  if (folder != NULL)
    {
      setlocale (LC_MESSAGES, "C.UTF-8");
      goban_i18n_enable (folder);
    }
  gui_window_begin ();
  gui_window_add ("/acceptance/sizes", test_sizes);
  gui_window_add ("/acceptance/eight-devices", test_eight_devices);
  gui_window_add ("/acceptance/large-text", test_large_text);
  gui_window_add ("/acceptance/contrast", test_contrast);
  gui_window_add ("/acceptance/contrast-of-lessons", test_contrast_of_lessons);
  gui_window_add ("/acceptance/narrow", test_narrow);
  gui_window_add ("/acceptance/numbers", test_numbers);
  gui_window_add ("/acceptance/presented", test_presented);
  gui_window_add ("/acceptance/tab", test_tab);
  if (folder == NULL)
    {
      gui_window_add ("/acceptance/options", test_options);
      gui_window_add ("/acceptance/compare-two", test_compare_two);
      gui_window_add ("/acceptance/by-hand", test_by_hand);
      gui_window_add ("/acceptance/worst-decision", test_worst);
    }
  failed = g_test_run ();
  gui_window_end ();
  return failed;
}
