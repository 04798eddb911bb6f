/* window-finding.c: commands for finding nodes: search, palette, table, visited places, and steps
 * along edges.
 */
#include "ui/shell/window-private.h"

#include "engine/base/i18n.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-sight.h"
#include "ui/shell/command-list.h"
#include "ui/shell/walk.h"

static GobanView *
view_of (GobanWindow *self)
{
  return goban_session_get_view (self->session);
}

static GobanSearchBar *
search_bar_of (GobanWindow *self)
{
  return GOBAN_SEARCH_BAR (self->search_bar);
}

/* The one node that is selected, or GOBAN_NO_NODE. */
static GobanNodeId
get_selected_node (GobanWindow *self)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  return n == 1 ? ids[0] : GOBAN_NO_NODE;
}

static void
select_node (GobanWindow *self, GobanNodeId node)
{
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);

  goban_session_set_selection (self->session, one);
}

static void
set_enabled (GobanWindow *self, const char *action, gboolean is_enabled)
{
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), action)), is_enabled);
}

/* --- search ----------------------------------------------------------------------------------------- */

void
goban_window_search (GobanWindow *self, GVariant *parameter)
{
  goban_search_bar_open (search_bar_of (self));
}

/* Without a search, the question is which. */
static void
step_match (GobanWindow *self, int direction)
{
  if (goban_search_bar_get_matches (search_bar_of (self)) != NULL)
    goban_search_bar_step (search_bar_of (self), direction);
  else if (goban_session_get_graph (self->session) != NULL)
    goban_search_bar_open (search_bar_of (self));
}

void
goban_window_next_match (GobanWindow *self, GVariant *parameter)
{
  step_match (self, 1);
}

void
goban_window_previous_match (GobanWindow *self, GVariant *parameter)
{
  step_match (self, -1);
}

void
goban_window_select_matches (GobanWindow *self, GVariant *parameter)
{
  goban_search_bar_select_all (search_bar_of (self));
}

void
goban_window_filter_matches (GobanWindow *self, GVariant *parameter)
{
  goban_search_bar_filter (search_bar_of (self));
}

void
goban_window_hide_matches (GobanWindow *self, GVariant *parameter)
{
  goban_search_bar_hide_matches (search_bar_of (self));
}

void
goban_window_close_search (GobanWindow *self, GVariant *parameter)
{
  goban_search_bar_close (search_bar_of (self));
}

void
goban_window_escape (GobanWindow *self, GVariant *parameter)
{
  if (!goban_window_calm_timeline (self) && !goban_search_bar_close (search_bar_of (self)))
    goban_window_select_none (self, NULL);
}

static void
matches_changed_cb (GobanWindow *self)
{
  static const char *const need_matches[] = { "select-matches", "filter-matches", "hide-matches" };
  GobanSelection *matches = goban_search_bar_get_matches (search_bar_of (self));
  guint n = 0;

  if (matches != NULL)
    goban_selection_get_ids (matches, &n);
  for (gsize i = 0; i < G_N_ELEMENTS (need_matches); i++)
    set_enabled (self, need_matches[i], n > 0);
  goban_graph_view_set_matches (GOBAN_GRAPH_VIEW (self->graph_view), matches);
  goban_timeline_view_set_matches (GOBAN_TIMELINE_VIEW (self->timeline), matches);
  goban_node_table_filter (GOBAN_NODE_TABLE (self->table), matches);
}

void
goban_window_palette (GobanWindow *self, GVariant *parameter)
{
  goban_command_palette_open (GOBAN_COMMAND_PALETTE (self->palette), "");
}

/* --- places ------------------------------------------------------------------------------------------- */

static void
update_places (GobanWindow *self)
{
  GobanNavigation *places = goban_view_get_places (view_of (self));

  set_enabled (self, "back", goban_navigation_can_step (places, -1));
  set_enabled (self, "forward", goban_navigation_can_step (places, 1));
}

static void
visit_cb (GobanWindow *self)
{
  if (goban_session_get_graph (self->session) != NULL)
    goban_navigation_visit (goban_view_get_places (view_of (self)),
                            goban_session_get_selection (self->session),
                            goban_view_get_sight (view_of (self)));
  update_places (self);
}

