/* chrome-trace.c: recorded runs in the Chrome trace format, such as those of PyTorch's profiler.
 *
 *     {"traceEvents": [{"ph": "X", "cat": "kernel", "name": ..., "pid": 0, "tid": 7, "ts": 10,
 *       "dur": 5, "args": {"correlation": 3, ...}}, ...]}, or the list alone
 *
 * Events of phase X, and pairs of B and E, are operations of the lane pid/tid; M names lanes; s, t
 * and f are ends of arrows. Times are microseconds. The categories of PyTorch's profiler tell
 * kernels from calls of the driver and from operations on the host; a correlation joins a call to
 * what it launched. Annotations and the profiler's own events are left out. Profiles of TensorFlow
 * and JAX have a process for each device, with lanes that sum up others, which are left out too.
 *
 * A list may end without its bracket, as the format allows, or within an event, as a profiler that
 * is stopped leaves it. Numbers may be NaN or infinite, as Python writes them. Operations whose
 * times are not times are left out, with a warning.
 */
#include "engine/io/traces/chrome-trace.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/core/json-stream.h"
#include "engine/io/formats.h"
#include "engine/io/text.h"
#include "engine/io/traces/trace-events.h"
#include "engine/io/traces/trace-graph.h"

#include <math.h>
#include <string.h>

#define EVENTS_PER_CHECK 1024
/* Longer than any recording: 285 years. */
#define MAX_SPAN_US 0x1p53

/* An event that began (B). */
typedef struct
{
  guint32 event;
  guint32 before; /* the one that was open on its lane when it began: number + 1; 0: none */
} Beginning;

typedef struct
{
  const char *path;
  GobanTraceEvents *events;
  GArray *begun;         /* Beginning */
  GArray *open;          /* guint32, per lane: its innermost beginning, number + 1; 0: none */
  GHashTable *processes; /* pid -> name */
  GHashTable *pids;      /* pids that have operations */
  GHashTable *ops;       /* name of a kernel -> op */
  GPtrArray *lane_pids;  /* per lane: its pid, as text */
  GPtrArray *lane_tids;
  guint n_unfinished;
  guint n_wrong; /* operations without a time, or that end before they begin */
} Reader;

/* --- members of events ----------------------------------------------------------------------- */

/* A number or a text as the file has it; (nullable) */
static const char *
peek_bytes (GobanJsonValue value, gsize *n)
{
  const char *text = goban_json_peek_text (value);

  if (text == NULL)
    return goban_json_peek_digits (value, n);
  *n = strlen (text);
  return text;
}

/* Numbers and texts are both usual, and numbers may be larger than any type. @text: (out) */
static void
get_id (GobanJsonValue event, const char *key, char text[64])
{
  GobanJsonValue value = goban_json_find (event, key);
  gsize n = 0;
  const char *bytes = peek_bytes (value, &n);
  double number;

  if (goban_json_get_type (value) == GOBAN_JSON_REAL && goban_json_is_number (value, &number)
      && fabs (number) < 0x1p53)
    g_snprintf (text, 64, "%.17g", number);
  else
    g_snprintf (text, 64, "%.*s", (int) MIN (n, 63), bytes != NULL ? bytes : "");
}

/* 0 if there is none. Only equality counts, so that larger numbers and texts become others. */
static gint64
get_correlation (GobanJsonValue args)
{
  GobanJsonValue value = goban_json_find (args, "correlation");
  gsize n = 0;
  const char *bytes = peek_bytes (value, &n);
  g_autofree char *text = g_strndup (bytes != NULL ? bytes : "", n);
  guint64 number;
  double real;
  gint64 negative;

  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &number, NULL))
    return (gint64) number;
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &negative, NULL))
    return negative;
  if (goban_json_get_type (value) == GOBAN_JSON_REAL && !goban_json_is_number (value, &real))
    return 0;
  return n > 0 ? (gint64) g_str_hash (text) | (gint64) 1 << 62 : 0;
}

