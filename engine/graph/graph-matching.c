#include "engine/graph/graph-matching.h"

#include "engine/core/fnv.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

#define NO_CLASS G_MAXUINT32
#define MAX_ROUNDS 32

struct _GobanGraphMatching
{
  gatomicrefcount ref_count;
  GobanGraph *graphs[2];
  guint32 *classes[2];     /* (n_nodes) or NO_CLASS */
  guint8 *kinds;           /* (n_classes) GobanMatch */
  guint32 *firsts[2];      /* (n_classes + 1) into members */
  GobanNodeId *members[2]; /* of the classes in order, ascending in each */
  guint n_classes;
  guint counts[2][GOBAN_N_MATCHES];
};

/* A node that has no class yet, with what it is matched by. */
typedef struct
{
  guint64 key;
  GobanNodeId node;
  guint32 side;
} Candidate;

typedef struct
{
  GobanGraph *graphs[2];
  guint32 *classes[2];
  GArray *kinds;   /* guint8 */
  GArray *found;   /* Candidate */
  guint64 *own[2]; /* (n_nodes) hash of op and outputs */
} Making;

/* --- classes of equal keys ------------------------------------------------------------------- */

static guint64
mix (guint64 hash, guint64 value)
{
  return goban_fnv_add (hash, &value, sizeof value);
}

static guint64
hash_text (guint64 hash, const char *text)
{
  return goban_fnv_add (hash, text, strlen (text) + 1);
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->side != y->side)
    return x->side < y->side ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

/* The i-th of one graph with the i-th of the other; or all of both, if @n_pairs is 1. */
static void
add_classes (Making *self, const Candidate *from, guint n, guint n_pairs, GobanMatch match)
{
  guint8 kind = match;
  guint32 first = self->kinds->len;

  for (guint i = 0; i < n; i++)
    self->classes[from[i].side][from[i].node] = first + i % n_pairs;
  for (guint i = 0; i < n_pairs; i++)
    g_array_append_val (self->kinds, kind);
}

/* Makes classes of the candidates with equal keys, if both graphs have some; in pairs, if they have
 * as many. Empties the list, and returns whether there was one. */
static gboolean
join_candidates (Making *self, GobanMatch match, gboolean in_pairs)
{
  guint n = self->found->len, end;
  guint n_before = self->kinds->len;
  const Candidate *all;

  g_array_sort (self->found, compare_candidates);
  all = (const Candidate *) (gconstpointer) self->found->data;
  for (guint i = 0; i < n; i = end)
    {
      guint n_first = 0;

      for (end = i; end < n && all[end].key == all[i].key; end++)
        n_first += all[end].side == 0;
      if (n_first == 0 || n_first == end - i)
        continue;
      if (!in_pairs)
        add_classes (self, all + i, end - i, 1, match);
      else if (2 * n_first == end - i)
        add_classes (self, all + i, end - i, n_first, match);
    }
  g_array_set_size (self->found, 0);
  return self->kinds->len > n_before;
}

static void
add_candidate (Making *self, guint side, GobanNodeId node, guint64 key)
{
  Candidate candidate = { key, node, side };

  g_array_append_val (self->found, candidate);
}

static gboolean
is_open (const Making *self, guint side, GobanNodeId node)
{
  return self->classes[side][node] == NO_CLASS;
}

/* --- origin and name -------------------------------------------------------------------------- */

static gboolean
has_origins (const GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->origin != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
has_batches (const GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->micro_batch != GOBAN_NO_BATCH)
      return TRUE;
  return FALSE;
}

/* Variables have no micro-batch in either graph, so batches count only if both have some. */
static void
match_origins (Making *self)
{
  gboolean counts_batches = has_batches (self->graphs[0]) && has_batches (self->graphs[1]);

  if (!has_origins (self->graphs[0]) && !has_origins (self->graphs[1]))
    return;
  for (guint side = 0; side < 2; side++)
    for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graphs[side]); v++)
      {
        const GobanNode *node = goban_graph_get_node (self->graphs[side], v);
        guint64 key = hash_text (GOBAN_FNV_START, node->origin != NULL ? node->origin : node->name);

        add_candidate (self, side, v, counts_batches ? mix (key, node->micro_batch) : key);
      }
  join_candidates (self, GOBAN_MATCH_NAME, FALSE);
  for (guint side = 0; side < 2; side++)
    for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graphs[side]); v++)
      if (!is_open (self, side, v) && goban_graph_get_node (self->graphs[side], v)->origin != NULL)
        g_array_index (self->kinds, guint8, self->classes[side][v]) = GOBAN_MATCH_ORIGIN;
}

