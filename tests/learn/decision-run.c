#include "tests/learn/decision-run.h"

#include "engine/decisions/replay.h"
#include "engine/io/io.h"
#include "engine/learn/rl/learned-options.h"
#include "tests/support/decisions-check.h"
#include "tests/support/shared-data.h"

#include <glib/gstdio.h>
#include <math.h>
#include <time.h>

void
decision_run_clear (DecisionRun *self)
{
  if (self->network != NULL)
    g_unlink (self->network);
  g_free (self->network);
  goban_cost_model_unref (self->costs);
}

GobanGraph *
decision_run_load_sample (const char *name)
{
  g_autofree char *folder = project_path ("samples");
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_graph_load (path, NULL, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

static GobanDecisionsWriter *
new_writer (const DecisionRun *self, GobanDecisions *expected, GobanMoment moment, guint32 option)
{
  return goban_decisions_writer_new (&(GobanDecisionsOptions){
      .n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs)),
      .n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (self->costs)),
      .moment = moment,
      .option = option,
      .expected = expected });
}

GobanPlan *
decision_run_place (const DecisionRun *self, GobanDecisionsWriter *decisions, GArray *improvements,
                    guint64 *evaluations)
{
  const GobanLearnedOptions learned
      = { .network = self->network, .start = self->start, .decisions = self->tasks };
  const GobanPlacerOptions options = { .seed = self->seed,
                                       .max_evaluations = self->max_evaluations,
                                       .settings = self->settings,
                                       .decisions = decisions,
                                       .improvements = improvements,
                                       .start = self->start,
                                       .learned = &learned };
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  *evaluations = 0;
  plan = goban_placer_place (self->placer, self->costs, &options, evaluations, &error);
  g_assert_no_error (error);
  return plan;
}

/* Decisions alone lead to the devices of each settled plan: nothing is left to its patch. */
static void
check_devices (const DecisionRun *self, GobanDecisions *decisions)
{
  GobanDecisionState state = { 0 };

  goban_decision_state_init (&state, goban_decisions_get_n_nodes (decisions));
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPlan) plan = NULL;

      if (span->digest == 0)
        continue;
      plan = goban_replay_plan (self->costs, decisions, span->last, &error);
      g_assert_no_error (error);
      goban_decisions_fill_state (decisions, span->last, &state);
      for (GobanNodeId v = 0; v < state.n_nodes; v++)
        g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][v], ==,
                          goban_plan_get_device (plan, v));
    }
  goban_decision_state_clear (&state);
}

GobanDecisions *
decision_run_record (const DecisionRun *self, GobanDecisions *expected, GobanMoment moment,
                     guint32 option, GArray *improvements, GobanPlan **plan)
{
  guint64 evaluations;
  GobanDecisionsWriter *writer = new_writer (self, expected, moment, option);
  GobanDecisions *decisions;

  *plan = decision_run_place (self, writer, improvements, &evaluations);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==, NULL);
  decisions = goban_decisions_writer_end (writer);
  check_decisions (self->costs, *plan, decisions);
  check_devices (self, decisions);
  return decisions;
}

void
decision_run_measure_cost (const DecisionRun *self, const char *name, guint n_pairs)
{
  double least_s[2] = { INFINITY, INFINITY };
  gsize n_bytes = 0;
  guint64 evaluations;

  for (guint k = 0; k < 2 * n_pairs; k++)
    {
      GobanDecisionsWriter *writer = k % 2 == 1 ? new_writer (self, NULL, 0, 0) : NULL;
      clock_t started = clock ();
      g_autoptr (GobanPlan) plan = decision_run_place (self, writer, NULL, &evaluations);

      least_s[k % 2] = MIN (least_s[k % 2], (double) (clock () - started) / CLOCKS_PER_SEC);
      if (writer != NULL)
        {
          g_autoptr (GobanDecisions) decisions = goban_decisions_writer_end (writer);

          n_bytes = goban_decisions_get_n_bytes (decisions);
        }
    }
  g_test_message ("%s: %.4f s, recorded %.4f s (%.3f), %.2f MiB", name, least_s[0], least_s[1],
                  least_s[1] / least_s[0], (double) n_bytes / (1 << 20));
}
