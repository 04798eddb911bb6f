/* lua-set.c: sets of nodes: results of queries, selections and paths. */
#include "app/lua/model/lua-set.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-node.h"

#include "engine/core/quantity.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/analysis/reach.h"

#include <math.h>
#include <string.h>

static const GobanLuaType set_type;

static void
clear_set (gpointer value)
{
  GobanLuaSet *set = value;

  g_clear_pointer (&set->costs, goban_cost_model_unref);
  g_clear_pointer (&set->run, goban_run_unref);
  g_clear_pointer (&set->ids, g_free);
}

GobanLuaSet *
goban_lua_push_set (lua_State *L, GobanCostModel *costs, GobanRun *run, guint n)
{
  GobanLuaSet *set = goban_lua_push_handle (L, &set_type, 0);

  set->costs = goban_cost_model_ref (costs);
  set->run = goban_run_ref (run);
  set->ids = g_new0 (GobanNodeId, n + 1);
  set->n = n;
  goban_lua_charge (L, -1, (n + 1) * sizeof *set->ids);
  return set;
}

GobanLuaSet *
goban_lua_check_set (lua_State *L, int index)
{
  return goban_lua_check_handle (L, index, &set_type);
}

GobanLuaSet *
goban_lua_test_set (lua_State *L, int index)
{
  return goban_lua_test_handle (L, index, &set_type);
}

static GobanGraph *
graph_of (const GobanLuaSet *set)
{
  return goban_cost_model_get_graph (set->costs);
}

void
goban_lua_make_unique (GobanLuaSet *set)
{
  GHashTable *seen = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < set->n; i++)
    if (g_hash_table_add (seen, GUINT_TO_POINTER (set->ids[i] + 1)))
      set->ids[n++] = set->ids[i];

  set->n = n;
  g_hash_table_unref (seen);
}

void
goban_lua_fill_set (GobanLuaSet *set, const GobanSelection *selection)
{
  const GobanNodeId *ids = goban_selection_get_ids (selection, &set->n);

  g_free (set->ids);
  set->ids = g_memdup2 (ids, sizeof *ids * set->n);
  if (set->ids == NULL)
    set->ids = g_new0 (GobanNodeId, 1);
}

void
goban_lua_take_nodes (GobanLuaSet *set, GobanSelection *nodes)
{
  goban_lua_fill_set (set, nodes);
  goban_selection_unref (nodes);
}

void
goban_lua_push_selection (lua_State *L, GobanGraph *graph, GobanSelection *selection)
{
  GobanLuaSet *set
      = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph), 0);

  goban_lua_fill_set (set, selection);
}

/* --- walking ---------------------------------------------------------------------------------- */

/* Upvalues: the set, how many were given. */
static int
next_node (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, lua_upvalueindex (1));
  lua_Integer i = lua_tointeger (L, lua_upvalueindex (2));

  if (i >= set->n)
    return 0;

  lua_pushinteger (L, i + 1);
  lua_replace (L, lua_upvalueindex (2));
  goban_lua_push_node (L, set->costs, set->run, set->ids[i]);
  return 1;
}

static int
set_each (lua_State *L)
{
  goban_lua_check_set (L, 1);
  lua_settop (L, 1);
  lua_pushinteger (L, 0);
  lua_pushcclosure (L, next_node, 2);
  return 1;
}

static int
set_at (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  lua_Integer i = luaL_checkinteger (L, 2);

  if (i < 0)
    i += set->n + 1;
  luaL_argcheck (L, i >= 1 && i <= set->n, 2, "there is no such node in the set");
  goban_lua_push_node (L, set->costs, set->run, set->ids[i - 1]);
  return 1;
}

/* Called after node @context - 1; stack: set, function, answers, value. */
static int
map_next (lua_State *L, int status, lua_KContext context)
{
  GobanLuaSet *set = lua_touserdata (L, 1);

  for (lua_KContext next = context;; next++)
    {
      if (next > 0)
        {
          if (lua_isnil (L, -1))
            {
              lua_pop (L, 1);
              lua_pushboolean (L, FALSE); /* a list has no holes */
            }
          lua_rawseti (L, 3, next);
        }
      goban_lua_check_set (L, 1); /* the function may have closed it */
      if (next == set->n)
        return 1;

      lua_pushvalue (L, 2);
      goban_lua_push_node (L, set->costs, set->run, set->ids[next]);
      /* runs Lua: the set is checked again afterwards */
      lua_callk (L, 1, 1, next + 1, map_next);
    }
}