static void
match_names (Making *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graphs[0]); v++)
    {
      GobanNodeId other = goban_graph_find_node (self->graphs[1],
                                                 goban_graph_get_node (self->graphs[0], v)->name);

      if (other != GOBAN_NO_NODE && is_open (self, 0, v) && is_open (self, 1, other))
        add_classes (self, (const Candidate[]){ { 0, v, 0 }, { 0, other, 1 } }, 2, 1,
                     GOBAN_MATCH_NAME);
    }
}

/* --- structure -------------------------------------------------------------------------------- */

/* Shapes, or bytes of outputs without one. */
static guint64
hash_node (const GobanGraph *graph, GobanNodeId v)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);
  guint64 hash = hash_text (GOBAN_FNV_START, goban_graph_get_node (graph, v)->op);

  for (guint i = 0; i < n_tensors; i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);

      if (tensor->is_control)
        continue;
      hash = hash_text (hash, tensor->dtype);
      if (tensor->has_shape)
        hash = goban_fnv_add (hash, tensor->dims, tensor->n_dims * sizeof *tensor->dims);
      else
        hash = goban_fnv_add (hash, &tensor->size_bytes, sizeof tensor->size_bytes);
    }
  return hash;
}

static GobanNodeId
get_neighbour (const GobanGraph *graph, GobanEdgeSpan span, guint i, gboolean is_out)
{
  const GobanEdge *edge = goban_graph_get_edge (graph, span.ids[i]);

  return is_out ? edge->head : edge->tail;
}

/* Sums, so that the order of neighbours does not count: readers have none. */
static guint64
sum_neighbours (const GobanGraph *graph, GobanNodeId v, gboolean is_out, const guint64 *hashes)
{
  GobanEdgeSpan span
      = is_out ? goban_graph_get_out_edges (graph, v) : goban_graph_get_in_edges (graph, v);
  guint64 sum = span.n;

  for (guint i = 0; i < span.n; i++)
    sum += mix (GOBAN_FNV_START, hashes[get_neighbour (graph, span, i, is_out)]);
  return sum;
}

/* Everything before a node and everything after it: equal in graphs that differ by names alone.
 * (transfer full) */
static guint64 *
hash_surroundings (const GobanGraph *graph, const guint64 *own)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree guint64 *before = g_new (guint64, n + 1);
  guint64 *all = g_new (guint64, n + 1);

  for (GobanNodeId v = 0; v < n; v++)
    before[v] = mix (own[v], sum_neighbours (graph, v, FALSE, before));
  for (GobanNodeId v = n; v-- > 0;)
    all[v] = mix (before[v], sum_neighbours (graph, v, TRUE, all));
  return all;
}

/* Neighbours count by their class, or by their looks without one. (transfer full) */
static guint64 *
hash_neighbours (const Making *self, guint side)
{
  const GobanGraph *graph = self->graphs[side];
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree guint64 *labels = g_new (guint64, n + 1);
  guint64 *all = g_new (guint64, n + 1);

  for (GobanNodeId v = 0; v < n; v++)
    labels[v] = is_open (self, side, v) ? self->own[side][v] : self->classes[side][v];
  for (GobanNodeId v = 0; v < n; v++)
    if (is_open (self, side, v))
      all[v] = mix (mix (self->own[side][v], sum_neighbours (graph, v, FALSE, labels)),
                    sum_neighbours (graph, v, TRUE, labels));
  return all;
}

static gboolean
join_open (Making *self, guint64 *hashes[2])
{
  for (guint side = 0; side < 2; side++)
    {
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graphs[side]); v++)
        if (is_open (self, side, v))
          add_candidate (self, side, v, hashes[side][v]);
      g_clear_pointer (&hashes[side], g_free);
    }
  return join_candidates (self, GOBAN_MATCH_STRUCTURE, TRUE);
}

