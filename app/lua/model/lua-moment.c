/* lua-moment.c: one decision of a record, what can be made of it, and what the view shows of it. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-decisions.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-card.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-words.h"

#include <math.h>
#include <string.h>

#define US_PER_S 1e6

typedef struct
{
  GobanRun *run;
  GobanMoment number;
} LuaMoment;

static const GobanLuaType moment_type;

static const LuaMoment *
check_self (lua_State *L)
{
  return goban_lua_check_handle (L, 1, &moment_type);
}

void
goban_lua_push_moment (lua_State *L, GobanRun *run, GobanMoment moment)
{
  LuaMoment *self = goban_lua_push_handle (L, &moment_type, 0);

  self->run = goban_run_ref (run);
  self->number = moment;
}

GobanMoment
goban_lua_check_moment (lua_State *L, int index, GobanRun *run)
{
  const LuaMoment *moment = goban_lua_test_handle (L, index, &moment_type);
  GobanDecisions *decisions = goban_run_get_decisions (run);
  lua_Integer number, n;

  if (decisions == NULL)
    luaL_error (L, "%s has recorded no decisions: runs of policies do", goban_run_get_name (run));
  if (moment != NULL && goban_run_get_decisions (moment->run) != decisions)
    luaL_error (L, "this moment is of %s, not of %s", goban_run_get_name (moment->run),
                goban_run_get_name (run));
  number = moment != NULL ? (lua_Integer) moment->number : luaL_checkinteger (L, index);
  n = goban_decisions_get_n_moments (decisions);
  if (number < 0 || number > n)
    luaL_error (L, "%s has the moments 0 to %I, and no moment %I", goban_run_get_name (run),
                (LUAI_UACINT) n, (LUAI_UACINT) number);
  return (GobanMoment) number;
}

/* FALSE for the beginning and for moments whose details were dropped; pushes nil then. */
static gboolean
get_decision (lua_State *L, const LuaMoment *self, GobanDecision *decision)
{
  if (self->number > 0
      && goban_decisions_get (goban_run_get_decisions (self->run), self->number, NULL, decision))
    return TRUE;
  lua_pushnil (L);
  return FALSE;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static int
get_number (lua_State *L)
{
  lua_pushinteger (L, check_self (L)->number);
  return 1;
}

/* A number of the decision by the name of its field; nil if the decision has none. */
static int
get_value (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  const char *field = luaL_checkstring (L, 2);
  double before_us, after_us, value = (double) NAN;
  GobanDecision decision;

  if (!get_decision (L, self, &decision))
    return 1;
  goban_decision_get_times (goban_run_get_decisions (self->run), &decision, &before_us, &after_us);

  const struct
  {
    const char *field;
    double value;
  } values[] = {
    { "after", after_us / US_PER_S },
    { "before", before_us / US_PER_S },
    { "entropy", (double) decision.entropy },
    { "finish", (double) decision.finish_us / US_PER_S },
    { "key", (double) decision.key },
    { "row", decision.row > 0 ? decision.row : (double) NAN },
    { "start", (double) decision.start_us / US_PER_S },
    { "temperature", (double) decision.temperature },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (g_str_equal (values[i].field, field))
      value = values[i].value;
  goban_lua_push_number (L, value);
  return 1;
}

/* --- words ------------------------------------------------------------------------------------ */

/* @text: (transfer full) (nullable): nil is pushed then */
static void
take_text (lua_State *L, char *text)
{
  if (text != NULL)
    goban_lua_take_string (L, text);
  else
    lua_pushnil (L);
}

static int
get_path (lua_State *L)
{
  const LuaMoment *self = check_self (L);

  goban_lua_take_string (
      L, goban_moment_describe_path (goban_run_get_decisions (self->run), self->number));
  return 1;
}

static int
get_text (lua_State *L)
{
  const LuaMoment *self = check_self (L);

  goban_lua_take_string (L, goban_moment_describe_whole (goban_run_get_costs (self->run),
                                                         goban_run_get_decisions (self->run),
                                                         self->number));
  return 1;
}

static int
get_why (lua_State *L)
{
  const LuaMoment *self = check_self (L);

  take_text (L, goban_moment_explain (goban_run_get_costs (self->run),
                                      goban_run_get_decisions (self->run), self->number));
  return 1;
}

static int
get_task (lua_State *L)
{
  GobanDecision decision;

  if (get_decision (L, check_self (L), &decision))
    lua_pushstring (L, goban_task_get_name (decision.task));
  return 1;
}

static int
get_note (lua_State *L)
{
  GobanDecision decision;

  if (get_decision (L, check_self (L), &decision))
    lua_pushstring (L, decision.note);
  return 1;
}

static int
get_had (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  GobanDecision decision;

  if (get_decision (L, self, &decision))
    take_text (
        L, goban_choice_dup_name (goban_run_get_costs (self->run), decision.task, decision.had));
  return 1;
}

static int
get_chosen (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  GobanDecision decision;

  if (get_decision (L, self, &decision))
    goban_lua_take_string (
        L, goban_option_dup_name (goban_run_get_costs (self->run), &decision, decision.chosen));
  return 1;
}

static int
get_flags (lua_State *L)
{
  GobanDecision decision;

  if (!get_decision (L, check_self (L), &decision))
    return 1;
  lua_createtable (L, 0, 4);
  goban_lua_put_boolean (L, "sampled", (decision.flags & GOBAN_DECISION_SAMPLED) != 0);
  goban_lua_put_boolean (L, "carried", (decision.flags & GOBAN_DECISION_CARRIED) != 0);
  goban_lua_put_boolean (L, "at_once", (decision.flags & GOBAN_DECISION_AT_ONCE) != 0);
  goban_lua_put_boolean (L, "forced", (decision.flags & GOBAN_DECISION_FORCED) != 0);
  return 1;
}

static int
get_span (lua_State *L)
{
  GobanDecision decision;

  if (get_decision (L, check_self (L), &decision))
    lua_pushinteger (L, decision.span);
  return 1;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static int
get_node (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  GobanNodeId node = goban_moment_find_node (goban_run_get_decisions (self->run), self->number);

  if (node == GOBAN_NO_NODE)
    lua_pushnil (L);
  else
    goban_lua_push_node (L, goban_run_get_costs (self->run), self->run, node);
  return 1;
}

/* The nodes that were decided, of moves and plans the ones that changed. */
static int
get_nodes (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  GobanDecisions *decisions = goban_run_get_decisions (self->run);
  GobanDecision decision = { 0 };
  GobanLuaSet *set;

  if (self->number > 0 && goban_decisions_get (decisions, self->number, NULL, &decision)
      && decision.n_nodes > 0)
    {
      guint n = decision.n_nodes;

      set = goban_lua_push_set (L, goban_run_get_costs (self->run), self->run, n);
      memcpy (set->ids, decision.nodes, n * sizeof *set->ids);
      return 1;
    }
  set = goban_lua_push_set (L, goban_run_get_costs (self->run), self->run, 0);
  goban_lua_take_nodes (set, goban_moment_dup_changed (decisions, self->number, GOBAN_N_TASKS));
  return 1;
}

/* --- options ---------------------------------------------------------------------------------- */

/* Pushes a card, to keep it while tables are made of it; (nullable): nil is pushed instead. */
static const GobanMomentCard *
push_card (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_moment_card_free);

  *kept = goban_moment_card_new (goban_run_get_costs (self->run),
                                 goban_run_get_decisions (self->run), self->number);
  if (*kept == NULL)
    lua_pushnil (L);
  return *kept;
}

static gboolean
is_time (GobanScoreKind kind)
{
  const char *name = goban_score_get_name (kind);

  return name != NULL && g_str_has_suffix (name, "_us");
}

static double
to_lua_unit (GobanScoreKind kind, double score)
{
  return is_time (kind) ? score / US_PER_S : score;
}

/* "finish" of "finish_us". */
static int
get_score (lua_State *L)
{
  GobanDecision decision;
  const char *name;

  if (!get_decision (L, check_self (L), &decision))
    return 1;
  name = goban_score_get_name (decision.score);
  if (name == NULL)
    lua_pushnil (L);
  else
    lua_pushlstring (L, name, strlen (name) - (is_time (decision.score) ? strlen ("_us") : 0));
  return 1;
}

static int
get_options (lua_State *L)
{
  const GobanMomentCard *card = push_card (L);

  if (card == NULL)
    return 1;
  lua_createtable (L, (int) card->options->len, 0);
  for (guint i = 0; i < card->options->len; i++)
    {
      const GobanCardOption *option = &g_array_index (card->options, GobanCardOption, i);

      lua_createtable (L, 0, 6);
      goban_lua_put_text (L, "name", option->name);
      goban_lua_put_number (L, "score", to_lua_unit (card->score, option->score));
      goban_lua_put_number (L, "difference", to_lua_unit (card->score, option->difference));
      goban_lua_put_text (L, "why", option->why_not);
      goban_lua_put_boolean (L, "chosen", option->is_chosen);
      goban_lua_put_boolean (L, "best", option->is_best);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

/* By option; nil unless they are probabilities. */
static int
get_probabilities (lua_State *L)
{
  const GobanMomentCard *card = push_card (L);

  if (card == NULL)
    return 1;
  if (card->score != GOBAN_SCORE_PROBABILITY || card->lacks_scores)
    {
      lua_pushnil (L);
      return 1;
    }
  lua_createtable (L, 0, (int) card->options->len);
  for (guint i = 0; i < card->options->len; i++)
    {
      const GobanCardOption *option = &g_array_index (card->options, GobanCardOption, i);

      if (option->refusals == 0)
        goban_lua_put_number (L, option->name, option->probability);
    }
  return 1;
}

static int
get_attended (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  const GobanMomentCard *card = push_card (L);

  if (card == NULL || card->attended->len == 0)
    {
      lua_pushnil (L);
      return 1;
    }
  lua_createtable (L, (int) card->attended->len, 0);
  for (guint i = 0; i < card->attended->len; i++)
    {
      const GobanCardAttended *row = &g_array_index (card->attended, GobanCardAttended, i);

      lua_createtable (L, 0, 4);
      goban_lua_put_count (L, "row", row->row);
      goban_lua_put_count (L, "nodes", row->n_nodes);
      goban_lua_put_number (L, "weight", row->weight);
      if (row->node != GOBAN_NO_NODE)
        {
          goban_lua_push_node (L, goban_run_get_costs (self->run), self->run, row->node);
          lua_setfield (L, -2, "node");
        }
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

/* --- runs made of it ------------------------------------------------------------------------ */

typedef struct
{
  gint64 seed;
  gint64 evals;
  double seconds;
  const char *settings; /* (nullable) */
  gboolean pinned;
} ForkOptions;

static const GobanLuaOption fork_options[] = {
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ForkOptions, seed) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ForkOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (ForkOptions, seconds) },
  { "settings", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ForkOptions, settings) },
  { "pinned", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ForkOptions, pinned) },
  { NULL },
};

/* m:plan () */
static int
moment_plan (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  GobanMoment moment = self->number;
  GError *error = NULL;
  GobanRun *run, *shown;

  goban_lua_push_empty_run (L);
  run = goban_run_ref (self->run);
  goban_lua_begin_work (L);
  moment = goban_moment_find_plan (goban_run_get_decisions (run), moment);
  shown = goban_moment_new_shown_run (run, moment, &error);
  goban_lua_end_work (L, &error);
  goban_run_unref (run);
  return goban_lua_answer_run (L, shown, error);
}

static int
moment_continue (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  const char *policy = luaL_checkstring (L, 2);
  GobanMoment moment = self->number;
  ForkOptions options = { 0 };
  GobanLuaSearch search;
  GobanRunOptions own;
  GError *error = NULL;
  GobanRun *run, *forked;
  int n;

  if (!goban_fork_check_policy (policy, &error))
    return goban_lua_raise_argument (L, 2, error);
  goban_lua_check_options (L, 3, "opts", fork_options, &options);
  goban_lua_warn_of_settings (L, (const char *const[]){ policy, NULL }, options.settings);
  goban_lua_push_empty_run (L);
  run = goban_run_ref (check_self (L)->run);
  own = goban_run_options_dup (&(GobanRunOptions){ .seed = (guint64) options.seed,
                                                   .max_evaluations = (guint64) options.evals,
                                                   .max_seconds = options.seconds,
                                                   .settings = options.settings });
  if (options.pinned)
    goban_lua_set_pinned (L, goban_run_get_graph (run), &own);
  goban_lua_begin_search (L, &search, &own);
  forked = goban_fork_new_run (run, moment, policy, &own, &error);
  goban_lua_end_work (L, &error);
  goban_run_options_clear (&own);
  goban_run_unref (run);
  n = goban_lua_answer_run (L, forked, error);
  if (forked != NULL)
    goban_lua_leave_plan (L, forked);
  return n;
}

/* An option by its name, or by its number from 1. */
static guint32
check_option (lua_State *L, int index)
{
  const LuaMoment *self = check_self (L);
  GobanDecision decision = { 0 };
  const char *name;

  if (lua_isinteger (L, index))
    {
      luaL_argcheck (L, lua_tointeger (L, index) >= 1, index, "options are numbered from 1");
      return (guint32) MIN (lua_tointeger (L, index), G_MAXINT) - 1;
    }
  name = luaL_checkstring (L, index);
  if (self->number > 0)
    goban_decisions_get (goban_run_get_decisions (self->run), self->number, NULL, &decision);
  for (guint32 k = 0; k < decision.n_options; k++)
    {
      g_autofree char *option
          = goban_option_dup_name (goban_run_get_costs (self->run), &decision, k);

      if (g_str_equal (option, name))
        return k;
    }
  luaL_error (L, "moment %d has no option “%s”: write one of m.options, by name or number",
              (int) self->number, name);
  return 0;
}

typedef struct
{
  const char *scope; /* (nullable) */
} ForceOptions;

static const GobanLuaOption force_options[] = {
  { "scope", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ForceOptions, scope) },
  { NULL },
};

static int
moment_force (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  GobanForce force = { self->number, check_option (L, 2), GOBAN_FORCE_PLAN };
  ForceOptions options = { 0 };
  GobanRunOptions own = { 0 };
  GError *error = NULL;
  GobanRun *run, *forced;

  goban_lua_check_options (L, 3, "opts", force_options, &options);
  if (g_strcmp0 (options.scope, "run") == 0)
    force.scope = GOBAN_FORCE_RUN;
  else if (options.scope != NULL && !g_str_equal (options.scope, "plan"))
    return luaL_argerror (L, 3, "scope is “plan” or “run”");
  if (!goban_force_check (self->run, &force, &error))
    return goban_lua_raise (L, error);
  goban_lua_push_empty_run (L);
  run = goban_run_ref (self->run);
  own.progress = goban_lua_begin_work (L);
  forced = goban_force_new_run (run, &force, &own, &error);
  goban_lua_end_work (L, &error);
  goban_run_unref (run);
  return goban_lua_answer_run (L, forced, error);
}

/* --- regret --------------------------------------------------------------------------------- */

static int
moment_regret (lua_State *L)
{
  const LuaMoment *self = check_self (L);
  const GobanProgress *progress;
  GobanDecision decision = { 0 };
  GError *error = NULL;
  const double *makespans_us;
  GobanRun *run;
  gpointer *kept;
  guint n;

  lua_settop (L, 1);
  kept = goban_lua_push_kept (L, g_free);
  run = goban_run_ref (self->run);
  progress = goban_lua_begin_work (L);
  makespans_us = *kept = goban_regret_dup_makespans_us (run, self->number, progress, &n, &error);
  goban_lua_end_work (L, &error);
  goban_run_unref (run);
  if (makespans_us == NULL)
    return goban_lua_fail (L, error);
  self = check_self (L);
  goban_decisions_get (goban_run_get_decisions (self->run), self->number, NULL, &decision);
  lua_createtable (L, (int) decision.n_options, 0);
  for (guint32 k = 0; k < decision.n_options; k++)
    {
      double difference_us = makespans_us[k] - makespans_us[decision.chosen];

      lua_createtable (L, 0, 3);
      goban_lua_take_string (L,
                             goban_option_dup_name (goban_run_get_costs (self->run), &decision, k));
      lua_setfield (L, -2, "name");
      goban_lua_put_number (L, "makespan", makespans_us[k] / US_PER_S);
      goban_lua_put_number (L, "difference", difference_us / US_PER_S);
      lua_rawseti (L, -2, (lua_Integer) k + 1);
    }
  return 1;
}

static int
moment_equal (lua_State *L)
{
  const LuaMoment *a = goban_lua_test_handle (L, 1, &moment_type);
  const LuaMoment *b = goban_lua_test_handle (L, 2, &moment_type);

  lua_pushboolean (L, a != NULL && b != NULL && a->number == b->number
                          && goban_run_get_decisions (a->run) == goban_run_get_decisions (b->run));
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FIELD ("after", FUNCTION, get_value,
                   "What the plan takes after it, or the policy's schedule so far; seconds.",
                   "m.after"),
  GOBAN_LUA_FIELD ("attended", FUNCTION, get_attended,
                   "The rows that a network with attention looked at most: {row =, nodes =, node "
                   "=, weight =}; nil without.",
                   "m.attended and m.attended[1].weight"),
  GOBAN_LUA_FIELD ("before", FUNCTION, get_value, "The same before it.", "m.before"),
  GOBAN_LUA_FIELD ("chosen", FUNCTION, get_chosen, "The name of the option that was taken.",
                   "m.chosen"),
  GOBAN_LUA_FUNCTION ("continue", moment_continue, "(policy, opts)",
                      "Goes on from its plan with a search, anneal, local-search or go-finetune; "
                      "opts: seed, evals, seconds, settings, pinned.",
                      "m:continue(\"anneal\", { evals = 500 })"),
  GOBAN_LUA_FIELD ("entropy", FUNCTION, get_value, "Of the probabilities, in nats.", "m.entropy"),
  GOBAN_LUA_FIELD ("finish", FUNCTION, get_value,
                   "When its nodes finish in the policy's own schedule.", "m.finish"),
  GOBAN_LUA_FIELD ("flags", FUNCTION, get_flags,
                   "{sampled =, carried =, at_once =, forced =}: drawn by its probabilities, "
                   "follows from another decision, made together with others, forced by you.",
                   "m.flags.sampled"),
  GOBAN_LUA_FUNCTION ("force", moment_force, "(option, opts)",
                      "The run that comes of it if another option is taken, by name or number: all "
                      "decisions before it are as they were, the policy decides anew what follows. "
                      "opts: scope, its “plan” (else), which is finished, or the whole “run”: a "
                      "search goes on from it with what is left of its budget.",
                      "m:force(m.chosen).makespan"),
  GOBAN_LUA_FIELD ("had", FUNCTION, get_had, "The first node's choice before; nil: none.", "m.had"),
  GOBAN_LUA_FIELD ("key", FUNCTION, get_value, "What its nodes were taken by.", "m.key"),
  GOBAN_LUA_FIELD ("node", FUNCTION, get_node, "The first node that it decided or changed.",
                   "m.node"),
  GOBAN_LUA_FIELD ("nodes", FUNCTION, get_nodes, "All of them, a set.", "m.nodes:show()"),
  GOBAN_LUA_FIELD ("note", FUNCTION, get_note, "The policy's remark.", "m.note"),
  GOBAN_LUA_FIELD ("number", FUNCTION, get_number, "Its number in the record, from 1.", "m.number"),
  GOBAN_LUA_FIELD ("options", FUNCTION, get_options,
                   "All that it had: {name =, score =, difference =, why =, chosen =, best =}; "
                   "difference to the best, why it was not allowed. Times are seconds.",
                   "m.options[1].score"),
  GOBAN_LUA_FIELD ("path", FUNCTION, get_path, "Its place: “Plan 5 of 17 › Decision 3 of 313”.",
                   "m.path"),
  GOBAN_LUA_FUNCTION ("plan", moment_plan, "()",
                      "The run of its plan; if that is unfinished, of the plan it led to.",
                      "compare(m:plan(), r):show()"),
  GOBAN_LUA_FIELD ("probabilities", FUNCTION, get_probabilities,
                   "By option, of those that were allowed; nil unless it was drawn by them.",
                   "m.probabilities and m.probabilities[\"gpu:1\"]"),
  GOBAN_LUA_FUNCTION (
      "regret", moment_regret, "()",
      "A Table of what the plan would take with each option, after which the policy decides "
      "anew what follows in that plan: name, makespan, difference to the option taken, below 0 if "
      "that had been better.",
      "m:regret()[1].difference"),
  GOBAN_LUA_FIELD ("row", FUNCTION, get_value, "Of a network's board, from 1.", "m.row"),
  GOBAN_LUA_FIELD ("score", FUNCTION, get_score,
                   "What the scores of options are: “finish”, “probability”.", "m.score"),
  GOBAN_LUA_FIELD ("span", FUNCTION, get_span, "The number of its span in d:spans().", "m.span"),
  GOBAN_LUA_FIELD ("start", FUNCTION, get_value,
                   "When its nodes start in the policy's own schedule.", "m.start"),
  GOBAN_LUA_FIELD ("task", FUNCTION, get_task, "placement, scheduling or fusion.", "m.task"),
  GOBAN_LUA_FIELD ("temperature", FUNCTION, get_value, "Of annealing.", "m.temperature"),
  GOBAN_LUA_FIELD ("text", FUNCTION, get_text, "The whole in words.", "m.text"),
  GOBAN_LUA_FIELD ("why", FUNCTION, get_why,
                   "The reason in a sentence, as far as it can be proven; else nil.", "m.why"),
  GOBAN_LUA_META ("__tostring", get_text),
  GOBAN_LUA_META ("__eq", moment_equal),
  { NULL },
};

static const GobanLuaType moment_type = {
  .name = "Moment",
  .variable = "m",
  .sentence = "One decision of a policy. Fields that it does not have are nil.",
  .example = "m = r.decisions[12]; print(m.path, m.node, m.chosen, m.why)",
  .size = sizeof (LuaMoment),
  .free = (GDestroyNotify) goban_run_unref,
  .entries = entries,
};

/* --- the view --------------------------------------------------------------------------------- */

/* view.moment (m): shows it in place of the run; nothing: the run's own plan. */
static int
view_moment (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanRun *run = goban_session_get_current_run (session);
  int moment = GOBAN_NO_MOMENT;

  if (!lua_isnoneornil (L, 1))
    {
      luaL_argcheck (L, run != NULL, 1, "no run is shown");
      moment = (int) goban_lua_check_moment (L, 1, run);
    }
  goban_view_set_moment (goban_session_get_view (session), moment);
  return 0;
}

/* view.stop_at (list): moments at which the player stops. */
static int
view_stop_at (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanRun *run = goban_session_get_current_run (session);
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  if (!lua_isnoneornil (L, 1))
    {
      luaL_checktype (L, 1, LUA_TTABLE);
      for (lua_Integer i = 1; run != NULL && i <= (lua_Integer) lua_rawlen (L, 1); i++)
        {
          GobanMoment moment;

          lua_rawgeti (L, 1, i);
          moment = (GobanMoment) lua_tointeger (L, -1);
          g_array_append_val (moments, moment);
          lua_pop (L, 1);
        }
    }
  goban_view_stop_at (goban_session_get_view (session), moments);
  return 0;
}

static int
view_level (lua_State *L)
{
  GobanLevel level;
  GobanStops which;

  luaL_checkstring (L, 1);
  level = goban_lua_check_level (L, 1, &which);
  goban_view_set_level (goban_session_get_view (goban_lua_get_session (L)), level, which);
  return 0;
}

static int
view_watch (lua_State *L)
{
  luaL_checktype (L, 1, LUA_TBOOLEAN);
  goban_session_set_watching (goban_lua_get_session (L), lua_toboolean (L, 1));
  return 0;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "level", view_level, "(level, which)",
                      "What the player stops at: “moment”, “pass”, “plan” or “round”; which: all, "
                      "accepted or line (else).",
                      "view.level \"plan\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "moment", view_moment, "(m)",
                      "Shows the plan after a decision of the run that is shown, by number or a "
                      "Moment; nothing: the run's own plan.",
                      "view.moment(12)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "stop_at", view_stop_at, "(moments)",
                      "Numbers of decisions, as of d:when(), at which the player stops; nothing: "
                      "none. Another run has none.",
                      "view.stop_at{ 12, 40 }"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "watch", view_watch, "(on)",
                      "Shows the plans of a policy that places the graph as it makes them, with "
                      "its decisions so far; not in scripts without a window.",
                      "view.watch(true)"),
  { NULL },
};

void
goban_lua_open_moment (lua_State *L)
{
  goban_lua_register (L, &moment_type);
  goban_lua_module (L, "view", functions);
}
