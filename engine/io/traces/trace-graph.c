#include "engine/io/traces/trace-graph.h"

#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/io/text.h"

/* --- slices --------------------------------------------------------------- */

/* A stream's events stand as they are. A thread's events nest, and its time is cut up:
 * - On a thread that launches work for a GPU, a slice is all the work up to a launch, a wait or the
 *   end, named by the operations around the call. Pauses below a millisecond are the program's own
 *   code and belong to it. While a thread waits for the GPU it has no slice.
 * - On any other thread, a slice is what one innermost operation takes.
 * Events of a lane that overlap without nesting get a lane of their own. */

typedef struct
{
  const char *name;
  const char *op;
  double start_us;
  double finish_us;
  double bytes;
  guint32 lane;
  guint32 event;      /* DEVICE: its own event, else GOBAN_NO_EVENT */
  guint32 waited_for; /* DEVICE event whose end a thread waited for, or GOBAN_NO_EVENT */
  gint64 launches;    /* correlation of the call at its end, or 0 */
} GobanTraceSlice;

/* Longer pauses of a thread are no work of its own. */
#define PAUSE_US 1000
/* Times are often rounded to microseconds: two that overlap by less follow each other. */
#define ROUNDING_US 1
/* Operations around a call that appear in its name. */
#define MAX_SCOPES 4

/* A call that launches work or waits for some: the end of a slice. */
typedef struct
{
  double time_us;
  double resume_us; /* of a wait */
  guint32 event;
  guint32 waited_for; /* or GOBAN_NO_EVENT */
  gint64 launches;    /* or 0 */
} Mark;

typedef struct
{
  GobanTraceEvents *events;
  guint32 *order;     /* (n_events) by lane, start, longer before shorter */
  guint32 *parent;    /* (n_events) event around it, or GOBAN_NO_EVENT */
  guint32 *by_finish; /* DEVICE events in the order of their ends */
  guint n_by_finish;
  GHashTable *launched; /* correlation -> its first DEVICE event + 1 */
  GHashTable *calls;    /* correlation -> its RUNTIME event + 1 */
  GArray *marks;        /* Mark: of the lane that is cut */
  GArray *slices;       /* GobanTraceSlice */
  GString *text;
} Slicer;

/* --- order ----------------------------------------------------------------------------------- */

static int
compare_events (const void *a, const void *b, gpointer user_data)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  const GobanTraceEvent *x = goban_trace_event (user_data, i);
  const GobanTraceEvent *y = goban_trace_event (user_data, j);

  if (x->lane != y->lane)
    return x->lane < y->lane ? -1 : 1;
  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->finish_us != y->finish_us)
    return x->finish_us > y->finish_us ? -1 : 1;
  return i < j ? -1 : 1;
}

static int
compare_finishes (const void *a, const void *b, gpointer user_data)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  const GobanTraceEvent *x = goban_trace_event (user_data, i);
  const GobanTraceEvent *y = goban_trace_event (user_data, j);

  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;
  return i < j ? -1 : 1;
}

static void
sort_events (Slicer *self)
{
  guint n = self->events->events->len;

  for (guint32 i = 0; i < n; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (int) n, sizeof *self->order, compare_events, self->events);
}

/* --- lanes without overlaps ------------------------------------------------------------------ */

/* Open operations of the lanes that one lane was split into. */
typedef struct
{
  guint32 lane;
  GArray *open; /* guint32: events, each inside of the one before it */
} Strand;

static void
clear_strand (gpointer strand)
{
  g_array_unref (((Strand *) strand)->open);
}

/* Puts the event on the strand if it is behind, or inside of, all that is open there. */
static gboolean
fits_strand (Slicer *self, Strand *strand, guint32 i)
{
  GobanTraceEvent *event = goban_trace_event (self->events, i);

  while (strand->open->len > 0)
    {
      guint32 top = g_array_index (strand->open, guint32, strand->open->len - 1);
      GobanTraceEvent *around = goban_trace_event (self->events, top);
      gboolean is_over = around->finish_us <= event->start_us
                         || (event->finish_us > around->finish_us
                             && around->finish_us <= event->start_us + ROUNDING_US);

      if (!is_over && event->kind == GOBAN_EVENT_DEVICE)
        return FALSE;
      if (!is_over && event->finish_us > around->finish_us + ROUNDING_US)
        return FALSE;
      if (!is_over)
        {
          event->finish_us = MIN (event->finish_us, around->finish_us);
          self->parent[i] = top;
          return TRUE;
        }
      if (event->kind != GOBAN_EVENT_DEVICE)
        event->start_us = MAX (event->start_us, around->finish_us);
      event->finish_us = MAX (event->finish_us, event->start_us);
      g_array_set_size (strand->open, strand->open->len - 1);
    }
  return TRUE;
}

