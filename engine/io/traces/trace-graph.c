#include "engine/io/traces/trace-graph.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/io/text.h"
#include "engine/io/traces/trace-slices.h"

#include <math.h>
#include <string.h>

/* Devices of a cluster, but one for delays. */
#define MAX_LANES 1023
#define SLICES_PER_CHECK 1024
/* Below the resolution of any clock: sums of times differ by less. */
#define TINY_US 1e-4
#define NONE G_MAXUINT32

typedef struct
{
  GobanTraceEvents *events;
  GArray *slices; /* GobanTraceSlice */
  GobanGraphBuilder *builder;
  guint32 *node_of_slice;
  guint32 *slice_of_event; /* (n_events) of DEVICE events */
  GHashTable *launch;      /* correlation -> slice + 1 that ends with the call */
  guint32 *last_on_lane;   /* (n_lanes) slice, or NONE */
  guint32 *last_on_thread; /* (n_lanes) by thread: the same of all lanes of a thread */
  guint32 *arrows;         /* (n_slices) slice at the other end of an arrow into it, or NONE */
  double *replay_us;       /* (n_slices) time at which the simulation finishes it */
  guint32 *device;         /* (n_lanes + 1) number in the cluster, or NONE; the last: delays */
  double launch_us;        /* the least time from a launch to a start on a free stream */
  GPtrArray *kinds;        /* const char *, of devices */
  double first_us;
  guint n_disagreeing; /* arrows that lead back in time */
} Maker;

static const GobanTraceSlice *
get_slice (const Maker *self, guint32 i)
{
  return &g_array_index (self->slices, GobanTraceSlice, i);
}

/* --- lanes ----------------------------------------------------------------------------------- */

static void
note_kind (Maker *self, const char *kind)
{
  if (!g_ptr_array_find_with_equal_func (self->kinds, kind, g_str_equal, NULL))
    g_ptr_array_add (self->kinds, (gpointer) kind);
}

/* Only lanes with operations are devices. */
static void
number_lanes (Maker *self)
{
  guint n_lanes = self->events->lanes->len;
  g_autoptr (GString) spec = g_string_new ("lanes:");
  guint32 n = 0;

  memset (self->device, 0xff, (n_lanes + 1) * sizeof *self->device);
  for (guint i = 0; i < self->slices->len; i++)
    self->device[get_slice (self, i)->lane] = 0;
  for (guint32 lane = 0; lane < n_lanes; lane++)
    if (self->device[lane] != NONE)
      {
        const GobanTraceLane *about = goban_trace_lane (self->events, lane);

        self->device[lane] = n++;
        note_kind (self, about->kind);
        g_string_append_printf (spec, "%s=%s,", about->name, about->kind);
      }
  self->device[n_lanes] = n;
  note_kind (self, GOBAN_DELAY_LANE);
  g_string_append (spec, GOBAN_DELAY_LANE "=" GOBAN_DELAY_LANE);
  goban_graph_builder_set_cluster_spec (self->builder, spec->str);
}

/* --- arrows of the file ---------------------------------------------------------------------- */

/* A lane's slices in their order. */
typedef struct
{
  guint32 *slices;
  guint32 *first; /* (n_lanes + 1) */
} LaneIndex;

static void
index_lanes (const Maker *self, LaneIndex *index)
{
  guint n_lanes = self->events->lanes->len;
  g_autofree guint32 *next = NULL;

  index->slices = g_new (guint32, self->slices->len + 1);
  index->first = g_new0 (guint32, n_lanes + 1);
  for (guint32 i = 0; i < self->slices->len; i++)
    index->first[get_slice (self, i)->lane + 1]++;
  for (guint lane = 0; lane < n_lanes; lane++)
    index->first[lane + 1] += index->first[lane];
  next = g_memdup2 (index->first, (n_lanes + 1) * sizeof *next);
  for (guint32 i = 0; i < self->slices->len; i++)
    index->slices[next[get_slice (self, i)->lane]++] = i;
}

