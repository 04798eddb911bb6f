#include "engine/study/measure/executor.h"

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/io/traces/ort-profile.h"
#include "engine/study/measure/machine.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  const GobanGraph *graph;
  const GobanPlan *plan;
  const GobanOpSpan *spans;
} Order;

/* By start, then by finish, then by number: no node comes before one that it needs, even among
 * nodes that take no time. */
static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Order *order = user_data;
  GobanNodeId u = *(const GobanNodeId *) a, v = *(const GobanNodeId *) b;
  const GobanOpSpan *x = &order->spans[u], *y = &order->spans[v];

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;
  return (u > v) - (u < v);
}

/* @edges: all incoming or all outgoing ones of a node. */
static gboolean
has_hand_over (const Order *order, GobanEdgeSpan edges)
{
  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (order->graph, edges.ids[i]);

      if (goban_plan_get_device (order->plan, edge->tail)
          != goban_plan_get_device (order->plan, edge->head))
        return TRUE;
    }
  return FALSE;
}

/* Numbers segments in the order of their first nodes; @sorted: all nodes by their starts. */
static void
cut (GobanSegments *self, const Order *order, const GobanNodeId *sorted, guint n_nodes)
{
  g_autofree guint32 *open = g_new (guint32, self->n_devices + 1); /* segment, or G_MAXUINT32 */

  for (guint d = 0; d < self->n_devices; d++)
    open[d] = G_MAXUINT32;
  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId v = sorted[i];
      GobanDeviceId device = goban_plan_get_device (order->plan, v);

      if (open[device] == G_MAXUINT32
          || has_hand_over (order, goban_graph_get_in_edges (order->graph, v)))
        {
          self->segments[self->n] = (GobanSegment){ .device = device };
          open[device] = self->n++;
        }
      self->segment_of[v] = open[device];
      self->segments[open[device]].n++;
      if (has_hand_over (order, goban_graph_get_out_edges (order->graph, v)))
        open[device] = G_MAXUINT32;
    }
}

static void
list_nodes (GobanSegments *self, const GobanNodeId *sorted, guint n_nodes)
{
  g_autofree guint *next = g_new (guint, self->n + 1);
  guint at = 0;

  for (guint s = 0; s < self->n; s++)
    {
      self->segments[s].first = next[s] = at;
      at += self->segments[s].n;
    }
  for (guint i = 0; i < n_nodes; i++)
    self->nodes[next[self->segment_of[sorted[i]]]++] = sorted[i];
}

/* Only the first node of a segment reads from other devices. */
static void
list_waits (GobanSegments *self, const GobanGraph *graph)
{
  g_autofree guint32 *seen = g_new0 (guint32, self->n + 1); /* by which segment + 1 */
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 s = 0; s < self->n; s++)
    {
      GobanSegment *segment = &self->segments[s];
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, self->nodes[segment->first]);

      segment->first_wait = waits->len;
      for (guint i = 0; i < in.n; i++)
        {
          guint32 other = self->segment_of[goban_graph_get_edge (graph, in.ids[i])->tail];

          if (self->segments[other].device == segment->device || seen[other] == s + 1)
            continue;
          seen[other] = s + 1;
          g_array_append_val (waits, other);
        }
      segment->n_waits = waits->len - segment->first_wait;
    }
  self->n_hand_overs = waits->len;
  self->waits = (guint32 *) (void *) g_array_free (waits, FALSE);
}

static GobanSegments *
new_empty (guint n_nodes, guint n_devices)
{
  GobanSegments *self = g_new0 (GobanSegments, 1);

  self->n_devices = n_devices;
  self->segments = g_new0 (GobanSegment, n_nodes + 1);
  self->nodes = g_new (GobanNodeId, n_nodes + 1);
  self->segment_of = g_new0 (guint32, n_nodes + 1);
  return self;
}

