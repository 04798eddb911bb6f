/* lua-totals.c: run:totals and run:shares, of devices in a span of time, run:links, and
 * run:bottlenecks. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/analysis/bottlenecks.h"
#include "engine/study/analysis/span-totals.h"
#include "engine/study/analysis/time-shares.h"

static void
push_device (lua_State *L, const char *name, const GobanDeviceTotals *device)
{
  lua_createtable (L, 0, 8);
  goban_lua_put_text (L, "device", name);
  goban_lua_put_number (L, "ops", device->n_ops);
  goban_lua_put_number (L, "busy", device->busy_us / 1e6);
  goban_lua_put_number (L, "idle", device->idle_us / 1e6);
  goban_lua_put_number (L, "sending", device->sending_us / 1e6);
  goban_lua_put_number (L, "receiving", device->receiving_us / 1e6);
  goban_lua_put_number (L, "sent", device->sent_bytes);
  goban_lua_put_number (L, "received", device->received_bytes);
}

static void
push_devices (lua_State *L, GobanCluster *cluster, const GobanSpanTotals *totals)
{
  lua_Integer n = 0;

  lua_newtable (L);
  for (guint d = 0; d < totals->n_devices; d++)
    if (totals->devices[d].is_in)
      {
        push_device (L, goban_cluster_get_device (cluster, (GobanDeviceId) d)->name,
                     &totals->devices[d]);
        lua_rawseti (L, -2, ++n);
      }
}

static void
push_top (lua_State *L, GobanGraph *graph, const GobanSpanTotals *totals)
{
  lua_createtable (L, (int) totals->n_top, 0);
  for (guint i = 0; i < totals->n_top; i++)
    {
      lua_createtable (L, 0, 2);
      goban_lua_put_text (L, "node", goban_graph_get_node (graph, totals->top[i].node)->name);
      goban_lua_put_number (L, "busy", totals->top[i].busy_us / 1e6);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
}

/* @devices: (n_devices), zeroed. */
static void
check_devices (lua_State *L, int index, GobanCluster *cluster, guint8 *devices)
{
  if (!lua_istable (L, index))
    {
      devices[goban_lua_check_device (L, index, cluster)] = TRUE;
      return;
    }

  goban_lua_check_plain (L, index, "devices");
  for (lua_Integer i = 1; i <= (lua_Integer) lua_rawlen (L, index); i++)
    {
      lua_rawgeti (L, index, i);
      devices[goban_lua_check_device (L, lua_gettop (L), cluster)] = TRUE;
      lua_pop (L, 1);
    }
}

/* { text=, from=, to=, all=, devices=, top= }; the prelude makes it printable. */
static int
run_totals (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanTrace *trace = goban_run_get_trace (run);
  double from_us = lua_isnoneornil (L, 2) ? 0 : goban_lua_check_time_us (L, 2);
  double to_us
      = lua_isnoneornil (L, 3) ? goban_run_get_makespan_us (run) : goban_lua_check_time_us (L, 3);
  gboolean is_all = lua_isnoneornil (L, 4);
  guint8 devices[GOBAN_MAX_DEVICES] = { 0 };
  GobanSpanTotals *totals;
  gpointer *kept;

  luaL_argcheck (L, from_us >= 0, 2, "the run starts at 0");
  luaL_argcheck (L, to_us >= from_us, 3, "the span ends before it begins");
  if (!is_all)
    check_devices (L, 4, cluster, devices);
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_span_totals_free);
  totals = *kept = goban_span_totals_new (trace, from_us, to_us, is_all ? NULL : devices);
  lua_createtable (L, 0, 6);
  goban_lua_take_string (L, goban_span_totals_describe (totals, trace));
  lua_setfield (L, -2, "text");
  goban_lua_put_number (L, "from", totals->from_us / 1e6);
  goban_lua_put_number (L, "to", totals->to_us / 1e6);
  push_device (L, "all", &totals->all);
  lua_setfield (L, -2, "all");
  push_devices (L, cluster, totals);
  lua_setfield (L, -2, "devices");
  push_top (L, goban_run_get_graph (run), totals);
  lua_setfield (L, -2, "top");
  return 1;
}

