/* window-actions.c: commands of the window that need no file. */
#include "ui/shell/window-private.h"

#include "engine/session/coloring.h"
#include "engine/session/edit-queue.h"
#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "ui/shell/actions.h"
#include "ui/shell/place-menu.h"

#define ZOOM_STEP 1.25

/* --- plans ---------------------------------------------------------------------------------- */

/* Each time with another seed: asking again asks for something new, where there is chance. */
void
goban_window_place (GobanWindow *self, GVariant *parameter)
{
  const char *policy = g_variant_get_string (parameter, NULL);

  goban_session_place (self->session, policy, goban_place_menu_next_seed (self->session, policy));
}

void
goban_window_place_with (GobanWindow *self, GVariant *parameter)
{
  const char *policies[2] = { NULL };
  const char *tasks;
  GobanRunOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  g_variant_get (parameter, "(&sttd&s)", &policies[0], &options.seed, &options.max_evaluations,
                 &options.max_seconds, &tasks);
  if (*tasks != '\0' && !goban_decisions_parse (tasks, &options.decisions, &error))
    {
      goban_session_say (self->session, TRUE, "%s", error->message);
      return;
    }
  goban_session_place_with (self->session, policies, &options);
}

void
goban_window_place_quick (GobanWindow *self, GVariant *parameter)
{
  g_autoptr (GPtrArray) quick = g_ptr_array_new ();
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (policies[i].effort, "quick")
        && goban_place_menu_next_seed (self->session, policies[i].name) == 0)
      g_ptr_array_add (quick, (gpointer) policies[i].name);
  if (quick->len == 0)
    {
      goban_session_say (self->session, FALSE, "Every quick policy has a plan in the list");
      return;
    }
  g_ptr_array_add (quick, NULL);
  goban_session_place_with (self->session, (const char *const *) quick->pdata, NULL);
}

void
goban_window_choose_policy (GobanWindow *self, GVariant *parameter)
{
  if (goban_session_get_graph (self->session) != NULL)
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->place_button));
}

void
goban_window_forget_wanted (GobanWindow *self)
{
  g_clear_pointer (&self->wanted_policy, g_free);
  g_clear_pointer (&self->wanted_cluster, goban_cluster_unref);
}

/* Plans of fewer or more devices are gone; what was shown is placed again the same way. */
void
goban_window_place_on_cluster (GobanWindow *self)
{
  if (self->wanted_cluster == NULL
      || goban_session_get_cluster (self->session) != self->wanted_cluster)
    return;
  if (self->wanted_policy != NULL && goban_session_get_current_run (self->session) == NULL
      && goban_policy_exists (self->wanted_policy, NULL))
    goban_session_place (self->session, self->wanted_policy, 0);
  goban_window_forget_wanted (self);
}

/* All plans are simulated on it in a worker. */
void
goban_window_adopt_cluster (GobanWindow *self, GobanCluster *cluster)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  g_autoptr (GobanEdit) edit = goban_edit_new (self->session, GOBAN_EDIT_CLUSTER, NULL);

  goban_window_forget_wanted (self);
  self->wanted_policy
      = run != NULL ? g_strdup (goban_plan_get_policy (goban_run_get_plan (run))) : NULL;
  self->wanted_cluster = goban_cluster_ref (cluster);
  edit->cluster = goban_cluster_ref (cluster);
  goban_session_edit (self->session, edit);
}

/* The panel of devices and links; the parameter is what it shows, "" for all. */
void
goban_window_show_devices (GobanWindow *self, GVariant *parameter)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self), GOBAN_SETTING_RIGHT,
                                      g_variant_new_boolean (TRUE));
  gtk_stack_set_visible_child (GTK_STACK (self->right_pages), self->devices);
  goban_cluster_panel_show (GOBAN_CLUSTER_PANEL (self->devices),
                            g_variant_get_string (parameter, NULL));
}

