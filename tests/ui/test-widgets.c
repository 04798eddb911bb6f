/* Each widget by itself: made, used, finalised; the table of commands; the console's manners.
 * Needs a display: run by gui-run.sh. */
#include "tests/ui/fake-evaluator.h"
#include "tests/ui/gui.h"
#include "tests/ui/small-run.h"

#include "engine/session/session-runs.h"
#include "tests/support/test-program.h"
#include "ui/compare/compare-page.h"
#include "ui/compare/compare-pane.h"
#include "ui/compare/compare-panels.h"
#include "ui/compare/compare-ramps.h"
#include "ui/compare/moves-table.h"
#include "ui/compare/race-bar.h"
#include "ui/console/choice-list.h"
#include "ui/console/completion.h"
#include "ui/console/console-output.h"
#include "ui/console/console-view.h"
#include "ui/console/control-panel.h"
#include "ui/console/history-search.h"
#include "ui/console/script-view.h"
#include "ui/console/sortable-table.h"
#include "ui/decisions/decision-card.h"
#include "ui/decisions/decision-player.h"
#include "ui/decisions/decision-record.h"
#include "ui/decisions/play-on-popover.h"
#include "ui/dialogs/calibrate-dialog.h"
#include "ui/dialogs/export-dialog.h"
#include "ui/dialogs/generate-dialog.h"
#include "ui/dialogs/measure-dialog.h"
#include "ui/dialogs/parallel-dialog.h"
#include "ui/dialogs/preferences.h"
#include "ui/graph/graph-view.h"
#include "ui/lessons/glossary-window.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/panels/action-menu.h"
#include "ui/panels/cluster-panel.h"
#include "ui/panels/command-palette.h"
#include "ui/panels/inspector.h"
#include "ui/panels/legend.h"
#include "ui/panels/notes-view.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/number-slider.h"
#include "ui/panels/place-menu.h"
#include "ui/panels/plan-list.h"
#include "ui/panels/scene-bar.h"
#include "ui/panels/search-bar.h"
#include "ui/panels/shortcuts-window.h"
#include "ui/panels/start-page.h"
#include "ui/panels/status-bar.h"
#include "ui/panels/task-choice.h"
#include "ui/shell/window.h"
#include "ui/timeline/moment-panel.h"
#include "ui/timeline/queue-list.h"
#include "ui/timeline/timeline-view.h"
#include "ui/timeline/transport-bar.h"
#include "ui/training/networks-dialog.h"
#include "ui/training/training-page.h"
#include "ui/training/training-view.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/op-popover.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/toplevels.h"

#include <gtksourceview/gtksource.h>

/* Shows a widget in a window of its own for a few frames, then expects it to be gone. */
static void
show_and_forget (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new ();

  g_object_ref_sink (widget);
  gtk_window_set_default_size (GTK_WINDOW (window), 500, 300);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  gui_draw (window);
  gtk_window_destroy (GTK_WINDOW (window));
  gui_wait_finalized (widget);
}

/* --- templates -------------------------------------------------------------------------------- */

#define TEMPLATES "/org/goban/Goban/ui/"

/* The class of a .ui file, which need not have one. (transfer full) (nullable) */
static char *
dup_class (const char *path)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_autoptr (GRegex) regex = g_regex_new ("<template class=\"(\\w+)\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) found = NULL;

  g_assert_nonnull (bytes);
  g_regex_match_full (regex, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), 0,
                      0, &found, NULL);
  return g_match_info_fetch (found, 1);
}

/* A child or a handler that a template lacks is a critical warning, which ends the test. */
static void
make_and_forget (const char *name)
{
  GType type = g_type_from_name (name);
  GtkWidget *widget, *window;

  g_test_message ("%s", name);
  g_assert_true (g_type_is_a (type, GTK_TYPE_WIDGET));
  widget = window = g_object_new (type, NULL);
  if (!GTK_IS_WINDOW (widget))
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      window = gtk_window_new ();
      gtk_window_set_child (GTK_WINDOW (window), box);
      gtk_box_append (GTK_BOX (box), widget);
    }
  g_object_ref (widget);
  gtk_window_destroy (GTK_WINDOW (window));
  gui_wait_finalized (widget);
}

