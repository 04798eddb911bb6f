/* test-drawn-decisions.c: decisions of the policies that draw devices and levels from probabilities
 * that they learn on the graph: checked, without influence, and forced. */
#include "engine/learn/roster.h"
#include "tests/learn/decision-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define SMALL "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rollouts=6"
#define N_GRAPHS 5
#define N_FORCED_GRAPHS 3
#define N_FORCED 4 /* moments of a record */

typedef struct
{
  const char *policy;
  const char *settings;
  const char *tasks;
  const char *span;   /* of its plans */
  gboolean is_inside; /* takes a forced option while it makes its plan */
} Way;

static const Way ways[] = {
  { "go-oneshot", SMALL, "placement", "rollout", FALSE },
  { "go-oneshot", SMALL ",order=fifo", "all", "rollout", FALSE },
  { "go-oneshot", SMALL, "fusion,scheduling", "rollout", FALSE },
  { "go-oneshot", "preset=paper,iterations=2," SMALL, "all", "rollout", FALSE },
  { "go-oneshot", SMALL ",sampled=1,iterations=2", "placement,scheduling", "rollout", FALSE },
  { "post", NULL, "placement", "sample", TRUE },
  { "hdp", NULL, "placement", "sample", TRUE },
  { "hdp", "groups=cells", "placement", "sample", TRUE },
  { "placeto", NULL, "placement", "episode", TRUE },
};

static GobanCostModel *
new_costs (guint i)
{
  GraphGen gen = graph_gen_small (30);
  g_autoptr (GobanGraph) graph = NULL;

  if (i == 0)
    {
      graph = toy_mixed (24, 1);
      return toy_costs (graph, TOY_MIXED_CLUSTER);
    }
  if (i == 1)
    {
      graph = toy_two_chains (5);
      return toy_costs (graph, "equal:2,bandwidth=200MB/s");
    }
  graph = graph_gen_new (&gen, i);
  return toy_costs (graph, "equal:3,bandwidth=4e6");
}

static DecisionRun
new_run (const Way *way, guint i)
{
  g_autoptr (GError) error = NULL;
  DecisionRun self = { .placer = goban_roster_find (way->policy, NULL),
                       .costs = new_costs (i),
                       .seed = 5,
                       .max_evaluations = 90,
                       .settings = way->settings };

  g_assert_true (goban_tasks_parse (way->tasks, &self.tasks, &error));
  return self;
}

/* Shares of 16 bits that sum to one: each may be rounded up or down. */
#define ROUNDING (1.0 / G_MAXUINT16)

/* All options have probabilities; a choice that was not drawn is the likeliest. A row that keeps
 * its choice changes nothing, not even nodes of it that have others. Returns whether it is such a
 * decision. */
static gboolean
check_drawn (GobanDecisions *decisions, const GobanDecision *decision)
{
  g_autoptr (GArray) changes = NULL;
  double most = 0;

  if (decision->score != GOBAN_SCORE_PROBABILITY)
    return FALSE;
  g_assert_nonnull (decision->scores);
  for (guint k = 0; k < decision->n_options; k++)
    most = MAX (most, (double) decision->scores[k]);
  if ((decision->flags & GOBAN_DECISION_SAMPLED) == 0)
    g_assert_cmpfloat_with_epsilon ((double) decision->scores[decision->chosen], most,
                                    1.01 * ROUNDING);
  g_assert_true (decision->refusals == NULL || decision->refusals[decision->chosen] == 0);
  g_assert_true (decision->entropy >= 0 || isnan (decision->entropy));
  changes = goban_decisions_list_changes (
      decisions, goban_decisions_get_previous (decisions, decision->number), decision->number);
  if (decision->had == decision->chosen)
    g_assert_cmpuint (changes->len, ==, 0);
  g_assert_cmpuint (decision->row, >, 0); /* of groups, too, they are numbered from 1 */
  for (guint i = 0; i < decision->n_attended; i++)
    g_assert_true (decision->attended[i].weight >= 0 && decision->attended[i].weight <= 1.0001f);
  return TRUE;
}

