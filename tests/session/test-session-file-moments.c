/* Records of decisions in session files: they come back number for number, within the limit, and
 * wrong ones are left out with a warning. */
#include "engine/session/document/session-file-moments.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/decisions/decisions-parts.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/decisions/replay.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/decisions-check.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/session-text.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define N_NODES 24
#define N_DEVICES 4

/* --- records ---------------------------------------------------------------------------------- */

static void
assert_same_number (double a, double b)
{
  if (isnan (a))
    g_assert_true (isnan (b));
  else
    g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
}

/* Scores may have been left out of @b only if @whole is FALSE. */
static void
assert_same_moment (const GobanDecisions *a, const GobanDecisions *b, GobanMoment moment,
                    gboolean whole)
{
  GobanDecisionRoom room_a = { 0 }, room_b = { 0 };
  g_autoptr (GArray) changes_a = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  g_autoptr (GArray) changes_b = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  GobanDecision x, y;

  g_assert_true (goban_decisions_get (a, moment, &room_a, &x));
  g_assert_true (goban_decisions_get (b, moment, &room_b, &y));
  g_assert_cmpuint (x.number, ==, y.number);
  /* Numbers of spans are others if some were folded. */
  if (whole)
    g_assert_cmpuint (x.span, ==, y.span);
  g_assert_cmpint (x.task, ==, y.task);
  g_assert_cmpint (x.options, ==, y.options);
  g_assert_cmpint (x.score, ==, y.score);
  g_assert_cmpint (x.takes_least, ==, y.takes_least);
  g_assert_cmpmem (x.nodes, x.n_nodes * sizeof *x.nodes, y.nodes, y.n_nodes * sizeof *y.nodes);
  g_assert_cmpuint (x.row, ==, y.row);
  g_assert_cmpuint (x.n_options, ==, y.n_options);
  g_assert_cmpuint (x.had, ==, y.had);
  g_assert_cmpuint (x.chosen, ==, y.chosen);
  g_assert_cmpuint (x.flags, ==, y.flags);
  g_assert_true (x.note == y.note);
  assert_same_number ((double) x.key, (double) y.key);
  assert_same_number ((double) x.temperature, (double) y.temperature);
  assert_same_number ((double) x.entropy, (double) y.entropy);
  assert_same_number ((double) x.start_us, (double) y.start_us);
  assert_same_number ((double) x.finish_us, (double) y.finish_us);
  assert_same_number (x.before_us, y.before_us);
  assert_same_number (x.after_us, y.after_us);
  if (whole || y.scores != NULL)
    {
      g_assert_true ((x.scores == NULL) == (y.scores == NULL));
      for (guint k = 0; x.scores != NULL && k < x.n_options; k++)
        assert_same_number ((double) x.scores[k], (double) y.scores[k]);
    }
  if (whole || y.refusals != NULL)
    {
      g_assert_true ((x.refusals == NULL) == (y.refusals == NULL));
      if (x.refusals != NULL)
        g_assert_cmpmem (x.refusals, x.n_options, y.refusals, y.n_options);
    }
  if (whole || y.n_attended > 0)
    {
      g_assert_cmpuint (x.n_attended, ==, y.n_attended);
      for (guint k = 0; k < x.n_attended; k++)
        {
          g_assert_cmpuint (x.attended[k].row, ==, y.attended[k].row);
          assert_same_number ((double) x.attended[k].weight, (double) y.attended[k].weight);
        }
    }
  if (whole)
    g_assert_cmpint (goban_decisions_has_lost_scores (a, moment), ==,
                     goban_decisions_has_lost_scores (b, moment));
  goban_decisions_append_own_changes (a, moment, changes_a);
  goban_decisions_append_own_changes (b, moment, changes_b);
  g_assert_cmpmem (changes_a->data, changes_a->len * sizeof (GobanDecisionChange), changes_b->data,
                   changes_b->len * sizeof (GobanDecisionChange));
  goban_decision_room_clear (&room_a);
  goban_decision_room_clear (&room_b);
}