static int
set_map (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);

  luaL_argexpected (L, lua_isfunction (L, 2) || lua_isstring (L, 2), 2, "function or field");
  if (lua_isstring (L, 2))
    {
      const GobanNodeField *field = goban_lua_check_field (L, 2);
      GobanNodeContext context = { set->costs, set->run };

      lua_createtable (L, set->n, 0);
      for (guint i = 0; i < set->n; i++)
        {
          goban_lua_push_field (L, field, &context, set->ids[i]);
          lua_rawseti (L, -2, i + 1);
        }
      return 1;
    }

  lua_settop (L, 2);
  lua_createtable (L, set->n, 0);
  return map_next (L, LUA_OK, 0);
}

/* --- sums ---------------------------------------------------------------------------------- */

static const GobanNodeField *
check_number_field (lua_State *L, int index)
{
  const GobanNodeField *field = goban_lua_check_field (L, index);

  if (field->kind == GOBAN_FIELD_TEXT)
    luaL_error (L, "the field %s is text, not a number", field->name);

  return field;
}

static double
sum_field (const GobanLuaSet *set, const GobanNodeField *field)
{
  GobanNodeContext context = { set->costs, set->run };
  double sum = 0;

  for (guint i = 0; i < set->n; i++)
    {
      double value = field->number (&context, set->ids[i]);

      sum += isnan (value) ? 0 : value;
    }

  return field->kind == GOBAN_FIELD_TIME ? sum / 1e6 : sum;
}

static int
set_sum (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);

  const GobanNodeField *field = check_number_field (L, 2);

  if (field->kind == GOBAN_FIELD_TIME)
    lua_pushnumber (L, sum_field (set, field));
  else
    goban_lua_push_count (L, sum_field (set, field));
  return 1;
}

/* There is room up to the next power of two, and for one id in an empty set. */
static void
append_id (GobanLuaSet *set, GobanNodeId id)
{
  if (set->n > 0 && (set->n & (set->n - 1)) == 0)
    set->ids = g_renew (GobanNodeId, set->ids, 2 * (gsize) set->n);
  set->ids[set->n++] = id;
}

/* A table of sets by the field's value; nodes without one are left out. */
static int
set_by (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  const GobanNodeField *field = goban_lua_check_field (L, 2);
  GobanNodeContext context = { set->costs, set->run };

  lua_newtable (L); /* answer */
  for (guint i = 0; i < set->n; i++)
    {
      GobanLuaSet *part;

      goban_lua_push_field (L, field, &context, set->ids[i]); /* answer key */
      if (lua_isnil (L, -1))
        {
          lua_pop (L, 1);
          continue;
        }
      lua_pushvalue (L, -1);
      if (lua_rawget (L, -3) == LUA_TNIL) /* answer key nil */
        {
          lua_pop (L, 1);
          goban_lua_push_set (L, set->costs, set->run, 0);
          lua_pushvalue (L, -2);
          lua_pushvalue (L, -2);
          lua_rawset (L, -5);
        }
      part = lua_touserdata (L, -1);
      append_id (part, set->ids[i]);
      lua_pop (L, 2);
    }

  return 1;
}

static int
set_top (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  lua_Integer n = luaL_checkinteger (L, 2);
  const GobanNodeField *field = check_number_field (L, 3);
  GobanNodeContext context = { set->costs, set->run };
  GobanLuaSet *top;
  GobanSelection *nodes;

  luaL_argcheck (L, n >= 0, 2, "it is negative");
  top = goban_lua_push_set (L, set->costs, set->run, 0);
  nodes = goban_selection_new (set->ids, set->n);
  g_free (top->ids);
  top->ids = goban_node_list_sort (&context, nodes, field, TRUE, NULL, &top->n,
                                   NULL); /* fails only if it is cancelled */
  top->n = (guint) MIN (n, top->n);
  goban_selection_unref (nodes);
  return 1;
}

/* --- neighbours ---------------------------------------------------------------------------- */

/* All within k edges against or along their direction, the set itself left out. */
static int
push_reach (lua_State *L, gboolean is_in)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  lua_Integer k = luaL_optinteger (L, 2, 1);
  GobanLuaSet *reach = goban_lua_push_set (L, set->costs, set->run, 0);
  GobanSelection *nodes = goban_reach_new (graph_of (set), set->ids, set->n, k, is_in);

  goban_lua_take_nodes (reach, nodes);
  return 1;
}

static int
set_inputs (lua_State *L)
{
  return push_reach (L, TRUE);
}

static int
set_outputs (lua_State *L)
{
  return push_reach (L, FALSE);
}

