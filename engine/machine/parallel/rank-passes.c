#include "engine/machine/parallel/rank-graph.h"

#include "engine/core/error.h"
#include "engine/graph/collectives.h"
#include "engine/machine/parallel/graph-copy.h"
#include "engine/machine/parallel/pass-parts.h"

#include <math.h>

/* Passes of a stage. */
enum
{
  FORWARD,
  BACKWARD,
  WEIGHTS,
  N_PASSES
};

/* A pass is up to so many ops one after another, so that a timeline tells what it is spent on. */
enum
{
  RECOMPUTING,
  COMPUTING,
  EXCHANGING,
  SENDING,
  N_SHARES
};

typedef struct
{
  guint stage;
  guint part; /* FORWARD and so on, or N_PASSES: an op of its own */
  double times_us[N_SHARES];
  GobanNode sum;       /* of the work of its ops */
  guint32 first, last; /* the builder's nodes */
} Pass;

/* Tensors of a pass that the same others read, as one. */
typedef struct
{
  guint32 tensor; /* the builder's */
  double bytes;
} Bundle;

typedef struct
{
  const GobanRankGraph *rank;
  const GobanGraph *graph; /* that of the rank */
  const GobanCostModel *costs;
  const GobanDeviceId *devices;
  GobanParts parts;
  GobanGraphBuilder *builder;
  guint32 *passes;     /* (n_nodes) of each node; its own one if it is done once */
  GArray *all;         /* of Pass */
  GArray *stages;      /* of guint: of the builder's nodes */
  GHashTable *found;   /* stage and part -> pass + 1 */
  GHashTable *bundles; /* producer and readers in words -> Bundle */
} Merging;

static void
merging_clear (Merging *self)
{
  goban_parts_clear (&self->parts);
  g_clear_pointer (&self->builder, goban_graph_builder_free);
  g_free (self->passes);
  g_clear_pointer (&self->all, g_array_unref);
  g_clear_pointer (&self->stages, g_array_unref);
  g_clear_pointer (&self->found, g_hash_table_unref);
  g_clear_pointer (&self->bundles, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Merging, merging_clear)

static Pass *
get_pass (const Merging *self, guint32 pass)
{
  return &g_array_index (self->all, Pass, pass);
}

static guint32
add_pass (Merging *self, guint stage, guint part)
{
  Pass pass = { .stage = stage, .part = part };

  g_array_append_val (self->all, pass);
  return self->all->len - 1;
}

static guint32
find_pass (Merging *self, guint stage, guint part)
{
  gpointer key = GUINT_TO_POINTER (stage * N_PASSES + part);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->found, key));

  if (known == 0)
    known = add_pass (self, stage, part) + 1;
  g_hash_table_insert (self->found, key, GUINT_TO_POINTER (known));
  return known - 1;
}

/* --- ops ------------------------------------------------------------------------------------ */

/* What the schedule does once for each micro-batch; but for what has no input, such as ids: an op
 * that reads weights alone would be done once. */
static gboolean
is_in_pass (const Merging *self, GobanNodeId v)
{
  return (self->parts.of_node[v] & (GOBAN_PART_FORWARD | GOBAN_PART_HALVES)) != 0
         && goban_graph_get_in_edges (self->graph, v).n > 0;
}

static guint
find_share (const Merging *self, GobanNodeId v)
{
  const GobanNodeCollective *collective = goban_graph_find_collective (self->graph, v);

  if (collective != NULL)
    return collective->kind == GOBAN_COLLECTIVE_SEND ? SENDING : EXCHANGING;
  return g_str_has_prefix (goban_graph_get_node (self->graph, v)->name, GOBAN_RECOMPUTE_SCOPE)
             ? RECOMPUTING
             : COMPUTING;
}

