#include "ui/commands/commands-private.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/commands/edge-walk.h"
#include "ui/graph/graph-drag.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

/* After D, a digit within so long says to which device. */
#define DEVICE_KEY_MS 3000
/* The time after an arrow key is longer, because the user watches the preview. */
#define DEVICE_AIM_MS 20000

/* The one node that is selected, or GOBAN_NO_NODE. */
static GobanNodeId
get_selected_node (GobanCommands *self)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->site.session), &n);

  return n == 1 ? ids[0] : GOBAN_NO_NODE;
}

static void
select_node (GobanCommands *self, GobanNodeId node)
{
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);

  goban_session_set_selection (self->site.session, one);
}

static void
select_all (GobanCommands *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  guint n = graph != NULL ? goban_graph_get_n_nodes (graph) : 0;
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, MAX (n, 1));
  g_autoptr (GobanSelection) all = NULL;

  for (guint v = 0; v < n; v++)
    ids[v] = v;
  all = goban_selection_new (ids, n);
  goban_session_set_selection (self->site.session, all);
}

static void
select_none (GobanCommands *self, GVariant *parameter)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  goban_session_set_selection (self->site.session, nothing);
}

static void
select_neighbours (GobanCommands *self, GVariant *parameter)
{
  gboolean inputs = g_str_equal (g_variant_get_string (parameter, NULL), "inputs");
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) neighbours = NULL;
  g_autoptr (GobanSelection) grown = NULL;
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->site.session), &n);

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
  grown = goban_selection_union (goban_session_get_selection (self->site.session), neighbours);
  goban_session_set_selection (self->site.session, grown);
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

static void
step (GobanCommands *self, GVariant *parameter)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->site.session), &n);
  GobanNodeId next;

  if (run == NULL)
    return;
  if (goban_commands_are_for_decisions (self))
    {
      goban_decision_player_go (self->player, g_variant_get_int32 (parameter));
      return;
    }

  next = find_next_op (run, n > 0 ? ids[0] : GOBAN_NO_NODE, g_variant_get_int32 (parameter));
  if (next != GOBAN_NO_NODE)
    select_node (self, next);
}

/* --- walks ------------------------------------------------------------------------------------ */

static void
walk (GobanCommands *self, GVariant *parameter)
{
  const char *where = g_variant_get_string (parameter, NULL);
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  GobanNodeId from = get_selected_node (self);
  GobanNodeId to;

  if (graph == NULL || from == GOBAN_NO_NODE)
    return;
  if (g_str_equal (where, "input"))
    to = goban_edge_walk_input (graph, from);
  else if (g_str_equal (where, "output"))
    to = goban_edge_walk_output (graph, from);
  else
    to = goban_edge_walk_sibling (graph, from, g_str_equal (where, "next") ? 1 : -1);
  if (to != GOBAN_NO_NODE)
    select_node (self, to);
}

/* One neighbour after the other of the node where it began, and that node again after the last. */
static void
neighbour (GobanCommands *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  g_autofree GobanNodeId *neighbours = NULL;
  char at[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];
  guint n;

  if (self->walk.from == GOBAN_NO_NODE)
    {
      self->walk.from = get_selected_node (self);
      self->walk.at = 0;
    }
  if (graph == NULL || self->walk.from == GOBAN_NO_NODE)
    return;

  neighbours = goban_edge_walk_neighbours (graph, self->walk.from, &n);
  self->walk.at = (self->walk.at + n + 1 + (guint) g_variant_get_int32 (parameter)) % (n + 1);
  self->walk.is_on = TRUE;
  select_node (self, self->walk.at > 0 ? neighbours[self->walk.at - 1] : self->walk.from);
  self->walk.is_on = FALSE;
  if (self->walk.at > 0)
    goban_site_hint (&self->site, _ ("%s of %s neighbours of %s"),
                     goban_format_grouped (at, self->walk.at), goban_format_grouped (all, n),
                     goban_graph_get_node (graph, self->walk.from)->name);
  else
    goban_site_hint (&self->site, _ ("All %s neighbours were seen"), goban_format_grouped (all, n));
}

static void
graph_changed_cb (GobanCommands *self)
{
  self->walk.from = GOBAN_NO_NODE;
}

/* Tab goes from neighbour to neighbour only while there is a node to have some; else it goes on to
 * the next pane, as everywhere. */