static int
push_neighbours (lua_State *L, gboolean is_in)
{
  GobanLuaNode *node = goban_lua_check_node (L, 1);
  GobanGraph *graph = goban_cost_model_get_graph (node->costs);
  GobanEdgeSpan edges = is_in ? goban_graph_get_in_edges (graph, node->id)
                              : goban_graph_get_out_edges (graph, node->id);
  GobanLuaSet *set = goban_lua_push_set (L, node->costs, node->run, edges.n);

  set->n = 0;
  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      set->ids[set->n++] = is_in ? edge->tail : edge->head;
    }
  goban_lua_make_unique (set);
  return 1;
}

/* A list of { node =, bytes =, dtype =, control = }, one for each tensor between two nodes. */
static int
push_edges (lua_State *L, gboolean is_in)
{
  GobanLuaNode *node = goban_lua_check_node (L, 1);
  GobanGraph *graph = goban_cost_model_get_graph (node->costs);
  GobanEdgeSpan edges = is_in ? goban_graph_get_in_edges (graph, node->id)
                              : goban_graph_get_out_edges (graph, node->id);

  lua_createtable (L, (int) MIN (edges.n, G_MAXINT), 0);
  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);
      const GobanTensor *tensor = goban_graph_get_tensor (graph, edge->tensor);

      lua_createtable (L, 0, 4);
      goban_lua_push_node (L, node->costs, node->run, is_in ? edge->tail : edge->head);
      lua_setfield (L, -2, "node");
      goban_lua_put_count (L, "bytes", tensor->size_bytes);
      goban_lua_put_text (L, "dtype", *tensor->dtype != '\0' ? tensor->dtype : NULL);
      goban_lua_put_boolean (L, "control", tensor->is_control);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

static int
node_in_edges (lua_State *L)
{
  return push_edges (L, TRUE);
}

static int
node_out_edges (lua_State *L)
{
  return push_edges (L, FALSE);
}

static int
node_inputs (lua_State *L)
{
  return push_neighbours (L, TRUE);
}

static int
node_outputs (lua_State *L)
{
  return push_neighbours (L, FALSE);
}

/* --- algebra ------------------------------------------------------------------------------- */

typedef GobanSelection *(*Combine) (const GobanSelection *a, const GobanSelection *b);

static int
combine (lua_State *L, Combine operation)
{
  GobanLuaSet *a = goban_lua_check_set (L, 1), *b = goban_lua_check_set (L, 2);
  GobanSelection *x, *y, *answer;
  GobanLuaSet *set;

  luaL_argcheck (L, graph_of (a) == graph_of (b), 2, "it is a set of another graph");
  set = goban_lua_push_set (L, a->costs, a->run, 0);
  x = goban_selection_new (a->ids, a->n);
  y = goban_selection_new (b->ids, b->n);
  answer = operation (x, y);
  goban_lua_take_nodes (set, answer);
  goban_selection_unref (y);
  goban_selection_unref (x);
  return 1;
}

static int
set_add (lua_State *L)
{
  return combine (L, goban_selection_union);
}

static int
set_subtract (lua_State *L)
{
  return combine (L, goban_selection_difference);
}

static int
set_multiply (lua_State *L)
{
  return combine (L, goban_selection_intersection);
}

static int
set_equal (lua_State *L)
{
  GobanLuaSet *a = goban_lua_test_set (L, 1), *b = goban_lua_test_set (L, 2);

  lua_pushboolean (L, a != NULL && b != NULL && graph_of (a) == graph_of (b) && a->n == b->n
                          && memcmp (a->ids, b->ids, a->n * sizeof *a->ids) == 0);
  return 1;
}

static int
set_contains (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  GobanNodeId id = goban_lua_check_node_of (L, 2, graph_of (set));
  gboolean is_in = FALSE;

  for (guint i = 0; i < set->n && !is_in; i++)
    is_in = set->ids[i] == id;

  lua_pushboolean (L, is_in);
  return 1;
}

/* --- showing ------------------------------------------------------------------------------- */

GobanSelection *
goban_lua_check_open_nodes (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  GobanGraph *graph = goban_session_get_graph (goban_lua_get_session (L));

  luaL_argcheck (L, graph_of (set) == graph, 1, "its graph is not open; view.open it first");
  return goban_selection_new (set->ids, set->n);
}

/* Nodes that are to be seen are not hidden any more. */
static void
unhide (GobanSession *session, GobanSelection *nodes)
{
  GobanView *view = goban_session_get_view (session);
  GobanSelection *hidden = goban_selection_difference (goban_view_get_hidden (view), nodes);

  goban_view_set_hidden (view, hidden, goban_session_get_graph (session));
  goban_selection_unref (hidden);
}

