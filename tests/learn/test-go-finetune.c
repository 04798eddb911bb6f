/* test-go-finetune.c: go-finetune and go-one: budgets, repetition, controls, cancellation,
 * settings, and what learning is worth. */
#include "engine/core/error.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/learn/rl/builder/fine-tuning.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/learn/roster.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Under sanitizers, smaller. */
#define PROBLEM (TEST_IS_SANITIZED ? "synthetic:seed=61,nodes=200" : "synthetic:seed=61,nodes=400")

static const GobanPlacer *const policies[] = { &goban_placer_go_finetune, &goban_placer_go_one };

/* (nullable) */
static GobanPlan *
try_place (const GobanPlacer *placer, GobanCostModel *costs, GobanPlacerOptions *options,
           guint64 *evaluations, GError **error)
{
  *evaluations = 0;
  return goban_placer_place (placer, costs, options, evaluations, error);
}

static GobanPlan *
place (const GobanPlacer *placer, GobanCostModel *costs, GobanPlacerOptions *options,
       guint64 *evaluations)
{
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = try_place (placer, costs, options, evaluations, &error);

  g_assert_no_error (error);
  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
  return plan;
}

static double
simulate_us (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

  return goban_trace_get_makespan (trace);
}

/* --- budgets -------------------------------------------------------------------------------- */

/* Spends exactly its budget, for all proposers and starts, whatever is learned. */
static void
test_budget (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs (PROBLEM, "p100x4");
  static const char *const settings[] = { NULL,
                                          "updates=0",
                                          "rate=0",
                                          "start=cells",
                                          "start=cells,proposals=uniform,heat=0",
                                          "proposals=hand" };
  static const guint64 budgets[] = { 1, 2, 9, 17, 18, 19, 70 };

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
      for (gsize k = 0; k < G_N_ELEMENTS (budgets); k++)
        {
          GobanPlacerOptions options
              = { .settings = settings[i], .max_evaluations = budgets[k], .seed = k };
          guint64 evaluations;
          g_autoptr (GobanPlan) plan = place (policies[p], costs, &options, &evaluations);

          g_assert_cmpuint (evaluations, ==, budgets[k]);
          g_assert_cmpstr (goban_plan_get_policy (plan), ==, policies[p]->name);
        }
}

/* Graphs without work or choice. */
static void
test_trivial (void)
{
  static const char *const none[] = { NULL };

  for (guint i = 0; i < 2; i++)
    for (guint n = 1; n <= 2; n++)
      {
        g_autoptr (GobanGraph) graph = i == 0 ? toy_of_names (none) : toy_chain ();
        g_autofree char *cluster = g_strdup_printf ("equal:%u", n);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
        GobanPlacerOptions options = { .max_evaluations = 30 };
        guint64 evaluations;
        g_autoptr (GobanPlan) plan
            = place (&goban_placer_go_finetune, costs, &options, &evaluations);

        g_assert_cmpfloat (simulate_us (costs, plan), ==, i == 0 ? 0 : 40);
      }
}

/* --- repetition and controls ---------------------------------------------------------------- */

static GobanPlan *
place_by (const GobanPlacer *placer, GobanCostModel *costs, const char *settings)
{
  GobanPlacerOptions options = { .settings = settings, .max_evaluations = 400, .seed = 3 };
  guint64 evaluations;

  return place (placer, costs, &options, &evaluations);
}

/* A seed gives one plan, and what was learned before another one. */
static void
test_repeatable (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs (PROBLEM, "p100x4");
  g_autoptr (GobanPlan) one = place_by (&goban_placer_go_one, costs, "updates=22");
  g_autoptr (GobanPlan) two = place_by (&goban_placer_go_one, costs, "updates=22");
  g_autoptr (GobanPlan) trained = place_by (&goban_placer_go_finetune, costs, "updates=22");

  g_assert_true (toy_plans_are_same (one, two));
  g_assert_false (toy_plans_are_same (one, trained));
}

/* All tasks, with a plan to begin at, too. */
static void
test_all_tasks (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=200", "p100x2");
  GobanLearnedOptions learned = { .decisions = GOBAN_TASKS_ALL };
  GobanPlacerOptions options = { .max_evaluations = 60, .learned = &learned };
  guint64 evaluations;
  g_autoptr (GobanPlan) first = place (&goban_placer_go_finetune, costs, &options, &evaluations);
  g_autoptr (GobanPlan) second = NULL;

  g_assert_cmpuint (evaluations, ==, 60);
  learned.start = first;
  second = place (&goban_placer_go_finetune, costs, &options, &evaluations);
  g_assert_cmpuint (evaluations, ==, 60);
  g_assert_cmpfloat (simulate_us (costs, second), <=, simulate_us (costs, first));
}

