#include "engine/graph/graph-private.h"

#include "engine/core/fnv.h"

#include <math.h>
#include <string.h>

static guint64
hash_string (guint64 hash, const char *text)
{
  return goban_fnv_add (hash, text, strlen (text) + 1);
}

static guint64
hash_double (guint64 hash, double value)
{
  /* One pattern for all NaNs and for both zeros. */
  double canonical = isnan (value) ? (double) NAN : value + 0.0;

  return goban_fnv_add (hash, &canonical, sizeof canonical);
}

static guint64
hash_tensor (guint64 hash, const GobanTensor *tensor)
{
  guint32 n_dims = tensor->n_dims;

  hash = hash_double (hash, tensor->size_bytes);
  hash = goban_fnv_add (hash, &tensor->producer, sizeof tensor->producer);
  hash = goban_fnv_add (hash, &n_dims, sizeof n_dims);
  return goban_fnv_add (hash, tensor->dims, tensor->n_dims * sizeof *tensor->dims);
}

static guint64
compute_hash (const GobanGraph *self)
{
  guint64 hash = GOBAN_FNV_START;

  for (guint v = 0; v < self->n_nodes; v++)
    {
      const GobanNode *node = &self->nodes[v];

      hash = hash_string (hash, node->name);
      hash = hash_string (hash, node->op);
      hash = hash_double (hash, node->flops);
      hash = hash_double (hash, node->read_bytes);
      hash = hash_double (hash, node->written_bytes);
      hash = hash_double (hash, node->param_bytes);
      hash = goban_fnv_add (hash, &node->group, sizeof node->group);
    }

  for (guint t = 0; t < self->n_tensors; t++)
    hash = hash_tensor (hash, &self->tensors[t]);

  hash = goban_fnv_add (hash, self->edges, self->n_edges * sizeof *self->edges);

  for (guint k = 0; k < self->n_kinds; k++)
    hash = hash_string (hash, self->kinds[k]);
  for (gsize i = 0; i < (gsize) self->n_nodes * self->n_kinds; i++)
    hash = hash_double (hash, self->times_us[i]);
  if (self->transfers_us != NULL)
    for (gsize i = 0; i < (gsize) self->n_tensors * self->n_kinds * self->n_kinds; i++)
      hash = hash_double (hash, self->transfers_us[i]);
  for (guint i = 0; i < self->n_collectives; i++)
    {
      guint32 kind = self->collectives[i].kind;

      hash = goban_fnv_add (hash, &self->collectives[i].node, sizeof self->collectives[i].node);
      hash = goban_fnv_add (hash, &kind, sizeof kind);
      hash = hash_double (hash, self->collectives[i].bytes);
      /* Hashes in older files are of collectives without ranks or a group. */
      if (self->collectives[i].group != NULL)
        hash = hash_string (hash, self->collectives[i].group);
      if (self->collectives[i].n_ranks == 0)
        continue;
      hash = goban_fnv_add (hash, &self->collectives[i].n_ranks, sizeof (guint32));
      hash = goban_fnv_add (hash, &self->collectives[i].rank_step, sizeof (guint32));
    }
  return hash;
}

void
goban_graph_seal (GobanGraph *self)
{
  /* One more than needed: a graph without edges has an array too, which spans point into. */
  self->edge_ids = g_new (GobanEdgeId, self->n_edges + 1);
  self->out_offsets = g_new0 (guint32, self->n_nodes + 1);
  self->tensor_edge_offsets = g_new0 (guint32, self->n_tensors + 1);

  for (guint e = 0; e < self->n_edges; e++)
    {
      self->edge_ids[e] = e;
      self->out_offsets[self->edges[e].tail + 1]++;
      self->tensor_edge_offsets[self->edges[e].tensor + 1]++;
    }
  for (guint v = 0; v < self->n_nodes; v++)
    self->out_offsets[v + 1] += self->out_offsets[v];
  for (guint t = 0; t < self->n_tensors; t++)
    self->tensor_edge_offsets[t + 1] += self->tensor_edge_offsets[t];

  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint v = 0; v < self->n_nodes; v++)
    g_hash_table_insert (self->by_name, (gpointer) self->nodes[v].name, GUINT_TO_POINTER (v));

  self->hash = compute_hash (self);
}

static void
graph_free (GobanGraph *self)
{
  g_free (self->name);
  g_free (self->format);
  g_free (self->cluster_spec);
  g_strfreev (self->warnings);
  g_free (self->nodes);
  g_free (self->tensors);
  g_free (self->edges);
  g_free (self->tensor_offsets);
  g_free (self->out_offsets);
  g_free (self->tensor_edge_offsets);
  g_free (self->in_offsets);
  g_free (self->in_edges);
  g_free (self->edge_ids);
  g_free (self->added_edges);
  g_strfreev (self->kinds);
  g_free (self->times_us);
  g_free (self->transfers_us);
  g_free (self->file_devices);
  g_free (self->collectives);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_clear_pointer (&self->strings, g_string_chunk_free);
  g_free (self->dims);
  g_free (self);
}

GobanGraph *
goban_graph_ref (GobanGraph *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_graph_unref (GobanGraph *self)
{
  if (g_atomic_ref_count_dec (&self->refs))
    graph_free (self);
}

const char *
goban_graph_get_name (const GobanGraph *self)
{
  return self->name;
}

const char *
goban_graph_get_format (const GobanGraph *self)
{
  return self->format;
}

const char *
goban_graph_get_cluster_spec (const GobanGraph *self)
{
  return self->cluster_spec;
}

const char *const *
goban_graph_get_warnings (const GobanGraph *self)
{
  return (const char *const *) self->warnings;
}

guint
goban_graph_get_n_nodes (const GobanGraph *self)
{
  return self->n_nodes;
}

guint
goban_graph_get_n_tensors (const GobanGraph *self)
{
  return self->n_tensors;
}

guint
goban_graph_get_n_edges (const GobanGraph *self)
{
  return self->n_edges;
}

guint
goban_graph_get_n_groups (const GobanGraph *self)
{
  return self->n_groups;
}

const GobanNode *
goban_graph_get_node (const GobanGraph *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, NULL);

  return &self->nodes[node];
}

