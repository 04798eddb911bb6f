#include "engine/study/run/parallel-training.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/graph/collectives.h"
#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <math.h>
#include <string.h>

#define SMALL "gpt:layers=8,width=256,heads=8,vocabulary=1024,sequence=128,positions=128"
#define CLUSTER "a100x8*4,nic=200GB/s,shared"

static GobanParallelTraining *
make (const char *spec, GobanTrainingShape shape)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (CLUSTER, NULL);
  g_autoptr (GError) error = NULL;
  GobanParallelTraining *self = goban_parallel_training_new (spec, NULL, cluster, &shape, &error);

  g_assert_no_error (error);
  g_assert_true (isfinite (goban_run_get_makespan_us (self->run)));
  goban_trace_check (goban_run_get_trace (self->run), &error);
  g_assert_no_error (error);
  return self;
}

static double
get_makespan (GobanParallelTraining *self)
{
  return goban_run_get_makespan_us (self->run);
}

static void
assert_near (double value, double expected, double share)
{
  g_assert_cmpfloat (fabs (value - expected), <=, share * fabs (expected));
}

/* Total time of the nodes whose names begin so, each once. */
static double
sum_times (GobanParallelTraining *self, const char *prefix, const char *without)
{
  GobanRun *run = self->run;
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  double sum = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
    {
      const char *name = goban_graph_get_node (goban_run_get_graph (run), v)->name;

      if (g_str_has_prefix (name, prefix) && (without == NULL || strstr (name, without) == NULL))
        sum += spans[v].finish_us - spans[v].start_us;
    }
  return sum;
}

/* A random shape on 32 devices that the small model can have. */
static GobanTrainingShape
draw_shape (GobanRng *rng)
{
  static const char *const schedules[] = { "1f1b", "gpipe", "zero-bubble" };
  static const char *const recomputes[] = { "none", "selective", "full" };
  GobanTrainingShape shape = { .tp = 1 << goban_rng_below (rng, 3),
                               .pp = 1 << goban_rng_below (rng, 3),
                               .dp = 1 + goban_rng_below (rng, 2),
                               .micro_batch = 1 + goban_rng_below (rng, 3),
                               .zero = goban_rng_below (rng, 4),
                               .recompute = recomputes[goban_rng_below (rng, 3)],
                               .splits_sequence = goban_rng_below (rng, 2) == 1,
                               .schedule = schedules[goban_rng_below (rng, 3)] };

  shape.batch = shape.dp * shape.micro_batch * (4 + goban_rng_below (rng, 5));
  return shape;
}

/* The passes of stages take as long as all their ops. */
static void
test_passes_equal_ops (void)
{
  for (guint64 seed = 0; seed < 24; seed++)
    {
      GobanRng rng;
      GobanTrainingShape shape;
      g_autoptr (GobanParallelTraining) passes = NULL;
      g_autoptr (GobanParallelTraining) ops = NULL;

      goban_rng_init (&rng, seed);
      shape = draw_shape (&rng);
      passes = make (SMALL, shape);
      shape.shows_ops = TRUE;
      ops = make (SMALL, shape);
      g_test_message ("seed %" G_GUINT64_FORMAT ": tp %u pp %u dp %u zero %u recompute %s sp %d %s",
                      seed, shape.tp, shape.pp, shape.dp, shape.zero, shape.recompute,
                      shape.splits_sequence, shape.schedule);
      /* In zero-bubble, collectives before gradients of weights are in their pass if all ops are
       * simulated, and in the backward pass otherwise. */
      assert_near (get_makespan (passes), get_makespan (ops),
                   strcmp (shape.schedule, "zero-bubble") == 0 ? 0.02 : 1e-9);
    }
}

/* The name of a size is its family with that size, also where ranks split it. */
static void
test_named_size (void)
{
  GobanTrainingShape shape = { .tp = 2, .pp = 2, .micro_batch = 1, .batch = 4 };
  g_autoptr (GobanParallelTraining) named = make ("gpt2-medium:layers=4", shape);
  g_autoptr (GobanParallelTraining) spelt = make ("gpt:size=gpt2-medium,layers=4", shape);
  g_autoptr (GobanParallelTraining) other = make ("gpt:layers=4", shape);

  assert_near (get_makespan (named), get_makespan (spelt), 0);
  g_assert_cmpfloat (get_makespan (named), >, 1.2 * get_makespan (other));
}

