#include "engine/machine/parallel/collective.h"

#include "engine/core/error.h"

#include <math.h>
#include <string.h>

#define BYTES_PER_ELEMENT 4.0
#define MOST_STEPS 4000000

static const char *const algorithms[GOBAN_N_COLLECTIVES]
    = { "ring", "ring", "ring", "direct", "tree", "direct" };

/* --- names ---------------------------------------------------------------------------------- */

gboolean
goban_collective_parse (const char *kind, const char *algorithm, GobanCollective *self,
                        GError **error)
{
  guint k = 0;

  while (k < GOBAN_N_COLLECTIVES && strcmp (goban_collective_names[k], kind) != 0)
    k++;
  if (k == GOBAN_N_COLLECTIVES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "there is no collective “%s”; there are all-reduce, reduce-scatter, "
                         "all-gather, all-to-all, broadcast, send",
                         kind);
  self->kind = (GobanCollectiveKind) k;
  self->is_tree = algorithm != NULL && strcmp (algorithm, "tree") == 0;
  return algorithm == NULL || strcmp (algorithm, algorithms[k]) == 0
         || (self->is_tree && k == GOBAN_COLLECTIVE_ALL_REDUCE)
         || goban_refuse (error, GOBAN_ERROR_INVALID, "%s has no algorithm “%s”: it is %s", kind,
                          algorithm,
                          k == GOBAN_COLLECTIVE_ALL_REDUCE ? "ring, tree" : algorithms[k]);
}

const char *
goban_collective_get_name (const GobanCollective *self)
{
  return goban_collective_names[self->kind];
}

const char *
goban_collective_get_algorithm (const GobanCollective *self)
{
  return self->kind == GOBAN_COLLECTIVE_ALL_REDUCE && self->is_tree ? "tree"
                                                                    : algorithms[self->kind];
}

/* --- steps ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanGraphBuilder *builder;
  const GobanCollective *collective;
  const guint32 *producers;
  const char *scope;
  GArray *steps;
  GArray **results;
  guint n;
} Expansion;

static guint32
add_step (Expansion *self, guint rank, const char *op, guint number)
{
  g_autofree char *name = g_strdup_printf ("%s/rank%u/%s%u", self->scope, rank, op, number);
  GobanCollectiveStep step = { goban_graph_builder_add_node (self->builder, name, op), rank };

  g_array_append_val (self->steps, step);
  return step.node;
}

/* Passes @tensor on, or adds @own to it; @own GOBAN_NO_TENSOR: passes it on. Returns the new
 * tensor. */
static guint32
take (Expansion *self, guint rank, guint number, const guint32 tensors[2], double bytes)
{
  gboolean adds = tensors[1] != GOBAN_NO_TENSOR;
  guint32 id = add_step (self, rank, adds ? "Reduce" : "Forward", number);
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);

  if (adds)
    {
      node->flops = bytes / BYTES_PER_ELEMENT;
      node->read_bytes = 2 * bytes;
      node->written_bytes = bytes;
      goban_graph_builder_add_edge (self->builder, tensors[1], id);
    }
  goban_graph_builder_add_edge (self->builder, tensors[0], id);
  return goban_graph_builder_add_tensor (self->builder, id, bytes);
}

static void
add_result (Expansion *self, guint rank, guint32 tensor)
{
  g_array_append_val (self->results[rank], tensor);
}

/* chunks (n x n): rank r's part c of its tensor. */
static guint32 *
cut_chunks (Expansion *self)
{
  guint32 *chunks = g_new (guint32, (gsize) self->n * self->n);

  for (guint r = 0; r < self->n; r++)
    for (guint c = 0; c < self->n; c++)
      chunks[(gsize) r * self->n + c] = goban_graph_builder_add_tensor (
          self->builder, self->producers[r], self->collective->bytes / self->n);
  return chunks;
}

/* --- rings ---------------------------------------------------------------------------------- */

/* In step s rank r adds to chunk r - s - 1 what rank r - 1 has of it, and so has the sum of chunk
 * r + 1 after n - 1 steps; shifted by one, that of chunk r. Returns the sums (n), by rank. */
