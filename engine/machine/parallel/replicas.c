#include "engine/machine/parallel/replicas.h"

#include "engine/core/error.h"
#include "engine/machine/parallel/collective.h"
#include "engine/machine/parallel/graph-copy.h"
#include "engine/machine/parallel/pass-parts.h"

#define MOST_NODES 4000000
#define NO_BUCKET G_MAXUINT32

/* Facts about one of the builder's nodes. */
typedef struct
{
  GobanNodeId origin;
  guint replica;
  gboolean is_step;
} Facts;

/* Gradients that are reduced together. */
typedef struct
{
  GArray *tensors; /* of GobanTensorId */
  double bytes;
  GArray **results; /* (n_replicas) of guint32: the builder's tensors */
} Bucket;

typedef struct
{
  const GobanGraph *graph;
  const GobanReplicaOptions *options;
  guint n;
  GobanParts parts;
  GobanGraphBuilder *builder;
  guint32 *nodes;     /* (n_nodes x n) the builder's */
  guint32 *tensors;   /* (n_tensors x n) the same; GOBAN_NO_TENSOR: its chunks stand for it */
  guint32 *bucket_of; /* (n_tensors) NO_BUCKET: not reduced */
  GArray *buckets;    /* of Bucket */
  GArray *facts;      /* of Facts */
} Replication;

static gsize
index_of (const Replication *self, guint32 id, guint replica)
{
  return (gsize) id * self->n + replica;
}

static Bucket *
get_bucket (const Replication *self, guint32 i)
{
  return &g_array_index (self->buckets, Bucket, i);
}

static void
bucket_clear (Bucket *self, guint n)
{
  g_array_unref (self->tensors);
  for (guint r = 0; r < n; r++)
    g_array_unref (self->results[r]);
  g_free (self->results);
}

static void
replication_clear (Replication *self)
{
  goban_parts_clear (&self->parts);
  g_clear_pointer (&self->builder, goban_graph_builder_free);
  g_free (self->nodes);
  g_free (self->tensors);
  g_free (self->bucket_of);
  for (guint i = 0; self->buckets != NULL && i < self->buckets->len; i++)
    bucket_clear (get_bucket (self, i), self->n);
  g_clear_pointer (&self->buckets, g_array_unref);
  g_clear_pointer (&self->facts, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Replication, replication_clear)

/* --- buckets -------------------------------------------------------------------------------- */

static gboolean
is_updated_by (const Replication *self, GobanEdgeId edge)
{
  return self->parts.of_node[goban_graph_get_edge (self->graph, edge)->head] == GOBAN_PART_ONCE;
}

/* The readers of a tensor that are updates, or are not. */
static guint
count_readers (const Replication *self, GobanTensorId t, gboolean updates)
{
  GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);
  guint n = 0;

  for (guint i = 0; i < readers.n; i++)
    n += is_updated_by (self, readers.ids[i]) == updates;
  return n;
}

static gboolean
is_gradient (const Replication *self, GobanTensorId t)
{
  const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);

  return !tensor->is_control && (self->parts.of_tensor[t] & GOBAN_PART_HALVES) != 0
         && count_readers (self, t, TRUE) > 0;
}

static guint16
get_place (const Replication *self, GobanTensorId t)
{
  return self->options->places != NULL
             ? self->options->places[goban_graph_get_tensor (self->graph, t)->producer]
             : 0;
}

static guint32
begin_bucket (Replication *self)
{
  Bucket bucket = { .tensors = g_array_new (FALSE, FALSE, sizeof (GobanTensorId)),
                    .results = g_new (GArray *, self->n) };

  for (guint r = 0; r < self->n; r++)
    bucket.results[r] = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->buckets, bucket);
  return self->buckets->len - 1;
}

/* Tensor ids ascend with their producers, which is the order of the backward pass. */
static void
fill_buckets (Replication *self)
{
  g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL); /* place -> bucket + 1 */

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      gpointer place = GUINT_TO_POINTER (get_place (self, t));
      double bytes = goban_graph_get_tensor (self->graph, t)->size_bytes;
      guint32 i;

      self->bucket_of[t] = NO_BUCKET;
      if (!is_gradient (self, t))
        continue;
      i = GPOINTER_TO_UINT (g_hash_table_lookup (open, place));
      i = i > 0 ? i - 1 : begin_bucket (self);
      self->bucket_of[t] = i;
      get_bucket (self, i)->bytes += bytes;
      g_array_append_val (get_bucket (self, i)->tensors, t);
      if (get_bucket (self, i)->bytes >= self->options->bucket_bytes)
        g_hash_table_remove (open, place);
      else
        g_hash_table_insert (open, place, GUINT_TO_POINTER (i + 1));
    }
}

