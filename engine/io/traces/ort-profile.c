/* ort-profile.c: profiles of ONNX Runtime.
 *
 *     [{"cat": "Node", "name": "conv1_kernel_time", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "ph":
 *       "X", "args": {"op_name": "Conv", "provider": "CPUExecutionProvider", "node_index": "4"}},
 *      {"cat": "Session", "name": "model_run", ...}]
 *
 * An operation is what a node took in one run of the model; if there are several runs, their
 * operations have the scopes "run 1", "run 2". A provider on a thread is a lane, and operations of
 * a thread follow each other.
 */
#include "engine/io/traces/ort-profile.h"

#include "engine/core/json-stream.h"
#include "engine/io/formats.h"
#include "engine/io/traces/trace-graph.h"

#include <string.h>

#define EVENTS_PER_CHECK 1024
#define SUFFIX "_kernel_time"
#define PROVIDER_SUFFIX "ExecutionProvider"
#define MAX_TIME_US 0x1p53

/* A run of the model. */
typedef struct
{
  double start_us;
  double finish_us;
} Run;

typedef struct
{
  GobanOrtProfile *profile;
  GArray *runs; /* Run */
} Reader;

/* --- events ---------------------------------------------------------------------------------- */

static const char *
keep (Reader *self, const char *text)
{
  return g_string_chunk_insert_const (self->profile->strings, text);
}

static gboolean
get_span (GobanJsonValue event, double *start_us, double *span_us, GError **error)
{
  static const GobanJsonRange range = { 0, MAX_TIME_US };

  if (!goban_json_has (event, "ts"))
    return goban_json_refuse_missing (event, "ts", error);
  if (!goban_json_has (event, "dur"))
    return goban_json_refuse_missing (event, "dur", error);
  return goban_json_get_number (event, "ts", range, start_us, error)
         && goban_json_get_number (event, "dur", range, span_us, error);
}

/* Written as a text. */
static gint64
get_index (GobanJsonValue args)
{
  const char *text = goban_json_peek_text (goban_json_find (args, "node_index"));
  guint64 index;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &index, NULL))
    return -1;
  return (gint64) index;
}

static gboolean
read_op (Reader *self, GobanJsonValue event, const char *name, GError **error)
{
  GobanJsonValue args = goban_json_find (event, "args");
  GobanOrtOp op = { .index = get_index (args) };
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (SUFFIX));
  const char *type = "", *provider = "CPU" PROVIDER_SUFFIX;
  double thread = 0;
  char number[32];

  if (!get_span (event, &op.start_us, &op.span_us, error)
      || !goban_json_get_text (args, "op_name", &type, error)
      || !goban_json_get_text (args, "provider", &provider, error)
      || !goban_json_get_number (event, "tid", GOBAN_JSON_ANY, &thread, error))
    return FALSE;
  g_snprintf (number, sizeof number, "%.17g", thread);
  op.name = keep (self, stem);
  op.op = keep (self, *type != '\0' ? type : stem);
  op.provider = keep (self, provider);
  op.thread = keep (self, number);
  g_array_append_val (self->profile->ops, op);
  return TRUE;
}

static gboolean
read_event (Reader *self, GobanJsonValue event, GError **error)
{
  const char *category = "", *name = "";

  if (!goban_json_check_object (event, NULL, error)
      || !goban_json_get_text (event, "cat", &category, error)
      || !goban_json_get_text (event, "name", &name, error))
    return FALSE;
  if (strcmp (category, "Node") == 0 && g_str_has_suffix (name, SUFFIX))
    return read_op (self, event, name, error);
  if (strcmp (category, "Session") == 0 && strcmp (name, "model_run") == 0)
    {
      double span_us = 0;
      Run run = { 0, 0 };

      if (!get_span (event, &run.start_us, &span_us, error))
        return FALSE;
      run.finish_us = run.start_us + span_us;
      g_array_append_val (self->runs, run);
    }
  return TRUE;
}

static int
compare_runs (const void *a, const void *b)
{
  const Run *x = a, *y = b;

  return (x->start_us > y->start_us) - (x->start_us < y->start_us);
}

/* The last run to start before the operation. O(log runs). */
static guint
find_run (const Reader *self, const GobanOrtOp *op)
{
  guint first = 0, end = self->runs->len;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;

      if (g_array_index (self->runs, Run, middle).start_us <= op->start_us)
        first = middle + 1;
      else
        end = middle;
    }
  return first > 0 && op->start_us <= g_array_index (self->runs, Run, first - 1).finish_us ? first
                                                                                           : 0;
}

