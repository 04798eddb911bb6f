/* Pre-training on graphs of a dozen nodes: same bytes, batches in turn, nothing of what is left
 * out. */
#include "engine/learn/rl/go/pretrain-private.h"

#include "engine/core/error.h"
#include "engine/learn/rl/go/pretrain-results.h"
#include "tests/learn/small-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"

#include <math.h>
#include <string.h>

static void
run_to_end (GobanPretrain *run)
{
  small_run_make (run, G_MAXUINT);
}

static void
test_same_seed_same_bytes (void)
{
  g_autoptr (GobanPretrain) a = small_run_new ("seed=3", NULL);
  g_autoptr (GobanPretrain) b = small_run_new ("seed=3", NULL);
  g_autoptr (GobanPretrain) c = small_run_new ("seed=4", NULL);

  run_to_end (a);
  run_to_end (b);
  run_to_end (c);
  g_assert_cmpuint (goban_pretrain_get_step (a), ==, SMALL_RUN_STEPS);
  g_assert_true (small_run_is_same (a, b));
  g_assert_false (small_run_is_same (a, c));
}

static void
test_trials_change_nothing (void)
{
  g_autoptr (GobanPretrain) often = small_run_new ("every=1", NULL);
  g_autoptr (GobanPretrain) at_the_end = small_run_new ("every=0", NULL);

  run_to_end (often);
  run_to_end (at_the_end);
  g_assert_true (small_run_is_same (often, at_the_end));
  g_assert_cmpuint (goban_pretrain_get_trials (often)->len, ==, SMALL_RUN_STEPS + 1);
  g_assert_cmpuint (goban_pretrain_get_trials (at_the_end)->len, ==, 1);
  g_assert_cmpfloat (
      goban_pretrain_get_trial_mean (often), ==,
      g_array_index (goban_pretrain_get_trials (at_the_end), GobanCurveTrial, 0).expert_ratio);
}

/* With room for one problem at a time, all are made again and again. */
static void
test_memory_changes_nothing (void)
{
  g_autoptr (GobanPretrain) rich = small_run_new ("every=2", NULL);
  g_autoptr (GobanPretrain) poor = small_run_new ("every=2", NULL);
  gsize used;

  goban_pretrain_set_cache (poor, 1);
  run_to_end (rich);
  run_to_end (poor);
  g_assert_cmpuint (goban_problem_cache_get_n_kept (poor->cache), ==, 1);
  g_assert_cmpuint (goban_problem_cache_get_n_kept (rich->cache), ==, 4);
  g_assert_true (small_run_is_same (rich, poor));

  used = goban_problem_cache_get_used_bytes (rich->cache);
  goban_pretrain_set_cache (rich, used - 1);
  g_assert_cmpuint (goban_problem_cache_get_n_kept (rich->cache), ==, 3);
  g_assert_cmpuint (goban_problem_cache_get_used_bytes (rich->cache), <, used);
}

static guint
get_lesson (const GobanPretrain *run, guint i)
{
  return g_array_index (goban_pretrain_get_points (run), GobanCurvePoint, i).lesson;
}

/* --- ranks ------------------------------------------------------------------------------------ */

typedef struct
{
  const char *settings;
  GobanPretrain *runs[4]; /* of each rank */
} Shared;

static void
make_shared (GobanRanks *ranks, gpointer data)
{
  Shared *self = data;
  GobanPretrain *run = small_run_new_validated (self->settings);

  goban_pretrain_set_ranks (run, ranks);
  goban_pretrain_set_cache (run, 1); /* and yet no graph of a step is dropped */
  small_run_make (run, 3);
  self->runs[goban_ranks_get_rank (ranks)] = run;
}

/* Steps on one graph, and on all three at once: the same networks, curves and scores on every rank
 * of any number. */
