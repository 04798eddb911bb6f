#include "engine/machine/parallel/rank-graph.h"

#include "engine/core/error.h"
#include "engine/graph/collectives.h"
#include "engine/machine/parallel/graph-copy.h"
#include "engine/machine/parallel/pass-parts.h"
#include "engine/machine/parallel/schedule.h"

#include <string.h>

#define NO_ID G_MAXUINT32

const char *const goban_recompute_names[GOBAN_N_RECOMPUTES + 1] = { "none", "selective", "full" };

/* --- layers --------------------------------------------------------------------------------- */

/* The name without what says that it is of the backward pass or of an update. */
static const char *
skip_phase (const char *name)
{
  static const char *const prefixes[] = { "gradients/", "optimizer/", "grad/", "update/" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return name + strlen (prefixes[i]);
  return name;
}

/* Finds the first component such as "layer_3" or "blocks.3". Returns its end in @name, or NULL. */
static const char *
find_layer (const char *name, guint *number)
{
  static const char *const words[] = { "layer", "layers", "block", "blocks", "h" };

  for (const char *at = skip_phase (name); at != NULL; at = strchr (at, '/'))
    {
      at += *at == '/';
      for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        {
          gsize length = strlen (words[i]);
          char *end;

          if (!g_str_has_prefix (at, words[i]) || (at[length] != '_' && at[length] != '.')
              || !g_ascii_isdigit (at[length + 1]))
            continue;
          *number = (guint) MIN (g_ascii_strtoull (at + length + 1, &end, 10), G_MAXUINT - 1);
          if (*end == '/' || *end == '\0')
            return end;
        }
    }
  return NULL;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

guint
goban_graph_find_layers (const GobanGraph *graph, guint *layers)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* number -> layer + 1 */

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      layers[v] = GOBAN_NO_LAYER;
      if (find_layer (goban_graph_get_node (graph, v)->name, &layers[v]) != NULL
          && g_hash_table_add (seen, GUINT_TO_POINTER (layers[v])))
        g_array_append_val (numbers, layers[v]);
    }
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++)
    g_hash_table_replace (seen, GUINT_TO_POINTER (g_array_index (numbers, guint, i)),
                          GUINT_TO_POINTER (i + 1));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (layers[v] != GOBAN_NO_LAYER)
      layers[v] = GPOINTER_TO_UINT (g_hash_table_lookup (seen, GUINT_TO_POINTER (layers[v]))) - 1;
  return numbers->len;
}

/* (transfer full) */
static char *
dup_scope (const char *name)
{
  const char *own = skip_phase (name);
  const char *slash = strrchr (own, '/');

  return slash != NULL ? g_strndup (own, slash - own) : g_strdup (own);
}

/* Scopes of forward ops outside of layers: whether an op of theirs reads what a layer has made, or
 * what such a scope has. (transfer full): of GINT_TO_POINTER (TRUE + 1) and (FALSE + 1). */
static GHashTable *
find_scopes (const GobanGraph *graph, const guint *layers)
{
  GHashTable *scopes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree gboolean *is_late = g_new0 (gboolean, goban_graph_get_n_nodes (graph) + 1);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
      char *scope;

      if (layers[v] != GOBAN_NO_LAYER || node->phase != GOBAN_PHASE_FORWARD)
        continue;
      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;

          is_late[v] |= layers[tail] != GOBAN_NO_LAYER || is_late[tail];
        }
      scope = dup_scope (node->name);
      if (is_late[v] || !g_hash_table_contains (scopes, scope))
        g_hash_table_replace (scopes, scope, GINT_TO_POINTER (is_late[v] + 1));
      else
        g_free (scope);
    }
  return scopes;
}

/* By the innermost of its scopes that has forward ops. */
static gboolean
comes_late (GHashTable *scopes, const char *name)
{
  g_autofree char *scope = dup_scope (name);

  for (char *end; (end = strrchr (scope, '/')) != NULL; *end = '\0')
    {
      int known = GPOINTER_TO_INT (g_hash_table_lookup (scopes, scope));

      if (known > 0)
        return known - 1;
    }
  return GPOINTER_TO_INT (g_hash_table_lookup (scopes, scope)) == TRUE + 1;
}

