#include "engine/study/analysis/bottlenecks.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/study/analysis/scopes.h"

#include <math.h>
#include <string.h>

#define PERMILLE 1000
/* With more devices there are so many routes that only the senders are named. */
#define FEW_DEVICES 4

/* A step of the path, with the part of its time for which the next one waited. */
typedef struct
{
  GobanStep step;
  double start_us;
  double finish_us;
  GobanDeviceId from; /* its device, or the transfer's sender */
  GobanDeviceId to;
  GobanNodeId node; /* the op, or the producer of the tensor sent */
  double waited_us;
} Link;

/* A cause that grows. */
typedef struct
{
  GobanBottleneck cause;
  GArray *nodes; /* of GobanNodeId, some twice */
} Sum;

typedef struct
{
  GobanTrace *trace;
  GobanCluster *cluster;
  GArray *links;      /* of Link, in order of time */
  GobanScopes *names; /* of the ops of the path */
  GArray *sums;       /* of Sum */
  GHashTable *places; /* key of a cause -> its place in sums + 1 */
} Work;

static void
clear_cause (GobanBottleneck *cause)
{
  g_free (cause->label);
  g_clear_pointer (&cause->nodes, goban_selection_unref);
}

static void
clear_sum (gpointer data)
{
  Sum *sum = data;

  clear_cause (&sum->cause);
  g_array_unref (sum->nodes);
}

static void
work_clear (Work *work)
{
  g_clear_pointer (&work->links, g_array_unref);
  g_clear_pointer (&work->names, goban_scopes_free);
  g_clear_pointer (&work->sums, g_array_unref);
  g_clear_pointer (&work->places, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static Link *
link_at (const Work *work, guint i)
{
  return &g_array_index (work->links, Link, i);
}

/* --- the path --------------------------------------------------------------------------------- */

static Link
make_link (GobanTrace *trace, const GobanStep *step)
{
  Link link = { .step = *step };
  guint n;

  if (step->is_transfer)
    {
      const GobanTransfer *transfer = &goban_trace_get_transfers (trace, &n)[step->index];
      GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));

      link.start_us = transfer->start_us;
      link.finish_us = transfer->finish_us;
      link.from = transfer->from;
      link.to = transfer->to;
      link.node = goban_graph_get_tensor (graph, transfer->tensor)->producer;
    }
  else
    {
      const GobanOpSpan *span = &goban_trace_get_ops (trace)[step->index];

      link.start_us = span->start_us;
      link.finish_us = span->finish_us;
      link.from = link.to = goban_plan_get_device (goban_trace_get_plan (trace), step->index);
      link.node = step->index;
    }
  return link;
}

/* Whether @link occupies the resource that @next waits for. */
static gboolean
is_in_the_way (const Link *link, const Link *next)
{
  if (next->step.wait == GOBAN_WAIT_DEVICE)
    return !link->step.is_transfer && link->from == next->from;
  return next->step.wait == GOBAN_WAIT_CHANNEL && link->step.is_transfer;
}

/* From the end to the start: a step that was ready before its predecessor ended waited for it.
 * Steps of zero length pass their waiting time on. */
static void
find_waits (Work *work)
{
  Link *waiting = NULL; /* that has waited the longest of those up to the last step with length */

  for (guint i = work->links->len; i-- > 0;)
    {
      Link *link = link_at (work, i);
      Link *next = i + 1 < work->links->len ? link_at (work, i + 1) : NULL;

      if (next != NULL && next->step.waited_us > 0
          && (waiting == NULL
              || next->start_us - next->step.waited_us
                     < waiting->start_us - waiting->step.waited_us))
        waiting = next;
      if (!(link->finish_us > link->start_us))
        continue;
      if (waiting != NULL && is_in_the_way (link, waiting))
        link->waited_us
            = link->finish_us - fmax (link->start_us, waiting->start_us - waiting->step.waited_us);
      waiting = NULL;
    }
}

static void
find_links (Work *work)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (work->trace));
  guint n, n_ops = 0;
  const GobanStep *steps = goban_trace_get_critical_path (work->trace, &n);
  g_autofree GobanNodeId *ops = g_new (GobanNodeId, (gsize) n + 1);

  work->links = g_array_new (FALSE, FALSE, sizeof (Link));
  for (guint i = 0; i < n; i++)
    {
      Link link = make_link (work->trace, &steps[i]);

      g_array_append_val (work->links, link);
      if (!steps[i].is_transfer)
        ops[n_ops++] = link.node;
    }
  work->names = goban_scopes_new (graph, ops, n_ops, 0);
  find_waits (work);
}

/* --- sums ------------------------------------------------------------------------------------- */

