/* test-plan-builder.c: plans built row by row: whole, repeatable, blind to names and to the numbers
 * of devices, and with the gradient that they claim. */
#include "engine/learn/policy/plan-builder.h"

#include "engine/graph/cells.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define N_ROWS 40

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanRows *rows;
  GobanPlanBuilder *builder;
  GobanBuilderNet *net;
} Case;

/* graph: (transfer full). Rows are runs of units, but for groups that are spread: of some
 * @n_rows. */
static Case
new_case (GobanGraph *graph, const char *cluster, guint n_rows)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) devices = goban_cluster_new_from_spec (cluster, &error);
  Case self = { 0 };
  g_autofree guint32 *row_of = g_new (guint32, goban_graph_get_n_nodes (graph));
  GobanRng rng;

  g_assert_no_error (error);
  self.costs = goban_cost_model_new (graph, devices, GOBAN_EXECUTION_EVENTS);
  self.units = goban_units_new (self.costs, &error);
  g_assert_no_error (error);
  n_rows = MIN (n_rows, self.units->n_units);
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    row_of[v] = (guint32) ((guint64) self.units->unit_of[v] * n_rows / self.units->n_units);
  self.rows = goban_rows_new (self.units, row_of, n_rows, NULL);
  self.builder = goban_plan_builder_new (self.rows);
  goban_rng_init (&rng, 5);
  self.net = goban_builder_net_new (0, &rng);
  goban_graph_unref (graph);
  return self;
}