static void
assert_same_spans (const GobanDecisions *a, const GobanDecisions *b)
{
  g_assert_cmpuint (goban_decisions_get_n_spans (a), ==, goban_decisions_get_n_spans (b));
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (a); s++)
    {
      const GobanSpan *x = goban_decisions_get_span (a, s);
      const GobanSpan *y = goban_decisions_get_span (b, s);

      g_assert_true (x->name == y->name && x->why == y->why && x->key == y->key
                     && x->ties == y->ties);
      g_assert_cmpint (x->level, ==, y->level);
      g_assert_cmpuint (x->parent, ==, y->parent);
      g_assert_cmpuint (x->begin, ==, y->begin);
      g_assert_cmpuint (x->end, ==, y->end);
      g_assert_cmpuint (x->base, ==, y->base);
      g_assert_cmpuint (x->last, ==, y->last);
      g_assert_cmpuint (x->evaluation, ==, y->evaluation);
      g_assert_cmpuint (x->n_left_out, ==, y->n_left_out);
      g_assert_cmphex (x->digest, ==, y->digest);
      g_assert_cmpint (x->is_accepted, ==, y->is_accepted);
      assert_same_number (x->before_us, y->before_us);
      assert_same_number (x->after_us, y->after_us);
      assert_same_number (x->overflow_bytes, y->overflow_bytes);
    }
}

static void
assert_same_state (const GobanDecisions *a, const GobanDecisions *b, GobanMoment moment)
{
  guint n = goban_decisions_get_n_nodes (a);
  GobanDecisionState x, y;

  goban_decision_state_init (&x, n);
  goban_decision_state_init (&y, n);
  goban_decisions_fill_state (a, moment, &x);
  goban_decisions_fill_state (b, moment, &y);
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    g_assert_cmpmem (x.choices[task], n * sizeof (guint32), y.choices[task], n * sizeof (guint32));
  for (guint v = 0; v < n; v++)
    {
      assert_same_number ((double) x.starts_us[v], (double) y.starts_us[v]);
      assert_same_number ((double) x.finishes_us[v], (double) y.finishes_us[v]);
    }
  goban_decision_state_clear (&x);
  goban_decision_state_clear (&y);
}

static void
assert_same_replay (GobanCostModel *costs, const GobanDecisions *a, const GobanDecisions *b,
                    GobanMoment moment)
{
  g_autoptr (GError) error_a = NULL, error_b = NULL;
  g_autoptr (GobanPlan) x = goban_replay_plan (costs, a, moment, &error_a);
  g_autoptr (GobanPlan) y = goban_replay_plan (costs, b, moment, &error_b);

  g_assert_true ((x == NULL) == (y == NULL));
  if (x == NULL)
    return;
  g_assert_true (toy_plans_are_same (x, y));
  g_assert_cmphex (goban_settling_digest_plan (x), ==, goban_settling_digest_plan (y));
  assert_same_number (goban_plan_get_proven_bound_us (x, costs),
                      goban_plan_get_proven_bound_us (y, costs));
}

/* By moment, whether it is left, and all on the way to its state. (transfer full) */
static gboolean *
find_reached (const GobanDecisions *self)
{
  gboolean *are_reached = g_new0 (gboolean, goban_decisions_get_n_moments (self) + 1);
  GobanDecisionsBeginning beginning;
  GobanDecision decision;

  goban_decisions_get_beginning (self, &beginning);
  for (GobanMoment m = beginning.folded + 1; m <= goban_decisions_get_n_moments (self); m++)
    {
      GobanMoment previous = goban_decisions_get_previous (self, m);

      are_reached[m] = (previous == beginning.moment || are_reached[previous])
                       && goban_decisions_get (self, m, NULL, &decision);
    }
  return are_reached;
}

