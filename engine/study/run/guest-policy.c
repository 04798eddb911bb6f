#include "engine/study/run/guest-policy.h"

#include "engine/core/error.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/learn/roster.h"
#include "engine/placers/search.h"
#include "engine/study/run/fusing.h"

#include <math.h>
#include <string.h>

#define NODES_PER_REPORT 256

GobanGreedyPlan *
goban_greedy_plan_new (GobanCostModel *costs, const char *policy)
{
  GobanGreedyPlan *self = g_new0 (GobanGreedyPlan, 1);
  guint n_nodes, n_groups, n_devices;

  self->costs = goban_cost_model_ref (costs);
  self->graph = goban_cost_model_get_graph (costs);
  self->cluster = goban_cost_model_get_cluster (costs);
  n_nodes = goban_graph_get_n_nodes (self->graph);
  n_groups = goban_graph_get_n_groups (self->graph);
  n_devices = goban_cluster_get_n_devices (self->cluster);
  self->plan = goban_plan_new (self->graph, n_devices);
  goban_plan_set_policy (self->plan, policy);
  goban_plan_set_order (self->plan, GOBAN_ORDER_PRIORITY);
  self->finish_us = g_new (double, n_nodes + 1);
  self->free_us = g_new0 (double, n_devices);
  self->used_bytes = g_new0 (double, n_devices);
  self->of_group = g_new (GobanDeviceId, n_groups + 1);
  for (guint i = 0; i < n_nodes; i++)
    self->finish_us[i] = -1;
  for (guint i = 0; i < n_groups; i++)
    self->of_group[i] = GOBAN_NO_DEVICE;
  return self;
}

void
goban_greedy_plan_free (GobanGreedyPlan *self)
{
  goban_cost_model_unref (self->costs);
  goban_plan_unref (self->plan);
  g_free (self->finish_us);
  g_free (self->free_us);
  g_free (self->used_bytes);
  g_free (self->of_group);
  g_free (self);
}

double
goban_greedy_plan_get_inputs_us (const GobanGreedyPlan *self, GobanNodeId node,
                                 GobanDeviceId device)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, node);
  double latest_us = 0;

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);
      GobanDeviceId from = goban_plan_get_device (self->plan, edge->tail);
      double arrival_us = self->finish_us[edge->tail]
                          + goban_cost_model_transfer_us (self->costs, edge->tensor, from, device);

      latest_us = MAX (latest_us, arrival_us);
    }
  return latest_us;
}

static double
needed_bytes (const GobanGreedyPlan *self, GobanNodeId node)
{
  return goban_cost_model_param_bytes (self->costs, node)
         + goban_graph_get_output_bytes (self->graph, node);
}

/* The device of the node's group, or GOBAN_NO_DEVICE. */
static GobanDeviceId
group_device (const GobanGreedyPlan *self, GobanNodeId node)
{
  guint32 group = goban_graph_get_node (self->graph, node)->group;

  return group != GOBAN_NO_GROUP ? self->of_group[group] : GOBAN_NO_DEVICE;
}

gboolean
goban_greedy_plan_fits (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device)
{
  GobanDeviceId group = group_device (self, node);
  double limit_bytes = goban_cluster_get_device (self->cluster, device)->memory_bytes;

  return goban_cost_model_can_run (self->costs, node, device)
         && (group == GOBAN_NO_DEVICE || group == device)
         && self->used_bytes[device] + needed_bytes (self, node) <= limit_bytes;
}

/* When the node would finish there. */
static double
finish_on (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device)
{
  double start_us
      = MAX (self->free_us[device], goban_greedy_plan_get_inputs_us (self, node, device));

  return start_us + goban_cost_model_time_us (self->costs, node, device);
}

GobanDeviceId
goban_greedy_plan_find_earliest (const GobanGreedyPlan *self, GobanNodeId node)
{
  guint n_devices = goban_cluster_get_n_devices (self->cluster);
  GobanDeviceId best = 0;
  gboolean fits_best = FALSE;
  double best_us = INFINITY;

  for (guint i = n_devices; i > 0; i--)
    {
      GobanDeviceId device = (GobanDeviceId) (i - 1);
      gboolean fits = goban_greedy_plan_fits (self, node, device);
      double finish_us = INFINITY;

      if (!goban_cost_model_can_run (self->costs, node, device) || (fits_best && !fits))
        continue;
      if (fits)
        finish_us = finish_on (self, node, device);
      if (!fits || !fits_best || finish_us <= best_us)
        {
          best = device;
          best_us = finish_us;
        }
      fits_best = fits_best || fits;
    }
  return best;
}

