#include "engine/learn/rl/builder/builder-lessons.h"

#include "engine/graph/workloads/workload.h"
#include "engine/machine/cluster/what-if.h"

#include <string.h>

/* First seeds of the synthetic networks for validation and for lessons; they do not depend on the
 * run's seed. */
#define FIRST_VALIDATION 1000000
#define FIRST_LESSON 1000
#define LESSONS_PER_SEED 100000

/* Validation problems from this number on are structures, too, if the lessons are. */
#define N_PLAIN_VALIDATION 64

/* Larger members of families take too long. */
#define MOST_NODES 5000

#define N_TRIES 64

void
goban_builder_lesson_free (GobanBuilderLesson *self)
{
  g_free (self->graph);
  g_free (self->cluster);
  g_free (self);
}

/* --- drawing -------------------------------------------------------------------------------- */

static char *
draw_cluster (GobanRng *rng)
{
  static const guint sizes[] = { 2, 2, 3, 4, 4, 4, 5, 6, 8, 8 };
  static const guint rates[] = { 1, 2, 4, 6, 8, 10, 12, 12, 16, 25, 50 };
  static const guint latencies[] = { 2, 5, 10, 20 };
  const char *kind = goban_rng_below (rng, 3) > 0 ? "p100" : "v100";
  guint n = sizes[goban_rng_below (rng, G_N_ELEMENTS (sizes))];
  guint rate = rates[goban_rng_below (rng, G_N_ELEMENTS (rates))];
  guint latency = latencies[goban_rng_below (rng, G_N_ELEMENTS (latencies))];

  if (goban_rng_below (rng, 3) == 0) /* as it is */
    return g_strdup_printf ("%sx%u", kind, n);
  return g_strdup_printf ("%sx%u,bandwidth=%uGB/s,latency=%uus", kind, n, rate, latency);
}

static gboolean
is_small (const char *graph)
{
  g_autoptr (GobanWorkloadSpec) spec
      = goban_workload_spec_new (graph, NULL); /* a lesson's is good */

  return spec != NULL && spec->n_nodes <= MOST_NODES;
}

/* Draws a small lesson of any trained family. (nullable) */
static const char *
draw_family (const GobanCurriculum *families, GobanRng *rng)
{
  guint n = goban_curriculum_get_n_graphs (families);

  for (guint i = 0; n > 0 && i < N_TRIES; i++)
    {
      const char *graph = goban_curriculum_get_graph (families, goban_rng_below (rng, n));

      if (is_small (graph))
        return graph;
    }
  return NULL;
}

/* A structure as large models have it: long recurrences with a softmax of many words, towers that
 * read one another, long chains that are short of memory. */
static void
draw_structure (GobanBuilderLesson *self, guint64 number, GobanRng *rng)
{
  static const char *const structures[]
      = { "style=grid,nodes=2000", "style=grid,nodes=3000", "style=towers,nodes=1200",
          "style=towers,nodes=2400", "style=deep,nodes=1500" };
  guint kind = goban_rng_below (rng, G_N_ELEMENTS (structures));

  self->graph
      = g_strdup_printf ("synthetic:seed=%" G_GUINT64_FORMAT ",%s", number, structures[kind]);
  self->is_chain = strstr (structures[kind], "deep") != NULL;
}

static void
draw_graph (GobanBuilderLesson *self, guint64 seed, gint index,
            const GobanBuilderLessonKinds *kinds, GobanRng *rng)
{
  const GobanCurriculum *families = kinds != NULL ? kinds->families : NULL;
  gboolean is_structure = kinds != NULL && kinds->structures
                          && (index < 0 ? -1 - index >= N_PLAIN_VALIDATION : index % 3 == 0);

  /* Variants of recurrent networks: good plans for long and short recurrences differ. */
  static const char *const changes[]
      = { "", "", "", "", "", "", "", ",mode=inference", ",style=grid,nodes=6000", ",nodes=5000" };
  const char *family = NULL;
  guint64 number = index < 0 ? FIRST_VALIDATION - 1 - index
                             : FIRST_LESSON + seed % 9 * LESSONS_PER_SEED + (guint) index;

  if (is_structure)
    {
      draw_structure (self, number, rng);
      return;
    }
  if (families != NULL && goban_rng_below (rng, 4) == 0)
    family = draw_family (families, rng);
  self->graph = family != NULL
                    ? g_strdup (family)
                    : g_strdup_printf ("synthetic:seed=%" G_GUINT64_FORMAT "%s", number,
                                       changes[goban_rng_below (rng, G_N_ELEMENTS (changes))]);
}

