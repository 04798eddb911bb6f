/* test-build-decisions.c: records of decisions of go-zeroshot and go-portfolio: checked, without
 * influence on the plan, and forced. */
#include "engine/learn/policy/builder-net.h"
#include "engine/learn/policy/plan-builder.h"
#include "engine/learn/rl/policies.h"
#include "tests/learn/decision-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A probability is one of 2^16 in the record. */
#define ROUNDING (2.0 / G_MAXUINT16)

/* graph: (transfer full) */
static DecisionRun
new_run (GobanGraph *graph, const char *cluster)
{
  DecisionRun self = { .placer = &goban_placer_go_zeroshot, .costs = toy_costs (graph, cluster) };

  goban_graph_unref (graph);
  return self;
}

/* Reverses the rule of an untrained network: its plans are poor, so that they are refined. */
static void
use_poor_network (DecisionRun *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBuilderNet) net = NULL;
  GobanRng rng;
  int file;

  self->network = g_build_filename (g_get_tmp_dir (), "goban-build-XXXXXX", NULL);
  file = g_mkstemp (self->network);
  g_assert_cmpint (file, >=, 0);
  g_close (file, &error);
  goban_rng_init (&rng, 2);
  net = goban_builder_net_new (GOBAN_ALL_PARTS, &rng);
  for (guint f = 0; f < GOBAN_CHOICE_N; f++)
    goban_builder_net_get_decoder (net).scorer.linear[f] *= -1;
  g_assert_true (goban_builder_net_save (net, self->network, &error));
  g_assert_no_error (error);
}

/* --- records -------------------------------------------------------------------------------- */

/* Numbers of decisions of each kind. */
typedef struct
{
  guint n_plans, n_rows, n_carried, n_sampled, n_sizes, n_drafts, n_moves, n_orders, n_fusions,
      n_shakings;
  guint n_continued; /* refinements that began where their draft was expected to end */
  guint n_attended;  /* rows that decisions read */
} Counts;

static void
check_row (const GobanDecision *decision, const char *pass, Counts *counts)
{
  g_assert_cmpstr (pass, ==, "draft");
  g_assert_cmpuint (decision->row, >, 0);
  if ((decision->flags & GOBAN_DECISION_CARRIED) != 0)
    {
      counts->n_carried++;
      return;
    }
  counts->n_rows++;
  g_assert_nonnull (decision->scores);
  for (guint k = 0; k < decision->n_attended; k++)
    {
      g_assert_cmpuint (decision->attended[k].row, >, 0);
      g_assert_cmpuint (decision->attended[k].row, !=, decision->row);
      g_assert_cmpfloat (decision->attended[k].weight, <=, 1);
    }
  counts->n_attended += decision->n_attended;
  g_assert_false (isnan (decision->key));
  g_assert_true (isnan (decision->entropy) || decision->entropy > 0); /* 0 is not recorded */
  if ((decision->flags & GOBAN_DECISION_SAMPLED) != 0)
    {
      counts->n_sampled++;
      g_assert_cmpfloat (decision->temperature, >, 0);
      g_assert_cmpfloat (decision->scores[decision->chosen] + (float) ROUNDING, >, 0);
      return;
    }
  g_assert_true (isnan (decision->temperature));
  if ((decision->flags & GOBAN_DECISION_FORCED) != 0)
    return;
  for (guint d = 0; d < decision->n_options; d++)
    g_assert_cmpfloat ((double) decision->scores[decision->chosen] + ROUNDING, >=,
                       (double) decision->scores[d]);
}

/* The chosen size has the least expected makespan of those whose first plan is not built yet. */
static void
check_size (const GobanDecision *decision, Counts *counts)
{
  counts->n_sizes++;
  if (!decision->takes_least || (decision->flags & GOBAN_DECISION_FORCED) != 0)
    return;
  for (guint k = 0; k < decision->n_options; k++)
    if (decision->refusals == NULL || decision->refusals[k] == 0)
      g_assert_cmpfloat (decision->scores[decision->chosen], <=, decision->scores[k]);
}

