/* lua-record.c: record of a policy's decisions as a Lua list: r.decisions of runs without a log. */
#include "app/lua/model/lua-record.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-set.h"

#include "engine/machine/plan/placement-record.h"
#include "engine/machine/plan/plan-chain.h"
#include "engine/study/analysis/steps/record-step.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanRun *run;
} LuaDecisions;

static void
clear_decisions (gpointer value)
{
  LuaDecisions *self = value;

  g_clear_pointer (&self->run, goban_run_unref);
}

static const GobanLuaType decisions_type;

static GobanRun *
check_run (lua_State *L)
{
  return ((LuaDecisions *) goban_lua_check_handle (L, 1, &decisions_type))->run;
}

static GobanPlacementRecord *
check_record (lua_State *L)
{
  return goban_run_get_record (check_run (L));
}

/* --- numbers ---------------------------------------------------------------------------------- */

double
goban_lua_record_number (const char *name, double value)
{
  return name != NULL && g_str_has_suffix (name, "_us") ? value / 1e6 : value;
}

/* The name without the unit: "finish" of "finish_us". */
static void
push_name (lua_State *L, const char *name)
{
  gsize length = name != NULL ? strlen (name) : 0;

  if (name == NULL)
    lua_pushnil (L);
  else
    lua_pushlstring (L, name, g_str_has_suffix (name, "_us") ? length - strlen ("_us") : length);
}

static const char *
name_device (GobanRun *run, guint device)
{
  return goban_cluster_get_device (goban_run_get_cluster (run), (GobanDeviceId) device)->name;
}

/* --- items ------------------------------------------------------------------------------------ */

static void
push_nodes (lua_State *L, GobanRun *run, const GobanNodeId *nodes, guint n)
{
  GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (run), run, n);

  if (n > 0)
    memcpy (set->ids, nodes, n * sizeof *nodes);
}

/* Into the table on top: candidates and why, by device. */
static void
put_devices (lua_State *L, GobanRun *run, const GobanPlacementChoice *choice)
{
  const GobanPlacementRecord *record = goban_run_get_record (run);
  const GobanChoiceWords *words = goban_placement_record_get_words (record);
  guint n_devices = goban_placement_record_get_n_devices (record);

  lua_newtable (L);
  for (guint d = 0; choice->candidates != NULL && d < n_devices; d++)
    goban_lua_put_number (
        L, name_device (run, d),
        goban_lua_record_number (words->candidate, (double) choice->candidates[d]));
  lua_setfield (L, -2, "candidates");
  lua_newtable (L);
  for (guint d = 0; choice->refusals != NULL && d < n_devices; d++)
    if (choice->refusals[d] != 0)
      {
        goban_lua_take_string (L, goban_refusals_describe (choice->refusals[d]));
        lua_setfield (L, -2, name_device (run, d));
      }
  lua_setfield (L, -2, "why");
}

static void
push_choice (lua_State *L, GobanRun *run, guint n)
{
  const GobanPlacementRecord *record = goban_run_get_record (run);
  GobanPlacementChoice choice = goban_placement_record_get_choice (record, n);
  const GobanChoiceWords *words = goban_placement_record_get_words (record);

  lua_createtable (L, 0, 10);
  goban_lua_put_count (L, "order", n);
  goban_lua_push_node (L, goban_run_get_costs (run), run, choice.nodes[0]);
  lua_setfield (L, -2, "node");
  push_nodes (L, run, choice.nodes, choice.n_nodes);
  lua_setfield (L, -2, "nodes");
  goban_lua_put_text (L, "device", name_device (run, choice.device));
  goban_lua_put_number (L, "key", goban_lua_record_number (words->key, (double) choice.key));
  goban_lua_put_number (L, "start", (double) choice.start_us / 1e6);
  goban_lua_put_number (L, "finish", (double) choice.finish_us / 1e6);
  goban_lua_put_text (L, "note", choice.note);
  put_devices (L, run, &choice);
}

static void
push_plan (lua_State *L, GobanRun *run, guint n)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (goban_run_get_record (run));
  const GobanPlanStep *step = goban_plan_chain_get_step (plans, n);
  GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (run), run, 0);

  goban_lua_take_nodes (set, goban_record_steps_dup_changed (run, n, GOBAN_N_TASKS));
  lua_createtable (L, 0, 6);
  lua_insert (L, -2);
  lua_setfield (L, -2, "nodes");
  goban_lua_put_count (L, "order", n);
  goban_lua_put_count (L, "evaluation", (double) step->evaluation);
  goban_lua_put_number (L, "before", step->before_us / 1e6);
  goban_lua_put_number (L, "after", step->after_us / 1e6);
  goban_lua_put_text (L, "note", step->note);
}

/* --- fields ----------------------------------------------------------------------------------- */

static int
get_n (lua_State *L)
{
  lua_pushinteger (L, goban_placement_record_get_n_steps (check_record (L)));
  return 1;
}

static int
get_kind (lua_State *L)
{
  const GobanPlacementRecord *record = check_record (L);

  if (goban_placement_record_get_words (record) != NULL)
    lua_pushliteral (L, "choices");
  else
    lua_pushstring (L, goban_placement_record_get_n_steps (record) > 0 ? "plans" : "none");
  return 1;
}

static int
get_key (lua_State *L)
{
  const GobanChoiceWords *words = goban_placement_record_get_words (check_record (L));

  push_name (L, words != NULL ? words->key : NULL);
  return 1;
}