/* All that is left in @b is the same as in @a; nothing is missing if @whole. */
static void
assert_same_records (GobanCostModel *costs, const GobanDecisions *a, const GobanDecisions *b,
                     gboolean whole)
{
  GobanMoment n = goban_decisions_get_n_moments (a);
  GobanMoment stride = MAX (n / 40, 1);
  g_autofree gboolean *are_reached = find_reached (a);
  const GArray *settled_a = goban_decisions_get_settled (a);
  const GArray *settled_b = goban_decisions_get_settled (b);
  guint n_left = 0;
  guint scores, moments;

  g_assert_nonnull (b);
  g_assert_cmpuint (goban_decisions_get_n_nodes (a), ==, goban_decisions_get_n_nodes (b));
  g_assert_cmpuint (goban_decisions_get_n_devices (a), ==, goban_decisions_get_n_devices (b));
  g_assert_cmpuint (n, ==, goban_decisions_get_n_moments (b));
  g_assert_cmpuint (goban_decisions_get_last (a), ==, goban_decisions_get_last (b));
  if (whole)
    assert_same_spans (a, b);
  for (GobanMoment m = 1; m <= n; m++)
    {
      GobanDecision decision;
      gboolean is_left = goban_decisions_get (b, m, NULL, &decision);

      if (whole)
        g_assert_cmpint (are_reached[m], ==, is_left);
      if (!is_left)
        continue;
      n_left++;
      assert_same_moment (a, b, m, whole);
      g_assert_cmpuint (goban_decisions_get_previous (a, m), ==,
                        goban_decisions_get_previous (b, m));
      g_assert_cmpint (goban_decisions_is_on_line (a, m), ==, goban_decisions_is_on_line (b, m));
      if (m % stride != 0 && m != n)
        continue;
      assert_same_state (a, b, m);
      if (!whole)
        continue;
      assert_same_replay (costs, a, b, m);
      g_assert_cmpuint (goban_decisions_find (a, 1, GOBAN_TASK_PLACEMENT, m), ==,
                        goban_decisions_find (b, 1, GOBAN_TASK_PLACEMENT, m));
      for (GobanLevel level = GOBAN_LEVEL_MOMENT; level <= GOBAN_LEVEL_ROUND; level++)
        g_assert_cmpuint (goban_decisions_next_stop (a, level, GOBAN_STOPS_ACCEPTED, m, -1), ==,
                          goban_decisions_next_stop (b, level, GOBAN_STOPS_ACCEPTED, m, -1));
    }
  assert_same_replay (costs, a, b, goban_decisions_get_last (a));
  goban_decisions_count_left_out (b, &scores, &moments);
  g_assert_cmpuint (moments, ==, n - n_left);
  g_assert_cmpuint (scores, >=, moments);
  if (!whole)
    return;
  g_assert_cmpuint (settled_a->len, ==, settled_b->len);
  for (guint i = 0; i < settled_a->len; i++)
    {
      const GobanSettledPlan *x = &g_array_index (settled_a, GobanSettledPlan, i);
      const GobanSettledPlan *y = &g_array_index (settled_b, GobanSettledPlan, i);

      g_assert_cmpuint (x->moment, ==, y->moment);
      g_assert_cmphex (x->digest, ==, y->digest);
      g_assert_cmpint (x->is_lost, ==, y->is_lost);
      if (goban_decisions_has (a, x->moment))
        assert_same_replay (costs, a, b, x->moment);
    }
}

/* --- writing by hand -------------------------------------------------------------------------- */

static GobanGraph *
make_graph (guint n_nodes, guint64 seed)
{
  const GraphGen gen = graph_gen_small (n_nodes);

  return graph_gen_new (&gen, seed);
}

static void
decide_something (GobanDecisionsWriter *writer, GobanRng *rng)
{
  static const char *const notes[] = { NULL, "carried along", "“ends” first" };
  gboolean is_move = goban_rng_below (rng, 4) == 0;
  gboolean is_level = !is_move && goban_rng_below (rng, 4) == 0;
  guint n_options = is_level ? GOBAN_N_LEVELS : N_DEVICES;
  guint32 option = goban_rng_below (rng, n_options);
  gboolean has_shares = goban_rng_below (rng, 2) == 0;
  GobanNodeId nodes[3];
  GobanDecisionChange changes[3];
  GobanAttended attended[2];
  GobanDecisionHead head = {
    .task = is_level ? GOBAN_TASK_FUSION : GOBAN_TASK_PLACEMENT,
    .options = is_move    ? GOBAN_OPTION_MOVE
               : is_level ? GOBAN_OPTION_LEVEL
                          : GOBAN_OPTION_DEVICE,
    .score = has_shares ? GOBAN_SCORE_PROBABILITY : GOBAN_SCORE_FINISH_US,
    .takes_least = !has_shares,
    .nodes = nodes,
    .n_nodes = is_move ? 0 : 1 + goban_rng_below (rng, 3),
    .row = goban_rng_below (rng, 3),
    .n_options = n_options,
    .changes = changes,
    .n_changes = goban_rng_below (rng, is_move ? 4 : 2),
    .key = (float) goban_rng_uniform (rng),
    .temperature = (float) goban_rng_below (rng, 2),
    .entropy = (float) goban_rng_below (rng, 2) / 3,
    .before_us = goban_rng_below (rng, 3),
    .after_us = 1e6 * goban_rng_uniform (rng),
    .attended = attended,
    .n_attended = goban_rng_below (rng, 3),
    .note = notes[goban_rng_below (rng, G_N_ELEMENTS (notes))],
    .flags = has_shares ? GOBAN_DECISION_SAMPLED : 0,
    .has_key = goban_rng_below (rng, 2) == 0,
  };

  for (guint k = 0; k < 3; k++)
    {
      GobanTask task = (GobanTask) goban_rng_below (rng, GOBAN_N_TASKS);

      nodes[k] = goban_rng_below (rng, N_NODES);
      changes[k] = (GobanDecisionChange){ task, goban_rng_below (rng, N_NODES), 0,
                                          goban_rng_below (rng, N_DEVICES) };
    }
  for (guint k = 0; k < 2; k++)
    attended[k] = (GobanAttended){ k, (float) goban_rng_uniform (rng) };
  for (guint k = 0; k < n_options && goban_rng_below (rng, 8) > 0; k++)
    goban_decisions_writer_score (
        writer, k, k == 1 && !has_shares ? (double) NAN : goban_rng_uniform (rng),
        k != option && goban_rng_below (rng, 4) == 0 ? GOBAN_REFUSAL_MEMORY : 0);
  goban_decisions_writer_decide (writer, &head, option);
  goban_decisions_writer_set_times (writer, goban_rng_uniform (rng), 2.5);
}