static gboolean
has_open (const Making *self, guint side)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graphs[side]); v++)
    if (is_open (self, side, v))
      return TRUE;
  return FALSE;
}

/* Nodes that are found are anchors for their neighbours. */
static void
match_structure (Making *self)
{
  guint64 *hashes[2];

  if (!has_open (self, 0) || !has_open (self, 1))
    return;
  for (guint side = 0; side < 2; side++)
    {
      guint n = goban_graph_get_n_nodes (self->graphs[side]);

      self->own[side] = g_new (guint64, n + 1);
      for (GobanNodeId v = 0; v < n; v++)
        self->own[side][v] = hash_node (self->graphs[side], v);
      hashes[side] = hash_surroundings (self->graphs[side], self->own[side]);
    }
  join_open (self, hashes);
  for (guint i = 0; i < MAX_ROUNDS; i++)
    {
      for (guint side = 0; side < 2; side++)
        hashes[side] = hash_neighbours (self, side);
      if (!join_open (self, hashes))
        break;
    }
  for (guint side = 0; side < 2; side++)
    g_free (self->own[side]);
}

/* --- the result ------------------------------------------------------------------------------- */

static void
list_members (GobanGraphMatching *self, guint side)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graphs[side]);
  guint32 *firsts = g_new0 (guint32, (gsize) self->n_classes + 2);

  self->members[side] = g_new (GobanNodeId, n_nodes + 1);
  self->firsts[side] = firsts;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->counts[side][goban_graph_matching_get (self, side, v)]++;
      if (self->classes[side][v] != NO_CLASS)
        firsts[self->classes[side][v] + 2]++;
    }
  for (guint i = 2; i < self->n_classes + 2; i++)
    firsts[i] += firsts[i - 1];
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (self->classes[side][v] != NO_CLASS)
      self->members[side][firsts[self->classes[side][v] + 1]++] = v;
}

GobanGraphMatching *
goban_graph_matching_new (GobanGraph *first, GobanGraph *second)
{
  GobanGraphMatching *self = g_new0 (GobanGraphMatching, 1);
  Making made = { .graphs = { first, second } };

  g_atomic_ref_count_init (&self->ref_count);
  made.kinds = g_array_new (FALSE, FALSE, sizeof (guint8));
  made.found = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (guint side = 0; side < 2; side++)
    {
      guint n = goban_graph_get_n_nodes (made.graphs[side]);

      self->graphs[side] = goban_graph_ref (made.graphs[side]);
      self->classes[side] = made.classes[side] = g_new (guint32, n + 1);
      for (GobanNodeId v = 0; v < n; v++)
        made.classes[side][v] = NO_CLASS;
    }
  match_origins (&made);
  match_names (&made);
  match_structure (&made);
  g_array_unref (made.found);
  self->n_classes = made.kinds->len;
  self->kinds = (guint8 *) g_array_free (made.kinds, FALSE);
  for (guint side = 0; side < 2; side++)
    list_members (self, side);
  return self;
}

GobanGraphMatching *
goban_graph_matching_ref (GobanGraphMatching *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_graph_matching_unref (GobanGraphMatching *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint side = 0; side < 2; side++)
    {
      goban_graph_unref (self->graphs[side]);
      g_free (self->classes[side]);
      g_free (self->firsts[side]);
      g_free (self->members[side]);
    }
  g_free (self->kinds);
  g_free (self);
}

GobanGraph *
goban_graph_matching_get_graph (const GobanGraphMatching *self, guint side)
{
  return self->graphs[side];
}

GobanMatch
goban_graph_matching_get (const GobanGraphMatching *self, guint side, GobanNodeId node)
{
  guint32 class = self->classes[side][node];

  return class != NO_CLASS ? (GobanMatch) self->kinds[class] : GOBAN_MATCH_NONE;
}

guint
goban_graph_matching_count (const GobanGraphMatching *self, guint side, GobanMatch match)
{
  return self->counts[side][match];
}

