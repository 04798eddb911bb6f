/* test-decision-log.c: steps from plan to plan are linked, and old ones become part of the
 * beginning. */
#include "engine/learn/policy/decision-log-writer.h"
#include "engine/learn/policy/decision-log.h"
#include "engine/learn/policy/decision-record-new.h"
#include "engine/learn/policy/step-probabilities.h"
#include "tests/learn/tiny-board.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define N 6
#define D 3
#define PLACEMENT (1u << GOBAN_TASK_PLACEMENT)

typedef struct
{
  GobanBoard *board;
  GobanNet *net;
  GobanPass *pass;
  GobanChoices *choices;
  GobanDecisionLog *log;
} Case;

static void
begin (Case *self, GobanTasks decisions)
{
  static const TinyBoard shape = { N, D, FALSE, 7, FALSE };
  GobanNetConfig config = goban_net_config_goban ();
  GobanRng rng;

  config.width = 8;
  config.decisions = GOBAN_TASKS_ALL;
  goban_rng_init (&rng, 4);
  self->board = tiny_board_new (&shape);
  self->net = goban_net_new (&config, &rng);
  self->pass = goban_pass_new (&config, self->board);
  self->choices = goban_choices_new (&config, N);
  goban_pass_embed (self->pass, self->net);
  goban_pass_decide (self->pass, self->net, NULL, NULL);
  self->log = goban_decision_log_new (N, decisions);
}

static void
end (Case *self)
{
  goban_decision_log_unref (self->log);
  goban_choices_free (self->choices);
  goban_pass_free (self->pass);
  goban_net_free (self->net);
  tiny_board_free (self->board);
}

/* Devices as digits, one a row: "000120". */
static void
add (Case *self, const char *devices, guint64 evaluation, GobanOutcome outcome)
{
  guint32 *chosen = self->choices->chosen[self->choices->n_iterations - 1][GOBAN_TASK_PLACEMENT];
  g_autoptr (GobanDecisionRecord) record = NULL;

  for (guint n = 0; n < N; n++)
    chosen[n] = (guint32) (devices[n] - '0');
  record = goban_decision_record_new (self->pass, self->choices);
  goban_decision_log_add (self->log, 1, evaluation, outcome, record);
}

static void
assert_placed (const Case *self, guint n_steps, const char *devices)
{
  g_autofree guint32 *chosen
      = goban_decision_log_dup_choices (self->log, GOBAN_TASK_PLACEMENT, n_steps);

  for (guint v = 0; v < N; v++)
    g_assert_cmpuint (chosen[v], ==,
                      devices[v] == '-' ? GOBAN_NOT_CHOSEN : (guint32) (devices[v] - '0'));
}

static void
test_steps (void)
{
  Case self;
  const GobanDecisionMove *move;
  const GobanDecisionStep *step;

  begin (&self, PLACEMENT);
  g_assert_true (isnan (goban_decision_log_get_start_us (self.log)));
  g_assert_true (isnan (goban_decision_log_get_entropy (self.log, GOBAN_TASK_PLACEMENT, 0)));
  g_assert_null (goban_decision_log_get_record (self.log));
  add (&self, "000000", 1, (GobanOutcome){ 50, 0 });
  add (&self, "000210", 7, (GobanOutcome){ 40, 0 });

  move = goban_decision_log_get_step (self.log, 0);
  g_assert_true (isnan (move->before_us));
  g_assert_cmpuint (move->n_changes, ==, N);
  g_assert_cmpuint (move->changes[3].from, ==, GOBAN_NOT_CHOSEN);

  move = goban_decision_log_get_step (self.log, 1);
  g_assert_cmpfloat (move->before_us, ==, 50);
  g_assert_cmpfloat (move->after_us, ==, 40);
  g_assert_cmpuint (move->evaluation, ==, 7);
  g_assert_cmpuint (move->n_rows, ==, N);
  g_assert_cmpuint (move->n_changes, ==, 2);
  g_assert_cmpuint (move->changes[1].row, ==, 4);
  g_assert_cmpuint (move->changes[1].from, ==, 0);
  g_assert_cmpuint (move->changes[1].to, ==, 1);
  g_assert_cmpuint (move->changes[1].n_nodes, ==, 1);
  g_assert_cmpuint (move->changes[1].nodes[0], ==, 4);
  step = goban_decision_record_find_last (goban_decision_log_get_record (self.log),
                                          GOBAN_TASK_PLACEMENT);
  g_assert_cmpfloat (move->changes[1].probability, ==, step->probabilities[4 * D + 1]);
  g_assert_cmpfloat (move->changes[1].entropy, ==, step->entropies[4]);
  g_assert_cmpfloat (goban_decision_log_get_entropy (self.log, GOBAN_TASK_PLACEMENT, 4), ==,
                     (double) step->entropies[4]);

  assert_placed (&self, 0, "------");
  assert_placed (&self, 1, "000000");
  assert_placed (&self, 2, "000210");
  end (&self);
}

