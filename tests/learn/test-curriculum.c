/* What is learned on: heterogeneous, drawn by a seed, and without what is left out. */
#include "engine/learn/rl/curriculum.h"

#include "engine/core/error.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/bench/suite.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char *const families[]
    = { "rnnlm", "gnmt", "transformer-xl", "inception-v3", "amoebanet", "wavenet" };

static GobanCurriculum *
make (const char *const *left_out)
{
  g_autoptr (GError) error = NULL;
  GobanCurriculum *self = goban_curriculum_new (left_out, &error);

  g_assert_no_error (error);
  goban_curriculum_add_built_in (self);
  return self;
}

static guint
count_devices (const char *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_curriculum_new_cluster (spec, &error);

  g_assert_no_error (error);
  return goban_cluster_get_n_devices (cluster);
}

/* All counts of devices for every family, and only graphs that can be generated. */
static void
test_is_heterogeneous (void)
{
  g_autoptr (GobanCurriculum) all = make (NULL);

  g_assert_cmpuint (goban_curriculum_get_n_lessons (all), ==, 126);
  g_assert_cmpuint (goban_curriculum_get_n_trials (all), ==, 6);
  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    {
      guint counts = 0;

      for (guint i = 0; i < 126; i++)
        {
          const GobanLesson *lesson = goban_curriculum_get_lesson (all, i);

          if (strcmp (lesson->family, families[f]) == 0)
            counts |= 1u << count_devices (lesson->cluster);
        }
      g_assert_cmpuint (counts, ==, 1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 8);
    }
}

static char *
canonical (const char *graph)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanWorkloadSpec) spec = goban_workload_spec_new (graph, &error);

  g_assert_no_error (error);
  return g_strdup (spec->text);
}

/* None of GO's graphs is a lesson, nor is a trial a lesson, nor a lesson twice. */
static void
test_keeps_apart (void)
{
  g_autoptr (GobanCurriculum) all = make (NULL);
  g_autoptr (GHashTable) taught = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) go14 = goban_suite_load ("go14", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < goban_curriculum_get_n_lessons (all); i++)
    {
      const GobanLesson *lesson = goban_curriculum_get_lesson (all, i);

      g_assert_true (g_hash_table_add (seen, g_strconcat (lesson->graph, lesson->cluster, NULL)));
      g_hash_table_add (taught, canonical (lesson->graph));
    }
  g_assert_cmpuint (g_hash_table_size (taught), ==, 42);
  for (guint i = 0; i < goban_curriculum_get_n_trials (all); i++)
    {
      g_autofree char *trial = canonical (goban_curriculum_get_trial (all, i)->graph);

      g_assert_false (g_hash_table_contains (taught, trial));
    }
  for (guint i = 0; i < goban_suite_get_n_graphs (go14); i++)
    {
      g_autofree char *graph = canonical (goban_suite_get_graph (go14, i)->graph);

      g_assert_false (g_hash_table_contains (taught, graph));
    }
}

/* Random networks are half of what is drawn, and others of them for validation. */
static void
test_synthetic (void)
{
  static const char *const left_out[] = { "synthetic", NULL };
  g_autoptr (GobanCurriculum) all = make (NULL);
  g_autoptr (GobanCurriculum) rest = make (left_out);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_random = 0;
  GobanRng rng;

  goban_curriculum_add_synthetic (all);
  goban_curriculum_add_synthetic (rest);
  g_assert_cmpuint (goban_curriculum_get_n_lessons (rest), ==, 126);
  g_assert_cmpuint (goban_curriculum_get_n_validation (rest), ==, 0);
  g_assert_cmpuint (goban_curriculum_get_n_trials (all), ==, 6);
  for (guint i = 0; i < goban_curriculum_get_n_lessons (all); i++)
    g_hash_table_add (seen, goban_curriculum_get_lesson (all, i)->graph);
  g_assert_cmpuint (goban_curriculum_get_n_validation (all), >=, 8);
  for (guint i = 0; i < goban_curriculum_get_n_validation (all); i++)
    {
      const GobanLesson *lesson = goban_curriculum_get_validation (all, i);

      g_assert_cmpstr (lesson->family, ==, "synthetic");
      g_assert_false (g_hash_table_contains (seen, lesson->graph));
    }
  goban_rng_init (&rng, 1);
  for (guint i = 0; i < 50; i++)
    {
      guint batch[12];

      g_assert_cmpuint (goban_curriculum_draw (all, &rng, batch, 12), ==, 12);
      for (guint k = 0; k < 12; k++)
        n_random += strcmp (goban_curriculum_get_lesson (all, batch[k])->family, "synthetic") == 0;
    }
  g_assert_cmpuint (n_random, ==, 50 * 6);
}

static void
test_leaves_out (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (families); f++)
    {
      const char *const left_out[] = { families[f], NULL };
      g_autoptr (GobanCurriculum) rest = make (left_out);
      GobanRng rng;

      goban_rng_init (&rng, f);
      g_assert_cmpuint (goban_curriculum_get_n_lessons (rest), ==, 105);
      g_assert_cmpuint (goban_curriculum_get_n_trials (rest), ==, 7);
      for (guint i = 0; i < 7; i++)
        g_assert_cmpstr (goban_curriculum_get_trial (rest, i)->family, ==, families[f]);
      for (guint i = 0; i < 200; i++)
        {
          guint batch[8];
          guint n = goban_curriculum_draw (rest, &rng, batch, G_N_ELEMENTS (batch));

          g_assert_cmpuint (n, ==, G_N_ELEMENTS (batch));
          for (guint k = 0; k < n; k++)
            g_assert_cmpstr (goban_curriculum_get_lesson (rest, batch[k])->family, !=, families[f]);
        }
    }
}