/* r:bottlenecks (n): { { text=, kind=, label=, time=, share=, set= }, ... , text= }, n causes and
 * the others. */
static int
run_bottlenecks (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  lua_Integer n_most = luaL_optinteger (L, 2, GOBAN_BOTTLENECKS_MOST);
  GobanBottlenecks *bottlenecks;
  gpointer *kept;

  luaL_argcheck (L, n_most > 0 && n_most <= G_MAXINT, 2, "at least one cause is needed");
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_bottlenecks_free);
  bottlenecks = *kept = goban_bottlenecks_new (goban_run_get_trace (run), (guint) n_most);
  lua_createtable (L, (int) bottlenecks->n_causes, 1);
  for (guint i = 0; i < bottlenecks->n_causes; i++)
    {
      const GobanBottleneck *cause = &bottlenecks->causes[i];
      GobanLuaSet *set;

      lua_createtable (L, 0, 6);
      goban_lua_put_text (L, "kind", goban_bottleneck_kind_words[cause->kind]);
      goban_lua_put_text (L, "label", cause->label);
      goban_lua_put_number (L, "time", cause->time_us / 1e6);
      goban_lua_put_number (L, "share", cause->time_us / bottlenecks->makespan_us);
      goban_lua_take_string (L, goban_bottleneck_describe (cause));
      lua_setfield (L, -2, "text");
      set = goban_lua_push_set (L, goban_run_get_costs (run), run, 0);
      goban_lua_fill_set (set, cause->nodes);
      lua_setfield (L, -2, "set");
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  goban_lua_take_string (L, goban_bottlenecks_to_text (bottlenecks));
  lua_setfield (L, -2, "text");
  return 1;
}

/* --- shares ---------------------------------------------------------------------------------- */

/* { {device=, computing=, data=, channel=, priority=, ends=}, ... }: seconds. */
static void
push_device_shares (lua_State *L, GobanCluster *cluster, const GobanTimeShares *shares)
{
  lua_createtable (L, (int) shares->n_devices, 0);
  for (guint d = 0; d < shares->n_devices; d++)
    {
      lua_createtable (L, 0, GOBAN_N_TIME_KINDS + 1);
      goban_lua_put_text (L, "device", goban_cluster_get_device (cluster, (GobanDeviceId) d)->name);
      for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
        goban_lua_put_number (L, goban_time_kind_get_word ((GobanTimeKind) k),
                              shares->devices_us[d][k] / 1e6);
      lua_rawseti (L, -2, (lua_Integer) d + 1);
    }
}