static gboolean
take_node (Merging *self, GobanNodeId v, GError **error)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  guint stage = self->rank->stages[v];
  double time_us = goban_cost_model_time_us (self->costs, v, self->devices[stage]);
  guint part = self->parts.of_node[v] == GOBAN_PART_FORWARD
                   ? FORWARD
                   : (self->parts.of_node[v] == GOBAN_PART_WEIGHT ? WEIGHTS : BACKWARD);
  Pass *pass;

  if (!isfinite (time_us))
    return goban_refuse (error, GOBAN_ERROR_INFEASIBLE, "node “%s” cannot run on its device",
                         node->name);
  if (!is_in_pass (self, v))
    {
      self->passes[v] = add_pass (self, stage, N_PASSES);
      pass = get_pass (self, self->passes[v]);
      pass->first = pass->last = goban_copy_node (self->builder, self->graph, v, node->name, 1);
      g_array_append_val (self->stages, stage);
      return TRUE;
    }
  self->passes[v] = find_pass (self, stage, part);
  pass = get_pass (self, self->passes[v]);
  /* A schedule takes gradients of weights for one op. */
  pass->times_us[part == WEIGHTS ? COMPUTING : find_share (self, v)] += time_us;
  pass->sum.flops += node->flops;
  pass->sum.macs += node->macs;
  pass->sum.read_bytes += node->read_bytes;
  pass->sum.written_bytes += node->written_bytes;
  pass->sum.param_bytes += node->param_bytes;
  pass->sum.param_count += node->param_count;
  return TRUE;
}

static void
add_work (Merging *self, const Pass *pass, guint32 id)
{
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);

  node->flops = pass->sum.flops;
  node->macs = pass->sum.macs;
  node->read_bytes = pass->sum.read_bytes;
  node->written_bytes = pass->sum.written_bytes;
  node->param_bytes = pass->sum.param_bytes;
  node->param_count = pass->sum.param_count;
}

/* The ops of a pass, in a row. */
static void
add_ops (Merging *self, Pass *pass)
{
  static const char *const ops[N_PASSES] = { "Forward", "Backward", "Weights" };
  static const char *const names[N_PASSES] = { "forward", "backward", "weights" };
  static const char *const share_ops[N_SHARES]
      = { GOBAN_RECOMPUTE_OP, NULL, GOBAN_COLLECTIVES_OP, GOBAN_SEND_OP };
  static const char *const share_names[N_SHARES] = { "/recompute", "", "/collectives", "/send" };
  const char *kind = goban_cluster_get_device (goban_cost_model_get_cluster (self->costs),
                                               self->devices[pass->stage])
                         ->kind;
  gboolean is_first = TRUE;

  for (guint i = 0; i < N_SHARES; i++)
    {
      g_autofree char *name
          = g_strdup_printf ("%s/stage_%u%s", names[pass->part], pass->stage, share_names[i]);
      guint32 node;

      if (pass->times_us[i] <= 0 && i != COMPUTING)
        continue;
      node = goban_graph_builder_add_node (self->builder, name,
                                           share_ops[i] != NULL ? share_ops[i] : ops[pass->part]);
      g_array_append_val (self->stages, pass->stage);
      goban_graph_builder_get_node (self->builder, node)->phase
          = pass->part == FORWARD ? GOBAN_PHASE_FORWARD : GOBAN_PHASE_BACKWARD;
      if (i == COMPUTING)
        add_work (self, pass, node);
      goban_graph_builder_set_time (self->builder, node, kind, pass->times_us[i],
                                    GOBAN_SOURCE_ESTIMATED);
      if (is_first)
        pass->first = node;
      else
        goban_graph_builder_add_control_edge (self->builder, pass->last, node);
      pass->last = node;
      is_first = FALSE;
    }
}

/* --- tensors -------------------------------------------------------------------------------- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* Passes that read the tensor, but for its own, each once. (transfer full) */
static GArray *
find_readers (const Merging *self, GobanTensorId t, guint32 from)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (self->graph, t);
  GArray *readers = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = 0;

  for (guint i = 0; i < edges.n; i++)
    g_array_append_val (readers,
                        self->passes[goban_graph_get_edge (self->graph, edges.ids[i])->head]);
  g_array_sort (readers, compare_ids);
  for (guint i = 0; i < readers->len; i++)
    {
      guint32 reader = g_array_index (readers, guint32, i);

      if (reader != from && (n == 0 || g_array_index (readers, guint32, n - 1) != reader))
        g_array_index (readers, guint32, n++) = reader;
    }
  g_array_set_size (readers, n);
  return readers;
}

