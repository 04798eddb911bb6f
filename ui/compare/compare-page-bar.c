/* compare-page-bar.c: bar with the options of a comparison: mode, unchanged nodes, the pair,
 * threshold and shared state. */
#include "ui/compare/compare-page.h"

#include "engine/base/i18n.h"
#include "engine/session/compare-set-looks.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/text.h"

#include <math.h>

static GtkWidget *
new_mode_button (const char *title, const char *mode, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (title);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.compare-mode");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", mode);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_focus_on_click (button, FALSE);
  return button;
}

static GtkWidget *
build_modes (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box),
                  new_mode_button (_ ("Side by side"), "side", _ ("A pane for each of the plans")));
  gtk_box_append (GTK_BOX (box),
                  new_mode_button (_ ("Overlay"), "overlay",
                                   _ ("One picture: the device by A at the left of a "
                                      "node, by B at the right")));
  gtk_box_append (GTK_BOX (box), new_mode_button (_ ("Blink"), "blink",
                                                  _ ("One picture: B, and A while Space is held")));
  gtk_box_append (GTK_BOX (box),
                  new_mode_button (_ ("Difference"), "difference", _ ("Only differences")));
  return box;
}

static void
unchanged_chosen_cb (GtkDropDown *choice, GParamSpec *pspec, GobanCompareSet *set)
{
  guint chosen = gtk_drop_down_get_selected (choice);

  if (chosen < GOBAN_N_UNCHANGED)
    goban_compare_set_set_unchanged (set, (GobanUnchanged) chosen);
}

static void
unchanged_changed_cb (GobanCompareSet *set, GParamSpec *pspec, GtkDropDown *choice)
{
  gtk_drop_down_set_selected (choice, goban_compare_set_get_unchanged (set));
}

static GtkWidget *
build_unchanged (GobanCompareSet *set)
{
  /* Words of compare-set.h, in the same order, as people read them. */
  const char *const titles[]
      = { _ ("Show unchanged nodes"), _ ("Dim unchanged nodes"), _ ("Hide unchanged nodes"), NULL };
  GtkWidget *choice = gtk_drop_down_new_from_strings (titles);

  goban_set_accessible_label (choice, _ ("Unchanged nodes"));
  unchanged_changed_cb (set, NULL, GTK_DROP_DOWN (choice));
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (unchanged_chosen_cb), set, 0);
  g_signal_connect_object (set, "notify::unchanged", G_CALLBACK (unchanged_changed_cb), choice, 0);
  return choice;
}

/* --- the number of panes, and which two ------------------------------------------------------- */

/* The best of the list that is not yet there. */
static void
add_plan_cb (GtkButton *button, GobanSession *session)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GListModel *list = goban_session_get_runs (session);
  guint n = goban_compare_set_get_n_runs (set);
  GobanRun *runs[GOBAN_COMPARE_MAX];

  for (guint i = 0; i < n; i++)
    runs[i] = goban_compare_set_get_run (set, i);
  for (guint i = 0; i < g_list_model_get_n_items (list) && n < GOBAN_COMPARE_MAX; i++)
    {
      g_autoptr (GobanRun) run = g_list_model_get_item (list, i);

      if (goban_compare_set_find (set, run) >= 0)
        continue;
      runs[n] = run;
      goban_compare_set_show (set, runs, n + 1);
      return;
    }
}

static void
drop_plan_cb (GtkButton *button, GobanSession *session)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GobanRun *runs[GOBAN_COMPARE_MAX];
  guint n = goban_compare_set_get_n_runs (set);

  for (guint i = 0; i < n; i++)
    runs[i] = goban_compare_set_get_run (set, i);
  if (n > 2)
    goban_compare_set_show (set, runs, n - 1);
}

/* "A and B", "A and C", ...: every two of them. */
static void
pair_chosen_cb (GtkDropDown *choice, GParamSpec *pspec, GobanCompareSet *set)
{
  guint n = goban_compare_set_get_n_runs (set);
  guint chosen = gtk_drop_down_get_selected (choice);
  guint k = 0;

  if (g_object_get_data (G_OBJECT (choice), "following") != NULL)
    return;
  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++)
      if (k++ == chosen)
        {
          goban_compare_set_set_pair (set, i, j);
          return;
        }
}

static void
fill_pairs (GobanCompareSet *set, GParamSpec *pspec, GtkDropDown *choice)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint n = goban_compare_set_get_n_runs (set);
  guint before = 0, after = 0, k = 0, chosen = GTK_INVALID_LIST_POSITION;

  goban_compare_set_get_pair (set, &before, &after);
  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++, k++)
      {
        g_autofree char *name
            = g_strdup_printf (_ ("Marks: %c and %c"), 'A' + (int) i, 'A' + (int) j);

        gtk_string_list_append (list, name);
        if (MIN (before, after) == i && MAX (before, after) == j)
          chosen = k;
      }
  g_object_set_data (G_OBJECT (choice), "following", choice);
  gtk_drop_down_set_model (choice, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (choice, chosen);
  g_object_set_data (G_OBJECT (choice), "following", NULL);
  gtk_widget_set_visible (GTK_WIDGET (choice), n > 2);
}

