#include "engine/session/session-drawing.h"

#include "engine/core/i18n.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/study/run/derivation.h"
#include "engine/study/run/policy-run.h"

/* Fast, and it has decisions to step through. */
#define POLICY "heft"

static const char *const names[] = {
  [GOBAN_DRAW_ADD] = N_ ("add an op"),          [GOBAN_DRAW_SET] = N_ ("change an op"),
  [GOBAN_DRAW_REMOVE] = N_ ("delete an op"),    [GOBAN_DRAW_CONNECT] = N_ ("connect two ops"),
  [GOBAN_DRAW_DISCONNECT] = N_ ("cut an edge"),
};

gboolean
goban_session_is_drawing (GobanSession *self)
{
  GobanGraph *graph;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  graph = goban_session_get_graph (self);
  return graph != NULL && goban_drawing_is (graph);
}

gboolean
goban_session_draw (GobanSession *self, const GobanDrawChange *change, GError **error)
{
  GobanRunOptions options = { .decisions = GOBAN_TASKS_DEFAULT };
  g_autoptr (GobanGraph) changed = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *edit = NULL;
  g_autofree char *code = NULL;

  g_return_val_if_fail (goban_session_is_drawing (self), FALSE);

  changed = goban_drawing_change (goban_session_get_graph (self), change, error);
  if (changed == NULL)
    return FALSE;
  costs = goban_cost_model_new (changed, goban_session_get_cluster (self), GOBAN_EXECUTION_EVENTS);
  run = goban_run_new_from_policy (costs, POLICY, &options, error);
  if (run == NULL)
    return FALSE;
  edit = goban_drawing_dup_code (goban_session_get_graph (self), change);
  code = g_strdup_printf ("sim.run(plan." POLICY "(%s))", edit);
  goban_run_set_derivation (run, names[change->kind], code);
  goban_session_derive (self, run);
  return TRUE;
}
