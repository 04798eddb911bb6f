/* lua-cluster.c: module cluster: what-if questions about devices and links.
 *
 * A cluster in Lua holds an immutable one and puts a changed copy in its place when a script sets
 * a number; runs made before keep the one they ran on. Devices and links are views of it.
 */
#include "app/lua/model/lua-cluster.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-graph.h"

#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/link-pair.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/study/measure/iteration-fit.h"

#include <string.h>

typedef struct
{
  GobanCluster *cluster; /* replaced when a script sets a number */
} LuaCluster;

/* A device: valid for as long as the owner, its user value, lives. */
typedef struct
{
  LuaCluster *owner;
  GobanDeviceId device;
} View;

typedef struct
{
  GobanLinkPair *way;
  LuaCluster *owner; /* alive as above */
} LuaWay;

static const GobanLuaType cluster_type;
static const GobanLuaType device_type;
static const GobanLuaType link_type;

/* The owner can be closed while a view of it lives. */
static void
check_owner (lua_State *L, int index, const LuaCluster *owner)
{
  luaL_argcheck (L, owner->cluster != NULL, index, "its cluster is closed");
}

static View *
check_view (lua_State *L)
{
  View *view = goban_lua_check_handle (L, 1, &device_type);

  check_owner (L, 1, view->owner);
  return view;
}

void
goban_lua_push_cluster (lua_State *L, GobanCluster *cluster)
{
  LuaCluster *handle = goban_lua_push_handle (L, &cluster_type, 0);

  handle->cluster = goban_cluster_ref (cluster);
}

/* Measured with equal:64 and equal:1024, of classes and routes between all pairs. */
#define CLUSTER_PAIR_BYTES 88

/* For a cluster that no other object shares, or will not when it is changed. */
static void
charge_cluster (lua_State *L, int index, const LuaCluster *handle)
{
  gsize n_devices = goban_cluster_get_n_devices (handle->cluster);

  goban_lua_charge (L, index, n_devices * n_devices * CLUSTER_PAIR_BYTES);
}

/* Result of a reader, in the handle on top of the stack, or its error. */
static int
answer_new (lua_State *L, const LuaCluster *handle, GError *error)
{
  if (handle->cluster == NULL)
    return goban_lua_fail (L, error);
  charge_cluster (L, -1, handle);
  return 1;
}

static LuaCluster *
check_cluster (lua_State *L, int index)
{
  return goban_lua_check_handle (L, index, &cluster_type);
}

GobanCluster *
goban_lua_opt_cluster (lua_State *L, int index)
{
  LuaCluster *handle;
  GobanCluster *cluster;
  GError *error = NULL;

  if (index == 0 || lua_isnoneornil (L, index))
    return goban_lua_get_current (L)->cluster;
  if (lua_type (L, index) != LUA_TSTRING)
    return check_cluster (L, index)->cluster;

  /* The handle takes the string's place on the stack and so keeps the cluster alive. */
  index = lua_absindex (L, index);
  handle = goban_lua_push_handle (L, &cluster_type, 0);
  cluster = handle->cluster = goban_cluster_new_from_spec (lua_tostring (L, index), &error);
  if (cluster == NULL)
    goban_lua_raise (L, error);
  charge_cluster (L, -1, handle);
  lua_replace (L, index);
  return cluster;
}

GobanCluster *
goban_lua_opt_cluster_for (lua_State *L, int index, GobanGraph *graph)
{
  gboolean is_given = index != 0 && !lua_isnoneornil (L, index);
  GobanCluster *cluster
      = is_given ? goban_lua_opt_cluster (L, index) : goban_lua_get_cluster_for (L, graph);
  GError *error = NULL;
  char *warning;

  if (!goban_cluster_check_times (cluster, graph, &warning, &error))
    goban_lua_raise (L, error);
  if (warning != NULL)
    goban_lua_warn (L, warning);
  g_free (warning);
  return cluster;
}