static void
go_to_place (GobanWindow *self, int steps)
{
  const GobanPlace *place = goban_navigation_step (goban_view_get_places (view_of (self)), steps);
  g_autoptr (GobanSelection) selection = NULL;
  GobanViewport sight;

  if (place == NULL)
    return;
  /* Copied: the selection's change tells the place what is in sight by then. */
  sight = place->sight;
  selection = goban_selection_ref (place->selection);
  goban_session_set_selection (self->session, selection);
  goban_view_look (view_of (self), &sight);
  update_places (self);
}

void
goban_window_back (GobanWindow *self, GVariant *parameter)
{
  go_to_place (self, -1);
}

void
goban_window_forward (GobanWindow *self, GVariant *parameter)
{
  go_to_place (self, 1);
}

static void hint (GobanWindow *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* In the status line: a visible effect needs no notice. */
static void
hint (GobanWindow *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  goban_status_bar_set_hint (GOBAN_STATUS_BAR (self->status), text);
}

void
goban_window_store_view (GobanWindow *self, GVariant *parameter)
{
  gint32 number = g_variant_get_int32 (parameter);

  if (number < 1 || number > GOBAN_BOOKMARKS)
    return;
  goban_view_snapshot (view_of (self), (guint) number);
  hint (self, _ ("This view is kept as %d: press %d in a picture to come back"), number, number);
}

void
goban_window_recall_view (GobanWindow *self, GVariant *parameter)
{
  gint32 number = g_variant_get_int32 (parameter);

  if (number < 1 || number > GOBAN_BOOKMARKS)
    return;
  if (goban_view_recall (view_of (self), (guint) number))
    hint (self, _ ("View %d"), number);
  else
    hint (self, _ ("No view is kept as %d: Ctrl+Alt+%d keeps the one in sight"), number, number);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

void
goban_window_walk (GobanWindow *self, GVariant *parameter)
{
  const char *where = g_variant_get_string (parameter, NULL);
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanNodeId from = get_selected_node (self);
  GobanNodeId to;

  if (graph == NULL || from == GOBAN_NO_NODE)
    return;
  if (g_str_equal (where, "input"))
    to = goban_walk_input (graph, from);
  else if (g_str_equal (where, "output"))
    to = goban_walk_output (graph, from);
  else
    to = goban_walk_sibling (graph, from, g_str_equal (where, "next") ? 1 : -1);
  if (to != GOBAN_NO_NODE)
    select_node (self, to);
}

/* One neighbour after the other of the node where it began, and that node again after the last. */
void
goban_window_neighbour (GobanWindow *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  g_autofree GobanNodeId *neighbours = NULL;
  guint n;

  if (self->walk_from == GOBAN_NO_NODE)
    {
      self->walk_from = get_selected_node (self);
      self->walk_at = 0;
    }
  if (graph == NULL || self->walk_from == GOBAN_NO_NODE)
    return;

  neighbours = goban_walk_neighbours (graph, self->walk_from, &n);
  self->walk_at = (self->walk_at + n + 1 + (guint) g_variant_get_int32 (parameter)) % (n + 1);
  self->is_walking = TRUE;
  select_node (self, self->walk_at > 0 ? neighbours[self->walk_at - 1] : self->walk_from);
  self->is_walking = FALSE;
  if (self->walk_at > 0)
    hint (self, _ ("%u of %u neighbours of %s"), self->walk_at, n,
          goban_graph_get_node (graph, self->walk_from)->name);
  else
    hint (self, _ ("All %u neighbours were seen"), n);
}

/* Tab goes from neighbour to neighbour only while there is a node to have some; else it goes on to the
 * next pane, as everywhere. */
static void
selection_changed_cb (GobanWindow *self)
{
  if (!self->is_walking)
    self->walk_from = GOBAN_NO_NODE;
  set_enabled (self, "walk", get_selected_node (self) != GOBAN_NO_NODE);
  set_enabled (self, "neighbour", get_selected_node (self) != GOBAN_NO_NODE);
}

/* --- copies ----------------------------------------------------------------------------------------------- */

static void
copy (GobanWindow *self, const char *text, const char *what)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  hint (self, "%s", what);
}

void
goban_window_copy_text (GobanWindow *self, GVariant *parameter)
{
  g_autofree char *text = goban_inspector_dup_text (GOBAN_INSPECTOR (self->inspector));

  copy (self, text, _ ("Copied what the inspector says"));
}

void
goban_window_copy_lua (GobanWindow *self, GVariant *parameter)
{
  g_autofree char *text = goban_inspector_dup_lua (GOBAN_INSPECTOR (self->inspector));

  copy (self, text, _ ("Copied the selection as Lua"));
}

void
goban_window_copy_rows (GobanWindow *self, GVariant *parameter)
{
  goban_node_table_copy (GOBAN_NODE_TABLE (self->table));
  hint (self, _ ("Copied the rows"));
}

/* --- the table, which shares the lower pane with the console ------------------------------------------------- */

static gboolean
is_page_visible (GobanWindow *self, GtkWidget *page)
{
  return gtk_stack_page_get_visible (gtk_stack_get_page (GTK_STACK (self->stack), page));
}

/* A page that has just been asked for comes to the front. */
static void
show_page (GobanWindow *self, GtkWidget *page, gboolean is_visible)
{
  gboolean is_new = is_visible && !is_page_visible (self, page);

  gtk_widget_set_visible (page, is_visible);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), page), is_visible);
  if (is_new)
    gtk_stack_set_visible_child (GTK_STACK (self->stack), page);
}