/* --- copies --------------------------------------------------------------------------------- */

/* Nodes of a group share a device, and so do a producer of gradients and its part of the
 * all-reduce. */
static void
set_group (Replication *self, guint32 copy, GobanNodeId v, guint replica)
{
  guint32 group = goban_graph_get_node (self->graph, v)->group;
  guint64 n_groups = goban_graph_get_n_groups (self->graph);
  guint64 n_keys = n_groups + goban_graph_get_n_nodes (self->graph);

  goban_graph_builder_set_group (
      self->builder, copy, replica * n_keys + (group != GOBAN_NO_GROUP ? group : n_groups + v));
}

static void
add_facts (Replication *self, GobanNodeId origin, guint replica, gboolean is_step)
{
  Facts facts = { origin, replica, is_step };

  g_array_append_val (self->facts, facts);
}

static void
copy_nodes (Replication *self, guint replica)
{
  double share = self->options->splits ? 1.0 / self->n : 1;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (self->graph, v);
      g_autofree char *name = g_strdup_printf ("replica%u/%s", replica, node->name);
      gboolean is_once = (self->parts.of_node[v] & (GOBAN_PART_ONCE | GOBAN_PART_SHARED)) != 0;
      guint32 copy = goban_copy_node (self->builder, self->graph, v, name, is_once ? 1 : share);

      self->nodes[index_of (self, v, replica)] = copy;
      add_facts (self, v, replica, FALSE);
      if (node->group != GOBAN_NO_GROUP)
        set_group (self, copy, v, replica);
    }
}

/* A gradient that is reduced alone is made as chunks. */
static gboolean
is_chunked (const Replication *self, GobanTensorId t)
{
  return self->bucket_of[t] != NO_BUCKET && get_bucket (self, self->bucket_of[t])->tensors->len == 1
         && count_readers (self, t, FALSE) == 0;
}

static void
copy_tensors (Replication *self, guint replica)
{
  double share = self->options->splits ? 1.0 / self->n : 1;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      GobanNodeId v = goban_graph_get_tensor (self->graph, t)->producer;
      gboolean is_whole
          = self->bucket_of[t] != NO_BUCKET
            || (self->parts.of_tensor[t] & (GOBAN_PART_ONCE | GOBAN_PART_SHARED)) != 0;

      self->tensors[index_of (self, t, replica)]
          = is_chunked (self, t) ? GOBAN_NO_TENSOR
                                 : goban_copy_tensor (self->builder, self->graph, t,
                                                      self->nodes[index_of (self, v, replica)],
                                                      is_whole ? 1 : share);
    }
}

/* --- all-reduce ----------------------------------------------------------------------------- */

/* The node of a replica that has all gradients of a bucket. */
static guint32
collect (Replication *self, guint32 i, guint replica)
{
  const Bucket *bucket = get_bucket (self, i);
  GobanTensorId first = g_array_index (bucket->tensors, GobanTensorId, 0);
  GobanNodeId v = goban_graph_get_tensor (self->graph, first)->producer;
  g_autofree char *name = g_strdup_printf ("replica%u/bucket%u", replica, i);
  guint32 node;

  if (bucket->tensors->len == 1 && is_chunked (self, first))
    return self->nodes[index_of (self, v, replica)];
  node = goban_graph_builder_add_node (self->builder, name, "Bucket");
  goban_graph_builder_get_node (self->builder, node)->phase = GOBAN_PHASE_BACKWARD;
  add_facts (self, v, replica, TRUE);
  set_group (self, node, v, replica);
  for (guint k = 0; k < bucket->tensors->len; k++)
    {
      GobanTensorId t = g_array_index (bucket->tensors, GobanTensorId, k);

      goban_graph_builder_add_edge (self->builder, self->tensors[index_of (self, t, replica)],
                                    node);
    }
  return node;
}

static void
reduce (Replication *self, guint32 i)
{
  const Bucket *bucket = get_bucket (self, i);
  GobanTensorId first = g_array_index (bucket->tensors, GobanTensorId, 0);
  GobanNodeId v = goban_graph_get_tensor (self->graph, first)->producer;
  GobanCollective collective
      = { GOBAN_COLLECTIVE_ALL_REDUCE, self->options->is_tree, self->n, bucket->bytes };
  g_autofree guint32 *producers = g_new (guint32, self->n);
  g_autofree char *scope = g_strdup_printf ("all-reduce/%u", i);
  g_autoptr (GArray) steps = NULL;

  for (guint r = 0; r < self->n; r++)
    {
      producers[r] = collect (self, i, r);
      set_group (self, self->nodes[index_of (self, v, r)], v, r);
    }
  steps = goban_collective_add (self->builder, &collective, producers, scope, bucket->results);
  for (guint k = 0; k < steps->len; k++)
    {
      const GobanCollectiveStep *step = &g_array_index (steps, GobanCollectiveStep, k);

      goban_graph_builder_get_node (self->builder, step->node)->phase = GOBAN_PHASE_BACKWARD;
      add_facts (self, v, step->rank, TRUE);
      set_group (self, step->node, v, step->rank);
    }
}

