/* compare-page-bar.c: bar with the options of a comparison: mode, unchanged nodes, the pair,
 * threshold and shared state. */
#include "ui/compare/compare-page.h"

#include "engine/core/i18n.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"
#include "ui/widgets/template.h"

#include <math.h>

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

static void
connect_unchanged (GobanCompareSet *set, GtkWidget *choice)
{
  unchanged_changed_cb (set, NULL, GTK_DROP_DOWN (choice));
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (unchanged_chosen_cb), set, 0);
  g_signal_connect_object (set, "notify::unchanged", G_CALLBACK (unchanged_changed_cb), choice, 0);
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
      GobanRun *run = goban_run_list_get (list, i);

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

static void
connect_pairs (GobanCompareSet *set, GtkWidget *choice)
{
  fill_pairs (set, NULL, GTK_DROP_DOWN (choice));
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (pair_chosen_cb), set, 0);
  g_signal_connect_object (set, "notify::pair", G_CALLBACK (fill_pairs), choice, 0);
  g_signal_connect_object (set, "notify::runs", G_CALLBACK (fill_pairs), choice, 0);
}

/* Two graphs have no picture together. */
static void
allow_modes (GobanCompareSet *set, GParamSpec *pspec, GtkWidget *modes)
{
  gtk_widget_set_sensitive (modes, !goban_compare_set_has_two_graphs (set));
}

/* --- the threshold ---------------------------------------------------------------------------- */

static void
threshold_chosen_cb (GtkSpinButton *spin, GobanCompareSet *set)
{
  double change_us = gtk_spin_button_get_value (spin) * 1000;

  /* A threshold that a script set may be finer than the shown digits. */
  if (fabs (change_us - goban_compare_set_get_min_change_us (set)) >= 0.5)
    goban_compare_set_set_min_change_us (set, change_us);
}

static void
threshold_changed_cb (GobanCompareSet *set, GParamSpec *pspec, GtkSpinButton *spin)
{
  gtk_spin_button_set_value (spin, goban_compare_set_get_min_change_us (set) / 1000);
}

static void
connect_threshold (GobanCompareSet *set, GtkWidget *spin)
{
  threshold_changed_cb (set, NULL, GTK_SPIN_BUTTON (spin));
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (threshold_chosen_cb), set, 0);
  g_signal_connect_object (set, "notify::min-change", G_CALLBACK (threshold_changed_cb), spin, 0);
}

GtkWidget *
goban_compare_bar_new (GobanSession *session, GtkWidget **legend)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GtkBuilder *builder = goban_template_load ("compare/compare-page-bar.ui", "bar");

  connect_unchanged (set, goban_template_get (builder, "unchanged"));
  connect_pairs (set, goban_template_get (builder, "pairs"));
  g_signal_connect_object (set, "notify::pair", G_CALLBACK (allow_modes),
                           goban_template_get (builder, "modes"), 0);
  connect_threshold (set, goban_template_get (builder, "threshold"));
  g_signal_connect_object (goban_template_get (builder, "drop_plan"), "clicked",
                           G_CALLBACK (drop_plan_cb), session, 0);
  g_signal_connect_object (goban_template_get (builder, "add_plan"), "clicked",
                           G_CALLBACK (add_plan_cb), session, 0);
  *legend = goban_template_get (builder, "legend");
  return goban_template_take (builder, "bar");
}
