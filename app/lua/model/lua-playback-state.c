/* lua-playback-state.c: run:at, the state of every node and every device at one moment of a run. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/analysis/playback-state.h"

#include <math.h>

/* --- devices -------------------------------------------------------------------------------- */

typedef struct
{
  gint64 first;
} AtOptions;

static const GobanLuaOption at_options[] = {
  { "first", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (AtOptions, first) },
  { NULL },
};

static void
push_op (lua_State *L, GobanRun *run, GobanNodeId node)
{
  const GobanOpSpan *span = &goban_trace_get_ops (goban_run_get_trace (run))[node];

  lua_createtable (L, 0, 5);
  goban_lua_put_text (L, "node", goban_graph_get_node (goban_run_get_graph (run), node)->name);
  goban_lua_put_number (L, "ready", span->ready_us / 1e6);
  goban_lua_put_number (L, "start", span->start_us / 1e6);
  goban_lua_put_number (L, "finish", span->finish_us / 1e6);
  goban_lua_put_integer (L, "priority", goban_device_moment_get_priority (run, node));
}

/* Puts a list into the record on top, and the length of the queue into its counts, which lie below
 * the record. */
static void
put_queue (lua_State *L, const char *name, GobanRun *run, const GobanQueueHead *queue,
           gboolean is_transfer)
{
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  lua_createtable (L, (int) queue->n, 0); /* counts record list */
  for (guint i = 0; i < queue->n; i++)
    {
      if (is_transfer)
        goban_lua_push_transfer (L, run, &transfers[queue->items[i]]);
      else
        push_op (L, run, queue->items[i]);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  lua_setfield (L, -2, name);
  lua_pushinteger (L, queue->n_all);
  lua_setfield (L, -3, name);
}

/* { device=, text=, running=, ready=, sending=, receiving=, waiting=, counts=, next=, memory=,
 * capacity= } */
static void
push_device (lua_State *L, GobanRun *run, const GobanDeviceMoments *moments, GobanDeviceId d)
{
  const GobanDeviceMoment *moment = &moments->devices[d];
  const GobanDevice *device = goban_cluster_get_device (goban_run_get_cluster (run), d);

  lua_createtable (L, 0, 5);
  lua_createtable (L, 0, 11);
  put_queue (L, "running", run, &moment->running, FALSE);
  put_queue (L, "ready", run, &moment->ready, FALSE);
  put_queue (L, "sending", run, &moment->sending, TRUE);
  put_queue (L, "receiving", run, &moment->receiving, TRUE);
  put_queue (L, "waiting", run, &moment->waiting, TRUE);
  goban_lua_put_text (L, "device", device->name);
  goban_lua_take_string (L, goban_device_moments_describe (moments, run, d));
  lua_setfield (L, -2, "text");
  if (moment->next != GOBAN_NO_NODE)
    goban_lua_put_text (L, "next",
                        goban_graph_get_node (goban_run_get_graph (run), moment->next)->name);
  goban_lua_put_count (L, "memory", moment->memory_bytes);
  goban_lua_put_count (L, "capacity", device->memory_bytes);
  lua_insert (L, -2); /* record counts */
  lua_setfield (L, -2, "counts");
}

/* A plan for more devices than there are does not start: it has none of them. */
static void
put_devices (lua_State *L, GobanRun *run, double time_us, guint most)
{
  guint n = MIN (goban_plan_get_n_devices (goban_run_get_plan (run)),
                 goban_cluster_get_n_devices (goban_run_get_cluster (run)));
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_device_moments_free);
  GobanDeviceMoments *moments = *kept = goban_device_moments_new (run, time_us, most);

  lua_createtable (L, (int) n, 0); /* record kept list */
  for (guint d = 0; d < n; d++)
    {
      push_device (L, run, moments, d);
      lua_rawseti (L, -2, (lua_Integer) d + 1);
    }
  lua_setfield (L, -3, "devices");
  lua_pop (L, 1);
}

/* { time=, text=, waiting=, ready=, running=, done=, counts=, devices= }: sets, and how many are in
 * each; a record per device. */
static int
run_at (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  double time_us = goban_lua_check_time_us (L, 2);
  AtOptions options = { 20 };
  guint counts[GOBAN_N_NODE_STATES];

  goban_lua_check_options (L, 3, "opts", at_options, &options);
  goban_playback_state_compute (run, time_us, NULL, counts);
  lua_createtable (L, 0, GOBAN_N_NODE_STATES + 4);
  goban_lua_put_number (L, "time", time_us / 1e6);
  goban_lua_take_string (L, goban_playback_state_describe (run, time_us));
  lua_setfield (L, -2, "text");
  lua_createtable (L, 0, GOBAN_N_NODE_STATES); /* moment counts */
  for (guint i = 0; i < GOBAN_N_NODE_STATES; i++)
    {
      const char *name = goban_node_state_names[(GobanNodeState) i];
      GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (run), run, 0);
      GobanSelection *nodes = goban_playback_state_dup_nodes (run, time_us, (GobanNodeState) i);

      goban_lua_take_nodes (set, nodes);
      lua_setfield (L, -3, name);
      goban_lua_put_integer (L, name, counts[i]);
    }
  lua_setfield (L, -2, "counts");
  put_devices (L, run, time_us, (guint) MIN (options.first, G_MAXINT));
  return 1;
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION (
      "at", run_at, "(time, opts)",
      "What nodes do at a time: sets waiting, ready, running and done, their "
      "counts, and it all as text; devices is a list with a table per device: "
      "running, the ready queue in its order, sending, receiving, waiting (to be "
      "sent), how many there are in counts, next, memory, capacity, and text. opts: "
      "first (20), the length of these lists.",
      "r:at(\"12.4ms\").devices[1].ready"),
  { NULL },
};

void
goban_lua_open_playback_state (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
}
