#include "engine/base/quantity.h"
#include "ui/draw/palette.h"
#include "ui/draw/timeline-scene.h"

#include <math.h>
#include <string.h>

/* Slices gathered by lane before they are set. */
typedef struct
{
  const GobanTrace *trace;
  GobanGraph *graph;
  GobanCluster *cluster;
  guint n_devices;
  GArray **ops;   /* (n_devices) of GobanSlice */
  GArray **links; /* (n_devices x n_devices) from, to; NULL without traffic */
  double *sent;   /* (n_devices x n_devices) bytes */
  guint8 *critical_ops;
  guint8 *critical_transfers;
  guint8 *families;          /* (n_nodes) */
  GobanMemoryPoint **memory; /* (n_devices) staircases, taken by their lanes */
  guint *n_memory;
} Gathering;

static void
gather_critical (Gathering *g, guint n_transfers)
{
  guint n;
  const GobanStep *steps = goban_trace_get_critical_path (g->trace, &n);

  g->critical_ops = g_malloc0 (MAX (goban_graph_get_n_nodes (g->graph), 1));
  g->critical_transfers = g_malloc0 (MAX (n_transfers, 1));
  for (guint i = 0; i < n; i++)
    (steps[i].is_transfer ? g->critical_transfers : g->critical_ops)[steps[i].index] = TRUE;
}

static void
gather_families (Gathering *g)
{
  /* A graph has each word once. */
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  guint n = goban_graph_get_n_nodes (g->graph);

  g->families = g_malloc (MAX (n, 1));
  for (guint v = 0; v < n; v++)
    {
      const char *op = goban_graph_get_node (g->graph, v)->op;
      gpointer family = g_hash_table_lookup (known, op);

      if (family == NULL)
        {
          family = GUINT_TO_POINTER (1 + goban_palette_family (op));
          g_hash_table_insert (known, (gpointer) op, family);
        }
      g->families[v] = (guint8) (GPOINTER_TO_UINT (family) - 1);
    }
}

static void
gather_ops (Gathering *g)
{
  const GobanOpSpan *spans = goban_trace_get_ops (g->trace);
  const GobanPlan *plan = goban_trace_get_plan (g->trace);

  for (guint v = 0; spans != NULL && v < goban_graph_get_n_nodes (g->graph); v++)
    {
      GobanDeviceId device = goban_plan_get_device (plan, v);
      GobanSlice slice = {
        .start_us = spans[v].start_us,
        .finish_us = spans[v].finish_us,
        .node = v,
        .transfer = GOBAN_NO_TRANSFER,
        .device = device,
        .family = g->families[v],
        .is_critical = g->critical_ops[v],
      };

      if (isfinite (slice.start_us) && isfinite (slice.finish_us))
        g_array_append_val (g->ops[device], slice);
    }
}

static void
gather_transfers (Gathering *g, const GobanTransfer *transfers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *t = &transfers[i];
      const GobanTensor *tensor = goban_graph_get_tensor (g->graph, t->tensor);
      guint pair = t->from * g->n_devices + t->to;
      GobanSlice slice = {
        .start_us = t->start_us,
        .finish_us = t->finish_us,
        .node = tensor->producer,
        .transfer = i,
        .device = t->to,
        .family = g->families[tensor->producer],
        .is_critical = g->critical_transfers[i],
      };

      if (!isfinite (slice.start_us) || !isfinite (slice.finish_us))
        continue;
      if (g->links[pair] == NULL)
        g->links[pair] = g_array_new (FALSE, FALSE, sizeof (GobanSlice));
      g_array_append_val (g->links[pair], slice);
      g->sent[pair] += tensor->size_bytes;
    }
}

static void
clear_gathering (Gathering *g)
{
  for (guint d = 0; d < g->n_devices; d++)
    g_array_unref (g->ops[d]);
  for (guint i = 0; i < g->n_devices * g->n_devices; i++)
    g_clear_pointer (&g->links[i], g_array_unref);
  g_free (g->ops);
  g_free (g->links);
  g_free (g->sent);
  g_free (g->critical_ops);
  g_free (g->critical_transfers);
  g_free (g->families);
  for (guint d = 0; d < g->n_devices; d++)
    g_free (g->memory[d]);
  g_free (g->memory);
  g_free (g->n_memory);
}

static void
set_slices (GobanLane *lane, const GArray *slices)
{
  goban_lane_set_slices (lane, (const GobanSlice *) (gpointer) slices->data, slices->len);
}

static void
fill_memory (const Gathering *g, GobanLane *lane, GobanDeviceId device)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (g->trace);
  char peak[GOBAN_QUANTITY_LEN], capacity[GOBAN_QUANTITY_LEN];

  lane->kind = GOBAN_LANE_MEMORY;
  lane->device = device;
  lane->id = g_strconcat (goban_cluster_get_device (g->cluster, device)->name, "/memory", NULL);
  lane->name = g_strdup ("memory");
  lane->points = g_steal_pointer (&g->memory[device]);
  lane->n_points = lane->points != NULL ? g->n_memory[device] : 0;
  lane->peak_bytes = uses != NULL ? uses[device].peak_bytes : 0;
  lane->capacity_bytes = goban_cluster_get_device (g->cluster, device)->memory_bytes;
  goban_format_bytes (peak, lane->peak_bytes);
  if (isfinite (lane->capacity_bytes))
    lane->detail
        = g_strdup_printf ("%s of %s", peak, goban_format_bytes (capacity, lane->capacity_bytes));
  else
    lane->detail = g_strdup (peak);
  goban_lane_set_slices (lane, NULL, 0);
}