const GobanNodeId *
goban_graph_matching_get_partners (const GobanGraphMatching *self, guint side, GobanNodeId node,
                                   guint *n)
{
  guint32 class = self->classes[side][node];
  const guint32 *firsts = self->firsts[1 - side];

  *n = class != NO_CLASS ? firsts[class + 1] - firsts[class] : 0;
  return class != NO_CLASS ? self->members[1 - side] + firsts[class] : NULL;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* GOBAN_NO_NODE without exactly one. */
static GobanNodeId
get_partner (const GobanGraphMatching *self, guint side, GobanNodeId node)
{
  guint n;
  const GobanNodeId *partners = goban_graph_matching_get_partners (self, side, node, &n);

  return n == 1 ? partners[0] : GOBAN_NO_NODE;
}

static gboolean
have_same_inputs (const GobanGraphMatching *self, GobanNodeId v, GobanNodeId w)
{
  GobanEdgeSpan a = goban_graph_get_in_edges (self->graphs[0], v);
  GobanEdgeSpan b = goban_graph_get_in_edges (self->graphs[1], w);

  if (a.n != b.n)
    return FALSE;
  for (guint i = 0; i < a.n; i++)
    {
      const GobanEdge *x = goban_graph_get_edge (self->graphs[0], a.ids[i]);
      const GobanEdge *y = goban_graph_get_edge (self->graphs[1], b.ids[i]);
      guint n;

      /* The same output of partners, all of which are those of each of them. */
      if (self->classes[0][x->tail] == NO_CLASS
          || self->classes[0][x->tail] != self->classes[1][y->tail]
          || x->tensor - goban_graph_get_node_tensors (self->graphs[0], x->tail, &n)
                 != y->tensor - goban_graph_get_node_tensors (self->graphs[1], y->tail, &n))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

/* The first kind of device on which the times differ; GOBAN_NO_KIND if there is none. */
static guint
find_other_time (const GobanGraphMatching *self, GobanNodeId v, GobanNodeId w, double us[2])
{
  for (guint side = 0; side < 2; side++)
    for (guint k = 0; k < goban_graph_get_n_kinds (self->graphs[side]); k++)
      {
        const char *kind = goban_graph_get_kind (self->graphs[side], k);

        for (guint i = 0; i < 2; i++)
          {
            guint own = goban_graph_find_kind (self->graphs[i], kind);

            us[i] = own != GOBAN_NO_KIND
                        ? goban_graph_get_time_us (self->graphs[i], i == 0 ? v : w, own)
                        : (double) NAN;
          }
        if (!is_same (us[0], us[1]))
          return k;
      }
  return GOBAN_NO_KIND;
}

static guint
compare_outputs (const GobanGraphMatching *self, GobanNodeId v, GobanNodeId w)
{
  guint n, n_other, changes = 0;
  GobanTensorId first = goban_graph_get_node_tensors (self->graphs[0], v, &n);
  GobanTensorId other = goban_graph_get_node_tensors (self->graphs[1], w, &n_other);

  if (n != n_other)
    return 1u << GOBAN_CHANGED_BYTES;
  for (guint i = 0; i < n; i++)
    {
      const GobanTensor *a = goban_graph_get_tensor (self->graphs[0], first + i);
      const GobanTensor *b = goban_graph_get_tensor (self->graphs[1], other + i);

      if (!is_same (a->size_bytes, b->size_bytes) || a->is_control != b->is_control)
        changes |= 1u << GOBAN_CHANGED_BYTES;
      if (a->has_shape != b->has_shape || a->n_dims != b->n_dims || strcmp (a->dtype, b->dtype) != 0
          || (a->n_dims > 0 && memcmp (a->dims, b->dims, a->n_dims * sizeof *a->dims) != 0))
        changes |= 1u << GOBAN_CHANGED_DIMS;
    }
  return changes;
}

guint
goban_graph_matching_get_changes (const GobanGraphMatching *self, GobanNodeId node)
{
  GobanNodeId other = get_partner (self, 0, node);
  const GobanNode *a, *b;
  double us[2];
  guint changes;

  if (other == GOBAN_NO_NODE || get_partner (self, 1, other) == GOBAN_NO_NODE)
    return 0;
  a = goban_graph_get_node (self->graphs[0], node);
  b = goban_graph_get_node (self->graphs[1], other);
  changes = compare_outputs (self, node, other);
  if (strcmp (a->op, b->op) != 0)
    changes |= 1u << GOBAN_CHANGED_OP;
  if (!have_same_inputs (self, node, other))
    changes |= 1u << GOBAN_CHANGED_EDGES;
  if (find_other_time (self, node, other, us) != GOBAN_NO_KIND || !is_same (a->flops, b->flops)
      || !is_same (a->macs, b->macs) || !is_same (a->read_bytes, b->read_bytes)
      || !is_same (a->written_bytes, b->written_bytes))
    changes |= 1u << GOBAN_CHANGED_COSTS;
  if (!is_same (a->param_bytes, b->param_bytes) || !is_same (a->param_count, b->param_count))
    changes |= 1u << GOBAN_CHANGED_PARAMETERS;
  if ((a->group == GOBAN_NO_GROUP) != (b->group == GOBAN_NO_GROUP))
    changes |= 1u << GOBAN_CHANGED_GROUP;
  return changes;
}

/* "2x3, 8" of its outputs. */
static void
append_dims (GString *text, const GobanGraph *graph, GobanNodeId node)
{
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);

      g_string_append_printf (text, "%s%s", i > 0 ? " and " : "", tensor->dtype);
      g_string_append_c (text, '[');
      for (guint k = 0; k < tensor->n_dims; k++)
        g_string_append_printf (text, k > 0 ? ", %" G_GINT64_FORMAT : "%" G_GINT64_FORMAT,
                                tensor->dims[k]);
      g_string_append (text, tensor->has_shape ? "]" : "?]");
    }
}

char *
goban_graph_matching_describe_change (const GobanGraphMatching *self, GobanNodeId node,
                                      GobanGraphChange field)
{
  GobanNodeId ids[2] = { node, get_partner (self, 0, node) };
  GString *text = g_string_new (goban_graph_get_node (self->graphs[0], node)->name);
  char buffer[GOBAN_QUANTITY_LEN];
  double us[2] = { NAN, NAN };

  if (field == GOBAN_CHANGED_COSTS && find_other_time (self, node, ids[1], us) == GOBAN_NO_KIND)
    return g_string_free (text, FALSE);
  if (field == GOBAN_CHANGED_EDGES || field == GOBAN_CHANGED_GROUP)
    return g_string_free (text, FALSE);
  for (guint side = 0; side < 2; side++)
    {
      const GobanGraph *graph = self->graphs[side];

      g_string_append (text, side == 0 ? ": " : " → ");
      if (field == GOBAN_CHANGED_OP)
        g_string_append (text, goban_graph_get_node (graph, ids[side])->op);
      else if (field == GOBAN_CHANGED_DIMS)
        append_dims (text, graph, ids[side]);
      else if (field == GOBAN_CHANGED_COSTS)
        g_string_append (text, isfinite (us[side]) ? goban_format_time (buffer, us[side]) : "–");
      else
        g_string_append (
            text, goban_format_bytes (buffer,
                                      field == GOBAN_CHANGED_BYTES
                                          ? goban_graph_get_output_bytes (graph, ids[side])
                                          : goban_graph_get_node (graph, ids[side])->param_bytes));
    }
  return g_string_free (text, FALSE);
}

char *
goban_graph_matching_describe (const GobanGraphMatching *self, const char *const names[2])
{
  const guint *counts = self->counts[0];
  guint n = goban_graph_get_n_nodes (self->graphs[0]);

  return g_strdup_printf (_ ("%u of %u nodes of %s are in %s, too: %u by origin, %u by name, %u by "
                             "structure; %u are in %s alone, %u in %s"),
                          n - counts[GOBAN_MATCH_NONE], n, names[0], names[1],
                          counts[GOBAN_MATCH_ORIGIN], counts[GOBAN_MATCH_NAME],
                          counts[GOBAN_MATCH_STRUCTURE], counts[GOBAN_MATCH_NONE], names[0],
                          self->counts[1][GOBAN_MATCH_NONE], names[1]);
}
