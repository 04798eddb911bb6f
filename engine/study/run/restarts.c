#include "engine/study/run/restarts.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/ranks/work-queue.h"
#include "engine/machine/plan/improvement.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

/* One restart, as its rank sends it: this, the improvements, and what the plan has of each node and
 * tensor. All ranks run the same program. */
typedef struct
{
  double makespan_us;
  double proven_bound_us;
  guint64 n_evaluations;
  gint32 is_valid;
  gint32 order;
  guint32 n_improvements;
  guint32 has_transfers;
} Head;

typedef struct
{
  GobanCostModel *costs;
  const char *policy;
  const GobanRunOptions *options;
  guint n_restarts;
  GBytes **results; /* (n_restarts) %NULL: not finished */
} Restarts;

static gboolean
is_ended (const Restarts *self)
{
  return self->options->finish != NULL && g_atomic_int_get (self->options->finish) != 0;
}

static const Head *
get_head (const Restarts *self, guint i)
{
  return g_bytes_get_data (self->results[i], NULL);
}

static const GobanImprovement *
get_improvements (const Restarts *self, guint i)
{
  return (const GobanImprovement *) (const void *) (get_head (self, i) + 1);
}

static void
append (GByteArray *bytes, const void *data, gsize size)
{
  g_byte_array_append (bytes, data, (guint) size);
}

/* (transfer full) */
static GBytes *
pack (GobanRun *run)
{
  const GobanPlan *plan = goban_run_get_plan (run);
  const GArray *improvements = goban_run_get_origin (run)->improvements;
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);
  gsize n = goban_plan_get_n_nodes (plan);
  GByteArray *bytes = g_byte_array_new ();
  Head head = { .makespan_us = goban_run_get_makespan_us (run),
                .proven_bound_us = goban_run_get_proven_bound_us (run),
                .n_evaluations = goban_run_get_origin (run)->evaluations,
                .is_valid = goban_trace_is_valid (goban_run_get_trace (run)),
                .order = (gint32) goban_plan_get_order (plan),
                .n_improvements = improvements->len,
                .has_transfers = transfers != NULL };

  append (bytes, &head, sizeof head);
  append (bytes, improvements->data, improvements->len * sizeof (GobanImprovement));
  append (bytes, goban_plan_get_devices (plan), n * sizeof (GobanDeviceId));
  append (bytes, goban_plan_get_priorities (plan), n * sizeof (gint32));
  append (bytes, goban_plan_get_fusions (plan), n * sizeof (gint32));
  if (transfers != NULL)
    append (bytes, transfers, goban_plan_get_n_tensors (plan) * sizeof *transfers);
  return g_byte_array_free_to_bytes (bytes);
}

/* (transfer full) */
static GobanPlan *
unpack (const Restarts *self, guint i)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (self->costs));
  const Head *head = get_head (self, i);
  GobanPlan *plan = goban_plan_new (graph, n_devices);
  guint n = goban_plan_get_n_nodes (plan);
  const char *at = (const char *) (get_improvements (self, i) + head->n_improvements);

  for (guint v = 0; v < n; v++)
    {
      const char *next = at + v * sizeof (GobanDeviceId);
      GobanDeviceId device;
      gint32 priority, fusion;

      memcpy (&device, next, sizeof device);
      next = at + n * sizeof device + v * sizeof priority;
      memcpy (&priority, next, sizeof priority);
      memcpy (&fusion, next + n * sizeof priority, sizeof fusion);
      goban_plan_set_device (plan, v, device);
      goban_plan_set_priority (plan, v, priority);
      goban_plan_set_fusion (plan, v, fusion);
    }
  if (head->has_transfers)
    {
      /* After devices of one or two bytes, the priorities need not be aligned. */
      g_autofree gint32 *transfers
          = g_memdup2 (at + n * (sizeof (GobanDeviceId) + 2 * sizeof (gint32)),
                       goban_plan_get_n_tensors (plan) * sizeof *transfers);

      goban_plan_set_transfer_priorities (plan, transfers);
    }
  goban_plan_set_order (plan, (GobanOrder) head->order);
  goban_plan_set_proven_bound_us (plan, self->costs, head->proven_bound_us);
  goban_plan_set_policy (plan, self->policy);
  return plan;
}

/* --- the queue -------------------------------------------------------------------------------- */

/* The best search is repeated for its decisions. */
static guint
count_parts (const Restarts *self)
{
  return self->n_restarts + !self->options->skips_record;
}

static GBytes *
work (guint item, const GobanProgress *progress, gpointer data, GError **error)
{
  const Restarts *self = data;
  GobanRunOptions options = *self->options;
  g_autofree char *name = g_strdup_printf ("search %u of %u", item + 1, self->n_restarts);
  GobanPartProgress part;
  g_autoptr (GobanRun) run = NULL;

  /* An early end finishes the restart that is under way, and begins no other. */
  if (item > 0 && is_ended (self))
    {
      goban_set_error (error, GOBAN_ERROR_CANCELLED, "the search was ended early");
      return NULL;
    }
  options.seed += item;
  options.progress = goban_part_progress_begin (&part, progress, item, count_parts (self), name);
  options.skips_record = TRUE;
  run = goban_run_new_from_policy (self->costs, self->policy, &options, error);
  /* A search that was stopped may have a plan all the same. */
  if (run == NULL || !goban_progress_check (progress, error))
    return NULL;
  return pack (run);
}