/* The last slice of the lane to start by that time, or the first after it; or NONE. */
static guint32
find_slice (const Maker *self, const LaneIndex *index, const GobanTraceFlow *flow)
{
  guint32 begin = index->first[flow->lane], end = index->first[flow->lane + 1];
  guint32 first = begin, last = end;

  while (first < last)
    {
      guint32 middle = first + (last - first) / 2;
      double start_us = get_slice (self, index->slices[middle])->start_us;
      gboolean is_before = flow->is_end && !flow->is_enclosing ? start_us < flow->time_us
                                                               : start_us <= flow->time_us;

      if (is_before)
        first = middle + 1;
      else
        last = middle;
    }
  if (flow->is_end && !flow->is_enclosing)
    return first < end ? index->slices[first] : NONE;
  return first > begin ? index->slices[first - 1] : NONE;
}

static void
find_arrows (Maker *self)
{
  g_autoptr (GHashTable) begun = g_hash_table_new (NULL, NULL); /* key -> slice + 1 */
  GArray *flows = self->events->flows;
  LaneIndex index;

  index_lanes (self, &index);
  memset (self->arrows, 0xff, (self->slices->len + 1) * sizeof *self->arrows);
  for (guint is_end = 0; is_end < 2; is_end++)
    for (guint i = 0; i < flows->len; i++)
      {
        const GobanTraceFlow *flow = &g_array_index (flows, GobanTraceFlow, i);
        guint32 slice = (guint) flow->is_end == is_end ? find_slice (self, &index, flow) : NONE;
        guint tail;

        if (slice == NONE)
          continue;
        if (!is_end)
          {
            g_hash_table_insert (begun, (gpointer) flow->key, GUINT_TO_POINTER (slice + 1));
            continue;
          }
        tail = GPOINTER_TO_UINT (g_hash_table_lookup (begun, flow->key));
        if (tail == 0 || tail - 1 == slice)
          continue;
        if (tail - 1 > slice
            || get_slice (self, tail - 1)->finish_us > get_slice (self, slice)->start_us)
          self->n_disagreeing++;
        else if (self->arrows[slice] == NONE || self->arrows[slice] < tail - 1)
          self->arrows[slice] = tail - 1; /* the latest says most */
      }
  g_free (index.slices);
  g_free (index.first);
}

/* --- launches -------------------------------------------------------------------------------- */

static guint32
find_launch (const Maker *self, guint32 slice)
{
  guint32 event = get_slice (self, slice)->event;
  gint64 correlation
      = event != GOBAN_NO_EVENT ? goban_trace_event (self->events, event)->correlation : 0;
  guint launch;

  if (correlation == 0)
    return NONE;
  launch = GPOINTER_TO_UINT (
      g_hash_table_lookup (self->launch, GSIZE_TO_POINTER ((gsize) correlation)));
  return launch > 0 && launch - 1 < slice ? launch - 1 : NONE;
}

/* From launch to start where the stream was free: later starts waited for the stream. */
static void
measure_launches (Maker *self)
{
  guint n_lanes = self->events->lanes->len;

  self->launch_us = INFINITY;
  for (guint32 i = 0; i < self->slices->len; i++)
    {
      const GobanTraceSlice *slice = get_slice (self, i);
      guint32 launch = find_launch (self, i);
      guint32 previous = self->last_on_lane[slice->lane];

      if (launch != NONE
          && (previous == NONE
              || get_slice (self, previous)->finish_us <= get_slice (self, launch)->finish_us))
        self->launch_us
            = MIN (self->launch_us, MAX (slice->start_us - get_slice (self, launch)->finish_us, 0));
      self->last_on_lane[slice->lane] = i;
    }
  if (!isfinite (self->launch_us))
    self->launch_us = 0;
  memset (self->last_on_lane, 0xff, n_lanes * sizeof *self->last_on_lane);
}