void
goban_window_update_bottom (GobanWindow *self)
{
  gboolean has_console
      = self->evaluator != NULL && goban_window_get_toggle (self, GOBAN_SETTING_CONSOLE);
  gboolean has_table = goban_session_get_graph (self->session) != NULL
                       && goban_window_get_toggle (self, GOBAN_SETTING_TABLE);
  gboolean has_notes = goban_session_get_graph (self->session) != NULL
                       && goban_window_get_toggle (self, GOBAN_SETTING_NOTES);

  show_page (self, self->console, has_console);
  show_page (self, self->table, has_table);
  show_page (self, self->notes, has_notes);
  gtk_widget_set_visible (self->switcher, has_console + has_table + has_notes > 1);
  gtk_widget_set_visible (self->bottom, has_console || has_table || has_notes);
  goban_window_keep_focus (self);
}

void
goban_window_table_changed (GobanWindow *self, GVariant *state)
{
  goban_window_update_bottom (self);
  if (self->settings != NULL)
    goban_settings_set_boolean (self->settings, GOBAN_SETTING_TABLE, g_variant_get_boolean (state));
  if (gtk_widget_get_visible (self->table) && g_variant_get_boolean (state))
    gtk_widget_child_focus (self->table, GTK_DIR_TAB_FORWARD);
}

void
goban_window_notes_changed (GobanWindow *self, GVariant *state)
{
  goban_window_update_bottom (self);
  if (self->settings != NULL)
    goban_settings_set_boolean (self->settings, GOBAN_SETTING_NOTES, g_variant_get_boolean (state));
  if (gtk_widget_get_visible (self->notes) && g_variant_get_boolean (state))
    gtk_widget_child_focus (self->notes, GTK_DIR_TAB_FORWARD);
}

GtkWidget *
goban_window_build_bottom (GobanWindow *self)
{
  self->table = goban_node_table_new (self->session);
  self->notes = goban_notes_view_new (self->session);
  self->stack = gtk_stack_new ();
  gtk_stack_add_titled (GTK_STACK (self->stack), self->console, "console", _ ("Console"));
  gtk_stack_add_titled (GTK_STACK (self->stack), self->table, "nodes", _ ("Nodes"));
  gtk_stack_add_titled (GTK_STACK (self->stack), self->notes, "notes", _ ("Notes"));
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->notes), FALSE);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->console), FALSE);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->table), FALSE);
  gtk_widget_set_vexpand (self->stack, TRUE);
  self->switcher = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (self->switcher), GTK_STACK (self->stack));
  gtk_widget_set_halign (self->switcher, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->switcher, "pages");

  self->bottom = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->bottom), self->switcher);
  gtk_box_append (GTK_BOX (self->bottom), self->stack);
  gtk_widget_set_size_request (self->bottom, -1, 80);
  return self->bottom;
}

/* --- following the session ------------------------------------------------------------------------------------ */

static void
graph_changed_cb (GobanWindow *self)
{
  self->walk_from = GOBAN_NO_NODE;
  visit_cb (self);
}

void
goban_window_follow_places (GobanWindow *self)
{
  self->walk_from = GOBAN_NO_NODE;
  g_signal_connect_object (self->session, "notify::selection", G_CALLBACK (visit_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::graph", G_CALLBACK (graph_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

void
goban_window_follow_finding (GobanWindow *self)
{
  g_signal_connect_object (self->session, "notify::selection", G_CALLBACK (selection_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_bar, "notify::matches", G_CALLBACK (matches_changed_cb),
                           self, G_CONNECT_SWAPPED);
  selection_changed_cb (self);
  matches_changed_cb (self);
  update_places (self);
}
