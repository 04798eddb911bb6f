/* test-builder-training.c: a run repeats itself, goes on to the same bytes, learns, and says when
 * it has collapsed. */
#include "engine/core/error.h"
#include "engine/learn/rl/builder/builder-training.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"

#include <math.h>
#include <string.h>

#define SMALL "lessons=3,problems=2,rollouts=3,imitations=2,labels=5,validation=2,every=3"

static GobanBuilderTrainingConfig
small (const char *changes)
{
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();
  g_autoptr (GError) error = NULL;

  g_assert_true (
      goban_setting_table_parse (&goban_builder_training_kind.settings, SMALL, &config, &error));
  g_assert_true (
      goban_setting_table_parse (&goban_builder_training_kind.settings, changes, &config, &error));
  g_assert_no_error (error);
  return config;
}

static GobanBuilderTraining *
begin (const char *changes)
{
  GobanBuilderTrainingConfig config = small (changes);
  g_autoptr (GError) error = NULL;
  GobanBuilderTraining *run = goban_builder_training_new (&config, NULL, &error);

  g_assert_no_error (error);
  return run;
}

static void
step (GobanBuilderTraining *run, guint n)
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
  GobanBuilderTrainingConfig config
      = small ("seed=7,updates=12,rate=0.001,entropy=0.5,families=1,devices=0");
  GobanBuilderTrainingConfig read = goban_builder_training_config_default ();
  g_autofree char *text
      = goban_setting_table_to_text (&goban_builder_training_kind.settings, &config);
  g_autofree char *all = NULL;
  g_autofree char *again = NULL;
  static const char *const wrong[]
      = { "rate",      "rate=",   "rate=x",     "rate=2",    "updates=1.5",
          "unknown=1", "seed=-1", "rollouts=1", "devices=2", "devices=" };

  g_assert_true (
      goban_setting_table_parse (&goban_builder_training_kind.settings, text, &read, NULL));
  again = goban_setting_table_to_text (&goban_builder_training_kind.settings, &read);
  all = goban_setting_table_describe (&goban_builder_training_kind.settings);
  g_assert_nonnull (strstr (all, "\nrollouts\t"));
  g_assert_cmpuint (strchr (strchr (all, '\t') + 1, '\t')[1], ==, 'o'); /* seed, 0, of all chance */
  g_assert_cmpstr (text, ==, again);
  g_assert_cmpuint (read.base.n_updates, ==, 12);
  g_assert_cmpuint (goban_builder_training_config_get_parts (&read), ==,
                    GOBAN_ALL_PARTS & ~GOBAN_PART_DEVICES);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      const char *value = strchr (wrong[i], '=');
      gboolean is_known = value != NULL && !g_str_has_prefix (wrong[i], "unknown")
                          && !g_str_has_prefix (wrong[i], "seed");
      g_autoptr (GError) error = NULL;

      g_assert_false (goban_setting_table_parse (&goban_builder_training_kind.settings, wrong[i],
                                                 &read, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, is_known ? " number from " : "entropy"));
    }
}

/* --- runs ----------------------------------------------------------------------------------- */

/* Six updates in one go, and three, a file, and three: the same file in the end, with an encoder
 * as well. */
static void
test_resumed (void)
{
  g_autoptr (GobanBuilderTraining) whole = begin ("updates=6");
  g_autoptr (GobanBuilderTraining) half = begin ("updates=6");
  g_autoptr (GobanBuilderTraining) other = NULL;
  g_autoptr (GByteArray) saved = NULL;
  g_autoptr (GByteArray) a = NULL;
  g_autoptr (GByteArray) b = NULL;
  g_autoptr (GError) error = NULL;

  step (whole, 6);
  step (half, 3);
  saved = goban_learning_run_write (&half->base);
  other = goban_learning_run_read (&goban_builder_training_kind, saved->data, saved->len,
                                   "half.run", &error);
  g_assert_no_error (error);
  step (other, 3);
  g_assert_true (goban_learning_run_is_done (&other->base));
  a = goban_learning_run_write (&whole->base);
  b = goban_learning_run_write (&other->base);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
}

typedef struct
{
  const char *changes;
  guint n_steps;
  GByteArray *bytes[8]; /* of each rank's run */
} Shared;

static void
step_shared (GobanRanks *ranks, gpointer data)
{
  Shared *self = data;
  g_autoptr (GobanBuilderTraining) run = begin (self->changes);

  run->ranks = ranks;
  step (run, self->n_steps);
  self->bytes[goban_ranks_get_rank (ranks)] = goban_learning_run_write (&run->base);
}

/* Divided among any number of ranks, more than there is work for included: the same file on all of
 * them. */