static guint32
find_lane (Reader *self, GobanJsonValue event)
{
  char pid[64], tid[64], key[136];
  char *behind = key;
  guint32 lane;

  get_id (event, "pid", pid);
  get_id (event, "tid", tid);
  behind = g_stpcpy (behind, pid);
  *behind++ = '\n';
  g_stpcpy (behind, tid);
  lane = goban_trace_events_find_lane (self->events, key);
  if (lane == self->lane_pids->len)
    {
      g_ptr_array_add (self->lane_pids, g_utf8_make_valid (pid, -1));
      g_ptr_array_add (self->lane_tids, g_utf8_make_valid (tid, -1));
    }
  return lane;
}

/* @is_time: (out): FALSE for a number that is not a time, such as NaN. */
static gboolean
get_start (GobanJsonValue event, gint64 *time_ns, gboolean *is_time, GError **error)
{
  GobanJsonValue value = goban_json_find (event, "ts");
  gsize n = 0;
  const char *bytes = peek_bytes (value, &n);

  *is_time = bytes != NULL && goban_trace_parse_time (bytes, n, time_ns);
  if (goban_json_is_missing (value))
    return goban_json_refuse_missing (event, "ts", error);
  return *is_time || goban_json_peek_digits (value, &n) != NULL
         || goban_json_refuse_value (value, N_ ("a number"), error);
}

/* The same of a duration, as a number: it is short, or too long for any precision. */
static gboolean
get_span (GobanJsonValue event, double *span_us, gboolean *is_time, GError **error)
{
  GobanJsonValue value = goban_json_find (event, "dur");
  const char *text = goban_json_peek_text (value);
  gsize n;

  *is_time = (goban_json_is_number (value, span_us)
              || (text != NULL && goban_text_file_parse_number (text, span_us)))
             && *span_us >= 0 && *span_us <= MAX_SPAN_US;
  if (goban_json_is_missing (value))
    return goban_json_refuse_missing (event, "dur", error);
  return *is_time || goban_json_peek_digits (value, &n) != NULL
         || goban_json_refuse_value (value, N_ ("a number"), error);
}

static gboolean
has_suffix_of (const char *category, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_suffix (category, words[i]))
      return TRUE;
  return FALSE;
}

/* FALSE: it is no operation. */
static gboolean
find_kind (const char *category, GobanEventKind *kind)
{
  static const char *const devices[]
      = { "kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset", NULL };
  static const char *const calls[] = { "_runtime", "_driver", "Runtime", NULL };
  static const char *const others[] = { "annotation", "Trace",    "python_function", "cuda_sync",
                                        "overhead",   "Overhead", "_profiler_range", NULL };

  *kind = GOBAN_EVENT_HOST;
  if (has_suffix_of (category, devices))
    *kind = GOBAN_EVENT_DEVICE;
  else if (has_suffix_of (category, calls))
    *kind = GOBAN_EVENT_RUNTIME;
  return !has_suffix_of (category, others);
}

/* "void at::native::fill<float>(float *, int)" is "at::native::fill". (transfer full) */
static char *
dup_kernel (const char *name)
{
  const char *begin = g_str_has_prefix (name, "void ") ? name + strlen ("void ") : name;
  GString *plain = g_string_new (NULL);
  guint depth = 0;

  /* Memcpy and Memset name their direction in brackets. */
  if (g_str_has_prefix (name, "Mem"))
    return g_string_free (g_string_append (plain, name), FALSE);
  for (const char *p = begin; *p != '\0'; p++)
    {
      gboolean is_anonymous = g_str_has_prefix (p, "(anonymous namespace)::");

      if (is_anonymous)
        p += strlen ("(anonymous namespace)::") - 1;
      else if (*p == '<' || (*p == '(' && plain->len > 0))
        depth++;
      else if ((*p == '>' || *p == ')') && depth > 0)
        depth--;
      else if (depth == 0)
        g_string_append_c (plain, *p);
    }
  if (plain->len == 0)
    g_string_append (plain, name);
  g_strstrip (plain->str);
  return g_string_free (plain, FALSE);
}

