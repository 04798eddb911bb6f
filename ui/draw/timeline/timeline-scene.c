#include "ui/draw/timeline/timeline-scene.h"

#include "engine/core/i18n.h"
#include "engine/core/key-sort.h"
#include "engine/core/quantity.h"
#include "engine/graph/delay-lane.h"
#include "ui/draw/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- lanes ------------------------------------------------------------------------------------ */

static int
compare_starts (gconstpointer pa, gconstpointer pb)
{
  const GobanSlice *a = pa;
  const GobanSlice *b = pb;

  if (a->start_us != b->start_us)
    return a->start_us < b->start_us ? -1 : 1;
  if (a->finish_us != b->finish_us)
    return a->finish_us < b->finish_us ? -1 : 1;
  return a->node < b->node ? -1 : a->node > b->node;
}

/* The row for a slice: the first that is free by then, or a new one. */
static guint
find_row (GArray *ends, double start_us)
{
  double never = -1;

  for (guint r = 0; r < ends->len; r++)
    if (g_array_index (ends, double, r) <= start_us)
      return r;
  g_array_append_val (ends, never);
  return ends->len - 1;
}

/* Insertion sort for up to 32 slices: few start at the same time. */
static void
sort_tied (GobanSlice *slices, guint n)
{
  if (n > 32)
    {
      qsort (slices, n, sizeof *slices, compare_starts);
      return;
    }
  for (guint i = 1; i < n; i++)
    {
      GobanSlice slice = slices[i];
      guint at = i;

      for (; at > 0 && compare_starts (&slices[at - 1], &slice) > 0; at--)
        slices[at] = slices[at - 1];
      slices[at] = slice;
    }
}

/* By start in linear time; only those that start together are compared. (transfer full) */
static GobanSlice *
sort_slices (const GobanSlice *slices, guint n)
{
  g_autofree double *starts_us = g_new (double, MAX (n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  GobanSlice *sorted = g_new (GobanSlice, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      starts_us[i] = slices[i].start_us;
      order[i] = i;
    }
  goban_key_sort (order, starts_us, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = slices[order[i]];
  for (guint first = 0, end; first < n; first = end)
    {
      gboolean is_sorted = TRUE;

      for (end = first + 1; end < n && sorted[end].start_us == sorted[first].start_us; end++)
        is_sorted = is_sorted && compare_starts (&sorted[end - 1], &sorted[end]) <= 0;
      if (!is_sorted)
        sort_tied (sorted + first, end - first);
    }
  return sorted;
}

void
goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree GobanSlice *sorted = sort_slices (slices, n_slices);
  g_autofree guint32 *row = g_new (guint32, MAX (n_slices, 1));
  g_autofree guint32 *next = NULL;

  for (guint i = 0; i < n_slices; i++)
    {
      row[i] = find_row (ends, sorted[i].start_us);
      g_array_index (ends, double, row[i]) = sorted[i].finish_us;
    }
  g_free (self->slices);
  g_free (self->row_first);
  self->n_slices = n_slices;
  self->n_rows = MAX (ends->len, 1);
  self->row_first = g_new0 (guint32, (gsize) self->n_rows + 1);
  if (self->n_rows == 1)
    {
      self->slices = g_steal_pointer (&sorted);
      self->row_first[1] = n_slices;
      return;
    }
  self->slices = g_new (GobanSlice, n_slices);
  next = g_new (guint32, self->n_rows);
  for (guint i = 0; i < n_slices; i++)
    self->row_first[row[i] + 1]++;
  for (guint r = 0; r < self->n_rows; r++)
    {
      self->row_first[r + 1] += self->row_first[r];
      next[r] = self->row_first[r];
    }
  for (guint i = 0; i < n_slices; i++)
    self->slices[next[row[i]]++] = sorted[i];
}

guint
goban_lane_find (const GobanLane *self, guint row, double time_us)
{
  guint low = self->row_first[row];
  guint high = self->row_first[row + 1];

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->slices[middle].finish_us > time_us)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

guint
goban_lane_find_point (const GobanLane *self, double time_us)
{
  guint low = 0;
  guint high = self->n_points;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->points[middle].time_us <= time_us)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : self->n_points;
}

double
goban_lane_get_bytes (const GobanLane *self, double time_us)
{
  guint at = goban_lane_find_point (self, time_us);

  return at < self->n_points ? self->points[at].bytes : 0;
}

double
goban_lane_get_top (const GobanLane *self, double scroll_y)
{
  double y = self->y - scroll_y;

  return self->place.is_stuck ? CLAMP (y, self->place.least_y, self->place.most_y) : y;
}

guint
goban_lane_row_of (const GobanLane *self, guint slice)
{
  guint low = 0;
  guint high = self->n_rows;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (self->row_first[middle] <= slice)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* --- scenes ----------------------------------------------------------------------------------- */

GobanTimelineScene *
goban_timeline_scene_new_empty (guint n_lanes)
{
  GobanTimelineScene *self = g_new0 (GobanTimelineScene, 1);

  self->n_lanes = n_lanes;
  self->lanes = g_new0 (GobanLane, MAX (n_lanes, 1));
  self->order = g_new0 (guint, MAX (n_lanes, 1));
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  return self;
}

static void
clear_lane (GobanLane *lane)
{
  g_free (lane->id);
  g_free (lane->name);
  g_free (lane->detail);
  g_free (lane->slices);
  g_free (lane->row_first);
  g_free (lane->points);
}

void
goban_timeline_scene_free (GobanTimelineScene *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_lanes; i++)
    clear_lane (&self->lanes[i]);
  g_free (self->lanes);
  g_free (self->order);
  g_free (self->op_places);
  g_free (self->transfer_places);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->partial.note);
  g_clear_pointer (&self->partial.decided, goban_selection_unref);
  g_clear_pointer (&self->words, goban_slice_words_unref);
  g_free (self->bytes);
  g_free (self->levels);
  g_free (self);
}

