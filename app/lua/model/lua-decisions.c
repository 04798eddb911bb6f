/* lua-decisions.c: decision steps of GO's plans as a Lua list, and cards of single decisions. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-record.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/learn/policy/step-probabilities.h"
#include "engine/study/analysis/steps/decision-card.h"
#include "engine/study/analysis/steps/decisions.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

/* A device by name, a level by number, nil if there was no choice. */
static void
set_choice (lua_State *L, GobanRun *run, const char *key, GobanTask task, guint32 choice)
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

/* Pushes the probabilities of a row by device, or by level from 0, without those not allowed. */
static void
push_row (lua_State *L, GobanRun *run, const GobanStepProbabilities *table, GobanTask task,
          guint row)
{
  const GobanTaskProbabilities *part = goban_step_probabilities_get_task (table, task);

  lua_createtable (L, 0, (int) part->n_actions);
  for (guint a = 0; a < part->n_actions; a++)
    {
      const char *device = goban_decisions_get_device (run, task, a);

      if (part->units[(gsize) row * part->n_actions + a] == GOBAN_PROBABILITY_MASKED)
        continue;
      if (device != NULL)
        lua_pushstring (L, device);
      else
        lua_pushinteger (L, a);
      lua_pushnumber (L, goban_step_probabilities_get (table, task, row, a));
      lua_rawset (L, -3);
    }
}

static void
push_change (lua_State *L, GobanRun *run, const GobanLogChange *change,
             const GobanStepProbabilities *table)
{
  GobanLuaSet *set;

  lua_createtable (L, 0, 8);
  if (table != NULL && isfinite (change->probability))
    {
      push_row (L, run, table, change->task, change->row);
      lua_setfield (L, -2, "probabilities");
    }
  goban_lua_put_text (L, "task", goban_task_get_name (change->task));
  goban_lua_put_count (L, "row", change->row + 1.0);
  set_choice (L, run, "from", change->task, change->from);
  set_choice (L, run, "to", change->task, change->to);
  goban_lua_put_number (L, "probability", (double) change->probability);
  goban_lua_put_number (L, "entropy", (double) change->entropy);
  set = goban_lua_push_set (L, goban_run_get_costs (run), run, change->n_nodes);
  memcpy (set->ids, change->nodes, change->n_nodes * sizeof *set->ids);
  lua_setfield (L, -2, "nodes");
}

/* { placement = { { ["gpu:0"] = 0.5, ... }, ... } }: all rows of each task. */
static int
push_probabilities (lua_State *L, GobanRun *run, const GobanStepProbabilities *table)
{
  guint n_rows = goban_step_probabilities_get_n_rows (table);

  lua_newtable (L);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      if (goban_step_probabilities_get_task (table, (GobanTask) k)->n_actions == 0)
        continue;
      lua_createtable (L, (int) n_rows, 0);
      for (guint r = 0; r < n_rows; r++)
        {
          push_row (L, run, table, (GobanTask) k, r);
          lua_rawseti (L, -2, (lua_Integer) r + 1);
        }
      lua_setfield (L, -2, goban_task_get_name ((GobanTask) k));
    }
  return 1;
}

/* A step's "probabilities" are made when they are asked for: all steps may have millions. */
static int
index_step (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, lua_upvalueindex (1));
  guint s = (guint) lua_tointeger (L, lua_upvalueindex (2));
  const GobanStepProbabilities *table
      = goban_decision_log_get_probabilities (goban_run_get_log (run), s);

  if (table == NULL || g_strcmp0 (lua_tostring (L, 2), "probabilities") != 0)
    return 0;
  push_probabilities (L, run, table);
  lua_pushliteral (L, "probabilities");
  lua_pushvalue (L, -2);
  lua_rawset (L, 1);
  return 1;
}

/* Pushes a step of the run at index 1. */
static void
push_step (lua_State *L, GobanRun *run, guint s)
{
  const GobanDecisionLog *log = goban_run_get_log (run);
  const GobanDecisionMove *move = goban_decision_log_get_step (log, s);
  const GobanStepProbabilities *table = goban_decision_log_get_probabilities (log, s);

  lua_createtable (L, 0, 6);
  lua_createtable (L, 0, 1);
  lua_pushvalue (L, 1);
  lua_pushinteger (L, (lua_Integer) s);
  lua_pushcclosure (L, index_step, 2);
  lua_setfield (L, -2, "__index");
  lua_setmetatable (L, -2);
  goban_lua_put_count (L, "update", move->update);
  goban_lua_put_count (L, "evaluation", (double) move->evaluation);
  goban_lua_put_number (L, "before", move->before_us / 1e6);
  goban_lua_put_number (L, "after", move->after_us / 1e6);
  goban_lua_put_count (L, "rows", move->n_rows);
  lua_createtable (L, move->n_changes, 0);
  for (guint c = 0; c < move->n_changes; c++)
    {
      push_change (L, run, &move->changes[c], table);
      lua_rawseti (L, -2, c + 1);
    }
  lua_setfield (L, -2, "changes");
}

static int
run_decisions (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  const GobanDecisionLog *log = goban_run_get_log (run);
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
      push_step (L, run, s);
      lua_rawseti (L, -2, s + 1);
    }
  goban_lua_put_number (L, "start", goban_decision_log_get_start_us (log) / 1e6);
  goban_lua_put_count (L, "folded", goban_decision_log_get_n_folded (log));
  goban_lua_take_string (L, goban_tasks_to_text (goban_decision_log_get_decisions (log)));
  lua_setfield (L, -2, "tasks");
  return 1;
}

