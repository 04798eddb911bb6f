/* GO's policies, whole: valid plans of every set of tasks, their budgets, stopping and ending
 * early, networks. */
#include "engine/learn/rl/go/go-run.h"
#include "engine/machine/plan/plan-diff.h"

#include "engine/core/error.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A small network to learn, and rollouts in small numbers. */
#define SMALL                                                                                      \
  "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rollouts=4,epochs=1,improve-rows=16"

typedef struct
{
  char *folder;
  char *all;       /* network files: one trained on all tasks, */
  char *placement; /* and one trained on placement only */
  GobanGraph *graph;
  GobanCostModel *costs;
} Case;

static char *
save_net (const Case *self, const char *name, GobanTasks decisions)
{
  char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanNet) net = NULL;
  GobanGoSettings settings;
  GobanRng rng;

  goban_go_settings_parse (&settings, SMALL, &error);
  g_assert_no_error (error);
  settings.net.decisions = decisions;
  goban_rng_init (&rng, 1);
  net = goban_net_new (&settings.net, &rng);
  goban_net_save (net, path, &error);
  g_assert_no_error (error);
  return path;
}

/* graph: (transfer full) */
static Case
new_case (GobanGraph *graph, const char *cluster)
{
  g_autoptr (GError) error = NULL;
  Case self = { .folder = g_dir_make_tmp ("goban-go-XXXXXX", &error), .graph = graph };

  g_assert_no_error (error);
  self.all = save_net (&self, "all.net", GOBAN_TASKS_ALL);
  self.placement = save_net (&self, "placement.net", GOBAN_TASKS_DEFAULT);
  self.costs = toy_costs (graph, cluster);
  return self;
}

static void
case_clear (Case *self)
{
  g_remove (self->all);
  g_remove (self->placement);
  g_rmdir (self->folder);
  g_free (self->all);
  g_free (self->placement);
  g_free (self->folder);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static const GobanPlacer *const policies[]
    = { &goban_placer_go, &goban_placer_go_zeroshot, &goban_placer_go_portfolio,
        &goban_placer_go_finetune, &goban_placer_go_refine };

static gboolean
is_trained (const GobanPlacer *placer)
{
  return placer == &goban_placer_go_zeroshot || placer == &goban_placer_go_portfolio
         || placer == &goban_placer_go_finetune;
}

static GobanPlan *
place (const Case *self, const GobanPlacer *placer, GobanPlacerOptions options,
       guint64 *evaluations)
{
  GobanLearnedOptions learned = *goban_learned_options (&options);
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  options.settings = options.settings != NULL ? options.settings : SMALL;
  if (is_trained (placer) && learned.network == NULL)
    learned.network = self->all;
  options.learned = &learned;
  *evaluations = 0;
  plan = goban_placer_place (placer, self->costs, &options, evaluations, &error);
  g_assert_no_error (error);
  g_assert_nonnull (plan);
  goban_plan_check (plan, self->costs, &error);
  g_assert_no_error (error);
  goban_fusion_check (plan, self->costs, &error);
  g_assert_no_error (error);
  return plan;
}

/* --- plans ---------------------------------------------------------------------------------- */

/* Every policy, every set of tasks, one seed twice; the networks decide more than they are
 * asked. */
static void
test_every_subset (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    for (GobanTasks decisions = 1; decisions <= GOBAN_TASKS_ALL; decisions++)
      {
        const GobanPlacerOptions options
            = { .seed = decisions,
                .max_evaluations = 20,
                .learned = &(GobanLearnedOptions){ .decisions = decisions } };
        guint64 evaluations;
        g_autoptr (GobanPlan) plan = place (&self, policies[p], options, &evaluations);
        g_autoptr (GobanPlan) again = place (&self, policies[p], options, &evaluations);

        g_assert_true (toy_plans_are_same (plan, again));
        if ((decisions & (1u << GOBAN_TASK_FUSION)) == 0)
          g_assert_false (goban_plan_is_fused (plan));
      }
}

static void
test_settings (void)
{
  static const char *const all[] = {
    SMALL ",direct=0.5",
    SMALL ",direct=1,order=fifo",
    SMALL ",direct=0.5,start=all,fuse=default",
    SMALL ",sampled=1,iterations=2",
    "preset=paper,width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rollouts=4",
    SMALL ",rows=5,start=nothing",
  };
  g_auto (Case) self = new_case (toy_mixed (24, 5), TOY_MIXED_CLUSTER);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
      {
        const GobanPlacerOptions options
            = { .settings = all[i],
                .max_evaluations = 24,
                .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } };
        guint64 evaluations;
        g_autoptr (GobanPlan) plan = place (&self, policies[p], options, &evaluations);

        g_assert_cmpuint (evaluations, <=, 24);
      }
}

