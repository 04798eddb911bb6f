/* lua-parts.c: parts of the difference of two plans, and a part taken back. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-compare.h"
#include "app/lua/view/lua-view.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/graph/graph-matching.h"
#include "engine/session/attributor.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"

#define MOST_CHANGES 3 /* in a text */

static const char *const change_words[GOBAN_N_GRAPH_CHANGES]
    = { "op", "edges", "bytes", "dims", "costs", "parameters", "group" };

/* --- breakdown ----------------------------------------------------------------------------- */

/* The field "set" of the table on top. */
static void
put_set (lua_State *L, const GobanSelection *nodes, GobanRun *after)
{
  GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (after), after, 0);

  goban_lua_fill_set (set, nodes);
  lua_setfield (L, -2, "set");
}

static void
push_bar (lua_State *L, const GobanBar *bar, GobanRun *after)
{
  GobanRevertKind change;

  lua_createtable (L, 0, 9);
  goban_lua_put_text (L, "kind", goban_bar_kind_words[bar->kind]);
  if (goban_bar_get_change (bar, &change))
    goban_lua_put_text (L, "change", goban_revert_kind_words[change]);
  goban_lua_put_text (L, "label", bar->label);
  goban_lua_put_number (L, "from", bar->from_us / 1e6);
  goban_lua_put_number (L, "to", bar->to_us / 1e6);
  goban_lua_put_number (L, "delta", goban_bar_get_change_us (bar) / 1e6);
  goban_lua_put_number (L, "error", bar->error_us / 1e6);
  goban_lua_put_boolean (L, "possible", bar->is_possible);
  if (bar->nodes != NULL)
    put_set (L, bar->nodes, after);
}

/* @after: (nullable) where bars have no nodes */
static int
push_breakdown (lua_State *L, const GobanBreakdown *breakdown, GobanRun *after)
{
  lua_createtable (L, (int) breakdown->n_bars, 3);
  for (guint i = 0; i < breakdown->n_bars; i++)
    {
      push_bar (L, &breakdown->bars[i], after);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  goban_lua_take_string (L, goban_breakdown_to_sentence (breakdown, NULL));
  lua_setfield (L, -2, "sentence");
  goban_lua_take_string (L, goban_breakdown_describe_method (breakdown));
  lua_setfield (L, -2, "method");
  goban_lua_take_string (L, goban_breakdown_to_text (breakdown));
  lua_setfield (L, -2, "text");
  return 1;
}

/* d:why (): bars from the first makespan to the second. The prelude makes the list printable. */
static int
diff_why (lua_State *L)
{
  GobanBreakdownOptions options = { 0 };
  GobanDifference *difference;
  GError *error = NULL;
  gpointer *kept;

  goban_lua_check_comparison (L);
  lua_settop (L, 1);
  difference = goban_lua_push_difference (L, 0);
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_breakdown_unref);
  options.progress = goban_lua_begin_work (L);
  *kept = goban_breakdown_new (difference, &options, &error);
  goban_lua_end_work (L, &error);
  if (*kept == NULL)
    return goban_lua_fail (L, error);
  return push_breakdown (L, *kept, goban_comparison_get_run (goban_lua_check_comparison (L), 1));
}

/* --- taking back --------------------------------------------------------------------------- */

/* A revert, and the run that came of it. */
typedef struct
{
  GobanRevert *revert; /* of the second run with matched devices */
  GobanRun *run;       /* (nullable) until it is made */
} Reverting;

static void
free_reverting (gpointer data)
{
  Reverting *reverting = data;

  goban_revert_free (reverting->revert);
  g_clear_pointer (&reverting->run, goban_run_unref);
  g_free (reverting);
}

/* Pushes change, set and label of the part at @index: a row of d:why(), or these three. */
static void
push_parts (lua_State *L, int index)
{
  if (lua_istable (L, index))
    {
      lua_settop (L, index);
      goban_lua_raw_field (L, index, "change");
      luaL_argcheck (L, !lua_isnil (L, -1), index,
                     "this part changes no node, so nothing of it can be taken back");
      goban_lua_raw_field (L, index, "set");
      goban_lua_raw_field (L, index, "label");
      return;
    }
  lua_settop (L, index + 2);
  luaL_checkstring (L, index);
  goban_lua_check_set (L, index + 1);
  luaL_optstring (L, index + 2, NULL);
}