GobanSegments *
goban_segments_new (GobanRun *run, GError **error)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  Order order = { parts->graph, parts->plan, goban_trace_get_ops (parts->trace) };
  guint n_nodes = goban_graph_get_n_nodes (parts->graph);
  g_autofree GobanNodeId *sorted = g_new (GobanNodeId, n_nodes + 1);
  GobanSegments *self;

  if (order.spans == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "%s cannot run: %s",
                       goban_run_get_name (run), goban_trace_get_why (parts->trace));
      return NULL;
    }
  if (goban_trace_is_fused (parts->trace))
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s makes kernels of several nodes, which ONNX Runtime does not run as the "
                       "plan says; measure it without fusion",
                       goban_run_get_name (run));
      return NULL;
    }
  self = new_empty (n_nodes, goban_cluster_get_n_devices (parts->cluster));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    sorted[v] = v;
  g_qsort_with_data (sorted, (gint) n_nodes, sizeof *sorted, compare_nodes, &order);
  cut (self, &order, sorted, n_nodes);
  list_nodes (self, sorted, n_nodes);
  list_waits (self, parts->graph);
  return self;
}

GobanSegments *
goban_segments_new_single (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanSegments *self = new_empty (n_nodes, 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[v] = v;
  self->segments[0].n = n_nodes;
  self->n = n_nodes > 0 ? 1 : 0;
  self->waits = g_new (guint32, 1);
  return self;
}

void
goban_segments_free (GobanSegments *self)
{
  g_free (self->segments);
  g_free (self->nodes);
  g_free (self->waits);
  g_free (self->segment_of);
  g_free (self);
}

/* A spinning thread yields its core now and then, because the thread that it waits for may need
 * it. */
#define SPINS_PER_YIELD 4096
#define CACHE_LINE 64

/* A segment's session and the tensors of its calls. */
typedef struct
{
  GobanOrtSession *session;
  const char **input_names;
  const GobanOrtValue **inputs;
  const char **output_names;
  GobanOrtValue **outputs;
  gsize n_inputs;
  gsize n_outputs;
} Part;

/* The number of the last run in which a segment finished; alone in its cache line, since others
 * read it all the time. */
typedef struct
{
  _Alignas(CACHE_LINE) atomic_uint run;
} Done;

struct _GobanExecutor
{
  GobanOrt *ort;
  GobanModelParts *parts;
  const GobanSegments *segments;
  Part *part;             /* (n_segments) */
  GobanOrtValue **values; /* (n_tensors) owned, or NULL */
  Done *done;             /* (n_segments) */
  guint n_runs;           /* so far */
  /* of the present call */
  const guint *cpus;
  guint n_asked;
  GobanSegmentSpan *spans;
  gint64 *origin_ns; /* (n_asked) when the run began */
  atomic_uint n_arrived;
  atomic_uint has_failed;
  GMutex lock;
  GError *failure;
};

typedef struct
{
  GobanExecutor *executor;
  GobanDeviceId device;
} Worker;

/* --- sessions -------------------------------------------------------------------------------- */

/* "node “a”: …", or "nodes “a” to “b”: …", and the nodes' own names in the library's words. */
static void
blame_segment (const GobanExecutor *self, guint32 s, GError **error)
{
  const GobanGraph *graph = goban_model_parts_get_graph (self->parts);
  const GobanSegment *segment = &self->segments->segments[s];
  const GobanNodeId *nodes = &self->segments->nodes[segment->first];
  const char *first = goban_graph_get_node (graph, nodes[0])->name;
  char *renamed;

  if (error == NULL)
    return;
  renamed = goban_part_rename_nodes (graph, (*error)->message);
  g_free ((*error)->message);
  (*error)->message = renamed;
  if (segment->n == 1)
    g_prefix_error (error, "node “%s”: ", first);
  else
    g_prefix_error (error, "nodes “%s” to “%s”: ", first,
                    goban_graph_get_node (graph, nodes[segment->n - 1])->name);
}

/* Inputs of the model are made when they are first read. */
static gboolean
make_input (GobanExecutor *self, guint32 tensor, GError **error)
{
  if (self->values[tensor] != NULL)
    return TRUE;
  self->values[tensor] = goban_ort_tensor_new (
      self->ort, goban_model_parts_get_value (self->parts, tensor), tensor, error);
  if (self->values[tensor] == NULL)
    {
      g_autofree char *shown = goban_model_parts_dup_shown_name (self->parts, tensor);

      g_prefix_error (error, "the input “%s” cannot be made up: ", shown);
    }
  return self->values[tensor] != NULL;
}

static gboolean
take_inputs (GobanExecutor *self, Part *part, const GArray *tensors, GError **error)
{
  part->n_inputs = tensors->len;
  part->input_names = g_new0 (const char *, tensors->len + 1);
  part->inputs = g_new0 (const GobanOrtValue *, tensors->len + 1);
  for (guint i = 0; i < tensors->len; i++)
    {
      guint32 tensor = g_array_index (tensors, guint32, i);

      if (!make_input (self, tensor, error))
        return FALSE;
      part->input_names[i] = goban_model_parts_get_tensor_name (self->parts, tensor);
      part->inputs[i] = self->values[tensor];
    }
  return TRUE;
}

/* The tensors of the first run are those of all: each run writes into them again. */
static gboolean
keep_outputs (GobanExecutor *self, Part *part, const GArray *tensors, GError **error)
{
  for (guint i = 0; i < tensors->len; i++)
    self->values[g_array_index (tensors, guint32, i)] = part->outputs[i];
  for (guint i = 0; i < tensors->len; i++)
    {
      guint32 tensor = g_array_index (tensors, guint32, i);
      GobanOnnxValue value;

      if (!goban_ort_tensor_describe (self->ort, part->outputs[i], &value, error))
        {
          g_autofree char *shown = goban_model_parts_dup_shown_name (self->parts, tensor);

          g_prefix_error (error, "“%s”: ", shown);
          return FALSE;
        }
      goban_model_parts_set_value (self->parts, tensor, &value);
    }
  return TRUE;
}

static gboolean
call_part (const Part *part, GError **error)
{
  GobanOrtCall call = { .input_names = part->input_names,
                        .inputs = part->inputs,
                        .n_inputs = part->n_inputs,
                        .output_names = part->output_names,
                        .outputs = part->outputs,
                        .n_outputs = part->n_outputs };

  return goban_ort_session_run (part->session, &call, error);
}

static gboolean
make_part (GobanExecutor *self, guint32 s, const char *profile_folder, GError **error)
{
  Part *part = &self->part[s];
  g_autoptr (GobanModelPart) cut = goban_model_parts_cut (self->parts, s, error);
  g_autofree char *file = g_strdup_printf ("segment-%u", s);
  g_autofree char *profile
      = profile_folder != NULL ? g_build_filename (profile_folder, file, NULL) : NULL;

  if (cut == NULL || !take_inputs (self, part, cut->inputs, error))
    return FALSE;
  part->n_outputs = cut->outputs->len;
  part->output_names = g_new0 (const char *, cut->outputs->len + 1);
  part->outputs = g_new0 (GobanOrtValue *, cut->outputs->len + 1);
  for (guint i = 0; i < cut->outputs->len; i++)
    part->output_names[i]
        = goban_model_parts_get_tensor_name (self->parts, g_array_index (cut->outputs, guint32, i));
  part->session = goban_ort_session_new (self->ort, cut->model, profile, error);
  return part->session != NULL && call_part (part, error)
         && keep_outputs (self, part, cut->outputs, error);
}

GobanExecutor *
goban_executor_new (GobanOrt *ort, GobanModelParts *parts, const GobanSegments *segments,
                    const GobanExecutorOptions *options, GError **error)
{
  g_autoptr (GobanExecutor) self = g_new0 (GobanExecutor, 1);

  self->ort = ort;
  self->parts = parts;
  self->segments = segments;
  self->part = g_new0 (Part, segments->n + 1);
  self->values = g_new0 (GobanOrtValue *, goban_model_parts_get_n_tensors (parts) + 1);
  self->done = g_aligned_alloc0 (segments->n + 1, sizeof (Done), CACHE_LINE);
  g_mutex_init (&self->lock);
  goban_model_parts_divide (parts, segments->segment_of);
  for (guint32 s = 0; s < segments->n; s++)
    {
      if (!goban_progress_check (options->progress, error))
        return NULL;
      if (!make_part (self, s, options->profile_folder, error))
        {
          blame_segment (self, s, error);
          return NULL;
        }
    }
  return g_steal_pointer (&self);
}

static void
part_clear (Part *part)
{
  g_clear_pointer (&part->session, goban_ort_session_free);
  g_free (part->input_names);
  g_free (part->inputs);
  g_free (part->output_names);
  g_free (part->outputs);
}

void
goban_executor_free (GobanExecutor *self)
{
  for (guint s = 0; s < self->segments->n; s++)
    part_clear (&self->part[s]);
  for (guint t = 0; t < goban_model_parts_get_n_tensors (self->parts); t++)
    if (self->values[t] != NULL)
      goban_ort_tensor_free (self->ort, self->values[t]);
  g_free (self->part);
  g_free (self->values);
  g_aligned_free (self->done);
  g_mutex_clear (&self->lock);
  g_clear_error (&self->failure);
  g_free (self);
}

/* --- runs ------------------------------------------------------------------------------------ */

static inline void
spin (guint *n_spins)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#endif
  if (++*n_spins % SPINS_PER_YIELD == 0)
    sched_yield ();
}