static void
test_templates (void)
{
  const GType types[]
      = { GOBAN_TYPE_SCRIPT_VIEW,     GOBAN_TYPE_CHOICE_LIST,     GOBAN_TYPE_COMPLETION,
          GOBAN_TYPE_CONTROL_PANEL,   GOBAN_TYPE_SORTABLE_TABLE,  GOBAN_TYPE_HISTORY_SEARCH,
          GOBAN_TYPE_CLUSTER_PANEL,   GOBAN_TYPE_COMMAND_PALETTE, GOBAN_TYPE_COMPARE_PANE,
          GOBAN_TYPE_COMPARE_PANELS,  GOBAN_TYPE_COMPARE_RAMPS,   GOBAN_TYPE_CONSOLE_OUTPUT,
          GOBAN_TYPE_CONSOLE_VIEW,    GOBAN_TYPE_EXPORT_DIALOG,   GOBAN_TYPE_GENERATE_DIALOG,
          GOBAN_TYPE_INSPECTOR,       GOBAN_TYPE_LEGEND,          GOBAN_TYPE_MEASURE_DIALOG,
          GOBAN_TYPE_MOVES_TABLE,     GOBAN_TYPE_NOTES_VIEW,      GOBAN_TYPE_NOTICE_BAR,
          GOBAN_TYPE_NUMBER_SLIDER,   GOBAN_TYPE_PLACE_MENU,      GOBAN_TYPE_PLAN_LIST,
          GOBAN_TYPE_PREFERENCES,     GOBAN_TYPE_SEARCH_BAR,      GOBAN_TYPE_START_PAGE,
          GOBAN_TYPE_STATUS_BAR,      GOBAN_TYPE_DECISION_PLAYER, GOBAN_TYPE_TASK_CHOICE,
          GOBAN_TYPE_TRAINING_PAGE,   GOBAN_TYPE_TRAINING_VIEW,   GOBAN_TYPE_SCENE_BAR,
          GOBAN_TYPE_NETWORKS_DIALOG, GOBAN_TYPE_PARALLEL_DIALOG, GOBAN_TYPE_CALIBRATE_DIALOG,
          GOBAN_TYPE_COMPARE_PAGE,    GOBAN_TYPE_RACE_BAR,        GOBAN_TYPE_OP_POPOVER,
          GOBAN_TYPE_PLAY_ON_POPOVER, GOBAN_TYPE_MOMENT_PANEL,    GOBAN_TYPE_QUEUE_LIST,
          GOBAN_TYPE_TRANSPORT_BAR,   GOBAN_TYPE_LESSON_PANE,     GOBAN_TYPE_SEARCH_WINDOW,
          GOBAN_TYPE_DECISION_CARD,   GOBAN_TYPE_DECISION_RECORD };
  g_auto (GStrv) folders = g_resources_enumerate_children (TEMPLATES, 0, NULL);
  guint n = 0;

  for (gsize i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *folder = g_strconcat (TEMPLATES, folders[i], NULL);
      g_auto (GStrv) files = g_resources_enumerate_children (folder, 0, NULL);

      for (gsize k = 0; files[k] != NULL; k++)
        {
          g_autofree char *path = g_strconcat (folder, files[k], NULL);
          g_autofree char *name = dup_class (path);

          if (name == NULL)
            continue;
          make_and_forget (name);
          n++;
        }
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (types));
}

static void
test_lives (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanRun) run = small_run_new ();
  GtkWidget *(*const of_session[]) (GobanSession *)
      = { goban_plan_list_new,  goban_legend_new,        goban_inspector_new,
          goban_graph_view_new, goban_timeline_view_new, goban_status_bar_new };

  /* First with nothing open, then with a run that comes and goes. */
  for (gsize i = 0; i < G_N_ELEMENTS (of_session); i++)
    show_and_forget (of_session[i](session));
  goban_session_add_run (session, run);
  for (gsize i = 0; i < G_N_ELEMENTS (of_session); i++)
    {
      GtkWidget *widget = of_session[i](session);

      goban_session_set_current_run (session, NULL);
      goban_session_set_current_run (session, run);
      show_and_forget (widget);
    }

  show_and_forget (goban_start_page_new ());
  show_and_forget (g_object_new (GOBAN_TYPE_CONSOLE_OUTPUT, NULL));
  show_and_forget (goban_console_view_new (NULL));
}

static gboolean
has_no_hint (gpointer status)
{
  return *gui_child_text (status, "hint") == '\0';
}

/* An answer to a command goes after ten seconds. */
static void
test_passing_hint (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanStatusBar *status = g_object_ref_sink (GOBAN_STATUS_BAR (goban_status_bar_new (session)));
  gint64 start_us = g_get_monotonic_time ();

  goban_status_bar_set_passing_hint (status, "Nothing matches");
  gui_wait (has_no_hint, status, "the hint is gone");
  g_assert_cmpint (g_get_monotonic_time () - start_us, >=, 9 * G_USEC_PER_SEC);
  g_assert_finalize_object (status);
}

static void
test_notice (void)
{
  GobanNoticeBar *bar = GOBAN_NOTICE_BAR (g_object_ref_sink (goban_notice_bar_new ()));

  g_assert_false (gtk_widget_get_visible (gui_child (bar, "notice")));
  goban_notice_bar_show (bar, TRUE, "a.dot:3: <b>&");
  g_assert_cmpstr (gui_child_text (bar, "label"), ==, "a.dot:3: <b>&");
  goban_notice_bar_show (bar, FALSE, "Saved");
  g_assert_cmpstr (gui_child_text (bar, "label"), ==, "Saved");
  goban_notice_bar_hide (bar);
  g_assert_false (gtk_widget_get_visible (gui_child (bar, "notice")));
  g_assert_finalize_object (bar);
}