gboolean
goban_graph_cut_layers (const GobanGraph *graph, guint n_stages, guint *stages, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint *layers = g_new (guint, n_nodes + 1);
  guint n_layers = goban_graph_find_layers (graph, layers);
  g_autoptr (GHashTable) scopes = find_scopes (graph, layers);

  if (n_layers < n_stages)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "graph “%s” has %u layers (layer_0, layer_1, …), fewer than %u stages",
                         goban_graph_get_name (graph), n_layers, n_stages);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (layers[v] != GOBAN_NO_LAYER)
      stages[v] = (guint) ((guint64) layers[v] * n_stages / n_layers);
    else
      stages[v] = comes_late (scopes, goban_graph_get_node (graph, v)->name) ? n_stages - 1 : 0;
  return TRUE;
}

/* --- the state ------------------------------------------------------------------------------ */

/* What the copies exchange of a layer, or of another scope, at once. */
typedef struct
{
  char *name; /* "layer_3", "layer_3/experts" */
  guint stage;
  gboolean is_of_experts;
  double gradient_bytes;
  guint32 reduction; /* the builder's node, or NO_ID */
  guint32 result;    /* the builder's tensor, as large as a copy's share of the gradients */
  /* ZeRO 3: weights for the forward and for the backward ops. */
  double weight_bytes[2];
  guint32 gather[2], weights[2]; /* nodes and tensors of the builder, or NO_ID */
} Exchange;

typedef struct
{
  const GobanGraph *graph;
  const GobanRankOptions *options;
  GobanParts parts;
  gboolean *is_sum; /* (n_nodes) of gradients of weights, that updates read */
  guint *layers;    /* (n_nodes) */
  guint n_layers;
  GArray *exchanges;     /* of Exchange */
  guint32 *exchange_of;  /* (n_nodes) */
  gboolean *is_gradient; /* (n_tensors) that is exchanged */
  GobanGraphBuilder *builder;
  GArray *stages;            /* of guint: of the builder's nodes */
  guint32 *nodes, *again;    /* (n_nodes) the builder's; its recomputed copy, or NO_ID */
  guint32 *tensors, *remade; /* (n_tensors) the same */
  GHashTable *sent;          /* the builder's tensor and a stage, as int64 -> a tensor + 1 */
} Making;

static void
exchange_clear (gpointer data)
{
  g_free (((Exchange *) data)->name);
}

static void
making_clear (Making *self)
{
  goban_parts_clear (&self->parts);
  g_free (self->is_sum);
  g_free (self->layers);
  g_clear_pointer (&self->exchanges, g_array_unref);
  g_free (self->exchange_of);
  g_free (self->is_gradient);
  g_clear_pointer (&self->builder, goban_graph_builder_free);
  g_clear_pointer (&self->stages, g_array_unref);
  g_free (self->nodes);
  g_free (self->again);
  g_free (self->tensors);
  g_free (self->remade);
  g_clear_pointer (&self->sent, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Making, making_clear)

static Exchange *
get_exchange (const Making *self, GobanNodeId v)
{
  return &g_array_index (self->exchanges, Exchange, self->exchange_of[v]);
}

static guint
get_stage (const Making *self, GobanNodeId v)
{
  return self->options->stages != NULL ? self->options->stages[v] : 0;
}

static gboolean
is_once (const Making *self, GobanNodeId v)
{
  return self->parts.of_node[v] == GOBAN_PART_ONCE;
}

static gboolean
is_shared (const Making *self, GobanNodeId v)
{
  return self->parts.of_node[v] == GOBAN_PART_SHARED;
}

/* --- gradients ------------------------------------------------------------------------------ */

/* A sum of gradients of weights that are used twice. One sum of all micro-batches is enough. */
static gboolean
sums_gradients (const Making *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);

  if (!g_str_has_prefix (goban_graph_get_node (self->graph, v)->op, "Add")
      || (self->parts.of_node[v] & GOBAN_PART_HALVES) == 0)
    return FALSE;
  for (guint i = 0; i < out.n; i++)
    if (!is_once (self, goban_graph_get_edge (self->graph, out.ids[i])->head))
      return FALSE;
  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);

      if ((self->parts.of_node[edge->tail] & GOBAN_PART_HALVES) == 0
          || goban_graph_get_tensor_edges (self->graph, edge->tensor).n > 1)
        return FALSE;
    }
  return in.n > 0 && out.n > 0;
}