static void
fail (GobanExecutor *self, GError *error)
{
  g_mutex_lock (&self->lock);
  if (self->failure == NULL)
    self->failure = error;
  else
    g_error_free (error);
  g_mutex_unlock (&self->lock);
  atomic_store (&self->has_failed, 1);
}

/* FALSE if a thread has failed, so that no other waits for it. */
static gboolean
wait_until (GobanExecutor *self, atomic_uint *count, guint least)
{
  guint n_spins = 0;

  while (atomic_load_explicit (count, memory_order_acquire) < least)
    {
      if (atomic_load_explicit (&self->has_failed, memory_order_relaxed))
        return FALSE;
      spin (&n_spins);
    }
  return TRUE;
}

static gboolean
wait_for_all (GobanExecutor *self, guint n_expected)
{
  atomic_fetch_add (&self->n_arrived, 1);
  return wait_until (self, &self->n_arrived, n_expected);
}

static gboolean
run_segment (GobanExecutor *self, guint32 s, guint run, guint asked)
{
  const GobanSegment *segment = &self->segments->segments[s];
  GobanSegmentSpan *span = &self->spans[(gsize) asked * self->segments->n + s];
  GError *error = NULL;
  gint64 own_ns;

  /* The numbers of runs only grow, and no segment is a run ahead. */
  for (guint i = 0; i < segment->n_waits; i++)
    if (!wait_until (self, &self->done[self->segments->waits[segment->first_wait + i]].run, run))
      return FALSE;
  /* A run lasts far less than the 2^53 us that a double counts exactly. */
  span->start_us = (double) (goban_clock_read_ns (CLOCK_MONOTONIC) - self->origin_ns[asked]) / 1e3;
  own_ns = goban_clock_read_ns (CLOCK_THREAD_CPUTIME_ID);
  if (!call_part (&self->part[s], &error))
    {
      blame_segment (self, s, &error);
      fail (self, error);
      return FALSE;
    }
  span->finish_us = (double) (goban_clock_read_ns (CLOCK_MONOTONIC) - self->origin_ns[asked]) / 1e3;
  span->own_us = (double) (goban_clock_read_ns (CLOCK_THREAD_CPUTIME_ID) - own_ns) / 1e3;
  atomic_store_explicit (&self->done[s].run, run, memory_order_release);
  return TRUE;
}

