#include "engine/machine/cluster/cost-model.h"

#include "engine/core/error.h"
#include "engine/machine/cluster/cluster-draft.h"
#include "engine/machine/cluster/collective-time.h"
#include "engine/machine/cluster/given-times.h"

#include <math.h>
#include <string.h>

/* Longer lists of kinds end in a count. */
#define MAX_KINDS_NAMED 6

/* Ordered pairs of different devices whose kinds are one pair of the graph's kinds. */
typedef struct
{
  guint from_kind;
  guint to_kind;
  double n_pairs;
  double latency_us;        /* summed over the pairs */
  double inverse_bandwidth; /* summed, in us per byte */
} KindPair;

struct _GobanCostModel
{
  gatomicrefcount ref_count;
  GobanGraph *graph;
  GobanCluster *cluster;
  GobanExecution execution;
  GobanGivenTimes *given; /* (nullable) */
  guint n_devices;
  guint n_classes;
  double *times_us; /* (n_nodes x n_classes) */
  guint8 *sources;  /* (n_nodes x n_classes) of GobanSource */
  guint *classes;   /* (n_devices) */
  guint *kinds;     /* (n_devices) of the graph's kinds, GOBAN_NO_KIND if it has no time */
  guint any_kind;   /* the graph's "*", or GOBAN_NO_KIND */
  gboolean has_given_transfers;
  gpointer kept[GOBAN_N_KEPT]; /* (nullable), atomic */
};

/* --- times ---------------------------------------------------------------- */

/* FLOP per microsecond to scale times of @kind by: those of its first device in @cluster, else of
 * the device that such times are usually taken on (presets.c); 0 for any other kind. */
static double
find_peak (const GobanCluster *cluster, const char *kind)
{
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, (GobanDeviceId) d);

      if (strcmp (device->kind, kind) == 0)
        return device->flops_per_us;
    }
  if (strcmp (kind, "gpu") == 0)
    return 9.3e6;
  if (strcmp (kind, "cpu") == 0)
    return 0.6e6;
  return 0;
}

/* FALSE for a type of tensors that no arithmetic is told by, as indices and handles. */
static gboolean
find_peak_of_type (const char *dtype, GobanPeak *peak)
{
  static const struct
  {
    const char *prefix;
    GobanPeak peak;
  } types[] = { { "tf32", GOBAN_PEAK_TF32 }, { "f16", GOBAN_PEAK_F16 }, { "bf16", GOBAN_PEAK_F16 },
                { "f8", GOBAN_PEAK_F8 },     { "s8", GOBAN_PEAK_I8 },   { "u8", GOBAN_PEAK_I8 },
                { "i8", GOBAN_PEAK_I8 },     { "f", GOBAN_PEAK_F32 } };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_prefix (dtype, types[i].prefix))
      {
        *peak = types[i].peak;
        return TRUE;
      }
  return FALSE;
}

GobanPeak
goban_node_get_peak (const GobanGraph *graph, GobanNodeId node)
{
  guint n_outputs;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_outputs);
  GobanPeak peak = GOBAN_PEAK_F32;
  gboolean is_found = FALSE;

  for (guint i = 0; i < n_outputs && !is_found; i++)
    is_found = find_peak_of_type (goban_graph_get_tensor (graph, first + i)->dtype, &peak);
  return peak;
}

static double
roofline_us (const GobanGraph *graph, GobanNodeId v, const GobanDevice *device)
{
  const GobanNode *node = goban_graph_get_node (graph, v);
  double bytes = node->read_bytes + node->written_bytes;

  if (node->flops == 0 && bytes == 0)
    return 0;
  return MAX (node->flops / goban_device_get_flops_per_us (device, goban_node_get_peak (graph, v)),
              bytes / goban_device_get_memory_per_us (device))
         + device->launch_us;
}

/* The time the graph gives for that kind, or for any; NAN if it gives none. */
static double
given_time_us (const GobanCostModel *self, GobanNodeId node, guint kind)
{
  double time_us = (double) NAN;

  if (kind != GOBAN_NO_KIND)
    time_us = goban_graph_get_time_us (self->graph, node, kind);
  if (isnan (time_us) && self->any_kind != GOBAN_NO_KIND)
    time_us = goban_graph_get_time_us (self->graph, node, self->any_kind);
  return time_us;
}