static guint32 *
reduce_ring (Expansion *self, const guint32 *chunks, guint shift)
{
  guint n = self->n;
  guint32 *sums = g_new (guint32, n);
  g_autofree guint32 *next = g_new (guint32, n);

  for (guint r = 0; r < n; r++)
    sums[r] = chunks[(gsize) r * n + (r + 2 * n - shift) % n];
  for (guint s = 0; s + 1 < n; s++)
    {
      for (guint r = 0; r < n; r++)
        {
          guint before = (r + n - 1) % n;
          guint chunk = (r + 3 * n - s - 1 - shift) % n;
          const guint32 tensors[2] = { sums[before], chunks[(gsize) r * n + chunk] };

          next[r] = take (self, r, s, tensors, self->collective->bytes / n);
        }
      memcpy (sums, next, n * sizeof *sums);
    }
  return sums;
}

/* Every rank gets the others' tensors in n - 1 steps, each from the rank before it. */
static void
gather_ring (Expansion *self, const guint32 *own, guint first_number)
{
  guint n = self->n;
  g_autofree guint32 *last = g_memdup2 (own, n * sizeof *own);
  g_autofree guint32 *next = g_new (guint32, n);

  for (guint r = 0; r < n; r++)
    add_result (self, r, own[r]);
  for (guint s = 0; s + 1 < n; s++)
    {
      for (guint r = 0; r < n; r++)
        {
          const guint32 tensors[2] = { last[(r + n - 1) % n], GOBAN_NO_TENSOR };

          next[r] = take (self, r, first_number + s, tensors, self->collective->bytes / n);
          add_result (self, r, next[r]);
        }
      memcpy (last, next, n * sizeof *last);
    }
}

static void
all_reduce_ring (Expansion *self)
{
  g_autofree guint32 *chunks = cut_chunks (self);
  g_autofree guint32 *sums = reduce_ring (self, chunks, 0);

  gather_ring (self, sums, self->n - 1);
}

static void
reduce_scatter (Expansion *self)
{
  g_autofree guint32 *chunks = cut_chunks (self);
  g_autofree guint32 *sums = reduce_ring (self, chunks, 1);

  for (guint r = 0; r < self->n; r++)
    add_result (self, r, sums[r]);
}

static void
all_gather (Expansion *self)
{
  g_autofree guint32 *own = g_new (guint32, self->n);

  for (guint r = 0; r < self->n; r++)
    own[r] = goban_graph_builder_add_tensor (self->builder, self->producers[r],
                                             self->collective->bytes / self->n);
  gather_ring (self, own, 0);
}

/* --- trees ---------------------------------------------------------------------------------- */

/* At distance d = 1, 2, 4, ... rank r + d of each 2 d ranks hands its sum to rank r. */
static guint32
reduce_tree (Expansion *self)
{
  g_autofree guint32 *sums = g_new (guint32, self->n);
  guint number = 0;

  for (guint r = 0; r < self->n; r++)
    sums[r] = goban_graph_builder_add_tensor (self->builder, self->producers[r],
                                              self->collective->bytes);
  for (guint d = 1; d < self->n; d *= 2, number++)
    for (guint r = 0; r + d < self->n; r += 2 * d)
      {
        const guint32 tensors[2] = { sums[r + d], sums[r] };

        sums[r] = take (self, r, number, tensors, self->collective->bytes);
      }
  return sums[0];
}

static void
broadcast_tree (Expansion *self, guint32 root)
{
  g_autofree guint32 *has = g_new0 (guint32, self->n);
  guint widest = 1;
  guint number = self->n;

  while (widest < self->n)
    widest *= 2;
  has[0] = root;
  for (guint d = widest / 2; d > 0; d /= 2, number++)
    for (guint r = 0; r + d < self->n; r += 2 * d)
      {
        const guint32 tensors[2] = { has[r], GOBAN_NO_TENSOR };

        has[r + d] = take (self, r + d, number, tensors, self->collective->bytes);
      }
  for (guint r = 0; r < self->n; r++)
    add_result (self, r, has[r]);
}

/* --- direct --------------------------------------------------------------------------------- */

static void
all_to_all (Expansion *self)
{
  g_autofree guint32 *chunks = cut_chunks (self);

  /* From the neighbour on, so that not all send to the same rank first. */
  for (guint r = 0; r < self->n; r++)
    for (guint s = 0; s < self->n; s++)
      add_result (self, r, chunks[(gsize) ((r + s) % self->n) * self->n + r]);
}