/* A size that is due when a window is closed is not asked of the freed window. */
static void
test_closed_window (void)
{
  GtkWidget *window;
  g_autoptr (GdkSurface) surface = NULL;
  guint id;

  goban_toplevels_watch ();
  window = gtk_window_new ();
  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, window, "the window is mapped");
  surface = g_object_ref (gtk_native_get_surface (GTK_NATIVE (window)));
  id = g_signal_lookup ("compute-size", GDK_TYPE_TOPLEVEL);
  g_assert_cmpuint (g_signal_handler_find (surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, id, 0,
                                           NULL, NULL, window),
                    !=, 0);
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_cmpuint (g_signal_handler_find (surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, id, 0,
                                           NULL, NULL, window),
                    ==, 0);
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/* GTK keeps a container of a window that is closed; what is in it goes. */
static void
test_kept_container (void)
{
  GtkWidget *window, *status, *box;
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GtkWidget) stack = g_object_ref_sink (gtk_stack_new ());

  goban_toplevels_watch ();
  window = gtk_window_new ();
  status = goban_status_bar_new (session);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), status);
  gtk_stack_add_child (GTK_STACK (stack), box);
  gtk_window_set_child (GTK_WINDOW (window), stack);
  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, window, "the window is mapped");
  g_object_add_weak_pointer (G_OBJECT (status), (gpointer *) &status);
  gtk_window_destroy (GTK_WINDOW (window));
  gui_wait (is_null, &status, "the status bar is gone");
}

static GtkEventController *
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) each = g_list_model_get_item (all, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (each, type))
        return each;
    }
  return NULL;
}

static void
count_cb (guint *n)
{
  ++*n;
}

static gboolean
is_one (gpointer data)
{
  return *(guint *) data == 1;
}

/* GTK's own entry is left by what was dropped on it, and by what is over it when it is hidden. */
static void
test_drops (void)
{
  GtkWidget *window, *text;
  GtkEventController *target;
  g_auto (GValue) value = G_VALUE_INIT;
  GdkDragAction action;
  gboolean is_taken;
  guint n_left = 0;

  goban_toplevels_watch ();
  window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (window), gtk_entry_new ());
  text = gui_find (window, GTK_TYPE_TEXT);
  target = find_controller (text, GTK_TYPE_DROP_TARGET);
  g_assert_null (find_controller (window, GTK_TYPE_DROP_TARGET_ASYNC));
  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, text, "the entry is mapped");
  g_signal_connect_swapped (target, "leave", G_CALLBACK (count_cb), &n_left);
  g_value_init (&value, G_TYPE_STRING);
  g_value_set_static_string (&value, "dropped");
  g_signal_emit_by_name (target, "enter", 1.0, 1.0, &action);
  g_signal_emit_by_name (target, "drop", &value, 1.0, 1.0, &is_taken);
  g_assert_true (is_taken);
  gui_wait (is_one, &n_left, "the drop has left");

  n_left = 0;
  g_signal_emit_by_name (target, "enter", 1.0, 1.0, &action);
  g_assert_cmpuint (n_left, ==, 0);
  gtk_widget_set_visible (window, FALSE);
  g_assert_cmpuint (n_left, ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Dialogs have the colours of the theme, too. */
static void
test_dark_window (void)
{
  GtkWidget *window;
  GtkSettings *settings;

  goban_toplevels_watch ();
  window = gtk_window_new ();
  settings = gtk_widget_get_settings (window);
  g_assert_false (gtk_widget_has_css_class (window, "dark"));
  g_object_set (settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
  g_assert_true (gtk_widget_has_css_class (window, "dark"));
  g_object_set (settings, "gtk-application-prefer-dark-theme", FALSE, NULL);
  g_assert_false (gtk_widget_has_css_class (window, "dark"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Names may be as long as a file, and have no place where GTK would wrap. */
static void
test_tooltip_of_long_name (void)
{
  GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));
  g_autofree char *name = g_strnfill (1000000, 'x');
  g_autofree char *text = g_strconcat ("short ", name, NULL);
  guint n_in_a_row = 0, most = 0;
  const char *tip;

  goban_set_tooltip (label, "a/b Relu");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (label), ==, "a/b Relu");
  goban_set_tooltip (label, text);
  tip = gtk_widget_get_tooltip_text (label);
  for (const char *p = tip; *p != '\0'; p++)
    {
      n_in_a_row = *p == 'x' ? n_in_a_row + 1 : 0;
      most = MAX (most, n_in_a_row);
    }
  g_assert_cmpuint (most, <=, 100);
  g_assert_cmpuint (strlen (tip), <, 1000);
  g_assert_true (g_str_has_prefix (tip, "short xxx"));
  g_assert_true (g_str_has_suffix (tip, "x…"));
  g_object_unref (label);
}

/* Whether GTK's own parts of it are. */
static gboolean
is_dark_inside (GtkWidget *window)
{
  GdkRGBA ground;

  g_assert_true (gtk_style_context_lookup_color (gtk_widget_get_style_context (window),
                                                 "theme_bg_color", &ground));
  return ground.green < 0.5F;
}

/* Themes of high contrast have pictures of high contrast, whatever the window is set to. */
static void
test_desktop_themes (void)
{
  static const struct
  {
    const char *name;
    gboolean prefers_dark;
    GobanTheme theme;
  } cases[] = {
    { "Adwaita", FALSE, GOBAN_THEME_LIGHT },
    { "Adwaita", TRUE, GOBAN_THEME_DARK },
    { "Adwaita-dark", FALSE, GOBAN_THEME_DARK },
    { "HighContrast", FALSE, GOBAN_THEME_HIGH_CONTRAST },
    { "HighContrast", TRUE, GOBAN_THEME_HIGH_CONTRAST_INVERSE },
    { "HighContrastInverse", FALSE, GOBAN_THEME_HIGH_CONTRAST_INVERSE },
  };
  GtkWidget *window;
  GtkSettings *settings;

  goban_toplevels_watch ();
  window = gtk_window_new ();
  settings = gtk_widget_get_settings (window);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_object_set (settings, "gtk-theme-name", cases[i].name, "gtk-application-prefer-dark-theme",
                    cases[i].prefers_dark, NULL);
      g_assert_cmpint (goban_theme_of (window), ==, cases[i].theme);
      g_assert_true (gtk_widget_has_css_class (window, "dark")
                     == goban_theme_is_dark (cases[i].theme));
      g_assert_true (gtk_widget_has_css_class (window, "high-contrast")
                     == goban_theme_is_high_contrast (cases[i].theme));
      if (!cases[i].prefers_dark)
        g_assert_true (is_dark_inside (window) == goban_theme_is_dark (cases[i].theme));
    }
  gtk_settings_reset_property (settings, "gtk-theme-name");
  gtk_settings_reset_property (settings, "gtk-application-prefer-dark-theme");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* --- the table of commands ------------------------------------------------------------------- */

static void
check_keys (GHashTable *seen, const char *keys, const char *name)
{
  g_auto (GStrv) all = g_strsplit (keys != NULL ? keys : "", " ", -1);

  for (guint i = 0; all[i] != NULL; i++)
    {
      guint keyval;
      GdkModifierType modifiers;

      g_assert_true (gtk_accelerator_parse (all[i], &keyval, &modifiers));
      if (!g_hash_table_add (seen, g_strdup (all[i])))
        g_error ("%s: %s is taken by another command", name, all[i]);
    }
}

static void
test_actions (void)
{
  g_autoptr (GHashTable) anywhere = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) pictures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    {
      const GobanActionInfo *info = &actions[i];
      g_autofree char *detailed = goban_action_detailed_name (info);
      g_autofree char *name = NULL;
      g_autoptr (GVariant) target = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (*info->name != '\0' && *info->label != '\0' && *info->help != '\0');
      g_assert_null (strpbrk (info->help, "<&'"));
      g_assert_nonnull (goban_action_group_title (info->group));
      g_assert_true (info->target == NULL || info->parameter != NULL);
      g_assert_true (g_action_parse_detailed_name (detailed, &name, &target, &error));
      g_assert_no_error (error);
      g_assert_true (info->lua == NULL || (*info->lua != '\0' && strchr (info->lua, '\n') == NULL));
      g_assert_true (!info->is_numbered || g_strcmp0 (info->parameter, "i") == 0);
      check_keys (anywhere, info->accels, info->name);
      check_keys (anywhere, info->wide, info->name);
      check_keys (pictures, info->keys, info->name);
    }
}

/* The label of the first entry with that action, anywhere in the menu; (transfer full)
 * (nullable). */
static char *
find_label (GMenuModel *menu, const char *action)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autofree char *name = NULL;
      char *label = section != NULL ? find_label (section, action) : NULL;

      g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &name);
      if (label == NULL && g_strcmp0 (name, action) == 0)
        g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      if (label != NULL)
        return label;
    }
  return NULL;
}