/* The kind with the least finite time of @node, or GOBAN_NO_KIND. */
static guint
find_least_kind (const GobanGraph *graph, GobanNodeId node, double *least_us)
{
  guint least = GOBAN_NO_KIND;

  *least_us = INFINITY;
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, node, k);

      if (time_us < *least_us) /* false for NAN */
        {
          *least_us = time_us;
          least = k;
        }
    }
  return least;
}

/* The least finite time among the kinds, brought to the device's speed; NAN without one. */
static double
scaled_time_us (const GobanCostModel *self, GobanNodeId node, const GobanDevice *device,
                const double *peaks)
{
  double least_us;
  guint kind = find_least_kind (self->graph, node, &least_us);

  if (kind == GOBAN_NO_KIND)
    return (double) NAN;
  return peaks[kind] > 0 ? least_us * (peaks[kind] / device->flops_per_us) : least_us;
}

/* (n_nodes), or NULL if none were given for devices of its kind. */
static const double *
find_given_times (const GobanCostModel *self, const GobanDevice *device)
{
  if (self->given == NULL || strcmp (goban_given_times_get_kind (self->given), device->kind) != 0)
    return NULL;
  return goban_given_times_get_us (self->given);
}

static void
fill_class (GobanCostModel *self, guint class, GobanDeviceId device_id, const double *peaks)
{
  const GobanDevice *device = goban_cluster_get_device (self->cluster, device_id);
  const double *given_us = find_given_times (self, device);
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (self->graph, v);
      gsize cell = (gsize) v * self->n_classes + class;
      double time_us = given_time_us (self, v, self->kinds[device_id]);

      if (given_us != NULL)
        {
          self->sources[cell] = GOBAN_SOURCE_MEASURED;
          self->times_us[cell] = given_us[v];
          continue;
        }
      self->sources[cell] = (guint8) (isnan (time_us) ? GOBAN_SOURCE_ESTIMATED : node->time_source);
      if (isnan (time_us))
        time_us = scaled_time_us (self, v, device, peaks);
      if (isnan (time_us))
        time_us = roofline_us (self->graph, v, device);
      self->times_us[cell] = time_us;
    }
}

/* Collectives without a time in the graph take the same time on every device, or that of each
 * device's link to the group. */
static void
fill_collectives (GobanCostModel *self)
{
  guint n, n_ranks;
  const GobanNodeCollective *collectives = goban_graph_get_collectives (self->graph, &n);
  g_autofree GobanDeviceId *ranks = goban_cluster_get_ranks (self->cluster, &n_ranks);
  g_autofree GobanDeviceId *own = g_new (GobanDeviceId, n_ranks + 1);
  g_autofree GobanDeviceId *firsts = g_new (GobanDeviceId, self->n_classes);

  for (guint d = self->n_devices; d-- > 0;)
    firsts[self->classes[d]] = (GobanDeviceId) d;
  for (guint i = 0; i < n; i++)
    {
      const GobanNodeCollective *collective = &collectives[i];
      GobanCollectiveLoad load = { .kind = collective->kind, .bytes = collective->bytes };
      guint n_own = collective->n_ranks > 0 ? MIN (collective->n_ranks, n_ranks) : n_ranks;
      gsize step = collective->rank_step;
      double time_us = -1;

      /* A cluster without the last of the ranks has them side by side. */
      if (n_own == 0 || step == 0 || (n_own - 1) * step >= n_ranks)
        step = 1;
      for (guint r = 0; r < n_own; r++)
        own[r] = ranks[r * step];

      for (guint c = 0; c < self->n_classes; c++)
        {
          gsize cell = (gsize) collective->node * self->n_classes + c;

          if (self->sources[cell] != GOBAN_SOURCE_ESTIMATED)
            continue;
          load.link
              = collective->group == NULL
                    ? NULL
                    : goban_cluster_get_group_link (self->cluster, firsts[c], collective->group);
          if (load.link != NULL)
            self->times_us[cell] = goban_cluster_get_collective_us (
                self->cluster, own, collective->n_ranks > 0 ? collective->n_ranks : n_ranks, &load);
          else
            {
              /* The same on all devices. */
              if (time_us < 0)
                time_us = goban_cluster_get_collective_us (self->cluster, own, n_own, &load);
              self->times_us[cell] = time_us;
            }
        }
    }
}