/* Names are long, and few of them differ. */
static const char *
find_op (Reader *self, const char *name)
{
  const char *op = g_hash_table_lookup (self->ops, name);
  g_autofree char *fresh = NULL;

  if (op != NULL)
    return op;
  fresh = dup_kernel (name);
  op = goban_trace_events_keep (self->events, fresh);
  g_hash_table_insert (self->ops, (gpointer) goban_trace_events_keep (self->events, name),
                       (gpointer) op);
  return op;
}

static void
add_event (Reader *self, GobanJsonValue object, GobanTraceEvent event)
{
  GobanJsonValue args = goban_json_find (object, "args");
  double number;

  event.correlation = get_correlation (args);
  if (event.kind == GOBAN_EVENT_DEVICE)
    {
      event.op = find_op (self, event.name);
      if (goban_json_is_number (goban_json_find (args, "bytes"), &number) && number > 0)
        event.bytes = MIN (number, GOBAN_TEXT_MAX_AMOUNT);
      goban_trace_lane (self->events, event.lane)->kind = "gpu";
    }
  event.name = goban_trace_events_keep (self->events, event.name);
  g_array_append_val (self->events->events, event);
}

/* --- events of each phase -------------------------------------------------------------------- */

/* (out): the innermost beginning of the lane */
static guint32 *
get_open (Reader *self, guint32 lane)
{
  if (self->open->len <= lane)
    g_array_set_size (self->open, lane + 1); /* of zeros */
  return &g_array_index (self->open, guint32, lane);
}

/* The event that is added next begins on that lane. */
static void
begin (Reader *self, guint32 lane)
{
  guint32 *open = get_open (self, lane);
  Beginning beginning = { self->events->events->len, *open };

  g_array_append_val (self->begun, beginning);
  *open = self->begun->len;
}

/* Complete events, and the beginnings of others. */
static gboolean
read_span (Reader *self, GobanJsonValue object, gboolean is_complete, GError **error)
{
  GobanTraceEvent event = { .name = "operation" };
  const char *category = "";
  gboolean is_start = TRUE, is_span = TRUE;

  event.span_us = NAN;
  if (!goban_json_get_text (object, "cat", &category, error))
    return FALSE;
  if (!find_kind (category, &event.kind))
    return TRUE;
  if (!goban_json_get_text (object, "name", &event.name, error)
      || !get_start (object, &event.start_ns, &is_start, error)
      || (is_complete && !get_span (object, &event.span_us, &is_span, error)))
    return FALSE;
  if (!is_start || !is_span)
    {
      self->n_wrong++;
      return TRUE;
    }
  if (*event.name == '\0')
    event.name = "operation";
  event.lane = find_lane (self, object);
  if (!is_complete)
    begin (self, event.lane);
  add_event (self, object, event);
  return TRUE;
}

/* Ends the last one that began on its lane. */
static gboolean
read_end (Reader *self, GobanJsonValue object, GError **error)
{
  guint32 *open = get_open (self, find_lane (self, object));
  const Beginning *beginning;
  GobanTraceEvent *event;
  gint64 time_ns = 0;
  gboolean is_time;

  if (!get_start (object, &time_ns, &is_time, error))
    return FALSE;
  if (*open == 0 || !is_time)
    return TRUE;
  beginning = &g_array_index (self->begun, Beginning, *open - 1);
  event = goban_trace_event (self->events, beginning->event);
  if (time_ns >= event->start_ns)
    event->span_us = (double) ((guint64) time_ns - (guint64) event->start_ns) / 1e3;
  *open = beginning->before;
  return TRUE;
}

/* Correlations already join calls to kernels, and more surely than their arrows. */
static gboolean
read_flow (Reader *self, GobanJsonValue object, char phase, GError **error)
{
  GobanTraceFlow flow = { .is_end = phase != 's' };
  const char *category = "", *binding = "";
  g_autofree char *key = NULL;
  gboolean is_time;
  char id[64];

  if (!goban_json_get_text (object, "cat", &category, error)
      || !goban_json_get_text (object, "bp", &binding, error)
      || !get_start (object, &flow.time_ns, &is_time, error))
    return FALSE;
  if (!is_time || strcmp (category, "ac2g") == 0 || g_str_has_prefix (category, "async_"))
    return TRUE;
  get_id (object, "id", id);
  key = g_strdup_printf ("%s\n%s", category, id);
  flow.key = goban_trace_events_keep (self->events, key);
  flow.lane = find_lane (self, object);
  flow.is_enclosing = *binding == 'e';
  g_array_append_val (self->events->flows, flow);
  if (phase == 't')
    {
      flow.is_end = FALSE;
      g_array_append_val (self->events->flows, flow);
    }
  return TRUE;
}

