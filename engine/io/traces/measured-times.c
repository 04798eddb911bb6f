#include "engine/io/traces/measured-times.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/graph/graph-times.h"
#include "engine/io/formats.h"
#include "engine/io/packed.h"
#include "engine/io/traces/chrome-trace.h"
#include "engine/io/traces/ort-profile.h"

#include <gio/gio.h>
#include <string.h>

/* Operations that say which index is whose; more would say the same. */
#define MAX_VOTERS 256
/* Share of them that must agree. */
#define AGREEING 0.9
#define MAX_NAMED 5
/* Number of bytes that are read to recognise a profile. */
#define HEAD_BYTES 65536
/* A block of zstd is whole within this. */
#define PACKED_HEAD_BYTES ((gsize) 1 << 18)

/* An operation of the profile on a kind of device. */
typedef struct
{
  const char *name;
  const char *op;
  const char *kind;
  gint64 index;     /* or -1 */
  GArray *spans_us; /* double */
  double median_us;
  GobanNodeId node; /* or GOBAN_NO_NODE */
} Measured;

typedef struct
{
  GPtrArray *ops; /* Measured */
  GHashTable *by_key;
  GStringChunk *strings;
} Profile;

static void
measured_free (gpointer data)
{
  Measured *self = data;

  g_array_unref (self->spans_us);
  g_free (self);
}

static void
add_span (Profile *self, const Measured *like, double span_us)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", like->kind, like->name);
  Measured *op = g_hash_table_lookup (self->by_key, key);

  if (op == NULL)
    {
      op = g_new0 (Measured, 1);
      op->name = g_string_chunk_insert_const (self->strings, like->name);
      op->op = g_string_chunk_insert_const (self->strings, like->op);
      op->kind = g_string_chunk_insert_const (self->strings, like->kind);
      op->index = like->index;
      op->node = GOBAN_NO_NODE;
      op->spans_us = g_array_new (FALSE, FALSE, sizeof (double));
      g_ptr_array_add (self->ops, op);
      g_hash_table_insert (self->by_key, g_steal_pointer (&key), op);
    }
  g_array_append_val (op->spans_us, span_us);
}

/* --- files ----------------------------------------------------------------------------------- */

static gboolean
read_ort (Profile *self, const char *data, gsize size, const char *path,
          const GobanReadOptions *options, GError **error)
{
  g_autoptr (GobanOrtProfile) profile
      = goban_ort_profile_read (data, size, path, options->progress, error);

  for (guint i = 0; profile != NULL && i < profile->ops->len; i++)
    {
      const GobanOrtOp *op = &g_array_index (profile->ops, GobanOrtOp, i);
      g_autofree char *kind = goban_ort_provider_kind (op->provider);

      add_span (self,
                &(Measured){ .name = op->name, .op = op->op, .kind = kind, .index = op->index },
                op->span_us);
    }
  return profile != NULL;
}

static gboolean
read_trace (Profile *self, const char *data, gsize size, const char *path,
            const GobanReadOptions *options, GError **error)
{
  g_autoptr (GobanTraceEvents) events = goban_chrome_trace_read (data, size, path, options, error);

  for (guint i = 0; events != NULL && i < events->events->len; i++)
    {
      const GobanTraceEvent *event = goban_trace_event (events, i);

      add_span (self,
                &(Measured){ .name = event->name,
                             .op = event->op != NULL ? event->op : event->name,
                             .kind = goban_trace_lane (events, event->lane)->kind,
                             .index = -1 },
                event->finish_us - event->start_us);
    }
  return events != NULL;
}

static GBytes *
read_text (const char *path, const GobanProgress *progress, GError **error)
{
  GobanFileReading reading = { .kind = GOBAN_FILE_GRAPH,
                               .most_bytes = goban_format_ort_profile.most_bytes,
                               .progress = progress };
  g_autoptr (GBytes) bytes = goban_file_read_with (path, &reading, error);
  g_autoptr (GBytes) unpacked = NULL;
  gsize size;
  const char *data;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (!goban_packed_is (data, size))
    return g_steal_pointer (&bytes);
  unpacked = goban_packed_unpack (bytes, reading.most_bytes, path, progress, error);
  return unpacked != NULL ? goban_file_enter_text (unpacked, path, error) : NULL;
}

