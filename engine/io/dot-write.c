#include "engine/io/dot-write.h"

#include "engine/base/error.h"
#include "engine/base/quantity.h"
#include "engine/io/dot-lock.h"
#include "engine/io/dot-names.h"
#include "engine/io/node-fields.h"

#include <graphviz/cgraph.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const GobanGraph *graph;
  Agraph_t *dot;
  guint n_kinds;
  Agsym_t *op;
  Agsym_t *fields[GOBAN_N_NODE_FIELDS];
  Agsym_t *bytes;
  Agsym_t *colocation;
  Agsym_t *phase;
  Agsym_t *time_source;
  Agsym_t *size_source;
  Agsym_t **times; /* (n_kinds) */
  Agsym_t *tensor;
  Agsym_t *control;
  Agsym_t **moves; /* (n_kinds x n_kinds), NULL where no tensor has that time */
} Writer;

/* cgraph's signatures know no const, but it copies names and values. */
static Agsym_t *
declare (Writer *self, int kind, const char *name)
{
  return agattr (self->dot, kind, (char *) name, (char *) "");
}

static void
set_text (void *object, Agsym_t *attribute, const char *value)
{
  agxset (object, attribute, (char *) value);
}

static void
set_number (void *object, Agsym_t *attribute, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  set_text (object, attribute, goban_format_double (buffer, value));
}

static void
declare_times (Writer *self)
{
  self->times = g_new0 (Agsym_t *, self->n_kinds + 1);
  self->moves = g_new0 (Agsym_t *, (gsize) self->n_kinds * self->n_kinds + 1);

  for (guint k = 0; k < self->n_kinds; k++)
    {
      const char *kind = goban_graph_get_kind (self->graph, k);
      g_autofree char *name = g_strconcat (GOBAN_DOT_TIME_PREFIX, kind, NULL);

      self->times[k]
          = declare (self, AGNODE, strcmp (kind, GOBAN_ANY_KIND) == 0 ? GOBAN_DOT_TIME : name);
    }
}

/* Declared at first use: most graphs have few of the n_kinds^2 pairs. */
static Agsym_t *
find_move (Writer *self, guint from, guint to)
{
  Agsym_t **slot = &self->moves[(gsize) from * self->n_kinds + to];

  if (*slot == NULL)
    {
      const char *from_kind = goban_graph_get_kind (self->graph, from);
      const char *to_kind = goban_graph_get_kind (self->graph, to);
      gboolean is_any
          = strcmp (from_kind, GOBAN_ANY_KIND) == 0 && strcmp (to_kind, GOBAN_ANY_KIND) == 0;
      g_autofree char *name = g_strconcat (GOBAN_DOT_TIME_PREFIX, from_kind, ">", to_kind, NULL);

      *slot = declare (self, AGEDGE, is_any ? GOBAN_DOT_TIME : name);
    }
  return *slot;
}

static void
declare_all (Writer *self)
{
  self->op = declare (self, AGNODE, GOBAN_DOT_OP);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    self->fields[i] = declare (self, AGNODE, goban_node_fields[i].name);
  self->bytes = declare (self, AGNODE, GOBAN_DOT_BYTES);
  self->colocation = declare (self, AGNODE, GOBAN_DOT_COLOCATION);
  self->phase = declare (self, AGNODE, GOBAN_DOT_PHASE);
  self->time_source = declare (self, AGNODE, GOBAN_DOT_TIME_SOURCE);
  self->size_source = declare (self, AGNODE, GOBAN_DOT_SIZE_SOURCE);
  self->tensor = declare (self, AGEDGE, GOBAN_DOT_TENSOR);
  self->control = declare (self, AGEDGE, GOBAN_DOT_CONTROL);
  declare_times (self);
}

static void
set_bytes (Writer *self, Agnode_t *object, GobanNodeId node)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, node, &n);
  char buffer[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < n; i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, first + i);

      if (!tensor->is_control)
        g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "",
                                goban_format_double (buffer, tensor->size_bytes));
    }
  set_text (object, self->bytes, list->str);
}