static void
read_name (Reader *self, GobanJsonValue object)
{
  const char *what = goban_json_peek_text (goban_json_find (object, "name"));
  const char *name
      = goban_json_peek_text (goban_json_find (goban_json_find (object, "args"), "name"));
  char pid[64];

  if (what == NULL || name == NULL)
    return;
  if (strcmp (what, "thread_name") == 0)
    goban_trace_lane (self->events, find_lane (self, object))->name
        = goban_trace_events_keep (self->events, name);
  else if (strcmp (what, "process_name") == 0)
    {
      get_id (object, "pid", pid);
      g_hash_table_replace (self->processes, g_strdup (pid), g_strdup (name));
    }
}

static gboolean
read_event (Reader *self, GobanJsonValue object, GError **error)
{
  const char *phase = "";

  if (!goban_json_check_object (object, NULL, error)
      || !goban_json_get_text (object, "ph", &phase, error))
    return FALSE;
  switch (*phase)
    {
    case 'X':
    case 'B':
      return read_span (self, object, *phase == 'X', error);
    case 'E':
      return read_end (self, object, error);
    case 's':
    case 't':
    case 'f':
      return read_flow (self, object, *phase, error);
    case 'M':
      read_name (self, object);
      return TRUE;
    default:
      return TRUE;
    }
}

/* --- lanes ----------------------------------------------------------------------------------- */

/* The name of a lane's process, or "" */
static const char *
get_process (const Reader *self, guint32 lane)
{
  const char *name
      = g_hash_table_lookup (self->processes, g_ptr_array_index (self->lane_pids, lane));

  return name != NULL ? name : "";
}

/* (nullable): what stands behind "/device:" in "/device:TPU:0" and "/job:a/device:GPU:0 Compute" */
static const char *
find_device (const char *process)
{
  static const char mark[] = "/device:";
  const char *found = strstr (process, mark);

  found = found != NULL ? found + sizeof mark - 1 : "";
  return g_str_has_prefix (found, "GPU:") || g_str_has_prefix (found, "TPU:") ? found : NULL;
}

/* Whether another lane of the file has kernels by stream: by the names of TensorFlow's processes,
 * and of the threads of one process of JAX. */
static gboolean
has_streams (const Reader *self, guint32 lane)
{
  const char *pid = g_ptr_array_index (self->lane_pids, lane);

  for (guint32 i = 0; i < self->events->lanes->len; i++)
    {
      const char *stream = strstr (get_process (self, i), "/stream:");

      if ((stream != NULL && g_ascii_isdigit (stream[strlen ("/stream:")]))
          || (strcmp (pid, g_ptr_array_index (self->lane_pids, i)) == 0
              && g_str_has_prefix (goban_trace_lane (self->events, i)->name, "Stream #")))
        return TRUE;
    }
  return FALSE;
}

/* Whether a lane of a device shows the time of other lanes once more. */
static gboolean
is_summary (const Reader *self, guint32 lane)
{
  static const char *const names[] = {
    "Framework Name Scope", "Framework Ops",         "Launch Stats",   "Source code", "Steps",
    "TensorFlow Modules",   "TensorFlow Name Scope", "TensorFlow Ops", "XLA Modules", "XLA TraceMe"
  };
  const char *name = goban_trace_lane (self->events, lane)->name;

  return goban_find_word (names, G_N_ELEMENTS (names), name) >= 0
         || ((strcmp (name, "XLA Ops") == 0
              || strstr (get_process (self, lane), "/stream:all") != NULL)
             && has_streams (self, lane));
}