/* --- cards ------------------------------------------------------------------------------------ */

static void
push_card_choice (lua_State *L, const GobanDecisionCard *card, const GobanCardChoice *choice)
{
  lua_createtable (L, 0, 6);
  goban_lua_put_text (L, "name", choice->name);
  if (isfinite (choice->probability))
    goban_lua_put_number (L, "probability", choice->probability);
  if (isfinite (choice->candidate))
    goban_lua_put_number (L, "candidate",
                          goban_lua_record_number (card->candidate, choice->candidate));
  goban_lua_put_boolean (L, "chosen", choice->is_chosen);
  goban_lua_put_boolean (L, "likeliest", choice->is_likeliest);
  if (choice->refusals != 0)
    {
      goban_lua_take_string (L, goban_refusals_describe (choice->refusals));
      lua_setfield (L, -2, "why");
    }
}

/* { row =, nodes =, node =, share = } of each row that the network looked at most. */
static void
push_attended (lua_State *L, const GobanDecisionCard *card, GobanGraph *graph)
{
  lua_createtable (L, (int) card->attended->len, 0);
  for (guint i = 0; i < card->attended->len; i++)
    {
      const GobanCardAttended *attended = &g_array_index (card->attended, GobanCardAttended, i);

      lua_createtable (L, 0, 4);
      goban_lua_put_count (L, "row", attended->row);
      goban_lua_put_count (L, "nodes", attended->n_nodes);
      goban_lua_put_number (L, "share", attended->share);
      if (attended->node != GOBAN_NO_NODE)
        goban_lua_put_text (L, "node", goban_graph_get_node (graph, attended->node)->name);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
}

static void
push_card (lua_State *L, const GobanDecisionCard *card, GobanGraph *graph)
{
  lua_createtable (L, (int) card->choices->len, 13);
  for (guint i = 0; i < card->choices->len; i++)
    {
      push_card_choice (L, card, &g_array_index (card->choices, GobanCardChoice, i));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  goban_lua_put_text (L, "task", goban_task_get_name (card->task));
  goban_lua_put_count (L, "step", card->step);
  goban_lua_put_count (L, "nodes", card->n_nodes);
  if (card->row > 0)
    goban_lua_put_count (L, "row", card->row);
  if (card->row > 0)
    goban_lua_put_count (L, "rows", card->n_rows);
  if (card->order > 0)
    goban_lua_put_count (L, "order", card->order);
  if (isfinite (card->entropy))
    goban_lua_put_number (L, "entropy", card->entropy);
  if (card->key != NULL)
    goban_lua_put_number (L, "key", goban_lua_record_number (card->key, card->key_value));
  goban_lua_put_text (L, "note", card->note);
  goban_lua_put_text (L, "settled", card->settled);
  goban_lua_put_boolean (L, "sampled", card->is_sampled);
  if (card->attended->len > 0)
    {
      push_attended (L, card, graph);
      lua_setfield (L, -2, "attended");
    }
  goban_lua_take_string (L, goban_decision_card_describe (card));
  lua_setfield (L, -2, "text");
}

/* r:card (node, step): a card for each task. */
static int
run_card (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanNodeId node = goban_lua_check_node_of (L, 2, goban_run_get_graph (run));
  guint n = goban_steps_count (run);
  lua_Integer step = luaL_optinteger (L, 3, n);
  GPtrArray *cards;
  gpointer *kept;

  luaL_argcheck (L, step >= 0 && step <= (lua_Integer) n, 3, "the run has no such step");
  kept = goban_lua_push_kept (L, (GDestroyNotify) g_ptr_array_unref);
  cards = *kept = goban_decision_cards_new (run, (guint) step, node);
  lua_createtable (L, (int) cards->len, 0);
  for (guint i = 0; i < cards->len; i++)
    {
      push_card (L, g_ptr_array_index (cards, i), goban_run_get_graph (run));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION (
      "card", run_card, "(node, step)",
      "What the policy could choose for a node at a step (else the last), a list "
      "with a table for each task: step, row, rows, order, entropy, key, sampled, "
      "note and text, and in the order of devices or levels {name =, probability =, "
      "candidate =, chosen =, likeliest =, why =}: why a device was not allowed. "
      "attended: the other rows that a network with attention looked at most, {row "
      "=, nodes =, node =, share =}; node is the row's first. settled: the node's "
      "device if the drawn plan was refined, which draws nothing. Empty of "
      "searches, which compare whole plans.",
      "r:card(g:node \"image/conv1\", 3)[1].text"),
  GOBAN_LUA_FIELD (
      "decisions", FUNCTION, run_decisions,
      "How the policy came to its plan (nil of plans made by hand). Of GO a list of steps {update "
      "=, evaluation =, before =, after =, rows =, changes =}, each change {task =, row =, from =, "
      "to =, probability =, entropy =, nodes =, probabilities =}; nodes are a set, times seconds. "
      "Probabilities of a change are by device or level, those of a step are those of all rows by "
      "task; nil where moves are scored, not drawn, and where a drawn plan was refined. Beside the "
      "steps "
      "start (the makespan before the first), folded (older steps that were dropped) and tasks. "
      "The field n.entropy is of the last step in which devices could change. Of other policies: "
      "Decisions.",
      "r.decisions[1].nodes:show()"),
  { NULL },
};

void
goban_lua_open_decisions (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
}