static gboolean
take (guint item, GBytes *result, gpointer data, GError **error)
{
  Restarts *self = data;

  self->results[item] = g_bytes_ref (result);
  return TRUE;
}

/* Ranks do not wait for the ends of each other's searches. */
static void
step_cb (double fraction, const char *what, gpointer user_data)
{
  const Restarts *self = user_data;

  goban_progress_step (self->options->progress, fraction, what);
}

static gboolean
stop_cb (gpointer user_data)
{
  const Restarts *self = user_data;

  return is_ended (self) || !goban_progress_check (self->options->progress, NULL);
}

/* --- the best --------------------------------------------------------------------------------- */

/* The best of the restarts that have finished; n_restarts if none has. */
static guint
find_best (const Restarts *self)
{
  guint best = self->n_restarts;

  for (guint i = 0; i < self->n_restarts; i++)
    {
      const Head *a = self->results[i] != NULL ? get_head (self, i) : NULL;
      const Head *b = best < self->n_restarts ? get_head (self, best) : NULL;

      if (a != NULL
          && (b == NULL
              || (a->is_valid != b->is_valid ? a->is_valid : a->makespan_us < b->makespan_us)))
        best = i;
    }
  return best;
}

/* The improvements of all restarts one after another. (transfer full) (element-type
 * GobanImprovement) */
static GArray *
join_improvements (const Restarts *self, guint64 *n_evaluations)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));

  *n_evaluations = 0;
  for (guint i = 0; i < self->n_restarts; i++)
    {
      const Head *head = self->results[i] != NULL ? get_head (self, i) : NULL;
      const GobanImprovement *own = head != NULL ? get_improvements (self, i) : NULL;

      if (head == NULL)
        continue;
      for (guint k = 0; k < head->n_improvements; k++)
        goban_improvements_add (all, *n_evaluations + own[k].evaluation, own[k].makespan_us);
      *n_evaluations += head->n_evaluations;
    }
  return all;
}

/* (transfer full) (nullable): %NULL with @error set */
static GobanRun *
new_best (const Restarts *self, gint64 started_us, GError **error)
{
  guint best = find_best (self);
  GobanRunOrigin origin = { .seed = self->options->seed + best };
  g_autoptr (GArray) improvements = join_improvements (self, &origin.evaluations);
  g_autoptr (GobanRun) repeated = NULL;
  g_autoptr (GobanPlan) plan = unpack (self, best);
  GobanRunOptions options = *self->options;
  GobanPartProgress part;

  options.seed = origin.seed;
  /* A search that was ended early cannot be repeated. */
  if (!options.skips_record && !is_ended (self))
    {
      options.progress = goban_part_progress_begin (&part, options.progress, self->n_restarts,
                                                    count_parts (self), _ ("its decisions"));
      repeated = goban_run_new_from_policy (self->costs, self->policy, &options, error);
      if (repeated == NULL)
        return NULL;
      goban_run_origin_set_decisions (&origin, repeated);
    }
  origin.improvements = improvements;
  origin.seconds = (double) (g_get_monotonic_time () - started_us) / G_USEC_PER_SEC;
  return goban_run_new_kept (self->costs, plan, options.name, &origin);
}

gboolean
goban_restarts_run (GobanCostModel *costs, const char *policy, const GobanRunOptions *options,
                    guint n_restarts, GobanRanks *ranks, GobanRun **best, GError **error)
{
  Restarts self = { costs, policy, options, n_restarts, g_new0 (GBytes *, n_restarts) };
  GobanWorkQueue queue = { work, take, &self };
  const GobanProgress shared = { step_cb, stop_cb, &self };
  gint64 started_us = g_get_monotonic_time ();
  GError *why = NULL;
  gboolean is_done;

  g_return_val_if_fail (n_restarts > 0, FALSE);

  *best = NULL;
  is_done
      = goban_work_queue_run (ranks, &queue, NULL, n_restarts,
                              goban_ranks_get_size (ranks) > 1 ? &shared : options->progress, &why);
  if (!is_done && is_ended (&self) && find_best (&self) < n_restarts)
    {
      g_clear_error (&why);
      is_done = TRUE;
    }
  if (why != NULL)
    g_propagate_error (error, why);
  if (is_done && goban_ranks_get_rank (ranks) == 0)
    {
      *best = new_best (&self, started_us, error);
      is_done = *best != NULL;
    }
  for (guint i = 0; i < n_restarts; i++)
    g_clear_pointer (&self.results[i], g_bytes_unref);
  g_free (self.results);
  return is_done;
}