static const char *
device_name (const Work *work, GobanDeviceId device)
{
  return goban_cluster_get_device (work->cluster, device)->name;
}

static gboolean
has_few_routes (const Work *work)
{
  return goban_cluster_get_n_devices (work->cluster) <= FEW_DEVICES;
}

static char *
make_label (const Work *work, GobanBottleneckKind kind, const Link *link, guint scope)
{
  switch (kind)
    {
    case GOBAN_BOTTLENECK_COMPUTE:
      return g_strdup_printf (_ ("%s computing"), work->names->names[scope]);
    case GOBAN_BOTTLENECK_DEVICE:
      return g_strdup_printf (_ ("waits for %s"), device_name (work, link->from));
    case GOBAN_BOTTLENECK_TRANSFER:
      if (!has_few_routes (work))
        return g_strdup_printf (_ ("transfers from %s"), device_name (work, link->from));
      return g_strdup_printf (_ ("transfer %s → %s"), device_name (work, link->from),
                              device_name (work, link->to));
    case GOBAN_BOTTLENECK_CHANNEL:
      if (!has_few_routes (work))
        return g_strdup_printf (_ ("waits for channels from %s"), device_name (work, link->from));
      return g_strdup_printf (_ ("waits for the channel %s → %s"), device_name (work, link->from),
                              device_name (work, link->to));
    default:
      return g_strdup (_ ("nothing runs"));
    }
}

/* @scope: of an op that computes, else 0. */
static Sum *
find_sum (Work *work, GobanBottleneckKind kind, const Link *link, guint scope)
{
  guint a = kind == GOBAN_BOTTLENECK_COMPUTE ? scope : link != NULL ? link->from : 0;
  guint b
      = kind == GOBAN_BOTTLENECK_COMPUTE || link == NULL || !has_few_routes (work) ? 0 : link->to;
  gint64 key = (gint64) kind << 56 | (gint64) a << 16 | b;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (work->places, &key));
  Sum sum = { .cause = { .kind = kind } };

  if (place > 0)
    return &g_array_index (work->sums, Sum, place - 1);
  sum.cause.label = make_label (work, kind, link, scope);
  sum.nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_array_append_val (work->sums, sum);
  g_hash_table_insert (work->places, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (work->sums->len));
  return &g_array_index (work->sums, Sum, work->sums->len - 1);
}

static void
add_nodes (const Work *work, Sum *sum, const Link *link)
{
  GobanNodeId v = link->node;

  if (link->step.is_transfer)
    g_array_append_val (sum->nodes, v);
  else
    for (v = goban_trace_get_kernel (work->trace, v); v != GOBAN_NO_NODE;
         v = goban_trace_get_next_fused (work->trace, v))
      g_array_append_val (sum->nodes, v);
}

static void
add_time (Work *work, GobanBottleneckKind kind, const Link *link, guint scope, double time_us)
{
  Sum *sum;

  if (!(time_us > 0))
    return;
  sum = find_sum (work, kind, link, scope);
  sum->cause.time_us += time_us;
  if (link != NULL)
    add_nodes (work, sum, link);
}

static void
sum_links (Work *work)
{
  double at_us = 0;
  guint n_ops = 0;

  for (guint i = 0; i < work->links->len; i++)
    {
      const Link *link = link_at (work, i);
      gboolean is_transfer = link->step.is_transfer;
      guint scope = is_transfer ? 0 : work->names->of[n_ops++];
      double own_us = link->finish_us - link->start_us - link->waited_us;

      add_time (work, GOBAN_BOTTLENECK_IDLE, NULL, 0, link->start_us - at_us);
      add_time (work, is_transfer ? GOBAN_BOTTLENECK_TRANSFER : GOBAN_BOTTLENECK_COMPUTE, link,
                scope, own_us);
      add_time (work, is_transfer ? GOBAN_BOTTLENECK_CHANNEL : GOBAN_BOTTLENECK_DEVICE, link, 0,
                link->waited_us);
      at_us = link->finish_us;
    }
  add_time (work, GOBAN_BOTTLENECK_IDLE, NULL, 0, goban_trace_get_makespan (work->trace) - at_us);
}

static int
compare_sums (gconstpointer a, gconstpointer b)
{
  const Sum *x = a, *y = b;

  if (x->cause.time_us != y->cause.time_us)
    return x->cause.time_us > y->cause.time_us ? -1 : 1;
  return strcmp (x->cause.label, y->cause.label);
}

