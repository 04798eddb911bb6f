/* test-decision-record.c: a record says what the pass decided, and keeps saying it. */
#include "engine/learn/policy/decision-record-new.h"
#include "engine/learn/policy/decision-record.h"
#include "tests/learn/tiny-board.h"
#include "tests/support/test-program.h"

#include <math.h>

typedef struct
{
  GobanBoard *board;
  GobanNet *net;
  GobanPass *pass;
  GobanChoices *choices;
  GobanDecisionRecord *record;
} Case;

static const TinyBoard shape = { 10, 4, TRUE, 2, FALSE };

static GobanNetConfig
make_config (gboolean is_sampled)
{
  GobanNetConfig config = goban_net_config_goban ();

  config.width = 8;
  config.decisions = GOBAN_TASKS_ALL;
  config.n_iterations = 2;
  config.is_sampled = is_sampled;
  config.segment = 4;
  return config;
}

static void
begin (Case *self, gboolean is_sampled, gboolean is_greedy)
{
  GobanNetConfig config = make_config (is_sampled);
  GobanRng rng;

  goban_rng_init (&rng, 4);
  self->board = tiny_board_new (&shape);
  self->net = goban_net_new (&config, &rng);
  self->pass = goban_pass_new (&config, self->board);
  self->choices = goban_choices_new (&config, shape.n_rows);
  goban_pass_embed (self->pass, self->net);
  goban_pass_decide (self->pass, self->net, self->choices, &rng);
  self->record = goban_decision_record_new (self->pass, is_greedy ? NULL : self->choices);
}

static void
end (Case *self)
{
  goban_decision_record_unref (self->record);
  goban_choices_free (self->choices);
  goban_pass_free (self->pass);
  goban_net_free (self->net);
  tiny_board_free (self->board);
}

static void
assert_distribution (const GobanDecisionStep *step, guint row)
{
  const float *p = step->probabilities + (gsize) row * step->n_actions;
  double total = 0, entropy = 0;

  for (guint a = 0; a < step->n_actions; a++)
    {
      total += (double) p[a];
      entropy -= p[a] > 0 ? (double) p[a] * log ((double) p[a]) : 0;
      g_assert_true (step->allowed[row * step->n_actions + a] || p[a] == 0);
    }
  g_assert_cmpfloat_with_epsilon (total, 1, 1e-5);
  g_assert_cmpfloat_with_epsilon (entropy, (double) step->entropies[row], 1e-5);
}

static void
test_steps (void)
{
  Case self;

  begin (&self, TRUE, FALSE);
  g_assert_cmpuint (goban_decision_record_get_n_steps (self.record), ==, 6);
  for (guint s = 0; s < 6; s++)
    {
      const GobanDecisionStep *step = goban_decision_record_get_step (self.record, s);

      g_assert_cmpint (step->iteration, ==, (int) s / 3);
      g_assert_cmpint ((int) step->task, ==, (int) s % 3);
      g_assert_cmpuint (step->n_actions, ==,
                        step->task == GOBAN_TASK_PLACEMENT ? 4 : GOBAN_N_LEVELS);
      for (guint n = 0; n < shape.n_rows; n++)
        {
          assert_distribution (step, n);
          g_assert_cmpuint (step->chosen[n], ==,
                            self.choices->chosen[step->iteration][step->task][n]);
          g_assert_true (step->allowed[n * step->n_actions + step->chosen[n]]);
        }
    }
  for (guint n = 0; n < shape.n_rows; n++)
    for (guint d = 0; d < 4; d++)
      g_assert_cmpuint (goban_decision_record_get_step (self.record, 1)->allowed[n * 4 + d], ==,
                        self.board->allowed[n * 4 + d]);
  end (&self);
}

/* Expected decisions of an earlier iteration are not decisions; without choices the likeliest
 * action counts. */