static GobanPlan *
make_plan (GobanCostModel *costs, GobanRng *rng)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanPlan *plan = goban_plan_new (graph, N_DEVICES);
  g_autofree gint32 *transfers = g_new0 (gint32, goban_plan_get_n_tensors (plan) + 1);

  transfers[0] = 3;
  for (GobanNodeId v = 0; v < N_NODES; v++)
    {
      goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (rng, N_DEVICES));
      goban_plan_set_priority (plan, v, -(gint32) v);
    }
  if (goban_rng_below (rng, 2) == 0)
    goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  if (goban_rng_below (rng, 2) == 0)
    goban_plan_set_transfer_priorities (plan, transfers);
  return plan;
}

/* Rounds of plans, accepted or not, some from an earlier state, about @n_moments in all, in a
 * record of at most @max_bytes; 0: the usual. */
static GobanRun *
make_searched (GobanCostModel *costs, guint64 seed, guint n_moments, gsize max_bytes)
{
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanPlan) best = NULL;
  GobanDecisionsWriter *first = goban_decisions_writer_new (&(GobanDecisionsOptions){
      .n_nodes = N_NODES, .n_devices = N_DEVICES, .max_bytes = max_bytes });
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint n = 0, evaluation = 0; n < n_moments;)
    {
      GobanDecisionsWriter *round = goban_decisions_writer_open (
          first, &(GobanSpanHead){ .name = "round", .level = GOBAN_LEVEL_ROUND, .key = "rank" });
      gboolean is_round_taken = goban_rng_below (&rng, 3) > 0;

      for (guint p = goban_rng_below (&rng, 4); p > 0; p--)
        {
          /* From the beginning, or the earliest state that is left. */
          gboolean starts_over = goban_rng_below (&rng, 3) == 0;
          GobanDecisionsWriter *plan
              = goban_decisions_writer_open (round, &(GobanSpanHead){ .name = "plan",
                                                                      .level = GOBAN_LEVEL_PLAN,
                                                                      .evaluation = ++evaluation,
                                                                      .n_left_out = p,
                                                                      .has_base = starts_over });
          gboolean is_taken = goban_rng_below (&rng, 2) == 0;

          for (guint k = goban_rng_below (&rng, 30); k > 0; k--, n++)
            decide_something (plan, &rng);
          if (is_taken)
            {
              g_autoptr (GobanPlan) found = make_plan (costs, &rng);

              goban_decisions_writer_set_plan (
                  plan, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN }, found);
              goban_decisions_writer_settle (plan, found);
              n++;
            }
          goban_decisions_writer_close (
              plan, &(GobanSpanResult){ .makespan_us = 1.0 / 3 + p, .why = "it cannot be finer" },
              is_taken);
        }
      goban_decisions_writer_close (round, NULL, is_round_taken);
    }
  best = make_plan (costs, &rng);
  goban_decisions_writer_set_plan (first, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN },
                                   best);
  goban_decisions_writer_settle (first, best);
  decisions = goban_decisions_writer_end (first);
  return goban_run_new_kept (costs, best, "searched", &(GobanRunOrigin){ .decisions = decisions });
}

/* --- texts ------------------------------------------------------------------------------------ */