static void
fill_device (const Gathering *g, GobanLane *lane, GobanDeviceId device)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (g->trace);
  double makespan = goban_trace_get_makespan (g->trace);
  double busy = uses != NULL && makespan > 0 ? uses[device].busy_us / makespan : 0;

  lane->kind = GOBAN_LANE_DEVICE;
  lane->device = device;
  lane->name = g_strdup (goban_cluster_get_device (g->cluster, device)->name);
  lane->id = g_strdup (lane->name);
  lane->detail = g_strdup_printf ("%d %%", (int) (100 * busy + 0.5));
  set_slices (lane, g->ops[device]);
}

static void
fill_link (const Gathering *g, GobanLane *lane, GobanDeviceId from, GobanDeviceId to)
{
  guint pair = from * g->n_devices + to;
  char bytes[GOBAN_QUANTITY_LEN];

  lane->kind = GOBAN_LANE_LINK;
  lane->device = from;
  lane->peer = to;
  lane->id = g_strdup_printf ("%s>%s", goban_cluster_get_device (g->cluster, from)->name,
                              goban_cluster_get_device (g->cluster, to)->name);
  lane->name = g_strdup_printf ("to %s", goban_cluster_get_device (g->cluster, to)->name);
  lane->detail = g_strdup (goban_format_bytes (bytes, g->sent[pair]));
  if (g->links[pair] != NULL)
    set_slices (lane, g->links[pair]);
  else
    goban_lane_set_slices (lane, NULL, 0);
}

static void
fill_labels (GobanTimelineScene *self, const Gathering *g, const GobanTransfer *transfers, guint n)
{
  const char **names = g_new (const char *, MAX (goban_graph_get_n_nodes (g->graph), 1));
  double *bytes = g_new (double, MAX (n, 1));

  for (guint v = 0; v < goban_graph_get_n_nodes (g->graph); v++)
    names[v] = goban_graph_get_node (g->graph, v)->name;
  for (guint i = 0; i < n; i++)
    bytes[i] = goban_graph_get_tensor (g->graph, transfers[i].tensor)->size_bytes;
  self->names = names;
  self->bytes = bytes;
}

static char *
describe_run (const GobanTrace *trace)
{
  const GobanPlan *plan = goban_trace_get_plan (trace);
  double makespan = goban_trace_get_makespan (trace);
  double bound = goban_trace_get_bounds (trace)->bound_us;
  GString *text = g_string_new (goban_plan_get_policy (plan));
  char time[GOBAN_QUANTITY_LEN];

  if (text->len > 0)
    g_string_append (text, ", ");
  if (!isfinite (makespan))
    g_string_append (text, "cannot run");
  else
    g_string_append (text, goban_format_time (time, makespan));
  if (isfinite (makespan) && bound > 0)
    {
      g_ascii_formatd (time, sizeof time, "%.2f", makespan / bound);
      g_string_append_printf (text, ", %s times the lower bound", time);
    }
  if (!goban_trace_is_valid (trace))
    g_string_append_printf (text, "; invalid: %s", goban_trace_get_why (trace));
  return g_string_free (text, FALSE);
}

static void
release_trace (gpointer trace)
{
  goban_trace_unref (trace);
}

static void
fill_lane (const Gathering *g, GobanLane *lane, const GobanLane *key)
{
  if (key->kind == GOBAN_LANE_DEVICE)
    fill_device (g, lane, key->device);
  else if (key->kind == GOBAN_LANE_MEMORY)
    fill_memory (g, lane, key->device);
  else
    fill_link (g, lane, key->device, key->peer);
}

/* What a trace sends from where to where: (n_devices x n_devices), 1 or 0. */
static void
mark_links (guint8 *links, const GobanTrace *trace, guint n_devices)
{
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (guint i = 0; i < n; i++)
    links[transfers[i].from * n_devices + transfers[i].to] = TRUE;
}

GArray *
goban_timeline_list_lanes (const GobanTrace *trace, const GobanTrace *other)
{
  guint n_devices
      = goban_cluster_get_n_devices (goban_cost_model_get_cluster (goban_trace_get_costs (trace)));
  g_autofree guint8 *links = g_malloc0 (MAX ((gsize) n_devices * n_devices, 1));
  GArray *keys = g_array_new (FALSE, TRUE, sizeof (GobanLane));

  mark_links (links, trace, n_devices);
  if (other != NULL)
    mark_links (links, other, n_devices);
  for (guint d = 0; d < n_devices; d++)
    {
      GobanLane key = { .kind = GOBAN_LANE_DEVICE, .device = (GobanDeviceId) d };

      g_array_append_val (keys, key);
      key.kind = GOBAN_LANE_MEMORY;
      g_array_append_val (keys, key);
      key.kind = GOBAN_LANE_LINK;
      for (guint to = 0; to < n_devices; to++)
        if (links[d * n_devices + to])
          {
            key.peer = (GobanDeviceId) to;
            g_array_append_val (keys, key);
          }
    }
  return keys;
}

