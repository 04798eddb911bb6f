/* lua-decisions.c: decision steps of GO's plans as a Lua list. */
#include "app/lua/lua-handle.h"
#include "app/lua/lua-put.h"
#include "app/lua/lua-record.h"
#include "app/lua/lua-run.h"
#include "app/lua/lua-set.h"
#include "app/lua/lua-value.h"

#include "engine/analysis/decisions.h"
#include "engine/run/run-origin.h"

#include <string.h>

/* A device by name, a level by number, nil if there was no choice. */
static void
set_choice (lua_State *L, GobanRun *run, const char *key, GobanDecision task, guint32 choice)
{
  const char *device = goban_decisions_get_device (run, task, choice);

  if (device != NULL)
    lua_pushstring (L, device);
  else if (choice != GOBAN_NOT_CHOSEN)
    lua_pushinteger (L, choice);
  else
    lua_pushnil (L);
  lua_setfield (L, -2, key);
}

static void
push_change (lua_State *L, GobanRun *run, const GobanDecisionChange *change)
{
  GobanLuaSet *set;

  lua_createtable (L, 0, 7);
  goban_lua_put_text (L, "task", goban_decision_get_name (change->task));
  goban_lua_put_count (L, "row", change->row + 1.0);
  set_choice (L, run, "from", change->task, change->from);
  set_choice (L, run, "to", change->task, change->to);
  goban_lua_put_number (L, "probability", (double) change->probability);
  goban_lua_put_number (L, "entropy", (double) change->entropy);
  set = goban_lua_push_set (L, goban_run_get_costs (run), run, change->n_nodes);
  memcpy (set->ids, change->nodes, change->n_nodes * sizeof *set->ids);
  lua_setfield (L, -2, "nodes");
}

static void
push_step (lua_State *L, GobanRun *run, const GobanDecisionMove *move)
{
  lua_createtable (L, 0, 6);
  goban_lua_put_count (L, "update", move->update);
  goban_lua_put_count (L, "evaluation", (double) move->evaluation);
  goban_lua_put_number (L, "before", move->before_us / 1e6);
  goban_lua_put_number (L, "after", move->after_us / 1e6);
  goban_lua_put_count (L, "rows", move->n_rows);
  lua_createtable (L, move->n_changes, 0);
  for (guint c = 0; c < move->n_changes; c++)
    {
      push_change (L, run, &move->changes[c]);
      lua_rawseti (L, -2, c + 1);
    }
  lua_setfield (L, -2, "changes");
}

static int
run_decisions (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  const GobanDecisionLog *log = goban_run_get_decisions (run);
  guint n = log != NULL ? goban_decision_log_get_n_steps (log) : 0;

  if (log == NULL)
    {
      if (goban_run_get_record (run) != NULL)
        goban_lua_push_record (L, run);
      else
        lua_pushnil (L);
      return 1;
    }
  lua_createtable (L, n, 3);
  for (guint s = 0; s < n; s++)
    {
      push_step (L, run, goban_decision_log_get_step (log, s));
      lua_rawseti (L, -2, s + 1);
    }
  goban_lua_put_number (L, "start", goban_decision_log_get_start_us (log) / 1e6);
  goban_lua_put_count (L, "folded", goban_decision_log_get_n_folded (log));
  goban_lua_take_string (L, goban_decisions_to_text (goban_decision_log_get_decisions (log)));
  lua_setfield (L, -2, "tasks");
  return 1;
}

static const GobanLuaField run_fields[] = {
  GOBAN_LUA_FIELD (
      "decisions", FUNCTION, run_decisions,
      "How the policy came to its plan (nil of plans made by hand). Of GO a list of steps {update "
      "=, evaluation =, before =, after =, rows =, changes =}, each change {task =, row =, from =, "
      "to =, probability =, entropy =, nodes =}; nodes are a set, times seconds. Beside the steps "
      "start (the makespan before the first), folded (older steps that were dropped) and tasks. "
      "The field n.entropy is of the last step in which devices could change. Of other policies: "
      "Decisions.",
      "r.decisions[1].nodes:show()"),
  { NULL },
};

void
goban_lua_open_decisions (lua_State *L)
{
  goban_lua_extend (L, "Run", NULL, run_fields);
}