GobanBuilderLesson *
goban_builder_lesson_draw (guint64 seed, gint index, const GobanBuilderLessonKinds *kinds)
{
  static const double shares[] = { 0.25, 0.5, 0.5, 0.75, 1, 1, 1.25, 1.5 };
  static const double slots[] = { 0.01, 0.5, 1, 1, 2 };
  GobanBuilderLesson *self = g_new0 (GobanBuilderLesson, 1);
  GobanRng rng;

  goban_rng_init (&rng, index < 0 ? (guint64) index : seed * 1000003 + (guint) index);
  draw_graph (self, seed, index, kinds, &rng);
  self->cluster = draw_cluster (&rng);
  if (goban_rng_below (&rng, 4) == 0 || self->is_chain)
    self->memory = 1.2 + 0.2 * goban_rng_below (&rng, 6);
  if (goban_rng_below (&rng, 6) == 0)
    self->slow = 0.4 + 0.1 * goban_rng_below (&rng, 5);
  self->rows.groups = shares[goban_rng_below (&rng, G_N_ELEMENTS (shares))];
  self->rows.slots = slots[goban_rng_below (&rng, G_N_ELEMENTS (slots))];
  if (goban_rng_below (&rng, 4) == 0)
    self->rows.n_connected = 64 * (1 + goban_rng_below (&rng, 4));
  return self;
}

/* --- loading -------------------------------------------------------------------------------- */

/* Returns a copy in which one field of a device is multiplied by @factor, or set if @factor is 0.
 * Takes the cluster. */
static GobanCluster *
change_device (GobanCluster *cluster, guint device, const char *field, double value, GError **error)
{
  g_autoptr (GobanCluster) old = cluster;

  return goban_cluster_with_device (old, (GobanDeviceId) device, field, value, error);
}

/* Takes the cluster. (nullable) */
static GobanCluster *
slow_down (GobanCluster *cluster, double speed, GError **error)
{
  guint n = goban_cluster_get_n_devices (cluster);

  for (guint d = 1; d < n && cluster != NULL; d += 2)
    {
      g_autoptr (GobanCluster) old = cluster;

      cluster = goban_what_if_speed (
          old, (GobanDeviceId) d, goban_cluster_get_device (old, (GobanDeviceId) d), speed, error);
    }
  return cluster;
}

/* Takes the cluster. (nullable) */
static GobanCluster *
take_memory (GobanCluster *cluster, GobanGraph *graph, double memory, GError **error)
{
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, goban_cluster_get_n_devices (cluster));
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
  guint n = goban_cluster_get_n_devices (cluster);
  double needed = goban_trace_get_uses (trace)[0].peak_bytes;

  for (guint d = 0; d < n && cluster != NULL; d++)
    cluster = change_device (cluster, d, "memory_bytes", needed * memory / n, error);
  return cluster;
}

GobanCostModel *
goban_builder_lesson_new_costs (const GobanBuilderLesson *self, GError **error)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate (self->graph, error);
  g_autoptr (GobanCluster) cluster = NULL;

  if (graph == NULL)
    return NULL;
  cluster = goban_curriculum_new_cluster (self->cluster, error);
  if (cluster != NULL && self->slow > 0)
    cluster = slow_down (g_steal_pointer (&cluster), self->slow, error);
  if (cluster != NULL && self->memory > 0)
    cluster = take_memory (g_steal_pointer (&cluster), graph, self->memory, error);
  return cluster != NULL ? goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS) : NULL;
}

GobanBuilderProblem *
goban_builder_lesson_load (const GobanBuilderLesson *self, GError **error)
{
  g_autoptr (GobanCostModel) costs = goban_builder_lesson_new_costs (self, error);

  return costs != NULL ? goban_builder_problem_new (costs, &self->rows, error) : NULL;
}

char *
goban_builder_lesson_to_text (const GobanBuilderLesson *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s on %s", self->graph, self->cluster);
  if (self->slow > 0)
    g_string_append_printf (text, ", every other device at %g of the speed", self->slow);
  if (self->memory > 0)
    g_string_append_printf (text, ", memory %g of one device's need", self->memory);
  if (self->rows.n_connected > 0)
    g_string_append_printf (text, ", %u connected rows", self->rows.n_connected);
  else
    g_string_append_printf (text, ", rows %g x %g", self->rows.groups, self->rows.slots);
  return g_string_free (text, FALSE);
}
