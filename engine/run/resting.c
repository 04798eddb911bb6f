#include "engine/run/resting.h"

#include "engine/run/run-private.h"
#include "engine/run/slack.h"
#include "engine/sim/simulator.h"

void
goban_run_rest (GobanRun *self)
{
  g_return_if_fail (GOBAN_IS_RUN (self));

  if (self->trace == NULL)
    return;

  self->resting = goban_plan_ref (goban_trace_get_plan (self->trace));
  g_clear_pointer (&self->trace, goban_trace_unref);
  goban_run_forget_slacks (self);
}

void
goban_run_wake (GobanRun *self)
{
  g_return_if_fail (GOBAN_IS_RUN (self));

  if (self->trace != NULL)
    return;

  self->trace = goban_simulate (self->costs, self->resting);
  g_clear_pointer (&self->resting, goban_plan_unref);
}

gboolean
goban_run_is_resting (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), FALSE);

  return self->trace == NULL;
}
