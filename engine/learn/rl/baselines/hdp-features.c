#include "engine/learn/rl/baselines/hdp-features.h"

#include <math.h>
#include <string.h>

#define MAX_TYPES 200 /* that of every other op included */
#define N_OUTPUTS 6
#define N_DIMS 4
#define N_NEIGHBOURS 6
#define N_SHAPES (N_OUTPUTS * N_DIMS)
#define N_FEATURES (N_SHAPES + 2 * N_NEIGHBOURS)
#define N_GROUP_SHAPES 16
#define LOG_SCALE 16.0
#define NONE (-1.0f)

/* The public code uses the index of a neighbour as a feature, so that initial groups consist of
 * near units. This step per unit and this maximum learned best: with features in [0, 1] each
 * initial group is a mix of everything; with larger ones a single group contains everything. */
#define PLACE_STEP 0.4
#define MAX_PLACE 64.0

/* --- types -------------------------------------------------------------------------------- */

typedef struct
{
  guint32 first; /* seen as number so and so */
  guint32 count;
} OpCount;

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const OpCount *x = a, *y = b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* kinds (n_nodes): the ops numbered as they appear. Returns how many of each there are. */
static GArray *
count_ops (const GobanGraph *graph, guint32 *kinds)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (OpCount));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;
      gpointer found;

      if (g_hash_table_lookup_extended (seen, op, NULL, &found))
        kinds[v] = GPOINTER_TO_UINT (found);
      else
        {
          OpCount fresh = { counts->len, 0 };

          kinds[v] = counts->len;
          g_hash_table_insert (seen, (gpointer) op, GUINT_TO_POINTER (counts->len));
          g_array_append_val (counts, fresh);
        }
      g_array_index (counts, OpCount, kinds[v]).count++;
    }
  return counts;
}

/* The longest node of a unit; ties go to the first. */
static GobanNodeId
find_speaker (const GobanUnits *units, const double *times_us, guint32 unit)
{
  GobanNodeId speaker = units->nodes[units->offsets[unit]];

  for (guint32 i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    if (times_us[units->nodes[i]] > times_us[speaker])
      speaker = units->nodes[i];
  return speaker;
}

static void
number_types (GobanHdpFeatures *self, const GobanUnits *units, const GobanNodeId *speakers)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree guint32 *kinds = g_new (guint32, n_nodes);
  g_autoptr (GArray) counts = count_ops (units->graph, kinds);
  g_autofree guint32 *types = g_new0 (guint32, counts->len);

  g_array_sort (counts, compare_counts);
  self->V = (int) MIN (counts->len + 1, MAX_TYPES);
  for (int rank = 0; rank < self->V - 1; rank++)
    types[g_array_index (counts, OpCount, rank).first] = (guint32) rank + 1;

  self->types = g_new (guint32, self->N);
  for (int u = 0; u < self->N; u++)
    self->types[u] = types[kinds[speakers[u]]];
}

/* --- shapes and neighbours ---------------------------------------------------------------- */

static void
add_neighbour (float *slots, float place)
{
  for (int i = 0; i < N_NEIGHBOURS; i++)
    {
      if (slots[i] == place)
        return;
      if (slots[i] == NONE)
        {
          slots[i] = place;
          return;
        }
    }
}

GobanHdpFeatures *
goban_hdp_features_new (const GobanUnits *units)
{
  GobanHdpFeatures *self = g_new0 (GobanHdpFeatures, 1);
  g_autofree double *times_us = g_new (double, goban_graph_get_n_nodes (units->graph));
  g_autofree GobanNodeId *speakers = g_new (GobanNodeId, units->n_units);

  self->N = (int) units->n_units;
  self->F = N_FEATURES;
  self->values = g_new (float, (gsize) self->N *N_FEATURES);
  goban_cost_model_mean_times (units->costs, times_us);
  for (int u = 0; u < self->N; u++)
    {
      float *row = self->values + (gsize) u * N_FEATURES;

      speakers[u] = find_speaker (units, times_us, (guint32) u);

      const GobanGraph *graph = units->graph;
      GobanNodeId node = speakers[u];
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

      for (int i = 0; i < N_SHAPES; i++)
        row[i] = NONE;
      for (guint t = 0; t < MIN (n_tensors, N_OUTPUTS); t++)
        {
          const GobanTensor *tensor = goban_graph_get_tensor (graph, first + t);

          for (guint d = 0; d < MIN (tensor->n_dims, N_DIMS); d++)
            if (tensor->dims[d] >= 0)
              row[t * N_DIMS + d] = (float) (log2 (1 + (double) tensor->dims[d]) / LOG_SCALE);
        }

      for (int i = N_SHAPES; i < N_FEATURES; i++)
        row[i] = NONE;
    }
  number_types (self, units, speakers);

  guint n_edges = goban_graph_get_n_edges (units->graph);
  float step = (float) MIN (PLACE_STEP, MAX_PLACE / self->N);

  self->tails = g_new (guint32, n_edges + 1);
  self->heads = g_new (guint32, n_edges + 1);
  for (GobanEdgeId e = 0; e < n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (units->graph, e);
      guint32 from = units->unit_of[edge->tail], to = units->unit_of[edge->head];
      float *out_slots, *in_slots;

      if (from == to)
        continue;
      self->tails[self->E] = from;
      self->heads[self->E++] = to;

      in_slots = self->values + (gsize) to * N_FEATURES + N_SHAPES;
      out_slots = self->values + (gsize) from * N_FEATURES + N_SHAPES + N_NEIGHBOURS;
      add_neighbour (in_slots, step * (float) (from + 1));
      add_neighbour (out_slots, step * (float) (to + 1));
    }

  return self;
}

void
goban_hdp_features_free (GobanHdpFeatures *self)
{
  g_free (self->values);
  g_free (self->types);
  g_free (self->tails);
  g_free (self->heads);
  g_free (self);
}

/* --- groups ------------------------------------------------------------------------------- */

int
goban_hdp_features_width (const GobanHdpFeatures *self, int G)
{
  return 2 * G + self->V + N_GROUP_SHAPES;
}

static void
divide_by_largest (float *values, int n)
{
  float largest = 0;

  for (int i = 0; i < n; i++)
    largest = MAX (largest, values[i]);
  for (int i = 0; i < n; i++)
    values[i] /= largest + 1;
}

void
goban_hdp_features_embed (const GobanHdpFeatures *self, float *out, const guint32 *groups, int G)
{
  gsize width = (gsize) goban_hdp_features_width (self, G);

  memset (out, 0, (gsize) G * width * sizeof *out);
  for (int e = 0; e < self->E; e++)
    {
      guint32 from = groups[self->tails[e]], to = groups[self->heads[e]];

      if (from == to)
        continue;
      out[from * width + to] += 1;
      out[to * width + (gsize) G + from] += 1;
    }
  for (int u = 0; u < self->N; u++)
    {
      float *types = out + groups[u] * width + 2 * (gsize) G;
      const float *row = self->values + (gsize) u * N_FEATURES;

      types[self->types[u]] += 1;
      for (int i = 0; i < N_GROUP_SHAPES; i++)
        types[self->V + i] += MAX (row[i], 0);
    }
  for (int g = 0; g < G; g++)
    {
      float *row = out + (gsize) g * width;

      divide_by_largest (row, G);
      divide_by_largest (row + G, G);
      divide_by_largest (row + 2 * G, self->V);
      divide_by_largest (row + 2 * G + self->V, N_GROUP_SHAPES);
    }
}
