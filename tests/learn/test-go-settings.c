/* What can be chosen about GO, as text: there and back, and what is refused. */
#include "engine/learn/rl/go/learner.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <string.h>

static GobanGoSettings
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GobanGoSettings settings;

  goban_go_settings_parse (&settings, text, &error);
  g_assert_no_error (error);
  return settings;
}

static void
check_round_trip (const GobanGoSettings *settings)
{
  g_autofree char *text = goban_go_settings_to_text (settings);
  GobanGoSettings again = parse (text);
  g_autofree char *back = goban_go_settings_to_text (&again);

  g_assert_cmpstr (text, ==, back);
}

static void
test_presets (void)
{
  const GobanGoSettings goban = goban_go_settings_goban (), paper = goban_go_settings_paper ();
  GobanGoSettings parsed = parse (NULL);
  g_autofree char *usual = goban_go_settings_to_text (&parsed);
  g_autofree char *of_goban = goban_go_settings_to_text (&goban);
  g_autofree char *of_paper = goban_go_settings_to_text (&paper);
  g_autofree char *by_name = NULL;

  g_assert_cmpstr (usual, ==, of_goban);
  g_assert_cmpstr (of_goban, !=, of_paper);
  parsed = parse ("preset=paper");
  by_name = goban_go_settings_to_text (&parsed);
  g_assert_cmpstr (by_name, ==, of_paper);
  g_assert_cmpuint (goban.net.decisions, ==, GOBAN_TASKS_DEFAULT);
  g_assert_cmpuint (paper.net.decisions, ==, GOBAN_TASKS_DEFAULT);
  check_round_trip (&goban);
  check_round_trip (&paper);
}

/* Every key once, to something else than either preset has. */
static void
test_every_key (void)
{
  static const char text[]
      = "rate=0.0123,last-rate=0.1,rollouts=7,epochs=9,clip=0.31,entropy=0.123,last-entropy=3,"
        "credit=4.5,fellows=0,invalid-reward=-3.5,clip-norm=77,rows=12,order=fifo,fuse=default,"
        "width=24,heads=3";
  GobanGoSettings settings = parse (text);

  g_assert_cmpfloat (settings.ppo.rate, ==, 0.0123);
  g_assert_cmpfloat (settings.ppo.last_rate, ==, 0.1);
  g_assert_cmpuint (settings.ppo.n_rollouts, ==, 7);
  g_assert_cmpuint (settings.ppo.n_epochs, ==, 9);
  g_assert_cmpfloat (settings.ppo.clip, ==, 0.31);
  g_assert_cmpfloat (settings.ppo.entropy, ==, 0.123);
  g_assert_cmpfloat (settings.ppo.last_entropy, ==, 3);
  g_assert_cmpfloat (settings.ppo.credit, ==, 4.5);
  g_assert_false (settings.ppo.is_fellows);
  g_assert_cmpfloat (settings.ppo.invalid_reward, ==, -3.5);
  g_assert_cmpfloat (settings.ppo.clip_norm, ==, 77);
  g_assert_cmpuint (settings.n_rows, ==, 12);
  g_assert_cmpint (settings.order, ==, GOBAN_GO_ORDER_FIFO);
  g_assert_true (settings.fuses_alike);
  g_assert_cmpint (settings.net.width, ==, 24);
  g_assert_cmpint (settings.net.n_heads, ==, 3);
  check_round_trip (&settings);
}

/* What is not mentioned is the preset's, the network's too; a preset that comes late undoes
 * nothing. */
static void
test_changes (void)
{
  const GobanGoSettings paper = goban_go_settings_paper ();
  GobanGoSettings early = parse ("preset=paper,rate=0.5,width=32,heads=4");
  GobanGoSettings late = parse (" rate = 0.5 , width=32,heads=4,, preset = paper");
  g_autofree char *text = goban_go_settings_to_text (&early);
  g_autofree char *other = goban_go_settings_to_text (&late);

  g_assert_cmpstr (text, ==, other);
  g_assert_cmpfloat (early.ppo.rate, ==, 0.5);
  g_assert_cmpuint (early.ppo.n_rollouts, ==, paper.ppo.n_rollouts);
  g_assert_cmpint (early.net.width, ==, 32);
  g_assert_cmpint (early.net.is_sampled, ==, paper.net.is_sampled);
  g_assert_cmpint (early.net.n_attention, ==, paper.net.n_attention);
}

/* text, and what its message says */
static const char *const refused[][2] = {
  { "speed=3", "speed" },
  { "rate", "rate" },
  { "rate=", "rate" },
  { "rate=fast", "rate" },
  { "rate=0.1x", "rate" },
  { "rate=nan", "rate" },
  { "rate=-0.1", "rate" },
  { "rate=1.5", "from 0 to 1" },
  { "last-rate=inf", "last-rate" },
  { "rollouts=0", "rollouts" },
  { "rollouts=2.5", "whole" },
  { "rollouts=5000", "4096" },
  { "epochs=0", "epochs" },
  { "clip=0", "clip" },
  { "entropy=-1", "entropy" },
  { "credit=101", "credit" },
  { "fellows=2", "fellows" },
  { "invalid-reward=1", "invalid-reward" },
  { "rows=-1", "rows" },
  { "start=late", "start" },
  { "order=random", "fifo, ranks" },
  { "fuse=", "none, default" },
  { "preset=best", "preset=best" },
  { "width=0", "width" },
  { "heads=7", "heads" },
  { "=3,width=-4", "width" },
};

static void
test_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;
      GobanGoSettings settings = goban_go_settings_paper (), kept = settings;

      g_test_message ("%s", refused[i][0]);
      g_assert_false (goban_go_settings_parse (&settings, refused[i][0], &error));
      g_assert_true (g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                     || g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_PARSE));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, refused[i][1]));
      g_assert_cmpmem (&settings, sizeof settings, &kept, sizeof kept);
    }
}

/* The last of two counts; blanks and empty words do not. */
static void
test_twice (void)
{
  g_assert_cmpfloat (parse ("rate=0.1,,rate=0.2,").ppo.rate, ==, 0.2);
  g_assert_cmpfloat (parse (" , rate = 1e-1 ").ppo.rate, ==, 0.1);
}

TEST_PROGRAM (go_settings)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go-settings/presets", test_presets);
  g_test_add_func ("/rl/go-settings/every-key", test_every_key);
  g_test_add_func ("/rl/go-settings/changes-of-a-preset", test_changes);
  g_test_add_func ("/rl/go-settings/refused", test_refused);
  g_test_add_func ("/rl/go-settings/twice", test_twice);
  return g_test_run ();
}