/* --- stopping ------------------------------------------------------------------------------- */

/* The check that it stops at. */
typedef struct
{
  guint n_checks;
  guint last;
} Stop;

static gboolean
stops_at (gpointer data)
{
  Stop *self = data;

  return ++self->n_checks > self->last;
}

/* Whenever it is asked to stop, while it builds, learns, splits or improves, it makes no further
 * evaluation. */
static void
test_cancelled (void)
{
  static const char *const settings[] = { NULL, "start=cells" };
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=400", "p100x2");

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    for (guint last = 0; last < 60; last += TEST_IS_SANITIZED ? 19 : 7)
      {
        Stop stop = { .last = last };
        GobanProgress progress = { .should_stop = stops_at, .user_data = &stop };
        GobanPlacerOptions options
            = { .settings = settings[i], .max_evaluations = 70, .progress = &progress };
        g_autoptr (GError) error = NULL;
        guint64 evaluations;

        g_assert_null (
            try_place (&goban_placer_go_finetune, costs, &options, &evaluations, &error));
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
        g_assert_cmpuint (stop.n_checks, ==, last + 1);
      }
}

/* --- errors --------------------------------------------------------------------------------- */

/* What cannot be is named, with what can be. */
static void
test_wrong (void)
{
  static const struct
  {
    const char *settings;
    const char *network;
    const char *words;
  } wrong[] = {
    { "proposals=chance", NULL, "both|network|hand|untrained|uniform" },
    { "heat=2", NULL, "heat=2" },
    { "groups=0", NULL, "groups=NUMBER" },
    { "start", NULL, "start=builder|cells" },
    { "updates=50", NULL, "updates=NUMBER up to 49" },
    { "learn=1", NULL, "rate=RATE" },
    { "temperature=0", NULL, "temperature=T" },
    { NULL, "/nonexistent/builder.net", "/nonexistent/builder.net" },
  };
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=400", "p100x2");

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      GobanPlacerOptions options
          = { .settings = wrong[i].settings,
              .learned = &(GobanLearnedOptions){ .network = wrong[i].network } };
      g_autoptr (GError) error = NULL;
      guint64 evaluations;

      g_assert_null (try_place (&goban_placer_go_finetune, costs, &options, &evaluations, &error));
      g_assert_nonnull (strstr (error->message, wrong[i].words));
    }
}

/* Names of earlier versions are answered with the present ones. */
static void
test_old_names (void)
{
  static const char *const names[][2] = { { "go", "“go-one”" },
                                          { "go-refine", "“go-finetune”" },
                                          { "go-portfolio", "“go-zeroshot”" },
                                          { "go-improve", "“go-finetune”" } };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_roster_find (names[i][0], &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, names[i][1]));
    }
}

/* --- what learning is worth ----------------------------------------------------------------- */

#define N_FELLOWS 16

typedef struct
{
  GobanBuilderProblem *problem;
  GobanBuildRecord *records[N_FELLOWS];
  GobanRng rng;
} Graph;

static Graph
new_graph (guint index)
{
  g_autoptr (GobanBuilderLesson) lesson = goban_builder_lesson_draw (0, -1 - (gint) index, NULL);
  g_autoptr (GError) error = NULL;
  Graph self = { .problem = goban_builder_lesson_load (lesson, &error) };

  g_assert_no_error (error);
  for (guint k = 0; k < N_FELLOWS; k++)
    self.records[k] = goban_build_record_new ();
  goban_rng_init (&self.rng, index);
  return self;
}

static void
graph_clear (Graph *self)
{
  for (guint k = 0; k < N_FELLOWS; k++)
    goban_build_record_free (self->records[k]);
  goban_builder_problem_free (self->problem);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Graph, graph_clear)

static double
try_plan (Graph *self, const GobanBuilderNet *net, const GobanBuildOptions *options)
{
  g_autofree guint32 *devices = g_new (guint32, self->problem->rows->n_rows + 1);

  goban_plan_builder_build (self->problem->builder, net, options, devices);
  return goban_builder_score_us (
      self->problem->units->cluster,
      goban_builder_problem_evaluate (self->problem, devices, GOBAN_STATIC_TRANSFERS));
}