/* Undo and Redo are a section of their own and say their keys, also with another label. */
static void
test_menu_keys (void)
{
  static const char *const keys[] = { "<Control>z", "<Control><Shift>z" };
  g_autoptr (GMenuModel) menu = goban_actions_make_menu ();
  g_autoptr (GMenuModel) edits = g_menu_model_get_item_link (menu, 1, G_MENU_LINK_SECTION);

  goban_actions_set_label (menu, "undo", "_Undo: pin fuse");
  g_assert_cmpint (g_menu_model_get_n_items (edits), ==, 2);
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *key = NULL;

      g_assert_true (g_menu_model_get_item_attribute (edits, i, "accel", "s", &key));
      g_assert_cmpstr (key, ==, keys[i]);
    }
}

static void
test_menu_labels (void)
{
  g_autoptr (GMenuModel) menu = goban_actions_make_menu ();
  g_autofree char *tooltip = goban_action_tooltip_for ("redo", "Redo: pin fuse");
  g_autofree char *before = find_label (menu, "win.undo");
  g_autofree char *after = NULL;
  g_autofree char *other = NULL;

  g_assert_cmpstr (before, ==, "_Undo");
  goban_actions_set_label (menu, "undo", "_Undo: pin fuse");
  after = find_label (menu, "win.undo");
  other = find_label (menu, "win.redo");
  g_assert_cmpstr (after, ==, "_Undo: pin fuse");
  g_assert_cmpstr (other, ==, "_Redo");
  g_assert_cmpstr (tooltip, ==, "Redo: pin fuse (Shift+Ctrl+Z)");
}

