#include "engine/sim/trace-private.h"

#include "engine/core/quantity.h"

GobanTrace *
goban_trace_ref (GobanTrace *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_trace_unref (GobanTrace *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  goban_cost_model_unref (self->costs);
  goban_plan_unref (self->plan);
  g_free (self->why);
  g_free (self->ops);
  g_free (self->transfers);
  g_free (self->uses);
  g_free (self->path);
  g_free (self->kernel);
  g_free (self->next);
  g_free (self->previous_op);
  g_free (self->blocker);
  g_free (self->by_tensor);
  g_free (self->levels);
  g_free (self->first_level);
  g_free (self);
}

GobanCostModel *
goban_trace_get_costs (const GobanTrace *self)
{
  return self->costs;
}

GobanPlan *
goban_trace_get_plan (const GobanTrace *self)
{
  return self->plan;
}

double
goban_trace_get_makespan (const GobanTrace *self)
{
  return self->makespan_us;
}

double
goban_trace_get_overflow_bytes (const GobanTrace *self)
{
  return self->overflow_bytes;
}

gboolean
goban_trace_is_valid (const GobanTrace *self)
{
  return self->why[0] == '\0';
}

const char *
goban_trace_get_why (const GobanTrace *self)
{
  return self->why;
}

const GobanOutOfMemory *
goban_trace_get_out_of_memory (const GobanTrace *self)
{
  return self->is_out_of_memory ? &self->out_of_memory : NULL;
}

const GobanOpSpan *
goban_trace_get_ops (const GobanTrace *self)
{
  return self->ops;
}

GobanNodeId
goban_trace_get_kernel (const GobanTrace *self, GobanNodeId node)
{
  return self->kernel != NULL ? self->kernel[node] : node;
}

GobanNodeId
goban_trace_get_next_fused (const GobanTrace *self, GobanNodeId node)
{
  return self->next != NULL ? self->next[node] : GOBAN_NO_NODE;
}

gboolean
goban_trace_is_fused (const GobanTrace *self)
{
  return goban_plan_is_fused (self->plan);
}

gboolean
goban_trace_is_internal (const GobanTrace *self, GobanTensorId tensor)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, tensor);
  GobanNodeId producer = goban_graph_get_tensor (graph, tensor)->producer;

  if (self->kernel == NULL || edges.n == 0)
    return FALSE;
  for (guint i = 0; i < edges.n; i++)
    if (self->kernel[goban_graph_get_edge (graph, edges.ids[i])->head] != self->kernel[producer])
      return FALSE;
  return TRUE;
}

const GobanTransfer *
goban_trace_get_transfers (const GobanTrace *self, guint *n)
{
  *n = self->n_transfers;
  return self->transfers;
}

const GobanDeviceUse *
goban_trace_get_uses (const GobanTrace *self)
{
  return self->uses;
}

double
goban_trace_get_transferred_bytes (const GobanTrace *self)
{
  return self->transferred_bytes;
}

const GobanBounds *
goban_trace_get_bounds (const GobanTrace *self)
{
  return &self->bounds;
}

const GobanStep *
goban_trace_get_critical_path (const GobanTrace *self, guint *n)
{
  *n = self->n_path;
  return self->path;
}

/* --- a step in words --------------------------------------------------------------------- */

typedef struct
{
  const GobanTrace *trace;
  const GobanGraph *graph;
  const GobanCluster *cluster;
} Speaker;

static const char *
name_of_device (const Speaker *self, GobanDeviceId device)
{
  return goban_cluster_get_device (self->cluster, device)->name;
}

static const char *
name_of_node (const Speaker *self, GobanNodeId node)
{
  return goban_graph_get_node (self->graph, node)->name;
}

static const char *
name_of_tensor (const Speaker *self, GobanTensorId tensor)
{
  return name_of_node (self, goban_graph_get_tensor (self->graph, tensor)->producer);
}

/* "“enc/concat”", or "“enc/concat” and 2 fused with it". */
static void
append_op (GString *text, const Speaker *self, GobanNodeId node)
{
  GobanNodeId other = goban_trace_get_kernel (self->trace, node);
  guint n_others = 0;

  while ((other = goban_trace_get_next_fused (self->trace, other)) != GOBAN_NO_NODE)
    n_others++;
  g_string_append_printf (text, "“%s”", name_of_node (self, node));
  if (n_others > 0)
    g_string_append_printf (text, " and %u fused with it", n_others);
}

/* As an op, or "“enc/concat” from gpu:0 to gpu:1". */
static void
append_cause (GString *text, const Speaker *self, const GobanStep *cause)
{
  const GobanTransfer *transfer;

  if (!cause->is_transfer)
    {
      append_op (text, self, cause->index);
      return;
    }
  transfer = &self->trace->transfers[cause->index];
  g_string_append_printf (text, "“%s” from %s to %s", name_of_tensor (self, transfer->tensor),
                          name_of_device (self, transfer->from),
                          name_of_device (self, transfer->to));
}

static void
append_wait (GString *text, const Speaker *self, const GobanStep *step)
{
  GobanStep cause;
  gboolean is_caused = goban_trace_get_cause (self->trace, step, &cause);
  char wait[GOBAN_QUANTITY_LEN];

  goban_format_time (wait, step->waited_us);
  switch (step->wait)
    {
    case GOBAN_WAIT_NONE:
      g_string_append (text, "starts the run");
      return;
    case GOBAN_WAIT_INPUT:
      g_string_append (text, "starts when its input is ready, made here by ");
      break;
    case GOBAN_WAIT_ARRIVAL:
      g_string_append (text, "starts when its input arrives, ");
      break;
    case GOBAN_WAIT_DEVICE:
      g_string_append_printf (text, "waits %s for the device, busy with ", wait);
      break;
    case GOBAN_WAIT_PRODUCER:
      g_string_append (text, "leaves as soon as it is made by ");
      break;
    case GOBAN_WAIT_CHANNEL:
      g_string_append_printf (text, "waits %s for a channel, held by ", wait);
      break;
    }
  if (is_caused)
    append_cause (text, self, &cause);
}

char *
goban_trace_describe_step (const GobanTrace *self, const GobanStep *step)
{
  Speaker speaker = { self, goban_cost_model_get_graph (self->costs),
                      goban_cost_model_get_cluster (self->costs) };
  GString *text = g_string_new (NULL);
  char took[GOBAN_QUANTITY_LEN];

  if (step->is_transfer)
    {
      const GobanTransfer *transfer = &self->transfers[step->index];

      goban_format_time (took, transfer->finish_us - transfer->start_us);
      append_cause (text, &speaker, step);
      g_string_append (text, ": ");
      append_wait (text, &speaker, step);
      g_string_append_printf (text, ", then travels %s", took);
    }
  else
    {
      const GobanOpSpan *span = &self->ops[step->index];

      goban_format_time (took, span->finish_us - span->start_us);
      append_op (text, &speaker, step->index);
      g_string_append_printf (
          text,
          " on %s: ", name_of_device (&speaker, goban_plan_get_device (self->plan, step->index)));
      append_wait (text, &speaker, step);
      g_string_append_printf (text, ", then runs %s", took);
    }
  return g_string_free (text, FALSE);
}