GobanDeviceId
goban_lua_check_device (lua_State *L, int index, GobanCluster *cluster)
{
  View *view = goban_lua_test_handle (L, index, &device_type);
  const char *name;
  GobanDeviceId device;
  luaL_Buffer buffer;

  if (view != NULL)
    check_owner (L, index, view->owner);
  name = view != NULL ? goban_cluster_get_device (view->owner->cluster, view->device)->name
                      : luaL_checkstring (L, index);
  device = goban_cluster_find_device (cluster, name);

  if (device != GOBAN_NO_DEVICE)
    return device;

  luaL_buffinit (L, &buffer);
  for (guint i = 0; i < goban_cluster_get_n_devices (cluster); i++)
    {
      luaL_addchar (&buffer, ' ');
      luaL_addstring (&buffer, goban_cluster_get_device (cluster, i)->name);
    }
  luaL_pushresult (&buffer);
  luaL_error (L, "there is no device '%s'; there are:%s", name, lua_tostring (L, -1));
  return GOBAN_NO_DEVICE;
}

/* --- module -------------------------------------------------------------------------------- */

static int
cluster_preset (lua_State *L)
{
  const char *spec = luaL_checkstring (L, 1);
  LuaCluster *handle = goban_lua_push_handle (L, &cluster_type, 0);
  GError *error = NULL;

  handle->cluster = goban_cluster_new_from_spec (spec, &error);
  return answer_new (L, handle, error);
}

static int
cluster_load (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  LuaCluster *handle = goban_lua_push_handle (L, &cluster_type, 0);
  GError *error = NULL;
  GBytes *bytes = goban_file_read (path, GOBAN_FILE_CLUSTER, &error);
  gconstpointer json;
  gsize n;

  if (bytes == NULL)
    return goban_lua_fail (L, error);

  json = g_bytes_get_data (bytes, &n);
  handle->cluster = goban_cluster_new_from_json (json != NULL ? json : "", n, path, &error);
  g_bytes_unref (bytes);
  return answer_new (L, handle, error);
}

static void
push_fit (lua_State *L, const GobanDeviceFit *fit)
{
  lua_newtable (L);
  goban_lua_put_text (L, "kind", fit->kind);
  goban_lua_put_integer (L, fit->is_of_iterations ? "iterations" : "ops", fit->n_nodes);
  goban_lua_put_number (L, "compute_efficiency", fit->compute_efficiency);
  goban_lua_put_number (L, "memory_efficiency", fit->memory_efficiency);
  goban_lua_put_number (L, "launch", fit->launch_us / 1e6);
  goban_lua_put_number (L, "mean_error", fit->fitted.mean);
  goban_lua_put_number (L, "median_error", fit->fitted.median);
  goban_lua_put_number (L, "percentile_90", fit->fitted.high);
  goban_lua_put_number (L, "data_sheet_error", fit->sheet.mean);
  goban_lua_mark_figures (L);
}

/* Returns the cluster with the constants, and the constants with their errors. */
static int
cluster_calibrate (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanCluster *cluster = goban_lua_opt_cluster_for (L, 2, graph);
  const char *kind = luaL_optstring (L, 3, NULL);
  LuaCluster *handle = goban_lua_push_handle (L, &cluster_type, 0);
  GobanCostModel *costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  GError *error = NULL;
  GobanDeviceFit fit;
  gboolean is_fitted = goban_device_fit (costs, kind, &fit, &error);

  handle->cluster = is_fitted ? goban_device_fit_apply (&fit, cluster, &error) : NULL;
  goban_cost_model_unref (costs);
  if (answer_new (L, handle, error) != 1)
    return 2;
  push_fit (L, &fit);
  return 2;
}

/* The same of a text; what save writes and the log quotes. */
static int
cluster_parse (lua_State *L)
{
  size_t n;
  const char *json = luaL_checklstring (L, 1, &n);
  LuaCluster *handle = goban_lua_push_handle (L, &cluster_type, 0);
  GError *error = NULL;

  handle->cluster = goban_cluster_new_from_json (json, n, "cluster", &error);
  return answer_new (L, handle, error);
}

static int
cluster_presets (lua_State *L)
{
  const char *const *presets = goban_cluster_presets ();

  lua_newtable (L);
  for (; presets[0] != NULL; presets += 2)
    {
      goban_lua_put_text (L, presets[0], presets[1]);
    }
  return 1;
}

/* --- clusters ------------------------------------------------------------------------------ */

/* The handle on top of the stack keeps the cluster at @owner alive. */
static LuaCluster *
set_owner (lua_State *L, int owner)
{
  lua_pushvalue (L, owner);
  lua_setiuservalue (L, -2, 1);
  return lua_touserdata (L, owner);
}

static void
replace_cluster (lua_State *L, LuaCluster *owner, GobanCluster *changed, GError *error)
{
  if (changed == NULL)
    goban_lua_raise (L, error);

  goban_cluster_unref (owner->cluster);
  owner->cluster = changed;
}