static guint32
add_whole (Expansion *self, guint rank)
{
  return goban_graph_builder_add_tensor (self->builder, self->producers[rank],
                                         self->collective->bytes);
}

GArray *
goban_collective_add (GobanGraphBuilder *builder, const GobanCollective *collective,
                      const guint32 *producers, const char *scope, GArray **results)
{
  Expansion self = { builder, collective, producers, scope, NULL, results, collective->n_ranks };

  self.steps = g_array_new (FALSE, FALSE, sizeof (GobanCollectiveStep));
  switch (collective->kind)
    {
    case GOBAN_COLLECTIVE_ALL_REDUCE:
      if (collective->is_tree)
        broadcast_tree (&self, reduce_tree (&self));
      else
        all_reduce_ring (&self);
      break;
    case GOBAN_COLLECTIVE_REDUCE_SCATTER:
      reduce_scatter (&self);
      break;
    case GOBAN_COLLECTIVE_ALL_GATHER:
      all_gather (&self);
      break;
    case GOBAN_COLLECTIVE_ALL_TO_ALL:
      all_to_all (&self);
      break;
    case GOBAN_COLLECTIVE_BROADCAST:
      broadcast_tree (&self, add_whole (&self, 0));
      break;
    case GOBAN_COLLECTIVE_SEND:
    case GOBAN_N_COLLECTIVES:
      add_result (&self, self.n - 1, add_whole (&self, 0));
      break;
    }
  return self.steps;
}

/* --- alone ---------------------------------------------------------------------------------- */

static gboolean
check (const GobanCollective *self, GError **error)
{
  gsize n_steps = (gsize) 2 * self->n_ranks * self->n_ranks;

  if (self->n_ranks < 2 || self->n_ranks > GOBAN_MAX_COLLECTIVE_RANKS || n_steps > MOST_STEPS)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a collective has 2 to %u ranks",
                         GOBAN_MAX_COLLECTIVE_RANKS);
  return (isfinite (self->bytes) && self->bytes >= 0)
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "a collective moves a finite number of bytes, at least 0");
}

static guint32
add_end (GobanGraphBuilder *builder, guint rank, const char *end)
{
  g_autofree char *name = g_strdup_printf ("rank%u/%s", rank, end);

  return goban_graph_builder_add_node (builder, name, end);
}

GobanGraph *
goban_collective_new_graph (const GobanCollective *self, guint **ranks, GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = NULL;
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) steps = NULL;
  g_autofree guint32 *starts = NULL;
  g_autofree guint *of_builder = NULL;
  g_autofree GobanNodeId *ids = NULL;
  GobanGraph *graph;
  guint n_nodes;

  if (!check (self, error))
    return NULL;
  builder = goban_graph_builder_new (goban_collective_get_name (self), "collective");
  starts = g_new (guint32, self->n_ranks);
  for (guint r = 0; r < self->n_ranks; r++)
    {
      starts[r] = add_end (builder, r, "start");
      g_ptr_array_add (results, g_array_new (FALSE, FALSE, sizeof (guint32)));
    }
  steps = goban_collective_add (builder, self, starts, goban_collective_get_name (self),
                                (GArray **) results->pdata);
  n_nodes = goban_graph_builder_get_n_nodes (builder) + self->n_ranks;
  of_builder = g_new (guint, n_nodes);
  for (guint i = 0; i < steps->len; i++)
    {
      const GobanCollectiveStep *step = &g_array_index (steps, GobanCollectiveStep, i);

      of_builder[step->node] = step->rank;
    }
  for (guint r = 0; r < self->n_ranks; r++)
    {
      const GArray *result = g_ptr_array_index (results, r);
      guint32 done = add_end (builder, r, "done");

      of_builder[starts[r]] = of_builder[done] = r;
      for (guint i = 0; i < result->len; i++)
        goban_graph_builder_add_edge (builder, g_array_index (result, guint32, i), done);
    }
  graph = goban_graph_builder_finish (builder, &ids, error);
  if (graph == NULL)
    return NULL;
  *ranks = g_new (guint, n_nodes);
  for (guint i = 0; i < n_nodes; i++)
    (*ranks)[ids[i]] = of_builder[i];
  return graph;
}