static void
find_gradients (Making *self)
{
  self->is_sum = g_new0 (gboolean, goban_graph_get_n_nodes (self->graph) + 1);
  self->is_gradient = g_new0 (gboolean, goban_graph_get_n_tensors (self->graph) + 1);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    self->is_sum[v] = sums_gradients (self, v);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (self->is_sum[v])
      self->parts.of_node[v] = GOBAN_PART_ONCE;
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);

      for (guint r = 0; r < readers.n && !tensor->is_control; r++)
        {
          GobanNodeId head = goban_graph_get_edge (self->graph, readers.ids[r])->head;

          /* of_tensor has a sum's tensor as it was before. */
          self->is_gradient[t] |= (self->parts.of_tensor[t] & GOBAN_PART_HALVES) != 0
                                  && is_once (self, head) && !self->is_sum[head];
        }
    }
}

/* --- exchanges ------------------------------------------------------------------------------ */

static guint32
find_exchange (Making *self, GHashTable *by_name, GobanNodeId v)
{
  const char *own = skip_phase (goban_graph_get_node (self->graph, v)->name);
  gboolean is_of_experts = strstr (own, "/experts/") != NULL;
  guint number;
  const char *end = find_layer (own, &number);
  g_autofree char *scope = g_strndup (own, end != NULL ? (gsize) (end - own) : strcspn (own, "/"));
  char *name = g_strconcat (scope, is_of_experts ? "/experts" : NULL, NULL);
  gpointer known = g_hash_table_lookup (by_name, name);
  Exchange exchange = { .name = name,
                        .stage = get_stage (self, v),
                        .is_of_experts = is_of_experts,
                        .reduction = NO_ID,
                        .gather = { NO_ID, NO_ID } };

  if (known != NULL)
    {
      g_free (name);
      return GPOINTER_TO_UINT (known) - 1;
    }
  g_array_append_val (self->exchanges, exchange);
  g_hash_table_insert (by_name, name, GUINT_TO_POINTER (self->exchanges->len));
  return self->exchanges->len - 1;
}

static guint
count_copies (const Making *self, const Exchange *exchange)
{
  return exchange->is_of_experts ? self->options->n_expert_copies : self->options->n_copies;
}

/* 0: of forward ops, 1: of backward ones. */
static guint
get_pass (const Making *self, GobanNodeId v)
{
  return goban_graph_get_node (self->graph, v)->phase != GOBAN_PHASE_FORWARD;
}

/* Whether the edge leads from weights to an op of a micro-batch. */
static gboolean
reads_weights (const Making *self, const GobanEdge *edge)
{
  return is_shared (self, edge->tail) && !is_shared (self, edge->head)
         && !is_once (self, edge->head)
         && goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes > 0;
}

static void
find_exchanges (Making *self)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  self->exchanges = g_array_new (FALSE, FALSE, sizeof (Exchange));
  g_array_set_clear_func (self->exchanges, exchange_clear);
  self->exchange_of = g_new (guint32, goban_graph_get_n_nodes (self->graph) + 1);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    self->exchange_of[v] = find_exchange (self, by_name, v);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);
      gboolean is_read[2] = { FALSE, FALSE };

      if (self->is_gradient[t])
        get_exchange (self, tensor->producer)->gradient_bytes += tensor->size_bytes;
      for (guint r = 0; r < readers.n; r++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, readers.ids[r]);
          guint pass = get_pass (self, edge->head);

          if (!is_read[pass] && reads_weights (self, edge))
            get_exchange (self, edge->head)->weight_bytes[pass] += tensor->size_bytes;
          is_read[pass] |= reads_weights (self, edge);
        }
    }
}