static void
selection_changed_cb (GobanCommands *self)
{
  static const char *const need_node[] = { "walk", "neighbour", NULL };

  if (!self->walk.is_on)
    self->walk.from = GOBAN_NO_NODE;
  goban_site_set_enabled (&self->site, need_node, get_selected_node (self) != GOBAN_NO_NODE);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void
copy (GobanCommands *self, const char *text, const char *what)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->site.window)), text);
  goban_site_hint (&self->site, "%s", what);
}

static void
copy_text (GobanCommands *self, GVariant *parameter)
{
  g_autofree char *text = goban_inspector_dup_text (self->inspector);

  copy (self, text, _ ("Copied the contents of the inspector"));
}

static void
copy_lua (GobanCommands *self, GVariant *parameter)
{
  g_autofree char *text = goban_inspector_dup_lua (self->inspector);

  copy (self, text, _ ("Copied the selection as Lua"));
}

/* --- the key D: to a device with a digit, else to the right ----------------------------------- */

static void
forget_device_key (GobanCommands *self)
{
  if (self->device_key_id == 0)
    return;

  g_clear_handle_id (&self->device_key_id, g_source_remove);
  goban_graph_view_offer_devices (goban_pictures_get_explored (self->pictures), FALSE);
  goban_status_bar_set_hint (self->site.status, "");
}

static gboolean
timeout_cb (gpointer user_data)
{
  forget_device_key (user_data);
  return G_SOURCE_REMOVE;
}

static void
wait_for_device (GobanCommands *self, guint ms)
{
  if (self->device_key_id != 0)
    g_source_remove (self->device_key_id);
  self->device_key_id = g_timeout_add (ms, timeout_cb, self);
}

/* D is also the way to go right. With a selection the first press waits for a digit; held, which
 * presses it again and again, it goes right as ever. */
static void
device_key (GobanCommands *self, GVariant *parameter)
{
  gboolean was_pressed = self->device_key_id != 0;
  g_autofree char *hint = NULL;
  guint n;

  forget_device_key (self);
  if (was_pressed || !goban_site_has_selection (&self->site)
      || goban_session_get_current_run (self->site.session) == NULL)
    {
      goban_picture_pan (goban_pictures_get_last (self->pictures), -1, 0);
      return;
    }

  n = goban_cluster_get_n_devices (
      goban_run_get_cluster (goban_session_get_current_run (self->site.session)));
  hint = g_strdup_printf (_ ("Move to device: 0 to %u, or arrows and Enter"), MIN (n, 10) - 1);
  goban_status_bar_set_hint (self->site.status, hint);
  goban_graph_view_offer_devices (goban_pictures_get_explored (self->pictures), TRUE);
  wait_for_device (self, DEVICE_KEY_MS);
}

/* Handled before all other keys: digits and arrows have another meaning without D. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType modifiers, GobanCommands *self)
{
  GobanGraphView *view = goban_pictures_get_explored (self->pictures);
  int digit = goban_find_digit (keyval);

  if (self->device_key_id == 0 || keyval == GDK_KEY_d)
    return FALSE;

  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right)
    {
      wait_for_device (self, DEVICE_AIM_MS);
      return goban_graph_view_aim (view, keyval == GDK_KEY_Right ? 1 : -1);
    }
  if ((keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter) && goban_graph_view_drop (view))
    {
      forget_device_key (self);
      return TRUE;
    }
  forget_device_key (self);
  if (digit < 0)
    return keyval == GDK_KEY_Escape;

  goban_site_activate (&self->site, "move-selection", g_variant_new_int32 (digit));
  return TRUE;
}

static const GobanCommand commands[] = {
  { "select-all", G_CALLBACK (select_all) },
  { "select-none", G_CALLBACK (select_none) },
  { "select-inputs", G_CALLBACK (select_neighbours) },
  { "step", G_CALLBACK (step) },
  { "walk", G_CALLBACK (walk) },
  { "neighbour", G_CALLBACK (neighbour) },
  { "copy-text", G_CALLBACK (copy_text) },
  { "copy-lua", G_CALLBACK (copy_lua) },
  { "device-key", G_CALLBACK (device_key) },
};

void
goban_commands_connect_selection (GobanCommands *self)
{
  GobanSession *session = self->site.session;

  goban_watch_keys (GTK_WIDGET (self->site.window), GTK_PHASE_CAPTURE, G_CALLBACK (key_pressed_cb),
                    self);
  GOBAN_CONNECT (goban_pictures_get_explored (self->pictures), "offer-over", forget_device_key,
                 self);
  self->walk.from = GOBAN_NO_NODE;
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
  selection_changed_cb (self);
  goban_site_connect (&self->site, commands, G_N_ELEMENTS (commands), self);
}
