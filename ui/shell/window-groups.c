/* window-groups.c: commands for groups and layouts. */
#include "ui/shell/window-private.h"

static GobanView *
view_of (GobanWindow *self)
{
  return goban_session_get_view (self->session);
}

void
goban_window_open_group (GobanWindow *self, GVariant *parameter)
{
  if (!GOBAN_IS_GRAPH_VIEW (self->last_picture)
      || !goban_graph_view_expand_selection (GOBAN_GRAPH_VIEW (self->last_picture)))
    goban_window_zoom_selection (self, NULL);
}

void
goban_window_close_group (GobanWindow *self, GVariant *parameter)
{
  goban_graph_view_collapse_selection (GOBAN_IS_GRAPH_VIEW (self->last_picture)
                                           ? GOBAN_GRAPH_VIEW (self->last_picture)
                                           : GOBAN_GRAPH_VIEW (self->graph_view));
}

void
goban_window_close_groups (GobanWindow *self, GVariant *parameter)
{
  static const char *const none[] = { NULL };

  goban_view_set_expanded (view_of (self), none);
}

void
goban_window_morph (GobanWindow *self, GVariant *parameter)
{
  gboolean is_schedule = goban_view_get_layout (view_of (self)) == GOBAN_ARRANGE_LANES;

  goban_view_set_layout (view_of (self), is_schedule ? GOBAN_ARRANGE_AUTO : GOBAN_ARRANGE_LANES);
}

void
goban_window_group_changed (GobanWindow *self, GVariant *state)
{
  GobanGrouping grouping = GOBAN_GROUPING_AUTO;

  if (goban_grouping_find (g_variant_get_string (state, NULL), &grouping))
    goban_view_set_grouping (view_of (self), grouping);
}

void
goban_window_layout_changed (GobanWindow *self, GVariant *state)
{
  GobanArrangement layout = GOBAN_ARRANGE_AUTO;

  if (goban_arrangement_find (g_variant_get_string (state, NULL), &layout))
    goban_view_set_layout (view_of (self), layout);
}

static void
set_state (GobanWindow *self, const char *action, const char *word)
{
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), action)),
      g_variant_new_string (word));
}

static void
look_changed_cb (GobanWindow *self)
{
  set_state (self, "group", goban_grouping_name (goban_view_get_grouping (view_of (self))));
  set_state (self, "layout", goban_arrangement_name (goban_view_get_layout (view_of (self))));
}

void
goban_window_follow_groups (GobanWindow *self)
{
  g_signal_connect_object (view_of (self), "notify::grouping", G_CALLBACK (look_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view_of (self), "notify::layout", G_CALLBACK (look_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