GobanOrtProfile *
goban_ort_profile_read (const char *data, gsize size, const char *path,
                        const GobanProgress *progress, GError **error)
{
  g_autoptr (GobanOrtProfile) profile = g_new0 (GobanOrtProfile, 1);
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_autoptr (GobanJsonStream) stream = NULL;
  Reader self = { profile, runs };
  GobanJsonValue event;

  profile->ops = g_array_new (FALSE, FALSE, sizeof (GobanOrtOp));
  profile->strings = g_string_chunk_new (1 << 14);
  stream = goban_json_stream_new_list (data, size, path, error);
  if (stream == NULL)
    return NULL;
  for (; goban_json_stream_next (stream, &event); profile->n_events++)
    {
      if (profile->n_events % EVENTS_PER_CHECK == 0 && !goban_progress_check (progress, error))
        return NULL;
      if (!read_event (&self, event, error))
        return NULL;
    }
  profile->is_cut = goban_json_stream_is_cut (stream);
  g_array_sort (runs, compare_runs);
  profile->n_runs = runs->len;
  for (guint i = 0; i < profile->ops->len; i++)
    {
      GobanOrtOp *op = &g_array_index (profile->ops, GobanOrtOp, i);

      op->run = find_run (&self, op);
    }
  return g_steal_pointer (&profile);
}

void
goban_ort_profile_free (GobanOrtProfile *self)
{
  g_array_unref (self->ops);
  g_string_chunk_free (self->strings);
  g_free (self);
}

char *
goban_ort_provider_kind (const char *provider)
{
  static const char *const gpus[]
      = { "CUDA", "Tensorrt", "NvTensorRTRTX", "ROCM", "MIGraphX", "Dml", "WebGpu", NULL };
  g_autofree char *stem = g_str_has_suffix (provider, PROVIDER_SUFFIX)
                              ? g_strndup (provider, strlen (provider) - strlen (PROVIDER_SUFFIX))
                              : g_strdup (provider);
  g_autofree char *lower = NULL;

  if (g_strv_contains (gpus, stem))
    return g_strdup ("gpu");
  lower = g_utf8_strdown (stem, -1);
  g_strdelimit (lower, ",=* \r\n\t", '-');
  return g_strdup (*lower != '\0' ? lower : "cpu");
}

/* --- the graph of the run -------------------------------------------------------------------- */

/* The first lane of a thread numbers it. */
static guint32
find_lane (GobanTraceEvents *events, GHashTable *threads, const GobanOrtOp *op)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", op->provider, op->thread);
  guint32 lane = goban_trace_events_find_lane (events, key);
  GobanTraceLane *about = goban_trace_lane (events, lane);

  if (*about->name == '\0')
    {
      g_autofree char *kind = goban_ort_provider_kind (op->provider);
      g_autofree char *name = g_strdup_printf ("%s thread %s", kind, op->thread);
      gpointer known = g_hash_table_lookup (threads, op->thread);

      about->kind = goban_trace_events_keep (events, kind);
      about->name = goban_trace_events_keep (events, name);
      if (known != NULL)
        about->thread = GPOINTER_TO_UINT (known) - 1;
      else
        g_hash_table_insert (threads, (gpointer) op->thread, GUINT_TO_POINTER (lane + 1));
    }
  return lane;
}

static GobanGraph *
read_ort_profile (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                  GError **error)
{
  g_autoptr (GobanOrtProfile) profile
      = goban_ort_profile_read (data, size, path, options->progress, error);
  g_autoptr (GobanTraceEvents) events = goban_trace_events_new ();
  g_autoptr (GHashTable) threads = g_hash_table_new (g_str_hash, g_str_equal);

  if (profile == NULL)
    return NULL;
  if (profile->is_cut)
    goban_trace_events_warn (
        events, "the file ends early: what is behind event %u is incomplete and left out",
        profile->n_events);
  for (guint i = 0; i < profile->ops->len; i++)
    {
      const GobanOrtOp *op = &g_array_index (profile->ops, GobanOrtOp, i);
      g_autofree char *scoped = profile->n_runs > 1 && op->run > 0
                                    ? g_strdup_printf ("run %u/%s", op->run, op->name)
                                    : g_strdup (op->name);
      GobanTraceEvent event = {
        .name = goban_trace_events_keep (events, scoped),
        .op = op->op,
        .start_us = op->start_us,
        .finish_us = op->start_us + op->span_us,
        .lane = find_lane (events, threads, op),
      };

      g_array_append_val (events->events, event);
    }
  return goban_trace_graph_new (events, path, "ort-profile", options->progress, error);
}

static int
sniff (const char *head, gsize size, const char *path)
{
  gsize n = MIN (size, 65536);
  gsize start = 0;

  while (start < n && g_ascii_isspace (head[start]))
    start++;
  if (start == n || head[start] != '[')
    return 0;
  if (g_strstr_len (head, n, SUFFIX "\"") != NULL && g_strstr_len (head, n, "\"op_name\"") != NULL)
    return 95;
  return g_strstr_len (head, n, "\"model_loading_") != NULL
                 && g_strstr_len (head, n, "\"Session\"") != NULL
             ? 85
             : 0;
}

const GobanFormat goban_format_ort_profile = {
  .name = "ort-profile",
  .extensions = ".json",
  .blurb = "profiles of ONNX Runtime: a recorded run of a model",
  .most_bytes = (gsize) 1 << 30,
  .sniff = sniff,
  .read = read_ort_profile,
};