static void
fill_times (GobanCostModel *self)
{
  gsize n_cells = (gsize) goban_graph_get_n_nodes (self->graph) * self->n_classes;
  guint n_kinds = goban_graph_get_n_kinds (self->graph);
  g_autofree double *peaks = g_new (double, n_kinds);
  guint n_filled = 0;

  for (guint k = 0; k < n_kinds; k++)
    peaks[k] = find_peak (self->cluster, goban_graph_get_kind (self->graph, k));

  self->times_us = g_new (double, n_cells);
  self->sources = g_new (guint8, n_cells);
  /* Classes are numbered in the order of their first devices. */
  for (guint d = 0; d < self->n_devices; d++)
    if (self->classes[d] == n_filled)
      fill_class (self, n_filled++, (GobanDeviceId) d, peaks);
  fill_collectives (self);
}

/* --- transfers ------------------------------------------------------------ */

static double
given_transfer_us (const GobanCostModel *self, GobanTensorId tensor, guint from_kind, guint to_kind)
{
  const guint pairs[][2] = {
    { from_kind, to_kind },
    { from_kind, self->any_kind },
    { self->any_kind, to_kind },
    { self->any_kind, self->any_kind },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      double time_us = goban_graph_get_transfer_us (self->graph, tensor, pairs[i][0], pairs[i][1]);

      if (!isnan (time_us))
        return time_us;
    }
  return (double) NAN;
}

static gboolean
graph_gives_transfers (const GobanGraph *graph)
{
  guint n_kinds = goban_graph_get_n_kinds (graph);
  guint n_tensors = n_kinds > 0 ? goban_graph_get_n_tensors (graph) : 0;

  for (GobanTensorId t = 0; t < n_tensors; t++)
    for (guint i = 0; i < n_kinds * n_kinds; i++)
      if (!isnan (goban_graph_get_transfer_us (graph, t, i / n_kinds, i % n_kinds)))
        return TRUE;
  return FALSE;
}

/* Gathers the ordered pairs of devices by their kinds: a handful, however many devices. */
static GArray *
group_pairs (const GobanCostModel *self)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (KindPair));

  for (guint from = 0; from < self->n_devices; from++)
    for (guint to = 0; to < self->n_devices; to++)
      {
        const GobanRoute *route;
        KindPair *group;
        guint g = 0;

        if (from == to)
          continue;
        while (g < groups->len
               && (g_array_index (groups, KindPair, g).from_kind != self->kinds[from]
                   || g_array_index (groups, KindPair, g).to_kind != self->kinds[to]))
          g++;
        if (g == groups->len)
          {
            KindPair fresh = { .from_kind = self->kinds[from], .to_kind = self->kinds[to] };

            g_array_append_val (groups, fresh);
          }
        group = &g_array_index (groups, KindPair, g);
        route = goban_cluster_get_route (self->cluster, (GobanDeviceId) from, (GobanDeviceId) to);
        group->n_pairs += 1;
        group->latency_us += route->latency_us;
        group->inverse_bandwidth += 1 / route->bytes_per_us;
      }
  return groups;
}

/* --- construction and disposal -------------------------------------------- */

GobanCostModel *
goban_cost_model_new (GobanGraph *graph, GobanCluster *cluster, GobanExecution execution)
{
  return goban_cost_model_new_given (graph, cluster, execution, NULL);
}

GobanCostModel *
goban_cost_model_new_on (const GobanCostModel *costs, GobanCluster *cluster,
                         GobanExecution execution)
{
  return goban_cost_model_new_given (costs->graph, cluster, execution, costs->given);
}