/* Plans of the policy have spans; each group, row or task of them its moment. */
static guint
check_plans (GobanDecisions *decisions, const Way *way)
{
  GobanDecisionRoom room = { 0 };
  guint n_drawn = 0;

  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);
      guint n_of_span = 0;

      if (strcmp (span->name, way->span) != 0 && strcmp (span->name, "union") != 0)
        continue;
      g_assert_cmpint (span->level, ==, GOBAN_LEVEL_PLAN);
      g_assert_cmpuint (span->evaluation, >, 0);
      g_assert_false (isnan (span->after_us));
      for (GobanMoment m = span->begin + 1; m <= span->end; m++)
        {
          GobanDecision decision;

          g_assert_true (goban_decisions_get (decisions, m, &room, &decision));
          n_of_span += check_drawn (decisions, &decision);
        }
      g_assert_cmpuint (n_of_span, >, 0);
      n_drawn += n_of_span;
    }
  goban_decision_room_clear (&room);
  return n_drawn;
}

static void
test_records (gconstpointer data)
{
  const Way *way = data;
  guint n_drawn = 0;

  for (guint i = 0; i < N_GRAPHS; i++)
    {
      g_auto (DecisionRun) run = new_run (way, i);
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanPlan) without = decision_run_place (&run, NULL, NULL, &evaluations);
      g_autoptr (GobanDecisions) decisions = decision_run_record (&run, NULL, 0, 0, NULL, &plan);

      g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (without));
      n_drawn += check_plans (decisions, way);
    }
  g_test_message ("%s %s: %u decisions drawn", way->policy, way->settings, n_drawn);
  g_assert_cmpuint (n_drawn, >, 0);
}

/* --- forcing -------------------------------------------------------------------------------- */

/* The chosen option gives the same plan; another one is the first difference, in the same plan. */
static void
force_each_option (const DecisionRun *run, GobanDecisions *expected, GobanMoment moment,
                   const GobanPlan *final)
{
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;

  g_assert_true (goban_decisions_get (expected, moment, &room, &decision));
  for (guint32 option = 0; option < decision.n_options; option++)
    {
      g_autoptr (GobanDecisions) forced = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GArray) changes = NULL;
      GobanDecision there;

      if (decision.refusals != NULL && decision.refusals[option] != 0)
        continue;
      forced = decision_run_record (run, expected, moment, option, NULL, &plan);
      g_assert_true (goban_decisions_get (forced, moment, NULL, &there));
      g_assert_cmpuint (there.chosen, ==, option);
      g_assert_cmpint ((there.flags & GOBAN_DECISION_FORCED) != 0, ==, option != decision.chosen);
      if (option != decision.chosen)
        {
          const GobanSpan *span = goban_decisions_get_span (forced, there.span);
          const GobanSpan *before = goban_decisions_get_span (expected, decision.span);

          g_assert_cmpuint (span->evaluation, ==, before->evaluation);
          g_assert_cmpuint (span->begin, ==, before->begin);
          continue;
        }
      g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (final));
      g_assert_cmpuint (goban_decisions_get_n_moments (forced), ==,
                        goban_decisions_get_n_moments (expected));
    }
  goban_decision_room_clear (&room);
}

static void
test_forced (gconstpointer data)
{
  const Way *way = data;
  guint n_forced = 0;

  for (guint i = 0; i < N_FORCED_GRAPHS; i++)
    {
      g_auto (DecisionRun) run = new_run (way, i);
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanDecisions) decisions = decision_run_record (&run, NULL, 0, 0, NULL, &plan);
      guint n = goban_decisions_get_n_moments (decisions);

      for (GobanMoment m = n; m > 0; m -= MIN (m, n / N_FORCED + 1))
        {
          GobanDecision decision;

          g_assert_true (goban_decisions_get (decisions, m, NULL, &decision));
          if (decision.score != GOBAN_SCORE_PROBABILITY)
            continue;
          force_each_option (&run, decisions, m, plan);
          n_forced++;
        }
    }
  g_assert_cmpuint (n_forced, >, 2);
}

TEST_PROGRAM (drawn_decisions)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *records
          = g_strdup_printf ("/drawn-decisions/records/%s-%u", ways[i].policy, i);
      g_autofree char *forced
          = g_strdup_printf ("/drawn-decisions/forced/%s-%u", ways[i].policy, i);

      g_test_add_data_func (records, &ways[i], test_records);
      if (ways[i].is_inside)
        g_test_add_data_func (forced, &ways[i], test_forced);
    }
  return g_test_run ();
}