static void
test_ranks (void)
{
  static const char *const changes[]
      = { "updates=3,embedding=0,attention=0,modulation=0,devices=0,actions=0",
          "updates=3,imitations=1" };
  static const guint sizes[] = { 3, 8 };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      Shared shared = { changes[i], 3, { NULL } };
      g_autoptr (GByteArray) alone = NULL;

      step_shared (NULL, &shared);
      alone = g_steal_pointer (&shared.bytes[0]);
      for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          thread_ranks_run (sizes[k], step_shared, &shared);
          for (guint r = 0; r < sizes[k]; r++)
            {
              g_assert_cmpmem (shared.bytes[r]->data, shared.bytes[r]->len, alone->data,
                               alone->len);
              g_clear_pointer (&shared.bytes[r], g_byte_array_unref);
            }
        }
    }
}

/* Any byte changed, or cut off anywhere, is refused with the file's name. */
static void
test_damaged (void)
{
  g_autoptr (GobanBuilderTraining) run = begin ("updates=2");
  g_autoptr (GByteArray) bytes = NULL;

  step (run, 2);
  bytes = goban_learning_run_write (&run->base);
  for (gsize size = 0; size < bytes->len; size += 997)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_learning_run_read (&goban_builder_training_kind, bytes->data, size,
                                              "cut.run", &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, "cut.run"));
    }
  for (gsize at = 0; at < bytes->len; at += 1009)
    {
      g_autoptr (GError) error = NULL;

      bytes->data[at] ^= 1;
      g_assert_null (goban_learning_run_read (&goban_builder_training_kind, bytes->data, bytes->len,
                                              "bad.run", &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      bytes->data[at] ^= 1;
    }
}

/* The curve has a point for every update; trials are where they are due, and at the beginning. */
static void
test_curve (void)
{
  g_autoptr (GobanBuilderTraining) run = begin ("updates=4");
  const GArray *points;

  step (run, 4);
  points = run->base.points;
  g_assert_cmpuint (points->len, ==, 4);
  g_assert_true (g_array_index (points, GobanBuilderPoint, 0).imitates);
  g_assert_false (g_array_index (points, GobanBuilderPoint, 3).imitates);
  g_assert_false (isnan (run->first.valid_greedy));
  for (guint i = 0; i < points->len; i++)
    {
      const GobanBuilderPoint *point = &g_array_index (points, GobanBuilderPoint, i);

      g_assert_cmpint (isnan (point->valid_greedy), ==,
                       point->update % 3 != 0 && point->update != 4);
      g_assert_cmpfloat (point->top_share, >=, point->even_share - 1e-9);
      g_assert_cmpfloat (point->entropy, >=, 0);
      g_assert_true (isfinite (point->gradient_norm));
    }
  g_assert_true (isfinite (run->base.best_score));
}

/* Turns a network round: what it liked best it likes least. Nothing is learnt at a rate of 0. */
static void
destroy (GobanBuilderTraining *run)
{
  GobanBuilderNet *const nets[] = { run->base.net, run->base.average };

  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    for (guint f = 0; f < GOBAN_CHOICE_N; f++)
      goban_builder_net_get_decoder (nets[i]).scorer.linear[f] *= -1;
}

/* When the network becomes worse the initial one is kept, and said to be. */
static void
test_kept_start (void)
{
  g_autoptr (GobanBuilderTraining) run = begin ("updates=6,rate=0,last-rate=0,average=0,seed=3");
  g_autoptr (GobanBuilderTraining) start = begin ("updates=6,seed=3");
  g_autoptr (GByteArray) kept = NULL;
  g_autoptr (GByteArray) initial = NULL;
  const GobanBuilderPoint *first;
  const GobanBuilderPoint *last;

  step (run, 1);
  destroy (run);
  step (run, 5);
  first = &run->first;
  last = &g_array_index (run->base.points, GobanBuilderPoint, 5);
  g_test_message ("%.3f, %.3f at first, %.3f, %.3f at last", first->valid_greedy, first->valid_best,
                  last->valid_greedy, last->valid_best);
  g_assert_cmpfloat (last->valid_greedy * last->valid_best, >,
                     first->valid_greedy * first->valid_best);
  g_assert_cmpfloat (run->base.best_score, ==, sqrt (first->valid_greedy * first->valid_best));
  kept = goban_params_write (goban_learning_run_get_net (&run->base)->params);
  initial = goban_params_write (start->base.best->params);
  g_assert_cmpmem (kept->data, kept->len, initial->data, initial->len);
}

/* Stopped before its first validation, a run has nothing to compare: the network is the present
 * one. */
static void
test_stopped_early (void)
{
  g_autoptr (GobanBuilderTraining) run = begin ("updates=6,every=4");

  step (run, 2);
  g_assert_true (isnan (run->base.best_score));
  g_assert_true (goban_learning_run_get_net (&run->base) == run->base.average);
}

/* Of whatever problem, the mean reward rises. */
static void
test_learns (void)
{
  guint n_seeds = test_rounds (5);
  double rise = 0;

  for (guint seed = 0; seed < n_seeds; seed++)
    {
      g_autofree char *changes = g_strdup_printf ("seed=%u,updates=60,lessons=1,problems=1,"
                                                  "rollouts=8,imitations=0,every=1000",
                                                  seed);
      g_autoptr (GobanBuilderTraining) run = begin (changes);
      const GArray *points = run->base.points;
      double first = 0, last = 0;

      step (run, 60);
      for (guint i = 0; i < 15; i++)
        {
          first += g_array_index (points, GobanBuilderPoint, i).reward / 15;
          last += g_array_index (points, GobanBuilderPoint, 45 + i).reward / 15;
        }
      g_test_message ("mean reward %.3f at first, %.3f at last", first, last);
      g_assert_cmpfloat (last, >, first);
      rise += (last - first) / n_seeds;
    }
  g_assert_cmpfloat (rise, >, TEST_IS_SANITIZED ? 0 : 0.1);
}

/* The mean is 0 and the order that of the rewards; with a risk the best weighs more than the worst,
 * and as much in the mean of squares. */
static void
test_advantages (void)
{
  static const double rewards[] = { 0.1, -0.3, 0.4, 0.2, -0.1 };
  double plain[5], risky[5], alike[3] = { 0.2, 0.2, 0.2 };
  double sum[2] = { 0, 0 }, squares[2] = { 0, 0 };

  memcpy (plain, rewards, sizeof plain);
  memcpy (risky, rewards, sizeof risky);
  goban_builder_training_weigh (plain, 5, 0);
  goban_builder_training_weigh (risky, 5, 1.5);
  for (guint i = 0; i < 5; i++)
    {
      sum[0] += plain[i];
      sum[1] += risky[i];
      squares[0] += plain[i] * plain[i];
      squares[1] += risky[i] * risky[i];
      for (guint k = 0; k < 5; k++)
        {
          g_assert_true ((plain[i] < plain[k]) == (rewards[i] < rewards[k]));
          g_assert_true ((risky[i] < risky[k]) == (rewards[i] < rewards[k]));
        }
    }
  g_assert_cmpfloat_with_epsilon (sum[0], 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (sum[1], 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (squares[0], squares[1], 1e-6);
  g_assert_cmpfloat (risky[2] / -risky[1], >, 1.5 * plain[2] / -plain[1]);

  goban_builder_training_weigh (alike, 3, 1.5);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (alike[i], ==, 0);
}

/* A network that is certain of everything is said to have collapsed; a new one is not. */
static void
test_warning (void)
{
  g_autoptr (GobanBuilderTraining) run = begin ("updates=50,imitations=0,rate=0,every=1000");

  step (run, 20);
  g_assert_null (goban_builder_training_get_warning (run));
  goban_builder_net_get_decoder (run->base.net).scorer.linear[GOBAN_CHOICE_LATE_START] = -1e6f;
  goban_builder_net_get_decoder (run->base.net).scorer.linear[GOBAN_CHOICE_LAST] = 1e7f;
  step (run, 20);
  g_assert_nonnull (goban_builder_training_get_warning (run));
  g_assert_nonnull (strstr (goban_builder_training_get_warning (run), "collapsed"));
}

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

/* Stopped at any time, it goes on as if it had not been. */
static void
test_cancelled (void)
{
  g_autoptr (GobanBuilderTraining) whole = begin ("updates=4");
  g_autoptr (GByteArray) a = NULL;

  step (whole, 4);
  a = goban_learning_run_write (&whole->base);
  for (guint stops_at = 1, n_stopped = 1; n_stopped > 0; stops_at += TEST_IS_SANITIZED ? 5 : 1)
    {
      g_autoptr (GobanBuilderTraining) run = begin ("updates=4");
      g_autoptr (GError) error = NULL;
      g_autoptr (GByteArray) b = NULL;
      Questions questions = { .stops_at = stops_at };
      GobanProgress progress = { .should_stop = stop, .user_data = &questions };

      while (!goban_learning_run_is_done (&run->base)
             && goban_learning_run_step (&run->base, &progress, &error))
        ;
      if (error != NULL)
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      n_stopped = questions.n_asked >= stops_at;
      g_clear_error (&error);
      while (!goban_learning_run_is_done (&run->base))
        {
          g_assert_true (goban_learning_run_step (&run->base, NULL, &error));
          g_assert_no_error (error);
        }
      b = goban_learning_run_write (&run->base);
      /* Validations that were cancelled are made up for. */
      g_assert_cmpmem (a->data, a->len, b->data, b->len);
    }
}

TEST_PROGRAM (builder_training)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/builder-training/config", test_config);
  g_test_add_func ("/rl/builder-training/resumed-to-the-same-bytes", test_resumed);
  g_test_add_func ("/rl/builder-training/ranks", test_ranks);
  g_test_add_func ("/rl/builder-training/damaged-files", test_damaged);
  g_test_add_func ("/rl/builder-training/curve", test_curve);
  g_test_add_func ("/rl/builder-training/kept-start", test_kept_start);
  g_test_add_func ("/rl/builder-training/stopped-early", test_stopped_early);
  g_test_add_func ("/rl/builder-training/learns", test_learns);
  g_test_add_func ("/rl/builder-training/advantages", test_advantages);
  g_test_add_func ("/rl/builder-training/says-when-it-collapses", test_warning);
  g_test_add_func ("/rl/builder-training/cancelled", test_cancelled);
  return g_test_run ();
}
