/* lua-time-events.c: starts and finishes in order of time: r:next_event, r:previous_event and
 * view.event. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-run.h"

#include "engine/session/view-time.h"
#include "engine/study/analysis/time-events.h"

#include <math.h>

/* Each step reads the whole trace. */
#define MAX_STEPS 1000

static const char *
device_name (GobanRun *run, GobanDeviceId device)
{
  return goban_cluster_get_device (goban_run_get_cluster (run), device)->name;
}

static void
push_event (lua_State *L, GobanRun *run, const GobanTimeEvent *event)
{
  GobanGraph *graph = goban_run_get_graph (run);
  GobanNodeId node = event->index;
  const char *to = NULL;
  GobanDeviceId device;
  guint n;

  if (event->is_transfer)
    {
      const GobanTransfer *transfer
          = &goban_trace_get_transfers (goban_run_get_trace (run), &n)[event->index];

      node = goban_graph_get_tensor (graph, transfer->tensor)->producer;
      device = transfer->from;
      to = device_name (run, transfer->to);
    }
  else
    device = goban_plan_get_device (goban_run_get_plan (run), node);
  lua_createtable (L, 0, 4);
  goban_lua_put_text (L, "what", event->is_finish ? "finish" : "start");
  goban_lua_put_text (L, "node", goban_graph_get_node (graph, node)->name);
  goban_lua_put_text (L, "device", device_name (run, device));
  goban_lua_put_text (L, "to", to);
}

/* { time=, text=, events= } */
static void
push_moment (lua_State *L, GobanRun *run, double time_us, const gboolean *devices)
{
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_array_unref);
  GArray *events = *kept = goban_time_events_list (run, time_us, devices);

  lua_createtable (L, 0, 3);
  goban_lua_put_number (L, "time", time_us / 1e6);
  goban_lua_take_string (L, goban_time_events_describe (run, time_us, devices));
  lua_setfield (L, -2, "text");
  lua_createtable (L, (int) events->len, 0);
  for (guint i = 0; i < events->len; i++)
    {
      push_event (L, run, &g_array_index (events, GobanTimeEvent, i));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  lua_setfield (L, -2, "events");
}

/* A device at @index; FALSE for none or nil. devices (GOBAN_MAX_DEVICES) */
static gboolean
check_device (lua_State *L, int index, GobanRun *run, gboolean *devices)
{
  if (lua_isnoneornil (L, index))
    return FALSE;
  devices[goban_lua_check_device (L, index, goban_run_get_cluster (run))] = TRUE;
  return TRUE;
}

/* A moment's own time in seconds may be rounded: events at the same rounded time are skipped, so
 * that scripts that continue from the time of an event always make progress. */
static int
find_event (lua_State *L, int direction)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  double time_us = lua_isnoneornil (L, 2) ? (double) NAN : goban_lua_check_time_us (L, 2);
  gboolean devices[GOBAN_MAX_DEVICES] = { FALSE };
  gboolean has_device = check_device (L, 3, run, devices);
  double found_us = time_us;

  do
    found_us = goban_time_events_find (run, found_us, direction, has_device ? devices : NULL);
  while (found_us / 1e6 == time_us / 1e6);
  if (isnan (found_us))
    lua_pushnil (L);
  else
    push_moment (L, run, found_us, has_device ? devices : NULL);
  return 1;
}

static int
run_next_event (lua_State *L)
{
  return find_event (L, 1);
}

static int
run_previous_event (lua_State *L)
{
  return find_event (L, -1);
}

/* view.event (n, device): shows the moment n events later, or earlier; TRUE if it is another. */
static int
view_event (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanView *view = goban_session_get_view (session);
  GobanRun *run = goban_session_get_shown_run (session);
  lua_Integer n = luaL_optinteger (L, 1, 1);
  gboolean devices[GOBAN_MAX_DEVICES] = { FALSE };
  gboolean has_device;
  double before_us = goban_view_get_time_us (view), time_us = before_us;

  luaL_argcheck (L, run != NULL, 1, "no run is shown");
  luaL_argcheck (L, n != 0 && n >= -MAX_STEPS && n <= MAX_STEPS, 1,
                 "a number of events up to 1000 is expected");
  has_device = check_device (L, 2, run, devices);
  for (lua_Integer i = 0; i < (n < 0 ? -n : n); i++)
    {
      double found_us
          = goban_time_events_find (run, time_us, n < 0 ? -1 : 1, has_device ? devices : NULL);

      if (isnan (found_us))
        break;
      time_us = found_us;
    }
  if (!isnan (time_us))
    goban_view_set_time_us (view, time_us);
  lua_pushboolean (L, !isnan (time_us) && time_us != before_us);
  return 1;
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION ("next_event", run_next_event, "(time, device)",
                      "The next time at which an op or a transfer starts or finishes, of a device "
                      "or of all: {time =, text =, events =}, events with what (start, finish), "
                      "node, device, and to for transfers; nil after the last. Without a time the "
                      "first.",
                      "r:next_event(\"0.4ms\", \"gpu:0\").text"),
  GOBAN_LUA_FUNCTION ("previous_event", run_previous_event, "(time, device)",
                      "The same for the time before; without a time the last.",
                      "r:previous_event(\"0.4ms\").events"),
  { NULL },
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "event", view_event, "(n, device)",
                      "Shows the moment n events later, or earlier if n is negative; of a device, "
                      "only what starts or finishes there. True if there is one.",
                      "view.event(1, \"gpu:0\")"),
  { NULL },
};

void
goban_lua_open_time_events (lua_State *L)
{
  goban_lua_module (L, "view", functions);
  goban_lua_extend (L, "Run", run_entries);
}