/* (transfer full) */
static char *
write_moments (GobanRun *run, gsize max_bytes, gboolean *fits)
{
  GobanWriter writer = { .text = g_string_new (NULL) };

  goban_writer_open (&writer, '{');
  *fits = goban_session_write_moments (&writer, run, max_bytes);
  goban_writer_close (&writer, '}');
  return g_string_free (writer.text, FALSE);
}

/* (transfer full) (nullable) */
static GobanDecisions *
read_moments (const char *text, GobanRun *run, GError **error)
{
  g_autoptr (GobanJsonReader) json = goban_json_reader_new (text, -1, "s", error);

  g_assert_no_error (*error);
  return goban_session_read_moments (goban_json_find (goban_json_reader_get_root (json), "moments"),
                                     goban_run_get_plan (run), 0, goban_run_get_costs (run), error);
}

/* Writes the run, reads its record, and writes it again: the same bytes. (transfer full) */
static GobanDecisions *
assert_round_trip (GobanRun *run, gsize max_bytes, gsize *n_bytes)
{
  g_autoptr (GError) error = NULL;
  gboolean fits;
  g_autofree char *text = write_moments (run, max_bytes, &fits);
  g_autoptr (GobanDecisions) read = NULL;
  g_autoptr (GobanRun) twin = NULL;
  g_autofree char *again = NULL;

  g_assert_true (fits);
  read = read_moments (text, run, &error);
  g_assert_no_error (error);
  twin = goban_run_new_kept (goban_run_get_costs (run), goban_run_get_plan (run), "twin",
                             &(GobanRunOrigin){ .decisions = read });
  again = write_moments (twin, max_bytes, &fits);
  g_assert_true (fits);
  g_assert_true (g_str_equal (text, again));
  if (n_bytes != NULL)
    *n_bytes = strlen (text);
  return g_steal_pointer (&read);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* All that policies decide comes back with the session, in the same bytes. */
static void
test_policies (void)
{
  static const char *const policies[]
      = { "heft", "cpop", "random", "single", "metis", "anneal", "brkga", "exact", "hdp" };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = make_graph (40, 1);
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  goban_session_set_graph (session, graph, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      const GobanRunOptions options = { .seed = i, .max_evaluations = 130 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = goban_run_new_from_policy (goban_session_get_costs (session),
                                                            policies[i], &options, &error);

      g_assert_no_error (error);
      g_assert_nonnull (goban_run_get_decisions (run));
      goban_session_add_run (session, run);
    }
  text = session_to_text (session, NULL);
  read = session_read_text (text, "s.goban", graph);
  g_assert_null (goban_snapshot_get_warnings (read)[0]);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      GobanRun *run = goban_run_list_get (goban_session_get_runs (session), i);
      GobanRun *back = goban_snapshot_get_runs (read)->pdata[i];

      assert_same_records (goban_run_get_costs (run), goban_run_get_decisions (run),
                           goban_run_get_decisions (back), TRUE);
      check_decisions (goban_run_get_costs (back), goban_run_get_plan (back),
                       goban_run_get_decisions (back));
    }
  goban_session_open_snapshot (session, read);
  again = session_to_text (session, NULL);
  g_assert_cmpstr (text, ==, again);
}

/* Everything that a writer can write; in small records, much of it is dropped before. */
static void
test_searches (void)
{
  for (guint64 seed = 1; seed <= test_rounds (60); seed++)
    {
      g_autoptr (GobanGraph) graph = make_graph (N_NODES, seed);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
      g_autoptr (GobanRun) run
          = make_searched (costs, seed, 400, seed % 2 == 0 ? 0 : 3000 * (1 + seed % 8));
      g_autoptr (GobanDecisions) read = assert_round_trip (run, G_MAXSIZE, NULL);

      assert_same_records (costs, goban_run_get_decisions (run), read, TRUE);
    }
}

/* Less is written if a record is too large, but the same; at last nothing but a number. */
static void
test_limit (void)
{
  g_autoptr (GobanGraph) graph = make_graph (N_NODES, 5);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
  guint kinds = 0; /* nothing lost, scores, moments, the first states */

  /* One search alone does not meet all kinds. */
  for (guint64 seed = 1; seed <= 2; seed++)
    {
      /* As many bytes as it takes, but blocks of a sixteenth. */
      g_autoptr (GobanRun) run = make_searched (costs, seed, 2000, 2 << 20);
      const GobanDecisions *whole = goban_run_get_decisions (run);
      guint n_left_before = G_MAXUINT;
      gsize n_bytes;
      gboolean fits = TRUE;
      g_autofree char *text = NULL;

      text = write_moments (run, G_MAXSIZE, &fits);
      for (gsize limit = strlen (text); limit >= 1 << 14; limit -= limit / 20)
        {
          g_autoptr (GobanDecisions) read = NULL;
          GobanDecisionsBeginning beginning;
          guint scores, moments;

          g_clear_pointer (&text, g_free);
          text = write_moments (run, limit, &fits);
          if (!fits)
            break;
          read = assert_round_trip (run, limit, &n_bytes);
          g_assert_cmpuint (n_bytes, <=, limit + 16);
          assert_same_records (costs, whole, read, FALSE);
          goban_decisions_count_left_out (read, &scores, &moments);
          goban_decisions_get_beginning (read, &beginning);
          kinds |= 1u << (beginning.folded > 0 ? 3 : moments > 0 ? 2 : scores > 0 ? 1 : 0);
          g_assert_cmpuint (goban_decisions_get_n_moments (read) - moments, <=, n_left_before);
          n_left_before = goban_decisions_get_n_moments (read) - moments;
        }
      g_clear_pointer (&text, g_free);
      text = write_moments (run, 100, &fits);
      g_assert_false (fits);
      g_assert_nonnull (strstr (text, "\"moments_left_out\": "));
    }
  g_assert_cmpuint (kinds, ==, 0xf);
}

/* --- wrong files ------------------------------------------------------------------------------ */

/* Four ops: a round of one decision that was rejected, then two, and the plan. */
static GobanRun *
make_small (GobanCostModel *costs)
{
  static const GobanNodeId nodes[] = { 0, 1, 3 };
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 4);
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *first
      = goban_decisions_writer_new (&(GobanDecisionsOptions){ .n_nodes = 4, .n_devices = 4 });

  for (guint p = 0; p < 2; p++)
    {
      GobanDecisionsWriter *round = goban_decisions_writer_open (
          first, &(GobanSpanHead){ .name = "round", .level = GOBAN_LEVEL_ROUND });

      for (guint k = 0; k <= p; k++)
        {
          goban_decisions_writer_score (round, 1, 0.75, 0);
          goban_decisions_writer_score (round, 3, 0.25, GOBAN_REFUSAL_MEMORY);
          goban_decisions_writer_decide (round,
                                         &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                               .score = GOBAN_SCORE_PROBABILITY,
                                                               .nodes = nodes,
                                                               .n_nodes = 3,
                                                               .n_options = 4,
                                                               .note = "noted",
                                                               .flags = GOBAN_DECISION_SAMPLED },
                                         1);
        }
      goban_decisions_writer_close (round, NULL, p == 1);
    }
  goban_plan_set_device (plan, 2, 3);
  goban_plan_set_priority (plan, 1, 5);
  goban_decisions_writer_set_plan (first, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN },
                                   plan);
  goban_decisions_writer_settle (first, plan);
  decisions = goban_decisions_writer_end (first);
  return goban_run_new_kept (costs, plan, "mine", &(GobanRunOrigin){ .decisions = decisions });
}