/* A coarse graph takes as long as that of all ops, on devices whose peaks depend on the type. */
static void
test_coarse (void)
{
  static const char *const specs[] = { SMALL, "llama:layers=8,width=256,heads=8,kv-heads=4" };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autofree char *coarse = g_strconcat (specs[i], ",granularity=coarse", NULL);
      GobanTrainingShape shape
          = { .tp = 2, .pp = 2, .dp = 2, .micro_batch = 2, .recompute = "full" };
      g_autoptr (GobanParallelTraining) of_ops = make (specs[i], shape);
      g_autoptr (GobanParallelTraining) of_parts = make (coarse, shape);

      assert_near (get_makespan (of_parts), get_makespan (of_ops), 0.03);
    }
}

/* Stages of equal layers in 1F1B without sends: (m + p - 1) times both passes of the slowest stage
 * at most, and of the fastest at least; then its updates. */
static void
test_bubble (void)
{
  for (guint pp = 1; pp <= 4; pp *= 2)
    for (guint m = 4; m <= 12; m += 4)
      {
        g_autoptr (GobanParallelTraining) self
            = make (SMALL, (GobanTrainingShape){ .pp = pp, .micro_batch = 1, .batch = m });
        GobanRun *run = self->run;
        double least = INFINITY, most = 0;

        for (guint s = 0; s < pp; s++)
          {
            double sum = 0;

            for (guint b = 0; b < m; b++)
              {
                g_autofree char *forward = g_strdup_printf ("mb%u/forward/stage_%u", b, s);
                g_autofree char *backward = g_strdup_printf ("mb%u/backward/stage_%u", b, s);

                sum += sum_times (self, forward, NULL) + sum_times (self, backward, NULL);
              }
            least = MIN (least, sum / m);
            most = MAX (most, sum / m);
          }
        g_assert_cmpfloat (get_makespan (self), >=, (m + pp - 1) * least);
        g_assert_cmpfloat (get_makespan (self), <=,
                           (m + pp - 1) * most + sum_times (self, "optimizer/", NULL)
                               + sum_times (self, "gradients/", NULL) + 1000);
        g_assert_cmpuint (goban_cluster_get_n_devices (goban_run_get_cluster (run)), ==, pp);
      }
}

/* The model's FLOPs are the same however it is split. */
static void
test_flops (void)
{
  g_autoptr (GobanParallelTraining) one
      = make (SMALL, (GobanTrainingShape){ .micro_batch = 2, .batch = 16 });
  double flops = one->figures.flops;

  for (guint64 seed = 0; seed < 12; seed++)
    {
      GobanRng rng;
      GobanTrainingShape shape;
      g_autoptr (GobanParallelTraining) self = NULL;

      goban_rng_init (&rng, seed);
      shape = draw_shape (&rng);
      shape.micro_batch = 2;
      shape.batch = 16;
      self = make (SMALL, shape);
      /* Norms and residuals are computed by every rank, unless split by sequence. */
      assert_near (self->figures.flops, flops, 0.05);
      g_assert_cmpuint (self->figures.n_devices, ==, shape.tp * shape.pp * shape.dp);
    }
}

/* ZeRO divides the state by the copies, tp divides the weights, and recomputation leaves fewer
 * activations. */