typedef struct
{
  double links;
  double speed;
} Scale;

static const GobanLuaOption scale_options[] = {
  { "links", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (Scale, links) },
  { "speed", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (Scale, speed) },
  { NULL },
};

/* (transfer full) (nullable) */
static GobanCluster *
scale_all (GobanCluster *cluster, const Scale *scale, GError **error)
{
  guint n_links = scale->links != 1 ? goban_cluster_get_n_links (cluster) : 0;
  guint n_devices = scale->speed != 1 ? goban_cluster_get_n_devices (cluster) : 0;
  GobanCluster *changed = goban_cluster_ref (cluster);

  for (guint i = 0; i < n_links + n_devices && changed != NULL; i++)
    {
      GobanDeviceId device = (GobanDeviceId) (i - n_links);
      GobanCluster *next
          = i < n_links
                ? goban_cluster_with_link (
                    changed, i, "bytes_per_us",
                    goban_cluster_get_link (cluster, i)->bytes_per_us * scale->links, error)
                : goban_what_if_speed (changed, device, goban_cluster_get_device (cluster, device),
                                       scale->speed, error);

      goban_cluster_unref (changed);
      changed = next;
    }
  return changed;
}

/* c:scale { links =, speed = }: itself. */
static int
cluster_scale (lua_State *L)
{
  LuaCluster *self = check_cluster (L, 1);
  Scale scale = { 1, 1 };
  GError *error = NULL;
  GobanCluster *changed;

  luaL_checktype (L, 2, LUA_TTABLE);
  goban_lua_check_options (L, 2, "opts", scale_options, &scale);
  changed = scale_all (self->cluster, &scale, &error);
  replace_cluster (L, self, changed, error);
  lua_settop (L, 1);
  return 1;
}

static int
cluster_copy (lua_State *L)
{
  LuaCluster *self = check_cluster (L, 1);

  goban_lua_push_cluster (L, self->cluster);
  charge_cluster (L, -1, self); /* it is copied when it is changed */
  return 1;
}

static int
cluster_link (lua_State *L)
{
  LuaCluster *self = check_cluster (L, 1);
  GobanDeviceId from = goban_lua_check_device (L, 2, self->cluster);
  GobanDeviceId to = goban_lua_check_device (L, 3, self->cluster);
  LuaWay *way;

  luaL_argcheck (L, from != to, 3, "it is the same device");
  way = goban_lua_push_handle (L, &link_type, 1);
  way->way = goban_link_pair_new (self->cluster, from, to);
  way->owner = set_owner (L, 1);
  return 1;
}