static void
check_move (const GobanDecision *decision, const char *pass, Counts *counts)
{
  g_assert_cmpuint (decision->n_nodes, >, 0);
  counts->n_moves++;
  if (strcmp (pass, "shaking") != 0)
    {
      g_assert_cmpstr (pass, ==, "refinement");
      g_assert_cmpfloat (decision->after_us, <, decision->before_us);
    }
  g_assert_cmpfloat_with_epsilon ((double) decision->scores[0],
                                  1 - decision->after_us / decision->before_us, 1e-6);
}

/* A draft as its choices say it is, and as its rows are. */
typedef struct
{
  double expected_us, end_us; /* NAN: it was not chosen among others, or a row was forced */
  double refined_us;          /* before the first change of its refinement */
  guint n_rows, last_row;
} Draft;

static const Draft NO_DRAFT = { (double) NAN, (double) NAN, (double) NAN, 0, 0 };

/* The number of rows in the name of the option that was chosen: "46 groups, 12 groups". */
static guint
get_n_rows (const GobanDecision *size)
{
  g_auto (GStrv) words = g_strsplit_set (size->note, " ,", -1);
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    if (g_ascii_isdigit (words[i][0]) && n++ == size->chosen)
      return (guint) g_ascii_strtoull (words[i], NULL, 10);
  g_assert_not_reached ();
}

static void
note_row (Draft *self, const GobanDecision *row)
{
  self->last_row = MAX (self->last_row, row->row);
  if ((row->flags & GOBAN_DECISION_FORCED) != 0)
    self->expected_us = (double) NAN;
  if (row->n_options > 0)
    self->end_us = row->after_us;
}

/* It has the rows of its size. Its expected makespan is by a schedule that fills gaps, so it is
 * at most the end of its own, or twice that if it lacks memory, but for what a transfer in a gap
 * delays; its refinement begins there. */
static void
check_draft (Draft *self, Counts *counts)
{
  double ratio = self->expected_us / self->end_us;

  if (self->n_rows > 0)
    g_assert_cmpuint (self->last_row, ==, self->n_rows);
  if (!isnan (self->expected_us) && self->end_us > 0)
    g_assert_cmpfloat (ratio, <, 2.2);
  counts->n_continued += fabs (self->refined_us / self->expected_us - 1) < 1e-6;
  *self = NO_DRAFT;
}

static Counts
count (GobanDecisions *decisions)
{
  Counts counts = { 0 };
  GobanDecisionRoom room = { 0 };
  Draft draft = NO_DRAFT;

  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      counts.n_plans += span->level == GOBAN_LEVEL_PLAN ? 1 + span->n_left_out : 0;
      counts.n_shakings += g_strcmp0 (span->name, "shaking") == 0;
      if (span->level == GOBAN_LEVEL_PLAN)
        g_assert_cmpuint (span->evaluation, ==, counts.n_plans);
    }
  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      GobanDecision decision;
      const char *pass;

      g_assert_true (goban_decisions_get (decisions, m, &room, &decision));
      pass = goban_decisions_get_span (decisions, decision.span)->name;
      if (decision.options == GOBAN_OPTION_DEVICE)
        {
          check_row (&decision, pass, &counts);
          note_row (&draft, &decision);
        }
      else if (decision.options == GOBAN_OPTION_MOVE)
        {
          check_move (&decision, pass, &counts);
          if (isnan (draft.refined_us))
            draft.refined_us = decision.before_us;
        }
      else if (decision.options == GOBAN_OPTION_PLAN)
        {
          counts.n_drafts += decision.n_options > 1;
          if (decision.n_options > 1)
            draft.expected_us = (double) decision.scores[decision.chosen];
        }
      else if (decision.task == GOBAN_TASK_PLACEMENT)
        {
          check_size (&decision, &counts);
          draft.n_rows = get_n_rows (&decision);
        }
      else if (decision.task == GOBAN_TASK_SCHEDULING)
        counts.n_orders++;
      else
        counts.n_fusions++;
      if (strcmp (pass, "settling") == 0)
        check_draft (&draft, &counts);
    }
  goban_decision_room_clear (&room);
  return counts;
}

