#include "app/lua/core/lua-names.h"

#include "app/lua/core/lua-state.h"

#include "engine/core/quantity.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/run-list.h"

#include <string.h>

typedef struct
{
  lua_State *L;
  const char *prefix;
  lua_Integer n; /* rows so far, in the list on top of the stack */
  lua_Integer limit;
} Names;

static gboolean
is_wanted (const Names *self, const char *name)
{
  return self->n < self->limit && g_str_has_prefix (name, self->prefix);
}

/* @detail: two texts, for they are borrowed. */
static void
add (Names *self, const char *name, const char *kind, const char *detail)
{
  lua_State *L = self->L;

  lua_createtable (L, 2, 0);
  lua_pushstring (L, name);
  lua_rawseti (L, -2, 1);
  lua_pushfstring (L, "%s %s", kind, detail);
  lua_rawseti (L, -2, 2);
  lua_rawseti (L, -2, ++self->n);
}

static void
add_devices (Names *self, GobanCluster *cluster)
{
  for (guint i = 0; i < goban_cluster_get_n_devices (cluster); i++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, i);

      if (is_wanted (self, device->name))
        add (self, device->name, "device", device->kind);
    }
}

static void
add_plans (Names *self, GListModel *runs)
{
  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);
      char makespan[GOBAN_QUANTITY_LEN];

      if (is_wanted (self, goban_run_get_name (run)))
        add (self, goban_run_get_name (run), "plan,",
             goban_format_time (makespan, goban_run_get_makespan_us (run)));
    }
}

static void
add_nodes (Names *self, GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (GobanNodeId v = 0; v < n_nodes && self->n < self->limit; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (is_wanted (self, node->name))
        add (self, node->name, "node", node->op);
    }
}

int
goban_lua_names (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  Names names = { .L = L, .prefix = luaL_checkstring (L, 1), .limit = luaL_checkinteger (L, 2) };

  lua_newtable (L);
  add_devices (&names, goban_session_get_cluster (session));
  add_plans (&names, goban_session_get_runs (session));
  if (goban_session_get_graph (session) != NULL)
    add_nodes (&names, goban_session_get_graph (session));
  return 1;
}