/* The texts of all shown labels within @widget, each once. */
static void
collect_labels (GtkWidget *widget, GHashTable *texts)
{
  if (GTK_IS_LABEL (widget))
    g_hash_table_add (texts, g_strdup (gtk_label_get_text (GTK_LABEL (widget))));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_child_visible (child))
      collect_labels (child, texts);
}

static GHashTable *
get_labels (GtkWidget *window)
{
  GHashTable *texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  collect_labels (gui_find (window, GTK_TYPE_LIST_BOX), texts);
  return texts;
}

static void
test_shortcuts_window (void)
{
  GtkWidget *window = goban_shortcuts_window_new (NULL);
  GtkWidget *entry = gui_find (window, GTK_TYPE_SEARCH_ENTRY);
  g_autoptr (GHashTable) all = get_labels (window);
  g_autoptr (GHashTable) found = NULL;
  g_autoptr (GHashTable) none = NULL;
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);
  int width, height;

  for (gsize i = 0; i < n; i++)
    if ((actions[i].accels != NULL || actions[i].keys != NULL || actions[i].wide != NULL)
        && !g_hash_table_contains (all, actions[i].help))
      g_error ("%s has a key and is not in the list of shortcuts", actions[i].name);
  g_assert_true (g_hash_table_contains (all, "Ctrl+O"));
  g_assert_true (g_hash_table_contains (all, "Ctrl+Alt+1 … Ctrl+Alt+9"));
  g_assert_true (g_hash_table_contains (all, goban_action_group_title (actions[0].group)));

  gtk_editable_set_text (GTK_EDITABLE (entry), "ctrl+o");
  g_signal_emit_by_name (entry, "search-changed");
  found = get_labels (window);
  g_assert_true (g_hash_table_contains (found, goban_action_find ("open")->help));
  g_assert_false (g_hash_table_contains (found, goban_action_find ("undo")->help));
  gtk_editable_set_text (GTK_EDITABLE (entry), "no such key");
  g_signal_emit_by_name (entry, "search-changed");
  none = get_labels (window);
  g_assert_true (g_hash_table_contains (none, "No command or key contains this text"));

  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (window, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_assert_cmpint (width, <, 800);
  g_assert_cmpint (height, <, 560);
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_null (window);
}

static void
test_menu (void)
{
  g_autoptr (GMenuModel) menu = goban_actions_make_menu ();
  g_autofree char *tooltip = goban_action_tooltip ("open");

  /* Files, edits, the menus below this one, the screen, and what is about the program. */
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 5);
  g_assert_cmpstr (tooltip, ==, "Open a session, a graph or a plan (Ctrl+O)");
}

/* --- the console ------------------------------------------------------------------------------ */

typedef struct
{
  GobanConsoleEvaluator *evaluator;
  GobanConsoleView *view;
} Console;

static void
console_set_up (Console *c, gconstpointer data)
{
  c->evaluator = fake_evaluator_new ();
  c->view = GOBAN_CONSOLE_VIEW (g_object_ref_sink (goban_console_view_new (NULL)));
  goban_console_view_set_evaluator (c->view, c->evaluator);
}

static void
console_tear_down (Console *c, gconstpointer data)
{
  g_assert_finalize_object (c->view);
  g_assert_finalize_object (c->evaluator);
}

static char *
dup_input (Console *c)
{
  return goban_dup_buffer_text (gtk_text_view_get_buffer (gui_child (c->view, "input")));
}

static void
run_text (Console *c, const char *text)
{
  gui_set_input (c->view, text);
  gui_press (gui_child (c->view, "input"), GDK_KEY_Return, 0);
  gui_rest ();
}

static void
assert_output (Console *c, const char *expected)
{
  g_autofree char *text = goban_console_output_dup_text (goban_console_view_get_output (c->view));

  g_assert_cmpstr (text, ==, expected);
}

static void
test_console_run (Console *c, gconstpointer data)
{
  g_autofree char *input = NULL;

  run_text (c, "echo one");
  assert_output (c, "> echo one\none\n=one\n");
  input = dup_input (c);
  g_assert_cmpstr (input, ==, "");

  goban_console_output_clear (goban_console_view_get_output (c->view));
  run_text (c, "fail it broke\nhere");
  assert_output (c, "> fail it broke\n  here\nit broke\nhere\n");

  goban_console_output_clear (goban_console_view_get_output (c->view));
  run_text (c, "   ");
  assert_output (c, "");
}

static void
test_console_interrupt (Console *c, gconstpointer data)
{
  run_text (c, "wait");
  g_assert_true (goban_console_view_is_running (c->view));

  /* One at a time: what is typed meanwhile stays in the input. */
  run_text (c, "echo two");
  assert_output (c, "> wait\n");

  /* The button answers at once, whatever the evaluator is in. */
  goban_console_view_interrupt (c->view);
  g_assert_true (goban_console_view_is_running (c->view));
  g_assert_nonnull (gui_find_button (GTK_WIDGET (c->view), "Stopping…"));
  gui_rest ();
  g_assert_false (goban_console_view_is_running (c->view));
  g_assert_null (gui_find_button (GTK_WIDGET (c->view), "Stopping…"));
  assert_output (c, "> wait\ninterrupted\n");
}

