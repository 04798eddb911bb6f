/* lua-query.c: node queries of scripts: a text, a table of fields, or a function. */
#include "app/lua/model/lua-query.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/analysis/query.h"

static int
query_text (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  GobanLuaSet *set = goban_lua_push_set (L, costs, run, 0);
  GobanNodeContext context = { costs, run };
  GError *error = NULL;
  GobanQuery *query = goban_query_new (lua_tostring (L, index), &error);
  const char *field;
  GobanSelection *selection;

  if (query == NULL)
    return goban_lua_raise (L, error);

  field = goban_query_needs_run (query); /* static text */
  if (field != NULL && run == NULL)
    {
      goban_query_free (query);
      return luaL_error (
          L, "%s is known in a run only: ask the run, run:where(...), or view.show it", field);
    }

  selection = goban_query_select (query, &context);
  goban_lua_take_nodes (set, selection);
  goban_query_free (query);
  return 1;
}

/* --- tables of fields ------------------------------------------------------------------------- */

/* One of the values that a field may have. */
typedef struct
{
  char *text;        /* (nullable) */
  double number;     /* as scripts see it: seconds, bytes */
  GobanQuery *query; /* (nullable): a comparison instead */
} Value;

typedef struct
{
  const GobanNodeField *field;
  GArray *values; /* of Value: any of them */
} Condition;

static void
clear_value (gpointer data)
{
  Value *value = data;

  g_free (value->text);
  g_clear_pointer (&value->query, goban_query_free);
}

static void
clear_condition (gpointer data)
{
  Condition *condition = data;

  g_array_unref (condition->values);
}

static gboolean
has_value (const GobanNodeField *field, const Value *value, const GobanNodeContext *context,
           GobanNodeId node)
{
  double number;

  if (value->query != NULL)
    return goban_query_matches (value->query, context, node);
  if (field->kind == GOBAN_FIELD_TEXT)
    return g_strcmp0 (field->text (context, node), value->text) == 0;
  number = field->number (context, node);
  return (field->kind == GOBAN_FIELD_TIME ? number / 1e6 : number) == value->number;
}

static gboolean
has_any (const Condition *condition, const GobanNodeContext *context, GobanNodeId node)
{
  for (guint i = 0; i < condition->values->len; i++)
    if (has_value (condition->field, &g_array_index (condition->values, Value, i), context, node))
      return TRUE;
  return FALSE;
}

/* A text that begins with an operator is a comparison, unless a node has just this text. */
static gboolean
is_comparison (const GobanNodeField *field, const char *text, const GobanNodeContext *context)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));

  if (field->kind != GOBAN_FIELD_TEXT)
    return TRUE;
  if (!goban_query_is_comparison (text))
    return FALSE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (g_strcmp0 (field->text (context, v), text) == 0)
      return FALSE;
  return TRUE;
}

/* Adds the value on top of the stack. A value that no node can have is refused: it would be an
 * empty answer. */
static void
add_value (lua_State *L, Condition *condition, const GobanNodeContext *context)
{
  const GobanNodeField *field = condition->field;
  gboolean is_text = field->kind == GOBAN_FIELD_TEXT;
  gboolean is_device = g_str_equal (field->name, "device");
  Value *value;
  GError *error = NULL;

  if (is_device && lua_type (L, -1) == LUA_TUSERDATA)
    {
      GobanCluster *cluster = goban_cost_model_get_cluster (goban_run_get_costs (context->run));
      GobanDeviceId device = goban_lua_check_device (L, lua_gettop (L), cluster);

      lua_pushstring (L, goban_cluster_get_device (cluster, device)->name);
      lua_replace (L, -2);
    }
  if (lua_type (L, -1) != LUA_TSTRING && (is_text || lua_type (L, -1) != LUA_TNUMBER))
    luaL_error (
        L,
        "%s: %s expected, got %s; write {%s = \"%s\"}, {%s = {A, B}} for any of several, or "
        "a function of a node",
        field->name, is_text ? "text" : "a number or a comparison", luaL_typename (L, -1),
        field->name, is_text ? "TEXT" : "> 1", field->name);

  g_array_set_size (condition->values, condition->values->len + 1);
  value = &g_array_index (condition->values, Value, condition->values->len - 1);
  if (lua_type (L, -1) == LUA_TNUMBER)
    value->number = lua_tonumber (L, -1);
  else if (is_comparison (field, lua_tostring (L, -1), context))
    value->query = goban_query_new_comparison (field, lua_tostring (L, -1), &error);
  else
    value->text = g_strdup (lua_tostring (L, -1));
  if (error != NULL)
    {
      lua_pushfstring (L, "%s = \"%s\": %s", field->name, lua_tostring (L, -1), error->message);
      g_error_free (error);
      lua_error (L);
    }
  if (is_device && value->text != NULL)
    goban_lua_check_device (L, lua_gettop (L),
                            goban_cost_model_get_cluster (goban_run_get_costs (context->run)));
}