/* --- edges ---------------------------------------------------------------------------------- */

static void
copy_edge (Replication *self, const GobanEdge *edge, guint replica)
{
  guint32 head = self->nodes[index_of (self, edge->head, replica)];
  guint32 i = self->bucket_of[edge->tensor];

  if (i != NO_BUCKET && self->parts.of_node[edge->head] == GOBAN_PART_ONCE)
    {
      const GArray *results = get_bucket (self, i)->results[replica];

      for (guint k = 0; k < results->len; k++)
        goban_graph_builder_add_edge (self->builder, g_array_index (results, guint32, k), head);
      return;
    }
  goban_graph_builder_add_edge (self->builder,
                                self->tensors[index_of (self, edge->tensor, replica)], head);
}

/* --- the whole ------------------------------------------------------------------------------ */

static gboolean
check (const Replication *self, GError **error)
{
  gsize n_nodes = goban_graph_get_n_nodes (self->graph);
  gsize n_steps = (gsize) 2 * self->n * self->n * self->buckets->len;

  if (self->buckets->len == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "replicas exchange gradients, and no update of graph “%s” reads one",
                         goban_graph_get_name (self->graph));
  return n_nodes * self->n + n_steps <= MOST_NODES
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "%u replicas with %u all-reduces are more than %u nodes", self->n,
                          self->buckets->len, MOST_NODES);
}

static void
copy_all (Replication *self)
{
  g_autofree char *name
      = g_strdup_printf ("%s, %u replicas", goban_graph_get_name (self->graph), self->n);

  self->builder = goban_copy_begin (self->graph, name);
  if (self->options->splits)
    goban_graph_builder_warn (self->builder,
                              "replicas are derived: each takes 1/%u of the time and the "
                              "activations of the batch",
                              self->n);
  for (guint r = 0; r < self->n; r++)
    copy_nodes (self, r);
  for (guint r = 0; r < self->n; r++)
    copy_tensors (self, r);
  for (guint i = 0; i < self->buckets->len; i++)
    reduce (self, i);
  for (guint r = 0; r < self->n; r++)
    {
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
        {
          GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

          for (guint i = 0; i < in.n; i++)
            copy_edge (self, goban_graph_get_edge (self->graph, in.ids[i]), r);
        }
    }
}

GobanReplicas *
goban_replicas_new (const GobanGraph *graph, const GobanReplicaOptions *options, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_auto (Replication) self = { .graph = graph, .options = options, .n = options->n_replicas };

  if (self.n < 2 || self.n > GOBAN_MAX_COLLECTIVE_RANKS)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "there are 2 to %u replicas",
                       GOBAN_MAX_COLLECTIVE_RANKS);
      return NULL;
    }
  goban_parts_init (&self.parts, graph, FALSE);
  self.buckets = g_array_new (FALSE, FALSE, sizeof (Bucket));
  self.facts = g_array_new (FALSE, FALSE, sizeof (Facts));
  self.bucket_of = g_new (guint32, n_tensors + 1);
  fill_buckets (&self);
  if (!check (&self, error))
    return NULL;
  self.nodes = g_new (guint32, (gsize) n_nodes * self.n + 1);
  self.tensors = g_new (guint32, (gsize) n_tensors * self.n + 1);
  copy_all (&self);

  g_autofree GobanNodeId *ids = NULL;
  g_autofree GobanReplicas *made = g_new0 (GobanReplicas, 1);
  guint n = self.facts->len;

  made->graph = goban_graph_builder_finish (self.builder, &ids, error);
  if (made->graph == NULL)
    return NULL;
  made->origins = g_new (GobanNodeId, n + 1);
  made->replicas = g_new (guint, n + 1);
  made->is_step = g_new (gboolean, n + 1);
  made->n_buckets = self.buckets->len;
  for (guint i = 0; i < self.buckets->len; i++)
    made->gradient_bytes += get_bucket (&self, i)->bytes;
  for (guint i = 0; i < n; i++)
    {
      const Facts *facts = &g_array_index (self.facts, Facts, i);

      made->origins[ids[i]] = facts->origin;
      made->replicas[ids[i]] = facts->replica;
      made->is_step[ids[i]] = facts->is_step;
    }
  return g_steal_pointer (&made);
}

void
goban_replicas_free (GobanReplicas *self)
{
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_free (self->origins);
  g_free (self->replicas);
  g_free (self->is_step);
  g_free (self);
}
