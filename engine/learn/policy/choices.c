#include "engine/learn/policy/choices.h"

#include "engine/learn/policy/net-private.h"

GobanChoices *
goban_choices_new (const GobanNetConfig *config, guint n_rows)
{
  GobanChoices *self = g_new0 (GobanChoices, 1);

  self->n_rows = n_rows;
  self->n_iterations = config->n_iterations;
  self->decisions = config->decisions;
  for (int t = 0; t < config->n_iterations; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      if (goban_net_config_has_task (config, (GobanTask) task))
        self->chosen[t][task] = g_new0 (guint32, n_rows);
  return self;
}

void
goban_choices_free (GobanChoices *self)
{
  for (int t = 0; t < GOBAN_NET_MAX_ITERATIONS; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      g_free (self->chosen[t][task]);
  g_free (self);
}