static gpointer
worker_thread (gpointer data)
{
  const Worker *worker = data;
  GobanExecutor *self = worker->executor;
  guint n_devices = self->segments->n_devices;
  GError *error = NULL;

  if (!goban_machine_pin (self->cpus[worker->device], &error))
    {
      fail (self, error);
      return NULL;
    }
  for (guint i = 0; i < self->n_asked; i++)
    {
      /* The first meeting ends the last run; the second one shows everybody the origin. */
      if (!wait_for_all (self, (2 * i + 1) * n_devices))
        return NULL;
      if (worker->device == 0)
        self->origin_ns[i] = goban_clock_read_ns (CLOCK_MONOTONIC);
      if (!wait_for_all (self, (2 * i + 2) * n_devices))
        return NULL;
      for (guint32 s = 0; s < self->segments->n; s++)
        if (self->segments->segments[s].device == worker->device
            && !run_segment (self, s, self->n_runs + i + 1, i))
          return NULL;
    }
  return NULL;
}

gboolean
goban_executor_run (GobanExecutor *self, const guint *cpus, guint n_runs, GobanSegmentSpan *spans,
                    GError **error)
{
  guint n_devices = self->segments->n_devices;
  g_autofree Worker *workers = g_new (Worker, n_devices + 1);
  g_autofree GThread **threads = g_new0 (GThread *, n_devices + 1);
  g_autofree gint64 *origin_ns = g_new0 (gint64, n_runs + 1);

  self->cpus = cpus;
  self->n_asked = n_runs;
  self->spans = spans;
  self->origin_ns = origin_ns;
  atomic_store (&self->n_arrived, 0);
  atomic_store (&self->has_failed, 0);
  for (guint d = 0; d < n_devices; d++)
    {
      workers[d] = (Worker){ self, (GobanDeviceId) d };
      threads[d] = g_thread_new ("measure", worker_thread, &workers[d]);
    }
  for (guint d = 0; d < n_devices; d++)
    g_thread_join (threads[d]);
  self->n_runs += n_runs;
  if (self->failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->failure));
  return FALSE;
}