static GobanTimelineScene *
new_with_lanes (GobanTrace *trace, const GobanLane *keys, guint n_keys)
{
  GobanCostModel *costs = goban_trace_get_costs (trace);
  guint n_transfers;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);
  Gathering g = { .trace = trace,
                  .graph = goban_cost_model_get_graph (costs),
                  .cluster = goban_cost_model_get_cluster (costs) };
  double makespan = goban_trace_get_makespan (trace);
  guint n_planned;
  GobanTimelineScene *self;

  g.n_devices = goban_cluster_get_n_devices (g.cluster);
  g.ops = g_new (GArray *, g.n_devices);
  for (guint d = 0; d < g.n_devices; d++)
    g.ops[d] = g_array_new (FALSE, FALSE, sizeof (GobanSlice));
  g.links = g_new0 (GArray *, (gsize) g.n_devices * g.n_devices);
  g.sent = g_new0 (double, (gsize) g.n_devices *g.n_devices);
  /* A plan that cannot run may be for more devices than there are. */
  n_planned = MAX (g.n_devices, goban_plan_get_n_devices (goban_trace_get_plan (trace)));
  g.memory = g_new0 (GobanMemoryPoint *, n_planned);
  g.n_memory = g_new0 (guint, n_planned);
  goban_trace_get_memories (trace, g.memory, g.n_memory);
  gather_critical (&g, n_transfers);
  gather_families (&g);
  gather_ops (&g);
  gather_transfers (&g, transfers, n_transfers);

  self = goban_timeline_scene_new_empty (n_keys);
  for (guint l = 0; l < n_keys; l++)
    fill_lane (&g, &self->lanes[l], &keys[l]);
  fill_labels (self, &g, transfers, n_transfers);
  self->source = goban_trace_ref (trace);
  self->free_source = release_trace;
  self->end_us = isfinite (makespan) ? makespan : 0;
  g_free (self->title);
  g_free (self->subtitle);
  self->title = g_strdup (goban_graph_get_name (g.graph));
  self->subtitle = describe_run (trace);
  clear_gathering (&g);
  return self;
}

GobanTimelineScene *
goban_timeline_scene_new_with (GobanTrace *trace, GobanTrace *other)
{
  g_autoptr (GArray) keys = goban_timeline_list_lanes (trace, other);
  GobanTimelineScene *self
      = new_with_lanes (trace, (const GobanLane *) (gpointer) keys->data, keys->len);

  goban_timeline_scene_arrange (self, NULL);
  return self;
}

GobanTimelineScene *
goban_timeline_scene_new (GobanTrace *trace)
{
  return goban_timeline_scene_new_with (trace, NULL);
}

GArray *
goban_timeline_scene_dup_lanes (const GobanTimelineScene *self)
{
  GArray *keys = g_array_sized_new (FALSE, TRUE, sizeof (GobanLane), self->n_lanes);

  for (guint l = 0; l < self->n_lanes; l++)
    {
      const GobanLane *lane = &self->lanes[l];
      GobanLane key = { .kind = lane->kind, .device = lane->device, .peer = lane->peer };

      g_array_append_val (keys, key);
    }
  return keys;
}

GobanTimelineScene *
goban_timeline_scene_new_in (GobanTrace *trace, const GArray *lanes)
{
  GobanTimelineScene *self
      = new_with_lanes (trace, (const GobanLane *) (gpointer) lanes->data, lanes->len);

  goban_timeline_scene_arrange (self, NULL);
  return self;
}

void
goban_timeline_scene_follow (GobanTimelineScene *self, const GobanTimelineScene *like)
{
  g_return_if_fail (self->n_lanes == like->n_lanes);

  for (guint l = 0; l < like->n_lanes; l++)
    {
      self->lanes[l].y = like->lanes[l].y;
      self->lanes[l].height = like->lanes[l].height;
      self->lanes[l].is_hidden = like->lanes[l].is_hidden;
      self->lanes[l].is_pinned = like->lanes[l].is_pinned;
    }
  memcpy (self->order, like->order, like->n_lanes * sizeof *self->order);
  self->height = like->height;
  self->pinned_height = like->pinned_height;
}

GobanTimelineScene *
goban_timeline_scene_new_like (GobanTrace *trace, const GobanTimelineScene *like)
{
  g_autoptr (GArray) lanes = goban_timeline_scene_dup_lanes (like);
  GobanTimelineScene *self = goban_timeline_scene_new_in (trace, lanes);

  goban_timeline_scene_follow (self, like);
  return self;
}