static Bundle *
find_bundle (Merging *self, guint32 from, const GArray *readers, gboolean is_control)
{
  guint32 node = get_pass (self, from)->last;
  g_autoptr (GString) key = g_string_new (is_control ? "control" : NULL);
  Bundle *bundle;

  g_string_append_printf (key, " %u", from);
  for (guint i = 0; i < readers->len; i++)
    g_string_append_printf (key, " %u", g_array_index (readers, guint32, i));
  bundle = g_hash_table_lookup (self->bundles, key->str);
  if (bundle != NULL)
    return bundle;
  bundle = g_new0 (Bundle, 1);
  bundle->tensor = is_control ? goban_graph_builder_add_control_tensor (self->builder, node)
                              : goban_graph_builder_add_tensor (self->builder, node, 0);
  for (guint i = 0; i < readers->len; i++)
    goban_graph_builder_add_edge (self->builder, bundle->tensor,
                                  get_pass (self, g_array_index (readers, guint32, i))->first);
  g_hash_table_insert (self->bundles, g_strdup (key->str), bundle);
  return bundle;
}

/* A tensor that leaves its pass. Those of a pass that the same others read are one. */
static void
add_tensor (Merging *self, GobanTensorId t)
{
  const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
  guint32 from = self->passes[tensor->producer];
  g_autoptr (GArray) readers = NULL;
  Bundle *bundle;

  if (self->parts.of_node[tensor->producer] == GOBAN_PART_HALVES
      && self->parts.of_tensor[t] == GOBAN_PART_WEIGHT)
    {
      /* An op of the backward pass leaves its gradients of weights to their pass. */
      guint32 weights = find_pass (self, self->rank->stages[tensor->producer], WEIGHTS);

      goban_graph_builder_add_control_edge (self->builder, get_pass (self, from)->last,
                                            get_pass (self, weights)->first);
      from = weights;
    }
  readers = find_readers (self, t, from);
  if (readers->len == 0)
    return;
  bundle = find_bundle (self, from, readers, tensor->is_control);
  bundle->bytes += tensor->size_bytes;
  if (!tensor->is_control)
    goban_graph_builder_set_tensor_size (self->builder, bundle->tensor, bundle->bytes);
}

GobanRankGraph *
goban_rank_graph_new_passes (const GobanRankGraph *rank, const GobanCostModel *costs,
                             const GobanDeviceId *devices, gboolean splits_backward, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (rank->graph);
  g_auto (Merging) self
      = { .rank = rank, .graph = rank->graph, .costs = costs, .devices = devices };
  g_autoptr (GobanRankGraph) made = g_new0 (GobanRankGraph, 1);
  g_autofree GobanNodeId *ids = NULL;

  goban_parts_init (&self.parts, rank->graph, splits_backward);
  self.builder = goban_copy_begin (rank->graph, goban_graph_get_name (rank->graph));
  self.passes = g_new (guint32, n_nodes + 1);
  self.all = g_array_new (FALSE, FALSE, sizeof (Pass));
  self.found = g_hash_table_new (NULL, NULL);
  self.bundles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self.stages = g_array_new (FALSE, FALSE, sizeof (guint));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (!take_node (&self, v, error))
        return NULL;
      if (self.parts.of_node[v] == GOBAN_PART_HALVES)
        find_pass (&self, rank->stages[v], WEIGHTS);
    }
  for (guint32 i = 0; i < self.all->len; i++)
    if (get_pass (&self, i)->part < N_PASSES)
      add_ops (&self, get_pass (&self, i));
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (rank->graph); t++)
    add_tensor (&self, t);

  made->graph = goban_graph_builder_finish (self.builder, &ids, error);
  if (made->graph == NULL)
    return NULL;
  made->stages = g_new (guint, self.stages->len + 1);
  for (guint32 i = 0; i < self.stages->len; i++)
    made->stages[ids[i]] = g_array_index (self.stages, guint, i);
  return g_steal_pointer (&made);
}