/* Records each decision with its candidates (when the node would finish on each device), checks for
 * a stop and reports progress. All (nullable), borrowed. @decisions: an open span. */
static void
greedy_plan_report (GobanGreedyPlan *self, GobanDecisionsWriter *decisions,
                    const GobanProgress *progress)
{
  self->decisions = decisions;
  self->progress = progress;
}

/* Why the node cannot go there, as GobanRefusal. */
static guint
refusals_of (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device)
{
  GobanDeviceId group = group_device (self, node);

  if (!goban_cost_model_can_run (self->costs, node, device))
    return GOBAN_REFUSAL_CANNOT_RUN;
  if (group != GOBAN_NO_DEVICE && group != device)
    return GOBAN_REFUSAL_GROUP;
  return goban_greedy_plan_fits (self, node, device) ? 0 : GOBAN_REFUSAL_MEMORY;
}

/* Writes the decision about a node, before it is applied, and returns the device to take. */
static GobanDeviceId
decide (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId wanted, gboolean is_carried)
{
  guint n_devices = goban_cluster_get_n_devices (self->cluster);
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_DEVICE,
                                   .score = is_carried ? GOBAN_SCORE_NONE : GOBAN_SCORE_FINISH_US,
                                   .nodes = &node,
                                   .n_nodes = 1,
                                   .n_options = is_carried ? 0 : n_devices,
                                   .flags = is_carried ? GOBAN_DECISION_CARRIED : 0 };

  if (self->decisions == NULL)
    return wanted;
  for (guint i = 0; i < n_devices; i++)
    {
      GobanDeviceId device = (GobanDeviceId) i;
      guint refusals = refusals_of (self, node, device);
      double finish_us = (refusals & GOBAN_REFUSAL_CANNOT_RUN) != 0
                             ? (double) NAN
                             : finish_on (self, node, device);

      if (!is_carried)
        goban_decisions_writer_score (self->decisions, device, finish_us, refusals);
    }
  return (GobanDeviceId) goban_decisions_writer_decide (self->decisions, &head, wanted);
}

gboolean
goban_greedy_plan_assign (GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device,
                          GError **error)
{
  const GobanNode *data = goban_graph_get_node (self->graph, node);
  gboolean follows_group = group_device (self, node) != GOBAN_NO_DEVICE;
  double start_us;

  if (self->n_placed % NODES_PER_REPORT == 0)
    {
      goban_progress_step (self->progress,
                           (double) self->n_placed / goban_graph_get_n_nodes (self->graph),
                           "placing");
      if (!goban_progress_check (self->progress, error))
        return FALSE;
    }
  if (follows_group)
    device = group_device (self, node);
  if (!goban_cost_model_can_run (self->costs, node, device))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s cannot run on %s", data->name,
                         goban_cluster_get_device (self->cluster, device)->name);

  device = decide (self, node, device, follows_group);
  start_us = MAX (self->free_us[device], goban_greedy_plan_get_inputs_us (self, node, device));
  self->finish_us[node] = start_us + goban_cost_model_time_us (self->costs, node, device);
  self->free_us[device] = self->finish_us[node];
  self->used_bytes[device] += needed_bytes (self, node);
  if (data->group != GOBAN_NO_GROUP)
    self->of_group[data->group] = device;

  goban_plan_set_device (self->plan, node, device);
  goban_plan_set_priority (self->plan, node, -(gint32) self->n_placed++);
  goban_decisions_writer_set_times (self->decisions, start_us, self->finish_us[node]);
  return TRUE;
}

GobanPlan *
goban_greedy_plan_copy_plan (const GobanGreedyPlan *self, GError **error)
{
  if (!goban_plan_check (self->plan, self->costs, error))
    return NULL;
  goban_decisions_writer_settle (self->decisions, self->plan);
  return goban_plan_copy (self->plan);
}

typedef struct
{
  GobanPlacer placer; /* first member: the roster stores a pointer to it */
  GobanGuestFunc place;
  gpointer owner, data;
} Guest;

/* --- the list -------------------------------------------------------------------------------- */

/* What a task does. */
struct _GobanGuestWork
{
  const GobanPlacerOptions *options;
  GobanDecisionsWriter *built; /* (nullable): span of the greedy plan */
  gboolean is_searching;
  GobanSearch search;
  GobanSimulator *simulator; /* (nullable): with the first plan */
};