/* Parses the parts on top of the stack into a handle that takes their place. */
static Reverting *
push_reverting (lua_State *L, GobanRun *before, GobanRun *after)
{
  gpointer *kept = goban_lua_push_kept (L, free_reverting); /* kind set label kept */
  const char *word = luaL_checkstring (L, -4);
  GobanLuaSet *set = goban_lua_check_set (L, -3);
  const char *label = lua_tostring (L, -2);
  GError *error = NULL;
  GobanRevertKind kind;
  GobanRevert *revert;
  Reverting *reverting;

  if (!goban_revert_kind_find (word, &kind, &error))
    goban_lua_raise (L, error);
  if (goban_cost_model_get_graph (set->costs) != goban_run_get_graph (after))
    luaL_error (L, "the nodes are of another graph");

  reverting = g_new0 (Reverting, 1);
  reverting->revert = revert = g_new (GobanRevert, 1);
  *revert = (GobanRevert){
    .before = goban_run_ref (before),
    .after = goban_run_ref (after),
    .kind = kind,
    .nodes = goban_selection_new (set->ids, set->n),
    .label = label != NULL ? g_strdup (label) : g_strdup_printf ("%u %s nodes", set->n, word),
  };
  *kept = reverting;
  return reverting;
}

/* d:revert (part): the second plan with that taken back. */
static int
diff_revert (lua_State *L)
{
  GobanRun *before, *after;
  Reverting *reverting;
  GobanPlan *plan;

  goban_lua_check_diff (L, &before, &after);
  push_parts (L, 2);
  reverting = push_reverting (L, before, after);
  plan = goban_revert_new_plan (reverting->revert);
  goban_lua_push_plan (L, plan, goban_run_get_costs (after));
  goban_plan_unref (plan);
  goban_lua_charge_plan (L, -1, goban_run_get_graph (after));
  return 1;
}

/* With the revert on top of the stack, whose run is made. */
static int
finish_trying (lua_State *L)
{
  Reverting *reverting = *(gpointer *) lua_touserdata (L, -1);
  GError *error = NULL;

  if (!goban_session_add_revert (goban_lua_get_session (L), reverting->revert, reverting->run,
                                 &error))
    return goban_lua_fail (L, error);

  goban_lua_sync_globals (L);
  goban_lua_push_run (L, reverting->run);
  return 1;
}

static int
try_revert (lua_State *L)
{
  Reverting *reverting = *(gpointer *) lua_touserdata (L, -1);
  const GobanProgress *progress = goban_lua_begin_work (L);
  GError *error = NULL;

  reverting->run = goban_revert_run (progress, reverting->revert, &error);
  goban_lua_end_work (L, &error);
  return reverting->run != NULL ? goban_lua_call_on_main (L, finish_trying)
                                : goban_lua_fail (L, error);
}

/* d:try (part): adds the second run without it to the list and shows it. */
static int
diff_try (lua_State *L)
{
  GobanRun *before, *after;
  Reverting *reverting;

  goban_lua_check_diff (L, &before, &after);
  push_parts (L, 2);
  reverting = push_reverting (L, before, after);
  reverting->revert->listed
      = goban_run_ref (goban_comparison_get_run (goban_lua_check_comparison (L), 1));
  return goban_lua_then (L, try_revert);
}

/* compare.causes (a, b): as d:why(), of runs of any graphs. */
static int
compare_causes (lua_State *L)
{
  GobanRun *before = goban_lua_check_run (L, 1);
  GobanRun *after = goban_lua_check_run (L, 2);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_breakdown_unref);
  GError *error = NULL;

  *kept = goban_breakdown_new_of_causes (before, after, &error);
  if (*kept == NULL)
    return goban_lua_fail (L, error);
  return push_breakdown (L, *kept, NULL);
}

static GobanGraph *
check_graph_or_run (lua_State *L, int index)
{
  GobanRun *run = goban_lua_test_run (L, index);

  return run != NULL ? goban_run_get_graph (run) : goban_lua_check_graph (L, index);
}

/* Pushes the nodes of one of the graphs that have no partner; or those of the first one with one of
 * these bits in @changes (nullable). */
static void
push_unlike (lua_State *L, const GobanGraphMatching *matching, guint side, const guint8 *changes,
             guint bits)
{
  GobanGraph *graph = goban_graph_matching_get_graph (matching, side);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanSelection *nodes;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (changes != NULL ? changes[v] & bits
                        : goban_graph_matching_get (matching, side, v) == GOBAN_MATCH_NONE)
      g_array_append_val (ids, v);
  nodes = goban_selection_new ((const GobanNodeId *) (gconstpointer) ids->data, ids->len);
  g_array_unref (ids);
  goban_lua_push_selection (L, graph, nodes);
  goban_selection_unref (nodes);
}

