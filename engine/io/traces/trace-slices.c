#include "engine/io/traces/trace-slices.h"

#include "engine/core/error.h"

#include <string.h>

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

GArray *
goban_trace_slices_new (GobanTraceEvents *events, guint most_lanes, const char *path,
                        GError **error)
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