static void
case_clear (Case *self)
{
  goban_builder_net_free (self->net);
  goban_plan_builder_free (self->builder);
  goban_rows_free (self->rows);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* (transfer full) (R) */
static guint32 *
build (Case *self, GobanBuildOptions options)
{
  guint32 *devices = g_new (guint32, self->rows->n_rows);

  goban_plan_builder_build (self->builder, self->net, &options, devices);
  return devices;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* Shares add up, walks are chances, the order is topological. */
static void
test_rows (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=3"), "p100x4", N_ROWS);
  const GobanRows *rows = self.rows;
  g_autofree guint8 *seen = g_new0 (guint8, rows->n_nodes);
  double bytes = 0;

  for (guint i = 0; i < rows->n_nodes; i++)
    {
      GobanNodeId v = rows->order[i];

      for (guint k = rows->node_offsets[v]; k < rows->node_offsets[v + 1]; k++)
        g_assert_true (seen[rows->node_inputs[k].producer]);
      seen[v] = 1;
    }
  for (guint r = 0; r < rows->n_rows; r++)
    bytes += rows->row_bytes[r];
  g_assert_cmpfloat_with_epsilon (bytes, rows->total_bytes, 1e-6 * rows->total_bytes);
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    for (guint from = 0; from < rows->n_rows; from++)
      {
        double sum = 0;

        for (guint to = 0; to < rows->n_rows; to++)
          sum += (double) rows->walks[k][to * rows->n_rows + from];
        g_assert_cmpfloat_with_epsilon (sum, 1, 1e-4);
      }
}

/* --- plans ---------------------------------------------------------------------------------- */

/* Any graph, any cluster: every row has a device, and the plan checks. */
static void
test_whole (void)
{
  static const char *const clusters[] = { "p100x2", "v100x8", "equal:3,bandwidth=1e7", "cpu+gpu" };

  for (guint seed = 0; seed < 12; seed++)
    {
      GraphGen gen = graph_gen_small (30 + seed * 10);
      g_auto (Case) self
          = new_case (graph_gen_new (&gen, seed), clusters[seed % G_N_ELEMENTS (clusters)], 13);
      g_autoptr (GobanPlan) plan = goban_plan_new (self.units->graph, self.units->n_devices);
      g_autoptr (GError) error = NULL;
      GobanRng rng;

      goban_rng_init (&rng, seed);
      for (guint i = 0; i < 4; i++)
        {
          g_autofree guint32 *devices
              = build (&self, (GobanBuildOptions){ .temperature = i, .rng = &rng });

          for (guint r = 0; r < self.rows->n_rows; r++)
            g_assert_cmpuint (devices[r], <, self.units->n_devices);
          goban_rows_place (self.rows, devices, plan);
          goban_plan_check (plan, self.costs, &error);
          g_assert_no_error (error);
        }
    }
}

static void
test_repeatable (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=5"), "p100x4", N_ROWS);
  g_auto (Case) other = new_case (toy_generate ("synthetic:seed=5"), "p100x4", N_ROWS);
  gsize size = self.rows->n_rows * sizeof (guint32);
  GobanRng a, b, c;
  g_autofree guint32 *x = NULL;
  g_autofree guint32 *y = NULL;
  g_autofree guint32 *z = NULL;

  goban_rng_init (&a, 1);
  goban_rng_init (&b, 1);
  goban_rng_init (&c, 2);
  x = build (&self, (GobanBuildOptions){ .temperature = 3, .rng = &a });
  y = build (&other, (GobanBuildOptions){ .temperature = 3, .rng = &b });
  z = build (&self, (GobanBuildOptions){ .temperature = 3, .rng = &c });
  g_assert_cmpmem (x, size, y, size);
  g_assert_true (memcmp (x, z, size) != 0);
}

/* Wanted decisions are followed, and recorded as what was done. */
static void
test_follows (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=8"), "p100x4", N_ROWS);
  g_autofree guint32 *wanted = g_new (guint32, self.rows->n_rows);
  g_autofree guint32 *devices = NULL;
  g_autoptr (GobanBuildRecord) record = goban_build_record_new ();

  for (guint r = 0; r < self.rows->n_rows; r++)
    wanted[r] = r * 7 % 4;
  devices = build (&self, (GobanBuildOptions){ .wanted = wanted, .record = record });
  g_assert_cmpmem (devices, self.rows->n_rows * sizeof *devices, wanted,
                   self.rows->n_rows * sizeof *wanted);
  g_assert_cmpuint (record->n_decisions, >, self.rows->n_rows / 2);
  for (guint i = 0; i < record->n_decisions; i++)
    g_assert_cmpuint (g_array_index (record->actions, guint32, i), ==,
                      wanted[g_array_index (record->rows, guint32, i)]);
}

/* --- what plays no role --------------------------------------------------------------------- */

/* The same decisions with equal devices relabelled: the same chances, relabelled, to the bit. */
static void
test_relabelled (void)
{
  static const guint32 permutation[] = { 2, 0, 3, 1 };
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=11"), "p100x4", N_ROWS);
  guint R = self.rows->n_rows;
  g_autofree guint32 *wanted = g_new (guint32, R);
  g_autofree guint32 *relabelled = g_new (guint32, R);
  g_autoptr (GobanBuildRecord) a = goban_build_record_new ();
  g_autoptr (GobanBuildRecord) b = goban_build_record_new ();
  GobanRng rng;

  goban_rng_init (&rng, 4);
  for (guint r = 0; r < R; r++)
    {
      wanted[r] = goban_rng_below (&rng, 4);
      relabelled[r] = permutation[wanted[r]];
    }
  g_free (build (&self, (GobanBuildOptions){ .wanted = wanted, .record = a }));
  g_free (build (&self, (GobanBuildOptions){ .wanted = relabelled, .record = b }));
  g_assert_cmpuint (a->n_decisions, ==, b->n_decisions);
  for (guint i = 0; i < a->n_decisions; i++)
    for (guint d = 0; d < 4; d++)
      {
        float p = g_array_index (a->chances, float, i * 4 + d);
        float q = g_array_index (b->chances, float, i * 4 + permutation[d]);

        g_assert_cmpmem (&p, sizeof p, &q, sizeof q);
      }
}

/* A copy whose nodes are called otherwise; order of nodes, ops and sizes are the same. */
static GobanGraph *
rename_nodes (const GobanGraph *graph, const char *prefix)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (prefix, "test");
  g_autofree guint32 *tensors = g_new (guint32, goban_graph_get_n_tensors (graph) + 1);
  g_autoptr (GError) error = NULL;
  GobanGraph *copy;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      g_autofree char *name = g_strdup_printf ("%s%u", prefix, v);
      guint n = 0;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n);
      guint32 id = goban_graph_builder_add_node (builder, name, node->op);
      GobanNode *made = goban_graph_builder_get_node (builder, id);

      made->flops = node->flops;
      made->read_bytes = node->read_bytes;
      made->written_bytes = node->written_bytes;
      made->param_bytes = node->param_bytes;
      made->phase = node->phase;
      for (guint i = 0; i < n; i++)
        {
          const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);

          tensors[first + i]
              = tensor->is_control
                    ? goban_graph_builder_add_control_tensor (builder, id)
                    : goban_graph_builder_add_tensor (builder, id, tensor->size_bytes);
        }
    }
  for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      goban_graph_builder_add_edge (builder, tensors[edge->tensor], edge->head);
    }
  copy = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return copy;
}

