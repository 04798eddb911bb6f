#include "engine/learn/rl/builder/builder-lessons.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/nn/vector.h"
#include "engine/machine/cluster/what-if.h"

#include <math.h>
#include <string.h>

#define N_SIZES 7 /* of a family */
#define MAX_DEVICES 64

/* 30 to 24,000 nodes. */
static const struct
{
  const char *family;
  const char *sizes[N_SIZES];
} built_in[] = {
  { "rnnlm",
    { "layers=1,steps=8", "layers=2,steps=10", "layers=3,steps=20,batch=32", "layers=4,steps=12",
      "layers=6,steps=16,width=1024", "layers=8,steps=10", "layers=8,granularity=coarse" } },
  { "gnmt",
    { "layers=1,steps=6", "layers=2,steps=8", "layers=3,steps=12,batch=64", "layers=4,steps=10",
      "layers=6,steps=8,width=512", "layers=8,steps=6", "layers=6,granularity=coarse" } },
  { "transformer-xl",
    { "layers=1,segments=2", "layers=2,segments=2", "layers=3,batch=16", "layers=4,segments=2",
      "layers=6,segments=3,steps=256", "layers=8,segments=2",
      "layers=12,batch=6,granularity=coarse" } },
  { "inception-v3",
    { "batch=8,mode=inference", "batch=64,mode=inference", "batch=16,image=224,mode=inference",
      "batch=16", "batch=96,image=224", "batch=128,granularity=coarse",
      "batch=32,image=400,mode=inference" } },
  { "amoebanet",
    { "layers=3", "layers=6,batch=16", "layers=9,width=128", "layers=12,mode=inference",
      "layers=24,batch=64,mode=inference", "layers=18,granularity=coarse",
      "layers=6,image=160,mode=inference" } },
  { "wavenet",
    { "layers=6", "layers=12", "stacks=1,layers=10,batch=8", "stacks=3,layers=24",
      "stacks=4,layers=20,steps=4096", "stacks=2,layers=24,width=256",
      "layers=24,granularity=coarse" } },
};

/* --- construction and disposal -------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
check_family (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      if (strcmp (families[i]->name, name) == 0)
        return TRUE;
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", families[i]->name);
    }
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "there is no family “%s” to leave out; the families are %s", name,
                       names->str);
}

GobanCurriculum *
goban_curriculum_new (const char *const *left_out, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GobanCurriculum *self;

  for (guint i = 0; left_out != NULL && left_out[i] != NULL; i++)
    {
      if (!check_family (left_out[i], error))
        return NULL;
      if (!g_ptr_array_find_with_equal_func (names, left_out[i], g_str_equal, NULL))
        g_ptr_array_add (names, g_strdup (left_out[i]));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);

  self = g_new0 (GobanCurriculum, 1);
  self->left_out = (char **) g_ptr_array_steal (names, NULL);
  self->graphs = g_ptr_array_new_with_free_func (g_free);
  for (guint f = 0; f < G_N_ELEMENTS (built_in); f++)
    for (guint s = 0; s < N_SIZES; s++)
      if (!g_strv_contains ((const char *const *) self->left_out, built_in[f].family))
        g_ptr_array_add (self->graphs,
                         g_strconcat (built_in[f].family, ":", built_in[f].sizes[s], NULL));
  return self;
}

void
goban_curriculum_free (GobanCurriculum *self)
{
  g_strfreev (self->left_out);
  g_ptr_array_unref (self->graphs);
  g_free (self);
}

/* --- clusters ------------------------------------------------------------------------------- */

/* Whether a spec is a variant "p100xN,..." of a preset, split into words; FALSE for other forms and
 * for presets. */
static gboolean
is_variant (const char *spec, char *const *words)
{
  const char *const *presets = goban_cluster_presets ();
  guint64 n;

  if (words[0] == NULL || strlen (words[0]) < 6
      || (!g_str_has_prefix (spec, "p100x") && !g_str_has_prefix (spec, "v100x")))
    return FALSE;
  for (guint i = 0; presets[i] != NULL; i += 2)
    if (strcmp (presets[i], spec) == 0)
      return FALSE;
  return g_ascii_string_to_unsigned (words[0] + 5, 10, 2, MAX_DEVICES, &n, NULL);
}