/* --- profiles -------------------------------------------------------------------------------- */

static gboolean
read_profile (const GobanExecutor *self, const char *path, guint n_skipped, GPtrArray *times,
              GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GobanOrtProfile) profile = NULL;
  g_autoptr (GError) reason = NULL;
  gsize size;

  if (!g_file_get_contents (path, &text, &size, &reason))
    return goban_refuse (error, GOBAN_ERROR_IO, "%s", reason->message);
  profile = goban_ort_profile_read (text, size, path, NULL, error);
  if (profile == NULL)
    return FALSE;
  for (guint i = 0; i < profile->ops->len; i++)
    {
      const GobanOrtOp *op = &g_array_index (profile->ops, GobanOrtOp, i);
      GobanNodeId node = goban_part_find_node (goban_model_parts_get_graph (self->parts), op->name);

      if (node != GOBAN_NO_NODE && op->run > n_skipped)
        g_array_append_val ((GArray *) g_ptr_array_index (times, node), op->span_us);
    }
  return TRUE;
}

GPtrArray *
goban_executor_end_profiles (GobanExecutor *self, guint n_skipped, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_model_parts_get_graph (self->parts));
  g_autoptr (GPtrArray) times = g_ptr_array_new_full (n_nodes, (GDestroyNotify) g_array_unref);

  for (guint v = 0; v < n_nodes; v++)
    g_ptr_array_add (times, g_array_new (FALSE, FALSE, sizeof (double)));
  for (guint32 s = 0; s < self->segments->n; s++)
    {
      g_autofree char *path = goban_ort_session_end_profile (self->part[s].session, error);
      gboolean ok = path != NULL && read_profile (self, path, n_skipped, times, error);

      if (path != NULL)
        unlink (path);
      if (!ok)
        return NULL;
    }
  return g_steal_pointer (&times);
}