GobanCostModel *
goban_cost_model_new_given (GobanGraph *graph, GobanCluster *cluster, GobanExecution execution,
                            GobanGivenTimes *times)
{
  GobanCostModel *self;

  g_return_val_if_fail (graph != NULL && cluster != NULL, NULL);

  self = g_new0 (GobanCostModel, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->graph = goban_graph_ref (graph);
  self->cluster = goban_cluster_ref (cluster);
  self->execution = execution;
  self->given = times != NULL ? goban_given_times_ref (times) : NULL;
  if (execution == GOBAN_EXECUTION_EVENTS && goban_cluster_is_contention_free (cluster))
    self->execution = GOBAN_EXECUTION_CONTENTION_FREE;
  self->n_devices = goban_cluster_get_n_devices (cluster);
  self->n_classes = goban_cluster_get_n_classes (cluster);
  self->any_kind = goban_graph_find_kind (graph, GOBAN_ANY_KIND);
  self->classes = g_new (guint, self->n_devices);
  self->kinds = g_new (guint, self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, (GobanDeviceId) d);

      self->classes[d] = goban_cluster_get_class (cluster, (GobanDeviceId) d);
      self->kinds[d] = goban_graph_find_kind (graph, device->kind);
    }
  self->has_given_transfers = graph_gives_transfers (graph);
  fill_times (self);
  return self;
}

GobanCostModel *
goban_cost_model_new_pinned (const GobanCostModel *costs, const GobanNodeId *nodes, guint n,
                             const GobanDeviceId *devices)
{
  g_autoptr (GobanCluster) split = goban_cluster_split_classes (costs->cluster);
  GobanCostModel *self = goban_cost_model_new_on (costs, split, costs->execution);

  for (guint i = 0; i < n; i++)
    {
      double *times_us = &self->times_us[(gsize) nodes[i] * self->n_classes];

      g_assert (nodes[i] < goban_graph_get_n_nodes (self->graph) && devices[i] < self->n_devices);
      for (guint d = 0; d < self->n_devices; d++)
        if (d != devices[i])
          times_us[d] = INFINITY;
    }
  return self;
}

GobanCostModel *
goban_cost_model_ref (GobanCostModel *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_cost_model_unref (GobanCostModel *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  goban_graph_unref (self->graph);
  goban_cluster_unref (self->cluster);
  g_clear_pointer (&self->given, goban_given_times_unref);
  g_free (self->times_us);
  g_free (self->sources);
  g_free (self->classes);
  g_free (self->kinds);
  for (gsize i = 0; i < GOBAN_N_KEPT; i++)
    g_free (self->kept[i]);
  g_free (self);
}

gconstpointer
goban_cost_model_get_kept (GobanCostModel *self, GobanKept slot)
{
  return g_atomic_pointer_get (&self->kept[slot]);
}

gconstpointer
goban_cost_model_keep (GobanCostModel *self, GobanKept slot, gpointer value)
{
  if (!g_atomic_pointer_compare_and_exchange (&self->kept[slot], NULL, value))
    g_free (value);
  return goban_cost_model_get_kept (self, slot);
}

/* --- questions ------------------------------------------------------------ */

GobanGraph *
goban_cost_model_get_graph (const GobanCostModel *self)
{
  return self->graph;
}

GobanCluster *
goban_cost_model_get_cluster (const GobanCostModel *self)
{
  return self->cluster;
}

GobanGivenTimes *
goban_cost_model_get_given_times (const GobanCostModel *self)
{
  return self->given;
}

gboolean
goban_cost_model_is_contention_free (const GobanCostModel *self)
{
  return self->execution != GOBAN_EXECUTION_EVENTS;
}

GobanExecution
goban_cost_model_get_execution (const GobanCostModel *self)
{
  return self->execution;
}

static const char *const execution_names[] = { "events", "contention-free" };

const char *
goban_execution_get_name (GobanExecution execution)
{
  return execution_names[execution];
}

gboolean
goban_execution_from_name (const char *name, GobanExecution *execution, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (execution_names); i++)
    if (strcmp (execution_names[i], name) == 0)
      {
        *execution = (GobanExecution) i;
        return TRUE;
      }
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "there is no model “%s”; there are events and contention-free", name);
}

double
goban_cost_model_time_us (const GobanCostModel *self, GobanNodeId node, GobanDeviceId device)
{
  g_return_val_if_fail (device < self->n_devices, INFINITY);

  return self->times_us[(gsize) node * self->n_classes + self->classes[device]];
}