static void
test_ranks (void)
{
  static const char *const settings[]
      = { "graphs=3,batch-steps=3,steps=3,every=2,direct=1",
          "lessons=3,graphs=3,batch-steps=6,steps=3,every=2,direct=1,fellows=0" };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      Shared shared = { settings[i], { NULL } };
      g_autoptr (GobanPretrain) alone = NULL;
      guint most = TEST_IS_SANITIZED ? 2 : 2 + 2 * i;

      make_shared (NULL, &shared);
      alone = g_steal_pointer (&shared.runs[0]);
      g_assert_cmpuint (goban_pretrain_get_points (alone)->len, ==, i == 0 ? 3 : 9);
      for (guint size = 2; size <= most; size += 2)
        {
          thread_ranks_run (size, make_shared, &shared);
          for (guint r = 0; r < size; r++)
            {
              GobanPretrain *run = shared.runs[r];

              g_assert_true (small_run_is_same (alone, run));
              g_assert_cmpfloat (goban_pretrain_get_score (alone), ==,
                                 goban_pretrain_get_score (run));
              g_assert_cmpuint (goban_pretrain_get_trials (alone)->len, ==,
                                goban_pretrain_get_trials (run)->len);
              for (guint p = 0; p < goban_pretrain_get_points (alone)->len; p++)
                g_assert_cmpmem (
                    g_array_index (goban_pretrain_get_points (alone), GobanCurvePoint, p).values,
                    GOBAN_CURVE_SECONDS * sizeof (double),
                    g_array_index (goban_pretrain_get_points (run), GobanCurvePoint, p).values,
                    GOBAN_CURVE_SECONDS * sizeof (double));
              g_assert_cmpmem (alone->baselines, 3 * sizeof *alone->baselines, run->baselines,
                               3 * sizeof *run->baselines);
              goban_pretrain_free (run);
            }
        }
    }
}

/* Two graphs in turn for four steps, then two others; a baseline for each, of the rounds that
 * choose at once: every other one improves plans. */
static void
test_batches (void)
{
  g_autoptr (GobanPretrain) run = small_run_new ("graphs=2,batch-steps=4,steps=40", NULL);
  guint64 n_rewards[3] = { 0 };
  gboolean is_varied = FALSE;

  run_to_end (run);
  for (guint i = 0; i < 40; i++)
    {
      guint first = i / 4 * 4;

      g_assert_cmpuint (get_lesson (run, i), ==, get_lesson (run, first + (i - first) % 2));
      g_assert_cmpuint (get_lesson (run, first), !=, get_lesson (run, first + 1));
      is_varied = is_varied || get_lesson (run, i) + get_lesson (run, i ^ 1) != 1;
      if ((i - first) / 2 % 2 == 0)
        n_rewards[get_lesson (run, i)] += SMALL_RUN_ROLLOUTS;
    }
  g_assert_true (is_varied);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (run->baselines[i].n_rewards, ==, n_rewards[i]);
}

/* The whole way from a curriculum: no step is on a graph of the family, all trials are. */
static void
test_leaves_out (void)
{
  static const char *const left_out[] = { "wavenet", NULL };
  g_autoptr (GobanPretrain) run = small_run_new ("steps=12,every=6", left_out);
  const GobanCurriculum *curriculum = goban_pretrain_get_curriculum (run);

  run_to_end (run);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpstr (goban_curriculum_get_lesson (curriculum, get_lesson (run, i))->family, !=,
                     "wavenet");
  g_assert_cmpuint (goban_curriculum_get_n_lessons (curriculum), ==, 2);
  g_assert_cmpuint (goban_pretrain_get_trials (run)->len, ==, 3 * 2);
}

/* What is drawn at the end is shorter than what was drawn at the beginning. */
static void
test_learns (void)
{
  g_autoptr (GobanPretrain) run = small_run_new ("graphs=3,batch-steps=3,steps=90", NULL);
  double first = 0;
  double last = 0;

  run_to_end (run);
  for (guint i = 0; i < 15; i++)
    {
      const GArray *points = goban_pretrain_get_points (run);

      first += log (g_array_index (points, GobanCurvePoint, i).values[GOBAN_CURVE_MEAN]);
      last += log (
          g_array_index (points, GobanCurvePoint, points->len - 1 - i).values[GOBAN_CURVE_MEAN]);
    }
  g_test_message ("%g, then %g of the reference", exp (first / 15), exp (last / 15));
  g_assert_cmpfloat (last, <, first - 15 * 0.1);
}

/* The network is the one of the trial with the best score; a later one replaces it only if it is
 * better. */