void
goban_window_choose_preset (GobanWindow *self, GVariant *parameter)
{
  const char *spec = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, &error);

  if (cluster == NULL)
    {
      goban_session_say (self->session, TRUE, "%s", error->message);
      return;
    }

  goban_window_adopt_cluster (self, cluster);
  if (self->settings != NULL)
    goban_settings_set_string (self->settings, GOBAN_SETTING_CLUSTER, spec);
}

void
goban_window_next_plan (GobanWindow *self, GVariant *parameter)
{
  goban_plan_list_step (GOBAN_PLAN_LIST (self->plans), 1);
}

void
goban_window_previous_plan (GobanWindow *self, GVariant *parameter)
{
  goban_plan_list_step (GOBAN_PLAN_LIST (self->plans), -1);
}

void
goban_window_remove_plan (GobanWindow *self, GVariant *parameter)
{
  GobanRun *run = goban_session_get_current_run (self->session);

  if (run != NULL)
    goban_session_remove_run (self->session, run);
}

void
goban_window_stop (GobanWindow *self, GVariant *parameter)
{
  if (goban_session_get_job (self->session) != NULL)
    {
      goban_session_finish_job (self->session);
      goban_status_bar_set_stopping (GOBAN_STATUS_BAR (self->status));
    }
  goban_console_view_interrupt (GOBAN_CONSOLE_VIEW (self->console));
}

/* --- pictures ------------------------------------------------------------------------------- */

/* The graph that had the focus last: the explorer's, or one of those that are compared. */
static GobanGraphView *
graph_of (GobanWindow *self)
{
  return GOBAN_GRAPH_VIEW (GOBAN_IS_GRAPH_VIEW (self->last_picture)
                               ? GTK_WIDGET (self->last_picture)
                               : self->graph_view);
}

void
goban_window_fit (GobanWindow *self, GVariant *parameter)
{
  if (self->last_picture == GOBAN_PICTURE (self->timeline))
    goban_timeline_view_fit (GOBAN_TIMELINE_VIEW (self->timeline));
  else if (GOBAN_IS_COMPARE_TIMELINE (self->last_picture))
    goban_compare_timeline_fit (GOBAN_COMPARE_TIMELINE (self->last_picture));
  else
    goban_graph_view_fit (graph_of (self));
}

void
goban_window_zoom_selection (GobanWindow *self, GVariant *parameter)
{
  if (self->last_picture == GOBAN_PICTURE (self->timeline))
    goban_timeline_view_show_selection (GOBAN_TIMELINE_VIEW (self->timeline));
  else if (GOBAN_IS_COMPARE_TIMELINE (self->last_picture))
    goban_compare_timeline_show_selection (GOBAN_COMPARE_TIMELINE (self->last_picture));
  else
    goban_graph_view_show_selection (graph_of (self));
}

void
goban_window_zoom_in (GobanWindow *self, GVariant *parameter)
{
  goban_picture_zoom (self->last_picture, ZOOM_STEP);
}

void
goban_window_zoom_out (GobanWindow *self, GVariant *parameter)
{
  goban_picture_zoom (self->last_picture, 1 / ZOOM_STEP);
}

void
goban_window_pan (GobanWindow *self, GVariant *parameter)
{
  const char *where = g_variant_get_string (parameter, NULL);
  int x = g_str_equal (where, "left") ? 1 : g_str_equal (where, "right") ? -1 : 0;
  int y = g_str_equal (where, "up") ? 1 : g_str_equal (where, "down") ? -1 : 0;

  goban_picture_pan (self->last_picture, x, y);
}

void
goban_window_color_changed (GobanWindow *self, GVariant *state)
{
  GobanView *view = goban_session_get_view (self->session);
  const char *color = g_variant_get_string (state, NULL);
  g_autoptr (GError) error = NULL;

  if (goban_color_check (color, &error))
    {
      goban_view_set_color (view, color);
      return;
    }
  goban_session_say (self->session, TRUE, "%s", error->message);
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "color")),
      g_variant_new_string (goban_view_get_color (view)));
}