/* "bytes: 3 nodes: join: 4 MB → 9 MB; ...". (transfer full) */
static char *
describe_changes (const GobanGraphMatching *matching, const guint8 *changes, GobanGraphChange field)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_graph_matching_get_graph (matching, 0)), n = 0;
  GString *text = g_string_new (NULL);
  char number[GOBAN_QUANTITY_LEN];
  g_autofree char *count = NULL;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if ((changes[v] & (1u << field)) && n++ < MOST_CHANGES)
      {
        g_autofree char *change = goban_graph_matching_describe_change (matching, v, field);

        g_string_append_printf (text, "; %s", change);
      }
  count
      = g_strdup_printf (n == 1 ? _ ("%s node") : _ ("%s nodes"), goban_format_grouped (number, n));
  g_string_append (text, n > MOST_CHANGES ? "; …" : "");
  g_string_erase (text, 0, 2);
  g_string_prepend (text, ": ");
  g_string_prepend (text, count);
  g_string_prepend (text, ": ");
  g_string_prepend (text, change_words[field]);
  return g_string_free (text, FALSE);
}

/* Pushes a list with a row { field =, nodes =, text = } for each field that differs. FALSE: none */
static gboolean
push_changes (lua_State *L, const GobanGraphMatching *matching)
{
  guint n = goban_graph_get_n_nodes (goban_graph_matching_get_graph (matching, 0)), all = 0;
  gpointer *kept = goban_lua_push_kept (L, g_free);
  guint8 *changes = *kept = g_new (guint8, n + 1);

  for (GobanNodeId v = 0; v < n; v++)
    all |= changes[v] = (guint8) goban_graph_matching_get_changes (matching, v);
  lua_newtable (L);
  for (GobanGraphChange field = 0; field < GOBAN_N_GRAPH_CHANGES; field++)
    {
      if (!(all & (1u << field)))
        continue;
      lua_createtable (L, 0, 3);
      goban_lua_put_text (L, "field", change_words[field]);
      push_unlike (L, matching, 0, changes, 1u << field);
      lua_setfield (L, -2, "nodes");
      goban_lua_take_string (L, describe_changes (matching, changes, field));
      lua_setfield (L, -2, "text");
      lua_rawseti (L, -2, (lua_Integer) lua_rawlen (L, -2) + 1);
    }
  lua_remove (L, -2);
  return all != 0;
}

/* Pushes the text of the matching, with that of the causes (nullable). */
static void
push_graphs_text (lua_State *L, const GobanGraphMatching *matching, const GobanBreakdown *causes)
{
  g_autofree char *shared
      = goban_graph_matching_describe (matching, (const char *const[]){ "A", "B" });
  g_autofree char *reasons = causes != NULL ? goban_breakdown_to_text (causes) : NULL;

  goban_lua_take_string (L, causes != NULL ? g_strdup_printf ("%s\n%s", shared, reasons)
                                           : g_steal_pointer (&shared));
}

/* compare.graphs (a, b), of graphs, or of runs with what makes their difference. */
static int
compare_graphs (lua_State *L)
{
  static const char *const words[] = { "origin", "name", "structure" };
  static const char *const fields[] = { "first_alone", "second_alone" };
  GobanGraph *first = check_graph_or_run (L, 1), *second = check_graph_or_run (L, 2);
  GobanRun *before = goban_lua_test_run (L, 1), *after = goban_lua_test_run (L, 2);
  gpointer *causes = goban_lua_push_kept (L, (GDestroyNotify) goban_breakdown_unref);
  gpointer *matching = goban_lua_push_kept (L, (GDestroyNotify) goban_graph_matching_unref);
  GError *error = NULL;
  gboolean has_changed;

  if (before != NULL && after != NULL)
    *causes = goban_breakdown_new_of_causes (before, after, &error);
  if (error != NULL)
    return goban_lua_fail (L, error);
  *matching = goban_graph_matching_new (first, second);
  lua_createtable (L, 0, 9);
  has_changed = push_changes (L, *matching);
  lua_setfield (L, -2, "changes");
  goban_lua_put_boolean (
      L, "equal", !has_changed && goban_graph_get_hash (first) == goban_graph_get_hash (second));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    goban_lua_put_integer (L, words[i], goban_graph_matching_count (*matching, 0, (GobanMatch) i));
  for (guint side = 0; side < 2; side++)
    {
      push_unlike (L, *matching, side, NULL, 0);
      lua_setfield (L, -2, fields[side]);
    }
  if (*causes != NULL)
    {
      push_breakdown (L, *causes, NULL);
      lua_setfield (L, -2, "causes");
    }
  push_graphs_text (L, *matching, *causes);
  lua_setfield (L, -2, "text");
  return 1;
}