static void
test_chooses_by_validation (void)
{
  g_autoptr (GobanPretrain) run = small_run_new_validated ("every=2,steps=16");
  g_autoptr (GByteArray) chosen = NULL;
  double best = INFINITY;

  while (!goban_pretrain_is_done (run) || goban_pretrain_wants_trials (run))
    {
      gboolean is_trial = goban_pretrain_wants_trials (run);
      g_autoptr (GError) error = NULL;

      if (is_trial)
        goban_pretrain_try (run, NULL, &error);
      else
        goban_pretrain_step (run, NULL, &error);
      g_assert_no_error (error);
      if (is_trial && goban_pretrain_get_score (run) < best)
        {
          best = goban_pretrain_get_score (run);
          g_assert_cmpuint (goban_pretrain_get_best_step (run), ==, goban_pretrain_get_step (run));
          g_clear_pointer (&chosen, g_byte_array_unref);
          chosen = goban_params_write (goban_net_get_params (goban_learner_get_net (run->learner)));
        }
      if (chosen != NULL)
        {
          g_autoptr (GByteArray) net
              = goban_params_write (goban_net_get_params (goban_pretrain_get_net (run)));

          g_assert_cmpmem (net->data, net->len, chosen->data, chosen->len);
        }
    }
  g_assert_cmpfloat (goban_pretrain_get_score (run), ==, best);
  g_assert_cmpfloat (best, <=, goban_pretrain_get_first_score (run));
}

/* A rate of 1 destroys the network. The initial one gets a perfect score, so that the destroyed one
 * cannot have a better one by chance: it is kept and reported as kept. */
static void
test_kept_start (void)
{
  g_autoptr (GobanPretrain) run
      = small_run_new_validated ("every=2,steps=4,rate=1,last-rate=1,seed=5");
  g_autoptr (GByteArray) initial
      = goban_params_write (goban_net_get_params (goban_pretrain_get_net (run)));
  g_autoptr (GByteArray) destroyed = NULL;
  g_autoptr (GByteArray) kept = NULL;

  small_run_make (run, 0);
  g_assert_cmpfloat (run->best_score, ==, run->first_score);
  g_assert_false (goban_pretrain_has_kept_start (run)); /* nothing was tried yet */
  run->best_score = run->first_score = 0;
  small_run_make (run, 4);
  g_assert_true (goban_pretrain_is_done (run));
  destroyed = goban_params_write (goban_net_get_params (goban_learner_get_net (run->learner)));
  kept = goban_params_write (goban_net_get_params (goban_pretrain_get_net (run)));
  g_assert_cmpmem (kept->data, kept->len, initial->data, initial->len);
  g_assert_cmpuint (destroyed->len, ==, initial->len);
  g_assert_cmpint (memcmp (destroyed->data, initial->data, initial->len), !=, 0);
  g_assert_true (goban_pretrain_has_kept_start (run));
  g_assert_cmpfloat (goban_pretrain_get_score (run), ==, 0);
  g_assert_cmpuint (goban_pretrain_get_best_step (run), ==, 0);
}

static void
test_validation_changes_nothing (void)
{
  g_autoptr (GobanPretrain) often = small_run_new_validated ("every=1");
  g_autoptr (GobanPretrain) never = small_run_new ("every=0", NULL);
  g_autoptr (GByteArray) a = NULL;
  g_autoptr (GByteArray) b = NULL;

  run_to_end (often);
  run_to_end (never);
  a = goban_params_write (goban_net_get_params (goban_learner_get_net (often->learner)));
  b = goban_params_write (goban_net_get_params (goban_learner_get_net (never->learner)));
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
}

static void
add_points (GobanPretrain *run, guint n, double entropy, double top_share)
{
  for (guint i = 0; i < n; i++)
    {
      GobanCurvePoint point = { 0 };

      point.values[GOBAN_CURVE_ENTROPY] = entropy;
      point.values[GOBAN_CURVE_TOP_SHARE] = top_share;
      g_array_append_val (run->points, point);
    }
}

/* Updates that change plans say nothing of it: few rows change in them whatever the network. */
static void
test_says_when_it_collapses (void)
{
  g_autoptr (GobanPretrain) run = small_run_new (NULL, NULL);

  add_points (run, 40, 1, 0.6);
  g_assert_null (goban_pretrain_get_warning (run));
  add_points (run, 19, 0.5, 1);
  add_points (run, 40, 1e-6, NAN);
  g_assert_null (goban_pretrain_get_warning (run));
  add_points (run, 1, 0.5, 1);
  g_assert_nonnull (strstr (goban_pretrain_get_warning (run), "one device"));
  add_points (run, 20, 1e-6, 0.6);
  g_assert_nonnull (strstr (goban_pretrain_get_warning (run), "nothing is left to chance"));
  add_points (run, 20, 0.01, 0.6);
  g_assert_null (goban_pretrain_get_warning (run));
}

/* Of whole plans the share of the device with most work is known, of changes it is not asked
 * for. */