/* All beyond the first become one. */
static void
join_others (Work *work, guint n_most)
{
  guint n_others = work->sums->len - n_most;
  Sum others = { .cause = { .kind = GOBAN_BOTTLENECK_OTHERS } };

  if (work->sums->len <= n_most + 1)
    return;
  others.cause.label = g_strdup_printf (_ ("%u others"), n_others);
  others.nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  for (guint i = n_most; i < work->sums->len; i++)
    {
      const Sum *sum = &g_array_index (work->sums, Sum, i);

      others.cause.time_us += sum->cause.time_us;
      g_array_append_vals (others.nodes, sum->nodes->data, sum->nodes->len);
    }
  g_array_set_size (work->sums, n_most);
  g_array_append_val (work->sums, others);
}

/* --- the value -------------------------------------------------------------------------------- */

/* Largest remainders are rounded up, so that the shown figures sum to the whole. */
static void
fill_shares (GobanBottlenecks *self)
{
  g_autofree double *rests = g_new (double, (gsize) self->n_causes + 1);
  guint n_left = PERMILLE;

  for (guint i = 0; i < self->n_causes; i++)
    {
      double share = PERMILLE * self->causes[i].time_us / self->makespan_us;

      self->causes[i].permille = (guint) share;
      rests[i] = share - floor (share);
      n_left -= MIN (n_left, self->causes[i].permille);
    }
  for (; n_left > 0 && self->n_causes > 0; n_left--)
    {
      guint best = 0;

      for (guint i = 1; i < self->n_causes; i++)
        if (rests[i] > rests[best])
          best = i;
      self->causes[best].permille++;
      rests[best] = -1;
    }
}

static GobanBottlenecks *
take_sums (Work *work)
{
  GobanBottlenecks *self = g_new0 (GobanBottlenecks, 1);

  self->n_causes = work->sums->len;
  self->causes = g_new0 (GobanBottleneck, (gsize) self->n_causes + 1);
  for (guint i = 0; i < self->n_causes; i++)
    {
      Sum *sum = &g_array_index (work->sums, Sum, i);

      self->causes[i] = sum->cause;
      self->causes[i].label = g_strdup (sum->cause.label);
      self->causes[i].nodes = goban_selection_new (
          (const GobanNodeId *) (gconstpointer) sum->nodes->data, sum->nodes->len);
      goban_selection_get_ids (self->causes[i].nodes, &self->causes[i].n_nodes);
      self->makespan_us += sum->cause.time_us;
    }
  if (self->makespan_us > 0)
    fill_shares (self);
  return self;
}

GobanBottlenecks *
goban_bottlenecks_new (GobanTrace *trace, guint n_most)
{
  g_auto (Work) work = { .trace = trace };

  g_return_val_if_fail (n_most > 0, NULL);

  work.cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  work.sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  g_array_set_clear_func (work.sums, clear_sum);
  work.places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (goban_trace_get_ops (trace) != NULL && isfinite (goban_trace_get_makespan (trace)))
    {
      find_links (&work);
      sum_links (&work);
      g_array_sort (work.sums, compare_sums);
      join_others (&work, n_most);
    }
  return take_sums (&work);
}

void
goban_bottlenecks_free (GobanBottlenecks *self)
{
  for (guint i = 0; i < self->n_causes; i++)
    clear_cause (&self->causes[i]);
  g_free (self->causes);
  g_free (self);
}

/* --- in words --------------------------------------------------------------------------------- */

const char *const goban_bottleneck_kind_words[GOBAN_N_BOTTLENECK_KINDS] = {
  [GOBAN_BOTTLENECK_COMPUTE] = "compute",   [GOBAN_BOTTLENECK_DEVICE] = "device",
  [GOBAN_BOTTLENECK_TRANSFER] = "transfer", [GOBAN_BOTTLENECK_CHANNEL] = "channel",
  [GOBAN_BOTTLENECK_IDLE] = "idle",         [GOBAN_BOTTLENECK_OTHERS] = "others",
};

char *
goban_bottleneck_describe (const GobanBottleneck *self)
{
  return g_strdup_printf ("%u.%u %% %s", self->permille / 10, self->permille % 10, self->label);
}

char *
goban_bottlenecks_to_text (const GobanBottlenecks *self)
{
  static const char *const headings[] = { "<makespan", "time", "nodes", "<", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n_causes; i++)
    {
      const GobanBottleneck *cause = &self->causes[i];
      char time[GOBAN_QUANTITY_LEN];

      goban_table_add (table, "%3u.%u %%", cause->permille / 10, cause->permille % 10);
      goban_table_add (table, "%s", goban_format_time (time, cause->time_us));
      goban_table_add (table, "%u", cause->n_nodes);
      goban_table_add (table, "%s", cause->label);
    }
  goban_table_append_to (table, text);
  return g_string_free (text, FALSE);
}
