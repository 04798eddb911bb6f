#include "engine/graph/graph-builder-private.h"

#include "engine/core/error.h"
#include "engine/graph/graph-private.h"

#include <math.h>
#include <string.h>

static gboolean
is_amount (double value)
{
  return isfinite (value) && value >= 0;
}

static gboolean
check_node (const GobanNode *node, GError **error)
{
  if (is_amount (node->flops) && is_amount (node->macs) && is_amount (node->read_bytes)
      && is_amount (node->written_bytes) && is_amount (node->param_bytes)
      && is_amount (node->param_count))
    return TRUE;

  goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH, "node “%s” has a negative or endless size",
                   node->name);
  return FALSE;
}

static gboolean
check_amounts (GobanGraphBuilder *self, GError **error)
{
  for (guint v = 0; v < self->nodes->len; v++)
    if (!check_node (builder_node (self, v), error))
      return FALSE;

  for (guint t = 0; t < self->tensors->len; t++)
    if (!is_amount (builder_tensor (self, t)->size_bytes))
      {
        goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH,
                         "a tensor of node “%s” has a negative or endless size",
                         builder_node (self, builder_tensor (self, t)->producer)->name);
        return FALSE;
      }

  for (guint i = 0; i < self->times->len; i++)
    {
      const BuilderTime *time = &g_array_index (self->times, BuilderTime, i);

      /* Infinity says that the node cannot run on that kind. */
      if (isnan (time->time_us) || time->time_us < 0)
        {
          goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH,
                           "node “%s” has a time that is negative or no number",
                           builder_node (self, time->node)->name);
          return FALSE;
        }
    }

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const BuilderTransfer *transfer = &g_array_index (self->transfers, BuilderTransfer, i);

      if (!is_amount (transfer->time_us))
        {
          goban_set_error (
              error, GOBAN_ERROR_INVALID_GRAPH,
              "a transfer from node “%s” has a negative or endless time",
              builder_node (self, builder_tensor (self, transfer->tensor)->producer)->name);
          return FALSE;
        }
    }
  return TRUE;
}

/* new_tensors (n_tensors): tensors ascend with their producer, then in the order of adding. */
static void
fill_tensors (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids,
              guint32 *new_tensors)
{
  guint n_tensors = self->tensors->len;
  guint32 *offsets = g_new0 (guint32, graph->n_nodes + 1);

  for (guint t = 0; t < n_tensors; t++)
    offsets[new_ids[builder_tensor (self, t)->producer] + 1]++;
  for (guint v = 0; v < graph->n_nodes; v++)
    offsets[v + 1] += offsets[v];

  graph->n_tensors = n_tensors;
  graph->tensors = g_new0 (GobanTensor, n_tensors);
  graph->dims = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&self->dims), FALSE);
  for (guint t = 0; t < n_tensors; t++)
    {
      const BuilderTensor *old = builder_tensor (self, t);
      guint32 producer = new_ids[old->producer];

      new_tensors[t] = offsets[producer]++;
      graph->tensors[new_tensors[t]] = (GobanTensor){
        .producer = producer,
        .size_bytes = old->size_bytes,
        .dtype = old->dtype,
        .dims = old->n_dims > 0 ? graph->dims + old->first_dim : NULL,
        .n_dims = old->n_dims,
        .has_shape = old->has_shape,
        .is_control = old->is_control,
      };
    }

  /* Each offset has moved to where the next node begins: shift them back by one. */
  memmove (offsets + 1, offsets, graph->n_nodes * sizeof *offsets);
  offsets[0] = 0;
  graph->tensor_offsets = offsets;
}

/* order (n): a stable counting sort of the permutation in by keys below n_keys. */
static void
counting_sort (guint32 *order, const guint32 *in, const guint32 *keys, guint n, guint n_keys)
{
  g_autofree guint32 *offsets = g_new0 (guint32, n_keys + 1);

  for (guint i = 0; i < n; i++)
    offsets[keys[i] + 1]++;
  for (guint k = 0; k < n_keys; k++)
    offsets[k + 1] += offsets[k];
  for (guint i = 0; i < n; i++)
    order[offsets[keys[in[i]]]++] = in[i];
}

static void
fill_edges (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids,
            const guint32 *new_tensors)
{
  guint n = self->edges->len;
  g_autofree guint32 *heads = g_new (guint32, n);
  g_autofree guint32 *tensors = g_new (guint32, n);
  g_autofree guint32 *given = g_new (guint32, n);
  g_autofree guint32 *by_head = g_new (guint32, n);
  g_autofree guint32 *sorted = g_new (guint32, n);
  g_autofree guint32 *edge_of = g_new (guint32, n); /* the final id of each added edge */
  guint n_edges = 0;

  for (guint i = 0; i < n; i++)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, i);

      given[i] = i;
      heads[i] = new_ids[edge->head];
      tensors[i] = new_tensors[edge->tensor];
    }
  counting_sort (by_head, given, heads, n, graph->n_nodes);
  counting_sort (sorted, by_head, tensors, n, graph->n_tensors);

  graph->edges = g_new (GobanEdge, n);
  graph->in_offsets = g_new0 (guint32, graph->n_nodes + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 t = tensors[sorted[i]];
      guint32 head = heads[sorted[i]];

      /* Equal pairs are neighbours now: the later ones are the same edge again. */
      if (n_edges == 0 || graph->edges[n_edges - 1].tensor != t
          || graph->edges[n_edges - 1].head != head)
        {
          graph->edges[n_edges++] = (GobanEdge){ graph->tensors[t].producer, head, t };
          graph->in_offsets[head + 1]++;
        }
      edge_of[sorted[i]] = n_edges - 1;
    }
  graph->n_edges = n_edges;

  for (guint v = 0; v < graph->n_nodes; v++)
    graph->in_offsets[v + 1] += graph->in_offsets[v];

  /* Inputs keep the order in which they were added: walk the added edges, each final id once. */
  {
    g_autofree guint32 *next
        = g_memdup2 (graph->in_offsets, (graph->n_nodes + 1) * sizeof (guint32));
    g_autofree gboolean *taken = g_new0 (gboolean, n_edges);

    graph->in_edges = g_new (GobanEdgeId, n_edges + 1);
    graph->added_edges = g_new (GobanEdgeId, n_edges + 1);
    for (guint i = 0, n_added = 0; i < n; i++)
      if (!taken[edge_of[i]])
        {
          taken[edge_of[i]] = TRUE;
          graph->in_edges[next[heads[i]]++] = edge_of[i];
          graph->added_edges[n_added++] = edge_of[i];
        }
  }
}