/* Adds the settings of links, the words after the first. */
static gboolean
append_links (GString *json, const char *spec, char *const *words, const GobanLink *usual,
              GError **error)
{
  const char *bandwidth = NULL;
  const char *latency = NULL;

  for (guint i = 1; words[i] != NULL; i++)
    if (bandwidth == NULL && g_str_has_prefix (words[i], "bandwidth="))
      bandwidth = words[i] + strlen ("bandwidth=");
    else if (latency == NULL && g_str_has_prefix (words[i], "latency="))
      latency = words[i] + strlen ("latency=");
    else
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "%s: “%s” is neither bandwidth=B/s nor latency=s", spec, words[i]);

  g_string_append (json, ",\"all_pairs\":{");
  if (bandwidth != NULL)
    goban_json_add_string (json, "bandwidth", bandwidth);
  else
    goban_json_add_number (json, "bytes_per_us", usual->bytes_per_us);
  if (latency != NULL)
    goban_json_add_string (json, "latency", latency);
  else
    goban_json_add_number (json, "latency", usual->latency_us);
  g_string_append (json, "}}");
  return TRUE;
}

static GobanCluster *
new_variant (const char *spec, char *const *words, GError **error)
{
  const char *usual_name = g_str_has_prefix (spec, "p100") ? "p100x2" : "v100x2";
  g_autoptr (GobanCluster) usual = goban_cluster_new_from_spec (usual_name, error);
  g_autoptr (GString) json = g_string_new ("{");
  const GobanDevice *device;

  if (usual == NULL)
    return NULL;
  device = goban_cluster_get_device (usual, 0);
  goban_json_add_string (json, "name", spec);
  g_string_append (json, ",\"devices\":[{");
  goban_json_add_string (json, "name", device->kind);
  goban_json_add_string (json, "kind", device->kind);
  goban_json_add_number (json, "count", (double) g_ascii_strtoull (words[0] + 5, NULL, 10));
  goban_json_add_number (json, "flops_per_us", device->flops_per_us);
  goban_json_add_number (json, "memory_bytes_per_us", device->memory_bytes_per_us);
  goban_json_add_number (json, "memory", device->memory_bytes);
  goban_json_add_number (json, "launch", device->launch_us);
  g_string_append (json, "}]");
  if (!append_links (json, spec, words, goban_cluster_get_link (usual, 0), error))
    return NULL;
  return goban_cluster_new_from_json (json->str, (gssize) json->len, spec, error);
}

GobanCluster *
goban_curriculum_new_cluster (const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, ",", -1);

  return is_variant (spec, words) ? new_variant (spec, words, error)
                                  : goban_cluster_new_from_inner_spec (spec, error);
}

/* Initial temperature of annealing, as a share of the makespan. */
#define HEAT 0.02

#define LEAST_REWARD (-3.0)
#define MOST_REWARD 2.0

/* Seed of the samples of goban_builder_problem_try(), equal for all networks. */
#define TRY_SEED 20

/* --- the reference -------------------------------------------------------------------------- */

/* Writes to devices (R) the device on which the plan has most work of each row. */
static void
project (const GobanBuilderProblem *self, const GobanPlan *plan, guint32 *devices)
{
  guint D = self->rows->n_devices;
  g_autofree double *work_us = g_new0 (double, (gsize) self->rows->n_rows *D);

  for (GobanNodeId v = 0; v < self->rows->n_nodes; v++)
    {
      guint32 device = goban_plan_get_device (plan, v);
      double time_us = self->rows->times_us[(gsize) v * D + device];

      work_us[(gsize) self->rows->row_of[v] * D + device] += isfinite (time_us) ? time_us : 0;
    }
  for (guint r = 0; r < self->rows->n_rows; r++)
    {
      const double *shares = work_us + (gsize) r * D;

      devices[r] = GOBAN_NOT_PLACED;
      for (guint32 d = 0; d < D; d++)
        if (self->rows->allowed[(gsize) r * D + d]
            && (devices[r] == GOBAN_NOT_PLACED || shares[d] > shares[devices[r]]))
          devices[r] = d;
    }
}

