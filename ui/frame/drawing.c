#include "ui/frame/drawing.h"

#include "engine/core/i18n.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-log.h"
#include "engine/study/run/graph-source.h"
#include "ui/widgets/op-popover.h"
#include "ui/widgets/signals.h"

struct _GobanDrawingCommands
{
  GObject parent;

  GobanSite site;
  GobanGraphView *graph;
  GtkWidget *popover; /* (nullable): made when it is first needed */
  GobanNodeId node;   /* that the popover is about, or GOBAN_NO_NODE: a new one */
};

GOBAN_DEFINE_PART (GobanDrawingCommands, goban_drawing_commands)

static GobanGraph *
get_graph (GobanDrawingCommands *self)
{
  return goban_session_get_graph (self->site.session);
}

static void
draw (GobanDrawingCommands *self, const GobanDrawChange *change)
{
  g_autoptr (GError) error = NULL;

  if (!goban_session_draw (self->site.session, change, &error))
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

/* --- ops -------------------------------------------------------------------------------------- */

static void
chosen_cb (GobanDrawingCommands *self, GobanOpPopover *popover)
{
  GobanDrawChange change = { .kind = self->node == GOBAN_NO_NODE ? GOBAN_DRAW_ADD : GOBAN_DRAW_SET,
                             .node = self->node };

  if (!goban_session_is_drawing (self->site.session))
    return;
  goban_op_popover_get (popover, &change);
  draw (self, &change);
  gtk_widget_grab_focus (GTK_WIDGET (self->graph));
}

/* "op3": the next free name. (transfer full) */
static char *
dup_free_name (GobanGraph *graph)
{
  for (guint i = goban_graph_get_n_nodes (graph) + 1;; i++)
    {
      g_autofree char *name = g_strdup_printf ("op%u", i);

      if (goban_graph_find_node (graph, name) == GOBAN_NO_NODE)
        return g_steal_pointer (&name);
    }
}

static void
ask (GobanDrawingCommands *self, GobanNodeId node)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self->graph));
  int height = gtk_widget_get_height (GTK_WIDGET (self->graph));
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self->graph));
  GobanPoint at = { width * scale / 2, height * scale / 2 };
  g_autofree char *name = node == GOBAN_NO_NODE ? dup_free_name (get_graph (self)) : NULL;

  if (self->popover == NULL)
    {
      self->popover = goban_op_popover_new (GTK_WIDGET (self->graph));
      GOBAN_CONNECT (self->popover, "chosen", chosen_cb, self);
      g_object_add_weak_pointer (G_OBJECT (self->popover), (gpointer *) &self->popover);
    }
  self->node = node;
  if (node != GOBAN_NO_NODE)
    goban_graph_view_locate (self->graph, node, &at);
  goban_op_popover_set (GOBAN_OP_POPOVER (self->popover), get_graph (self), node, name);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle){ (int) (at.x / scale), (int) (at.y / scale), 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
add_op (GobanDrawingCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_NO_NODE);
}

static const GobanNodeId *
get_selected (GobanDrawingCommands *self, guint *n)
{
  return goban_selection_get_ids (goban_session_get_selection (self->site.session), n);
}

static void
edit_op (GobanDrawingCommands *self, GVariant *parameter)
{
  guint n;
  const GobanNodeId *ids = get_selected (self, &n);

  if (n == 1)
    ask (self, ids[0]);
  else
    goban_site_hint (&self->site, "%s", _ ("Select one op first"));
}

/* One after the other by their names: each graph has numbers of its own. */
static void
delete_ops (GobanDrawingCommands *self, GVariant *parameter)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const GobanNodeId *ids = get_selected (self, &n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, g_strdup (goban_graph_get_node (get_graph (self), ids[i])->name));
  for (guint i = 0; i < names->len; i++)
    draw (self, &(GobanDrawChange){ .kind = GOBAN_DRAW_REMOVE,
                                    .node = goban_graph_find_node (get_graph (self),
                                                                   g_ptr_array_index (names, i)) });
  if (n == 0)
    goban_site_hint (&self->site, "%s", _ ("Select the ops to delete first"));
}

/* --- edges ------------------------------------------------------------------------------------ */

static gboolean
has_edge (GobanGraph *graph, GobanNodeId from, GobanNodeId to)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, to);

  for (guint i = 0; i < in.n; i++)
    if (goban_graph_get_edge (graph, in.ids[i])->tail == from)
      return TRUE;
  return FALSE;
}

/* An edge that is there already is cut. */
static void
connect_cb (GobanDrawingCommands *self, guint from, guint to)
{
  if (from == to || !goban_session_is_drawing (self->site.session))
    return;
  draw (self,
        &(GobanDrawChange){ .kind = has_edge (get_graph (self), from, to) ? GOBAN_DRAW_DISCONNECT
                                                                          : GOBAN_DRAW_CONNECT,
                            .node = from,
                            .to = to });
}

/* By keys: from the selected op that comes first. */
static void
connect_ops (GobanDrawingCommands *self, GVariant *parameter)
{
  guint n;
  const GobanNodeId *ids = get_selected (self, &n);

  if (n == 2)
    connect_cb (self, MIN (ids[0], ids[1]), MAX (ids[0], ids[1]));
  else
    goban_site_hint (&self->site, "%s", _ ("Select two ops to connect, or to part, first"));
}

/* --- the graph -------------------------------------------------------------------------------- */

static void
begin (GobanDrawingCommands *self, GVariant *parameter)
{
  g_autofree char *path = goban_graph_source_dup_template ();

  goban_site_activate (&self->site, "open-path", g_variant_new_string (path != NULL ? path : ""));
  goban_site_hint (
      &self->site, "%s",
      _ ("Double-click the board to add an op; drag from an op's edge to another op to "
         "connect them"));
}

static void
update (GobanDrawingCommands *self)
{
  static const char *const drawing[]
      = { "draw-op", "draw-edit", "draw-connect", "draw-delete", NULL };

  goban_site_set_enabled (&self->site, drawing, goban_session_is_drawing (self->site.session));
}

static const GobanCommand commands[] = {
  { "draw-graph", G_CALLBACK (begin) },       { "draw-op", G_CALLBACK (add_op) },
  { "draw-edit", G_CALLBACK (edit_op) },      { "draw-connect", G_CALLBACK (connect_ops) },
  { "draw-delete", G_CALLBACK (delete_ops) },
};

static void
goban_drawing_commands_clear (GobanDrawingCommands *self)
{
  if (self->popover != NULL)
    {
      g_object_remove_weak_pointer (G_OBJECT (self->popover), (gpointer *) &self->popover);
      gtk_widget_unparent (self->popover);
      self->popover = NULL;
    }
}

GobanDrawingCommands *
goban_drawing_commands_new (const GobanSite *site, GobanGraphView *graph)
{
  GobanDrawingCommands *self = g_object_new (GOBAN_TYPE_DRAWING_COMMANDS, NULL);

  self->site = *site;
  self->graph = graph;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  GOBAN_CONNECT (graph, "connect", connect_cb, self);
  GOBAN_CONNECT (site->session, "notify::graph", update, self);
  update (self);
  return self;
}