/* A window closed while a script runs. */
static void
test_console_gone_while_running (Console *c, gconstpointer data)
{
  run_text (c, "wait");
  g_object_run_dispose (G_OBJECT (c->view));
  gui_rest ();
}

static void
test_console_complete (Console *c, gconstpointer data)
{
  static const struct
  {
    const char *typed;
    const char *expected;
  } cases[] = {
    { "x = b", "x = banana" }, { "ap", "appl" },          { "appl", "appl" },
    { "zebra", "zebra" },      { "ä = b", "ä = banana" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *input = NULL;

      gui_set_input (c->view, cases[i].typed);
      gui_press (gui_child (c->view, "input"), GDK_KEY_Tab, 0);
      input = dup_input (c);
      g_assert_cmpstr (input, ==, cases[i].expected);
    }

  assert_output (c, "");
}

static const char *
shown_text (GtkWidget *in, const char *css_class)
{
  for (GtkWidget *w = gtk_widget_get_first_child (in); w != NULL;
       w = gtk_widget_get_next_sibling (w))
    {
      const char *found;

      if (gui_get_text (w) != NULL && gtk_widget_has_css_class (w, css_class))
        return gui_get_text (w);
      found = shown_text (w, css_class);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
assert_input (Console *c, const char *expected)
{
  g_autofree char *input = dup_input (c);

  g_assert_cmpstr (input, ==, expected);
}

/* What is long in the popup is wrapped or shortened between words, by none of GTK's ellipses. */
static void
assert_wraps (GtkWidget *in)
{
  for (GtkWidget *w = gtk_widget_get_first_child (in); w != NULL;
       w = gtk_widget_get_next_sibling (w))
    {
      if (GTK_IS_LABEL (w))
        g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (w)), ==, PANGO_ELLIPSIZE_NONE);
      assert_wraps (w);
    }
}

/* Where nothing more is common, a popup has the choices; keys move through it and close it. */
static void
test_completion_popup (Console *c, gconstpointer data)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *input = gui_find (GTK_WIDGET (c->view), GTK_SOURCE_TYPE_VIEW);
  GtkWidget *popup = gui_find (input, GOBAN_TYPE_COMPLETION);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (input));

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (c->view));
  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, c->view, "the console is shown");
  gui_set_input (c->view, "x = appl");
  gui_press (input, GDK_KEY_Tab, 0);
  g_assert_true (gtk_widget_get_visible (popup));
  g_assert_cmpstr (shown_text (popup, "word"), ==, "apple");
  g_assert_cmpstr (shown_text (popup, "signature"), ==, "apple(x)");
  assert_wraps (popup);
  gui_press (input, GDK_KEY_Down, 0);
  g_assert_cmpstr (shown_text (popup, "signature"), ==, "apply(x)");
  gui_press (input, GDK_KEY_Down, 0); /* there is no further one */
  gui_press (input, GDK_KEY_Return, 0);
  g_assert_false (gtk_widget_get_visible (popup));
  assert_input (c, "x = apply");

  gui_set_input (c->view, "appl");
  gui_press (input, GDK_KEY_space, GDK_CONTROL_MASK);
  g_assert_true (gtk_widget_get_visible (popup));
  gui_press (input, GDK_KEY_Escape, 0);
  g_assert_false (gtk_widget_get_visible (popup));
  gui_press (input, GDK_KEY_Tab, 0);
  gtk_text_buffer_insert_at_cursor (buffer, "z", -1);
  g_assert_false (gtk_widget_get_visible (popup));
  assert_input (c, "applz");
  gtk_window_set_child (GTK_WINDOW (window), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
has_input (gpointer data)
{
  Console *c = data;
  g_autofree char *text = dup_input (c);

  return *text != '\0';
}

/* Pasted lines are one input, to be edited; Enter at its end runs them together. */
static void
test_paste (Console *c, gconstpointer data)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *input = gui_find (GTK_WIDGET (c->view), GTK_SOURCE_TYPE_VIEW);

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (c->view));
  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, c->view, "the console is shown");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (input), "echo one\necho two");
  g_signal_emit_by_name (input, "paste-clipboard");
  gui_wait (has_input, c, "the text is pasted");
  assert_input (c, "echo one\necho two");
  gui_press (input, GDK_KEY_Return, 0);
  gui_rest ();
  assert_input (c, "");
  gui_press (input, GDK_KEY_Up, 0);
  assert_input (c, "echo one\necho two");
  gtk_window_set_child (GTK_WINDOW (window), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is typed is searched for after a moment. */
static void
search_for (GtkWidget *entry, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "search-changed");
}