/* The plan to be changed, where it is given; rows whose nodes had different devices are told
 * apart. */
static void
test_begins (void)
{
  static guint32 devices[N] = { 0, 1, 2, 0, 1, 2 };
  guint32 *choices[GOBAN_N_TASKS] = { [GOBAN_TASK_PLACEMENT] = devices };
  Case self;

  begin (&self, PLACEMENT);
  goban_decision_log_begin (self.log, choices, (GobanOutcome){ 90, 10 });
  g_assert_true (isnan (goban_decision_log_get_start_us (self.log))); /* it lacks memory */
  goban_decision_log_begin (self.log, choices, (GobanOutcome){ 90, 0 });
  g_assert_cmpfloat (goban_decision_log_get_start_us (self.log), ==, 90);
  add (&self, "012011", 3, (GobanOutcome){ 80, 0 });
  g_assert_cmpfloat (goban_decision_log_get_step (self.log, 0)->before_us, ==, 90);
  g_assert_cmpuint (goban_decision_log_get_step (self.log, 0)->n_changes, ==, 1);
  g_assert_cmpuint (goban_decision_log_get_step (self.log, 0)->changes[0].from, ==, 2);
  assert_placed (&self, 0, "012012");
  assert_placed (&self, 1, "012011");
  end (&self);
}

/* Two rows become one, whose nodes had different devices: a change for each that moves. */
static void
test_rows (void)
{
  Case self;
  const GobanDecisionMove *move;

  begin (&self, PLACEMENT);
  add (&self, "001200", 1, (GobanOutcome){ 9, 0 });
  self.board->n_rows = 4; /* its pass decides on six: at most four are used */
  memcpy (self.board->offsets, ((guint32[]){ 0, 1, 4, 5, 6 }), 5 * sizeof (guint32));
  memcpy (self.board->row_of, ((guint32[]){ 0, 1, 1, 1, 2, 3 }), N * sizeof (guint32));
  add (&self, "0200--", 2, (GobanOutcome){ 8, 0 });
  self.board->n_rows = N;
  move = goban_decision_log_get_step (self.log, 1);
  g_assert_cmpuint (move->n_changes, ==, 2);
  g_assert_cmpuint (move->changes[0].from, ==, 0);
  g_assert_cmpuint (move->changes[0].nodes[0], ==, 1);
  g_assert_cmpuint (move->changes[1].from, ==, 1);
  g_assert_cmpuint (move->changes[1].nodes[0], ==, 2);
  assert_placed (&self, 1, "001200");
  assert_placed (&self, 2, "022200");
  end (&self);
}

/* On a board of a plan, a row that chooses what its first unit has keeps what each of them has; a
 * task that may not change is not told to be certain. */