/* --- nodes ---------------------------------------------------------------------------------- */

static guint32
take_node (Making *self, guint32 node, guint stage)
{
  g_array_append_val (self->stages, stage);
  return node;
}

/* A collective, or a send, that gives one tensor. */
static guint32
add_exchange (Making *self, const char *name, const GobanNodeCollective *what, GobanPhase phase,
              guint stage)
{
  g_autofree char *full = g_strdup_printf ("%s/%s", goban_collective_names[what->kind], name);
  guint32 node = take_node (
      self, goban_graph_builder_add_node (self->builder, full, goban_collective_names[what->kind]),
      stage);
  GobanNodeCollective collective = *what;

  collective.node = node;
  goban_graph_builder_get_node (self->builder, node)->phase = phase;
  goban_graph_builder_set_collective (self->builder, collective);
  return node;
}

/* ZeRO shares updates and their state out to the copies, and with 3 the weights. */
static void
share_out (Making *self, GobanNodeId v, guint32 copy)
{
  guint n_copies = count_copies (self, get_exchange (self, v));
  GobanNode *node = goban_graph_builder_get_node (self->builder, copy);

  if (node->phase == GOBAN_PHASE_UPDATE && self->options->zero >= 1)
    {
      node->flops /= n_copies;
      node->read_bytes /= n_copies;
      node->written_bytes /= n_copies;
      node->param_bytes /= n_copies;
    }
  else if (is_shared (self, v) && self->options->zero >= 3)
    node->param_bytes /= n_copies;
}

static gboolean
is_recomputed (const Making *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);

  return self->options->recompute != GOBAN_RECOMPUTE_NONE && self->layers[v] != GOBAN_NO_LAYER
         && self->parts.of_node[v] == GOBAN_PART_FORWARD
         && (self->options->recompute == GOBAN_RECOMPUTE_FULL || node->macs == 0);
}

static void
add_nodes (Making *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const char *name = goban_graph_get_node (self->graph, v)->name;

      self->nodes[v] = take_node (self, goban_copy_node (self->builder, self->graph, v, name, 1),
                                  get_stage (self, v));
      if (self->is_sum[v])
        goban_graph_builder_get_node (self->builder, self->nodes[v])->phase = GOBAN_PHASE_UPDATE;
      share_out (self, v, self->nodes[v]);
    }
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      g_autofree char *name
          = g_strconcat (GOBAN_RECOMPUTE_SCOPE, goban_graph_get_node (self->graph, v)->name, NULL);

      self->again[v] = NO_ID;
      if (!is_recomputed (self, v))
        continue;
      self->again[v] = take_node (self, goban_copy_node (self->builder, self->graph, v, name, 1),
                                  get_stage (self, v));
      goban_copy_drop_params (self->builder, self->again[v]);
      goban_graph_builder_get_node (self->builder, self->again[v])->phase = GOBAN_PHASE_BACKWARD;
    }
}

static void
add_tensors (Making *self)
{
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      GobanNodeId v = goban_graph_get_tensor (self->graph, t)->producer;
      gboolean is_split = self->is_gradient[t] && self->options->zero >= 2;
      double share = is_split ? 1.0 / count_copies (self, get_exchange (self, v)) : 1;

      self->tensors[t] = goban_copy_tensor (self->builder, self->graph, t, self->nodes[v], share);
      self->remade[t] = self->again[v] != NO_ID
                            ? goban_copy_tensor (self->builder, self->graph, t, self->again[v], 1)
                            : NO_ID;
    }
}

/* Among the copies. */
static GobanNodeCollective
exchange_gradients (const Making *self, const Exchange *exchange, GobanCollectiveKind kind)
{
  return (GobanNodeCollective){ .kind = kind,
                                .n_ranks = count_copies (self, exchange),
                                .rank_step = 1,
                                .group = exchange->is_of_experts ? "edp" : "dp",
                                .bytes = exchange->gradient_bytes };
}