/* Ctrl+R: what contains the words, the newest first; Enter takes it into the input, whole. */
static void
test_history_search (Console *c, gconstpointer data)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *input = gui_find (GTK_WIDGET (c->view), GTK_SOURCE_TYPE_VIEW);
  GtkWidget *search = gui_find (input, GOBAN_TYPE_HISTORY_SEARCH);
  GtkWidget *entry = gui_find (search, GTK_TYPE_SEARCH_ENTRY);

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (c->view));
  gtk_window_present (GTK_WINDOW (window));
  gui_wait (gui_is_mapped, c->view, "the console is shown");
  run_text (c, "echo one");
  run_text (c, "fail two\nlines");
  run_text (c, "echo three");
  gui_press (input, GDK_KEY_r, GDK_CONTROL_MASK);
  g_assert_true (gtk_widget_get_visible (search));
  search_for (entry, "echo");
  g_assert_cmpstr (shown_text (search, "word"), ==, "echo three");
  gui_press (entry, GDK_KEY_Down, 0);
  g_signal_emit_by_name (entry, "activate");
  assert_input (c, "echo one");
  g_assert_false (gtk_widget_get_visible (search));

  goban_console_view_search_history (c->view);
  search_for (entry, "two");
  g_assert_cmpstr (shown_text (search, "word"), ==, "fail two ⏎ lines");
  g_signal_emit_by_name (entry, "activate");
  assert_input (c, "fail two\nlines");
  /* Of one kind: those of several lines. */
  goban_console_view_search_history (c->view);
  search_for (entry, "");
  gtk_drop_down_set_selected (gui_child (search, "kind"), GOBAN_HISTORY_BLOCKS);
  g_assert_cmpstr (shown_text (search, "word"), ==, "fail two ⏎ lines");
  gtk_drop_down_set_selected (gui_child (search, "kind"), GOBAN_HISTORY_ALL);
  g_assert_cmpstr (shown_text (search, "word"), ==, "echo three");
  goban_history_search_start (GOBAN_HISTORY_SEARCH (search), "nothing like it");
  g_signal_emit_by_name (entry, "activate");
  assert_input (c, "fail two\nlines");
  gtk_window_set_child (GTK_WINDOW (window), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A long text loses its middle, and says so; what comes after it is whole. */
static void
test_long_output (void)
{
  GobanConsoleOutput *output
      = GOBAN_CONSOLE_OUTPUT (g_object_ref_sink (g_object_new (GOBAN_TYPE_CONSOLE_OUTPUT, NULL)));
  g_autofree char *endless = g_strnfill (10 * 1000 * 1000, 'x');
  g_autofree char *text = NULL;

  memcpy (endless, "first", strlen ("first"));
  endless[strlen (endless) - 1] = 'z';
  goban_console_output_append (output, GOBAN_CONSOLE_RESULT, endless);
  goban_console_output_end_line (output);
  goban_console_output_append (output, GOBAN_CONSOLE_LOG, "afterwards");
  text = goban_console_output_dup_text (output);
  g_assert_cmpuint (strlen (text), <, 300000);
  g_assert_true (g_str_has_prefix (text, "first"));
  g_assert_nonnull (strstr (text, "9.795 MB left out"));
  g_assert_nonnull (strstr (text, "app.write"));
  g_assert_true (g_str_has_suffix (text, "xz\nafterwards"));
  g_object_unref (output);
}

static void
test_output_limits (void)
{
  GobanConsoleOutput *output
      = GOBAN_CONSOLE_OUTPUT (g_object_ref_sink (g_object_new (GOBAN_TYPE_CONSOLE_OUTPUT, NULL)));
  g_autofree char *wide = g_strnfill (3 * GOBAN_CONSOLE_MAX_LINE_BYTES, 'x');
  g_autofree char *text = NULL;
  g_autofree char *split = NULL;
  g_auto (GStrv) lines = NULL;

  for (guint i = 0; i < GOBAN_CONSOLE_MAX_LINES + 500; i++)
    {
      g_autofree char *line = g_strdup_printf ("%u\n", i);

      goban_console_output_append (output, GOBAN_CONSOLE_STDOUT, line);
    }
  text = goban_console_output_dup_text (output);
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, GOBAN_CONSOLE_MAX_LINES);
  g_assert_true (g_str_has_suffix (text, "10499\n"));

  goban_console_output_clear (output);
  goban_console_output_append (output, GOBAN_CONSOLE_STDOUT, wide);
  goban_console_output_append (output, GOBAN_CONSOLE_ERROR, "\xff bytes");
  split = goban_console_output_dup_text (output);
  g_assert_nonnull (strchr (split, '\n'));
  g_assert_true (g_str_has_suffix (split, "\xef\xbf\xbd bytes"));

  g_assert_finalize_object (output);
}

/* The line about other inputs is below the last results, not below what was typed since; if
 * nothing but a greeting and an error was shown, there is nothing that it could be about. */