/* A suite's graphs of a left-out family are not lessons either. */
static void
test_leaves_out_of_a_suite (void)
{
  static const char *const left_out[] = { "wavenet", "gnmt", "wavenet", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCurriculum) self = goban_curriculum_new (left_out, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (goban_curriculum_get_left_out (self)[0], ==, "gnmt");
  g_assert_cmpuint (g_strv_length ((char **) goban_curriculum_get_left_out (self)), ==, 2);
  goban_curriculum_add (self, "gnmt:layers=3", "p100x2");
  goban_curriculum_add (self, "wavenet", "p100x2");
  goban_curriculum_add (self, "rnnlm", "p100x2");
  goban_curriculum_add (self, "gnmt.dot", "p100x2");
  g_assert_cmpuint (goban_curriculum_get_n_lessons (self), ==, 2);
  g_assert_cmpuint (goban_curriculum_get_n_trials (self), ==, 2);
}

/* The same seed draws the same; a batch has each lesson once and families in equal parts. */
static void
test_draws (void)
{
  g_autoptr (GobanCurriculum) all = make (NULL);
  GobanRng a, b;
  g_autofree guint *every = g_new (guint, 200);
  guint other[12], batch[12];
  gboolean is_varied = FALSE;

  goban_rng_init (&a, 7);
  goban_rng_init (&b, 7);
  for (guint i = 0; i < 20; i++)
    {
      guint n_of[G_N_ELEMENTS (families)] = { 0 };

      g_assert_cmpuint (goban_curriculum_draw (all, &a, batch, 12), ==, 12);
      goban_curriculum_draw (all, &b, other, 12);
      g_assert_cmpmem (batch, sizeof batch, other, sizeof other);
      is_varied = is_varied || (i > 0 && batch[0] != every[0]);
      every[0] = batch[0];
      for (guint k = 0; k < 12; k++)
        for (guint f = 0; f < G_N_ELEMENTS (families); f++)
          n_of[f] += strcmp (goban_curriculum_get_lesson (all, batch[k])->family, families[f]) == 0;
      for (guint f = 0; f < G_N_ELEMENTS (families); f++)
        g_assert_cmpuint (n_of[f], ==, 2);
    }
  g_assert_true (is_varied);

  g_assert_cmpuint (goban_curriculum_draw (all, &a, every, 200), ==, 126);
  for (guint i = 0; i < 126; i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpuint (every[i], !=, every[k]);
}

static void
test_makes_clusters (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster
      = goban_curriculum_new_cluster ("p100x6,bandwidth=6GB/s,latency=7us", &error);
  g_autoptr (GobanCluster) usual = goban_curriculum_new_cluster ("p100x4", &error);
  static const char *const wrong[] = { "p100x1", "p100x3,width=2", "p100x3,latency=1us,latency=2us",
                                       "p100x",  "k80x2",          "v100x2,bandwidth=nix" };

  g_assert_no_error (error);
  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, 6);
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 0)->bytes_per_us, ==, 6000);
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 0)->latency_us, ==, 7);
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 5)->flops_per_us, ==,
                     goban_cluster_get_device (usual, 0)->flops_per_us);
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 5)->memory_bytes, ==,
                     goban_cluster_get_device (usual, 0)->memory_bytes);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (goban_curriculum_new_cluster (wrong[i], &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
}

static GobanGraph *
refuse_cb (const char *graph, GError **error)
{
  goban_set_error (error, GOBAN_ERROR_IO, "%s: asked for", graph);
  return NULL;
}

static void
test_loads (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCurriculum) self = goban_curriculum_new (NULL, &error);
  g_autoptr (GobanCostModel) costs = NULL;

  goban_curriculum_set_loader (self, refuse_cb);
  goban_curriculum_add (self, "rnnlm:layers=1,steps=1", "v100x3");
  goban_curriculum_add (self, "a.dot", "v100x3");
  costs = goban_curriculum_load (self, goban_curriculum_get_lesson (self, 0), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)), ==, 3);
  g_assert_null (goban_curriculum_load (self, goban_curriculum_get_lesson (self, 1), &error));
  g_assert_cmpstr (error->message, ==, "a.dot: asked for");
}

static void
test_refuses_unknown_families (void)
{
  static const char *const left_out[] = { "bert", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_curriculum_new (left_out, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "“bert” to leave out; the families are rnnlm, gnmt"));
}

TEST_PROGRAM (curriculum)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/curriculum/is-heterogeneous", test_is_heterogeneous);
  g_test_add_func ("/rl/curriculum/keeps-apart", test_keeps_apart);
  g_test_add_func ("/rl/curriculum/synthetic", test_synthetic);
  g_test_add_func ("/rl/curriculum/leaves-out", test_leaves_out);
  g_test_add_func ("/rl/curriculum/leaves-out-of-a-suite", test_leaves_out_of_a_suite);
  g_test_add_func ("/rl/curriculum/draws", test_draws);
  g_test_add_func ("/rl/curriculum/makes-clusters", test_makes_clusters);
  g_test_add_func ("/rl/curriculum/loads", test_loads);
  g_test_add_func ("/rl/curriculum/refuses-unknown-families", test_refuses_unknown_families);
  return g_test_run ();
}
