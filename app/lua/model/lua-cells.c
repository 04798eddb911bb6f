/* lua-cells.c: graph:cells, nodes in rows by parameter and use. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/analysis/hierarchy/cell-table.h"

#include <string.h>

/* -1: not said. */
typedef struct
{
  gint64 parameters;
  gint64 uses;
} CellOptions;

static const GobanLuaOption cell_options[] = {
  { "parameters", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (CellOptions, parameters) },
  { "uses", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (CellOptions, uses) },
  { NULL },
};

/* { parameter=, parameters=, use=, uses=, nodes= } */
static void
push_row (lua_State *L, GobanGraph *graph, const GobanCellTableRow *row)
{
  GobanLuaSet *set;

  lua_createtable (L, 0, 5);
  goban_lua_put_text (L, "parameter", row->parameter);
  goban_lua_put_integer (L, "parameters", row->n_params);
  goban_lua_put_integer (L, "use", (gint64) row->use + 1);
  goban_lua_put_integer (L, "uses", row->n_uses);
  set = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph),
                            row->n_nodes);
  memcpy (set->ids, row->nodes, row->n_nodes * sizeof *set->ids);
  lua_setfield (L, -2, "nodes");
}

/* 0 if it is not said. */
static guint
check_limit (lua_State *L, const char *key, gint64 value)
{
  if (value == 0)
    luaL_error (L, "cells.%s: at least 1 expected, got 0", key);
  return value < 0 ? 0 : (guint) MIN (value, G_MAXUINT32);
}

/* g:cells{parameters=, uses=}: a list by parameter, then by use; nil and why if none is used. */
static int
graph_cells (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  CellOptions options = { -1, -1 };
  guint n_groups, n_slots;
  GobanCellTable *table;
  gpointer *kept;

  goban_lua_check_options (L, 2, "cells", cell_options, &options);
  n_groups = check_limit (L, "parameters", options.parameters);
  n_slots = check_limit (L, "uses", options.uses);
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_cell_table_free);
  table = *kept = goban_cell_table_new (goban_lua_get_costs (L, graph), n_groups, n_slots);
  if (table == NULL)
    {
      lua_pushfstring (L, "no op of the graph %s uses a parameter", goban_graph_get_name (graph));
      return goban_lua_fail_with (L);
    }

  lua_createtable (L, (int) MIN (table->n_rows, G_MAXINT), 0);
  for (guint i = 0; i < table->n_rows; i++)
    {
      push_row (L, graph, &table->rows[i]);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

static const GobanLuaEntry graph_entries[] = {
  GOBAN_LUA_FUNCTION (
      "cells", graph_cells, "{parameters=, uses=}",
      "Rows of nodes by the parameter that they work for and by which use of it, a "
      "list of tables: parameter (its name), parameters (how many it stands for), "
      "use, uses (rows of the same parameter), nodes. With numbers, at most so many "
      "groups of parameters and slots of consecutive uses. Nil and the reason if no "
      "op uses a parameter.",
      "for _, row in ipairs(g:cells{ parameters = 8, uses = 4 }) do "
      "print(row.parameter, row.use, #row.nodes) end"),
  { NULL },
};

void
goban_lua_open_cells (lua_State *L)
{
  goban_lua_extend (L, "Graph", graph_entries);
}