/* The field of the key below the top of the stack. */
static const GobanNodeField *
check_key (lua_State *L, const GobanNodeContext *context)
{
  const GobanNodeField *field;

  if (lua_type (L, -2) != LUA_TSTRING)
    luaL_error (L, "a table of fields expected, such as {op = \"Conv\"}; for names use "
                   "g:nodes{...}");
  field = goban_lua_check_field (L, lua_gettop (L) - 1);
  if (field->needs_run && context->run == NULL)
    luaL_error (L, "%s is known in a run only: ask the run, run:where{...}, or view.show it",
                field->name);
  return field;
}

/* Adds the conditions of the table at @index to @conditions, which the stack owns. */
static void
read_conditions (lua_State *L, int index, const GobanNodeContext *context, GArray *conditions)
{
  for (lua_pushnil (L); lua_next (L, index) != 0; lua_pop (L, 1))
    {
      Condition *condition;
      const GobanNodeField *field = check_key (L, context);

      g_array_set_size (conditions, conditions->len + 1);
      condition = &g_array_index (conditions, Condition, conditions->len - 1);
      condition->field = field;
      condition->values = g_array_new (FALSE, TRUE, sizeof (Value));
      g_array_set_clear_func (condition->values, clear_value);
      if (lua_type (L, -1) != LUA_TTABLE)
        {
          add_value (L, condition, context);
          continue;
        }
      for (lua_Integer i = 1; i <= (lua_Integer) lua_rawlen (L, -1); i++, lua_pop (L, 1))
        {
          lua_rawgeti (L, -1, i);
          add_value (L, condition, context);
        }
      if (condition->values->len == 0)
        luaL_error (L, "%s: an empty list; write {%s = {A, B}} for any of several", field->name,
                    field->name);
    }
}

static int
query_table (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  GobanNodeContext context = { costs, run };
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_array_unref);
  GArray *conditions = *kept = g_array_new (FALSE, TRUE, sizeof (Condition));
  GobanLuaSet *set;

  g_array_set_clear_func (conditions, clear_condition);
  read_conditions (L, index, &context, conditions);
  set = goban_lua_push_set (L, costs, run, n_nodes);
  set->n = 0;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      gboolean matches = TRUE;

      for (guint c = 0; matches && c < conditions->len; c++)
        matches = has_any (&g_array_index (conditions, Condition, c), &context, v);
      if (matches)
        set->ids[set->n++] = v;
    }

  return 1;
}

/* The function has been asked of node @context - 1; the set lies at 3, the function at 2. */
static int
ask_next (lua_State *L, int status, lua_KContext context)
{
  GobanLuaSet *set = lua_touserdata (L, 3);
  GobanNodeId next = context;
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (set->costs));

  for (;; next++)
    {
      if (next > 0)
        {
          if (lua_toboolean (L, -1))
            set->ids[set->n++] = next - 1;
          lua_settop (L, 3);
        }
      if (next == n_nodes)
        return 1;

      lua_pushvalue (L, 2);
      goban_lua_push_node (L, set->costs, set->run, next);
      /* runs Lua: the set owns what it shows, and no script can reach it yet */
      lua_callk (L, 1, 1, next + 1, ask_next);
    }
}

static int
query_function (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  GobanLuaSet *set;

  lua_pushvalue (L, index);
  lua_replace (L, 2);
  lua_settop (L, 2);
  set = goban_lua_push_set (L, costs, run,
                            goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)));
  set->n = 0;
  return ask_next (L, LUA_OK, 0);
}

int
goban_lua_query (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  GobanLuaSet *set;

  switch (lua_type (L, index))
    {
    case LUA_TNONE:
    case LUA_TNIL:
      set = goban_lua_push_set (L, costs, run, n_nodes);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        set->ids[v] = v;
      return 1;
    case LUA_TSTRING:
      return query_text (L, index, costs, run);
    case LUA_TTABLE:
      return query_table (L, index, costs, run);
    case LUA_TFUNCTION:
      return query_function (L, index, costs, run);
    default:
      return luaL_typeerror (L, index, "query (string, table or function)");
    }
}