static void
push_rows (lua_State *L, GobanRun *run, const GArray *rows, double span_us)
{
  lua_createtable (L, (int) rows->len, 0);
  for (guint i = 0; i < rows->len; i++)
    {
      const GobanTimeRow *row = &g_array_index (rows, GobanTimeRow, i);

      lua_createtable (L, 0, 5);
      goban_lua_put_text (L, "name", row->name);
      goban_lua_put_integer (L, "count", row->n);
      goban_lua_put_number (L, "busy", row->busy_us / 1e6);
      goban_lua_put_number (L, "share", span_us > 0 ? row->busy_us / span_us : 0);
      if (row->nodes != NULL)
        {
          goban_lua_fill_set (goban_lua_push_set (L, goban_run_get_costs (run), run, 0),
                              row->nodes);
          lua_setfield (L, -2, "set");
        }
      else
        goban_lua_put_number (L, "bytes", row->bytes);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
}

/* { text=, from=, to=, devices=, types=, groups=, links= }; the prelude makes it printable. */
static int
run_shares (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  double from_us = lua_isnoneornil (L, 2) ? 0 : goban_lua_check_time_us (L, 2);
  double to_us
      = lua_isnoneornil (L, 3) ? goban_run_get_makespan_us (run) : goban_lua_check_time_us (L, 3);
  const GobanTimeShares *shares;
  gpointer *kept;
  double span_us;

  luaL_argcheck (L, from_us >= 0, 2, "the run starts at 0");
  luaL_argcheck (L, to_us >= from_us, 3, "the span ends before it begins");
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_time_shares_free);
  shares = *kept = goban_time_shares_new (goban_run_get_trace (run), from_us, to_us);
  span_us = shares->to_us - shares->from_us;
  lua_createtable (L, 0, 7);
  goban_lua_take_string (L, goban_time_shares_to_text (shares, goban_run_get_trace (run)));
  lua_setfield (L, -2, "text");
  goban_lua_put_number (L, "from", shares->from_us / 1e6);
  goban_lua_put_number (L, "to", shares->to_us / 1e6);
  push_device_shares (L, goban_run_get_cluster (run), shares);
  lua_setfield (L, -2, "devices");
  push_rows (L, run, shares->types, span_us);
  lua_setfield (L, -2, "types");
  push_rows (L, run, shares->groups, span_us);
  lua_setfield (L, -2, "groups");
  push_rows (L, run, shares->links, span_us);
  lua_setfield (L, -2, "links");
  return 1;
}

/* r:links (): { { link=, bytes=, busy=, transfers= }, ... }, those that carried something. */
static int
run_links (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanCluster *cluster = goban_run_get_cluster (run);
  guint n_links = goban_cluster_get_n_links (cluster);
  const GobanLinkTotal *totals;
  lua_Integer n = 0;
  gpointer *kept;

  kept = goban_lua_push_kept (L, g_free);
  totals = *kept = goban_link_totals_new (run);
  lua_newtable (L);
  for (guint i = 0; i < n_links; i++)
    {
      if (totals[i].n_transfers == 0)
        continue;
      lua_createtable (L, 0, 4);
      goban_lua_put_text (L, "link", goban_cluster_get_link (cluster, i)->name);
      goban_lua_put_count (L, "bytes", totals[i].bytes);
      goban_lua_put_number (L, "busy", totals[i].busy_us / 1e6);
      goban_lua_put_integer (L, "transfers", totals[i].n_transfers);
      lua_rawseti (L, -2, ++n);
    }
  return 1;
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION (
      "bottlenecks", run_bottlenecks, "(n)",
      "What the makespan is spent on along the critical path: computing by group, "
      "transfers, waits for devices and channels; n causes, 10 unless told, and the "
      "others: kind, label, time, share, set. A pass of a training in parallel is one op with "
      "the collectives in it: compare.causes and the figures of g:parallel tell them apart.",
      "r:bottlenecks()[1].set:show()"),
  GOBAN_LUA_FUNCTION ("links", run_links, "()",
                      "What each link carried, a list: link, bytes, busy (seconds), transfers.",
                      "for _, row in ipairs(r:links()) do print(row.link, row.bytes) end"),
  GOBAN_LUA_FUNCTION ("shares", run_shares, "(from, to)",
                      "The whole time of every device in a span, else the run: devices, a list of "
                      "{device =, computing =, data =, channel =, priority =, ends =} in seconds, "
                      "which sum to the span: what it waits for before its next op. types, groups "
                      "and links are lists of {name =, count =, busy =, share =}, the first two "
                      "with set, links with bytes.",
                      "r:shares(\"1ms\", \"2ms\").types[1].set:show()"),
  GOBAN_LUA_FUNCTION ("totals", run_totals, "(from, to, device or list of devices)",
                      "What the devices did in a span of time: all and devices have ops, busy, "
                      "idle, sending, receiving, sent and received; top has the ops that took most "
                      "of it. Without devices all of them; without times the whole run.",
                      "r:totals(\"1ms\", \"2ms\", { \"gpu:0\" })"),
  { NULL },
};

void
goban_lua_open_totals (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
}