static void
test_tells_of_devices (void)
{
  g_autoptr (GobanPretrain) run = small_run_new ("graphs=2,batch-steps=4,steps=8", NULL);

  run_to_end (run);
  for (guint i = 0; i < 8; i++)
    {
      double share = g_array_index (goban_pretrain_get_points (run), GobanCurvePoint, i)
                         .values[GOBAN_CURVE_TOP_SHARE];

      if (i / 2 % 2 == 1)
        g_assert_true (isnan (share));
      else
        g_assert_true (share > 0.25 && share <= 1.0001);
    }
}

static void
test_goes_on_from_a_network (void)
{
  g_autoptr (GobanPretrain) taught = small_run_new (NULL, NULL);
  g_autoptr (GobanPretrain) fine = NULL;
  g_autoptr (GError) error = NULL;
  GobanPretrainConfig config = small_run_config ("width=32");
  GobanParams *params;

  run_to_end (taught);
  fine = goban_pretrain_new (&config, small_run_curriculum (NULL),
                             goban_net_copy (goban_pretrain_get_net (taught)), &error);
  g_assert_no_error (error);
  g_assert_true (small_run_is_same_values (taught, fine));
  params = goban_net_get_params (goban_pretrain_get_net (fine));
  g_assert_cmpuint (goban_params_get_n_steps (params), ==, 0);
  g_assert_cmpfloat (*goban_params_square (params, 0), ==, 0);
  g_assert_cmpint (goban_pretrain_get_config (fine)->go.net.width, ==, 16);
  run_to_end (fine);
  g_assert_false (small_run_is_same_values (taught, fine));

  config = small_run_config ("decisions=scheduling");
  g_assert_null (goban_pretrain_new (&config, small_run_curriculum (NULL),
                                     goban_net_copy (goban_pretrain_get_net (taught)), &error));
  g_assert_cmpstr (error->message, ==,
                   "the network to go on with decides placement, not scheduling");
}

/* An end by the clock is one, and moves the schedules. */
static void
test_ends_by_the_clock (void)
{
  g_autoptr (GobanPretrain) run = small_run_new ("steps=0,seconds=0.05", NULL);

  g_assert_cmpfloat (goban_pretrain_get_fraction (run), ==, 0);
  run_to_end (run);
  g_assert_cmpfloat (goban_pretrain_get_seconds (run), >=, 0.05);
  g_assert_cmpfloat (goban_pretrain_get_fraction (run), ==, 1);

  g_clear_pointer (&run, goban_pretrain_free);
  run = small_run_new ("steps=0,seconds=1e-9,every=1", NULL);
  run_to_end (run);
  g_assert_cmpuint (goban_pretrain_get_step (run), ==, 1);
}

static gboolean
stop_cb (gpointer user_data)
{
  return TRUE;
}

/* A cancelled construction of a problem leaves the run unchanged. */
static void
test_is_whole_after_a_stop (void)
{
  g_autoptr (GobanPretrain) stopped = small_run_new ("every=2", NULL);
  g_autoptr (GobanPretrain) other = small_run_new ("every=2", NULL);
  const GobanProgress stop = { .should_stop = stop_cb };
  g_autoptr (GError) error = NULL;

  goban_pretrain_set_cache (stopped, 1);
  while (!goban_pretrain_is_done (stopped) || goban_pretrain_wants_trials (stopped))
    {
      if (goban_pretrain_wants_trials (stopped))
        {
          g_assert_false (goban_pretrain_try (stopped, &stop, &error));
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
          g_clear_error (&error);
        }
      else if (!goban_pretrain_step (stopped, &stop, &error))
        {
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
          g_clear_error (&error);
        }
      small_run_make (stopped, 1);
    }
  run_to_end (other);
  g_assert_cmpuint (goban_pretrain_get_trials (stopped)->len, ==,
                    goban_pretrain_get_trials (other)->len);
  g_assert_true (small_run_is_same (stopped, other));
}

/* --- configurations -------------------------------------------------------------------------- */

static void
test_reads_back_its_text (void)
{
  static const char *const texts[]
      = { "", "preset=paper",
          "preset=paper,width=24,seed=18446744073709551615,start=all,order=ranks,fuse=default",
          "seconds=0.1,rate=1e-7,clip-norm=0.30000000000000004,decisions=placement+fusion" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      GobanPretrainConfig config, again;
      g_autofree char *text = NULL;
      g_autofree char *other = NULL;

      g_assert_true (goban_pretrain_config_parse (texts[i], &config, &error));
      g_assert_no_error (error);
      text = goban_pretrain_config_to_text (&config);
      g_assert_true (goban_pretrain_config_parse (text, &again, &error));
      g_assert_no_error (error);
      other = goban_pretrain_config_to_text (&again);
      g_assert_cmpstr (text, ==, other);
      g_assert_cmpfloat (config.go.ppo.rate, ==, again.go.ppo.rate);
      g_assert_cmpuint (config.seed, ==, again.seed);
    }
}