static void
test_names (void)
{
  g_autoptr (GobanGraph) graph = toy_generate ("synthetic:seed=2,style=deep");
  g_auto (Case) a = new_case (rename_nodes (graph, "encoder/layer_1/a"), "p100x4", N_ROWS);
  g_auto (Case) b = new_case (rename_nodes (graph, "x"), "p100x4", N_ROWS);
  g_autofree guint32 *x = build (&a, (GobanBuildOptions){ 0 });
  g_autofree guint32 *y = build (&b, (GobanBuildOptions){ 0 });

  g_assert_cmpmem (x, a.rows->n_rows * sizeof *x, y, b.rows->n_rows * sizeof *y);
}

/* --- memory --------------------------------------------------------------------------------- */

#define TIGHT                                                                                      \
  "{ \"devices\": ["                                                                               \
  "{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": \"1 GB/s\","         \
  "  \"memory\": %.0f },"                                                                          \
  "{ \"name\": \"b\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": \"1 GB/s\","         \
  "  \"memory\": \"unlimited\" } ], \"all_pairs\": { \"bandwidth\": 1e9 } }"

/* Two devices, the first with @capacity bytes. */
static Case
new_tight (GobanGraph *graph, double capacity)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_strdup_printf (TIGHT, capacity);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "goban-tight-XXXXXX", NULL);
  int file = g_mkstemp (path);
  Case self;

  g_assert_cmpint (file, >=, 0);
  g_close (file, &error);
  g_assert_true (g_file_set_contents (path, json, -1, &error));
  self = new_case (goban_graph_ref (graph), path, N_ROWS);
  g_assert_cmpint (g_unlink (path), ==, 0);
  return self;
}

/* Rows go where there is room, whatever the network thinks: it must not count on a bonus of a
 * hundred. */
static void
test_memory (void)
{
  g_autoptr (GobanGraph) graph = toy_generate ("synthetic:seed=4");
  g_auto (Case) free_case = new_case (goban_graph_ref (graph), "equal:2", N_ROWS);
  double capacity = free_case.rows->total_bytes / 5;
  g_auto (Case) self = new_tight (graph, capacity);
  g_autofree guint32 *devices = NULL;
  double bytes = 0;

  goban_builder_net_get_decoder (self.net).scorer.linear[GOBAN_CHOICE_MEMORY] = 100;
  devices = build (&self, (GobanBuildOptions){ 0 });
  for (guint r = 0; r < self.rows->n_rows; r++)
    bytes += devices[r] == 0 ? self.rows->row_bytes[r] : 0;
  /* Rows that follow others are small, and not asked. */
  g_assert_cmpfloat (bytes, <, 1.2 * capacity);
  g_assert_cmpfloat (bytes, >, 0.5 * capacity);
}

/* --- gradient ------------------------------------------------------------------------------- */

enum
{
  F = GOBAN_CHOICE_N,
  C = GOBAN_CONTEXT_N,
  H = GOBAN_SCORER_HIDDEN,
  K = GOBAN_SCORER_SECOND,
};