/* Gradients become one sum before the updates; weights come together before the ops. */
static void
add_exchanges (Making *self)
{
  static const char *const pass_names[] = { "", "/backward" };

  for (guint i = 0; i < self->exchanges->len; i++)
    {
      Exchange *exchange = &g_array_index (self->exchanges, Exchange, i);
      guint n_copies = count_copies (self, exchange);
      gboolean is_shared = self->options->zero > 0;
      GobanNodeCollective what = exchange_gradients (self, exchange,
                                                     is_shared ? GOBAN_COLLECTIVE_REDUCE_SCATTER
                                                               : GOBAN_COLLECTIVE_ALL_REDUCE);
      double share = is_shared ? 1.0 / n_copies : 1;

      if (n_copies < 2)
        continue;
      if (exchange->gradient_bytes > 0)
        {
          exchange->reduction
              = add_exchange (self, exchange->name, &what, GOBAN_PHASE_UPDATE, exchange->stage);
          exchange->result = goban_graph_builder_add_tensor (self->builder, exchange->reduction,
                                                             what.bytes * share);
        }
      what.kind = GOBAN_COLLECTIVE_ALL_GATHER;
      for (guint pass = 0; pass < 2 && self->options->zero >= 3; pass++)
        if (exchange->weight_bytes[pass] > 0)
          {
            g_autofree char *name = g_strconcat (exchange->name, pass_names[pass], NULL);

            what.bytes = exchange->weight_bytes[pass];
            exchange->gather[pass] = add_exchange (
                self, name, &what, pass == 0 ? GOBAN_PHASE_FORWARD : GOBAN_PHASE_BACKWARD,
                exchange->stage);
            exchange->weights[pass] = goban_graph_builder_add_tensor (
                self->builder, exchange->gather[pass], what.bytes);
          }
    }
}

/* --- edges ---------------------------------------------------------------------------------- */

/* The tensor of the builder as the other stage has it: that of an op that sends it there. */
static guint32
send (Making *self, const GobanEdge *edge, guint32 tensor)
{
  const GobanTensor *source = goban_graph_get_tensor (self->graph, edge->tensor);
  const GobanNode *producer = goban_graph_get_node (self->graph, edge->tail);
  guint to = get_stage (self, edge->head);
  gint64 key = (gint64) tensor * GOBAN_MAX_STAGES + to;
  gpointer known = g_hash_table_lookup (self->sent, &key);
  g_autofree char *name = g_strdup_printf ("stage_%u/%s", to, producer->name);
  guint32 node, sent;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  node = add_exchange (self, name,
                       &(GobanNodeCollective){ .kind = GOBAN_COLLECTIVE_SEND,
                                               .bytes = source->size_bytes,
                                               .n_ranks = 2,
                                               .rank_step = 1,
                                               .group = "pp" },
                       is_once (self, edge->head) ? GOBAN_PHASE_UPDATE : producer->phase,
                       get_stage (self, edge->tail));
  goban_graph_builder_add_edge (self->builder, tensor, node);
  sent = goban_copy_tensor (self->builder, self->graph, edge->tensor, node, 1);
  g_hash_table_insert (self->sent, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (sent + 1));
  return sent;
}

/* @node: of the builder, a copy of the edge's head. */
static void
add_edge (Making *self, const GobanEdge *edge, guint32 tensor, guint32 node)
{
  const guint *places = self->options->places;

  if (places != NULL && !goban_graph_get_tensor (self->graph, edge->tensor)->is_control
      && places[get_stage (self, edge->tail)] != places[get_stage (self, edge->head)])
    tensor = send (self, edge, tensor);
  goban_graph_builder_add_edge (self->builder, tensor, node);
}