/* A preset is the whole preset, of the network too. */
static void
test_presets (void)
{
  GobanPretrainConfig paper = goban_pretrain_config_paper ();
  g_autofree char *whole = goban_pretrain_config_to_text (&paper);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GobanPretrainConfig config;

  g_assert_cmpuint (paper.n_batch_steps, ==, 1000);
  g_assert_true (goban_pretrain_config_parse ("preset=paper", &config, &error));
  text = goban_pretrain_config_to_text (&config);
  g_assert_cmpstr (text, ==, whole);
}

/* The same for the default preset, named or not: pre-training has other settings than runs on one
 * graph. */
static void
test_usual_preset (void)
{
  static const char *const texts[] = { NULL, "", "preset=goban", " preset=goban,seed=0" };
  GobanPretrainConfig usual = goban_pretrain_config_goban ();
  g_autofree char *whole = goban_pretrain_config_to_text (&usual);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;
      GobanPretrainConfig config;

      g_assert_true (goban_pretrain_config_parse (texts[i], &config, &error));
      text = goban_pretrain_config_to_text (&config);
      g_assert_cmpstr (text, ==, whole);
    }
}

static void
test_refuses_settings (void)
{
  static const char *const wrong[]
      = { "steps=-1", "steps=1.5",     "seed=x",    "seconds=-1",           "seconds=inf",
          "graphs=0", "batch-steps=0", "lessons=0", "lessons=2,direct=0.5", "rate=2",
          "nix=3",    "width=0",       "every=" };
  static const char *const left_out[] = { "rnnlm", "wavenet", "gnmt", NULL };
  g_autoptr (GError) error = NULL;
  GobanPretrainConfig config = small_run_config (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      GobanPretrainConfig parsed;

      g_test_message ("%s", wrong[i]);
      g_assert_false (goban_pretrain_config_parse (wrong[i], &parsed, &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  g_assert_null (goban_pretrain_new (&config, small_run_curriculum (left_out), NULL, &error));
  g_assert_cmpstr (error->message, ==, "there is no graph left to learn on");
  g_clear_error (&error);
  config.n_steps = 0;
  g_assert_null (goban_pretrain_new (&config, small_run_curriculum (NULL), NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

TEST_PROGRAM (pretrain)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/pretrain/same-seed-same-bytes", test_same_seed_same_bytes);
  g_test_add_func ("/rl/pretrain/trials-change-nothing", test_trials_change_nothing);
  g_test_add_func ("/rl/pretrain/memory-changes-nothing", test_memory_changes_nothing);
  g_test_add_func ("/rl/pretrain/ranks", test_ranks);
  g_test_add_func ("/rl/pretrain/batches", test_batches);
  g_test_add_func ("/rl/pretrain/leaves-out", test_leaves_out);
  g_test_add_func ("/rl/pretrain/learns", test_learns);
  g_test_add_func ("/rl/pretrain/chooses-by-validation", test_chooses_by_validation);
  g_test_add_func ("/rl/pretrain/kept-start", test_kept_start);
  g_test_add_func ("/rl/pretrain/validation-changes-nothing", test_validation_changes_nothing);
  g_test_add_func ("/rl/pretrain/says-when-it-collapses", test_says_when_it_collapses);
  g_test_add_func ("/rl/pretrain/tells-of-devices", test_tells_of_devices);
  g_test_add_func ("/rl/pretrain/goes-on-from-a-network", test_goes_on_from_a_network);
  g_test_add_func ("/rl/pretrain/ends-by-the-clock", test_ends_by_the_clock);
  g_test_add_func ("/rl/pretrain/is-whole-after-a-stop", test_is_whole_after_a_stop);
  g_test_add_func ("/rl/pretrain/reads-back-its-text", test_reads_back_its_text);
  g_test_add_func ("/rl/pretrain/presets", test_presets);
  g_test_add_func ("/rl/pretrain/usual-preset", test_usual_preset);
  g_test_add_func ("/rl/pretrain/refuses-settings", test_refuses_settings);
  return g_test_run ();
}