static void
show_critical (GobanPicture *picture, gpointer show)
{
  if (GOBAN_IS_GRAPH_VIEW (picture))
    goban_graph_view_set_show_critical (GOBAN_GRAPH_VIEW (picture), GPOINTER_TO_INT (show));
}

static void
set_theme (GobanPicture *picture, gpointer theme)
{
  goban_picture_set_theme (picture, (GobanTheme) GPOINTER_TO_INT (theme));
}

void
goban_window_critical_changed (GobanWindow *self, GVariant *state)
{
  gboolean show = g_variant_get_boolean (state);

  goban_graph_view_set_show_critical (GOBAN_GRAPH_VIEW (self->graph_view), show);
  goban_timeline_view_set_show_critical (GOBAN_TIMELINE_VIEW (self->timeline), show);
  goban_window_each_compared (self, show_critical, GINT_TO_POINTER (show));
}

void
goban_window_dark_changed (GobanWindow *self, GVariant *state)
{
  gboolean dark = g_variant_get_boolean (state);
  GobanTheme theme = dark ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT;
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));

  g_object_set (settings, "gtk-application-prefer-dark-theme", dark, NULL);
  goban_picture_set_theme (GOBAN_PICTURE (self->graph_view), theme);
  goban_picture_set_theme (GOBAN_PICTURE (self->timeline), theme);
  goban_window_each_compared (self, set_theme, GINT_TO_POINTER (theme));
  goban_step_strip_set_theme (GOBAN_STEP_STRIP (self->steps), theme);
  goban_legend_set_dark (GOBAN_LEGEND (self->legend), dark);
  goban_cluster_panel_set_theme (GOBAN_CLUSTER_PANEL (self->devices), theme);
  goban_console_view_set_dark (GOBAN_CONSOLE_VIEW (self->console), dark);
  if (dark)
    gtk_widget_add_css_class (GTK_WIDGET (self), "dark");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "dark");
  if (self->settings != NULL)
    goban_settings_set_boolean (self->settings, GOBAN_SETTING_DARK, dark);
}

/* --- panes ---------------------------------------------------------------------------------- */

void
goban_window_pane_changed (GobanWindow *self, GVariant *state)
{
  static const char *const panes[]
      = { GOBAN_SETTING_LEFT, GOBAN_SETTING_RIGHT, GOBAN_SETTING_TIMELINE, GOBAN_SETTING_CONSOLE };
  gboolean had_console = gtk_widget_get_visible (self->console);

  goban_window_update_panes (self);
  if (self->settings != NULL)
    for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
      goban_settings_set_boolean (self->settings, panes[i],
                                  goban_window_get_toggle (self, panes[i]));

  if (!had_console && gtk_widget_get_visible (self->console))
    gtk_widget_grab_focus (self->console);
}

void
goban_window_minimap_changed (GobanWindow *self, GVariant *state)
{
  goban_minimap_view_set_wanted (GOBAN_MINIMAP_VIEW (self->minimap), g_variant_get_boolean (state));
}

void
goban_window_fullscreen_changed (GobanWindow *self, GVariant *state)
{
  if (g_variant_get_boolean (state))
    gtk_window_fullscreen (GTK_WINDOW (self));
  else
    gtk_window_unfullscreen (GTK_WINDOW (self));
}

/* --- selection ------------------------------------------------------------------------------- */

void
goban_window_select_all (GobanWindow *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  guint n = graph != NULL ? goban_graph_get_n_nodes (graph) : 0;
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, MAX (n, 1));
  g_autoptr (GobanSelection) all = NULL;

  for (guint v = 0; v < n; v++)
    ids[v] = v;
  all = goban_selection_new (ids, n);
  goban_session_set_selection (self->session, all);
}

void
goban_window_select_none (GobanWindow *self, GVariant *parameter)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  goban_session_set_selection (self->session, nothing);
}