/* In TensorFlow's timelines, a device without "/stream:" is the host's part of its work if there
 * are streams. */
static gboolean
is_host_part (const Reader *self, const char *process)
{
  gboolean has_stream = FALSE;

  if (strstr (process, "/stream:") != NULL || strstr (process, "/memcpy") != NULL)
    return FALSE;
  for (guint32 i = 0; i < self->events->lanes->len && !has_stream; i++)
    has_stream = strstr (get_process (self, i), "/stream:") != NULL;
  return has_stream;
}

/* Finds the lanes of devices, and drops the events of those that are summaries. */
static void
sort_out_devices (Reader *self)
{
  GArray *events = self->events->events;
  g_autofree gboolean *is_left_out = g_new0 (gboolean, self->events->lanes->len + 1);
  const char *example = NULL;
  guint n = 0;

  for (guint32 i = 0; i < self->events->lanes->len; i++)
    {
      const char *process = get_process (self, i), *device = find_device (process);

      if (device == NULL || is_host_part (self, process))
        continue;
      goban_trace_lane (self->events, i)->kind = *device == 'T' ? "tpu" : "gpu";
      is_left_out[i] = is_summary (self, i);
    }
  for (guint i = 0; i < events->len; i++)
    {
      const GobanTraceEvent *event = goban_trace_event (self->events, i);

      if (!is_left_out[event->lane])
        *goban_trace_event (self->events, n++) = *event;
      else if (example == NULL)
        example = *goban_trace_lane (self->events, event->lane)->name != '\0'
                      ? goban_trace_lane (self->events, event->lane)->name
                      : get_process (self, event->lane);
    }
  if (example != NULL)
    goban_trace_events_warn (self->events,
                             "%u operations of lanes such as “%s” sum up those of other lanes: "
                             "they are left out",
                             events->len - n, example);
  g_array_set_size (events, n);
}

static void
name_lane (Reader *self, guint32 i, gboolean has_several)
{
  GobanTraceLane *lane = goban_trace_lane (self->events, i);
  const char *pid = g_ptr_array_index (self->lane_pids, i);
  const char *tid = g_ptr_array_index (self->lane_tids, i);
  const char *process = g_hash_table_lookup (self->processes, pid);
  g_autofree char *name = NULL;

  if (strcmp (lane->kind, "cpu") != 0 && process != NULL && find_device (process) != NULL)
    name = g_strdup_printf ("%s %s", find_device (process), lane->name);
  else if (strcmp (lane->kind, "gpu") == 0)
    name = g_strdup_printf ("gpu:%s stream %s", pid, tid);
  else if (*lane->name != '\0' && process != NULL && has_several)
    name = g_strdup_printf ("%s %s", process, lane->name);
  else if (*lane->name != '\0')
    name = g_strdup (lane->name);
  else if (has_several)
    name = g_strdup_printf ("thread %s of %s", tid, process != NULL ? process : pid);
  else
    name = g_strdup_printf ("thread %s", tid);
  lane->name = goban_trace_events_keep (self->events, name);
}

static void
name_lanes (Reader *self)
{
  guint n_hosts;

  for (guint i = 0; i < self->events->events->len; i++)
    {
      guint32 lane = goban_trace_event (self->events, i)->lane;

      if (strcmp (goban_trace_lane (self->events, lane)->kind, "cpu") == 0)
        g_hash_table_add (self->pids, g_ptr_array_index (self->lane_pids, lane));
    }
  n_hosts = g_hash_table_size (self->pids);
  for (guint32 i = 0; i < self->events->lanes->len; i++)
    name_lane (self, i, n_hosts > 1);
}

/* --- the reader ------------------------------------------------------------------------------ */

/* Operations that never ended, or ended before they began, are left out. */
static void
drop_unfinished (Reader *self)
{
  GArray *events = self->events->events;
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    if (!isnan (goban_trace_event (self->events, i)->span_us))
      *goban_trace_event (self->events, n++) = *goban_trace_event (self->events, i);
  self->n_unfinished = events->len - n;
  g_array_set_size (events, n);
  if (self->n_unfinished > 0)
    goban_trace_events_warn (
        self->events, "%u operations do not end, or end before they begin: they are left out",
        self->n_unfinished);
  if (self->n_wrong > 0)
    goban_trace_events_warn (
        self->events, "%u operations have no time, or a negative duration: they are left out",
        self->n_wrong);
}