static void
add_strand (GArray *strands, guint32 lane)
{
  Strand strand = { lane, g_array_new (FALSE, FALSE, sizeof (guint32)) };

  g_array_append_val (strands, strand);
}

/* The events order[first .. end) are those of a lane. */
static gboolean
split_lane (Slicer *self, guint first, guint end, guint most_lanes)
{
  guint32 lane = goban_trace_event (self->events, self->order[first])->lane;
  g_autoptr (GArray) strands = g_array_new (FALSE, FALSE, sizeof (Strand));

  g_array_set_clear_func (strands, clear_strand);
  add_strand (strands, lane);
  for (guint i = first; i < end; i++)
    {
      guint s = 0;

      while (s < strands->len
             && !fits_strand (self, &g_array_index (strands, Strand, s), self->order[i]))
        s++;
      if (s == strands->len && self->events->lanes->len >= most_lanes)
        return FALSE;
      if (s == strands->len)
        add_strand (strands, goban_trace_events_add_lane_like (
                                 self->events, lane, goban_trace_lane (self->events, lane)->name));
      goban_trace_event (self->events, self->order[i])->lane
          = g_array_index (strands, Strand, s).lane;
      g_array_append_val (g_array_index (strands, Strand, s).open, self->order[i]);
    }
  return TRUE;
}

static guint
find_lane_end (const Slicer *self, guint first)
{
  guint n = self->events->events->len, end = first;
  guint32 lane = goban_trace_event (self->events, self->order[first])->lane;

  while (end < n && goban_trace_event (self->events, self->order[end])->lane == lane)
    end++;
  return end;
}

/* --- names ----------------------------------------------------------------------------------- */

/* Appends "outer/inner/" of the operations around an event. */
static void
append_scopes (Slicer *self, guint32 event)
{
  guint32 scopes[MAX_SCOPES];
  guint n = 0;

  for (guint32 i = self->parent[event]; i != GOBAN_NO_EVENT && n < MAX_SCOPES; i = self->parent[i])
    if (goban_trace_event (self->events, i)->kind == GOBAN_EVENT_HOST)
      scopes[n++] = i;
  while (n-- > 0)
    g_string_append_printf (self->text, "%s/", goban_trace_event (self->events, scopes[n])->name);
}

static void
add_slice (Slicer *self, GobanTraceSlice slice, guint32 named_by)
{
  const GobanTraceEvent *event = goban_trace_event (self->events, named_by);
  const char *op = event->op != NULL ? event->op : event->name;
  gint64 correlation = event->kind == GOBAN_EVENT_DEVICE ? event->correlation : 0;
  guint call = correlation != 0 ? GPOINTER_TO_UINT (
                   g_hash_table_lookup (self->calls, GSIZE_TO_POINTER ((gsize) correlation)))
                                : 0;

  g_string_truncate (self->text, 0);
  append_scopes (self, call > 0 ? call - 1 : named_by);
  g_string_append (self->text, event->kind == GOBAN_EVENT_DEVICE ? op : event->name);
  slice.name = goban_trace_events_keep (self->events, self->text->str);
  slice.op = op;
  g_array_append_val (self->slices, slice);
}

/* --- threads that launch work ---------------------------------------------------------------- */

/* The GPU work that ended last while the call ran: the call waited for it. */
static guint32
find_waited_for (const Slicer *self, const GobanTraceEvent *call)
{
  guint first = 0, end = self->n_by_finish;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;

      if (goban_trace_event (self->events, self->by_finish[middle])->finish_us <= call->finish_us)
        first = middle + 1;
      else
        end = middle;
    }
  if (first == 0
      || goban_trace_event (self->events, self->by_finish[first - 1])->finish_us <= call->start_us)
    return GOBAN_NO_EVENT;
  return self->by_finish[first - 1];
}

/* FALSE: the call neither launches nor waits. */
static gboolean
find_mark (const Slicer *self, guint32 i, Mark *mark)
{
  const GobanTraceEvent *call = goban_trace_event (self->events, i);
  const GobanTraceEvent *work;
  guint launched = 0;

  *mark = (Mark){ .event = i, .waited_for = GOBAN_NO_EVENT };
  if (call->kind != GOBAN_EVENT_RUNTIME)
    return FALSE;
  if (call->correlation != 0)
    launched = GPOINTER_TO_UINT (
        g_hash_table_lookup (self->launched, GSIZE_TO_POINTER ((gsize) call->correlation)));
  if (launched > 0)
    {
      work = goban_trace_event (self->events, launched - 1);
      mark->launches = call->correlation;
      mark->time_us = CLAMP (work->start_us, call->start_us, call->finish_us);
      /* A copy of unpinned memory is over when its call returns. */
      if (strstr (call->name, "Memcpy") != NULL && work->start_us >= call->start_us
          && work->finish_us <= call->finish_us)
        mark->waited_for = launched - 1;
    }
  else if (strstr (call->name, "Synchronize") != NULL)
    {
      mark->time_us = call->start_us;
      mark->waited_for = find_waited_for (self, call);
    }
  if (mark->waited_for != GOBAN_NO_EVENT)
    mark->resume_us = goban_trace_event (self->events, mark->waited_for)->finish_us;
  return mark->launches != 0 || mark->waited_for != GOBAN_NO_EVENT;
}

