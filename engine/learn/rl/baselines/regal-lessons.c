#include "engine/learn/rl/baselines/regal-lessons.h"

#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/nn/softmax.h"

#include <math.h>

/* Typical costs of random graphs, with log-normal deviation SPREAD. */
#define MEAN_US 50
#define SPREAD 0.8
/* About the bandwidth of a P100's slot, so that transfers and times have realistic ratios. */
#define BYTES_PER_US 10000

typedef struct
{
  GobanRng rng;
  GobanGraphBuilder *builder;
  double transfer_us; /* log-mean of the bytes of a tensor */
} Maker;

/* --- random numbers ------------------------------------------------------------------------- */

static double
draw_around (Maker *self, double centre)
{
  return centre * exp (SPREAD * (double) goban_normal_sample (&self->rng));
}

/* Draws a log-uniform number from @low to @high. */
static double
draw_scale (Maker *self, double low, double high)
{
  return low * pow (high / low, goban_rng_uniform (&self->rng));
}

static guint
draw_between (Maker *self, guint low, guint high)
{
  return low + goban_rng_below (&self->rng, high - low + 1);
}

static const char *
draw_word (Maker *self, const char *const *words, guint n)
{
  return words[goban_rng_below (&self->rng, n)];
}

/* --- random graphs -------------------------------------------------------------------------- */