static gboolean
read_profile (Profile *self, const char *path, const GobanProgress *progress, GError **error)
{
  GobanReadOptions options = { .may_forget = TRUE, .progress = progress };
  g_autoptr (GBytes) text = read_text (path, progress, error);
  const char *data;
  gsize size;
  int ort, trace;

  if (text == NULL)
    return FALSE;
  data = g_bytes_get_data (text, &size);
  if (size == 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the file is empty", path);
  ort = goban_format_ort_profile.sniff (data, size, path);
  trace = goban_format_chrome_trace.sniff (data, size, path);
  if (ort == 0 && trace == 0)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: this is neither a profile of ONNX Runtime nor a Chrome trace", path);
  return ort >= trace ? read_ort (self, data, size, path, &options, error)
                      : read_trace (self, data, size, path, &options, error);
}

/* --- medians --------------------------------------------------------------------------------- */

static int
compare_spans (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
find_median (GArray *spans_us)
{
  guint n = spans_us->len;
  const double *spans = (const double *) (const void *) spans_us->data;

  g_array_sort (spans_us, compare_spans);
  return n % 2 == 1 ? spans[n / 2] : (spans[n / 2 - 1] + spans[n / 2]) / 2;
}

/* --- joining --------------------------------------------------------------------------------- */

/* How far the model's indices are ahead of the graph's ids: constants are no nodes of a graph. Each
 * operation votes for the differences to the nodes of its type. FALSE: too few agree. */
static gboolean
find_offset (const Profile *self, const GobanGraph *graph, gint64 *offset)
{
  g_autoptr (GHashTable) votes = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n_voters = 0, most = 0;
  guint n_nodes = goban_graph_get_n_nodes (graph);

  /* The table points into the array. */
  g_array_set_size (keys, MAX_VOTERS * MIN (n_nodes, 4 * MAX_VOTERS) + 1);
  g_array_set_size (keys, 0);
  for (guint i = 0; i < self->ops->len && n_voters < MAX_VOTERS; i++)
    {
      const Measured *op = g_ptr_array_index (self->ops, i);

      if (op->index < 0)
        continue;
      n_voters++;
      for (GobanNodeId v = 0; v < MIN (n_nodes, 4 * MAX_VOTERS); v++)
        {
          gint64 ahead = op->index - (gint64) v;
          gint64 *key = &ahead;
          guint n;

          if (strcmp (goban_graph_get_node (graph, v)->op, op->op) != 0)
            continue;
          n = GPOINTER_TO_UINT (g_hash_table_lookup (votes, key)) + 1;
          if (n == 1)
            {
              g_array_append_val (keys, ahead);
              key = &g_array_index (keys, gint64, keys->len - 1);
            }
          g_hash_table_insert (votes, key, GUINT_TO_POINTER (n));
          if (n > most)
            {
              most = n;
              *offset = ahead;
            }
        }
    }
  return n_voters > 0 && most >= AGREEING * n_voters;
}

static void
join (Profile *self, const GobanGraph *graph, GobanTimesJoin *result)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  gint64 offset = 0;
  gboolean has_offset = find_offset (self, graph, &offset);

  for (guint i = 0; i < self->ops->len; i++)
    {
      Measured *op = g_ptr_array_index (self->ops, i);

      op->median_us = find_median (op->spans_us);
      op->node = goban_graph_find_node (graph, op->name);
      if (op->node != GOBAN_NO_NODE)
        {
          g_hash_table_add (taken, GUINT_TO_POINTER (op->node + 1));
          result->n_by_name++;
        }
    }
  for (guint i = 0; has_offset && i < self->ops->len; i++)
    {
      Measured *op = g_ptr_array_index (self->ops, i);
      gint64 v = op->index - offset;

      if (op->node != GOBAN_NO_NODE || op->index < 0 || v < 0
          || v >= goban_graph_get_n_nodes (graph)
          || strcmp (goban_graph_get_node (graph, (GobanNodeId) v)->op, op->op) != 0
          || !g_hash_table_add (taken, GUINT_TO_POINTER ((guint) v + 1)))
        continue;
      op->node = (GobanNodeId) v;
      result->n_by_index++;
    }
}

/* --- the graph ------------------------------------------------------------------------------- */

static int
compare_medians (const void *a, const void *b)
{
  const Measured *x = *(Measured *const *) a, *y = *(Measured *const *) b;

  return (x->median_us < y->median_us) - (x->median_us > y->median_us);
}

/* "135 of 138 operations of x.json (99.2 % of their time) are nodes of the graph; not found: …".
 * Sorts the operations, the longest first. (transfer full) */
static char *
describe (Profile *self, const GobanTimesJoin *result, const char *path)
{
  GString *text = g_string_new (NULL);
  double total_us = result->total_us > 0 ? result->total_us : 1;
  guint n_missing = self->ops->len - result->n_by_name - result->n_by_index;
  guint n_named = 0;
  g_autofree char *base = g_path_get_basename (path);

  g_string_append_printf (
      text, "measured times: %u of %u operations of %s, with %.1f %% of its time, are nodes here",
      result->n_by_name + result->n_by_index, self->ops->len, base,
      result->total_us > 0 ? 100 * result->joined_us / total_us : 100.0);
  if (result->n_by_index > 0)
    g_string_append_printf (text, " (%u by their index)", result->n_by_index);
  g_ptr_array_sort (self->ops, compare_medians);
  for (guint i = 0; i < self->ops->len && n_named < MAX_NAMED; i++)
    {
      const Measured *op = g_ptr_array_index (self->ops, i);

      if (op->node == GOBAN_NO_NODE)
        g_string_append_printf (text, "%s“%s” %.1f %%", n_named++ == 0 ? "; not found: " : ", ",
                                op->name, 100 * op->median_us / total_us);
    }
  if (n_missing > n_named)
    g_string_append_printf (text, " and %u more", n_missing - n_named);
  return g_string_free (text, FALSE);
}

/* Times of kinds that the cluster lacks altogether would say nothing of its devices. */
static gboolean
knows_any_kind (const Profile *self, const char *const *kinds)
{
  for (guint i = 0; i < self->ops->len; i++)
    if (g_strv_contains (kinds, ((const Measured *) g_ptr_array_index (self->ops, i))->kind))
      return TRUE;
  return FALSE;
}

static GobanGraph *
apply (Profile *self, const GobanGraph *graph, const char *const *kinds, GobanTimesJoin *result,
       const char *path, GError **error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (GobanNodeTime));
  gboolean is_known = knows_any_kind (self, kinds);
  g_autofree char *warning = NULL;

  for (guint i = 0; i < self->ops->len; i++)
    {
      const Measured *op = g_ptr_array_index (self->ops, i);
      GobanNodeTime time = { op->node, is_known ? op->kind : GOBAN_ANY_KIND, op->median_us };

      result->total_us += op->median_us;
      if (op->node == GOBAN_NO_NODE)
        continue;
      result->joined_us += op->median_us;
      g_array_append_val (times, time);
    }
  if (times->len == 0)
    {
      goban_refuse (error, GOBAN_ERROR_INVALID,
                    "%s: none of its %u operations is a node of this graph, neither by name nor by "
                    "index",
                    path, self->ops->len);
      return NULL;
    }
  warning = describe (self, result, path);
  return goban_graph_new_with_times (graph, (const GobanNodeTime *) (const void *) times->data,
                                     times->len, warning, error);
}