static void
learn (Graph *self, GobanFineTuning *tuning, const GobanFineTuningSettings *settings,
       guint n_updates)
{
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (tuning->net, self->problem->rows);

  for (guint i = 0; i < n_updates; i++)
    {
      double scores_us[N_FELLOWS];
      double norm;
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < N_FELLOWS; k++)
        scores_us[k] = try_plan (self, tuning->net,
                                 &(GobanBuildOptions){ .temperature = settings->temperature,
                                                       .rng = &self->rng,
                                                       .encoding = encoding,
                                                       .record = self->records[k] });
      goban_fine_tuning_update (tuning, self->records, scores_us, N_FELLOWS, encoding, &norm,
                                &error);
      g_assert_no_error (error);
      goban_fine_tuning_keep (
          tuning, try_plan (self, tuning->net, &(GobanBuildOptions){ .encoding = encoding }));
    }
  goban_fine_tuning_go_back (tuning);
}

/* Log of the likeliest plan's makespan after learning, over that of the new network. */
static double
find_gain (guint index, double rate)
{
  g_auto (Graph) self = new_graph (index);
  GobanFineTuningSettings settings = goban_fine_tuning_settings_default ();
  g_autoptr (GobanBuilderNet) net = goban_builder_net_new (GOBAN_ALL_PARTS, &self.rng);
  g_autoptr (GobanFineTuning) tuning = NULL;
  double before_us = try_plan (&self, net, &(GobanBuildOptions){ 0 });

  settings.rate = rate;
  tuning = goban_fine_tuning_new (net, self.problem->units->classes, &settings);
  goban_fine_tuning_keep (tuning, before_us);
  learn (&self, tuning, &settings, 20);
  return goban_log (try_plan (&self, tuning->net, &(GobanBuildOptions){ 0 }) / before_us);
}

/* Twenty updates make the likeliest plan of random problems 5 % shorter, and none longer; without a
 * rate nothing changes. */
static void
test_learning_helps (void)
{
  double mean = 0;

  for (guint i = 0; i < 6; i++)
    {
      double gain = find_gain (i, goban_fine_tuning_settings_default ().rate);

      g_assert_cmpfloat (gain, <=, 0);
      g_assert_cmpfloat (find_gain (i, 0), ==, 0);
      mean += gain / 6;
    }
  g_test_message ("likeliest plan over the first: %.4f", exp (mean));
  g_assert_cmpfloat (mean, <, log (0.95));
}

/* Divergence of a plan's decisions if the network builds it again, without caution for memory. */
static double
find_divergence (Graph *self, const GobanBuilderNet *net, const GobanBuildRecord *record,
                 double temperature)
{
  g_autofree guint32 *devices = g_new (guint32, self->problem->rows->n_rows + 1);
  g_autoptr (GobanBuildRecord) again = goban_build_record_new ();
  double kl = 0;

  goban_plan_builder_build (
      self->problem->builder, net,
      &(GobanBuildOptions){ .temperature = temperature,
                            .wanted = (const guint32 *) (const void *) record->devices->data,
                            .record = again },
      devices);
  for (guint k = 0; k < again->n_decisions * again->n_devices; k++)
    {
      double p = (double) g_array_index (record->chances, float, k);

      if (p > 0)
        kl += p
              * (goban_log (p)
                 - goban_log (MAX ((double) g_array_index (again->chances, float, k), 1e-9)))
              / again->n_decisions;
    }
  return kl;
}

/* A step changes the probabilities of its plans by no more than the limit. */
static void
test_kl (void)
{
  g_auto (Graph) self = new_graph (0);
  GobanFineTuningSettings settings = goban_fine_tuning_settings_default ();
  g_autoptr (GobanBuilderNet) net = goban_builder_net_new (GOBAN_ALL_PARTS, &self.rng);
  double moved[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanFineTuning) tuning = NULL;

      settings.rate = 0.3; /* far too fast */
      settings.most_kl = i == 0 ? 0.01 : 100;
      tuning = goban_fine_tuning_new (net, self.problem->units->classes, &settings);
      goban_rng_init (&self.rng, 1);
      learn (&self, tuning, &settings, 1);
      moved[i] = find_divergence (&self, tuning->net, self.records[0], settings.temperature);
    }
  g_test_message ("divergence: %g, without a limit %g", moved[0], moved[1]);
  /* The limit is of the mean over all plans. */
  g_assert_cmpfloat (moved[0], <, 0.03);
  g_assert_cmpfloat (moved[1], >, 0.06);
}

/* An update learns from its own plans only: the gradient of the one before is gone. A second update
 * of the same plans has that of a first one from the same network. */