static GPtrArray *guests; /* Guest *, in the order in which they are listed */
/* Removed ones stay in memory: a run in another thread may be about to use one. */
static GPtrArray *retired;
static guint version; /* guarded, as all here, by the lock */
G_LOCK_DEFINE_STATIC (guests);

static GobanPlan *place_guest (GobanCostModel *costs, const GobanPlacerOptions *options,
                               guint64 *evaluations, GError **error);

static Guest *
new_guest (const GobanGuestPolicy *policy)
{
  gboolean is_search = policy->default_evaluations > 0;
  Guest *self = g_new0 (Guest, 1);

  self->placer = (GobanPlacer){
    .name = g_strdup (policy->name),
    .blurb = g_strdup (policy->blurb),
    .source = policy->source,
    .effort = is_search ? GOBAN_EFFORT_SEARCH : GOBAN_EFFORT_QUICK,
    .is_random = TRUE, /* as far as the program knows */
    .has_start = is_search,
    .default_evaluations = policy->default_evaluations,
    .forcing = GOBAN_FORCING_INSIDE,
    .place = place_guest,
  };
  self->place = policy->place;
  self->owner = policy->owner;
  self->data = policy->data;
  return self;
}

/* With the lock held. (nullable) */
static Guest *
find_guest (const char *name)
{
  for (guint i = 0; guests != NULL && i < guests->len; i++)
    {
      Guest *guest = g_ptr_array_index (guests, i);

      if (strcmp (guest->placer.name, name) == 0)
        return guest;
    }
  return NULL;
}

static gboolean
is_same (const Guest *guest, const GobanGuestPolicy *policy)
{
  return guest->place == policy->place && guest->data == policy->data
         && strcmp (guest->placer.blurb, policy->blurb) == 0
         && guest->placer.default_evaluations == policy->default_evaluations;
}

/* With the lock held. */
static void
retire (Guest *guest)
{
  if (retired == NULL)
    retired = g_ptr_array_new ();
  goban_roster_remove (&guest->placer);
  g_ptr_array_remove (guests, guest);
  g_ptr_array_add (retired, guest);
  version++;
}

/* With the lock held. */
static gboolean
add_guest (const GobanGuestPolicy *policy)
{
  Guest *old = find_guest (policy->name);

  if (old != NULL && old->owner != policy->owner)
    return FALSE;
  if (old != NULL && is_same (old, policy))
    return TRUE;
  if (guests == NULL)
    guests = g_ptr_array_new ();
  if (old != NULL)
    retire (old);
  g_ptr_array_add (guests, new_guest (policy));
  goban_roster_add (&((Guest *) g_ptr_array_index (guests, guests->len - 1))->placer);
  version++;
  return TRUE;
}

gboolean
goban_guest_policy_add (const GobanGuestPolicy *policy, GError **error)
{
  gboolean is_free;

  if (goban_roster_is_built_in (policy->name))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a built-in policy is called “%s”",
                         policy->name);
  G_LOCK (guests);
  is_free = add_guest (policy);
  G_UNLOCK (guests);
  if (!is_free)
    goban_set_error (error, GOBAN_ERROR_INVALID, "a policy of another window is called “%s”",
                     policy->name);
  return is_free;
}

void
goban_guest_policies_remove (gpointer owner)
{
  G_LOCK (guests);
  for (guint i = guests != NULL ? guests->len : 0; i > 0; i--)
    {
      Guest *guest = g_ptr_array_index (guests, i - 1);

      if (guest->owner == owner)
        retire (guest);
    }
  G_UNLOCK (guests);
}

guint
goban_policies_get_version (void)
{
  guint now;

  G_LOCK (guests);
  now = version;
  G_UNLOCK (guests);
  return now;
}

/* --- the task -------------------------------------------------------------------------------- */

static void
begin_search (GobanGuestTask *self)
{
  if (self->work->is_searching)
    return;
  self->work->is_searching = TRUE;
  goban_search_begin (&self->work->search, self->work->options,
                      self->work->options->placer->default_evaluations);
}

/* The best plan of a search; a task without one has failed. */
static GobanPlan *
end_search (GobanGuestTask *self, guint64 *evaluations, GError **error)
{
  GobanPlan *best = NULL;

  if (self->work->is_searching)
    best = goban_search_end (&self->work->search, evaluations);
  if (best == NULL && goban_progress_check (self->work->options->progress, error))
    goban_set_error (error, GOBAN_ERROR_INVALID, "the policy %s made no plan", self->name);
  return best;
}