/* TRUE if the gathered weights, or the exchanged gradient, took the edge's place. */
static gboolean
add_exchanged (Making *self, const GobanEdge *edge)
{
  Exchange *source = get_exchange (self, edge->tail);
  Exchange *scope = get_exchange (self, edge->head);
  guint pass = get_pass (self, edge->head);

  if (self->is_gradient[edge->tensor] && is_once (self, edge->head) && !self->is_sum[edge->head]
      && source->reduction != NO_ID)
    {
      goban_graph_builder_add_edge (self->builder, self->tensors[edge->tensor], source->reduction);
      goban_graph_builder_add_edge (self->builder, source->result, self->nodes[edge->head]);
      return TRUE;
    }
  if (!reads_weights (self, edge) || scope->gather[pass] == NO_ID)
    return FALSE;
  add_edge (self, edge, self->tensors[edge->tensor], scope->gather[pass]);
  goban_graph_builder_add_edge (self->builder, scope->weights[pass], self->nodes[edge->head]);
  if (self->again[edge->head] != NO_ID)
    goban_graph_builder_add_edge (self->builder, scope->weights[scope->gather[1] != NO_ID],
                                  self->again[edge->head]);
  return TRUE;
}

/* A layer's backward pass begins with the gradient that comes from elsewhere. */
static gboolean
begins_backward (const Making *self, const GobanEdge *edge)
{
  return (self->parts.of_node[edge->head] & GOBAN_PART_HALVES) != 0
         && (self->parts.of_node[edge->tail] & GOBAN_PART_HALVES) != 0
         && self->layers[edge->head] != GOBAN_NO_LAYER
         && self->layers[edge->tail] != self->layers[edge->head];
}

static void
add_edges (Making *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);
          gboolean is_inner = self->layers[edge->tail] == self->layers[v];
          guint32 remade = is_inner ? self->remade[edge->tensor] : NO_ID;
          guint32 again = remade != NO_ID ? remade : self->tensors[edge->tensor];

          if (add_exchanged (self, edge))
            continue;
          add_edge (self, edge, get_pass (self, v) == 1 ? again : self->tensors[edge->tensor],
                    self->nodes[v]);
          if (self->again[v] != NO_ID)
            add_edge (self, edge, again, self->again[v]);
        }
    }
}

static gboolean
is_root (const Making *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);

      if (self->layers[edge->tail] == self->layers[v] && self->again[edge->tail] != NO_ID)
        return FALSE;
    }
  return TRUE;
}

/* What has no input that makes it wait for its micro-batch, or for the gradient of its layer: the
 * first recomputed ops, and gathers of weights. */
static void
add_waits (Making *self)
{
  g_autofree GArray **begins = g_new0 (GArray *, self->n_layers + 1); /* of GobanEdgeId */

  for (guint l = 0; l < self->n_layers; l++)
    begins[l] = g_array_new (FALSE, FALSE, sizeof (GobanEdgeId));
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (self->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, e);
      Exchange *scope = get_exchange (self, edge->head);
      gboolean is_data = !goban_graph_get_tensor (self->graph, edge->tensor)->is_control;
      gboolean begins_layer = begins_backward (self, edge) && is_data;

      if (begins_layer)
        g_array_append_val (begins[self->layers[edge->head]], e);
      if (begins_layer && scope->gather[1] != NO_ID)
        add_edge (self, edge, self->tensors[edge->tensor], scope->gather[1]);
      if (scope->gather[0] != NO_ID && is_data && get_exchange (self, edge->tail) != scope
          && self->parts.of_node[edge->head] == GOBAN_PART_FORWARD
          && self->parts.of_node[edge->tail] == GOBAN_PART_FORWARD)
        add_edge (self, edge, self->tensors[edge->tensor], scope->gather[0]);
    }
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    for (guint i = 0;
         self->again[v] != NO_ID && is_root (self, v) && i < begins[self->layers[v]]->len; i++)
      {
        const GobanEdge *edge = goban_graph_get_edge (
            self->graph, g_array_index (begins[self->layers[v]], GobanEdgeId, i));

        add_edge (self, edge, self->tensors[edge->tensor], self->again[v]);
      }
  for (guint l = 0; l < self->n_layers; l++)
    g_array_unref (begins[l]);
}

