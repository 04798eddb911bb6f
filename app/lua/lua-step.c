/* lua-step.c: stepping through GO's decisions: view.step shows one, r:step makes a run of it, r:steps tells them all. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/analysis/step.h"

#include <math.h>

/* A number at @index of a step that the run has, a plan included. */
static guint
check_step (lua_State *L, int index, GobanRun *run)
{
  guint n = goban_steps_count (run), first = goban_steps_get_first (run);
  lua_Integer step = luaL_checkinteger (L, index);

  if (n == 0)
    luaL_error (L, "%s has recorded no decisions: runs of policies do, but for %s",
                goban_run_get_name (run), "metis and metis-mem");
  if (step < (lua_Integer) first || step > (lua_Integer) n)
    luaL_error (L, "%s has the steps %d to %d, and no step %I", goban_run_get_name (run),
                (int) first, (int) n, (LUAI_UACINT) step);
  return (guint) step;
}

/* view.step (n): the plan after n decisions, in place of the run's own; nothing: that again. */
int
goban_lua_view_step (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanRun *run = goban_session_get_current_run (session);
  int step = GOBAN_NO_STEP;

  if (!lua_isnoneornil (L, 1))
    {
      luaL_argcheck (L, run != NULL, 1, "no run is shown");
      step = (int) check_step (L, 1, run);
    }
  goban_view_set_step (goban_session_get_view (session), step);
  return 0;
}

/* --- a run of one ------------------------------------------------------------------------------- */

static int
finish_stepping (lua_State *L, gpointer result)
{
  goban_lua_fill_run (L, result);
  goban_lua_charge_run (L, -1, result);
  return 1;
}

int
goban_lua_run_step (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  guint step = check_step (L, 2, run);

  goban_lua_push_empty_run (L);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Stepping",
                                             .run = goban_steps_work,
                                             .data = goban_steps_new_work (run, step),
                                             .free_data = goban_steps_free_work,
                                             .free_result = g_object_unref,
                                             .finish = finish_stepping });
}

/* --- all of them ---------------------------------------------------------------------------------- */

static void
push_step (lua_State *L, GobanRun *run, guint n)
{
  GobanSelection *changed = goban_steps_dup_changed (run, n, GOBAN_N_DECISIONS);
  guint n_changed;
  const GobanNodeId *ids = goban_selection_get_ids (changed, &n_changed);
  GobanLuaSet *set;

  lua_createtable (L, 0, 4);
  goban_lua_put_count (L, "step", n);
  goban_lua_put_number (L, "makespan", goban_steps_get_makespan_us (run, n) / 1e6);
  set = goban_lua_push_set (L, goban_run_get_costs (run), run, n_changed);
  for (guint i = 0; i < n_changed; i++)
    set->ids[i] = ids[i];
  lua_setfield (L, -2, "nodes");
  goban_selection_unref (changed);
  goban_lua_take_string (L, goban_steps_describe (run, n));
  lua_setfield (L, -2, "text");
}

/* { { step=, makespan=, nodes=, text= }, ... }: the steps that have a plan; none without
 * decisions. */
int
goban_lua_run_steps (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  guint n = goban_steps_count (run), first = goban_steps_get_first (run);

  lua_newtable (L);
  for (guint s = first; n > 0 && s <= n; s++)
    {
      push_step (L, run, s);
      lua_rawseti (L, -2, (lua_Integer) (s - first + 1));
    }
  return 1;
}

/* The least sure first. */
static int
compare_entropies (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GobanNodeId *x = a;
  const GobanNodeId *y = b;
  const GobanDecisionLog *log = user_data;
  double of_x = goban_decision_log_get_entropy (log, GOBAN_DECIDE_PLACEMENT, *x);
  double of_y = goban_decision_log_get_entropy (log, GOBAN_DECIDE_PLACEMENT, *y);

  if (of_x != of_y)
    return of_x > of_y ? -1 : 1;
  return (*x > *y) - (*x < *y);
}

/* r:least_sure (n): the nodes of which the network was least certain where to put them. */
int
goban_lua_run_least_sure (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  const GobanDecisionLog *log = goban_run_get_decisions (run);
  lua_Integer most = luaL_optinteger (L, 2, 10);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  GobanLuaSet *set
      = goban_lua_push_set (L, goban_run_get_costs (run), run, log != NULL ? n_nodes : 0);
  guint n = 0;

  luaL_argcheck (L, most >= 0, 2, "a number of nodes is expected");
  for (GobanNodeId v = 0; log != NULL && v < n_nodes; v++)
    if (!isnan (goban_decision_log_get_entropy (log, GOBAN_DECIDE_PLACEMENT, v)))
      set->ids[n++] = v;
  if (n > 0)
    g_qsort_with_data (set->ids, (int) n, sizeof *set->ids, compare_entropies, (gpointer) log);
  set->n = (guint) MIN ((lua_Integer) n, most);
  return 1;
}