/* compare.listed (n): the run at that place of the list. */
static int
compare_listed (lua_State *L)
{
  goban_lua_push_run (L, goban_lua_check_run_place (L, 1));
  return 1;
}

/* compare.try (a, b, kind, set, label), as the log has it; the prelude makes runs of places.
 * Devices are matched as in the page of compared plans. */
static int
compare_try (lua_State *L)
{
  GobanCompareSet *set = goban_session_get_compare_set (goban_lua_get_session (L));
  GobanRun *before = goban_lua_check_run (L, 1);
  GobanRun *after = goban_lua_check_run (L, 2);
  GobanDeviceMatching *matching;
  GError *error = NULL;
  Reverting *reverting;

  if (!goban_difference_check (before, after, &error))
    return goban_lua_raise (L, error);
  push_parts (L, 3);
  reverting = push_reverting (L, before, after);
  if (goban_compare_set_get_own_devices (set))
    return goban_lua_then (L, try_revert);
  matching = goban_device_matching_new (before, after);
  reverting->revert->listed = reverting->revert->after;
  reverting->revert->after = goban_run_ref (matching->matched);
  goban_device_matching_unref (matching);
  return goban_lua_then (L, try_revert);
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (
      "causes", compare_causes, "(a, b)",
      "The difference of two runs, also of different graphs, as a sum of what a device does on the "
      "mean: computing, recomputation, collectives, sends, updates and idle. Bars as of d:why(), "
      "which "
      "says more of two plans of one graph.",
      "r1 = graph.generate(\"gpt:layers=4,batch=1\"):parallel{ pp = 2, cluster = \"p100x4\" }; "
      "r2 = graph.generate(\"gpt:layers=4,batch=1\"):parallel{ tp = 2, cluster = \"p100x4\" }; "
      "print(compare.causes(r1, r2).text)"),
  GOBAN_LUA_FUNCTION (
      "graphs", compare_graphs, "(a, b)",
      "The nodes that two graphs, or the graphs of two runs, share: whether they are equal; how "
      "many of the first have partners by origin, name or structure; sets first_alone and "
      "second_alone of the others; changes, a row for each field (op, edges, bytes, dims, costs, "
      "parameters, group) in which partners differ, with the nodes of the first; text; and of "
      "runs the causes of their difference.",
      "a = graph.generate \"gpt:layers=2,batch=1\"; b = graph.generate "
      "\"gpt:layers=2,batch=1,tp=2\"; "
      "print(compare.graphs(a, b).text)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "listed", compare_listed, "(n)",
                      "The run at that place of the list.", "compare.listed(1)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "try", compare_try, "(a, b, kind, set, label)",
                      "Adds b with the nodes of the set as in a: moved, fused, prioritised, order "
                      "or transfers; runs or their places in the list.",
                      "compare.try(1, 2, \"moved\", g:nodes{\"image/conv1\"}, \"the first\")"),
  { NULL },
};

static const GobanLuaEntry diff_entries[] = {
  GOBAN_LUA_FUNCTION ("revert", diff_revert, "(part or change, set, label)",
                      "The second plan with a part of the difference taken back: a row of d:why(), "
                      "or a change (moved, fused, prioritised, order, transfers) and a set.",
                      "d:revert(\"moved\", d:moved()):save \"without.json\""),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "try", diff_try, "(part or change, set, label)",
                      "Adds the second run without that part to the list and shows it.",
                      "d:try(\"moved\", d:moved())"),
  GOBAN_LUA_FUNCTION (
      "why", diff_why, "()",
      "The difference as a sum: bars of kind, label, from, to, delta, set and error "
      "from the first makespan to the second, for placement, its groups by Shapley "
      "values, order, fusion and interaction. Their field change names what "
      "d:revert takes back.",
      "print(d:why())"),
  { NULL },
};

void
goban_lua_open_parts (lua_State *L)
{
  goban_lua_module (L, "compare", functions);
  goban_lua_extend (L, "Diff", diff_entries);
}
