#include "engine/graph/collectives.h"

#include "engine/graph/graph-builder-private.h"
#include "engine/graph/graph-private.h"

#include <math.h>
#include <stdlib.h>

const char *const goban_collective_names[GOBAN_N_COLLECTIVES + 1]
    = { "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "send" };

void
goban_graph_builder_set_collective (GobanGraphBuilder *self, GobanNodeCollective collective)
{
  g_return_if_fail (collective.node < self->nodes->len && isfinite (collective.bytes)
                    && collective.bytes >= 0);

  collective.rank_step = collective.n_ranks > 0 ? MAX (collective.rank_step, 1) : 0;
  if (collective.group != NULL)
    collective.group = g_string_chunk_insert_const (self->strings, collective.group);
  g_array_append_val (self->collectives, collective);
}

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