static GtkWidget *
build_pairs (GobanCompareSet *set)
{
  GtkWidget *choice = gtk_drop_down_new (NULL, NULL);

  goban_set_accessible_label (choice, _ ("Plans to compare"));
  fill_pairs (set, NULL, GTK_DROP_DOWN (choice));
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (pair_chosen_cb), set, 0);
  g_signal_connect_object (set, "notify::pair", G_CALLBACK (fill_pairs), choice, 0);
  g_signal_connect_object (set, "notify::runs", G_CALLBACK (fill_pairs), choice, 0);
  return choice;
}

static GtkWidget *
new_count_button (const char *icon, const char *what, GCallback clicked, GobanSession *session)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, what);
  goban_set_accessible_label (button, what);
  g_signal_connect_object (button, "clicked", clicked, session, 0);
  return button;
}

static GtkWidget *
new_toggle (const char *title, const char *action)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (title);
  g_autofree char *tooltip = goban_action_tooltip (action);
  g_autofree char *name = g_strconcat ("win.", action, NULL);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_focus_on_click (button, FALSE);
  return button;
}

GtkWidget *
goban_compare_bar_new (GobanSession *session)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *counts = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *swap = gtk_button_new_with_label (_ ("Swap"));
  GtkWidget *back = gtk_button_new_with_label (_ ("Explore"));
  g_autofree char *swap_tip = goban_action_tooltip ("compare-swap");
  g_autofree char *back_tip = goban_action_tooltip ("explore");
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (swap), "win.compare-swap");
  gtk_widget_set_tooltip_text (swap, swap_tip);
  gtk_widget_set_focus_on_click (swap, FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "win.explore");
  gtk_widget_set_tooltip_text (back, back_tip);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_widget_add_css_class (counts, "linked");
  gtk_box_append (GTK_BOX (counts), new_count_button ("list-remove-symbolic", _ ("Remove a plan"),
                                                      G_CALLBACK (drop_plan_cb), session));
  gtk_box_append (GTK_BOX (counts),
                  new_count_button ("list-add-symbolic", _ ("Add a plan (at most four)"),
                                    G_CALLBACK (add_plan_cb), session));
  gtk_box_append (GTK_BOX (box), build_modes ());
  gtk_box_append (GTK_BOX (box), build_unchanged (set));
  gtk_box_append (GTK_BOX (box), build_pairs (set));
  gtk_box_append (GTK_BOX (box), swap);
  gtk_box_append (GTK_BOX (box), counts);
  gtk_box_append (GTK_BOX (box), new_toggle (_ ("Match devices"), "compare-devices"));
  gtk_box_append (GTK_BOX (box), space);
  gtk_box_append (GTK_BOX (box), back);
  gtk_widget_add_css_class (box, "comparebar");
  return box;
}

/* --- the lower row ---------------------------------------------------------------------------- */

static void
threshold_chosen_cb (GtkSpinButton *spin, GobanCompareSet *set)
{
  double change_us = gtk_spin_button_get_value (spin) * 1000;

  /* A threshold that a script set may be finer than what is shown of it. */
  if (fabs (change_us - goban_compare_set_get_min_change_us (set)) >= 0.5)
    goban_compare_set_set_min_change_us (set, change_us);
}

static void
threshold_changed_cb (GobanCompareSet *set, GParamSpec *pspec, GtkSpinButton *spin)
{
  gtk_spin_button_set_value (spin, goban_compare_set_get_min_change_us (set) / 1000);
}

static GtkWidget *
build_threshold (GobanCompareSet *set)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (0, 10000, 0.1);
  const char *what = _ ("Ignore time differences below (ms)");

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), 3);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 7);
  gtk_widget_set_tooltip_text (spin, what);
  goban_set_accessible_label (spin, what);
  threshold_changed_cb (set, NULL, GTK_SPIN_BUTTON (spin));
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (threshold_chosen_cb), set, 0);
  g_signal_connect_object (set, "notify::min-change", G_CALLBACK (threshold_changed_cb), spin, 0);
  return spin;
}

GtkWidget *
goban_compare_footer_new (GobanSession *session, GtkWidget *legend)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *syncs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *least = gtk_label_new (_ ("Threshold (ms)"));
  GtkWidget *shared = gtk_label_new (_ ("Synchronise"));

  gtk_label_set_xalign (GTK_LABEL (legend), 0.0);
  gtk_label_set_ellipsize (GTK_LABEL (legend), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (legend, TRUE);
  gtk_widget_add_css_class (least, "dim-label");
  gtk_widget_add_css_class (shared, "dim-label");
  gtk_widget_add_css_class (syncs, "linked");
  gtk_box_append (GTK_BOX (syncs), new_toggle ("View", "compare-sync-view"));
  gtk_box_append (GTK_BOX (syncs), new_toggle ("Time", "compare-sync-time"));
  gtk_box_append (GTK_BOX (syncs), new_toggle ("Selection", "compare-sync-selection"));
  gtk_box_append (GTK_BOX (box), legend);
  gtk_box_append (GTK_BOX (box), least);
  gtk_box_append (GTK_BOX (box), build_threshold (set));
  gtk_box_append (GTK_BOX (box), new_toggle (_ ("Links, memory"), "compare-lanes"));
  gtk_box_append (GTK_BOX (box), shared);
  gtk_box_append (GTK_BOX (box), syncs);
  gtk_widget_add_css_class (box, "comparebar");
  return box;
}
