/* lua-current.c: references to the open graph, its costs, the cluster and the current run.
 *
 * While a chunk runs in a thread of its own, people change the session. Functions of the chunk get
 * references that stay valid for a while.
 */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/session/session-graph.h"

static void
clear_seen (GobanLuaCurrent *seen)
{
  g_clear_pointer (&seen->graph, goban_graph_unref);
  g_clear_pointer (&seen->costs, goban_cost_model_unref);
  g_clear_pointer (&seen->cluster, goban_cluster_unref);
  g_clear_pointer (&seen->run, goban_run_unref);
}

void
goban_lua_clear_current (GobanLuaHost *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->seen); i++)
    clear_seen (&self->seen[i]);
  clear_seen (&self->away);
}

static void
look_cb (gpointer data)
{
  GobanLuaHost *self = data;
  GobanSession *session = self->session;
  GobanLuaCurrent *seen = &self->seen[self->last_seen];
  GobanLuaCurrent now = {
    .graph = goban_session_get_graph (session),
    .cluster = goban_session_get_cluster (session),
    .run = goban_session_get_current_run (session),
  };

  g_atomic_int_set (&self->is_seen_stale, 0);
  self->n_looks++;
  now.costs = now.graph != NULL ? goban_session_get_costs (session) : NULL;
  if (seen->graph == now.graph && seen->costs == now.costs && seen->cluster == now.cluster
      && seen->run == now.run)
    return;

  self->last_seen = (self->last_seen + 1) % G_N_ELEMENTS (self->seen);
  seen = &self->seen[self->last_seen];
  if (now.graph != NULL)
    goban_graph_ref (now.graph);
  if (now.costs != NULL)
    goban_cost_model_ref (now.costs);
  goban_run_ref (now.run);
  goban_cluster_ref (now.cluster);
  clear_seen (seen);
  *seen = now;
}

const GobanLuaCurrent *
goban_lua_get_current (lua_State *L)
{
  GobanLuaHost *self = goban_lua_get_host (L);

  /* In the main thread it costs nothing, and a change may be half done. */
  if (g_atomic_int_get (&self->is_seen_stale) || !goban_lua_is_in_thread (self))
    goban_lua_on_main (self, look_cb, self);
  return &self->seen[self->last_seen];
}

static void
look_away_cb (gpointer data)
{
  GobanLuaHost *self = data;

  self->away.cluster
      = goban_cluster_ref (goban_session_get_cluster_for (self->session, self->away.graph));
}

GobanCluster *
goban_lua_get_cluster_for (lua_State *L, GobanGraph *graph)
{
  GobanLuaHost *self = goban_lua_get_host (L);
  const GobanLuaCurrent *seen = goban_lua_get_current (L);

  if (seen->graph == graph)
    return seen->cluster;
  if (self->away.graph != graph || self->away_look != self->n_looks)
    {
      GobanGraph *kept = goban_graph_ref (graph);

      clear_seen (&self->away);
      self->away.graph = kept;
      self->away_look = self->n_looks;
      goban_lua_on_main (self, look_away_cb, self);
    }
  return self->away.cluster;
}

GobanCostModel *
goban_lua_get_costs (lua_State *L, GobanGraph *graph)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  const GobanLuaCurrent *seen = goban_lua_get_current (L);
  GobanCluster *cluster;

  if (seen->graph == graph)
    return seen->costs;

  cluster = goban_lua_get_cluster_for (L, graph);
  if (host->costs == NULL || goban_cost_model_get_graph (host->costs) != graph
      || goban_cost_model_get_cluster (host->costs) != cluster)
    {
      g_clear_pointer (&host->costs, goban_cost_model_unref);
      host->costs = goban_cost_model_new (graph, cluster, FALSE);
    }

  return host->costs;
}

GobanCostModel *
goban_lua_dup_costs (lua_State *L, GobanGraph *graph, GobanCluster *cluster,
                     GobanExecution execution)
{
  GobanCostModel *costs = goban_lua_get_costs (L, graph);

  if (goban_cost_model_get_cluster (costs) == cluster && execution == GOBAN_EXECUTION_EVENTS)
    return goban_cost_model_ref (costs);

  return goban_cost_model_new_on (costs, cluster, execution);
}

GobanRun *
goban_lua_get_run (lua_State *L, GobanGraph *graph)
{
  GobanRun *run = goban_lua_get_current (L)->run;

  return run != NULL && goban_run_get_graph (run) == graph ? run : NULL;
}