const double *
goban_cost_model_times_us (const GobanCostModel *self, GobanNodeId node)
{
  return &self->times_us[(gsize) node * self->n_classes];
}

GobanSource
goban_cost_model_get_source (const GobanCostModel *self, GobanNodeId node, GobanDeviceId device)
{
  g_return_val_if_fail (device < self->n_devices, GOBAN_SOURCE_ESTIMATED);

  return (GobanSource) self->sources[(gsize) node * self->n_classes + self->classes[device]];
}

GobanSource
goban_cost_model_get_node_source (const GobanCostModel *self, GobanNodeId node)
{
  for (guint d = 0; self->given != NULL && d < self->n_devices; d++)
    if (find_given_times (self, goban_cluster_get_device (self->cluster, (GobanDeviceId) d))
        != NULL)
      return GOBAN_SOURCE_MEASURED;
  return (GobanSource) goban_graph_get_node (self->graph, node)->time_source;
}

gboolean
goban_cost_model_can_run (const GobanCostModel *self, GobanNodeId node, GobanDeviceId device)
{
  return isfinite (goban_cost_model_time_us (self, node, device));
}

double
goban_cost_model_transfer_us (const GobanCostModel *self, GobanTensorId tensor, GobanDeviceId from,
                              GobanDeviceId to)
{
  const GobanRoute *route;

  g_return_val_if_fail (from < self->n_devices && to < self->n_devices, 0);

  if (from == to)
    return 0;
  if (self->has_given_transfers)
    {
      double given_us = given_transfer_us (self, tensor, self->kinds[from], self->kinds[to]);

      if (!isnan (given_us))
        return given_us;
    }
  route = goban_cluster_get_route (self->cluster, from, to);
  return route->latency_us
         + goban_graph_get_tensor (self->graph, tensor)->size_bytes / route->bytes_per_us;
}

double
goban_cost_model_get_peak_flops (const GobanCostModel *self, GobanNodeId node, GobanDeviceId device)
{
  return goban_device_get_peak_per_us (goban_cluster_get_device (self->cluster, device),
                                       goban_node_get_peak (self->graph, node));
}

void
goban_cost_model_mean_times (const GobanCostModel *self, double *w)
{
  g_autofree guint *n_members = g_new0 (guint, self->n_classes);
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  for (guint d = 0; d < self->n_devices; d++)
    n_members[self->classes[d]]++;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const double *times_us = goban_cost_model_times_us (self, v);
      double sum_us = 0;
      guint n = 0;

      for (guint c = 0; c < self->n_classes; c++)
        if (isfinite (times_us[c]))
          {
            sum_us += times_us[c] * n_members[c];
            n += n_members[c];
          }
      w[v] = n > 0 ? sum_us / n : (double) INFINITY;
    }
}

void
goban_cost_model_min_times (const GobanCostModel *self, double *w)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const double *times_us = goban_cost_model_times_us (self, v);

      w[v] = times_us[0];
      for (guint c = 1; c < self->n_classes; c++)
        w[v] = MIN (w[v], times_us[c]);
    }
}

void
goban_cost_model_mean_transfers (const GobanCostModel *self, double *c)
{
  g_autoptr (GArray) groups = group_pairs (self);
  guint n_tensors = goban_graph_get_n_tensors (self->graph);
  double n_pairs = (double) self->n_devices * (self->n_devices - 1);

  for (GobanTensorId t = 0; t < n_tensors; t++)
    {
      double bytes = goban_graph_get_tensor (self->graph, t)->size_bytes;
      double sum_us = 0;

      for (guint g = 0; g < groups->len; g++)
        {
          const KindPair *group = &g_array_index (groups, KindPair, g);
          double given_us = self->has_given_transfers
                                ? given_transfer_us (self, t, group->from_kind, group->to_kind)
                                : (double) NAN;

          sum_us += isnan (given_us) ? group->latency_us + bytes * group->inverse_bandwidth
                                     : given_us * group->n_pairs;
        }
      c[t] = n_pairs > 0 ? sum_us / n_pairs : 0;
    }
}

