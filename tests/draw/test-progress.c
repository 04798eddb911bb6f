/* All long work says how far it is, often enough for an estimate of the time left: it begins near
 * nothing, ends near the whole, and goes on in small steps. Graphs of 84,464 nodes are read within
 * a second, and placed by one policy after another. */
#include "engine/core/time-left.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/difference/comparison.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/pipeline.h"
#include "engine/study/run/replicas-run.h"
#include "engine/study/run/restarts.h"
#include "engine/study/training/training.h"
#include "tests/draw/outlines.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "ui/draw/export/film.h"
#include "ui/draw/graph/graph-layout.h"
#include "ui/draw/reports/share.h"

#include <string.h>

/* No step is larger, so that an estimate comes within the first half of the work. */
#define LARGEST_STEP 0.61

typedef struct
{
  GobanCostModel *costs; /* of a graph of 20,000 nodes */
  GobanRun *runs[2];     /* of a small one */
  char *folder;
} Fixture;

typedef gboolean (*Work) (const Fixture *f, const GobanProgress *progress, GError **error);

static gboolean
lay_out (const Fixture *f, const GobanProgress *progress, GError **error)
{
  GobanLayoutOptions options = { .progress = progress };
  g_autoptr (GobanLayout) layout
      = outlines_lay_out_graph (goban_cost_model_get_graph (f->costs), &options, error);

  return layout != NULL;
}

static gboolean
place (const Fixture *f, const char *policy, guint64 evaluations, const GobanProgress *progress,
       GError **error)
{
  GobanRunOptions options = { .max_evaluations = evaluations, .progress = progress };
  g_autoptr (GobanRun) run = goban_run_new_from_policy (
      evaluations > 0 ? goban_run_get_costs (f->runs[0]) : f->costs, policy, &options, error);

  return run != NULL;
}

static gboolean
place_quickly (const Fixture *f, const GobanProgress *progress, GError **error)
{
  return place (f, "heft", 0, progress, error);
}

static gboolean
search (const Fixture *f, const GobanProgress *progress, GError **error)
{
  return place (f, "anneal", 20000, progress, error);
}

static gboolean
learn (const Fixture *f, const GobanProgress *progress, GError **error)
{
  return place (f, "go-one", 64, progress, error);
}

static gboolean
restart (const Fixture *f, const GobanProgress *progress, GError **error)
{
  GobanRunOptions options = { .max_evaluations = 1000, .progress = progress };
  g_autoptr (GobanRun) run = NULL;

  return goban_restarts_run (goban_run_get_costs (f->runs[0]), "local-search", &options, 4, NULL,
                             &run, error);
}

static gboolean
compare (const Fixture *f, const GobanProgress *progress, GError **error)
{
  static const char *const policies[] = { "single", "heft", "anneal", NULL };
  GobanRunOptions options = { .max_evaluations = 2000, .progress = progress };
  GobanComparison *made
      = goban_compare_policies (goban_run_get_costs (f->runs[0]), policies, &options, NULL, error);

  g_clear_pointer (&made, goban_comparison_free);
  return error == NULL || *error == NULL;
}

static gboolean
review (const Fixture *f, const GobanProgress *progress, GError **error)
{
  g_autoptr (GArray) regrets = goban_review_new (f->runs[1], progress, error);

  return regrets != NULL;
}

static gboolean
repeat_stages (const Fixture *f, const GobanProgress *progress, GError **error)
{
  GobanPipelineOptions options = { .n_batches = 4, .progress = progress };
  g_autoptr (GobanPipeline) pipeline = goban_pipeline_new (f->costs, &options, error);

  return pipeline != NULL;
}

static gboolean
train (const Fixture *f, const GobanProgress *progress, GError **error)
{
  g_autofree char *path = g_build_filename (f->folder, "small.net", NULL);
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingReport) report = NULL;

  options.output = path;
  options.settings = "lessons=3,validation=2,labels=10,imitations=1";
  options.n_steps = 4;
  report = goban_training_run (&options, NULL, progress, error);
  return report != NULL;
}

static gboolean
film (const Fixture *f, const GobanProgress *progress, GError **error)
{
  g_autofree char *path = g_build_filename (f->folder, "small.apng", NULL);
  g_autoptr (GobanFilm) film = goban_film_new (path);

  g_ptr_array_add (film->runs, goban_run_ref (f->runs[0]));
  film->width = film->height = 160;
  film->fps = 5;
  film->seconds = 2;
  return goban_film_write (film, progress, error);
}

static gboolean
report (const Fixture *f, const GobanProgress *progress, GError **error)
{
  g_autofree char *path = g_build_filename (f->folder, "small.html", NULL);
  GobanShareOrder order = { .runs = f->runs, .n_runs = 2, .progress = progress };

  return goban_share_write (&order, path, error);
}

static const struct
{
  const char *name;
  Work work;
} works[] = {
  { "layout", lay_out }, { "place", place_quickly },    { "search", search },
  { "learn", learn },    { "restarts", restart },       { "compare", compare },
  { "review", review },  { "pipeline", repeat_stages }, { "train", train },
  { "film", film },      { "report", report },
};

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/inception-v3-coarse.json");
  g_autoptr (GobanGraph) graph = goban_workload_generate ("gnmt:layers=2", NULL);
  g_autoptr (GobanGraph) small = goban_graph_source_load (path, NULL, NULL);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (small, cluster, GOBAN_EXECUTION_EVENTS);

  f->folder = g_dir_make_tmp ("goban-progress-XXXXXX", NULL);
  f->costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  f->runs[0] = goban_run_new_from_policy (costs, "single", NULL, NULL);
  f->runs[1] = goban_run_new_from_policy (costs, "heft", NULL, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_cost_model_unref (f->costs);
  goban_run_unref (f->runs[0]);
  goban_run_unref (f->runs[1]);
  remove_folder (f->folder);
  g_free (f->folder);
}

typedef struct
{
  double last;
  double largest; /* step */
  guint n;
} Steps;

static void
step_cb (double fraction, const char *what, gpointer user_data)
{
  Steps *steps = user_data;

  if (fraction < 0)
    return;
  g_assert_cmpfloat (fraction, <=, 1);
  /* A smaller fraction would begin other work for the estimate: goban_pace_step(). */
  g_assert_cmpfloat (fraction, >=, steps->last / 2);
  steps->largest = MAX (steps->largest, fraction - steps->last);
  steps->last = fraction;
  steps->n++;
}

static void
test_steps (Fixture *f, gconstpointer data)
{
  Steps steps = { 0 };
  GobanProgress progress = { step_cb, NULL, &steps };
  g_autoptr (GError) error = NULL;
  gboolean is_done = works[GPOINTER_TO_UINT (data)].work (f, &progress, &error);

  g_assert_no_error (error);
  g_assert_true (is_done);
  g_test_message ("%u steps, the largest %.2f, the last to %.2f", steps.n, steps.largest,
                  steps.last);
  g_assert_cmpfloat (MAX (steps.largest, 1 - steps.last), <=, LARGEST_STEP);
}

TEST_PROGRAM (progress)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      g_autofree char *path = g_strconcat ("/progress/", works[i].name, NULL);

      g_test_add (path, Fixture, GUINT_TO_POINTER (i), set_up, test_steps, tear_down);
    }
  return g_test_run ();
}
