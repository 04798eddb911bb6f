/* trace-events.h: timed events of a recorded run and the lanes that they ran on.
 *
 * Filled by the readers of recordings (chrome-trace.c, ort-profile.c); trace-graph.c turns
 * it into a graph. Times are microseconds of the file's own clock. Names are kept in the container
 * and live as long as it.
 */
#pragma once

#include <glib.h>

#define GOBAN_NO_EVENT G_MAXUINT32

typedef enum
{
  GOBAN_EVENT_HOST,    /* an operation on a thread */
  GOBAN_EVENT_RUNTIME, /* a call of the GPU's driver on a thread */
  GOBAN_EVENT_DEVICE,  /* a kernel, copy or fill on a stream */
} GobanEventKind;

typedef struct
{
  const char *name;
  const char *op; /* (nullable): the name without what tells calls apart, for DEVICE and profiles */
  gint64 start_ns; /* exact, by the file's clock; until the clock starts */
  double span_us;  /* the same; NAN: it has not ended */
  double start_us;
  double finish_us;
  gint64 correlation; /* joins a runtime call to the work that it launched; 0: none */
  double bytes;       /* moved by a copy; 0 if not known */
  guint32 lane;
  GobanEventKind kind;
} GobanTraceEvent;

typedef struct
{
  const char *name;
  const char *kind; /* of device: "cpu", "gpu", ... */
  guint32 thread;   /* number shared by the lanes of one thread: their events follow each other */
} GobanTraceLane;

/* One end of an arrow between two events. */
typedef struct
{
  const char *key; /* the same for both ends */
  gint64 time_ns;  /* exact, by the file's clock; until the clock starts */
  double time_us;
  guint32 lane;
  gboolean is_end;
  gboolean is_enclosing; /* an end inside of its event, not before it */
} GobanTraceFlow;

typedef struct
{
  GArray *events;      /* GobanTraceEvent */
  GArray *lanes;       /* GobanTraceLane */
  GArray *flows;       /* GobanTraceFlow */
  GPtrArray *warnings; /* char * */
  GHashTable *lane_keys;
  GStringChunk *strings;
} GobanTraceEvents;

GobanTraceEvents *goban_trace_events_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_trace_events_free (GobanTraceEvents *self);

/* One copy of each text. Borrowed. */
const char *goban_trace_events_keep (GobanTraceEvents *self, const char *text);

/* The lane of that key, added with an empty name and the kind "cpu" if it is new. */
guint32 goban_trace_events_find_lane (GobanTraceEvents *self, const char *key);

/* Adds a lane without a key, as @lane but with that name. */
guint32 goban_trace_events_add_lane_like (GobanTraceEvents *self, guint32 lane, const char *name);

/* Gives lanes different names that a cluster's description can hold. */
void goban_trace_events_name_lanes (GobanTraceEvents *self);

void goban_trace_events_warn (GobanTraceEvents *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static inline GobanTraceEvent *
goban_trace_event (const GobanTraceEvents *self, guint32 i)
{
  return &g_array_index (self->events, GobanTraceEvent, i);
}

static inline GobanTraceLane *
goban_trace_lane (const GobanTraceEvents *self, guint32 i)
{
  return &g_array_index (self->lanes, GobanTraceLane, i);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTraceEvents, goban_trace_events_free)

/* --- time ----------------------------------------------------------------- */

/* Clocks that count from 1970 need 17 digits for a microsecond with three decimals, more than a
 * double has. Starts are therefore kept as whole nanoseconds until the first of them is
 * subtracted. */

/* Reads @n bytes such as "1712169512345693.007" or "1.7e15", microseconds. %FALSE if they are not a
 * number, or lie more than 292 years from 0. */
gboolean goban_trace_parse_time (const char *text, gsize n, gint64 *time_ns);

/* Leaves out events with times that cannot be true, with a warning, and sets those of the others
 * from their start_ns and span_us, from the first start on. */
void goban_trace_events_start_clock (GobanTraceEvents *self);
