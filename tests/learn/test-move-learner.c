/* test-move-learner.c: the learner separates good moves from bad ones, whatever the bad ones
 * cost. */
#include "engine/learn/rl/moves/move-learner.h"
#include "tests/support/test-program.h"

#include <string.h>

#define VARIANCE 1.0

/* A move that saves transfers, or does not. */
static void
set_move (float *x, gboolean saves, GobanRng *rng)
{
  memset (x, 0, GOBAN_MOVE_N_FEATURES * sizeof *x);
  x[GOBAN_MOVE_SIZE] = (float) goban_rng_uniform (rng);
  x[GOBAN_MOVE_TRANSFERS] = saves ? -0.5f : 0.5f;
}

/* One of three moves that save gains, more and more seldom large; the others lose as much as
 * @loss. */
static GobanMoveLearner *
teach (guint n, double loss)
{
  GobanMoveLearner *self = goban_move_learner_new (VARIANCE);
  GobanRng rng;
  float x[GOBAN_MOVE_N_FEATURES];

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < n; i++)
    {
      gboolean saves = i % 2 == 0;

      set_move (x, saves, &rng);
      goban_move_learner_add (self, x, saves && i % 3 == 0 ? 0.02 / (1 + i / 10) : -loss);
    }
  goban_move_learner_use_means (self);
  return self;
}

static double
score (const GobanMoveLearner *self, gboolean saves)
{
  GobanRng rng;
  float x[GOBAN_MOVE_N_FEATURES];

  goban_rng_init (&rng, 2);
  set_move (x, saves, &rng);
  return goban_move_learner_score (self, x);
}

static void
test_learns (void)
{
  g_autoptr (GobanMoveLearner) nothing = teach (0, 0);
  g_autoptr (GobanMoveLearner) learned = teach (120, 0.01);

  g_assert_cmpfloat (score (nothing, TRUE), ==, 0);
  g_assert_cmpfloat (score (learned, TRUE), >, 0.15);
  g_assert_cmpfloat (score (learned, FALSE), <, 0.05);
}

/* What bad moves cost makes no difference: else moves that change nothing would seem the best. */
static void
test_losses_count_alike (void)
{
  g_autoptr (GobanMoveLearner) little = teach (60, 1e-6);
  g_autoptr (GobanMoveLearner) much = teach (60, 0.9);

  g_assert_cmpfloat (score (little, TRUE), ==, score (much, TRUE));
  g_assert_cmpfloat (score (little, FALSE), ==, score (much, FALSE));
}

/* The more successful proposer proposes more often; neither stops. */
static void
test_turns (void)
{
  g_autoptr (GobanMoveLearner) self = goban_move_learner_new (VARIANCE);
  guint n_own[3] = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 3);
  for (guint stage = 0; stage < 3; stage++)
    {
      for (guint i = 0; i < 300; i++)
        goban_move_learner_note_turn (self, i % 2 == 0, stage > 0 && (i % 2 == 0) == (stage == 1));
      for (guint i = 0; i < 1000; i++)
        n_own[stage] += goban_move_learner_draw_turn (self, &rng);
    }
  g_assert_cmpuint (n_own[0], >, 400);
  g_assert_cmpuint (n_own[0], <, 600);
  g_assert_cmpuint (n_own[1], >, 900);
  g_assert_cmpuint (n_own[1], <, 1000);
  g_assert_cmpuint (n_own[2], >, 0);
  g_assert_cmpuint (n_own[2], <, 200);
}

/* Before anything is learned the two kinds of moves are as likely to be tried, afterwards seldom
 * the bad one. */
static void
test_draws (void)
{
  static const guint counts[] = { 0, 200 };
  guint n_bad[2] = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 4);
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (GobanMoveLearner) self = teach (counts[k], 0.01);

      for (guint i = 0; i < 400; i++)
        {
          goban_move_learner_draw_weights (self, &rng);
          n_bad[k] += score (self, FALSE) > score (self, TRUE);
        }
    }
  g_assert_cmpuint (n_bad[0], >, 120);
  g_assert_cmpuint (n_bad[0], <, 280);
  g_assert_cmpuint (n_bad[1], <, 40);
}

static void
test_repeatable (void)
{
  g_autoptr (GobanMoveLearner) one = teach (80, 0.01);
  g_autoptr (GobanMoveLearner) two = teach (80, 0.01);

  g_assert_cmpfloat (score (one, TRUE), ==, score (two, TRUE));
  g_assert_cmpfloat (score (one, FALSE), ==, score (two, FALSE));
}

TEST_PROGRAM (move_learner)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/move-learner/learns", test_learns);
  g_test_add_func ("/rl/move-learner/losses-count-alike", test_losses_count_alike);
  g_test_add_func ("/rl/move-learner/turns", test_turns);
  g_test_add_func ("/rl/move-learner/draws", test_draws);
  g_test_add_func ("/rl/move-learner/repeatable", test_repeatable);
  return g_test_run ();
}