static int
get_candidate (lua_State *L)
{
  const GobanChoiceWords *words = goban_placement_record_get_words (check_record (L));

  push_name (L, words != NULL ? words->candidate : NULL);
  return 1;
}

static int
get_reason (lua_State *L)
{
  lua_pushstring (L, goban_placement_record_get_reason (check_record (L)));
  return 1;
}

static int
get_folded (lua_State *L)
{
  lua_pushinteger (L, goban_record_steps_get_n_folded (check_run (L)));
  return 1;
}

/* A list of tables by column, times in seconds. */
static int
get_rows (lua_State *L)
{
  const GobanPlacementRecord *record = check_record (L);
  const GobanRecordTable *table = goban_placement_record_get_table (record);
  guint n_columns = goban_placement_record_get_n_columns (record);
  guint n_rows = goban_placement_record_get_n_rows (record);

  lua_createtable (L, (int) n_rows, 0);
  for (guint r = 0; r < n_rows; r++)
    {
      const double *row = goban_placement_record_get_row (record, r);

      lua_createtable (L, 0, (int) n_columns);
      for (guint c = 0; c < n_columns; c++)
        {
          push_name (L, table->names[c]);
          if (table->kinds != NULL && strcmp (table->names[c], "kind") == 0)
            lua_pushstring (L, table->kinds[(guint) row[c]]);
          else
            goban_lua_push_number (L, goban_lua_record_number (table->names[c], row[c]));
          lua_rawset (L, -3);
        }
      lua_rawseti (L, -2, (lua_Integer) r + 1);
    }
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FIELD ("candidate", FUNCTION, get_candidate,
                   "What the candidates of devices are: “finish”, “start”.",
                   "r.decisions.candidate"),
  GOBAN_LUA_FIELD ("folded", FUNCTION, get_folded, "How many plans before the first were dropped.",
                   "r.decisions.folded"),
  GOBAN_LUA_FIELD ("key", FUNCTION, get_key,
                   "What the nodes were taken by, nil if by nothing: “upward_rank”.",
                   "r.decisions.key"),
  GOBAN_LUA_FIELD ("kind", FUNCTION, get_kind, "“choices”, “plans”, or “none” with a reason.",
                   "r.decisions.kind"),
  GOBAN_LUA_FIELD ("reason", FUNCTION, get_reason, "Why the policy has no steps; nil if it has.",
                   "r.decisions.reason"),
  GOBAN_LUA_FIELD ("rows", FUNCTION, get_rows,
                   "Moves, generations, samples or bounds of a search, a list of tables; the "
                   "oldest are dropped.",
                   "pp(r.decisions.rows[1])"),
  { NULL },
};

/* An item by number, nil beyond the last; else a field. */
static int
index_decisions (lua_State *L)
{
  GobanRun *run = check_run (L);
  const GobanPlacementRecord *record = goban_run_get_record (run);

  if (lua_isinteger (L, 2))
    {
      lua_Integer n = lua_tointeger (L, 2);

      if (n < 1 || n > goban_placement_record_get_n_steps (record))
        lua_pushnil (L);
      else if (goban_placement_record_get_words (record) != NULL)
        push_choice (L, run, (guint) n);
      else
        push_plan (L, run, (guint) n);
      return 1;
    }
  for (gsize i = 0; entries[i].name != NULL; i++)
    if (lua_type (L, 2) == LUA_TSTRING && strcmp (lua_tostring (L, 2), entries[i].name) == 0)
      return ((lua_CFunction) entries[i].get) (L);
  return luaL_error (L,
                     "a Decisions has no field '%s'; it has numbers from 1 to %d and: "
                     "candidate, folded, key, kind, reason, rows",
                     goban_lua_push_words (L, 2),
                     (int) goban_placement_record_get_n_steps (record));
}

static int
decisions_tostring (lua_State *L)
{
  GobanRun *run = check_run (L);
  const GobanPlacementRecord *record = goban_run_get_record (run);
  const char *reason = goban_placement_record_get_reason (record);

  if (reason != NULL)
    lua_pushfstring (L, "Decisions of %s: none; %s", goban_run_get_name (run), reason);
  else
    lua_pushfstring (L, "Decisions of %s: %d %s", goban_run_get_name (run),
                     (int) goban_placement_record_get_n_steps (record),
                     goban_placement_record_get_words (record) != NULL ? "choices" : "plans");
  return 1;
}

static const luaL_Reg meta[] = {
  { "__index", index_decisions },
  { "__len", get_n },
  { "__tostring", decisions_tostring },
  { NULL, NULL },
};

static const GobanLuaType decisions_type = {
  .name = "Decisions",
  .variable = "d",
  .sentence = "The decisions of a policy that builds or searches a plan, as a list: d[1] to "
              "d[#d]. Choices are {order =, node =, nodes =, device =, key =, start =, finish =, "
              "candidates =, why =, note =}: candidates has a number for each device, why the "
              "reasons against devices; start and finish are of the policy's own schedule. Plans "
              "of a search are {order =, evaluation =, before =, after =, note =, nodes =}. Times "
              "are seconds.",
  .example = "for i, c in ipairs(r.decisions) do print(c.node, c.device) end",
  .size = sizeof (LuaDecisions),
  .clear = clear_decisions,
  .entries = entries,
  .meta = meta,
};

void
goban_lua_push_record (lua_State *L, GobanRun *run)
{
  LuaDecisions *self = goban_lua_push_handle (L, &decisions_type, 0);

  self->run = goban_run_ref (run);
}

void
goban_lua_open_record (lua_State *L)
{
  goban_lua_register (L, &decisions_type);
}
