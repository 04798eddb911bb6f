/* test-move-net.c: files of one kind of scorer are no files of another, and hand-set weights are a
 * linear rule. */
#include "engine/learn/policy/move-features.h"

#include "engine/core/error.h"
#include "engine/learn/policy/builder-net.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
new_path (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (g_get_tmp_dir (), "goban-moves-XXXXXX", NULL);
  int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, &error);
  return path;
}

static void
score (const GobanScorerNet *net, const float *x, float *scores)
{
  const float facts[GOBAN_PROFILE_N] = { 0.3f, 0.7f, 0.1f, 0.5f, 0.4f, 0.2f, 1, 0 };

  goban_scorer_forward (&net->scorer, scores, x, facts, 2);
}

static void
test_file (void)
{
  g_autofree char *path = new_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanScorerNet) net = NULL;
  g_autoptr (GobanScorerNet) copy = NULL;
  g_autoptr (GobanScorerNet) read = NULL;
  float x[2 * GOBAN_MOVE_N_FEATURES], a[2], b[2], c[2];
  GobanRng rng;

  goban_rng_init (&rng, 8);
  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    x[i] = (float) goban_rng_uniform (&rng);
  net = goban_move_net_new (&rng);
  copy = goban_scorer_net_copy (net);
  g_assert_true (goban_scorer_net_save (net, path, &error));
  read = goban_move_net_load (path, &error);
  g_assert_no_error (error);
  score (net, x, a);
  score (copy, x, b);
  score (read, x, c);
  g_assert_cmpmem (a, sizeof a, b, sizeof b);
  g_assert_cmpmem (a, sizeof a, c, sizeof c);
  g_unlink (path);
}

static void
test_kinds (void)
{
  g_autofree char *path = new_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) other = NULL;
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
  g_autoptr (GobanBuilderNet) builder = NULL;
  GobanRng rng;

  g_assert_true (goban_scorer_net_save (hand, path, &error));
  g_assert_null (goban_builder_net_load (path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, path));

  goban_rng_init (&rng, 8);
  builder = goban_builder_net_new (0, &rng);
  g_assert_true (goban_builder_net_save (builder, path, NULL));
  g_assert_null (goban_move_net_load (path, &other));
  g_assert_error (other, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_unlink (path);
}

/* Nothing but the linear part counts: scores of sums are sums of scores. */
static void
test_by_hand (void)
{
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
  const float *linear = hand->scorer.linear;

  for (guint i = 0; i < GOBAN_MOVE_N_FEATURES; i++)
    {
      float x[2 * GOBAN_MOVE_N_FEATURES] = { 0 };
      float scores[2];

      x[i] = 1;
      score (hand, x, scores);
      g_assert_cmpfloat ((double) scores[0], ==, (double) linear[i]);
      g_assert_cmpfloat ((double) scores[1], ==, 0);
    }
  g_assert_cmpfloat ((double) linear[GOBAN_MOVE_TRANSFERS], <, 0);
}

TEST_PROGRAM (move_net)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/move-net/file", test_file);
  g_test_add_func ("/policy/move-net/kinds", test_kinds);
  g_test_add_func ("/policy/move-net/by-hand", test_by_hand);
  return g_test_run ();
}
