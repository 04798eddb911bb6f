/* lua-step.c: steps of GO's decisions: view.step shows one, r:step makes a run of it, r:steps lists
 * them. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/session/view-time.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/run-origin.h"

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
static int
view_step (lua_State *L)
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

/* --- a run of one -------------------------------------------------------------------------- */

static int
finish_stepping (lua_State *L, gpointer result)
{
  goban_lua_fill_run (L, result);
  goban_lua_charge_run (L, -1, result);
  return 1;
}

static int
run_step (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  guint step = check_step (L, 2, run);

  goban_lua_push_empty_run (L);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Stepping",
                                             .run = goban_steps_work,
                                             .data = goban_steps_new_work (run, step),
                                             .free_data = goban_steps_free_work,
                                             .free_result = (GDestroyNotify) goban_run_unref,
                                             .finish = finish_stepping });
}

/* --- all of them --------------------------------------------------------------------------- */

static void
push_step (lua_State *L, GobanRun *run, guint n)
{
  GobanLuaSet *set;

  lua_createtable (L, 0, 4);
  goban_lua_put_count (L, "step", n);
  goban_lua_put_number (L, "makespan", goban_steps_get_makespan_us (run, n) / 1e6);
  set = goban_lua_push_set (L, goban_run_get_costs (run), run, 0);
  goban_lua_take_nodes (set, goban_steps_dup_changed (run, n, GOBAN_N_TASKS));
  lua_setfield (L, -2, "nodes");
  goban_lua_take_string (L, goban_steps_describe (run, n));
  lua_setfield (L, -2, "text");
}

/* { { step=, makespan=, nodes=, text= }, ... }: the steps that have a plan; none without
 * decisions. */
static int
run_steps (lua_State *L)
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

/* r:least_sure (n): the nodes about whose device the network was least certain. */
static int
run_least_sure (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  lua_Integer most = luaL_optinteger (L, 2, 10);
  GobanNodeContext context = { goban_run_get_costs (run), run };
  const GobanNodeField *entropy = goban_node_field_find ("entropy", NULL); /* it is in the table */
  GobanLuaSet *set;
  guint n = 0;

  luaL_argcheck (L, most >= 0, 2, "a number of nodes is expected");
  set = goban_lua_push_set (L, context.costs, run, 0);
  g_free (set->ids);
  set->ids = goban_node_list_sort (&context, NULL, entropy, TRUE, NULL, &set->n,
                                   NULL); /* fails only if it is cancelled */
  while (n < set->n && n < most && !isnan (entropy->number (&context, set->ids[n])))
    n++;
  set->n = n;
  return 1;
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION ("least_sure", run_least_sure, "(n)",
                      "The n nodes of which GO was least certain where to put them, the least sure "
                      "first.",
                      "r:least_sure(20):show()"),
  GOBAN_LUA_FUNCTION ("step", run_step, "(n)",
                      "The plan after n decisions, simulated: a run of its own, to be shown or "
                      "compared. After choices, whose other nodes are undecided, it is the whole "
                      "plan.",
                      "compare(r:step(1), r):show()"),
  GOBAN_LUA_FUNCTION ("steps", run_steps, "()",
                      "The steps on the way to the plan, a list of {step =, makespan =, nodes =, "
                      "text =}: nodes are those that the step changed.",
                      "for _, s in ipairs(r:steps()) do print(s.text) end"),
  { NULL },
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "step", view_step, "(n)",
                      "Shows the plan after n of the decisions that led to the run that is shown; "
                      "nothing: the run's own plan.",
                      "view.step(12)"),
  { NULL },
};

void
goban_lua_open_step (lua_State *L)
{
  goban_lua_module (L, "view", functions);
  goban_lua_extend (L, "Run", run_entries);
}