/* What a start says is kept, but for what is decided. */
static void
test_start (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 7), TOY_MIXED_CLUSTER);
  const GobanPlacerOptions of_start
      = { .seed = 3,
          .max_evaluations = 6,
          .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } };
  guint64 evaluations;
  g_autoptr (GobanPlan) start = place (&self, &goban_placer_go, of_start, &evaluations);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    for (GobanTasks decisions = 1; decisions <= GOBAN_TASKS_ALL; decisions++)
      {
        const GobanPlacerOptions options
            = { .max_evaluations = 12,
                .learned = &(GobanLearnedOptions){ .decisions = decisions, .start = start } };
        g_autoptr (GobanPlan) plan = place (&self, policies[p], options, &evaluations);
        g_autoptr (GobanPlanDiff) diff = goban_plan_diff (start, plan);

        if ((decisions & (1u << GOBAN_TASK_PLACEMENT)) == 0)
          g_assert_cmpuint (diff->n_moved, ==, 0);
        if ((decisions & (1u << GOBAN_TASK_SCHEDULING)) == 0)
          g_assert_cmpuint (diff->n_reprioritised, ==, 0);
        if ((decisions & 3) == 0)
          g_assert_cmpuint (diff->n_refused, ==, 0);
      }
}

/* --- budgets -------------------------------------------------------------------------------- */

/* To the last evaluation, and none beyond. */
static void
test_budgets (void)
{
  static const guint64 budgets[] = { 1, 2, 7, 40 };
  static const char *const settings[]
      = { SMALL, SMALL ",direct=0.5", SMALL ",direct=1,order=fifo" };
  g_auto (Case) self = new_case (toy_mixed (40, 8), TOY_MIXED_CLUSTER);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    for (gsize b = 0; b < G_N_ELEMENTS (budgets); b++)
      for (gsize s = 0; s < G_N_ELEMENTS (settings); s++)
        {
          const GobanPlacerOptions options
              = { .max_evaluations = budgets[b], .settings = settings[s] };
          guint64 evaluations;
          g_autoptr (GobanPlan) plan = place (&self, policies[p], options, &evaluations);

          g_assert_cmpuint (evaluations, ==, budgets[b]);
        }
}

static void
test_default_budget (void)
{
  g_auto (Case) self = new_case (toy_mixed (40, 8), TOY_MIXED_CLUSTER);
  guint64 evaluations;
  g_autoptr (GobanPlan) plan
      = place (&self, &goban_placer_go_portfolio, (GobanPlacerOptions){ 0 }, &evaluations);
  g_autoptr (GobanPlan) alone = NULL;

  g_assert_cmpuint (evaluations, ==, 32);
  alone = place (&self, &goban_placer_go_zeroshot, (GobanPlacerOptions){ 0 }, &evaluations);
  g_assert_cmpuint (evaluations, ==, 17);
}

/* Fewer than 50 updates, whatever the budget: 17 whole plans, at most 30 quick ones, and each
 * update may simulate the best plan once. */
static void
test_few_updates (void)
{
  g_auto (Case) self = new_case (toy_mixed (40, 8), TOY_MIXED_CLUSTER);
  const GobanPlacerOptions options = { .max_evaluations = 9000, .settings = SMALL ",rollouts=100" };
  guint64 evaluations;
  g_autoptr (GobanPlan) plan = place (&self, &goban_placer_go_finetune, options, &evaluations);

  g_assert_cmpuint (evaluations, >=, 17 + 49 * 100);
  g_assert_cmpuint (evaluations, <=, 17 + 30 + 49 * 101);
}

/* --- stopping ------------------------------------------------------------------------------- */

typedef struct
{
  guint n_asked;
  guint stops_at;
} Questions;

static gboolean
stop (gpointer user_data)
{
  Questions *self = user_data;

  return ++self->n_asked >= self->stops_at;
}

static void
test_cancelled (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    for (guint stops_at = 1; stops_at <= 30; stops_at++)
      {
        g_autoptr (GError) error = NULL;
        Questions questions = { .stops_at = stops_at };
        GobanProgress progress = { .should_stop = stop, .user_data = &questions };
        GobanPlacerOptions options = { .progress = &progress,
                                       .settings = SMALL,
                                       .learned = &(GobanLearnedOptions){ .network = self.all } };
        guint64 evaluations = 0;
        g_autoptr (GobanPlan) plan
            = goban_placer_place (policies[p], self.costs, &options, &evaluations, &error);

        /* Who was done before was not asked so often. */
        if (plan == NULL)
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
        else
          g_assert_cmpuint (questions.n_asked, <, stops_at);
        g_assert_true (plan == NULL || stops_at > 3);
      }
}