const GobanTensor *
goban_graph_get_tensor (const GobanGraph *self, GobanTensorId tensor)
{
  g_return_val_if_fail (tensor < self->n_tensors, NULL);

  return &self->tensors[tensor];
}

const GobanEdge *
goban_graph_get_edge (const GobanGraph *self, GobanEdgeId edge)
{
  g_return_val_if_fail (edge < self->n_edges, NULL);

  return &self->edges[edge];
}

static GobanEdgeSpan
span_of (const GobanEdgeId *ids, const guint32 *offsets, guint32 i)
{
  return (GobanEdgeSpan){ ids + offsets[i], offsets[i + 1] - offsets[i] };
}

GobanEdgeSpan
goban_graph_get_out_edges (const GobanGraph *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, (GobanEdgeSpan){ NULL });

  return span_of (self->edge_ids, self->out_offsets, node);
}

GobanEdgeSpan
goban_graph_get_in_edges (const GobanGraph *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, (GobanEdgeSpan){ NULL });

  return span_of (self->in_edges, self->in_offsets, node);
}

GobanEdgeSpan
goban_graph_get_tensor_edges (const GobanGraph *self, GobanTensorId tensor)
{
  g_return_val_if_fail (tensor < self->n_tensors, (GobanEdgeSpan){ NULL });

  return span_of (self->edge_ids, self->tensor_edge_offsets, tensor);
}

GobanTensorId
goban_graph_get_node_tensors (const GobanGraph *self, GobanNodeId node, guint *n)
{
  g_return_val_if_fail (node < self->n_nodes, GOBAN_NO_TENSOR);

  *n = self->tensor_offsets[node + 1] - self->tensor_offsets[node];
  return self->tensor_offsets[node];
}

double
goban_graph_get_output_bytes (const GobanGraph *self, GobanNodeId node)
{
  double size_bytes = 0;

  g_return_val_if_fail (node < self->n_nodes, 0);

  for (guint32 t = self->tensor_offsets[node]; t < self->tensor_offsets[node + 1]; t++)
    size_bytes += self->tensors[t].size_bytes;
  return size_bytes;
}

GobanNodeId
goban_graph_find_node (const GobanGraph *self, const char *name)
{
  gpointer id;

  if (!g_hash_table_lookup_extended (self->by_name, name, NULL, &id))
    return GOBAN_NO_NODE;
  return GPOINTER_TO_UINT (id);
}

guint
goban_graph_get_n_kinds (const GobanGraph *self)
{
  return self->n_kinds;
}

const char *
goban_graph_get_kind (const GobanGraph *self, guint kind)
{
  g_return_val_if_fail (kind < self->n_kinds, NULL);

  return self->kinds[kind];
}

guint
goban_graph_find_kind (const GobanGraph *self, const char *kind)
{
  guint any = GOBAN_NO_KIND;

  for (guint k = 0; k < self->n_kinds; k++)
    {
      if (strcmp (self->kinds[k], kind) == 0)
        return k;
      if (strcmp (self->kinds[k], GOBAN_ANY_KIND) == 0)
        any = k;
    }
  return any;
}

double
goban_graph_get_time_us (const GobanGraph *self, GobanNodeId node, guint kind)
{
  g_return_val_if_fail (node < self->n_nodes && kind < self->n_kinds, (double) NAN);

  return self->times_us[(gsize) node * self->n_kinds + kind];
}

gboolean
goban_graph_has_time (const GobanGraph *self, GobanNodeId node)
{
  guint n_kinds = goban_graph_get_n_kinds (self);

  for (guint k = 0; k < n_kinds; k++)
    if (isfinite (goban_graph_get_time_us (self, node, k)))
      return TRUE;
  return FALSE;
}

double
goban_graph_get_transfer_us (const GobanGraph *self, GobanTensorId tensor, guint from_kind,
                             guint to_kind)
{
  gsize k = self->n_kinds;

  g_return_val_if_fail (tensor < self->n_tensors, (double) NAN);

  if (self->transfers_us == NULL || from_kind >= k || to_kind >= k)
    return (double) NAN;
  return self->transfers_us[(tensor * k + from_kind) * k + to_kind];
}

guint64
goban_graph_get_hash (const GobanGraph *self)
{
  return self->hash;
}

/* --- collectives ---------------------------------------------------------- */

const char *const goban_collective_names[GOBAN_N_COLLECTIVES + 1]
    = { "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "send" };

const GobanNodeCollective *
goban_graph_get_collectives (const GobanGraph *self, guint *n)
{
  *n = self->n_collectives;
  return self->collectives;
}

static int
compare_nodes (const void *a, const void *b)
{
  const GobanNodeCollective *x = a, *y = b;

  return (x->node > y->node) - (x->node < y->node);
}

const GobanNodeCollective *
goban_graph_find_collective (const GobanGraph *self, GobanNodeId node)
{
  GobanNodeCollective key = { .node = node };

  if (self->n_collectives == 0)
    return NULL;
  return bsearch (&key, self->collectives, self->n_collectives, sizeof key, compare_nodes);
}