/* Every copy has updated its share of the weights. */
static void
add_gathers_of_updates (Making *self)
{
  for (guint i = 0; i < self->exchanges->len; i++)
    {
      Exchange *exchange = &g_array_index (self->exchanges, Exchange, i);
      const GobanNodeCollective what
          = exchange_gradients (self, exchange, GOBAN_COLLECTIVE_ALL_GATHER);

      exchange->gather[0] = NO_ID;
      if (exchange->reduction != NO_ID)
        exchange->gather[0]
            = add_exchange (self, exchange->name, &what, GOBAN_PHASE_UPDATE, exchange->stage);
    }
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (self->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, e);
      const Exchange *source = get_exchange (self, edge->tail);

      if (self->is_gradient[edge->tensor] && source->gather[0] != NO_ID
          && goban_graph_get_node (self->graph, edge->head)->phase == GOBAN_PHASE_UPDATE)
        goban_graph_builder_add_control_edge (self->builder, self->nodes[edge->head],
                                              source->gather[0]);
    }
}

/* --- the whole ------------------------------------------------------------------------------ */

static gboolean
has_variables (const Making *self)
{
  for (guint i = 0; i < self->exchanges->len; i++)
    if (g_array_index (self->exchanges, Exchange, i).weight_bytes[0] > 0)
      return TRUE;
  return FALSE;
}

static gboolean
check (const Making *self, GError **error)
{
  const GobanRankOptions *options = self->options;
  gboolean has_backward = FALSE;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    has_backward |= goban_graph_get_node (self->graph, v)->phase == GOBAN_PHASE_BACKWARD;
  if (options->zero > GOBAN_MAX_ZERO)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "ZeRO has the stages 0 to %u, not %u",
                         GOBAN_MAX_ZERO, options->zero);
  if (options->zero >= 3 && options->n_copies > 1 && !has_variables (self))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "ZeRO 3 shares out the weights of variables, and graph “%s” has none",
                         goban_graph_get_name (self->graph));
  if (options->recompute == GOBAN_RECOMPUTE_NONE)
    return TRUE;
  if (!has_backward)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "nothing is recomputed: graph “%s” has no backward ops",
                         goban_graph_get_name (self->graph));
  return self->n_layers > 0
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "recomputation goes layer by layer, and no op of graph “%s” is in a "
                          "scope such as layer_0",
                          goban_graph_get_name (self->graph));
}

GobanRankGraph *
goban_rank_graph_new (const GobanGraph *graph, const GobanRankOptions *options, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_auto (Making) self = { .graph = graph, .options = options };
  g_autoptr (GobanRankGraph) made = g_new0 (GobanRankGraph, 1);
  g_autofree GobanNodeId *ids = NULL;

  self.layers = g_new (guint, n_nodes + 1);
  self.n_layers = goban_graph_find_layers (graph, self.layers);
  goban_parts_init (&self.parts, graph, FALSE);
  find_gradients (&self);
  find_exchanges (&self);
  if (!check (&self, error))
    return NULL;
  self.builder = goban_copy_begin (graph, goban_graph_get_name (graph));
  self.stages = g_array_new (FALSE, FALSE, sizeof (guint));
  self.nodes = g_new (guint32, n_nodes + 1);
  self.again = g_new (guint32, n_nodes + 1);
  self.tensors = g_new (guint32, n_tensors + 1);
  self.remade = g_new (guint32, n_tensors + 1);
  self.sent = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  add_nodes (&self);
  add_tensors (&self);
  add_exchanges (&self);
  add_edges (&self);
  add_waits (&self);
  if (options->zero == 1 || options->zero == 2)
    add_gathers_of_updates (&self);

  made->graph = goban_graph_builder_finish (self.builder, &ids, error);
  if (made->graph == NULL)
    return NULL;
  made->stages = g_new (guint, self.stages->len + 1);
  for (guint32 i = 0; i < self.stages->len; i++)
    made->stages[ids[i]] = g_array_index (self.stages, guint, i);
  return g_steal_pointer (&made);
}

void
goban_rank_graph_free (GobanRankGraph *self)
{
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_free (self->stages);
  g_free (self);
}