/* The plans of a run without a record, and as many as simulations. */
static Counts
check_record (const DecisionRun *self)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_autoptr (GArray) recorded = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  guint64 evaluations;
  g_autoptr (GobanPlan) without = decision_run_place (self, NULL, steps, &evaluations);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) decisions = decision_run_record (self, NULL, 0, 0, recorded, &plan);
  Counts counts = count (decisions);

  g_assert_cmpuint (steps->len, ==, recorded->len);
  for (guint i = 0; i < steps->len; i++)
    {
      const GobanImprovement *a = &g_array_index (steps, GobanImprovement, i);
      const GobanImprovement *b = &g_array_index (recorded, GobanImprovement, i);

      g_assert_cmpuint (a->evaluation, ==, b->evaluation);
      g_assert_cmpfloat (a->makespan_us, ==, b->makespan_us);
    }

  g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (without));
  g_assert_cmpuint (counts.n_plans, ==, evaluations);
  return counts;
}

static void
test_sample (void)
{
  g_auto (DecisionRun) self = new_run (decision_run_load_sample ("wavenet-coarse.json"), "p100x4");
  Counts counts = check_record (&self);

  g_assert_cmpuint (counts.n_plans, ==, 17);
  g_assert_cmpuint (counts.n_rows, >, 0);
  g_assert_cmpuint (counts.n_sampled, >, 0);
  g_assert_cmpuint (counts.n_sampled, <, counts.n_rows);
  g_assert_cmpuint (counts.n_orders, ==, 17);
  /* Every other sample goes on from the best plan. */
  g_assert_cmpuint (counts.n_shakings, >=, 6);
  g_assert_cmpuint (counts.n_shakings, <=, 8);
  g_assert_cmpuint (counts.n_sizes, ==, 17 - counts.n_shakings);
  g_assert_cmpuint (counts.n_drafts, >, 0);
  g_assert_cmpuint (counts.n_continued, >, 0);
  g_assert_cmpuint (counts.n_fusions, ==, 0);

  self.tasks = GOBAN_TASKS_DEFAULT | 1u << GOBAN_TASK_FUSION;
  counts = check_record (&self);
  g_assert_cmpuint (counts.n_fusions, ==, 17);

  self.tasks = 0;
  self.max_evaluations = 1;
  counts = check_record (&self);
  g_assert_cmpuint (counts.n_drafts, ==, 1);
}

/* Groups, and devices that cannot run all ops; many changes after poor drafts. */
static void
test_toys (void)
{
  guint n_moves = 0, n_attended = 0;

  for (guint i = 0; i < 8; i++)
    {
      Counts counts;
      g_auto (DecisionRun) self
          = new_run (toy_mixed (i == 7 ? 600 : 30 + 10 * i, i), TOY_MIXED_CLUSTER);

      use_poor_network (&self);
      self.seed = i;
      self.max_evaluations = i % 2 == 0 ? 0 : 6;
      counts = check_record (&self);
      n_moves += counts.n_moves;
      n_attended += counts.n_attended;
    }
  g_assert_cmpuint (n_moves, >, 0);
  g_assert_cmpuint (n_attended, >, 0);
}

/* Rows of updates follow others. */
static void
test_carried (void)
{
  g_auto (DecisionRun) self = new_run (toy_generate ("synthetic:seed=23,nodes=300"), "p100x4");

  g_assert_cmpuint (check_record (&self).n_carried, >, 0);
}

/* --- forcing -------------------------------------------------------------------------------- */