static int
set_show (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanSelection *selection = goban_lua_check_open_nodes (L);

  unhide (session, selection);
  goban_session_set_selection (session, selection);
  goban_selection_unref (selection);
  goban_session_zoom (session, "selection");
  goban_lua_sync_globals (L);
  lua_settop (L, 1);
  return 1;
}

static int
set_len (lua_State *L)
{
  lua_pushinteger (L, goban_lua_check_set (L, 1)->n);
  return 1;
}

static int
set_tostring (lua_State *L)
{
  GobanLuaSet *set = goban_lua_check_set (L, 1);
  char cost[GOBAN_QUANTITY_LEN];

  /* The field is in the table, so there is no error to take. */
  goban_format_time (cost, 1e6 * sum_field (set, goban_node_field_find ("cost", NULL)));
  lua_pushfstring (L, "Set of %d node%s, cost %s", (int) set->n, set->n == 1 ? "" : "s", cost);
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("at", set_at, "(i)", "The i-th node; negative from the end.", "s:at(1)"),
  GOBAN_LUA_FUNCTION ("by", set_by, "(field)", "A table of sets by the field's value.",
                      "pp(g:nodes():by \"op\")"),
  GOBAN_LUA_FUNCTION ("contains", set_contains, "(node)",
                      "Whether a node, or the one of that name, is in it.",
                      "s:contains \"image/conv1\""),
  GOBAN_LUA_FUNCTION ("each", set_each, "()", "Walks the nodes.",
                      "for n in s:each() do print(n.name) end"),
  GOBAN_LUA_FUNCTION ("inputs", set_inputs, "(k)",
                      "What lies up to k edges before it (1 unless told).", "s:inputs(2)"),
  GOBAN_LUA_FUNCTION ("map", set_map, "(f or field)",
                      "A list of what f or the field says of each node.", "s:map \"name\""),
  GOBAN_LUA_FUNCTION ("outputs", set_outputs, "(k)",
                      "What lies up to k edges behind it (1 unless told).", "s:outputs()"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "show", set_show, "()",
                      "Selects the nodes, which are not hidden any more, and goes there.",
                      "g:where \"cost > 1ms\":show()"),
  GOBAN_LUA_FUNCTION ("sum", set_sum, "(field)", "The sum of a field; what is unknown counts as 0.",
                      "s:sum \"cost\""),
  GOBAN_LUA_FUNCTION ("top", set_top, "(n, field)",
                      "The n nodes with the largest values, largest first.",
                      "g:nodes():top(10, \"cost\")"),
  GOBAN_LUA_META ("__add", set_add),
  GOBAN_LUA_META ("__eq", set_equal),
  GOBAN_LUA_META ("__len", set_len),
  GOBAN_LUA_META ("__mul", set_multiply),
  GOBAN_LUA_META ("__sub", set_subtract),
  GOBAN_LUA_META ("__tostring", set_tostring),
  { NULL },
};

static const GobanLuaEntry node_entries[] = {
  GOBAN_LUA_FUNCTION ("in_edges", node_in_edges, "()",
                      "A list of the tensors it reads, n.fan_in of them: node (the producer), "
                      "bytes, dtype, control (true of an order without data). A tensor that it "
                      "reads twice is sent, and listed, once.",
                      "pp(n:in_edges())"),
  GOBAN_LUA_FUNCTION ("inputs", node_inputs, "()",
                      "The nodes it reads from, each once, however many of its tensors it reads; "
                      "n:in_edges() has them tensor by tensor."),
  GOBAN_LUA_FUNCTION ("out_edges", node_out_edges, "()",
                      "The same of its readers, n.fan_out of them: node, bytes, dtype, control.",
                      "pp(n:out_edges())"),
  GOBAN_LUA_FUNCTION ("outputs", node_outputs, "()",
                      "The nodes that read from it, each once; n:out_edges() has them tensor by "
                      "tensor."),
  { NULL },
};

static const GobanLuaType set_type = {
  .name = "Set",
  .variable = "s",
  .sentence = "Nodes of a graph, each once: #s, a + b (either), a * b (both), a - b (not in b).",
  .example = "g:where{ op = \"Conv\" } - sel",
  .size = sizeof (GobanLuaSet),
  .clear = clear_set,
  .entries = entries,
};

void
goban_lua_open_set (lua_State *L)
{
  goban_lua_register (L, &set_type);
  goban_lua_extend (L, "Node", node_entries);
}