/* Ends the span of the plan that was built node by node; the guest may have returned another. */
static void
end_building (GobanGuestTask *self, const GobanPlan *plan)
{
  if (plan != NULL
      && goban_decisions_writer_get_digest (self->work->built) != goban_settling_digest_plan (plan))
    {
      goban_decisions_writer_set_plan (
          self->work->built,
          &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN, .flags = GOBAN_DECISION_AT_ONCE },
          plan);
      goban_decisions_writer_settle (self->work->built, plan);
    }
  goban_decisions_writer_close (self->work->built, NULL, plan != NULL);
}

static GobanPlan *
place_guest (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
             GError **error)
{
  const Guest *guest = (const Guest *) options->placer;
  struct _GobanGuestWork work = { .options = options };
  GobanGuestTask task = { .name = guest->placer.name,
                          .data = guest->data,
                          .costs = costs,
                          .seed = options->seed,
                          .max_seconds = options->max_seconds,
                          .is_search = guest->placer.default_evaluations > 0,
                          .work = &work };
  GobanPlan *plan = NULL;

  if (guest->place (&task, guest->owner, &plan, error) && plan == NULL)
    plan = end_search (&task, evaluations, error);
  if (work.built != NULL)
    end_building (&task, plan);
  if (work.is_searching)
    goban_search_clear (&work.search);
  g_clear_pointer (&work.simulator, goban_simulator_free);
  return plan;
}

gboolean
goban_guest_task_is_stopped (const GobanGuestTask *self)
{
  return !goban_progress_check (self->work->options->progress, NULL);
}

GobanGreedyPlan *
goban_guest_task_new_greedy_plan (GobanGuestTask *self)
{
  GobanGreedyPlan *plan = goban_greedy_plan_new (self->costs, self->name);
  GobanDecisionsWriter *decisions = NULL;

  /* A record has one plan of a guest that builds several. */
  if (self->work->built == NULL && !self->work->is_searching)
    decisions = self->work->built = goban_decisions_writer_open (
        self->work->options->decisions,
        &(GobanSpanHead){ .name = "plan", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });
  greedy_plan_report (plan, decisions, self->work->options->progress);
  return plan;
}

GobanPlan *
goban_guest_task_new_first_plan (GobanGuestTask *self, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs));
  g_autoptr (GobanGreedyPlan) greedy = NULL;

  if (self->work->options->start != NULL)
    return goban_plan_copy (self->work->options->start);
  greedy = goban_greedy_plan_new (self->costs, self->name);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (!goban_greedy_plan_assign (greedy, v, goban_greedy_plan_find_earliest (greedy, v), error))
      return NULL;
  return goban_greedy_plan_copy_plan (greedy, error);
}

gboolean
goban_guest_task_go_on (GobanGuestTask *self)
{
  begin_search (self);
  return goban_search_go_on (&self->work->search, "searching", NULL);
}

gboolean
goban_guest_task_simulate (GobanGuestTask *self, const GobanPlan *plan, GobanOutcome *outcome,
                           GError **error)
{
  if (!goban_fusing_check (plan, self->costs, error))
    return FALSE;
  if (self->work->simulator == NULL)
    self->work->simulator = goban_simulator_new (self->costs);
  *outcome = goban_simulator_evaluate (self->work->simulator, plan);
  return TRUE;
}

gboolean
goban_guest_task_evaluate (GobanGuestTask *self, const GobanPlan *plan, GobanOutcome *outcome,
                           GError **error)
{
  if (!goban_guest_task_simulate (self, plan, outcome, error))
    return FALSE;
  begin_search (self);
  goban_search_offer (&self->work->search, plan, *outcome);
  return TRUE;
}

GobanPlan *
goban_guest_task_get_best (const GobanGuestTask *self)
{
  return self->work->is_searching ? self->work->search.best : NULL;
}

guint64
goban_guest_task_get_n_evaluations (const GobanGuestTask *self)
{
  return self->work->is_searching ? self->work->search.n_evaluations : 0;
}

guint64
goban_guest_task_get_n_left (const GobanGuestTask *self)
{
  if (self->work->search.max_evaluations == 0)
    return G_MAXUINT64;
  return self->work->search.max_evaluations
         - MIN (self->work->search.n_evaluations, self->work->search.max_evaluations);
}