double
goban_cost_model_param_bytes (const GobanCostModel *self, GobanNodeId node)
{
  return goban_graph_get_node (self->graph, node)->param_bytes;
}

double
goban_cost_model_total_memory (const GobanCostModel *self)
{
  double total_bytes = 0;

  for (guint d = 0; d < self->n_devices; d++)
    total_bytes += goban_cluster_get_device (self->cluster, (GobanDeviceId) d)->memory_bytes;
  return total_bytes;
}

/* --- the graph's own cluster ---------------------------------------------- */

gboolean
goban_cluster_is_description (const char *spec)
{
  static const char *const prefixes[] = { "equal:", "msr:", "devices:", "lanes:" };
  const char *const *presets = goban_cluster_presets ();

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (spec, prefixes[i]))
      return TRUE;
  for (guint i = 0; presets[i] != NULL; i += 2)
    if (strcmp (presets[i], spec) == 0)
      return TRUE;
  return goban_cluster_is_nodes (spec);
}

GobanCluster *
goban_cluster_new_for_graph (const GobanGraph *graph, GError **error)
{
  const char *spec = goban_graph_get_cluster_spec (graph);

  if (*spec == '\0')
    return NULL;
  /* A file may describe a cluster, and not make us read another file. */
  if (goban_cluster_is_description (spec))
    return goban_cluster_new_from_spec (spec, error);
  goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "“%s” does not describe a cluster; say a preset's name, equal:N, msr:N or devices:KIND,…",
      spec);
  return NULL;
}

/* --- kinds ---------------------------------------------------------------- */

static void
append_name (GString *list, guint *n_named, const char *name)
{
  if (*n_named < MAX_KINDS_NAMED)
    g_string_append_printf (list, "%s“%s”", list->len > 0 ? ", " : "", name);
  else if (*n_named == MAX_KINDS_NAMED)
    g_string_append (list, ", …");
  (*n_named)++;
}

static char *
list_graph_kinds (const GobanGraph *graph)
{
  GString *list = g_string_new (NULL);
  guint n_named = 0;

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    append_name (list, &n_named, goban_graph_get_kind (graph, k));
  return g_string_free (list, FALSE);
}

/* The kinds of devices that the graph has no times for; NULL if there are none of them. */
static char *
list_unknown_kinds (const GobanGraph *graph, const GobanCluster *cluster)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GString *list = g_string_new (NULL);
  guint n_named = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      const char *kind = goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind;

      if (goban_graph_find_kind (graph, kind) == GOBAN_NO_KIND
          && g_hash_table_add (seen, (gpointer) kind))
        append_name (list, &n_named, kind);
    }
  return g_string_free (list, list->len == 0);
}

/* Advice to the user: the end of every message. */
static char *
make_advice (const GobanGraph *graph)
{
  g_autofree char *kinds = list_graph_kinds (graph);
  const char *own = goban_graph_get_cluster_spec (graph);

  if (*own != '\0')
    return g_strdup_printf ("choose its own cluster, %s, or one with devices of the kinds %s", own,
                            kinds);
  return g_strdup_printf ("choose a cluster with devices of the kinds %s, such as devices:%s, or a "
                          "JSON file",
                          kinds, goban_graph_get_kind (graph, 0));
}

/* Nodes whose times on a device of an unknown kind are scaled, and those that cannot be. */
static void
count_estimates (const GobanGraph *graph, const GobanCluster *cluster, guint *n_scaled,
                 guint *n_unknown)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      double least_us;
      guint kind = find_least_kind (graph, v, &least_us);

      if (kind == GOBAN_NO_KIND || least_us == 0)
        continue;
      if (find_peak (cluster, goban_graph_get_kind (graph, kind)) > 0)
        (*n_scaled)++;
      else
        (*n_unknown)++;
    }
}

/* --- transfers ------------------------------------------------------------ */

/* (n_kinds + 1)^2 flags: pairs of the graph's kinds between which devices of @cluster send; the
 * last stands for kinds the graph does not know. */