static guint32
add_usual_node (Maker *self, const char *op)
{
  double time_us = draw_around (self, MEAN_US);

  /* Adds a node with one tensor, which has the node's number. */
  double transfer_us = draw_around (self, self->transfer_us);
  guint32 v = goban_graph_builder_add_node (self->builder, "", op);
  double size_bytes = floor (transfer_us * BYTES_PER_US);

  goban_graph_builder_set_time (self->builder, v, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_add_tensor (self->builder, v, size_bytes);
  return v;
}

/* Makes layers of random widths; a node reads one to three nodes of the previous layers. */
static void
make_task_graph (Maker *self)
{
  guint n_nodes = draw_between (self, 30, 250);
  guint width = draw_between (self, 2, 16);
  guint reach = draw_between (self, 1, 3) * width;

  for (guint v = 0; v < n_nodes; v++)
    {
      guint n_inputs = v < width ? 0 : draw_between (self, 1, 3);

      add_usual_node (self, "Task");
      for (guint i = 0; i < n_inputs; i++)
        goban_graph_builder_add_edge (self->builder,
                                      v - 1 - goban_rng_below (&self->rng, MIN (reach, v)), v);
    }
}

/* Adds a layer of parallel ops and one that joins them. Returns the latter. */
static guint32
add_layer (Maker *self, const char *op, guint32 input, guint n_branches)
{
  guint32 join;
  guint32 first = goban_graph_builder_get_n_nodes (self->builder);

  for (guint i = 0; i < n_branches; i++)
    {
      guint32 v = add_usual_node (self, op);

      if (input != G_MAXUINT32)
        goban_graph_builder_add_edge (self->builder, input, v);
    }
  join = add_usual_node (self, "Join");
  for (guint i = 0; i < n_branches; i++)
    goban_graph_builder_add_edge (self->builder, first + i, join);
  return join;
}

static void
mark_phase (Maker *self, guint32 first, GobanPhase phase)
{
  for (guint32 v = first; v < goban_graph_builder_get_n_nodes (self->builder); v++)
    goban_graph_builder_get_node (self->builder, v)->phase = phase;
}

/* Makes forward layers, backward layers that read the forward outputs, and an update per layer on
 * the device of the layer's first node. */
static void
make_training_step (Maker *self)
{
  guint n_layers = draw_between (self, 4, 24);
  guint n_branches = draw_between (self, 1, 4);
  g_autofree guint32 *starts = g_new (guint32, n_layers);
  g_autofree guint32 *ends = g_new (guint32, n_layers);
  guint32 last = G_MAXUINT32;

  for (guint l = 0; l < n_layers; l++)
    {
      starts[l] = goban_graph_builder_get_n_nodes (self->builder);
      last = ends[l] = add_layer (self, "Layer", last, n_branches);
      goban_graph_builder_get_node (self->builder, starts[l])->param_bytes
          = draw_around (self, 1e6);
    }
  for (guint l = n_layers; l-- > 0;)
    {
      guint32 first = goban_graph_builder_get_n_nodes (self->builder);
      guint32 update;

      last = add_layer (self, "LayerGrad", last, n_branches);
      for (guint32 v = first; v < last; v++)
        goban_graph_builder_add_edge (self->builder, starts[l] + (v - first), v);
      mark_phase (self, first, GOBAN_PHASE_BACKWARD);
      update = add_usual_node (self, "Update");
      goban_graph_builder_add_edge (self->builder, first, update);
      goban_graph_builder_set_group (self->builder, starts[l], l);
      goban_graph_builder_set_group (self->builder, update, l);
      mark_phase (self, update, GOBAN_PHASE_UPDATE);
    }
}

static GobanGraph *
make_by_chance (Maker *self, void (*make) (Maker *self), GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("lesson", "generated");

  self->builder = builder;
  self->transfer_us = MEAN_US * draw_scale (self, 0.02, 5);
  make (self);
  return goban_graph_builder_finish (builder, NULL, error);
}

/* --- workloads ------------------------------------------------------------------------------ */

static GobanGraph *
make_coarse (Maker *self, GError **error)
{
  static const char *const families[]
      = { "rnnlm", "gnmt", "transformer-xl", "inception-v3", "amoebanet", "wavenet" };
  const char *family = draw_word (self, families, G_N_ELEMENTS (families));
  guint batch = (guint) draw_scale (self, 4, 200);
  g_autoptr (GString) spec = g_string_new (NULL);

  g_string_printf (spec, "%s:granularity=coarse,batch=%u", family, batch);
  if (!g_str_equal (family, "inception-v3"))
    g_string_append_printf (spec, ",layers=%u", draw_between (self, 3, 24));
  if (goban_rng_below (&self->rng, 4) == 0)
    g_string_append (spec, ",mode=inference");
  return goban_workload_generate (spec->str, error);
}

/* Makes a few steps of single ops, as large workloads repeat them. */
static GobanGraph *
make_few_steps (Maker *self, GError **error)
{
  static const char *const specs[] = {
    "rnnlm:layers=1,steps=1",
    "rnnlm:layers=1,steps=2",
    "rnnlm:layers=2,steps=1",
    "rnnlm:layers=2,steps=2",
    "rnnlm:layers=3,steps=3,mode=inference",
    "gnmt:steps=2,mode=inference",
    "transformer-xl:layers=1,segments=1",
    "transformer-xl:layers=2,segments=2,mode=inference",
    "wavenet:layers=2,stacks=1",
    "wavenet:layers=6,mode=inference",
  };
  const char *spec = draw_word (self, specs, G_N_ELEMENTS (specs));
  guint batch = (guint) draw_scale (self, 4, 200);
  g_autofree char *text = g_strdup_printf ("%s,batch=%u", spec, batch);

  return goban_workload_generate (text, error);
}

/* --- lessons -------------------------------------------------------------------------------- */

static GobanCluster *
draw_cluster (Maker *self, GError **error)
{
  static const char *const specs[] = {
    "p100x2", "p100x2", "p100x2", "p100x2", "v100x2",  "p100x4",
    "p100x4", "p100x4", "v100x4", "p100x8", "cpu+gpu", "equal:3,bandwidth=8GB/s,latency=5us",
  };

  return goban_cluster_new_from_spec (draw_word (self, specs, G_N_ELEMENTS (specs)), error);
}

GobanCostModel *
goban_regal_lesson_new (guint64 seed, guint n, GError **error)
{
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  Maker self = { 0 };

  goban_rng_init (&self.rng, seed);
  goban_rng_init (&self.rng, goban_rng_next (&self.rng) + n);
  cluster = draw_cluster (&self, error);
  if (cluster == NULL)
    return NULL;
  switch (n % 4)
    {
    case 0:
      graph = make_by_chance (&self, make_task_graph, error);
      break;
    case 1:
      graph = make_by_chance (&self, make_training_step, error);
      break;
    case 2:
      graph = make_coarse (&self, error);
      break;
    default:
      graph = make_few_steps (&self, error);
    }
  return graph != NULL ? goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS) : NULL;
}
