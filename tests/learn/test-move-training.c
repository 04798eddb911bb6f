/* test-move-training.c: a run repeats itself, goes on to the same bytes, and learns. */
#include "engine/core/error.h"
#include "engine/learn/rl/moves/move-training.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define SMALL "lessons=3,evaluations=20,labels=12,states=10,batches=3,batch=4,validation=2,every=3"

static GobanMoveTraining *
begin (const char *changes)
{
  GobanMoveTrainingConfig config = goban_move_training_config_default ();
  g_autoptr (GError) error = NULL;

  g_assert_true (
      goban_setting_table_parse (&goban_move_training_kind.settings, SMALL, &config, &error));
  g_assert_true (
      goban_setting_table_parse (&goban_move_training_kind.settings, changes, &config, &error));
  g_assert_no_error (error);
  return goban_move_training_new (&config);
}

static void
step (GobanMoveTraining *run, guint n)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_assert_true (goban_learning_run_step (&run->base, NULL, &error));
      g_assert_no_error (error);
    }
}

/* --- configuration -------------------------------------------------------------------------- */

static void
test_config (void)
{
  static const char *const wrong[]
      = { "rate", "rate=", "rate=x", "rate=2", "updates=1.5", "unknown=1", "seed=-1", "labels=1" };
  g_autoptr (GobanMoveTraining) run = begin ("seed=7,updates=12,rate=0.001");
  GobanMoveTrainingConfig read = goban_move_training_config_default ();
  g_autofree char *text
      = goban_setting_table_to_text (&goban_move_training_kind.settings, &run->config);
  g_autofree char *all = goban_setting_table_describe (&goban_move_training_kind.settings);
  g_autofree char *again = NULL;

  g_assert_nonnull (strstr (all, "\nlabels\t"));
  g_assert_true (goban_setting_table_parse (&goban_move_training_kind.settings, text, &read, NULL));
  again = goban_setting_table_to_text (&goban_move_training_kind.settings, &read);
  g_assert_cmpstr (text, ==, again);
  g_assert_cmpuint (read.base.seed, ==, 7);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      const char *value = strchr (wrong[i], '=');
      gboolean is_known = value != NULL && !g_str_has_prefix (wrong[i], "unknown")
                          && !g_str_has_prefix (wrong[i], "seed");
      g_autoptr (GError) error = NULL;

      g_assert_false (
          goban_setting_table_parse (&goban_move_training_kind.settings, wrong[i], &read, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, is_known ? " number from " : "batches"));
    }
}

/* --- runs ----------------------------------------------------------------------------------- */

/* Eight updates in one go, and four, a file, and four: the same file in the end. The states begin
 * to be replaced meanwhile. */
static void
test_resumed (void)
{
  g_autoptr (GobanMoveTraining) whole = begin ("updates=8");
  g_autoptr (GobanMoveTraining) half = begin ("updates=8");
  g_autoptr (GobanMoveTraining) other = NULL;
  g_autoptr (GByteArray) saved = NULL;
  g_autoptr (GByteArray) a = NULL;
  g_autoptr (GByteArray) b = NULL;
  g_autoptr (GError) error = NULL;

  step (whole, 8);
  step (half, 4);
  saved = goban_learning_run_write (&half->base);
  other = goban_learning_run_read (&goban_move_training_kind, saved->data, saved->len, "half.run",
                                   &error);
  g_assert_no_error (error);
  step (other, 4);
  g_assert_true (goban_learning_run_is_done (&other->base));
  g_assert_false (isnan (other->base.best_score));
  a = goban_learning_run_write (&whole->base);
  b = goban_learning_run_write (&other->base);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
}

