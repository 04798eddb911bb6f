/* The one-shot network, whole: valid plans of every set of tasks, its budgets, stopping and ending
 * early. */
#include "engine/machine/plan/plan-diff.h"

#include "engine/core/error.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* A small network to learn, and rollouts in small numbers. */
#define SMALL "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rollouts=4,epochs=1"

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
} Case;

/* graph: (transfer full) */
static Case
new_case (GobanGraph *graph, const char *cluster)
{
  return (Case){ graph, toy_costs (graph, cluster) };
}

static void
case_clear (Case *self)
{
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static GobanPlan *
place (const Case *self, GobanPlacerOptions options, guint64 *evaluations)
{
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  options.settings = options.settings != NULL ? options.settings : SMALL;
  *evaluations = 0;
  plan = goban_placer_place (&goban_placer_go_oneshot, self->costs, &options, evaluations, &error);
  g_assert_no_error (error);
  g_assert_nonnull (plan);
  goban_plan_check (plan, self->costs, &error);
  g_assert_no_error (error);
  goban_fusion_check (plan, self->costs, &error);
  g_assert_no_error (error);
  return plan;
}

/* --- plans ---------------------------------------------------------------------------------- */

/* Every set of tasks, one seed twice. */
static void
test_every_subset (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);

  for (GobanTasks decisions = 1; decisions <= GOBAN_TASKS_ALL; decisions++)
    {
      const GobanPlacerOptions options
          = { .seed = decisions,
              .max_evaluations = 20,
              .learned = &(GobanLearnedOptions){ .decisions = decisions } };
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);
      g_autoptr (GobanPlan) again = place (&self, options, &evaluations);

      g_assert_true (toy_plans_are_same (plan, again));
      if ((decisions & (1u << GOBAN_TASK_FUSION)) == 0)
        g_assert_false (goban_plan_is_fused (plan));
    }
}

static void
test_settings (void)
{
  static const char *const all[] = {
    SMALL ",order=fifo",
    SMALL ",fuse=default",
    SMALL ",sampled=1,iterations=2",
    "preset=paper,width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rollouts=4",
    SMALL ",rows=5",
  };
  g_auto (Case) self = new_case (toy_mixed (24, 5), TOY_MIXED_CLUSTER);

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      const GobanPlacerOptions options
          = { .settings = all[i],
              .max_evaluations = 24,
              .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } };
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);

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
  g_autoptr (GobanPlan) start = place (&self, of_start, &evaluations);

  for (GobanTasks decisions = 1; decisions <= GOBAN_TASKS_ALL; decisions++)
    {
      const GobanPlacerOptions options
          = { .max_evaluations = 12,
              .learned = &(GobanLearnedOptions){ .decisions = decisions, .start = start } };
      g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);
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
  static const char *const settings[] = { SMALL, SMALL ",order=fifo" };
  g_auto (Case) self = new_case (toy_mixed (40, 8), TOY_MIXED_CLUSTER);

  for (gsize b = 0; b < G_N_ELEMENTS (budgets); b++)
    for (gsize s = 0; s < G_N_ELEMENTS (settings); s++)
      {
        const GobanPlacerOptions options
            = { .max_evaluations = budgets[b], .settings = settings[s] };
        guint64 evaluations;
        g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);

        g_assert_cmpuint (evaluations, ==, budgets[b]);
      }
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

  for (guint stops_at = 1; stops_at <= 30; stops_at++)
    {
      g_autoptr (GError) error = NULL;
      Questions questions = { .stops_at = stops_at };
      GobanProgress progress = { .should_stop = stop, .user_data = &questions };
      GobanPlacerOptions options = { .progress = &progress, .settings = SMALL };
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan = goban_placer_place (&goban_placer_go_oneshot, self.costs,
                                                       &options, &evaluations, &error);

      /* Who was done before was not asked so often. */
      if (plan == NULL)
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      else
        g_assert_cmpuint (questions.n_asked, <, stops_at);
      g_assert_true (plan == NULL || stops_at > 3);
    }
}

static void
test_finish (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);
  const gint finish = 1;

  {
    guint64 evaluations;
    g_autoptr (GobanPlan) plan
        = place (&self, (GobanPlacerOptions){ .finish = &finish }, &evaluations);

    g_assert_cmpuint (evaluations, >=, 1);
    g_assert_cmpuint (evaluations, <=, 40);
  }
}

static void
test_wrong_settings (void)
{
  g_auto (Case) self = new_case (toy_mixed (24, 3), TOY_MIXED_CLUSTER);

  {
    GobanPlacerOptions options = { .settings = "rate=fast" };
    g_autoptr (GError) error = NULL;
    guint64 evaluations = 0;
    g_autoptr (GobanPlan) plan
        = goban_placer_place (&goban_placer_go_oneshot, self.costs, &options, &evaluations, &error);

    g_assert_null (plan);
    g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
    g_assert_nonnull (strstr (error->message, "rate"));
  }
}

TEST_PROGRAM (go_oneshot)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go-oneshot/every-subset-of-tasks", test_every_subset);
  g_test_add_func ("/rl/go-oneshot/settings", test_settings);
  g_test_add_func ("/rl/go-oneshot/start", test_start);
  g_test_add_func ("/rl/go-oneshot/budgets", test_budgets);
  g_test_add_func ("/rl/go-oneshot/cancelled", test_cancelled);
  g_test_add_func ("/rl/go-oneshot/finish", test_finish);
  g_test_add_func ("/rl/go-oneshot/wrong-settings", test_wrong_settings);
  return g_test_run ();
}