guint16 *
goban_timeline_levels_new (const GobanNodeValues *values)
{
  guint16 *levels = g_new (guint16, MAX (values->n_nodes, 1));

  for (guint v = 0; v < values->n_nodes; v++)
    levels[v] = isnan (values->places[v]) ? GOBAN_RAMP_LEVELS
                                          : (guint16) (values->places[v] * (GOBAN_RAMP_LEVELS - 1));
  return levels;
}

void
goban_timeline_scene_set_values (GobanTimelineScene *self, const GobanNodeValues *values)
{
  g_clear_pointer (&self->levels, g_free);
  self->n_levels = 0;
  if (values == NULL)
    return;

  self->n_levels = values->n_nodes;
  self->levels = goban_timeline_levels_new (values);
}

/* --- positions ---------------------------------------------------------------------------- */

static GobanSlicePlace *
new_places (guint n)
{
  GobanSlicePlace *places = g_new (GobanSlicePlace, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    places[i] = (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
  return places;
}

void
goban_timeline_scene_find_places (GobanTimelineScene *self)
{
  guint n_ops = 0;
  guint n_transfers = 0;

  if (self->op_places != NULL)
    return;
  for (guint l = 0; l < self->n_lanes; l++)
    for (guint s = 0; s < self->lanes[l].n_slices; s++)
      if (self->lanes[l].slices[s].transfer != GOBAN_NO_TRANSFER)
        n_transfers = MAX (n_transfers, self->lanes[l].slices[s].transfer + 1);
      else
        n_ops = MAX (n_ops, self->lanes[l].slices[s].node + 1);

  self->op_places = new_places (n_ops);
  self->transfer_places = new_places (n_transfers);
  self->n_op_places = n_ops;
  self->n_transfer_places = n_transfers;
  for (guint l = 0; l < self->n_lanes; l++)
    for (guint s = 0; s < self->lanes[l].n_slices; s++)
      {
        const GobanSlice *slice = &self->lanes[l].slices[s];

        if (slice->transfer != GOBAN_NO_TRANSFER)
          self->transfer_places[slice->transfer] = (GobanSlicePlace){ l, s };
        else
          self->op_places[slice->node] = (GobanSlicePlace){ l, s };
      }
}

GobanSlicePlace
goban_timeline_scene_find_op (const GobanTimelineScene *self, GobanNodeId node)
{
  return node < self->n_op_places ? self->op_places[node] : (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
}

GobanSlicePlace
goban_timeline_scene_find_transfer (const GobanTimelineScene *self, guint32 transfer)
{
  return transfer < self->n_transfer_places ? self->transfer_places[transfer]
                                            : (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
}

guint
goban_timeline_scene_find_lane (const GobanTimelineScene *self, const char *id)
{
  for (guint l = 0; l < self->n_lanes; l++)
    if (self->lanes[l].id != NULL && g_str_equal (self->lanes[l].id, id))
      return l;
  return GOBAN_NO_LANE;
}

guint
goban_timeline_scene_find_device (const GobanTimelineScene *self, guint device)
{
  for (guint l = 0; l < self->n_lanes; l++)
    if (self->lanes[l].kind == GOBAN_LANE_DEVICE && self->lanes[l].device == device)
      return l;
  return GOBAN_NO_LANE;
}

GobanScrolled
goban_timeline_scene_get_scrolled (const GobanTimelineScene *self, double scroll_y)
{
  double above = floor (self->bar_gap / 2);
  GobanScrolled scrolled = { 0, (double) INFINITY };

  for (guint l = 0; l < self->n_lanes; l++)
    {
      const GobanLane *lane = &self->lanes[l];

      if (!lane->place.is_stuck)
        continue;
      if (lane->y - scroll_y <= lane->place.least_y)
        scrolled.from_y
            = MAX (scrolled.from_y, lane->place.least_y - above + lane->height + self->bar_gap);
      else if (lane->y - scroll_y >= lane->place.most_y)
        scrolled.to_y = MIN (scrolled.to_y, lane->place.most_y - above);
    }
  return scrolled;
}

GobanPart
goban_scrolled_get_part (const GobanScrolled *self, const GobanLane *lane, double y)
{
  if (!lane->place.is_stuck)
    return GOBAN_PART_SCROLLED;
  return y < self->from_y ? GOBAN_PART_TOP
         : y < self->to_y ? GOBAN_PART_SCROLLED
                          : GOBAN_PART_BOTTOM;
}

/* --- lanes of another --------------------------------------------------------------------- */

static guint
find_like (const GobanTimelineScene *self, const GobanLane *key)
{
  for (guint l = 0; l < self->n_lanes; l++)
    if (self->lanes[l].kind == key->kind && self->lanes[l].device == key->device
        && self->lanes[l].peer == key->peer)
      return l;
  return GOBAN_NO_LANE;
}

static void
make_empty (GobanLane *lane, const GobanLane *like)
{
  lane->kind = like->kind;
  lane->device = like->device;
  lane->peer = like->peer;
  lane->id = g_strdup (like->id);
  lane->name = g_strdup (like->name);
  lane->detail = g_strdup ("");
  goban_lane_set_slices (lane, NULL, 0);
}

static void
move_places (GobanSlicePlace *places, guint n, const guint *moved_to)
{
  for (guint i = 0; i < n; i++)
    if (places[i].lane != GOBAN_NO_LANE)
      places[i].lane = moved_to[places[i].lane];
}

void
goban_timeline_scene_follow (GobanTimelineScene *self, const GobanTimelineScene *like)
{
  g_return_if_fail (self->n_lanes == like->n_lanes);

  for (guint l = 0; l < like->n_lanes; l++)
    {
      GobanLane *lane = &self->lanes[l];
      const GobanLane *from = &like->lanes[l];

      lane->y = from->y;
      lane->height = from->height;
      lane->place = from->place;
    }
  memcpy (self->order, like->order, like->n_lanes * sizeof *self->order);
  self->height = like->height;
  self->rows_height = like->rows_height;
  self->bar_gap = like->bar_gap;
}

void
goban_timeline_scene_relane (GobanTimelineScene *self, const GobanTimelineScene *like)
{
  GobanLane *lanes = g_new0 (GobanLane, MAX (like->n_lanes, 1));
  g_autofree guint *moved_to = g_new (guint, MAX (self->n_lanes, 1));

  for (guint l = 0; l < self->n_lanes; l++)
    moved_to[l] = GOBAN_NO_LANE;
  for (guint l = 0; l < like->n_lanes; l++)
    {
      guint from = find_like (self, &like->lanes[l]);

      if (from == GOBAN_NO_LANE)
        {
          make_empty (&lanes[l], &like->lanes[l]);
          continue;
        }
      lanes[l] = self->lanes[from];
      moved_to[from] = l;
    }
  for (guint l = 0; l < self->n_lanes; l++)
    if (moved_to[l] == GOBAN_NO_LANE)
      clear_lane (&self->lanes[l]);
  g_free (self->lanes);
  self->lanes = lanes;
  self->n_lanes = like->n_lanes;
  g_free (self->order);
  self->order = g_new0 (guint, MAX (like->n_lanes, 1));
  if (self->op_places != NULL)
    {
      move_places (self->op_places, self->n_op_places, moved_to);
      move_places (self->transfer_places, self->n_transfer_places, moved_to);
    }
  goban_timeline_scene_follow (self, like);
}

/* --- scenes of traces ------------------------------------------------------------------------- */

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
  GobanSliceWords *words;
} Gathering;

/* --- words -------------------------------------------------------------------------------- */

static GobanSliceWords *
new_words (GobanGraph *graph)
{
  /* A graph has each word once, and ops of a kind often stand together. */
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  guint n = goban_graph_get_n_nodes (graph);
  GobanSliceWords *self = g_atomic_rc_box_new0 (GobanSliceWords);

  self->graph = goban_graph_ref (graph);
  self->names = g_new (const char *, MAX (n, 1));
  self->families = g_malloc (MAX (n, 1));
  for (guint v = 0; v < n; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      gpointer family = g_hash_table_lookup (known, node->op);

      if (family == NULL)
        {
          family = GUINT_TO_POINTER (1 + goban_palette_family (node->op));
          g_hash_table_insert (known, (gpointer) node->op, family);
        }
      self->names[v] = node->name;
      self->families[v] = (guint8) (GPOINTER_TO_UINT (family) - 1);
    }
  return self;
}

GobanSliceWords *
goban_slice_words_ref (GobanSliceWords *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
words_clear (gpointer data)
{
  GobanSliceWords *self = data;

  g_free (self->names);
  g_free (self->families);
  goban_graph_unref (self->graph);
}

void
goban_slice_words_unref (GobanSliceWords *self)
{
  g_atomic_rc_box_release_full (self, words_clear);
}

/* --- gathering ---------------------------------------------------------------------------- */

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

/* Room for the slices of every lane, so that nothing is moved while they are gathered. */
static void
make_room (Gathering *g, const GobanTransfer *transfers, guint n)
{
  const GobanDeviceId *devices = goban_plan_get_devices (goban_trace_get_plan (g->trace));
  guint n_pairs = g->n_devices * g->n_devices;
  g_autofree guint *n_ops = g_new0 (guint, g->n_devices);
  g_autofree guint *n_sent = g_new0 (guint, MAX (n_pairs, 1));

  /* A plan that cannot run may be for more devices than there are. */
  for (guint v = 0;
       goban_trace_get_ops (g->trace) != NULL && v < goban_graph_get_n_nodes (g->graph); v++)
    n_ops[devices[v]]++;
  for (guint i = 0; i < n; i++)
    n_sent[transfers[i].from * g->n_devices + transfers[i].to]++;
  for (guint d = 0; d < g->n_devices; d++)
    g->ops[d] = g_array_sized_new (FALSE, FALSE, sizeof (GobanSlice), n_ops[d]);
  for (guint i = 0; i < n_pairs; i++)
    if (n_sent[i] > 0)
      g->links[i] = g_array_sized_new (FALSE, FALSE, sizeof (GobanSlice), n_sent[i]);
}

/* There is room. */
static GobanSlice *
append_slice (GArray *slices)
{
  slices->len++;
  return &g_array_index (slices, GobanSlice, slices->len - 1);
}

static void
gather_ops (Gathering *g)
{
  const GobanOpSpan *spans = goban_trace_get_ops (g->trace);
  const GobanDeviceId *devices = goban_plan_get_devices (goban_trace_get_plan (g->trace));

  for (guint v = 0; spans != NULL && v < goban_graph_get_n_nodes (g->graph); v++)
    if (isfinite (spans[v].start_us) && isfinite (spans[v].finish_us))
      *append_slice (g->ops[devices[v]]) = (GobanSlice){
        .start_us = spans[v].start_us,
        .finish_us = spans[v].finish_us,
        .node = v,
        .transfer = GOBAN_NO_TRANSFER,
        .device = devices[v],
        .family = g->words->families[v],
        .is_critical = g->critical_ops[v],
      };
}

static void
gather_transfers (Gathering *g, const GobanTransfer *transfers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *t = &transfers[i];
      const GobanTensor *tensor = goban_graph_get_tensor (g->graph, t->tensor);
      guint pair = t->from * g->n_devices + t->to;

      if (!isfinite (t->start_us) || !isfinite (t->finish_us))
        continue;
      *append_slice (g->links[pair]) = (GobanSlice){
        .start_us = t->start_us,
        .finish_us = t->finish_us,
        .node = tensor->producer,
        .transfer = i,
        .device = t->to,
        .family = g->words->families[tensor->producer],
        .is_critical = g->critical_transfers[i],
      };
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
  char peak[GOBAN_QUANTITY_LEN];

  lane->kind = GOBAN_LANE_MEMORY;
  lane->device = device;
  lane->id = g_strconcat (goban_cluster_get_device (g->cluster, device)->name, "/memory", NULL);
  lane->name = g_strdup (_ ("memory"));
  /* A plan that cannot run may be for fewer devices than there are. */
  if (device < goban_plan_get_n_devices (goban_trace_get_plan (g->trace)))
    lane->points = goban_trace_get_memory (g->trace, device, &lane->n_points);
  lane->peak_bytes = uses != NULL ? uses[device].peak_bytes : 0;
  lane->capacity_bytes = goban_cluster_get_device (g->cluster, device)->memory_bytes;
  lane->detail = g_strdup (goban_format_bytes (peak, lane->peak_bytes));
  goban_lane_set_slices (lane, NULL, 0);
}

static gboolean
is_delays (const Gathering *g, GobanDeviceId device)
{
  return g_str_equal (goban_cluster_get_device (g->cluster, device)->kind, GOBAN_DELAY_LANE);
}

static void
fill_device (const Gathering *g, GobanLane *lane, GobanDeviceId device)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (g->trace);
  double makespan = goban_trace_get_makespan (g->trace);
  double busy = uses != NULL && makespan > 0 ? uses[device].busy_us / makespan : 0;

  lane->kind = GOBAN_LANE_DEVICE;
  lane->device = device;
  lane->id = g_strdup (goban_cluster_get_device (g->cluster, device)->name);
  lane->name = is_delays (g, device) ? g_strdup (_ ("unexplained delays")) : g_strdup (lane->id);
  lane->busy = busy;
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
  lane->name = g_strdup_printf ("→ %s", goban_cluster_get_device (g->cluster, to)->name);
  lane->detail = g_strdup (goban_format_bytes (bytes, g->sent[pair]));
  if (g->links[pair] != NULL)
    set_slices (lane, g->links[pair]);
  else
    goban_lane_set_slices (lane, NULL, 0);
}

static void
fill_labels (GobanTimelineScene *self, const Gathering *g, const GobanTransfer *transfers, guint n)
{
  double *bytes = g_new (double, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    bytes[i] = goban_graph_get_tensor (g->graph, transfers[i].tensor)->size_bytes;
  self->words = goban_slice_words_ref (g->words);
  self->names = self->words->names;
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
fill_lane (const Gathering *g, GobanLane *lane, const GobanLane *key)
{
  if (MAX (key->device, key->kind == GOBAN_LANE_LINK ? key->peer : 0) >= g->n_devices)
    {
      /* The other run has more devices. */
      *lane = (GobanLane){ .kind = key->kind, .device = key->device, .peer = key->peer };
      lane->id = g_strdup_printf ("none:%u", key->device);
      lane->name = g_strdup (_ ("no device"));
      goban_lane_set_slices (lane, NULL, 0);
    }
  else if (key->kind == GOBAN_LANE_DEVICE)
    fill_device (g, lane, key->device);
  else if (key->kind == GOBAN_LANE_MEMORY)
    fill_memory (g, lane, key->device);
  else
    fill_link (g, lane, key->device, key->peer);
}

/* Routes used by a trace: (n_devices x n_devices), 1 or 0. */
static void
mark_links (guint8 *links, const GobanTrace *trace, guint n_devices)
{
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (guint i = 0; i < n; i++)
    links[transfers[i].from * n_devices + transfers[i].to] = TRUE;
}

/* Whether any device has a limit, or any memory was used: most recordings have neither. */
static gboolean
has_memory (const GobanTrace *trace)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    if (isfinite (goban_cluster_get_device (cluster, (GobanDeviceId) d)->memory_bytes)
        || (uses != NULL && uses[d].peak_bytes > 0))
      return TRUE;
  return FALSE;
}

GArray *
goban_timeline_list_lanes (const GobanTrace *trace, const GobanTrace *other)
{
  GobanCostModel *costs = goban_trace_get_costs (trace);
  guint n_own = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  guint n_other = other != NULL ? goban_cluster_get_n_devices (
                      goban_cost_model_get_cluster (goban_trace_get_costs (other)))
                                : 0;
  guint n_devices = MAX (n_own, n_other);
  g_autofree guint8 *links = g_malloc0 (MAX ((gsize) n_devices * n_devices, 1));
  GArray *keys = g_array_new (FALSE, TRUE, sizeof (GobanLane));
  gboolean with_memory = has_memory (trace) || (other != NULL && has_memory (other));

  mark_links (links, trace, n_devices);
  if (other != NULL)
    mark_links (links, other, n_devices);
  for (guint d = 0; d < n_devices; d++)
    {
      GobanLane key = { .kind = GOBAN_LANE_DEVICE, .device = (GobanDeviceId) d };

      g_array_append_val (keys, key);
      key.kind = GOBAN_LANE_MEMORY;
      if (with_memory)
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
new_with_lanes (GobanTrace *trace, const GArray *lanes, GobanSliceWords *words)
{
  const GobanLane *keys = (const GobanLane *) (gconstpointer) lanes->data;
  GobanCostModel *costs = goban_trace_get_costs (trace);
  guint n_transfers;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);
  Gathering g = { .trace = trace,
                  .graph = goban_cost_model_get_graph (costs),
                  .cluster = goban_cost_model_get_cluster (costs) };
  double makespan = goban_trace_get_makespan (trace);
  GobanTimelineScene *self;

  g.n_devices = goban_cluster_get_n_devices (g.cluster);
  g.words = words;
  g.ops = g_new (GArray *, g.n_devices);
  g.links = g_new0 (GArray *, (gsize) g.n_devices * g.n_devices);
  g.sent = g_new0 (double, (gsize) g.n_devices *g.n_devices);
  make_room (&g, transfers, n_transfers);
  gather_critical (&g, n_transfers);
  gather_ops (&g);
  gather_transfers (&g, transfers, n_transfers);

  self = goban_timeline_scene_new_empty (lanes->len);
  for (guint l = 0; l < lanes->len; l++)
    fill_lane (&g, &self->lanes[l], &keys[l]);
  fill_labels (self, &g, transfers, n_transfers);
  self->end_us = isfinite (makespan) ? makespan : 0;
  g_free (self->title);
  g_free (self->subtitle);
  self->title = g_strdup (goban_graph_get_name (g.graph));
  self->subtitle = describe_run (trace);
  clear_gathering (&g);
  return self;
}

GobanTimelineScene *
goban_timeline_scene_new_for_lanes (GobanTrace *trace, GobanTrace *other, const GArray *lanes,
                                    GobanSliceWords *words)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  GArray *own = lanes == NULL ? goban_timeline_list_lanes (trace, other) : NULL;
  GobanSliceWords *known
      = words != NULL && words->graph == graph ? goban_slice_words_ref (words) : new_words (graph);
  GobanTimelineScene *self = new_with_lanes (trace, own != NULL ? own : lanes, known);

  goban_slice_words_unref (known);
  g_clear_pointer (&own, g_array_unref);
  goban_timeline_scene_arrange (self, NULL, INFINITY);
  return self;
}

GobanTimelineScene *
goban_timeline_scene_new (GobanTrace *trace)
{
  return goban_timeline_scene_new_for_lanes (trace, NULL, NULL, NULL);
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
goban_timeline_scene_new_like (GobanTrace *trace, const GobanTimelineScene *like)
{
  g_autoptr (GArray) lanes = goban_timeline_scene_dup_lanes (like);
  GobanTimelineScene *self = goban_timeline_scene_new_for_lanes (trace, NULL, lanes, like->words);

  goban_timeline_scene_follow (self, like);
  return self;
}