/* A change of the text after @before, and a part of the warning. */
typedef struct
{
  const char *before, *from, *to, *message;
} MomentsDamage;

static void
assert_left_out (const char *text, const MomentsDamage *damage)
{
  const char *place = strstr (strstr (text, "\"moments\": {"), damage->before);
  g_autoptr (GString) rest = g_string_new (place);
  g_autofree char *changed = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  const char *warning;

  if (g_string_replace (rest, damage->from, damage->to, 1) != 1)
    g_error ("no %s after %s in %s", damage->from, damage->before, text);
  changed = g_strdup_printf ("%.*s%s", (int) (place - text), text, rest->str);
  read = session_read_text (changed, "s.goban", NULL);
  warning = goban_snapshot_get_warnings (read)[0];
  g_assert_nonnull (warning);
  if (strstr (warning, damage->message) == NULL)
    g_error ("%s is not in: %s", damage->message, warning);
  g_assert_nonnull (strstr (warning, "the decisions of plan “mine” are left out: "));
  g_assert_null (goban_run_get_decisions (goban_snapshot_get_runs (read)->pdata[0]));
  g_assert_null (goban_snapshot_get_warnings (read)[1]);
}

static void
test_wrong_files (void)
{
  static const MomentsDamage cases[] = {
    { "\"nodes\": {", "0 1 3", "0 1 4", "moment 1 chooses a node, a device or an option" },
    { "\"changes\": {", "0 1 2 3", "0 1 2 4", "moment 4 chooses a node, a device or an option" },
    { "\"to\"", "3", "4", "moment 4 chooses a node, a device or an option" },
    { "\"task\"", "4*1", "3*1 3", "3 is not possible" },
    { "\"chosen\"", "3*1", "2*1 4", "moment 3 chooses a node, a device or an option" },
    { "\"chosen\"", "3*1 0", "3*1 1", "moment 4 chooses a node, a device or an option" },
    { "\"options\"", "3*4", "4 2*5", "there are 12 bytes, not 14" },
    { "\"options\"", "3*4", "3*4000000000", "these are not the 4 whole numbers" },
    { "\"previous\"", "2*0 2", "0 3 -1", "moment 2 follows moment 3, which is not there" },
    { "\"number\"", "4*1", "1 0 2*1", "moment 1 cannot come after moment 1" },
    { "\"span\"", "1 2*2 0", "2 2*2 0", "moment 1 is not in span 2" },
    { "\"span\"", "1 2*2 0", "3 2*2 0", "moment 1 is not in span 3" },
    { "\"spans\"", "0 1", "0 9", "span 2 does not fit the others" },
    { "\"level\"", "2*3", "3 4", "4 is not possible" },
    { "\"note\"", "3*1", "1 2 9", "9 is not possible" },
    { "\"score_kind\"", "3*1", "3*10", "10 is not possible" },
    { "\"flags\"", "3*1", "16 2*1", "16 is not possible" },
    { "\"scores\": [", "AAD/", "AAD+", "the probabilities or refusals of moment 1" },
    { "\"scores\": [", "AAD/", "AA", "bytes, not 24" },
    { "\"scores\": [", "AAD/", "", "bytes, not 24" },
    { "\"refusals\": [", "AAAABA", "AAAAFA", "the probabilities or refusals of moment 1" },
    { "\"refusals\": [", "\"refusals\"", "\"refused\"", "moments.refused is not known" },
    { "\"last\"", "4", "3", "they lead to another plan" },
    { "\"last\"", "4", "5", "the plan is that of moment 5, which is not there" },
    { "\"n_moments\"", "4", "3", "these are not the 3 whole numbers" },
    { "\"n_moments\"", "4", "4000000000", "there are not so many: 4000000000" },
    { "\"n_spans\"", "2", "2000000000", "rows of 32 are expected" },
    { "\"n_settled\"", "1", "0", "0 rows of 32 are expected" },
    { "\"priorities\"", "\"1\"", "\"2\"", "columns that are not there" },
    { "\"columns\"", "\"n\": 4", "\"n\": 5", "these are not the 5 whole numbers" },
    { "\"columns\"", "0 5 2*0", "0 6 2*0", "they lead to another plan" },
    { "\"version\"", "1", "2", "only version 1 can be read" },
    { "\"left_out\"", "\"scores\": 0", "\"scores\": 1", "0 moments are without scores, not 1" },
  };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanRun) run = make_small (costs);
  g_autofree char *text = NULL;

  goban_session_set_graph (session, graph, NULL);
  goban_session_add_run (session, run);
  text = session_to_text (session, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_left_out (text, &cases[i]);
}

