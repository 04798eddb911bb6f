#include "engine/study/run/recorded-run.h"

#include "engine/study/run/run-private.h"

#include <string.h>

GobanRun *
goban_run_new_recorded (GobanTrace *trace, const char *name)
{
  g_autoptr (GobanRunSource) source = NULL;

  g_return_val_if_fail (trace != NULL, NULL);

  source = goban_run_source_new (goban_trace_get_costs (trace), goban_trace_get_plan (trace), name);
  source->recorded = goban_trace_ref (trace);
  return goban_run_source_get_run (source);
}

gboolean
goban_run_is_recorded (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->source->recorded != NULL;
}

char *
goban_run_dup_plan_name (GobanRun *self)
{
  const char *name = goban_run_get_name (self);

  if (!goban_run_is_recorded (self) || !g_str_has_suffix (name, GOBAN_MEASURED_SUFFIX))
    return g_strdup (name);
  return g_strndup (name, strlen (name) - strlen (GOBAN_MEASURED_SUFFIX));
}