void
goban_window_select_neighbours (GobanWindow *self, GVariant *parameter)
{
  gboolean inputs = g_str_equal (g_variant_get_string (parameter, NULL), "inputs");
  GobanGraph *graph = goban_session_get_graph (self->session);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) neighbours = NULL;
  g_autoptr (GobanSelection) grown = NULL;
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  for (guint i = 0; graph != NULL && i < n; i++)
    {
      GobanEdgeSpan edges = inputs ? goban_graph_get_in_edges (graph, ids[i])
                                   : goban_graph_get_out_edges (graph, ids[i]);

      for (guint e = 0; e < edges.n; e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[e]);

          g_array_append_val (found, *(inputs ? &edge->tail : &edge->head));
        }
    }

  neighbours = goban_selection_new ((const GobanNodeId *) found->data, found->len);
  grown = goban_selection_union (goban_session_get_selection (self->session), neighbours);
  goban_session_set_selection (self->session, grown);
}

/* The op that runs next (or ran before) on the device of the selected one; from nothing, the
 * first of the run. */
static GobanNodeId
find_next_op (GobanRun *run, GobanNodeId from, int direction)
{
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  GobanPlan *plan = goban_run_get_plan (run);
  GobanNodeId best = GOBAN_NO_NODE;

  for (guint v = 0; spans != NULL && v < goban_plan_get_n_nodes (plan); v++)
    {
      double distance_us, best_us;

      if (from != GOBAN_NO_NODE
          && (v == from || goban_plan_get_device (plan, v) != goban_plan_get_device (plan, from)))
        continue;
      distance_us = from == GOBAN_NO_NODE ? spans[v].start_us
                                          : direction * (spans[v].start_us - spans[from].start_us);
      best_us = best == GOBAN_NO_NODE   ? G_MAXDOUBLE
                : from == GOBAN_NO_NODE ? spans[best].start_us
                                        : direction * (spans[best].start_us - spans[from].start_us);
      /* Ops that take no time share an instant; among them the ids decide. */
      if (distance_us < 0
          || (from != GOBAN_NO_NODE && distance_us <= 0 && (v < from) == (direction > 0)))
        continue;
      if (distance_us < best_us)
        best = v;
    }

  return best;
}

void
goban_window_step (GobanWindow *self, GVariant *parameter)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  GobanNodeId next;

  if (run == NULL)
    return;
  if (goban_window_means_steps (self))
    {
      goban_window_decision (self, parameter);
      return;
    }

  next = find_next_op (run, n > 0 ? ids[0] : GOBAN_NO_NODE, g_variant_get_int32 (parameter));
  if (next != GOBAN_NO_NODE)
    {
      g_autoptr (GobanSelection) selection = goban_selection_new (&next, 1);

      goban_session_set_selection (self->session, selection);
    }
}

/* --- general ----------------------------------------------------------------------------------- */

void
goban_window_show_shortcuts (GobanWindow *self, GVariant *parameter)
{
  GtkWidget *shortcuts = goban_actions_make_shortcuts ();

  gtk_window_set_transient_for (GTK_WINDOW (shortcuts), GTK_WINDOW (self));
  gtk_window_present (GTK_WINDOW (shortcuts));
}

void
goban_window_help (GobanWindow *self, GVariant *parameter)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus == NULL || !gtk_widget_is_ancestor (focus, self->console)
      || !goban_console_view_help (GOBAN_CONSOLE_VIEW (self->console)))
    goban_window_show_shortcuts (self, NULL);
}

void
goban_window_show_about (GobanWindow *self, GVariant *parameter)
{
  gtk_show_about_dialog (GTK_WINDOW (self), "program-name", "Goban", "version", GOBAN_VERSION,
                         "logo-icon-name", "org.goban.Goban", "comments",
                         "Placement and scheduling of neural networks on several devices",
                         "license-type", GTK_LICENSE_MIT_X11, NULL);
}

void
goban_window_close (GobanWindow *self, GVariant *parameter)
{
  gtk_window_close (GTK_WINDOW (self));
}

void
goban_window_quit (GobanWindow *self, GVariant *parameter)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  /* Closing, not quitting: each window remembers its size on the way. */
  while (windows != NULL)
    {
      GtkWindow *window = windows->data;

      windows = windows->next;
      gtk_window_close (window);
    }
}
