/* window-compare.c: commands for comparing plans, and the choice of the visible page. */
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-log.h"
#include "ui/shell/window-private.h"

static GobanCompareSet *
set_of (GobanWindow *self)
{
  return goban_session_get_compare_set (self->session);
}

/* --- commands ------------------------------------------------------------------------------- */

void
goban_window_explore (GobanWindow *self, GVariant *parameter)
{
  goban_compare_set_close (set_of (self));
}

void
goban_window_compare (GobanWindow *self, GVariant *parameter)
{
  if (g_list_model_get_n_items (goban_session_get_runs (self->session)) < 2)
    goban_session_say (self->session, FALSE,
                       "There is one plan only: place the graph with another policy to compare");
  else
    goban_compare_set_open (set_of (self));
}

void
goban_window_compare_swap (GobanWindow *self, GVariant *parameter)
{
  goban_compare_set_swap (set_of (self));
}

void
goban_window_compare_mode_changed (GobanWindow *self, GVariant *state)
{
  GobanCompareMode mode = GOBAN_COMPARE_SIDE;

  if (goban_compare_mode_find (g_variant_get_string (state, NULL), &mode))
    goban_compare_set_set_mode (set_of (self), mode);
}

void
goban_window_compare_unchanged_changed (GobanWindow *self, GVariant *state)
{
  GobanUnchanged unchanged = GOBAN_UNCHANGED_DIM;

  if (goban_unchanged_find (g_variant_get_string (state, NULL), &unchanged))
    goban_compare_set_set_unchanged (set_of (self), unchanged);
}

void
goban_window_compare_lanes_changed (GobanWindow *self, GVariant *state)
{
  goban_compare_set_set_all_lanes (set_of (self), g_variant_get_boolean (state));
}

void
goban_window_compare_scales_changed (GobanWindow *self, GVariant *state)
{
  goban_compare_set_set_own_scales (set_of (self), g_variant_get_boolean (state));
}

static const struct
{
  const char *action;
  GobanSync flag;
} syncs[] = {
  { "compare-sync-view", GOBAN_SYNC_VIEW },
  { "compare-sync-time", GOBAN_SYNC_TIME },
  { "compare-sync-selection", GOBAN_SYNC_SELECTION },
};

void
goban_window_compare_sync_changed (GobanWindow *self, GVariant *state)
{
  GobanSync sync = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    if (goban_window_get_toggle (self, syncs[i].action))
      sync |= syncs[i].flag;
  goban_compare_set_set_sync (set_of (self), sync);
}

/* --- following the set ---------------------------------------------------------------------- */

static void
set_state (GobanWindow *self, const char *action, GVariant *state)
{
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), action)), state);
}

static void
states_changed_cb (GobanWindow *self)
{
  GobanCompareSet *set = set_of (self);

  set_state (self, "compare-mode",
             g_variant_new_string (goban_compare_mode_name (goban_compare_set_get_mode (set))));
  set_state (self, "compare-unchanged",
             g_variant_new_string (goban_unchanged_name (goban_compare_set_get_unchanged (set))));
  set_state (self, "compare-lanes", g_variant_new_boolean (goban_compare_set_get_all_lanes (set)));
  set_state (self, "compare-scales",
             g_variant_new_boolean (goban_compare_set_get_own_scales (set)));
  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    set_state (self, syncs[i].action,
               g_variant_new_boolean ((goban_compare_set_get_sync (set) & syncs[i].flag) != 0));
}

static void
page_changed_cb (GobanWindow *self)
{
  GobanComparePage *page = GOBAN_COMPARE_PAGE (self->compare);
  gboolean is_open = goban_compare_set_is_open (set_of (self));
  GobanGraphView *view = GOBAN_GRAPH_VIEW (self->graph_view);

  if (is_open)
    view = goban_compare_set_get_mode (set_of (self)) == GOBAN_COMPARE_SIDE
               ? goban_compare_pane_get_view (goban_compare_page_get_pane (page, 0))
               : goban_compare_page_get_joint (page);
  self->last_picture = GOBAN_PICTURE (view);
  goban_window_update_page (self);
  goban_window_update_panes (self);
  goban_window_focus_picture (self);
}

static void
mode_changed_cb (GobanWindow *self)
{
  if (goban_compare_set_is_open (set_of (self)))
    page_changed_cb (self);
}

void
goban_window_update_page (GobanWindow *self)
{
  gboolean has_graph = goban_session_get_graph (self->session) != NULL;
  gboolean is_opened = has_graph && gtk_widget_get_mapped (self->start);

  gtk_stack_set_visible_child_name (GTK_STACK (self->upper),
                                    !has_graph                                  ? "start"
                                    : goban_compare_set_is_open (set_of (self)) ? "compare"
                                                                                : "work");
  /* Return would press "Open" again. */
  if (is_opened)
    goban_window_focus_picture (self);
}

void
goban_window_follow_compare (GobanWindow *self)
{
  static const char *const looks[]
      = { "notify::mode", "notify::unchanged", "notify::sync", "notify::lanes", "notify::scales" };

  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    g_signal_connect_object (set_of (self), looks[i], G_CALLBACK (states_changed_cb), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::open", G_CALLBACK (page_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::mode", G_CALLBACK (mode_changed_cb), self,
                           G_CONNECT_SWAPPED);
  states_changed_cb (self);
  goban_window_update_page (self);
}

void
goban_window_each_compared (GobanWindow *self, void (*what) (GobanPicture *picture, gpointer data),
                            gpointer data)
{
  g_autoptr (GPtrArray) pictures
      = goban_compare_page_list_pictures (GOBAN_COMPARE_PAGE (self->compare));

  for (guint i = 0; i < pictures->len; i++)
    what (g_ptr_array_index (pictures, i), data);
}