static gboolean *
find_pairs (const GobanGraph *graph, const GobanCluster *cluster)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  guint side = goban_graph_get_n_kinds (graph) + 1;
  g_autofree guint *n_of_kind = g_new0 (guint, side);
  gboolean *pairs = g_new0 (gboolean, (gsize) side * side);

  for (guint d = 0; d < n_devices; d++)
    n_of_kind[MIN (
        goban_graph_find_kind (graph, goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind),
        side - 1)]++;
  for (guint a = 0; a < side; a++)
    for (guint b = 0; b < side; b++)
      pairs[a * side + b] = n_of_kind[a] > (a == b ? 1u : 0u) && n_of_kind[b] > 0;
  return pairs;
}

/* Whether the graph says that moving @tensor takes time between some kinds, and nothing of a pair
 * that @pairs has. */
static gboolean
is_free_somewhere (const GobanGraph *graph, GobanTensorId tensor, const gboolean *pairs)
{
  guint n = goban_graph_get_n_kinds (graph);
  guint any = goban_graph_find_kind (graph, GOBAN_ANY_KIND);
  gboolean costs_somewhere = FALSE;
  gboolean lacks_some = FALSE;

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      costs_somewhere |= goban_graph_get_transfer_us (graph, tensor, a, b) > 0;
  for (guint a = 0; costs_somewhere && a <= n; a++)
    for (guint b = 0; b <= n; b++)
      if (pairs[a * (n + 1) + b])
        {
          guint from = a < n ? a : any, to = b < n ? b : any;

          lacks_some |= isnan (goban_graph_get_transfer_us (graph, tensor, from, to))
                        && isnan (goban_graph_get_transfer_us (graph, tensor, from, any))
                        && isnan (goban_graph_get_transfer_us (graph, tensor, any, to))
                        && isnan (goban_graph_get_transfer_us (graph, tensor, any, any));
        }
  return lacks_some;
}

/* Tensors of no known size whose given times are for other devices: they would move for nothing. */
static guint
count_free_tensors (const GobanGraph *graph, const GobanCluster *cluster)
{
  g_autofree gboolean *pairs = find_pairs (graph, cluster);
  guint n_free = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

      if (tensor->size_bytes == 0 && !tensor->is_control
          && goban_graph_get_tensor_edges (graph, t).n > 0 && is_free_somewhere (graph, t, pairs))
        n_free++;
    }
  return n_free;
}

/* --- the check ------------------------------------------------------------ */

gboolean
goban_cluster_check_times (const GobanCluster *cluster, const GobanGraph *graph, char **warning,
                           GError **error)
{
  const char *name = goban_cluster_get_name (cluster);
  const char *of = goban_graph_get_name (graph); /* "" if it was read from standard input */
  const char *colon = *of != '\0' ? ": " : "";
  g_autofree char *unknown = NULL;
  g_autofree char *known = NULL;
  g_autofree char *advice = NULL;
  GString *text;
  guint n_scaled = 0, n_unknown = 0, n_free;

  *warning = NULL;
  if (goban_graph_get_n_kinds (graph) == 0)
    return TRUE;

  unknown = list_unknown_kinds (graph, cluster);
  known = list_graph_kinds (graph);
  advice = make_advice (graph);
  if (unknown != NULL)
    count_estimates (graph, cluster, &n_scaled, &n_unknown);
  if (n_unknown > 0)
    return goban_refuse (
        error, GOBAN_ERROR_INVALID,
        "%s%sthe graph has times for devices of the kinds %s; %s has devices of the "
        "kind %s, for which the times of %u nodes cannot be estimated; %s",
        of, colon, known, name, unknown, n_unknown, advice);

  n_free = count_free_tensors (graph, cluster);
  if (n_scaled == 0 && n_free == 0)
    return TRUE;
  text = g_string_new (of);
  g_string_append (text, colon);
  if (n_scaled > 0)
    g_string_append_printf (text,
                            "the graph has times for devices of the kinds %s; on the kind %s of %s "
                            "the times of %u nodes are estimated from those by speed; ",
                            known, unknown, name, n_scaled);
  if (n_free > 0)
    g_string_append_printf (
        text,
        "%u outputs have given times to be moved, but not between all devices of "
        "%s, and no size: they move there without cost; ",
        n_free, name);
  g_string_append (text, advice);
  *warning = g_string_free (text, FALSE);
  return TRUE;
}