static Agnode_t *
write_node (Writer *self, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (self->graph, id);
  Agnode_t *object = agnode (self->dot, (char *) node->name, TRUE);
  gboolean has_time = FALSE;

  set_text (object, self->op, node->op);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      double value = G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset);

      if (value != 0)
        set_number (object, self->fields[i], value);
    }
  for (guint k = 0; k < self->n_kinds; k++)
    {
      double time_us = goban_graph_get_time_us (self->graph, id, k);

      if (isinf (time_us))
        set_text (object, self->times[k], GOBAN_DOT_NEVER);
      else if (!isnan (time_us))
        set_number (object, self->times[k], time_us);
      has_time |= !isnan (time_us);
    }
  if (node->group != GOBAN_NO_GROUP)
    set_number (object, self->colocation, node->group);
  if (node->phase != GOBAN_PHASE_FORWARD)
    set_text (object, self->phase, goban_phase_names[node->phase]);
  if (node->time_source != (has_time ? GOBAN_SOURCE_GIVEN : GOBAN_SOURCE_ESTIMATED))
    set_text (object, self->time_source, goban_source_names[node->time_source]);
  if (node->size_source != GOBAN_SOURCE_GIVEN)
    set_text (object, self->size_source, goban_source_names[node->size_source]);
  set_bytes (self, object, id);
  return object;
}

static void
write_edge (Writer *self, const GobanEdge *edge, Agnode_t **nodes)
{
  Agedge_t *object = agedge (self->dot, nodes[edge->tail], nodes[edge->head], NULL, TRUE);
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, edge->tail, &n);
  guint index = 0;
  gboolean has_move = FALSE;

  for (guint a = 0; a < self->n_kinds; a++)
    for (guint b = 0; b < self->n_kinds; b++)
      {
        double time_us = goban_graph_get_transfer_us (self->graph, edge->tensor, a, b);

        if (isnan (time_us))
          continue;
        set_number (object, find_move (self, a, b), time_us);
        has_move = TRUE;
      }

  if (goban_graph_get_tensor (self->graph, edge->tensor)->is_control)
    {
      set_text (object, self->control, "true");
      return;
    }
  for (GobanTensorId t = first; t < edge->tensor; t++)
    index += !goban_graph_get_tensor (self->graph, t)->is_control;
  if (index > 0 || has_move)
    set_number (object, self->tensor, index);
}

static int
append_text (void *channel, const char *text)
{
  g_string_append (channel, text);
  return 0;
}

static int
flush_nothing (void *channel)
{
  return 0;
}

static void
write_all (Writer *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  g_autofree Agnode_t **nodes = g_new (Agnode_t *, n_nodes + 1);

  declare_all (self);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    nodes[v] = write_node (self, v);
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (self->graph); e++)
    write_edge (self, goban_graph_get_edge (self->graph, e), nodes);
}

char *
goban_dot_write (const GobanGraph *graph, gsize *size, GError **error)
{
  Agiodisc_t io = { NULL, append_text, flush_nothing };
  Agdisc_t disc = { &AgMemDisc, &AgIdDisc, &io };
  Writer writer = { .graph = graph, .n_kinds = goban_graph_get_n_kinds (graph) };
  GString *out = g_string_new (NULL);
  g_autofree char *messages = NULL;
  int status;

  goban_dot_lock ();
  writer.dot = agopen ((char *) goban_graph_get_name (graph), Agdirected, &disc);
  write_all (&writer);
  status = agwrite (writer.dot, out);
  agclose (writer.dot);
  messages = goban_dot_unlock ();
  g_free (writer.times);
  g_free (writer.moves);

  if (status != 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "the graph cannot be written as DOT: %s",
                   messages);
      g_string_free (out, TRUE);
      return NULL;
    }
  *size = out->len;
  return g_string_free (out, FALSE);
}