static void
index_slices (Maker *self)
{
  guint n_lanes = self->events->lanes->len;

  memset (self->last_on_lane, 0xff, n_lanes * sizeof *self->last_on_lane);
  memset (self->last_on_thread, 0xff, n_lanes * sizeof *self->last_on_thread);
  memset (self->slice_of_event, 0xff, self->events->events->len * sizeof *self->slice_of_event);
  self->first_us = INFINITY;
  for (guint32 i = 0; i < self->slices->len; i++)
    {
      const GobanTraceSlice *slice = get_slice (self, i);

      self->first_us = MIN (self->first_us, slice->start_us);
      if (slice->event != GOBAN_NO_EVENT)
        self->slice_of_event[slice->event] = i;
      if (slice->launches != 0)
        g_hash_table_insert (self->launch, GSIZE_TO_POINTER ((gsize) slice->launches),
                             GUINT_TO_POINTER (i + 1));
    }
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* A time on devices of one kind, which no other kind can run. */
static guint32
add_node (Maker *self, const char *name, const char *op, const char *kind, double time_us)
{
  guint32 node = goban_graph_builder_add_node (self->builder, name, op);

  for (guint k = 0; k < self->kinds->len; k++)
    {
      const char *other = g_ptr_array_index (self->kinds, k);
      gboolean is_own = strcmp (other, kind) == 0;

      goban_graph_builder_set_time (self->builder, node, other,
                                    is_own ? time_us : (double) INFINITY, GOBAN_SOURCE_MEASURED);
    }
  return node;
}

/* An output of no size that arrives after @delay_us on whatever device. */
static void
add_delayed_edge (Maker *self, guint32 tail, guint32 head, double delay_us)
{
  guint32 tensor = goban_graph_builder_add_tensor (self->builder, tail, 0);

  for (guint a = 0; a < self->kinds->len; a++)
    for (guint b = 0; b < self->kinds->len; b++)
      goban_graph_builder_set_transfer (self->builder, tensor, g_ptr_array_index (self->kinds, a),
                                        g_ptr_array_index (self->kinds, b), delay_us);
  goban_graph_builder_add_edge (self->builder, tensor, head);
}

/* Predecessors of a slice. */
typedef struct
{
  guint32 slice[4]; /* on its lane, on its thread, waited for, arrow */
  guint n;
  guint32 launch;  /* or NONE */
  double ready_us; /* in the simulation, without the launch */
  guint32 latest;  /* of them all, or NONE */
} Causes;

static void
add_cause (const Maker *self, Causes *causes, guint32 slice)
{
  if (slice == NONE)
    return;
  for (guint i = 0; i < causes->n; i++)
    if (causes->slice[i] == slice)
      return;
  causes->slice[causes->n++] = slice;
  if (causes->latest == NONE || self->replay_us[slice] > causes->ready_us)
    {
      causes->latest = slice;
      causes->ready_us = self->replay_us[slice];
    }
}

static Causes
find_causes (Maker *self, guint32 i)
{
  const GobanTraceSlice *slice = get_slice (self, i);
  guint32 thread = goban_trace_lane (self->events, slice->lane)->thread;
  guint32 waited_for
      = slice->waited_for != GOBAN_NO_EVENT ? self->slice_of_event[slice->waited_for] : NONE;
  Causes causes = { .launch = find_launch (self, i), .latest = NONE };

  add_cause (self, &causes, self->last_on_lane[slice->lane]);
  add_cause (self, &causes, self->last_on_thread[thread]);
  add_cause (self, &causes, waited_for < i ? waited_for : NONE);
  add_cause (self, &causes, self->arrows[i]);
  return causes;
}

/* The part of a start that nothing explains. */
static void
add_delay (Maker *self, guint32 i, const Causes *causes, double start_us)
{
  guint32 node = self->node_of_slice[i];
  const char *name = goban_graph_builder_get_node (self->builder, node)->name;
  g_autofree char *delay = g_strdup_printf ("%s/" GOBAN_DELAY_OP, name);
  guint32 relay = add_node (self, delay, GOBAN_DELAY_OP, GOBAN_DELAY_LANE, 0);
  double since_us = causes->latest != NONE ? causes->ready_us : 0;

  goban_graph_builder_get_node (self->builder, relay)->lane
      = self->device[self->events->lanes->len];
  if (causes->latest != NONE)
    goban_graph_builder_add_control_edge (self->builder, self->node_of_slice[causes->latest],
                                          relay);
  add_delayed_edge (self, relay, node, start_us - since_us);
}

static void
add_slice (Maker *self, guint32 i)
{
  const GobanTraceSlice *slice = get_slice (self, i);
  const GobanTraceLane *lane = goban_trace_lane (self->events, slice->lane);
  double start_us = slice->start_us - self->first_us;
  Causes causes = find_causes (self, i);
  guint32 node
      = add_node (self, slice->name, slice->op, lane->kind, slice->finish_us - slice->start_us);
  GobanNode *about = goban_graph_builder_get_node (self->builder, node);

  self->node_of_slice[i] = node;
  about->lane = self->device[slice->lane];
  about->written_bytes = slice->bytes;
  for (guint c = 0; c < causes.n; c++)
    goban_graph_builder_add_control_edge (self->builder, self->node_of_slice[causes.slice[c]],
                                          node);
  if (causes.launch != NONE)
    {
      double called_us = self->replay_us[causes.launch];
      gboolean was_free = causes.latest == NONE || causes.ready_us <= called_us;
      double delay_us = MAX (start_us - called_us, 0);

      if (!was_free)
        delay_us = MIN (delay_us, self->launch_us);
      add_delayed_edge (self, self->node_of_slice[causes.launch], node, delay_us);
      if (causes.latest == NONE || called_us + delay_us > causes.ready_us)
        {
          causes.latest = causes.launch;
          causes.ready_us = called_us + delay_us;
        }
    }
  if (start_us > (causes.latest != NONE ? causes.ready_us : 0) + TINY_US)
    add_delay (self, i, &causes, start_us);
  else if (causes.latest != NONE)
    start_us = MAX (start_us, causes.ready_us);
  self->replay_us[i] = start_us + (slice->finish_us - slice->start_us);
  self->last_on_lane[slice->lane] = i;
  self->last_on_thread[lane->thread] = i;
}

static GobanGraph *
make_graph (Maker *self, const char *path, const GobanProgress *progress, GError **error)
{
  index_slices (self);
  number_lanes (self);
  find_arrows (self);
  measure_launches (self);
  for (guint32 i = 0; i < self->slices->len; i++)
    {
      if (i % SLICES_PER_CHECK == 0 && !goban_progress_check (progress, error))
        return NULL;
      add_slice (self, i);
    }
  if (self->n_disagreeing > 0)
    goban_trace_events_warn (self->events,
                             "%u arrows are left out: they lead to operations that had begun",
                             self->n_disagreeing);
  for (guint i = 0; i < self->events->warnings->len; i++)
    goban_graph_builder_warn (self->builder, "%s",
                              (const char *) g_ptr_array_index (self->events->warnings, i));
  return goban_text_file_finish_graph (self->builder, path, error);
}

GobanGraph *
goban_trace_graph_new (GobanTraceEvents *events, const char *path, const char *format,
                       const GobanProgress *progress, GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, format);
  g_autoptr (GArray) slices = goban_trace_slices_new (events, MAX_LANES, path, error);
  g_autoptr (GHashTable) launch = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) kinds = g_ptr_array_new ();
  Maker self = {
    .events = events, .slices = slices, .builder = builder, .launch = launch, .kinds = kinds
  };
  GobanGraph *graph;
  guint n, n_lanes;

  if (slices == NULL)
    return NULL;
  goban_trace_events_name_lanes (events);
  n = slices->len + 1;
  n_lanes = events->lanes->len + 1;
  self.node_of_slice = g_new (guint32, n);
  self.slice_of_event = g_new (guint32, events->events->len + 1);
  self.last_on_lane = g_new (guint32, n_lanes);
  self.last_on_thread = g_new (guint32, n_lanes);
  self.arrows = g_new (guint32, n);
  self.replay_us = g_new0 (double, n);
  self.device = g_new (guint32, n_lanes);
  graph = make_graph (&self, path, progress, error);
  g_free (self.node_of_slice);
  g_free (self.slice_of_event);
  g_free (self.last_on_lane);
  g_free (self.last_on_thread);
  g_free (self.arrows);
  g_free (self.replay_us);
  g_free (self.device);
  return graph;
}
