#include "tests/learn/small-run.h"

#include <string.h>

GobanPretrainConfig
small_run_config (const char *settings)
{
  static const char usual[]
      = "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rate=2e-3,last-rate=5e-4,"
        "entropy=0.01,last-entropy=0.001";
  g_autoptr (GError) error = NULL;
  GobanPretrainConfig config;
  gboolean has_width = settings != NULL && strstr (settings, "width=") != NULL;
  g_autofree char *text = g_strdup_printf ("%s,%s", has_width ? strchr (usual, ',') + 1 : usual,
                                           settings != NULL ? settings : "seed=0");
  gboolean says_steps = settings != NULL && strstr (settings, "steps=") != NULL;
  gboolean says_graphs = settings != NULL && strstr (settings, "graphs=") != NULL;

  goban_pretrain_config_parse (text, &config, &error);
  g_assert_no_error (error);
  config.go.ppo.n_rollouts = SMALL_RUN_ROLLOUTS;
  config.go.n_rows = 24;
  if (settings == NULL || strstr (settings, "direct=") == NULL)
    config.go.direct = 0;
  if (!says_steps)
    config.n_steps = SMALL_RUN_STEPS;
  if (!says_graphs)
    {
      config.n_graphs = 2;
      config.n_batch_steps = 4;
    }
  if (settings == NULL || strstr (settings, "every=") == NULL)
    config.try_every = 0;
  return config;
}

GobanCurriculum *
small_run_curriculum (const char *const *left_out)
{
  g_autoptr (GError) error = NULL;
  GobanCurriculum *curriculum = goban_curriculum_new (left_out, &error);

  g_assert_no_error (error);
  goban_curriculum_add (curriculum, "rnnlm:granularity=coarse,layers=3", "p100x2");
  goban_curriculum_add (curriculum, "wavenet:granularity=coarse,layers=4", "v100x3");
  goban_curriculum_add (curriculum, "gnmt:granularity=coarse,layers=1,steps=2",
                        "p100x4,bandwidth=3GB/s");
  goban_curriculum_add_trial (curriculum, "rnnlm:granularity=coarse,layers=5", "p100x4");
  return curriculum;
}

GobanPretrain *
small_run_new (const char *settings, const char *const *left_out)
{
  GobanPretrainConfig config = small_run_config (settings);
  g_autoptr (GError) error = NULL;
  GobanPretrain *run = goban_pretrain_new (&config, small_run_curriculum (left_out), NULL, &error);

  g_assert_no_error (error);
  return run;
}

GobanPretrain *
small_run_new_validated (const char *settings)
{
  GobanPretrainConfig config = small_run_config (settings);
  GobanCurriculum *curriculum = small_run_curriculum (NULL);
  g_autoptr (GError) error = NULL;
  GobanPretrain *run;

  goban_curriculum_add_validation (curriculum, "rnnlm:granularity=coarse,layers=4", "p100x2");
  goban_curriculum_add_validation (curriculum, "wavenet:granularity=coarse,layers=6", "v100x3");
  run = goban_pretrain_new (&config, curriculum, NULL, &error);
  g_assert_no_error (error);
  return run;
}

void
small_run_make (GobanPretrain *run, guint n_steps)
{
  g_autoptr (GError) error = NULL;
  guint n = 0;

  while (TRUE)
    {
      if (goban_pretrain_wants_trials (run))
        goban_pretrain_try (run, NULL, &error);
      else if (n < n_steps && !goban_pretrain_is_done (run))
        {
          goban_pretrain_step (run, NULL, &error);
          n++;
        }
      else
        return;
      g_assert_no_error (error);
    }
}

gboolean
small_run_is_same (GobanPretrain *a, GobanPretrain *b)
{
  g_autoptr (GByteArray) of_a
      = goban_params_write (goban_net_get_params (goban_pretrain_get_net (a)));
  g_autoptr (GByteArray) of_b
      = goban_params_write (goban_net_get_params (goban_pretrain_get_net (b)));

  return of_a->len == of_b->len && memcmp (of_a->data, of_b->data, of_a->len) == 0;
}

gboolean
small_run_is_same_values (GobanPretrain *a, GobanPretrain *b)
{
  GobanParams *of_a = goban_net_get_params (goban_pretrain_get_net (a));
  GobanParams *of_b = goban_net_get_params (goban_pretrain_get_net (b));

  if (goban_params_get_total (of_a) != goban_params_get_total (of_b))
    return FALSE;
  for (guint t = 0; t < goban_params_get_n_tensors (of_a); t++)
    if (memcmp (goban_params_value (of_a, t), goban_params_value (of_b, t),
                goban_params_get_size (of_a, t) * sizeof (float))
        != 0)
      return FALSE;
  return TRUE;
}