static void
fill_times (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids,
            const guint32 *new_tensors)
{
  gsize k = self->kinds->len;

  graph->n_kinds = k;
  g_ptr_array_add (self->kinds, NULL);
  graph->kinds = (char **) g_ptr_array_free (g_steal_pointer (&self->kinds), FALSE);
  if (k == 0)
    return;

  graph->times_us = g_new (double, graph->n_nodes *k);
  for (gsize i = 0; i < graph->n_nodes * k; i++)
    graph->times_us[i] = (double) NAN;
  for (guint i = 0; i < self->times->len; i++)
    {
      const BuilderTime *time = &g_array_index (self->times, BuilderTime, i);

      graph->times_us[new_ids[time->node] * k + time->kind] = time->time_us;
    }

  if (self->transfers->len == 0)
    return;

  graph->transfers_us = g_new (double, graph->n_tensors *k *k);
  for (gsize i = 0; i < graph->n_tensors * k * k; i++)
    graph->transfers_us[i] = (double) NAN;
  for (guint i = 0; i < self->transfers->len; i++)
    {
      const BuilderTransfer *transfer = &g_array_index (self->transfers, BuilderTransfer, i);
      gsize row = new_tensors[transfer->tensor] * k + transfer->from_kind;

      graph->transfers_us[row * k + transfer->to_kind] = transfer->time_us;
    }
}

static void
fill_file_devices (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids)
{
  if (self->file_devices->len == 0)
    return;

  graph->file_devices = g_new (const char *, graph->n_nodes);
  for (guint v = 0; v < graph->n_nodes; v++)
    graph->file_devices[v] = "";
  for (guint i = 0; i < self->file_devices->len; i++)
    {
      const BuilderDevice *row = &g_array_index (self->file_devices, BuilderDevice, i);

      graph->file_devices[new_ids[row->node]] = row->name;
    }
}

static int
compare_collectives (gconstpointer a, gconstpointer b)
{
  const GobanNodeCollective *x = a, *y = b;

  return (x->node > y->node) - (x->node < y->node);
}

GobanGraph *
goban_graph_builder_finish (GobanGraphBuilder *self, GobanNodeId **node_ids, GError **error)
{
  g_autofree guint32 *new_ids = g_new (guint32, self->nodes->len);
  g_autofree guint32 *new_tensors = g_new (guint32, self->tensors->len);
  GobanGraph *graph;

  if (!check_amounts (self, error) || !goban_graph_builder_number (self, new_ids, error))
    return NULL;

  graph = g_new0 (GobanGraph, 1);
  g_atomic_ref_count_init (&graph->refs);
  graph->name = g_steal_pointer (&self->name);
  graph->format = g_steal_pointer (&self->format);
  graph->cluster_spec
      = self->cluster_spec != NULL ? g_steal_pointer (&self->cluster_spec) : g_strdup ("");
  graph->n_groups = g_hash_table_size (self->groups);

  graph->n_nodes = self->nodes->len;
  graph->nodes = g_new (GobanNode, graph->n_nodes);
  for (guint v = 0; v < graph->n_nodes; v++)
    graph->nodes[new_ids[v]] = *builder_node (self, v);

  fill_tensors (self, graph, new_ids, new_tensors);

  /* Frees everything that the graph has copies of: 170 MB for a million nodes, which would
   * otherwise remain while edges are sorted. */
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->tensors, g_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);

  fill_edges (self, graph, new_ids, new_tensors);
  fill_times (self, graph, new_ids, new_tensors);
  fill_file_devices (self, graph, new_ids);

  /* If a collective was set twice for a node, any one is kept. */
  guint n = 0;

  for (guint i = 0; i < self->collectives->len; i++)
    {
      GobanNodeCollective *row = &g_array_index (self->collectives, GobanNodeCollective, i);

      row->node = new_ids[row->node];
    }
  g_array_sort (self->collectives, compare_collectives);
  graph->collectives = g_new (GobanNodeCollective, self->collectives->len + 1);
  for (guint i = 0; i < self->collectives->len; i++)
    {
      const GobanNodeCollective *row = &g_array_index (self->collectives, GobanNodeCollective, i);

      if (n == 0 || graph->collectives[n - 1].node != row->node)
        graph->collectives[n++] = *row;
    }
  graph->n_collectives = n;

  g_ptr_array_add (self->warnings, NULL);
  graph->warnings = (char **) g_ptr_array_free (g_steal_pointer (&self->warnings), FALSE);
  graph->strings = g_steal_pointer (&self->strings);
  goban_graph_seal (graph);

  if (node_ids != NULL)
    *node_ids = g_steal_pointer (&new_ids);
  return graph;
}