static void
note_oddities (Reader *self, const GobanJsonStream *stream, guint n_events)
{
  guint n = goban_json_stream_count_not_numbers (stream);

  if (goban_json_stream_is_cut (stream))
    goban_trace_events_warn (
        self->events, "the file ends early: what is behind event %u is incomplete and left out",
        n_events);
  if (n > 0)
    goban_trace_events_warn (self->events, "%u values are NaN or infinite: they are left out", n);
}

static char
first_byte (const char *data, gsize size)
{
  gsize start = 0;

  while (start < size && g_ascii_isspace (data[start]))
    start++;
  return start < size ? data[start] : '\0';
}

static gboolean
read_events (Reader *self, const char *data, gsize size, const GobanReadOptions *options,
             GError **error)
{
  gboolean is_list = first_byte (data, size) == '[';
  g_autoptr (GobanJsonStream) stream
      = goban_json_stream_new_lenient (data, size, self->path, error);
  GobanJsonValue event;
  guint n = 0;

  if (stream == NULL || (!is_list && !goban_json_stream_enter (stream, "traceEvents", error)))
    return FALSE;
  for (; goban_json_stream_next (stream, &event); n++)
    {
      if (n % EVENTS_PER_CHECK == 0 && !goban_progress_check (options->progress, error))
        return FALSE;
      if (!read_event (self, event, error))
        return FALSE;
      if (options->may_forget)
        goban_json_stream_forget (stream);
    }
  note_oddities (self, stream, n);
  drop_unfinished (self);
  sort_out_devices (self);
  goban_trace_events_start_clock (self->events);
  name_lanes (self);
  if (self->events->events->len == 0 && self->n_wrong + self->n_unfinished > 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: none of its %u operations has times that can be true", self->path,
                         self->n_wrong + self->n_unfinished);
  return TRUE;
}

GobanTraceEvents *
goban_chrome_trace_read (const char *data, gsize size, const char *path,
                         const GobanReadOptions *options, GError **error)
{
  g_autoptr (GobanTraceEvents) events = goban_trace_events_new ();
  g_autoptr (GArray) begun = g_array_new (FALSE, FALSE, sizeof (Beginning));
  g_autoptr (GArray) open = g_array_new (FALSE, TRUE, sizeof (guint32));
  g_autoptr (GHashTable) processes
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) pids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) ops = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) lane_pids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) lane_tids = g_ptr_array_new_with_free_func (g_free);
  Reader self = { .path = path,
                  .events = events,
                  .begun = begun,
                  .open = open,
                  .processes = processes,
                  .pids = pids,
                  .ops = ops,
                  .lane_pids = lane_pids,
                  .lane_tids = lane_tids };

  return read_events (&self, data, size, options, error) ? g_steal_pointer (&events) : NULL;
}

static GobanGraph *
read_chrome_trace (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                   GError **error)
{
  g_autoptr (GobanTraceEvents) events = goban_chrome_trace_read (data, size, path, options, error);

  if (events == NULL)
    return NULL;
  return goban_trace_graph_new (events, path, "chrome-trace", options->progress, error);
}

static int
sniff (const char *head, gsize size, const char *path)
{
  char first = first_byte (head, size);

  if (first == '{' && goban_text_file_has_key (head, size, "traceEvents"))
    return 90;
  if ((first == '{' || first == '[') && goban_text_file_has_key (head, size, "ph")
      && goban_text_file_has_key (head, size, "ts"))
    return 70;
  return 0;
}

const GobanFormat goban_format_chrome_trace = {
  .name = "chrome-trace",
  .extensions = ".trace.json",
  .blurb = "recorded runs of PyTorch's profiler and others, in the Chrome trace format",
  .most_bytes = (gsize) 1 << 30,
  .sniff = sniff,
  .read = read_chrome_trace,
};