static void
test_gradient_of_an_update (void)
{
  g_auto (Graph) self = new_graph (0);
  const GobanFineTuningSettings settings = goban_fine_tuning_settings_default ();
  g_autoptr (GobanBuilderNet) net = goban_builder_net_new (GOBAN_ALL_PARTS, &self.rng);
  g_autoptr (GobanBuilderNet) changed = goban_builder_net_copy (net);
  const guint *classes = self.problem->units->classes;
  g_autoptr (GobanFineTuning) tuning = goban_fine_tuning_new (net, classes, &settings);
  g_autoptr (GobanFineTuning) fresh = NULL;
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (tuning->net, self.problem->rows);
  g_autoptr (GobanRowEncoding) anew = NULL;
  double scores_us[N_FELLOWS], norms[3];

  for (guint k = 0; k < N_FELLOWS; k++)
    scores_us[k] = try_plan (&self, net,
                             &(GobanBuildOptions){ .temperature = settings.temperature,
                                                   .rng = &self.rng,
                                                   .encoding = encoding,
                                                   .record = self.records[k] });
  g_assert_true (goban_fine_tuning_update (tuning, self.records, scores_us, N_FELLOWS, encoding,
                                           &norms[0], NULL));
  goban_builder_net_average (changed, tuning->net, 0);
  g_assert_true (goban_fine_tuning_update (tuning, self.records, scores_us, N_FELLOWS, encoding,
                                           &norms[1], NULL));
  fresh = goban_fine_tuning_new (changed, classes, &settings);
  anew = goban_row_encoding_new (fresh->net, self.problem->rows);
  g_assert_true (
      goban_fine_tuning_update (fresh, self.records, scores_us, N_FELLOWS, anew, &norms[2], NULL));
  g_assert_cmpfloat (norms[0], >, 0);
  g_assert_cmpfloat (norms[1], ==, norms[2]);
}

/* The first random problem whose devices are short of memory. */
static guint
find_short_of_memory (void)
{
  for (guint i = 0;; i++)
    {
      g_autoptr (GobanBuilderLesson) lesson = goban_builder_lesson_draw (0, -1 - (gint) i, NULL);

      if (lesson->memory > 0)
        return i;
    }
}

/* The change of a step is measured by the plans' own features, also if they were built with caution
 * for memory: a step that hardly changes anything is made. */
static void
test_caution (void)
{
  g_auto (Graph) self = new_graph (find_short_of_memory ());
  GobanFineTuningSettings settings = goban_fine_tuning_settings_default ();
  g_autoptr (GobanBuilderNet) net = goban_builder_net_new (GOBAN_ALL_PARTS, &self.rng);
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (net, self.problem->rows);
  g_autoptr (GobanFineTuning) tuning = NULL;
  const GobanBuilderNet *tuned;
  double scores_us[N_FELLOWS], norm, most_moved = 0;
  g_autoptr (GError) error = NULL;

  settings.rate = 1e-6;
  settings.most_kl = 1e-5;
  tuning = goban_fine_tuning_new (net, self.problem->units->classes, &settings);
  for (guint k = 0; k < N_FELLOWS; k++)
    scores_us[k] = try_plan (&self, net,
                             &(GobanBuildOptions){ .temperature = settings.temperature,
                                                   .rng = &self.rng,
                                                   .caution = 2,
                                                   .encoding = encoding,
                                                   .record = self.records[k] });
  g_assert_cmpfloat (find_divergence (&self, net, self.records[0], settings.temperature), >,
                     settings.most_kl);
  goban_fine_tuning_update (tuning, self.records, scores_us, N_FELLOWS, encoding, &norm, &error);
  g_assert_no_error (error);
  tuned = tuning->net;
  for (guint t = 0; t < GOBAN_SCORER_NET_N_TENSORS; t++)
    most_moved = MAX (most_moved, fabs ((double) (*goban_params_value (tuned->params, t)
                                                  - *goban_params_value (net->params, t))));
  g_assert_cmpfloat (most_moved, >, 0);
}

TEST_PROGRAM (go_finetune)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go-finetune/budget", test_budget);
  g_test_add_func ("/rl/go-finetune/trivial", test_trivial);
  g_test_add_func ("/rl/go-finetune/repeatable", test_repeatable);
  g_test_add_func ("/rl/go-finetune/all-tasks", test_all_tasks);
  g_test_add_func ("/rl/go-finetune/cancelled", test_cancelled);
  g_test_add_func ("/rl/go-finetune/wrong", test_wrong);
  g_test_add_func ("/rl/go-finetune/old-names", test_old_names);
  g_test_add_func ("/rl/go-finetune/kl-limit", test_kl);
  g_test_add_func ("/rl/go-finetune/gradient", test_gradient_of_an_update);
  g_test_add_func ("/rl/go-finetune/caution", test_caution);
  g_test_add_func ("/rl/go-finetune/learning-helps", test_learning_helps);
  return g_test_run ();
}
