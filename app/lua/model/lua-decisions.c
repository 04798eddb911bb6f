/* lua-decisions.c: the record of a run's decisions as a Lua list of moments, with its spans. */
#include "app/lua/model/lua-decisions.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-export.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/analysis/node-list.h"

#include <math.h>

static const GobanLuaType decisions_type;

static GobanRun *
check_run (lua_State *L)
{
  return goban_lua_check_pointer (L, 1, &decisions_type);
}

GobanLevel
goban_lua_check_level (lua_State *L, int index, GobanStops *stops)
{
  GobanLevel level = GOBAN_LEVEL_MOMENT;
  const char *name = luaL_optstring (L, index, "moment");

  if (!goban_level_parse (name, &level))
    luaL_error (L, "“%s” is not a level: write moment, pass, plan or round", name);
  if (stops == NULL)
    return level;
  name = luaL_optstring (L, index + 1, "line");
  if (!goban_stops_parse (name, stops))
    luaL_error (L, "“%s” does not name stops: write all, accepted or line", name);
  return level;
}

/* --- fields ----------------------------------------------------------------------------------- */

static int
get_n (lua_State *L)
{
  lua_pushinteger (L, goban_decisions_get_n_moments (goban_run_get_decisions (check_run (L))));
  return 1;
}

static int
get_levels (lua_State *L)
{
  GobanDecisions *decisions = goban_run_get_decisions (check_run (L));
  lua_Integer n = 0;

  lua_newtable (L);
  for (guint level = 0; level < GOBAN_N_DECISION_LEVELS; level++)
    if (goban_moments_have_level (decisions, (GobanLevel) level))
      {
        lua_pushstring (L, goban_level_get_name ((GobanLevel) level));
        lua_rawseti (L, -2, ++n);
      }
  return 1;
}

static int
get_reason (lua_State *L)
{
  lua_pushstring (L, goban_moments_get_reason (goban_run_get_decisions (check_run (L))));
  return 1;
}

static int
get_left_out (lua_State *L)
{
  guint scores, moments;

  goban_decisions_count_left_out (goban_run_get_decisions (check_run (L)), &scores, &moments);
  lua_createtable (L, 0, 2);
  goban_lua_put_count (L, "scores", scores);
  goban_lua_put_count (L, "moments", moments);
  return 1;
}

/* --- methods ---------------------------------------------------------------------------------- */