static void
test_output_inputs (void)
{
  GobanConsoleOutput *output
      = GOBAN_CONSOLE_OUTPUT (g_object_ref_sink (g_object_new (GOBAN_TYPE_CONSOLE_OUTPUT, NULL)));
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *cleared = NULL;

  goban_console_output_append (output, GOBAN_CONSOLE_LOG, "hello");
  goban_console_output_end_line (output);
  goban_console_output_append (output, GOBAN_CONSOLE_ERROR, "no such thing");
  goban_console_output_end_line (output);
  goban_console_output_set_inputs (output, 1, "it was changed");
  before = goban_console_output_dup_text (output);
  g_assert_cmpstr (before, ==, "hello\nno such thing\n");

  goban_console_output_append (output, GOBAN_CONSOLE_RESULT, "12");
  goban_console_output_end_line (output);
  goban_console_output_append (output, GOBAN_CONSOLE_INPUT, "> derive()\n");
  goban_console_output_append (output, GOBAN_CONSOLE_LOG, "derived");
  goban_console_output_set_inputs (output, 2, "it was changed");
  goban_console_output_append (output, GOBAN_CONSOLE_STDOUT, "last\n");
  after = goban_console_output_dup_text (output);
  g_assert_cmpstr (after, ==,
                   "hello\nno such thing\n12\n↑ from before it was changed\n> derive()\n"
                   "derived\nlast\n");

  goban_console_output_clear (output);
  goban_console_output_set_inputs (output, 3, "it was changed");
  cleared = goban_console_output_dup_text (output);
  g_assert_cmpstr (cleared, ==, "");
  g_assert_finalize_object (output);
}

static int
measure_natural (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* With a greatest width a short label asks for the width of its text, and for no more than that. */
/* A bar tells the time left a second after its work began, and forgets it at the end. */
static void
test_progress_bar (void)
{
  GtkWidget *bar = g_object_ref_sink (gtk_progress_bar_new ());

  goban_show_progress (bar, 0, NULL);
  g_assert_true (gtk_widget_get_visible (bar));
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==, "0 %");
  g_usleep (1100000);
  goban_show_progress (bar, 0.5, "sweep: 1 of 2");
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==,
                   "sweep: 1 of 2, a few seconds left");
  goban_show_progress (bar, -1, NULL);
  g_assert_false (gtk_widget_get_visible (bar));
  goban_show_progress (bar, 0.6, NULL);
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==, "60 %");
  g_object_unref (bar);
}

static void
test_short_label_width (void)
{
  GtkWidget *widget = g_object_ref_sink (goban_short_label_new (GOBAN_KEEP_START, 0));
  GobanShortLabel *label = GOBAN_SHORT_LABEL (widget);
  g_autofree char *cut = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *end = NULL;
  int least = measure_natural (widget), narrow;

  goban_short_label_set_text (label, "balanced parts with few bytes between them");
  g_assert_cmpint (measure_natural (widget), ==, least);
  goban_short_label_set_max_chars (label, 20);
  narrow = measure_natural (widget);
  g_assert_cmpint (narrow, >, least);
  cut = goban_short_label_dup_shown (label, narrow);
  g_assert_true (g_str_has_suffix (cut, "…"));
  g_assert_true (g_str_has_prefix (cut, "balanced parts"));
  goban_short_label_set_max_chars (label, 80);
  g_assert_cmpint (measure_natural (widget), >, narrow);
  whole = goban_short_label_dup_shown (label, measure_natural (widget));
  g_assert_cmpstr (whole, ==, goban_short_label_get_text (label));
  goban_short_label_set_keep (label, GOBAN_KEEP_END);
  end = goban_short_label_dup_shown (label, narrow);
  g_assert_true (g_str_has_suffix (end, "them"));
  goban_short_label_set_text (label, "short");
  g_assert_cmpint (measure_natural (widget), <, narrow);
  g_assert_finalize_object (widget);
}

static void
add (const char *path, void (*test) (Console *, gconstpointer))
{
  g_test_add (path, Console, NULL, console_set_up, test, console_tear_down);
}

TEST_PROGRAM (widgets)
{
  gtk_test_init (&argc, &argv, NULL);
  goban_ui_init ();
  g_test_add_func ("/widgets/templates", test_templates);
  g_test_add_func ("/widgets/lives", test_lives);
  g_test_add_func ("/widgets/passing-hint", test_passing_hint);
  g_test_add_func ("/widgets/notice", test_notice);
  g_test_add_func ("/widgets/closed-window", test_closed_window);
  g_test_add_func ("/widgets/kept-container", test_kept_container);
  g_test_add_func ("/widgets/drops", test_drops);
  g_test_add_func ("/widgets/dark-window", test_dark_window);
  g_test_add_func ("/widgets/desktop-themes", test_desktop_themes);
  g_test_add_func ("/widgets/tooltip-of-long-name", test_tooltip_of_long_name);
  g_test_add_func ("/actions/table", test_actions);
  g_test_add_func ("/actions/menu-labels", test_menu_labels);
  g_test_add_func ("/actions/menu-keys", test_menu_keys);
  g_test_add_func ("/actions/shortcuts-window", test_shortcuts_window);
  g_test_add_func ("/actions/menu", test_menu);
  g_test_add_func ("/console/output-limits", test_output_limits);
  g_test_add_func ("/console/long-output", test_long_output);
  g_test_add_func ("/console/output-inputs", test_output_inputs);
  g_test_add_func ("/widgets/progress-bar", test_progress_bar);
  g_test_add_func ("/widgets/short-label-width", test_short_label_width);
  add ("/console/run", test_console_run);
  add ("/console/interrupt", test_console_interrupt);
  add ("/console/gone-while-running", test_console_gone_while_running);
  add ("/console/complete", test_console_complete);
  add ("/console/completion-popup", test_completion_popup);
  add ("/console/paste", test_paste);
  add ("/console/history-search", test_history_search);
  return g_test_run ();
}