/* Any byte changed, or cut off anywhere, is refused with the file's name. */
static void
test_damaged (void)
{
  g_autoptr (GobanMoveTraining) run = begin ("updates=2");
  g_autoptr (GByteArray) bytes = NULL;

  step (run, 2);
  bytes = goban_learning_run_write (&run->base);
  for (gsize size = 0; size < bytes->len; size += bytes->len / 50)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_learning_run_read (&goban_move_training_kind, bytes->data, size,
                                              "cut.run", &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, "cut.run"));
    }
  for (gsize at = 0; at < bytes->len; at += bytes->len / 50)
    {
      g_autoptr (GError) error = NULL;

      bytes->data[at] ^= 1;
      g_assert_null (goban_learning_run_read (&goban_move_training_kind, bytes->data, bytes->len,
                                              "bad.run", &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      bytes->data[at] ^= 1;
    }
}

/* Targets are shares of the best gain; the error falls below that of the best constant. */
static void
test_learns (void)
{
  g_autoptr (GobanMoveTraining) run
      = begin ("updates=20,batches=60,batch=8,states=60,every=100,validation=1,rate=0.01");
  guint n_updates = test_rounds (20);
  const GobanMovePoint *point;

  step (run, n_updates);
  for (guint i = 0; i < run->n_kept; i++)
    for (guint k = 0; k < run->states[i].n; k++)
      {
        g_assert_cmpfloat ((double) run->states[i].target[k], >=, 0);
        g_assert_cmpfloat ((double) run->states[i].target[k], <=, 1 + 1e-6);
      }
  point = &g_array_index (run->base.points, GobanMovePoint, n_updates - 1);
  g_assert_cmpfloat (point->error, <, (TEST_IS_SANITIZED ? 1 : 0.7) * point->constant_error);
}

/* A point an update, and numbers where a trial was. */
static void
test_points (void)
{
  g_autoptr (GobanMoveTraining) run = begin ("updates=4");
  const GArray *points;

  step (run, 4);
  points = run->base.points;
  g_assert_cmpuint (points->len, ==, 4);
  for (guint k = 0; k < GOBAN_MOVE_N_TRIED; k++)
    g_assert_true (isnan (g_array_index (points, GobanMovePoint, 0).valid[k]));
  for (guint i = 2; i < 4; i++)
    g_assert_false (
        isnan (g_array_index (points, GobanMovePoint, i).valid[GOBAN_MOVE_N_TRIED - 1]));
}

/* The weights of a network that was made by hand change their signs, so that it is worse than the
 * initial one, which is kept and reported as kept. At a rate of 0 nothing is learned. */
static void
test_kept_start (void)
{
  g_autoptr (GobanMoveTraining) run = begin ("updates=4,every=1,rate=0,last-rate=0,average=0");
  GobanScorerNet *const nets[] = { run->base.net, run->base.average, run->base.best };
  g_autoptr (GByteArray) initial = NULL;
  g_autoptr (GByteArray) kept = NULL;
  const GobanMovePoint *last;

  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    goban_scorer_net_average (nets[i], run->hand, 0);
  initial = goban_params_write (run->base.best->params);
  step (run, 1);
  for (gsize i = 0; i < 2; i++)
    for (guint f = 0; f < GOBAN_MOVE_N_FEATURES; f++)
      nets[i]->scorer.linear[f] *= -1;
  step (run, 3);
  last = &g_array_index (run->base.points, GobanMovePoint, 3);
  g_test_message ("%.4f at first, %.4f at last", run->base.first_score,
                  sqrt (last->valid[0] * last->valid[1]));
  g_assert_cmpfloat (sqrt (last->valid[0] * last->valid[1]), >, run->base.first_score);
  g_assert_cmpfloat (run->base.best_score, ==, run->base.first_score);
  g_assert_cmpuint (goban_learning_run_get_kept_step (&run->base), ==, 0);
  kept = goban_params_write (goban_learning_run_get_net (&run->base)->params);
  g_assert_cmpmem (kept->data, kept->len, initial->data, initial->len);
}

/* Asked to stop, it leaves the run as it was. */
static gboolean
stop (gpointer user_data)
{
  return TRUE;
}

static void
test_cancelled (void)
{
  g_autoptr (GobanMoveTraining) run = begin ("updates=4");
  GobanProgress progress = { .should_stop = stop };
  g_autoptr (GByteArray) before = NULL;
  g_autoptr (GByteArray) after = NULL;
  g_autoptr (GError) error = NULL;

  step (run, 1);
  before = goban_learning_run_write (&run->base);
  g_assert_false (goban_learning_run_step (&run->base, &progress, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  after = goban_learning_run_write (&run->base);
  g_assert_cmpmem (before->data, before->len, after->data, after->len);
}

TEST_PROGRAM (move_training)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/move-training/config", test_config);
  g_test_add_func ("/rl/move-training/resumed", test_resumed);
  g_test_add_func ("/rl/move-training/damaged", test_damaged);
  g_test_add_func ("/rl/move-training/learns", test_learns);
  g_test_add_func ("/rl/move-training/points", test_points);
  g_test_add_func ("/rl/move-training/kept-start", test_kept_start);
  g_test_add_func ("/rl/move-training/cancelled", test_cancelled);
  return g_test_run ();
}