static void
test_keeps (void)
{
  static guint32 devices[N] = { 0, 1, 2, 0, 1, 2 };
  guint32 *choices[GOBAN_N_TASKS] = { [GOBAN_TASK_PLACEMENT] = devices };
  guint32 had[4] = { 0, 1, 1, 2 };
  float *logits;
  double entropy;
  Case self;

  begin (&self, PLACEMENT);
  goban_decision_log_begin (self.log, choices, (GobanOutcome){ 90, 0 });
  self.board->n_rows = 4;
  memcpy (self.board->offsets, ((guint32[]){ 0, 1, 4, 5, 6 }), 5 * sizeof (guint32));
  memcpy (self.board->row_of, ((guint32[]){ 0, 1, 1, 1, 2, 3 }), N * sizeof (guint32));
  self.board->current[GOBAN_TASK_PLACEMENT] = had;
  add (&self, "0120--", 1, (GobanOutcome){ 80, 0 });
  assert_placed (&self, 1, "012020");
  g_assert_cmpuint (goban_decision_log_get_step (self.log, 0)->n_changes, ==, 2);
  add (&self, "1210--", 2, (GobanOutcome){ 70, 0 });
  assert_placed (&self, 2, "122220");

  entropy = goban_decision_log_get_entropy (self.log, GOBAN_TASK_PLACEMENT, 0);
  g_assert_cmpfloat (entropy, >, 0);
  logits = (float *) goban_pass_get_logits (self.pass, 0, GOBAN_TASK_PLACEMENT);
  for (guint i = 0; i < N * D; i++)
    logits[i] = i % D == 0 ? 0 : -90;
  add (&self, "0000--", 3, (GobanOutcome){ 60, 0 });
  g_assert_cmpfloat (goban_decision_log_get_entropy (self.log, GOBAN_TASK_PLACEMENT, 0), ==,
                     entropy);
  self.board->current[GOBAN_TASK_PLACEMENT] = NULL;
  self.board->n_rows = N;
  end (&self);
}

static void
test_folds (void)
{
  Case self;
  const guint n = GOBAN_DECISION_LOG_MAX_STEPS + 3;

  begin (&self, PLACEMENT);
  for (guint s = 0; s < n; s++)
    add (&self, s % 2 == 0 ? "000000" : "000100", s + 1, (GobanOutcome){ 1000 - s, 0 });
  g_assert_cmpuint (goban_decision_log_get_n_steps (self.log), ==, GOBAN_DECISION_LOG_MAX_STEPS);
  g_assert_cmpuint (goban_decision_log_get_n_folded (self.log), ==, 3);
  g_assert_cmpfloat (goban_decision_log_get_start_us (self.log), ==, 1000 - 2);
  g_assert_cmpuint (goban_decision_log_get_step (self.log, 0)->evaluation, ==, 4);
  assert_placed (&self, 0, "000000");
  assert_placed (&self, 1, "000100");
  assert_placed (&self, GOBAN_DECISION_LOG_MAX_STEPS, "000000");
  end (&self);
}

/* Rounded probabilities sum to 1; what is not allowed is known, and what is rare is 0. */
static void
test_rounding (void)
{
  static const guint32 row_of[N] = { 0, 0, 1, 1, 2, 2 }, chosen[] = { 0, 2, 1 };
  static const guint32 order[] = { 2, 1, 0 };
  static const float chances[] = { 1 / 3.0f, 1 / 3.0f, 1 / 3.0f, 0, 1e-9f, 1, 0, 1, 0 };
  const GobanPlacementView view = { .n_rows = 3,
                                    .n_nodes = N,
                                    .n_devices = D,
                                    .row_of = row_of,
                                    .chances = chances,
                                    .chosen = chosen,
                                    .order = order };
  static const guint16 units[] = { 21845,
                                   21845,
                                   21844,
                                   GOBAN_PROBABILITY_MASKED,
                                   0,
                                   GOBAN_PROBABILITY_UNITS,
                                   GOBAN_PROBABILITY_MASKED,
                                   GOBAN_PROBABILITY_UNITS,
                                   GOBAN_PROBABILITY_MASKED };
  g_autoptr (GobanDecisionRecord) record = goban_decision_record_new_of_placement (&view);
  g_autoptr (GobanStepProbabilities) first = goban_step_probabilities_new (record, NULL);
  g_autoptr (GobanStepProbabilities) second = goban_step_probabilities_new (record, first);
  const GobanTaskProbabilities *part
      = goban_step_probabilities_get_task (first, GOBAN_TASK_PLACEMENT);

  g_assert_cmpuint (part->n_actions, ==, D);
  g_assert_cmpmem (part->units, sizeof units, units, sizeof units);
  g_assert_cmpuint (part->chosen[1], ==, 2);
  g_assert_cmpuint (goban_step_probabilities_get_order (first, 1), ==, 1);
  g_assert_cmpuint (goban_step_probabilities_get_order (first, 2), ==, 0);
  g_assert_true (goban_step_probabilities_get_rows (first)
                 == goban_step_probabilities_get_rows (second));
  g_assert_cmpuint (goban_step_probabilities_get_n_bytes (second) + sizeof row_of, ==,
                    goban_step_probabilities_get_n_bytes (first));
}