#define STEP 1e-6
#define TOLERANCE 1e-3

/* All parameters one after another, in double. */
static double *
dup_parameters (GobanParams *params)
{
  double *w = g_new (double, goban_params_get_total (params));
  gsize n = 0;

  for (guint t = 0; t < params->tensors->len; t++)
    for (gsize i = 0; i < goban_params_get_size (params, t); i++)
      w[n++] = (double) goban_params_value (params, t)[i];
  return w;
}

static double
leaky (double z)
{
  return z > 0 ? z : z / 10;
}

/* The score of engine/learn/nn/scorer.h. */
static double
score (const double *w, const float *x, const float *c)
{
  const double *wx = w, *wc = wx + F * H, *b1 = wc + C * H, *w2 = b1 + H, *b2 = w2 + H * K,
               *w3 = b2 + K, *u = w3 + K;
  double first[H], sum = 0;

  for (int j = 0; j < H; j++)
    {
      first[j] = b1[j];
      for (int i = 0; i < C; i++)
        first[j] += (double) c[i] * wc[i * H + j];
      for (int i = 0; i < F; i++)
        first[j] += (double) x[i] * wx[i * H + j];
    }
  for (int k = 0; k < K; k++)
    {
      double second = b2[k];

      for (int j = 0; j < H; j++)
        second += leaky (first[j]) * w2[j * K + k];
      sum += leaky (second) * w3[k];
    }
  for (int i = 0; i < F; i++)
    sum += u[i] * (double) x[i];
  return sum;
}

/* What goban_build_records_learn() goes down, of a record without masked devices. */
static double
find_loss (const double *w, const GobanBuildRecord *record, const GobanBuildLesson *lesson)
{
  guint D = record->n_devices;
  double sum = 0;

  for (guint i = 0; i < record->n_decisions; i++)
    {
      double scores[8], total = 0, entropy = 0;

      for (guint d = 0; d < D; d++)
        {
          scores[d] = score (w, &g_array_index (record->features, float, (i * D + d) * F),
                             &g_array_index (record->contexts, float, i *C));
          total += exp (scores[d]);
        }
      for (guint d = 0; d < D; d++)
        entropy -= exp (scores[d]) / total * (scores[d] - log (total));
      sum -= lesson->advantage * (scores[g_array_index (record->actions, guint32, i)] - log (total))
             + lesson->entropy * entropy;
    }
  return sum / record->n_decisions;
}

/* Counts the gradients of @taught that differ from finite differences of @lesson's loss. */
static guint
count_wrong (Case *self, GobanBuildRecord *record, const GobanBuildLesson *taught,
             const GobanBuildLesson *lesson)
{
  GobanParams *params = self->net->params;
  g_autofree double *w = dup_parameters (params);
  guint n_wrong = 0;
  gsize n = 0;

  goban_params_zero_grad (params);
  goban_build_records_learn (&record, taught, 1, self->net, NULL);
  for (guint t = 0; t < params->tensors->len; t++)
    for (gsize i = 0; i < goban_params_get_size (params, t); i++, n++)
      {
        double middle = w[n];
        double difference;
        double gradient = (double) goban_params_grad (params, t)[i];

        w[n] = middle + STEP;
        difference = find_loss (w, record, lesson);
        w[n] = middle - STEP;
        difference = (difference - find_loss (w, record, lesson)) / (2 * STEP);
        w[n] = middle;
        n_wrong += fabs (difference - gradient) > TOLERANCE * (fabs (difference) + 0.01);
      }
  return n_wrong;
}

/* Of a plan that was drawn: both terms and each alone; and with the sign of one flipped, it is
 * found. */