static void
find_reference (GobanBuilderProblem *self)
{
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (self->splits, GOBAN_BUILDER_N_SPLITS);

  self->reference_us = INFINITY;
  self->reference = g_new0 (guint32, self->rows->n_rows + 1);
  for (guint i = 0; i < cuts->len; i++)
    {
      double score_us;

      goban_cell_splits_place (self->splits, cuts->pdata[i], self->plan);
      goban_static_orders_apply (self->orders, GOBAN_STATIC_TRANSFERS, self->plan);
      score_us = goban_builder_score_us (self->units->cluster,
                                         goban_simulator_evaluate (self->simulator, self->plan));
      if (score_us >= self->reference_us)
        continue;
      self->reference_us = score_us;
      project (self, self->plan, self->reference);
    }
}

/* --- construction and disposal -------------------------------------------------------------- */

GobanBuilderProblem *
goban_builder_problem_new (GobanCostModel *costs, const GobanBuilderRows *sizes, GError **error)
{
  g_autoptr (GobanBuilderProblem) self = g_new0 (GobanBuilderProblem, 1);

  self->costs = goban_cost_model_ref (costs);
  self->units = goban_units_new (costs, error);
  if (self->units == NULL)
    return NULL;
  self->splits = goban_cell_splits_new (self->units);
  if (sizes != NULL && sizes->n_connected > 0)
    self->rows = goban_rows_new_connected (self->units, sizes->n_connected, NULL);
  else
    {
      guint n_groups, n_slots;

      goban_cells_choose (self->splits->cells, self->units->n_devices, &n_groups, &n_slots);
      if (sizes != NULL)
        {
          n_groups = MAX (1, (guint) (n_groups * sizes->groups));
          n_slots = MAX (1, (guint) (n_slots * sizes->slots));
        }
      self->cells = goban_cell_rows_new (self->splits->cells, n_groups, n_slots);
      self->rows = goban_rows_new (self->units, self->cells->row_of, self->cells->n_rows, NULL);
    }
  self->builder = goban_plan_builder_new (self->rows);
  self->orders = goban_static_orders_new (self->units);
  self->simulator = goban_simulator_new (costs);
  self->plan = goban_plan_new (self->units->graph, self->units->n_devices);
  find_reference (self);
  return g_steal_pointer (&self);
}

void
goban_builder_problem_free (GobanBuilderProblem *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->simulator, goban_simulator_free);
  g_clear_pointer (&self->orders, goban_static_orders_free);
  g_clear_pointer (&self->builder, goban_plan_builder_free);
  g_clear_pointer (&self->rows, goban_rows_free);
  g_clear_pointer (&self->cells, goban_cell_rows_free);
  g_clear_pointer (&self->splits, goban_cell_splits_free);
  g_clear_pointer (&self->units, goban_units_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self->reference);
  g_free (self);
}

/* --- scores --------------------------------------------------------------------------------- */

GobanOutcome
goban_builder_problem_evaluate (GobanBuilderProblem *self, const guint32 *devices,
                                GobanStaticOrder order)
{
  goban_rows_place (self->rows, devices, self->plan);
  goban_static_orders_apply (self->orders, order, self->plan);
  return goban_simulator_evaluate (self->simulator, self->plan);
}

double
goban_builder_score_us (const GobanCluster *cluster, GobanOutcome outcome)
{
  double memory = goban_cluster_get_device (cluster, 0)->memory_bytes;

  if (outcome.overflow_bytes <= 0)
    return outcome.makespan_us;
  return outcome.makespan_us * (2 + MIN (2, 2 * outcome.overflow_bytes / MAX (memory, 1)));
}

double
goban_builder_problem_reward (const GobanBuilderProblem *self, double score_us)
{
  return CLAMP (-goban_log (MAX (score_us, 1e-9) / MAX (self->reference_us, 1e-9)), LEAST_REWARD,
                MOST_REWARD);
}

double
goban_builder_problem_get_top_share (const GobanBuilderProblem *self, const guint32 *devices)
{
  g_autofree double *loads_us = g_new0 (double, self->rows->n_devices);
  double most_us = 0;

  for (guint r = 0; r < self->rows->n_rows; r++)
    {
      loads_us[devices[r]] += self->rows->row_work_us[r];
      most_us = MAX (most_us, loads_us[devices[r]]);
    }
  return most_us / self->rows->total_us;
}

/* --- annealing ------------------------------------------------------------------------------ */