static int
compare_marks (const void *a, const void *b)
{
  const Mark *x = a, *y = b;

  if (x->time_us != y->time_us)
    return x->time_us < y->time_us ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static void
find_marks (Slicer *self, guint first, guint end)
{
  g_array_set_size (self->marks, 0);
  for (guint i = first; i < end; i++)
    {
      Mark mark;

      if (find_mark (self, self->order[i], &mark))
        g_array_append_val (self->marks, mark);
    }
  g_array_sort (self->marks, compare_marks);
}

/* Cuts one stretch of work at its marks, from *next on. @last: its last outermost operation. */
static void
cut_stretch (Slicer *self, double start_us, double finish_us, guint32 last, guint *next)
{
  guint32 lane = goban_trace_event (self->events, last)->lane;
  guint32 waited_for = GOBAN_NO_EVENT;
  double at_us = start_us;

  for (; *next < self->marks->len; (*next)++)
    {
      const Mark *mark = &g_array_index (self->marks, Mark, *next);
      double time_us = MAX (mark->time_us, at_us);

      if (mark->time_us > finish_us)
        break;
      if (mark->launches != 0 || time_us > at_us || waited_for != GOBAN_NO_EVENT)
        add_slice (self,
                   (GobanTraceSlice){ .start_us = at_us,
                                      .finish_us = time_us,
                                      .lane = lane,
                                      .event = GOBAN_NO_EVENT,
                                      .waited_for = waited_for,
                                      .launches = mark->launches },
                   mark->event);
      waited_for = mark->waited_for;
      at_us = waited_for != GOBAN_NO_EVENT ? MAX (time_us, mark->resume_us) : time_us;
    }
  if (finish_us > at_us || waited_for != GOBAN_NO_EVENT)
    add_slice (self,
               (GobanTraceSlice){ .start_us = at_us,
                                  .finish_us = MAX (finish_us, at_us),
                                  .lane = lane,
                                  .event = GOBAN_NO_EVENT,
                                  .waited_for = waited_for },
               last);
}

static void
cut_launching (Slicer *self, guint first, guint end)
{
  double start_us = 0, finish_us = 0;
  guint32 last = GOBAN_NO_EVENT;
  guint next = 0;

  for (guint i = first; i < end; i++)
    {
      const GobanTraceEvent *event = goban_trace_event (self->events, self->order[i]);

      if (self->parent[self->order[i]] != GOBAN_NO_EVENT)
        continue;
      if (last != GOBAN_NO_EVENT && event->start_us > finish_us + PAUSE_US)
        {
          cut_stretch (self, start_us, finish_us, last, &next);
          last = GOBAN_NO_EVENT;
        }
      if (last == GOBAN_NO_EVENT)
        start_us = event->start_us;
      last = self->order[i];
      finish_us = event->finish_us;
    }
  if (last != GOBAN_NO_EVENT)
    cut_stretch (self, start_us, finish_us, last, &next);
}

/* --- other threads --------------------------------------------------------------------------- */

static void
add_innermost (Slicer *self, guint32 event, double start_us, double finish_us, gboolean is_whole)
{
  if (finish_us > start_us || is_whole)
    add_slice (self,
               (GobanTraceSlice){ .start_us = start_us,
                                  .finish_us = finish_us,
                                  .lane = goban_trace_event (self->events, event)->lane,
                                  .bytes = goban_trace_event (self->events, event)->bytes,
                                  .event = GOBAN_NO_EVENT,
                                  .waited_for = GOBAN_NO_EVENT },
               event);
}

/* Time of an operation itself, between the operations inside of it. */
static void
cut_nested (Slicer *self, guint first, guint end)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  double at_us = 0;

  for (guint i = first; i <= end; i++)
    {
      guint32 event = i < end ? self->order[i] : GOBAN_NO_EVENT;
      guint32 around = i < end ? self->parent[event] : GOBAN_NO_EVENT;

      while (open->len > 0 && g_array_index (open, guint32, open->len - 1) != around)
        {
          guint32 top = g_array_index (open, guint32, open->len - 1);
          const GobanTraceEvent *over = goban_trace_event (self->events, top);

          add_innermost (self, top, at_us, over->finish_us, over->finish_us == over->start_us);
          at_us = MAX (at_us, over->finish_us);
          g_array_set_size (open, open->len - 1);
        }
      if (event == GOBAN_NO_EVENT)
        break;
      if (open->len > 0)
        add_innermost (self, around, at_us, goban_trace_event (self->events, event)->start_us,
                       FALSE);
      at_us = goban_trace_event (self->events, event)->start_us;
      g_array_append_val (open, event);
    }
}