/* Stopped as soon as the search itself reports: those with a network are asking it then, the others
 * learning. */
static void
note_step (double fraction, const char *what, gpointer user_data)
{
  Questions *self = user_data;

  if (g_str_has_prefix (what, "asking") || g_str_has_prefix (what, "learning"))
    self->stops_at = 0;
}

static void
test_cancelled_searching (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    {
      g_autoptr (GError) error = NULL;
      Questions questions = { .stops_at = G_MAXUINT };
      GobanProgress progress
          = { .on_step = note_step, .should_stop = stop, .user_data = &questions };
      GobanPlacerOptions options = { .progress = &progress,
                                     .settings = SMALL,
                                     .learned = &(GobanLearnedOptions){ .network = self.all } };
      guint64 evaluations = 0;

      g_assert_null (goban_placer_place (policies[p], self.costs, &options, &evaluations, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      g_assert_cmpuint (questions.stops_at, ==, 0);
    }
}

static void
test_finish (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);
  const gint finish = 1;

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    {
      guint64 evaluations;
      g_autoptr (GobanPlan) plan
          = place (&self, policies[p], (GobanPlacerOptions){ .finish = &finish }, &evaluations);

      g_assert_cmpuint (evaluations, >=, 1);
      g_assert_cmpuint (evaluations, <=, 40);
    }
}

/* --- networks ------------------------------------------------------------------------------- */

static void
check_refused (const Case *self, const GobanPlacerOptions *options, gint code, const char *word)
{
  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    {
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan = NULL;
      g_autofree char *paper = g_strconcat ("method=paper,", options->settings, NULL);
      GobanPlacerOptions own = *options;

      if (!is_trained (policies[p]))
        continue;
      /* Without a network of whole plans fine-tuning is by moves, with other settings. */
      if (policies[p] == &goban_placer_go_finetune)
        own.settings = paper;
      plan = goban_placer_place (policies[p], self->costs, &own, &evaluations, &error);
      g_assert_null (plan);
      g_assert_error (error, GOBAN_ERROR, code);
      g_assert_nonnull (strstr (error->message, word));
      g_assert_cmpuint (evaluations, ==, 0);
    }
}

static void
test_untaught (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);
  GobanPlacerOptions options = { .settings = SMALL,
                                 .learned = &(GobanLearnedOptions){
                                     .network = self.placement, .decisions = GOBAN_TASKS_ALL } };

  check_refused (&self, &options, GOBAN_ERROR_INVALID, "not taught fusion,scheduling");
  check_refused (&self, &options, GOBAN_ERROR_INVALID, self.placement);
}

static void
test_missing (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);
  g_autofree char *path = g_build_filename (self.folder, "none.net", NULL);
  GobanPlacerOptions options
      = { .settings = SMALL, .learned = &(GobanLearnedOptions){ .network = path } };

  check_refused (&self, &options, GOBAN_ERROR_IO, path);
}

static void
test_broken (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);
  GobanPlacerOptions options
      = { .settings = SMALL, .learned = &(GobanLearnedOptions){ .network = self.all } };
  g_autoptr (GError) error = NULL;

  g_file_set_contents (self.all, "no network", -1, &error);
  g_assert_no_error (error);
  check_refused (&self, &options, GOBAN_ERROR_PARSE, self.all);
}

static void
test_wrong_settings (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    {
      GobanPlacerOptions options
          = { .settings = "rate=fast", .learned = &(GobanLearnedOptions){ .network = self.all } };
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan
          = goban_placer_place (policies[p], self.costs, &options, &evaluations, &error);

      g_assert_null (plan);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "rate"));
    }
}

TEST_PROGRAM (go)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go/every-subset-of-tasks", test_every_subset);
  g_test_add_func ("/rl/go/settings", test_settings);
  g_test_add_func ("/rl/go/start", test_start);
  g_test_add_func ("/rl/go/budgets", test_budgets);
  g_test_add_func ("/rl/go/default-budget", test_default_budget);
  g_test_add_func ("/rl/go/few-updates", test_few_updates);
  g_test_add_func ("/rl/go/cancelled", test_cancelled);
  g_test_add_func ("/rl/go/cancelled-searching", test_cancelled_searching);
  g_test_add_func ("/rl/go/finish", test_finish);
  g_test_add_func ("/rl/go/untaught-network", test_untaught);
  g_test_add_func ("/rl/go/missing-network", test_missing);
  g_test_add_func ("/rl/go/broken-network", test_broken);
  g_test_add_func ("/rl/go/wrong-settings", test_wrong_settings);
  return g_test_run ();
}
