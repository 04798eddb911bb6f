#include "ui/commands/selection-commands.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/commands/edge-walk.h"

struct _GobanSelectionCommands
{
  GObject parent;

  GobanSite site;
  GobanDecisionCommands *decisions;
  GobanInspector *inspector;
  GobanNodeId walk_from; /* node whose neighbours are visited in turn, or GOBAN_NO_NODE */
  guint walk_at;
  gboolean is_walking; /* the present change of the selection comes from that walk */
};

G_DEFINE_FINAL_TYPE (GobanSelectionCommands, goban_selection_commands, G_TYPE_OBJECT)

/* The one node that is selected, or GOBAN_NO_NODE. */
static GobanNodeId
get_selected_node (GobanSelectionCommands *self)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->site.session), &n);

  return n == 1 ? ids[0] : GOBAN_NO_NODE;
}

static void
select_node (GobanSelectionCommands *self, GobanNodeId node)
{
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);

  goban_session_set_selection (self->site.session, one);
}

static void
select_all (GobanSelectionCommands *self, GVariant *parameter)
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
select_none (GobanSelectionCommands *self, GVariant *parameter)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  goban_session_set_selection (self->site.session, nothing);
}

static void
select_neighbours (GobanSelectionCommands *self, GVariant *parameter)
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
step (GobanSelectionCommands *self, GVariant *parameter)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->site.session), &n);
  GobanNodeId next;

  if (run == NULL)
    return;
  if (goban_decision_commands_are_meant (self->decisions))
    {
      goban_decision_commands_go (self->decisions, g_variant_get_int32 (parameter));
      return;
    }

  next = find_next_op (run, n > 0 ? ids[0] : GOBAN_NO_NODE, g_variant_get_int32 (parameter));
  if (next != GOBAN_NO_NODE)
    select_node (self, next);
}

/* --- walks ------------------------------------------------------------------------------------ */

static void
walk (GobanSelectionCommands *self, GVariant *parameter)
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
neighbour (GobanSelectionCommands *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  g_autofree GobanNodeId *neighbours = NULL;
  char at[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];
  guint n;

  if (self->walk_from == GOBAN_NO_NODE)
    {
      self->walk_from = get_selected_node (self);
      self->walk_at = 0;
    }
  if (graph == NULL || self->walk_from == GOBAN_NO_NODE)
    return;

  neighbours = goban_edge_walk_neighbours (graph, self->walk_from, &n);
  self->walk_at = (self->walk_at + n + 1 + (guint) g_variant_get_int32 (parameter)) % (n + 1);
  self->is_walking = TRUE;
  select_node (self, self->walk_at > 0 ? neighbours[self->walk_at - 1] : self->walk_from);
  self->is_walking = FALSE;
  if (self->walk_at > 0)
    goban_site_hint (&self->site, _ ("%s of %s neighbours of %s"),
                     goban_format_grouped (at, self->walk_at), goban_format_grouped (all, n),
                     goban_graph_get_node (graph, self->walk_from)->name);
  else
    goban_site_hint (&self->site, _ ("All %s neighbours were seen"), goban_format_grouped (all, n));
}

static void
graph_changed_cb (GobanSelectionCommands *self)
{
  self->walk_from = GOBAN_NO_NODE;
}

/* Tab goes from neighbour to neighbour only while there is a node to have some; else it goes on to
 * the next pane, as everywhere. */
static void
selection_changed_cb (GobanSelectionCommands *self)
{
  static const char *const need_node[] = { "walk", "neighbour", NULL };

  if (!self->is_walking)
    self->walk_from = GOBAN_NO_NODE;
  goban_site_set_enabled (&self->site, need_node, get_selected_node (self) != GOBAN_NO_NODE);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void
copy (GobanSelectionCommands *self, const char *text, const char *what)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->site.window)), text);
  goban_site_hint (&self->site, "%s", what);
}

static void
copy_text (GobanSelectionCommands *self, GVariant *parameter)
{
  g_autofree char *text = goban_inspector_dup_text (self->inspector);

  copy (self, text, _ ("Copied the contents of the inspector"));
}

static void
copy_lua (GobanSelectionCommands *self, GVariant *parameter)
{
  g_autofree char *text = goban_inspector_dup_lua (self->inspector);

  copy (self, text, _ ("Copied the selection as Lua"));
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
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_selection_commands_class_init (GobanSelectionCommandsClass *klass)
{
}

static void
goban_selection_commands_init (GobanSelectionCommands *self)
{
}

GobanSelectionCommands *
goban_selection_commands_new (const GobanSite *site, GobanDecisionCommands *decisions,
                              GobanInspector *inspector)
{
  GobanSelectionCommands *self = g_object_new (GOBAN_TYPE_SELECTION_COMMANDS, NULL);

  self->site = *site;
  self->decisions = decisions;
  self->inspector = inspector;
  self->walk_from = GOBAN_NO_NODE;
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (graph_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::selection", G_CALLBACK (selection_changed_cb),
                           self, G_CONNECT_SWAPPED);
  selection_changed_cb (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