/* --- all lanes ------------------------------------------------------------------------------- */

static void
add_device_slice (Slicer *self, guint32 i)
{
  const GobanTraceEvent *event = goban_trace_event (self->events, i);

  add_slice (self,
             (GobanTraceSlice){ .start_us = event->start_us,
                                .finish_us = event->finish_us,
                                .bytes = event->bytes,
                                .lane = event->lane,
                                .event = i,
                                .waited_for = GOBAN_NO_EVENT },
             i);
}

static void
cut_lane (Slicer *self, guint first, guint end)
{
  if (goban_trace_event (self->events, self->order[first])->kind == GOBAN_EVENT_DEVICE)
    {
      for (guint i = first; i < end; i++)
        add_device_slice (self, self->order[i]);
      return;
    }
  find_marks (self, first, end);
  if (self->marks->len > 0)
    cut_launching (self, first, end);
  else
    cut_nested (self, first, end);
}

static void
index_events (Slicer *self)
{
  GArray *events = self->events->events;

  for (guint32 i = 0; i < events->len; i++)
    {
      const GobanTraceEvent *event = goban_trace_event (self->events, i);
      gpointer key = GSIZE_TO_POINTER ((gsize) event->correlation);
      GHashTable *table = event->kind == GOBAN_EVENT_DEVICE ? self->launched : self->calls;

      if (event->kind == GOBAN_EVENT_DEVICE)
        self->by_finish[self->n_by_finish++] = i;
      if (event->kind == GOBAN_EVENT_HOST || event->correlation == 0)
        continue;
      /* A graph of kernels is one call: its first kernel shows when the call had taken effect. */
      if (!g_hash_table_contains (table, key)
          || goban_trace_event (self->events,
                                GPOINTER_TO_UINT (g_hash_table_lookup (table, key)) - 1)
                     ->start_us
                 > event->start_us)
        g_hash_table_insert (table, key, GUINT_TO_POINTER (i + 1));
    }
  g_qsort_with_data (self->by_finish, (int) self->n_by_finish, sizeof *self->by_finish,
                     compare_finishes, self->events);
}

static gboolean
cut_lanes (Slicer *self, guint most_lanes, const char *path, GError **error)
{
  guint n = self->events->events->len;

  sort_events (self);
  for (guint first = 0, end; first < n; first = end)
    {
      end = find_lane_end (self, first);
      if (!split_lane (self, first, end, most_lanes))
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "%s: its operations overlap on more than %u lanes", path, most_lanes);
    }
  index_events (self);
  sort_events (self);
  for (guint first = 0, end; first < n; first = end)
    {
      end = find_lane_end (self, first);
      cut_lane (self, first, end);
    }
  return TRUE;
}

static int
compare_slices (const void *a, const void *b)
{
  const GobanTraceSlice *x = a, *y = b;

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  /* A call before the kernel that starts with its end. */
  return (x->event != GOBAN_NO_EVENT) - (y->event != GOBAN_NO_EVENT);
}

/* In the order of their starts, and those of one lane in their order. %NULL with
 * %GOBAN_ERROR_UNSUPPORTED set if events overlap on more than @most_lanes. (transfer full) */
static GArray *
trace_slices_new (GobanTraceEvents *events, guint most_lanes, const char *path, GError **error)
{
  guint n = events->events->len;
  g_autoptr (GHashTable) launched = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL);
  g_autofree guint32 *order = g_new (guint32, n + 1);
  g_autofree guint32 *parent = g_new (guint32, n + 1);
  g_autofree guint32 *by_finish = g_new (guint32, n + 1);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (GobanTraceSlice));
  g_autoptr (GString) text = g_string_new (NULL);
  Slicer self = { .events = events,
                  .order = order,
                  .parent = parent,
                  .by_finish = by_finish,
                  .launched = launched,
                  .calls = calls,
                  .marks = marks,
                  .slices = slices,
                  .text = text };

  memset (parent, 0xff, n * sizeof *parent);
  if (!cut_lanes (&self, most_lanes, path, error))
    return NULL;
  g_array_sort (slices, compare_slices); /* a merge sort: those of a lane keep their order */
  return g_steal_pointer (&slices);
}

/* --- the graph ------------------------------------------------------------ */

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
add_op (Maker *self, guint32 i)
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
      add_op (self, i);
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
  g_autoptr (GArray) slices = trace_slices_new (events, MAX_LANES, path, error);
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