static int
cluster_save (lua_State *L)
{
  GobanCluster *cluster = check_cluster (L, 1)->cluster;
  const char *path = luaL_checkstring (L, 2);
  GError *error = NULL;
  char *json;

  if (!goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  json = goban_cluster_to_json (cluster);
  goban_file_write (path, json, strlen (json), &error);
  g_free (json);
  return goban_lua_answer_path (L, 2, error == NULL, &error);
}

static int
get_devices (lua_State *L)
{
  guint n = goban_cluster_get_n_devices (check_cluster (L, 1)->cluster);

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      View *view = goban_lua_push_handle (L, &device_type, 1);

      view->device = i;
      view->owner = set_owner (L, 1);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
cluster_tostring (lua_State *L)
{
  GobanCluster *cluster = check_cluster (L, 1)->cluster;
  guint n = goban_cluster_get_n_devices (cluster);

  lua_pushfstring (L, "Cluster %s: %d device%s", goban_cluster_get_name (cluster), (int) n,
                   n == 1 ? "" : "s");
  return 1;
}

/* --- devices ------------------------------------------------------------------------------- */

static int
device_get_number (lua_State *L)
{
  View *view = check_view (L);
  const GobanRating *rating
      = goban_rating_find (goban_device_ratings, luaL_checkstring (L, 2), NULL);

  lua_pushnumber (L, goban_device_get_rating (
                         goban_cluster_get_device (view->owner->cluster, view->device), rating));
  return 1;
}

static int
device_set_number (lua_State *L)
{
  View *view = check_view (L);
  const GobanRating *rating
      = goban_rating_find (goban_device_ratings, luaL_checkstring (L, 2), NULL);
  double value = g_str_equal (rating->word, "launch") ? goban_lua_check_time_us (L, 3)
                                                      : goban_lua_check_bytes (L, 3) / rating->unit;
  GError *error = NULL;
  GobanCluster *changed = goban_cluster_with_device (view->owner->cluster, view->device,
                                                     rating->field, value, &error);

  replace_cluster (L, view->owner, changed, error);
  return 0;
}

static int
device_get_text (lua_State *L)
{
  View *view = check_view (L);
  const GobanDevice *device = goban_cluster_get_device (view->owner->cluster, view->device);

  lua_pushstring (L, g_str_equal (luaL_checkstring (L, 2), "kind") ? device->kind : device->name);
  return 1;
}

static int
device_tostring (lua_State *L)
{
  View *view = check_view (L);
  const GobanDevice *device = goban_cluster_get_device (view->owner->cluster, view->device);
  char mem[GOBAN_QUANTITY_LEN], flops[GOBAN_QUANTITY_LEN];

  lua_pushfstring (L, "Device %s (%s): %sFLOP/s, memory %s", device->name, device->kind,
                   goban_format_count (flops, device->flops_per_us * 1e6),
                   goban_format_bytes (mem, device->memory_bytes));
  return 1;
}

/* --- links --------------------------------------------------------------------------------- */

static LuaWay *
check_way (lua_State *L)
{
  LuaWay *self = goban_lua_check_handle (L, 1, &link_type);

  check_owner (L, 1, self->owner);
  return self;
}

static int
link_get_latency (lua_State *L)
{
  LuaWay *self = check_way (L);

  lua_pushnumber (L, goban_link_pair_get_latency_us (self->way, self->owner->cluster) / 1e6);
  return 1;
}

static int
link_get_bandwidth (lua_State *L)
{
  LuaWay *self = check_way (L);

  lua_pushnumber (L, goban_link_pair_get_bytes_per_us (self->way, self->owner->cluster) * 1e6);
  return 1;
}

/* Both directions change, as cables do. */
static int
set_links (lua_State *L, LuaWay *self, const char *field, double value)
{
  GError *error = NULL;
  GobanCluster *changed
      = goban_link_pair_set (self->way, self->owner->cluster, field, value, &error);

  replace_cluster (L, self->owner, changed, error);
  return 0;
}

static int
link_set_latency (lua_State *L)
{
  LuaWay *self = check_way (L);

  return set_links (L, self, "latency_us", goban_lua_check_time_us (L, 3));
}

static int
link_set_bandwidth (lua_State *L)
{
  LuaWay *self = check_way (L);

  return set_links (L, self, "bytes_per_us", goban_lua_check_bytes (L, 3) / 1e6);
}

static int
link_get_hops (lua_State *L)
{
  lua_pushinteger (L, check_way (L)->way->n_forward);
  return 1;
}

static int
link_tostring (lua_State *L)
{
  LuaWay *self = check_way (L);
  GobanCluster *cluster = self->owner->cluster;
  char bandwidth[GOBAN_QUANTITY_LEN], latency[GOBAN_QUANTITY_LEN];

  goban_format_bytes (bandwidth, goban_link_pair_get_bytes_per_us (self->way, cluster) * 1e6);
  goban_format_time (latency, goban_link_pair_get_latency_us (self->way, cluster));
  lua_pushfstring (L, "Link %s - %s: %s/s, latency %s",
                   goban_cluster_get_device (cluster, self->way->from)->name,
                   goban_cluster_get_device (cluster, self->way->to)->name, bandwidth, latency);
  return 1;
}

static const GobanLuaEntry cluster_entries[] = {
  GOBAN_LUA_FUNCTION ("copy", cluster_copy, "()", "A copy to change.", "d = c:copy()"),
  GOBAN_LUA_FUNCTION ("link", cluster_link, "(a, b)",
                      "What joins two devices, in both directions: their direct link or, without "
                      "one, the links of the way that tensors take.",
                      "c:link(\"gpu:0\", \"gpu:1\").bandwidth = 25e9"),
  GOBAN_LUA_FUNCTION ("save", cluster_save, "(path)",
                      "Writes the cluster as JSON; returns the path.", "c:save \"lab.json\""),
  GOBAN_LUA_FUNCTION ("scale", cluster_scale, "(opts)",
                      "Changes all of it at once, and returns it: links (times the bandwidth of "
                      "every link, each once, though ways share them), speed (times all peaks and "
                      "the memory bandwidth of every device).",
                      "c:copy():scale{ links = 2 }"),
  GOBAN_LUA_FIELD ("contention_free", BOOLEAN, goban_cluster_is_contention_free,
                   "Whether transfers never wait for each other."),
  GOBAN_LUA_FIELD ("devices", FUNCTION, get_devices, "The devices, a list.",
                   "c.devices[1].memory = \"8GB\""),
  GOBAN_LUA_FIELD ("name", TEXT, goban_cluster_get_name, "The preset's or file's name."),
  GOBAN_LUA_META ("__tostring", cluster_tostring),
  { NULL },
};

static const GobanLuaType cluster_type = {
  .name = "Cluster",
  .variable = "c",
  .sentence = "Devices and links, whose numbers can be set; runs made before keep theirs.",
  .example = "c.devices[1].memory",
  .free = (GDestroyNotify) goban_cluster_unref,
  .entries = cluster_entries,
};

static const GobanLuaEntry device_entries[] = {
  GOBAN_LUA_FIELD ("bandwidth", FUNCTION, device_get_number,
                   "Bytes per second to its own memory; can be set.", "c.devices[1].bandwidth",
                   .set = device_set_number),
  GOBAN_LUA_FIELD ("bus_efficiency", FUNCTION, device_get_number,
                   "The share of its links' bandwidth that it reaches; can be set.",
                   "c.devices[1].bus_efficiency = 0.77", .set = device_set_number),
  GOBAN_LUA_FIELD ("compute_efficiency", FUNCTION, device_get_number,
                   "The share of its peaks that ops reach; can be set.",
                   "c.devices[1].compute_efficiency = 0.83", .set = device_set_number),
  GOBAN_LUA_FIELD ("f16_flops", FUNCTION, device_get_number,
                   "Operations per second on numbers of 16 bits; can be set.",
                   "c.devices[1].f16_flops = 312e12", .set = device_set_number),
  GOBAN_LUA_FIELD ("f8_flops", FUNCTION, device_get_number,
                   "Operations per second on floating-point numbers of 8 bits; can be set.",
                   "c.devices[1].f8_flops", .set = device_set_number),
  GOBAN_LUA_FIELD (
      "flops", FUNCTION, device_get_number,
      "Floating-point operations per second; can be set. Peaks of other types that were "
      "never set follow it: c:scale changes all, each once.",
      "c.devices[1].flops", .set = device_set_number),
  GOBAN_LUA_FIELD ("i8_flops", FUNCTION, device_get_number,
                   "Operations per second on integers of 8 bits; can be set.",
                   "c.devices[1].i8_flops", .set = device_set_number),
  GOBAN_LUA_FIELD ("kind", FUNCTION, device_get_text, "\"gpu\", \"cpu\" or a word of yours.",
                   "c.devices[1].kind"),
  GOBAN_LUA_FIELD ("launch", FUNCTION, device_get_number,
                   "What starting an estimated op costs; can be set.",
                   "c.devices[1].launch = \"5us\"", .set = device_set_number),
  GOBAN_LUA_FIELD ("memory", FUNCTION, device_get_number, "Its memory; can be set.",
                   "c.devices[1].memory = \"16GB\"", .set = device_set_number),
  GOBAN_LUA_FIELD ("memory_efficiency", FUNCTION, device_get_number,
                   "The share of its memory's bandwidth that ops reach; can be set.",
                   "c.devices[1].memory_efficiency = 0.59", .set = device_set_number),
  GOBAN_LUA_FIELD ("name", FUNCTION, device_get_text, "Its name: \"gpu:0\".", "c.devices[1].name"),
  GOBAN_LUA_FIELD ("tf32_flops", FUNCTION, device_get_number,
                   "Operations per second on numbers of TF32; can be set.",
                   "c.devices[1].tf32_flops", .set = device_set_number),
  GOBAN_LUA_META ("__tostring", device_tostring),
  { NULL },
};

static const GobanLuaType device_type = {
  .name = "Device",
  .variable = "d",
  .sentence = "A device of a cluster.",
  .example = "c.devices[1]",
  .size = sizeof (View),
  .entries = device_entries,
};

static const GobanLuaEntry link_entries[] = {
  GOBAN_LUA_FIELD (
      "bandwidth", FUNCTION, link_get_bandwidth,
      "Bytes per second at its narrowest; can be set, for both ways, and for every other "
      "way over the same links: c:scale changes each link once.",
      "c:link(\"gpu:0\", \"gpu:1\").bandwidth = \"12GB\"", .set = link_set_bandwidth),
  GOBAN_LUA_FIELD ("hops", FUNCTION, link_get_hops, "How many links it passes.",
                   "c:link(\"gpu:0\", \"gpu:1\").hops"),
  GOBAN_LUA_FIELD ("latency", FUNCTION, link_get_latency,
                   "Latency of the whole way; can be set, for both ways.",
                   "c:link(\"gpu:0\", \"gpu:1\").latency = \"2us\"", .set = link_set_latency),
  GOBAN_LUA_META ("__tostring", link_tostring),
  { NULL },
};

static const GobanLuaType link_type = {
  .name = "Link",
  .variable = "l",
  .sentence = "The way between two devices.",
  .example = "c:link(\"gpu:0\", \"gpu:1\")",
  .size = sizeof (LuaWay),
  .free = g_free,
  .entries = link_entries,
};

/* --- measured iterations ---------------------------------------------------------------------- */

typedef struct
{
  GobanIterations *iterations;
  GobanCluster *cluster;
} LuaIterations;

static void
clear_iterations (gpointer value)
{
  LuaIterations *self = value;

  g_clear_pointer (&self->iterations, goban_iterations_free);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
}

static const GobanLuaType iterations_type;

static LuaIterations *
check_iterations (lua_State *L)
{
  return goban_lua_check_handle (L, 1, &iterations_type);
}

static guint
check_row (lua_State *L, int index)
{
  lua_Integer row = luaL_checkinteger (L, index);

  luaL_argcheck (L, row >= 1 && row <= goban_iterations_get_n (check_iterations (L)->iterations),
                 index, "there is no such row");
  return (guint) row - 1;
}

/* cluster.iterations (csv, c, kind) */
static int
cluster_iterations (lua_State *L)
{
  const char *text = luaL_checkstring (L, 1);
  GobanCluster *cluster = goban_lua_opt_cluster (L, 2);
  const char *kind = luaL_optstring (L, 3, NULL);
  LuaIterations *self = goban_lua_push_handle (L, &iterations_type, 0);
  GError *error = NULL;
  const GobanProgress *progress;
  gboolean is_done;

  self->iterations = goban_iterations_parse (text, "table", &error);
  if (self->iterations == NULL)
    return goban_lua_fail (L, error);
  self->cluster = goban_cluster_ref (cluster);
  progress = goban_lua_begin_work (L);
  is_done = goban_iterations_simulate (self->iterations, self->cluster, kind, progress, &error);
  goban_lua_end_work (L, &error);
  return is_done ? 1 : goban_lua_fail (L, error);
}

/* it:calibrate (rows): the cluster with the constants, and these with their errors. */
static int
iterations_calibrate (lua_State *L)
{
  LuaIterations *self = check_iterations (L);
  guint n = goban_iterations_get_n (self->iterations);
  guint *rows = NULL;
  GobanCluster *fitted;
  GError *error = NULL;
  GobanDeviceFit fit;

  if (!lua_isnoneornil (L, 2))
    {
      luaL_checktype (L, 2, LUA_TTABLE);
      n = (guint) lua_rawlen (L, 2);
      rows = lua_newuserdatauv (L, MAX (n, 1) * sizeof *rows, 0);
      for (guint i = 0; i < n; i++)
        {
          lua_rawgeti (L, 2, (lua_Integer) i + 1);
          rows[i] = check_row (L, -1);
          lua_pop (L, 1);
        }
    }
  if (!goban_iterations_fit (self->iterations, rows, n, &fit, &error))
    return goban_lua_fail (L, error);
  fitted = goban_device_fit_apply (&fit, self->cluster, &error);
  if (fitted == NULL)
    return goban_lua_fail (L, error);
  goban_lua_push_cluster (L, fitted);
  goban_cluster_unref (fitted);
  push_fit (L, &fit);
  return 2;
}

/* it:predict (row, compute, memory), in seconds. */
static int
iterations_predict (lua_State *L)
{
  guint row = check_row (L, 2);
  double compute = luaL_checknumber (L, 3), memory = luaL_checknumber (L, 4);

  luaL_argcheck (L, compute > 0, 3, "a share above 0 is needed");
  luaL_argcheck (L, memory > 0, 4, "a share above 0 is needed");
  lua_pushnumber (
      L,
      goban_iterations_predict_us (check_iterations (L)->iterations, row, compute, memory) / 1e6);
  return 1;
}

static int
iterations_rows (lua_State *L)
{
  const GobanIterations *self = check_iterations (L)->iterations;
  guint n = goban_iterations_get_n (self);

  lua_createtable (L, (int) n, 0);
  for (guint i = 0; i < n; i++)
    {
      lua_createtable (L, 0, 3);
      goban_lua_put_number (L, "measured", goban_iterations_get_measured_us (self, i) / 1e6);
      goban_lua_put_number (L, "flops", goban_iterations_get_flops (self, i));
      goban_lua_put_integer (L, "devices", goban_iterations_get_n_devices (self, i));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

#define ITERATIONS                                                                                 \
  "it = cluster.iterations(\"model,layers,batch,seconds\\n"                                        \
  "gpt,2,8,1\\ngpt,3,8,1.5\\ngpt,4,8,2\\n\", \"a100x8\"); "

static const GobanLuaEntry iterations_entries[] = {
  GOBAN_LUA_FUNCTION ("calibrate", iterations_calibrate, "(rows)",
                      "Fits the shares of the peak and of the memory's bandwidth to those rows, or "
                      "to all; the answer is that of cluster.calibrate.",
                      ITERATIONS "lab, fit = it:calibrate()"),
  GOBAN_LUA_FUNCTION ("predict", iterations_predict, "(row, compute, memory)",
                      "The time of a row's iteration, in seconds, with these shares.",
                      ITERATIONS "it:predict(1, 0.8, 0.6)"),
  GOBAN_LUA_FUNCTION ("rows", iterations_rows, "()",
                      "A table per row: measured (s), flops of all devices, and devices.",
                      ITERATIONS "print(it:rows()[1].flops)"),
  { NULL },
};

static const GobanLuaType iterations_type = {
  .name = "Iterations",
  .variable = "it",
  .sentence = "Measured iterations of trainings, simulated with several efficiencies of a kind of "
              "device.",
  .example = ITERATIONS,
  .size = sizeof (LuaIterations),
  .clear = clear_iterations,
  .entries = iterations_entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Devices and the links between them.", "c = cluster.preset \"p100x4\""),
  GOBAN_LUA_FUNCTION ("calibrate", cluster_calibrate, "(graph, c, kind)",
                      "Fits compute_efficiency, memory_efficiency and launch of a kind of device "
                      "(the first that has some) to the measured times of a graph; returns the "
                      "cluster with them, and a table of them and of their errors: mean_error, "
                      "median_error, percentile_90, of ops ops, and data_sheet_error without.",
                      "lab, fit = cluster.calibrate(g:with_costs \"profile.json\", \"cpu+gpu\")"),
  GOBAN_LUA_FUNCTION ("iterations", cluster_iterations, "(csv, c, kind)",
                      "Simulates a table of measured iterations in CSV on a cluster, to fit "
                      "efficiencies of a kind of device to them (the first device's). Columns: "
                      "model, seconds; tp, pp, dp, ep, sp, micro_batch, batch, zero, chunks, "
                      "recompute, schedule as in g:parallel; any other is a knob of the model.",
                      ITERATIONS "it:calibrate()"),
  GOBAN_LUA_FUNCTION ("load", cluster_load, "(path)",
                      "Reads a cluster from a JSON file; docs/cluster-json.md tells its keys.",
                      "c = cluster.load \"lab.json\""),
  GOBAN_LUA_FUNCTION ("parse", cluster_parse, "(json)", "A cluster from the text of such a file.",
                      "c = cluster.parse(text)"),
  GOBAN_LUA_FUNCTION ("preset", cluster_preset, "(name)",
                      "A cluster by name, or equal:N[,bandwidth=B/s][,latency=s].",
                      "c = cluster.preset \"equal:4\""),
  GOBAN_LUA_FUNCTION ("presets", cluster_presets, "()", "The presets' names and what they are.",
                      "pp(cluster.presets())"),
  { NULL },
};

void
goban_lua_open_cluster (lua_State *L)
{
  goban_lua_register (L, &cluster_type);
  goban_lua_register (L, &device_type);
  goban_lua_register (L, &link_type);
  goban_lua_register (L, &iterations_type);
  goban_lua_module (L, "cluster", functions);
}