static void
test_greedy (void)
{
  Case self;
  const GobanDecisionStep *step;

  begin (&self, FALSE, TRUE);
  g_assert_null (goban_decision_record_get_step (self.record, 1)->chosen);
  step = goban_decision_record_get_step (self.record, 4);
  for (guint n = 0; n < shape.n_rows; n++)
    for (guint a = 0; a < step->n_actions; a++)
      g_assert_cmpfloat (step->probabilities[n * 4 + a], <=,
                         step->probabilities[n * 4 + step->chosen[n]]);
  end (&self);
}

/* Of the last iteration: other rows of the row's segment or of one beside it, the most attended
 * first. */
static void
assert_attention (const GobanDecisionStep *step, guint n_rows, guint segment)
{
  gboolean differs = FALSE;

  for (guint n = 0; n < n_rows; n++)
    {
      const guint32 *rows = step->attended + (gsize) n * GOBAN_N_ATTENDED;
      const float *shares = step->attention + (gsize) n * GOBAN_N_ATTENDED;
      guint there = n / segment;
      double sum = 0;

      for (guint i = 0; i < GOBAN_N_ATTENDED && rows[i] != GOBAN_NO_ROW; i++)
        {
          g_assert_cmpuint (rows[i], <, n_rows);
          g_assert_cmpuint (rows[i], !=, n);
          g_assert_cmpint (ABS ((int) (rows[i] / segment) - (int) there), <=, 1);
          g_assert_true (i == 0 || shares[i] <= shares[i - 1]);
          differs |= i > 0 && shares[i] < shares[i - 1];
          sum += (double) shares[i];
        }
      g_assert_cmpfloat (sum, >, 0);
      g_assert_cmpfloat (sum, <, 1);
    }
  g_assert_true (differs);
}

static void
test_attention (void)
{
  GobanNetConfig config = make_config (TRUE);
  Case self;

  begin (&self, TRUE, FALSE);
  for (guint s = 0; s < goban_decision_record_get_n_steps (self.record); s++)
    {
      const GobanDecisionStep *step = goban_decision_record_get_step (self.record, s);

      g_assert_true ((step->attended != NULL) == (step->iteration == 1));
      if (step->attended != NULL)
        assert_attention (step, shape.n_rows, (guint) config.segment);
    }
  end (&self);
}

static void
test_rows (void)
{
  Case self;
  guint total = 0;

  begin (&self, TRUE, FALSE);
  for (guint n = 0; n < goban_decision_record_get_n_rows (self.record); n++)
    {
      guint n_nodes;
      const GobanNodeId *nodes = goban_decision_record_get_nodes (self.record, n, &n_nodes);

      for (guint i = 0; i < n_nodes; i++)
        g_assert_cmpuint (goban_decision_record_get_row_of (self.record, nodes[i]), ==, n);
      total += n_nodes;
    }
  g_assert_cmpuint (total, ==, goban_decision_record_get_n_nodes (self.record));
  end (&self);
}

/* A copy: it outlives all that it was made from, and their next decisions. */
static void
test_frozen (void)
{
  Case self;
  GobanDecisionRecord *kept;
  g_autofree float *before = NULL;
  gsize size = (gsize) shape.n_rows * 4 * sizeof *before;

  begin (&self, TRUE, FALSE);
  kept = goban_decision_record_ref (self.record);
  before = g_memdup2 (goban_decision_record_get_step (kept, 1)->probabilities, size);
  goban_params_value (goban_net_get_params (self.net), 0)[0] += 3;
  goban_pass_embed (self.pass, self.net);
  goban_pass_decide (self.pass, self.net, self.choices, NULL);
  end (&self);
  g_assert_cmpmem (goban_decision_record_get_step (kept, 1)->probabilities, size, before, size);
  goban_decision_record_unref (kept);
}

TEST_PROGRAM (decision_record)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decision-record/steps", test_steps);
  g_test_add_func ("/decision-record/greedy", test_greedy);
  g_test_add_func ("/decision-record/attention", test_attention);
  g_test_add_func ("/decision-record/rows", test_rows);
  g_test_add_func ("/decision-record/frozen", test_frozen);
  return g_test_run ();
}