GobanGraph *
goban_graph_measure (const GobanGraph *graph, const char *path, const char *const *kinds,
                     GobanTimesJoin *result, const GobanProgress *progress, GError **error)
{
  g_autoptr (GPtrArray) ops = g_ptr_array_new_with_free_func (measured_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Profile self = { ops, by_key, g_string_chunk_new (1 << 14) };
  GobanTimesJoin joined = { 0 };
  GobanGraph *measured = NULL;

  if (read_profile (&self, path, progress, error))
    {
      joined.n_ops = ops->len;
      join (&self, graph, &joined);
      measured = apply (&self, graph, kinds, &joined, path, error);
    }
  if (result != NULL)
    *result = joined;
  g_string_chunk_free (self.strings);
  return measured;
}

gboolean
goban_is_profile (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GInputStream) stream = G_INPUT_STREAM (g_file_read (file, NULL, NULL));
  g_autofree char *head = g_malloc (PACKED_HEAD_BYTES);
  gsize n = 0;

  if (stream == NULL)
    return FALSE;
  g_input_stream_read_all (stream, head, PACKED_HEAD_BYTES, &n, NULL, NULL);
  if (goban_packed_is (head, n))
    {
      g_autoptr (GBytes) packed = g_bytes_new_take (g_steal_pointer (&head), n);

      head = g_malloc (HEAD_BYTES);
      n = goban_packed_peek (packed, head, HEAD_BYTES);
    }
  n = MIN (n, HEAD_BYTES);
  return n > 0
         && (goban_format_ort_profile.sniff (head, n, path) > 0
             || goban_format_chrome_trace.sniff (head, n, path) > 0);
}