static void
move_alike (const GobanBuilderProblem *self, const guint32 *coordinates, guint row, guint32 device,
            guint32 *devices)
{
  for (guint r = 0; r < self->rows->n_rows; r++)
    if (coordinates[r] == coordinates[row]
        && self->rows->allowed[(gsize) r * self->rows->n_devices + device])
      devices[r] = device;
}

static void
move_stretch (const GobanBuilderProblem *self, guint first, guint n, guint32 device,
              guint32 *devices)
{
  for (guint r = first; r < MIN (first + n, self->rows->n_rows); r++)
    if (self->rows->allowed[(gsize) r * self->rows->n_devices + device])
      devices[r] = device;
}

static double
score_us (GobanBuilderProblem *self, const guint32 *devices)
{
  return goban_builder_score_us (
      self->units->cluster, goban_builder_problem_evaluate (self, devices, GOBAN_STATIC_TRANSFERS));
}

double
goban_builder_problem_anneal (GobanBuilderProblem *self, guint n_evaluations, GobanRng *rng,
                              guint32 *devices)
{
  gsize size = self->rows->n_rows * sizeof *devices;
  g_autofree guint32 *here = g_memdup2 (self->reference, size);
  g_autofree guint32 *next = g_malloc (size);
  double here_us = score_us (self, here);
  double best_us = here_us;

  memcpy (devices, here, size);
  for (guint i = 0; i < n_evaluations; i++)
    {
      double heat = HEAT * (1 - (double) i / n_evaluations) + 1e-9;
      double next_us;

      memcpy (next, here, size);

      guint n_rows = self->rows->n_rows;
      guint row = goban_rng_below (rng, n_rows);
      guint32 device = goban_rng_below (rng, self->rows->n_devices);
      double kind = goban_rng_uniform (rng);

      if (kind < 0.25 && self->cells != NULL)
        move_alike (self, self->cells->group_of, row, device, next);
      else if (kind < 0.4 && self->cells != NULL && self->cells->n_slots > 1)
        move_alike (self, self->cells->slot_of, row, device, next);
      else if (kind < 0.6)
        move_stretch (self, row, 1 + goban_rng_below (rng, MAX (2, n_rows / 6)), device, next);
      else
        for (guint n = 1 + goban_rng_below (rng, 3); n > 0; n--)
          {
            guint32 to = goban_rng_below (rng, self->rows->n_devices);

            move_stretch (self, goban_rng_below (rng, n_rows), 1, to, next);
          }

      next_us = score_us (self, next);
      if (next_us < here_us
          || goban_rng_uniform (rng)
                 < (double) goban_exp ((float) (-(next_us / here_us - 1) / heat)))
        {
          memcpy (here, next, size);
          here_us = next_us;
        }
      if (here_us < best_us)
        {
          memcpy (devices, here, size);
          best_us = here_us;
        }
    }
  return best_us;
}

/* --- measuring a network -------------------------------------------------------------------- */

double
goban_builder_problem_try (GobanBuilderProblem *self, const GobanBuilderNet *net, guint n_samples,
                           double temperature, double *greedy_us)
{
  g_autofree guint32 *devices = g_new (guint32, self->rows->n_rows);
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (net, self->rows);
  GobanBuildOptions likeliest = { .encoding = encoding };
  GobanRng rng;
  double best_us;

  goban_rng_init (&rng, TRY_SEED);
  goban_plan_builder_build (self->builder, net, &likeliest, devices);
  best_us = score_us (self, devices);
  if (greedy_us != NULL)
    *greedy_us = best_us;
  for (guint i = 0; i < n_samples; i++)
    {
      GobanBuildOptions options = { .temperature = temperature, .rng = &rng, .encoding = encoding };
      double sample_us;

      goban_plan_builder_build (self->builder, net, &options, devices);
      sample_us = score_us (self, devices);
      best_us = MIN (best_us, sample_us);
    }
  return best_us;
}

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
  guint n = families->graphs->len;

  for (guint i = 0; n > 0 && i < N_TRIES; i++)
    {
      const char *graph = g_ptr_array_index (families->graphs, goban_rng_below (rng, n));

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
    {
      g_autoptr (GobanCluster) old = cluster;

      cluster = goban_cluster_with_device (old, (GobanDeviceId) d, "memory_bytes",
                                           needed * memory / n, error);
    }
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
