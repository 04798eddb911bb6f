/* lua-causes.c: run:why, the chain of causes for what a device does at a time. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-run.h"

#include "engine/study/analysis/causes.h"

/* { text=, kind=, device=, node=, start=, finish=, waited= }; a transfer's device is its target and
 * its node the producer of the tensor. */
static void
push_cause (lua_State *L, GobanRun *run, const GobanCauses *causes, guint i)
{
  static const char *const kinds[] = { "runs", "idle", "done", "step", "running", "never" };
  guint n;
  const GobanCause *cause = &goban_causes_get (causes, &n)[i];
  GobanGraph *graph = goban_run_get_graph (run);
  gboolean has_step = cause->kind != GOBAN_CAUSE_DONE && cause->kind != GOBAN_CAUSE_NEVER;
  guint32 node = cause->step.index;

  lua_createtable (L, 0, 8);
  goban_lua_take_string (L, goban_causes_describe (causes, i));
  lua_setfield (L, -2, "text");
  goban_lua_put_text (L, "kind", cause->step.is_transfer ? "transfer" : kinds[cause->kind]);
  if (cause->kind != GOBAN_CAUSE_NEVER)
    goban_lua_put_text (
        L, "device", goban_cluster_get_device (goban_run_get_cluster (run), cause->device)->name);
  goban_lua_put_number (L, "start", cause->start_us / 1e6);
  goban_lua_put_number (L, "finish", cause->finish_us / 1e6);
  if (!has_step)
    return;

  if (cause->step.is_transfer)
    {
      const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

      node = goban_graph_get_tensor (graph, transfers[node].tensor)->producer;
    }
  goban_lua_put_text (L, "node", goban_graph_get_node (graph, node)->name);
  goban_lua_put_number (L, "waited", cause->step.waited_us / 1e6);
}

/* Without a device, why the run is not valid. The prelude makes the list printable. */
static int
run_why (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanTrace *trace = goban_run_get_trace (run);
  GobanDeviceId device;
  GobanCauses *causes;
  gpointer *kept;
  double time_us;
  guint n;

  if (lua_isnoneornil (L, 2))
    {
      lua_pushstring (L, goban_trace_get_why (trace));
      return 1;
    }

  device = goban_lua_check_device (L, 2, goban_run_get_cluster (run));
  time_us = goban_lua_check_time_us (L, 3);
  luaL_argcheck (L, time_us >= 0, 3, "the run starts at 0");
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_causes_free);
  causes = *kept = goban_causes_new_for_device (trace, device, time_us);
  goban_causes_get (causes, &n);
  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      push_cause (L, run, causes, i);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION (
      "why", run_why, "(device, time)",
      "The chain of causes for what a device does, or waits for, at a time; without "
      "them, why the run is not valid (\"\" where it is).",
      "r:why(\"gpu:1\", \"12.4ms\")"),
  { NULL },
};

void
goban_lua_open_causes (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
}