static void
test_memory (void)
{
  guint n;
  g_autoptr (GobanParallelTraining) plain
      = make (SMALL, (GobanTrainingShape){ .dp = 4, .micro_batch = 4, .batch = 64 });
  g_autoptr (GobanParallelTraining) zero
      = make (SMALL, (GobanTrainingShape){ .dp = 4, .micro_batch = 4, .batch = 64, .zero = 1 });
  g_autoptr (GobanParallelTraining) split
      = make (SMALL, (GobanTrainingShape){ .tp = 4, .dp = 4, .micro_batch = 4, .batch = 64 });
  g_autoptr (GobanParallelTraining) full = make (
      SMALL, (GobanTrainingShape){ .dp = 4, .micro_batch = 4, .batch = 64, .recompute = "full" });
  const GobanRankMemory *memory = goban_parallel_training_get_memory (plain, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat (memory->weight_bytes, >, 0);
  g_assert_cmpfloat (memory->optimizer_bytes, ==, 6 * memory->weight_bytes);
  assert_near (memory->gradient_bytes, memory->weight_bytes, 0.2);
  assert_near (goban_parallel_training_get_memory (zero, &n)->optimizer_bytes,
               memory->optimizer_bytes / 4, 1e-9);
  assert_near (goban_parallel_training_get_memory (split, &n)->weight_bytes,
               memory->weight_bytes / 4, 0.1);
  g_assert_cmpfloat (goban_parallel_training_get_memory (full, &n)->activation_bytes, <,
                     0.5 * memory->activation_bytes);
}

static void
assert_refused (const char *spec, GobanTrainingShape shape, const char *words)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (CLUSTER, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_parallel_training_new (spec, NULL, cluster, &shape, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refusals (void)
{
  assert_refused (SMALL, (GobanTrainingShape){ .tp = 3 }, "1, 2, 4 or 8");
  assert_refused (SMALL, (GobanTrainingShape){ .pp = 16 }, "has 8 layers");
  assert_refused (SMALL, (GobanTrainingShape){ .dp = 64 }, "32 devices");
  assert_refused (SMALL, (GobanTrainingShape){ .dp = 4, .micro_batch = 2, .batch = 20 },
                  "4 copies x micro-batches of 2 = 8");
  assert_refused ("gnmt:layers=2,steps=2", (GobanTrainingShape){ .tp = 2 }, "gnmt has no tp");
  assert_refused (SMALL, (GobanTrainingShape){ .schedule = "1b1f" }, "1b1f");
  assert_refused (SMALL, (GobanTrainingShape){ .recompute = "all" }, "none, selective or full");
}

/* A graph that is one rank's already says how many ranks there are. */
static void
test_graph (void)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate (SMALL ",tp=4,batch=2", NULL);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (CLUSTER, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanParallelTraining) by_graph = goban_parallel_training_new (
      NULL, graph, cluster, &(GobanTrainingShape){ .pp = 2, .dp = 2 }, &error);
  g_autoptr (GobanParallelTraining) by_spec
      = make (SMALL ",batch=2", (GobanTrainingShape){ .tp = 4, .pp = 2, .dp = 2 });

  g_assert_no_error (error);
  g_assert_cmpfloat (get_makespan (by_graph), ==, get_makespan (by_spec));
  g_assert_cmpuint (by_graph->figures.n_devices, ==, 16);
}

/* --- the closed form ------------------------------------------------------------------------- */

/* A GPT in Megatron-LM's way, on A100 with 300 GB/s to each neighbour and 200 GB/s a node. */
typedef struct
{
  double layers, width, heads, batch, micro_batch, tp, dp, pp;
} Gpt;

#define SEQUENCE 2048.0
#define VOCABULARY 51200.0
#define FLOPS_PER_S (0.83 * 312e12)
#define MEMORY_PER_S (0.59 * 2039e9)
#define BUS_PER_S (0.77 * 300e9)
#define NODE_PER_S (0.77 * 200e9)
#define STEP_S 4e-6

/* b products (m, k) x (k, n) of two bytes a number. */
static double
multiply_s (double m, double n, double k, double b)
{
  return MAX (2 * b * m * n * k / FLOPS_PER_S, 2 * b * (m * k + n * k + m * n) / MEMORY_PER_S);
}

/* Sums of times, without a simulator: one pass of each micro-batch, filling and emptying the
 * pipeline, then gradients and updates. Ops are those of the generator with flash = 0. */
static double
compute_step_s (const Gpt *g)
{
  double m = g->micro_batch * SEQUENCE, h = g->width, t = g->tp, head_width = g->width / g->heads;
  double b = g->micro_batch * g->heads / t, scores = b * SEQUENCE * SEQUENCE;
  double n_batches = g->batch / (g->dp * g->micro_batch), parameters = 12 * g->layers * h * h;
  const double products[4][3]
      = { { m, 3 * h / t, h }, { m, h, h / t }, { m, 4 * h / t, h }, { m, h, 4 * h / t } };
  double reduce_s = 2 * (t - 1) * (STEP_S + 2 * m * h / t / BUS_PER_S);
  double head_s = multiply_s (m, VOCABULARY / t, h, 1), send_s = 0, time_s;
  double forward_s = multiply_s (SEQUENCE, SEQUENCE, head_width, b)
                     + multiply_s (SEQUENCE, head_width, SEQUENCE, b)
                     + (9 * scores + 22 * m * h + 24 * m * h / t) / MEMORY_PER_S + 2 * reduce_s;
  double backward_s = 3 * multiply_s (SEQUENCE, head_width, SEQUENCE, b)
                      + multiply_s (SEQUENCE, SEQUENCE, head_width, b)
                      + (11 * scores + 34 * m * h + 52 * m * h / t + 72 * h * h / t) / MEMORY_PER_S
                      + 2 * reduce_s;

  for (guint i = 0; i < 4; i++)
    {
      const double *p = products[i];

      forward_s += multiply_s (p[0], p[1], p[2], 1);
      backward_s += multiply_s (p[0], p[2], p[1], 1) + multiply_s (p[2], p[1], p[0], 1);
    }
  if (g->pp > 1)
    send_s = 2 * m * h / t / (NODE_PER_S / 8);
  time_s = (n_batches + g->pp - 1) * (g->layers / g->pp * (2 * forward_s + backward_s))
           + n_batches * 3 * head_s + (n_batches + 2 * (g->pp - 1)) * send_s;
  parameters = (parameters / g->pp + VOCABULARY * h) / t;
  if (g->dp > 1)
    time_s += 2 * (g->dp - 1) / g->dp * 2 * parameters / (NODE_PER_S / t);
  return time_s + 40 * parameters / MEMORY_PER_S;
}

static void
test_closed_form (void)
{
  static const Gpt all[] = {
    { 30, 3072, 32, 512, 8, 1, 64, 1 },   { 30, 3072, 32, 512, 2, 4, 16, 1 },
    { 40, 6144, 48, 1024, 8, 8, 32, 1 },  { 40, 6144, 48, 1024, 8, 2, 16, 8 },
    { 48, 8192, 64, 1536, 3, 2, 32, 8 },  { 48, 8192, 64, 1536, 24, 8, 8, 8 },
    { 96, 12288, 96, 1536, 2, 4, 8, 16 }, { 96, 12288, 96, 1536, 6, 8, 2, 32 },
    { 24, 2048, 16, 256, 4, 8, 4, 1 },    { 24, 2048, 16, 256, 4, 4, 4, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      const Gpt *g = &all[i];
      guint n_nodes = (guint) (g->tp * g->dp * g->pp / 8);
      g_autofree char *machines
          = g_strdup_printf ("a100x8*%u,nic=200GB/s,shared,compute=0.83,memory=0.59", n_nodes);
      g_autofree char *spec
          = g_strdup_printf ("gpt:layers=%.0f,width=%.0f,ffn=%.0f,heads=%.0f,sequence=2048,"
                             "positions=2048,vocabulary=51200,flash=0,dropout=1,dtype=f16",
                             g->layers, g->width, 4 * g->width, g->heads);
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (machines, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanParallelTraining) self = goban_parallel_training_new (
          spec, NULL, cluster,
          &(GobanTrainingShape){ .tp = (guint) g->tp,
                                 .dp = (guint) g->dp,
                                 .pp = (guint) g->pp,
                                 .micro_batch = (guint) g->micro_batch,
                                 .batch = (guint) g->batch,
                                 .recompute = "full" },
          &error);

      g_assert_no_error (error);
      g_test_message ("%u: %.3f s, by the closed form %.3f s", i, get_makespan (self) / 1e6,
                      compute_step_s (g));
      assert_near (get_makespan (self) / 1e6, compute_step_s (g), 0.04);
    }
}

TEST_PROGRAM (parallel_training)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel-training/passes-equal-ops", test_passes_equal_ops);
  g_test_add_func ("/parallel-training/named-size", test_named_size);
  g_test_add_func ("/parallel-training/coarse", test_coarse);
  g_test_add_func ("/parallel-training/bubble", test_bubble);
  g_test_add_func ("/parallel-training/flops", test_flops);
  g_test_add_func ("/parallel-training/memory", test_memory);
  g_test_add_func ("/parallel-training/refusals", test_refusals);
  g_test_add_func ("/parallel-training/graph", test_graph);
  g_test_add_func ("/parallel-training/closed-form", test_closed_form);
  return g_test_run ();
}