/* d:stops (level, which): the numbers of the moments at which a player stops. */
static int
decisions_stops (lua_State *L)
{
  GobanDecisions *decisions = goban_run_get_decisions (check_run (L));
  GobanStops which;
  GobanLevel level = goban_lua_check_level (L, 2, &which);
  gpointer *kept;
  GArray *stops;

  kept = goban_lua_push_kept (L, (GDestroyNotify) g_array_unref);
  stops = *kept = goban_moments_list_stops (decisions, level, which);
  lua_createtable (L, (int) stops->len, 0);
  for (guint i = 0; i < stops->len; i++)
    {
      lua_pushinteger (L, g_array_index (stops, GobanMoment, i));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

static void
push_span (lua_State *L, const GobanDecisions *decisions, guint32 s)
{
  const GobanSpan *span = goban_decisions_get_span (decisions, s);

  lua_createtable (L, 0, 12);
  goban_lua_put_count (L, "number", s);
  goban_lua_put_text (L, "name", span->name);
  goban_lua_put_text (L, "level", goban_level_get_name (span->level));
  if (span->parent != 0)
    goban_lua_put_count (L, "parent", span->parent);
  goban_lua_put_count (L, "first", span->begin + 1.0);
  goban_lua_put_count (L, "last", span->end);
  goban_lua_put_count (L, "base", span->base);
  goban_lua_put_count (L, "stop", span->last);
  if (span->evaluation != 0)
    goban_lua_put_count (L, "evaluation", (double) span->evaluation);
  if (span->n_left_out != 0)
    goban_lua_put_count (L, "left_out", (double) span->n_left_out);
  goban_lua_put_number (L, "before", span->before_us / 1e6);
  goban_lua_put_number (L, "after", span->after_us / 1e6);
  if (span->overflow_bytes > 0)
    goban_lua_put_number (L, "missing_bytes", span->overflow_bytes);
  goban_lua_put_boolean (L, "accepted", span->is_accepted);
  goban_lua_put_text (L, "key", span->key);
  goban_lua_put_text (L, "ties", span->ties);
  goban_lua_put_text (L, "why", span->why);
}

/* d:spans (level): all of them, or those of a level. */
static int
decisions_spans (lua_State *L)
{
  GobanDecisions *decisions = goban_run_get_decisions (check_run (L));
  gboolean is_one_level = !lua_isnoneornil (L, 2);
  GobanLevel level = goban_lua_check_level (L, 2, NULL);
  lua_Integer n = 0;

  lua_newtable (L);
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    if (!is_one_level || goban_decisions_get_span (decisions, s)->level == level)
      {
        push_span (L, decisions, s);
        lua_rawseti (L, -2, ++n);
      }
  return 1;
}

/* d:find (node, until, task): the last moment that decided the node, or nil. */
static int
decisions_find (lua_State *L)
{
  GobanRun *run = check_run (L);
  GobanDecisions *decisions = goban_run_get_decisions (run);
  GobanNodeId node = goban_lua_check_node_of (L, 2, goban_run_get_graph (run));
  GobanMoment until = lua_isnoneornil (L, 3) ? goban_decisions_get_last (decisions)
                                             : goban_lua_check_moment (L, 3, run);
  const char *name = luaL_optstring (L, 4, goban_task_get_name (GOBAN_TASK_PLACEMENT));
  GobanMoment found;
  guint task = 0;

  while (task < GOBAN_N_TASKS && !g_str_equal (name, goban_task_get_name ((GobanTask) task)))
    task++;
  luaL_argcheck (L, task < GOBAN_N_TASKS, 4, "write placement, scheduling or fusion");
  found = goban_decisions_find (decisions, node, (GobanTask) task, until);
  if (found == 0)
    lua_pushnil (L);
  else
    goban_lua_push_moment (L, run, found);
  return 1;
}

/* d:save (path): JSON, or CSV by its name. */
static int
decisions_save (lua_State *L)
{
  GobanRun *run = check_run (L);
  const char *path = luaL_checkstring (L, 2);
  GError *error = NULL;

  return goban_lua_answer_path (
      L, 2, goban_lua_may_write (L, path, &error) && goban_decisions_save (run, path, &error),
      &error);
}

/* Called after moment @context; stack: decisions, function, answers, value. */
static int
ask_next (lua_State *L, int status, lua_KContext context)
{
  for (lua_KContext next = context;; next++)
    {
      if (next > 0)
        {
          if (lua_toboolean (L, -1))
            {
              lua_pushinteger (L, next);
              lua_rawseti (L, 3, (lua_Integer) lua_rawlen (L, 3) + 1);
            }
          lua_pop (L, 1);
        }
      GobanRun *run = check_run (L); /* the function may have closed it */

      if (next == goban_decisions_get_n_moments (goban_run_get_decisions (run)))
        return 1;
      lua_pushvalue (L, 2);
      goban_lua_push_moment (L, run, (GobanMoment) next + 1);
      /* runs Lua: the record is checked again afterwards */
      lua_callk (L, 1, 1, next + 1, ask_next);
    }
}

/* d:when (f): the numbers of the moments of which it is true. */
static int
decisions_when (lua_State *L)
{
  check_run (L);
  luaL_checktype (L, 2, LUA_TFUNCTION);
  lua_settop (L, 2);
  lua_newtable (L);
  return ask_next (L, LUA_OK, 0);
}

/* --- review ----------------------------------------------------------------------------------- */

static int
decisions_review (lua_State *L)
{
  GobanRun *run = check_run (L);
  lua_Integer most = luaL_optinteger (L, 2, G_MAXINT);
  const GobanProgress *progress;
  GError *error = NULL;
  GArray *regrets;
  gpointer *kept;

  lua_settop (L, 2);
  kept = goban_lua_push_kept (L, (GDestroyNotify) g_array_unref);
  goban_run_ref (run);
  progress = goban_lua_begin_work (L);
  *kept = regrets = goban_review_new (run, progress, &error);
  goban_lua_end_work (L, &error);
  goban_run_unref (run);
  if (regrets == NULL)
    return goban_lua_fail (L, error);
  run = check_run (L); /* a policy may have closed it */
  lua_newtable (L);
  for (guint i = 0; i < regrets->len && i < most; i++)
    {
      const GobanRegret *regret = &g_array_index (regrets, GobanRegret, i);
      GobanDecision decision = { 0 };

      goban_decisions_get (goban_run_get_decisions (run), regret->moment, NULL, &decision);
      lua_createtable (L, 0, 4);
      goban_lua_push_moment (L, run, regret->moment);
      lua_setfield (L, -2, "moment");
      goban_lua_take_string (
          L, goban_option_dup_name (goban_run_get_costs (run), &decision, regret->option));
      lua_setfield (L, -2, "option");
      goban_lua_put_number (L, "makespan", regret->makespan_us / 1e6);
      goban_lua_put_number (L, "gain", regret->gain_us / 1e6);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

static int
decisions_tostring (lua_State *L)
{
  GobanRun *run = check_run (L);

  lua_pushfstring (L, "Decisions of %s: %d", goban_run_get_name (run),
                   (int) goban_decisions_get_n_moments (goban_run_get_decisions (run)));
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION (
      "find", decisions_find, "(node, until, task)",
      "The last moment that decided a node, up to a moment (else the last of the "
      "line); task: placement (else), scheduling or fusion. Nil if none did; a node that the "
      "graph lacks is a mistake.",
      "r.decisions:find(g:node \"image/conv1\").text"),
  GOBAN_LUA_FIELD ("left_out", FUNCTION, get_left_out,
                   "How many moments have lost their scores, and all, to save memory: {scores =, "
                   "moments =}.",
                   "r.decisions.left_out.scores"),
  GOBAN_LUA_FIELD ("levels", FUNCTION, get_levels,
                   "The levels of the record: “moment”, and those of pass, plan and round that it "
                   "has.",
                   "r.decisions.levels"),
  GOBAN_LUA_FIELD ("reason", FUNCTION, get_reason,
                   "Why the policy has no finer decisions; nil if it does not say.",
                   "r.decisions.reason"),
  GOBAN_LUA_FUNCTION (
      "review", decisions_review, "(n)",
      "A Table of the n decisions about devices (else all on the way to the run's plan, not those "
      "of "
      "plans that a search dropped) whose best other option gains most, as m:regret measures it: "
      "moment, option, makespan, gain, the largest gain first; below 0: the choice was the best.",
      "for _, x in ipairs(r.decisions:review(3)) do print(x.moment, x.gain) end"),
  GOBAN_LUA_FUNCTION (
      "save", decisions_save, "(path)",
      "Writes the record, a moment a line: CSV if the name ends in .csv, else JSON. Returns the "
      "path.",
      "r.decisions:save(\"heft.csv\")"),
  GOBAN_LUA_FUNCTION ("spans", decisions_spans, "(level)",
                      "The spans of a level, or all: {number =, name =, level =, parent =, first "
                      "=, last =, base =, stop =, evaluation =, left_out =, before =, after =, "
                      "accepted =, key =, ties =, why =}; stop is the moment of its plan.",
                      "for _, s in ipairs(r.decisions:spans \"plan\") do print(s.after) end"),
  GOBAN_LUA_FUNCTION ("stops", decisions_stops, "(level, which)",
                      "The numbers of the moments at which a player stops; which: all, accepted or "
                      "line (else).",
                      "r.decisions:stops(\"plan\", \"all\")"),
  GOBAN_LUA_FUNCTION (
      "when", decisions_when, "(f)",
      "The numbers of the moments of which the function f is true, for view.stop_at.",
      "r.decisions:when(function(m) return m.chosen == \"gpu:1\" end)"),
  GOBAN_LUA_META ("__len", get_n),
  GOBAN_LUA_META ("__tostring", decisions_tostring),
  { NULL },
};

/* nil beyond the last moment. */
static int
get_moment (lua_State *L)
{
  GobanRun *run = check_run (L);
  lua_Integer n = lua_tointeger (L, 2);

  if (n < 0 || n > goban_decisions_get_n_moments (goban_run_get_decisions (run)))
    lua_pushnil (L);
  else
    goban_lua_push_moment (L, run, (GobanMoment) n);
  return 1;
}

static const GobanLuaType decisions_type = {
  .name = "Decisions",
  .variable = "d",
  .sentence = "All decisions of the policy that made a run's plan, as a list: the moments d[1] to "
              "d[#d], and the beginning, d[0].",
  .example = "for i, m in ipairs(r.decisions) do print(m.node, m.chosen) end",
  .free = (GDestroyNotify) goban_run_unref,
  .entries = entries,
  .get_item = get_moment,
};

/* --- of runs ---------------------------------------------------------------------------------- */

static int
run_decisions (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);

  if (goban_run_get_decisions (run) == NULL)
    lua_pushnil (L);
  else
    *(GobanRun **) goban_lua_push_handle (L, &decisions_type, 0) = goban_run_ref (run);
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
  GOBAN_LUA_FIELD ("decisions", FUNCTION, run_decisions,
                   "How the policy came to its plan: Decisions; nil of plans made by hand. A Plan "
                   "has none: sim.run(p).decisions.",
                   "r.decisions[1].text"),
  GOBAN_LUA_FUNCTION ("least_sure", run_least_sure, "(n)",
                      "The n nodes of which GO was least certain where to put them, the least sure "
                      "first.",
                      "r:least_sure(20):show()"),
  { NULL },
};

void
goban_lua_open_decisions (lua_State *L)
{
  goban_lua_register (L, &decisions_type);
  goban_lua_extend (L, "Run", run_entries);
}