/* Probabilities of the oldest steps go first, those of the last one stay; heads have the same. */
static void
test_forgets (void)
{
  enum
  {
    A = 60000
  };
  g_autofree guint16 *units = g_new0 (guint16, N * A);
  static const guint32 row_of[N] = { 0, 1, 2, 3, 4, 5 };
  static const guint16 chosen[N] = { 0 };
  static const float entropies[N] = { 0 };
  const GobanStepProbabilitiesParts parts
      = { N, N, row_of, NULL, { [GOBAN_TASK_PLACEMENT] = { A, units, entropies, chosen } } };
  const GobanDecisionMove move = { .after_us = 5 };
  guint n = GOBAN_DECISION_LOG_MAX_BYTES / (N * A * sizeof *units) + 2;
  g_autoptr (GobanDecisionLog) head = NULL;
  Case self;

  begin (&self, PLACEMENT);
  for (guint s = 0; s < n; s++)
    {
      g_autoptr (GobanStepProbabilities) table
          = goban_step_probabilities_new_of_parts (&parts, NULL);

      g_assert_true (goban_decision_log_add_known (self.log, &move));
      goban_decision_log_set_probabilities (self.log, table);
    }
  g_assert_null (goban_decision_log_get_probabilities (self.log, 0));
  g_assert_nonnull (goban_decision_log_get_probabilities (self.log, n - 2));
  head = goban_decision_log_new_head (self.log, n - 1);
  for (guint s = 0; s < n - 1; s++)
    g_assert_true (goban_decision_log_get_probabilities (head, s)
                   == goban_decision_log_get_probabilities (self.log, s));
  end (&self);
}

/* Only tasks that are decided are told of, whatever else the network decides. */
static void
test_tasks (void)
{
  Case self;
  const GobanDecisionMove *move;
  guint n_of[GOBAN_N_TASKS] = { 0 };

  begin (&self, PLACEMENT | 1u << GOBAN_TASK_SCHEDULING);
  add (&self, "000000", 1, (GobanOutcome){ 50, 0 });
  move = goban_decision_log_get_step (self.log, 0);
  for (guint c = 0; c < move->n_changes; c++)
    n_of[move->changes[c].task]++;
  g_assert_cmpuint (n_of[GOBAN_TASK_PLACEMENT], ==, N);
  g_assert_cmpuint (n_of[GOBAN_TASK_SCHEDULING], ==, N);
  g_assert_cmpuint (n_of[GOBAN_TASK_FUSION], ==, 0);
  g_assert_null (goban_decision_log_dup_choices (self.log, GOBAN_TASK_FUSION, 0));
  end (&self);
}

TEST_PROGRAM (decision_log)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decision-log/steps", test_steps);
  g_test_add_func ("/decision-log/begins", test_begins);
  g_test_add_func ("/decision-log/rows", test_rows);
  g_test_add_func ("/decision-log/keeps", test_keeps);
  g_test_add_func ("/decision-log/folds", test_folds);
  g_test_add_func ("/decision-log/tasks", test_tasks);
  g_test_add_func ("/decision-log/rounding", test_rounding);
  g_test_add_func ("/decision-log/forgets", test_forgets);
  return g_test_run ();
}