static void
test_gradient (void)
{
  static const GobanBuildLesson lessons[]
      = { { .advantage = 1 }, { .entropy = 1 }, { .advantage = -0.7, .entropy = 0.4 } };
  const GobanBuildLesson wrong = { .advantage = -0.7, .entropy = -0.4 };
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=6,nodes=150"), "p100x4", 12);
  g_autoptr (GobanBuildRecord) record = goban_build_record_new ();
  GobanRng rng;

  goban_rng_init (&rng, 9);
  g_free (build (&self, (GobanBuildOptions){ .temperature = 1, .rng = &rng, .record = record }));
  /* The last one runs the code of both terms, which is enough under sanitizers. */
  for (gsize k = TEST_IS_SANITIZED ? G_N_ELEMENTS (lessons) - 1 : 0; k < G_N_ELEMENTS (lessons);
       k++)
    g_assert_cmpuint (count_wrong (&self, record, &lessons[k], &lessons[k]), ==, 0);
  g_assert_cmpuint (count_wrong (&self, record, &wrong, &lessons[2]), >, 100);
}

/* Imitation of a plan makes it likelier, and what is as good as it is not pushed away. */
static void
test_pools (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=6,nodes=150"), "p100x4", 12);
  g_autoptr (GobanBuildRecord) record = goban_build_record_new ();
  g_autofree guint32 *wanted = g_new0 (guint32, self.rows->n_rows);
  GobanBuildLesson lesson = { .advantage = 1, .classes = self.units->classes };
  float *linear = goban_builder_net_get_gradients (self.net).scorer.linear;

  /* The first row: all devices are unused and alike, so there is nothing to learn from it. */
  g_free (build (&self, (GobanBuildOptions){ .wanted = wanted, .record = record }));
  record->n_decisions = 1;
  goban_params_zero_grad (self.net->params);
  goban_build_records_learn (&record, &lesson, 1, self.net, NULL);
  for (guint i = 0; i < GOBAN_CHOICE_N; i++)
    g_assert_cmpfloat (fabs ((double) linear[i]), <, 1e-6);
}

/* --- files ---------------------------------------------------------------------------------- */

static void
test_file (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=6,nodes=150"), "p100x4", 12);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "goban-builder-XXXXXX", NULL);
  int file = g_mkstemp (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBuilderNet) read = NULL;

  g_assert_cmpint (file, >=, 0);
  g_close (file, &error);
  g_assert_null (goban_builder_net_load (path, &error));
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  self.net->params->n_steps = 3;
  goban_params_mean (self.net->params, 0)[0] = 1;
  goban_params_square (self.net->params, 0)[0] = 1;
  g_assert_true (goban_builder_net_save (self.net, path, &error));
  g_assert_null (goban_builder_net_load ("/dev/zero", NULL));
  read = goban_builder_net_load (path, &error);
  g_assert_no_error (error);
  /* A file is for use: Adam's moments are not in it. */
  g_assert_cmpuint (read->params->n_steps, ==, 0);
  g_assert_cmpfloat (goban_params_mean (read->params, 0)[0], ==, 0);
  g_assert_cmpfloat (goban_params_square (read->params, 0)[0], ==, 0);
  for (guint t = 0; t < read->params->tensors->len; t++)
    {
      GobanParams *a = self.net->params;
      GobanParams *b = read->params;
      gsize size = goban_params_get_size (a, t) * sizeof (float);

      g_assert_cmpmem (goban_params_value (a, t), size, goban_params_value (b, t), size);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
}

TEST_PROGRAM (plan_builder)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/plan-builder/rows", test_rows);
  g_test_add_func ("/policy/plan-builder/plans-are-whole", test_whole);
  g_test_add_func ("/policy/plan-builder/repeatable", test_repeatable);
  g_test_add_func ("/policy/plan-builder/follows-decisions", test_follows);
  g_test_add_func ("/policy/plan-builder/relabelled-devices", test_relabelled);
  g_test_add_func ("/policy/plan-builder/names-play-no-role", test_names);
  g_test_add_func ("/policy/plan-builder/memory-masks", test_memory);
  g_test_add_func ("/policy/plan-builder/gradient-and-planted-sign", test_gradient);
  g_test_add_func ("/policy/plan-builder/imitation-pools-unused-devices", test_pools);
  g_test_add_func ("/policy/plan-builder/file", test_file);
  return g_test_run ();
}