/* Devices of rows that are taken before and after the forced one are the policy's. */
static void
check_forced (const DecisionRun *self, GobanDecisions *decisions, GobanMoment moment,
              guint32 option)
{
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) forced
      = decision_run_record (self, decisions, moment, option, NULL, &plan);
  GobanDecisionState state = { 0 };
  GobanDecision there;

  count (forced);
  g_assert_true (goban_decisions_get (forced, moment, NULL, &there));
  g_assert_cmpuint (there.chosen, ==, option);
  g_assert_true ((there.flags & GOBAN_DECISION_FORCED) != 0);
  if (there.options != GOBAN_OPTION_DEVICE)
    return;
  /* It holds until the end of the draft. */
  goban_decision_state_init (&state, goban_decisions_get_n_nodes (forced));
  goban_decisions_fill_state (forced, goban_decisions_get_span (forced, there.span)->end, &state);
  for (guint k = 0; k < there.n_nodes; k++)
    g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][there.nodes[k]], ==, option);
  goban_decision_state_clear (&state);
}

/* Forces each option of one row in so many, and of all other choices but moves if @all are wanted;
 * returns how many were forced. */
static guint
force_some (const DecisionRun *self, guint every, gboolean all)
{
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) decisions = decision_run_record (self, NULL, 0, 0, NULL, &plan);
  guint n_forced = 0;

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      g_autoptr (GobanPlan) again = NULL;
      g_autoptr (GobanDecisions) same = NULL;
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions, m, NULL, &decision));
      if (decision.n_options < 2
          || (m % every != 1 && !(all && decision.options != GOBAN_OPTION_DEVICE)))
        continue;
      same = decision_run_record (self, decisions, m, decision.chosen, NULL, &again);
      g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (again));
      g_assert_cmpuint (goban_decisions_get_n_moments (same), ==,
                        goban_decisions_get_n_moments (decisions));
      for (guint32 k = 0; k < decision.n_options; k++)
        if (k != decision.chosen
            && (decision.refusals == NULL
                || (decision.refusals[k] & GOBAN_REFUSAL_CANNOT_RUN) == 0))
          {
            check_forced (self, decisions, m, k);
            n_forced++;
          }
    }
  return n_forced;
}

static void
test_forced (void)
{
  g_auto (DecisionRun) sample
      = new_run (decision_run_load_sample ("wavenet-coarse.json"), "p100x4");

  sample.max_evaluations = 9;
  g_assert_cmpuint (force_some (&sample, TEST_IS_SANITIZED ? 97 : 47, FALSE), >, 0);
  for (guint i = 0; i < 4; i++)
    {
      g_auto (DecisionRun) self = new_run (toy_mixed (30 + 10 * i, i), TOY_MIXED_CLUSTER);

      use_poor_network (&self);
      self.seed = i;
      self.max_evaluations = i % 2 == 0 ? 8 : 3;
      g_assert_cmpuint (force_some (&self, TEST_IS_SANITIZED ? 13 : 7, i < 2), >, 0);
    }
}

/* The cost of recording in time of the processor, as a share of that without. */
static void
test_cost (void)
{
  static const char *const samples[] = { "inception-v3-coarse.json", "inception-v3.onnx" };

  if (!g_test_perf ())
    {
      g_test_skip ("only with -m perf");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_auto (DecisionRun) self = new_run (decision_run_load_sample (samples[i]), "p100x4");

      decision_run_measure_cost (&self, samples[i], 10);
    }
}

TEST_PROGRAM (build_decisions)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/build-decisions/sample", test_sample);
  g_test_add_func ("/rl/build-decisions/toys", test_toys);
  g_test_add_func ("/rl/build-decisions/carried", test_carried);
  g_test_add_func ("/rl/build-decisions/forced", test_forced);
  g_test_add_func ("/rl/build-decisions/cost", test_cost);
  return g_test_run ();
}