/* Any byte may be wrong: the session is read without the record, or with one that is written
 * again as the same bytes, or refused. */
static void
test_random_damage (void)
{
  static const char spice[] = "0123456789*- \"AZaz/=,[]{}";
  g_autoptr (GobanGraph) graph = make_graph (N_NODES, 2);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
  g_autoptr (GobanRun) run = make_searched (costs, 2, 60, 0);
  gboolean fits;
  g_autofree char *text = write_moments (run, G_MAXSIZE, &fits);
  GobanRng rng;
  guint n_read = 0;

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < test_rounds (3000); i++)
    {
      g_autofree char *wrong = g_strdup (text);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanJsonReader) json = NULL;
      g_autoptr (GobanDecisions) read = NULL;

      for (guint k = goban_rng_below (&rng, 3) + 1; k > 0; k--)
        wrong[goban_rng_below (&rng, (guint32) strlen (wrong))]
            = spice[goban_rng_below (&rng, sizeof spice - 1)];
      json = goban_json_reader_new (wrong, -1, "s", NULL);
      if (json == NULL || !goban_json_has (goban_json_reader_get_root (json), "moments"))
        continue;
      read = goban_session_read_moments (
          goban_json_find (goban_json_reader_get_root (json), "moments"), goban_run_get_plan (run),
          0, costs, &error);
      g_assert_true ((read == NULL) == (error != NULL));
      if (read == NULL)
        continue;
      {
        g_autoptr (GobanRun) twin = goban_run_new_kept (costs, goban_run_get_plan (run), "twin",
                                                        &(GobanRunOrigin){ .decisions = read });
        g_autoptr (GobanDecisions) again = assert_round_trip (twin, G_MAXSIZE, NULL);

        assert_same_records (costs, read, again, TRUE);
        n_read++;
      }
    }
  g_assert_cmpuint (n_read, >, 0);
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* A list schedule of 84,464 ops on 8 devices keeps all its scores. */
static void
test_large (void)
{
  enum
  {
    N = 84464,
    DEVICES = 8
  };
  g_autoptr (GobanGraph) graph = make_graph (N, 1);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:8");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, DEVICES);
  g_autoptr (GobanDecisions) decisions = NULL, read = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GobanDecisionsWriter *first
      = goban_decisions_writer_new (&(GobanDecisionsOptions){ .n_nodes = N, .n_devices = DEVICES });
  GobanDecisionsWriter *attempt = goban_decisions_writer_open (
      first, &(GobanSpanHead){ .name = "attempt", .level = GOBAN_LEVEL_PLAN });
  gint64 started_us;
  gboolean fits;
  guint scores, moments;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < N; i++)
    {
      GobanNodeId node = (GobanNodeId) ((guint64) i * 31 % N);
      double start_us = 7.25 * i;
      guint32 device = goban_rng_below (&rng, DEVICES);

      for (guint d = 0; d < DEVICES; d++)
        goban_decisions_writer_score (attempt, d, start_us + 1e3 * goban_rng_uniform (&rng),
                                      d == (device + 1) % DEVICES ? GOBAN_REFUSAL_MEMORY : 0);
      goban_decisions_writer_decide (attempt,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .score = GOBAN_SCORE_FINISH_US,
                                                           .takes_least = TRUE,
                                                           .nodes = &node,
                                                           .n_nodes = 1,
                                                           .n_options = DEVICES,
                                                           .key = 1e6f - (float) i,
                                                           .has_key = TRUE },
                                     device);
      goban_decisions_writer_set_times (attempt, start_us, start_us + 5);
      goban_plan_set_device (plan, node, (GobanDeviceId) device);
      goban_plan_set_priority (plan, node, (gint32) (N - i));
    }
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_decisions_writer_settle (attempt, plan);
  goban_decisions_writer_close (attempt, &(GobanSpanResult){ .makespan_us = 7.25 * N }, TRUE);
  decisions = goban_decisions_writer_end (first);
  goban_decisions_count_left_out (decisions, &scores, &moments);
  g_assert_cmpuint (scores, ==, 0);

  run = goban_run_new_kept (costs, plan, "heft", &(GobanRunOrigin){ .decisions = decisions });
  started_us = g_get_monotonic_time ();
  text = write_moments (run, GOBAN_SESSION_MOMENTS_BYTES, &fits);
  g_test_message ("written in %.0f ms: %" G_GSIZE_FORMAT " bytes of %" G_GSIZE_FORMAT,
                  (double) (g_get_monotonic_time () - started_us) / 1e3, strlen (text),
                  goban_decisions_get_n_bytes (decisions));
  g_assert_true (fits);
  started_us = g_get_monotonic_time ();
  read = read_moments (text, run, &error);
  g_test_message ("read in %.0f ms", (double) (g_get_monotonic_time () - started_us) / 1e3);
  g_assert_no_error (error);
  assert_same_records (costs, decisions, read, TRUE);
  goban_decisions_count_left_out (read, &scores, &moments);
  g_assert_cmpuint (scores, ==, 0);
}

TEST_PROGRAM (session_file_moments)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/file-moments/policies", test_policies);
  g_test_add_func ("/session/file-moments/searches", test_searches);
  g_test_add_func ("/session/file-moments/limit", test_limit);
  g_test_add_func ("/session/file-moments/wrong-files", test_wrong_files);
  g_test_add_func ("/session/file-moments/random-damage", test_random_damage);
  if (!TEST_IS_SANITIZED) /* a size: the same code as above */
    g_test_add_func ("/session/file-moments/large", test_large);
  return g_test_run ();
}
