#include "engine/study/run/guest-policy.h"

#include "engine/core/error.h"
#include "engine/learn/roster.h"
#include "engine/placers/search.h"
#include "engine/study/run/fusing.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanPlacer placer; /* first member: the roster stores a pointer to it */
  GobanGuestFunc place;
  gpointer owner, data;
} Guest;

struct _GobanGuestTask
{
  const char *name;
  GobanCostModel *costs;
  const GobanPlacerOptions *options;
  GobanDecisionsWriter *built; /* (nullable): span of the greedy plan */
  gboolean is_searching;
  GobanSearch search;
  GobanSimulator *simulator; /* (nullable): with the first plan */
};

/* --- the list -------------------------------------------------------------------------------- */

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
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "a built-in policy is called “%s”",
                       policy->name);
      return FALSE;
    }
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
  if (self->is_searching)
    return;
  self->is_searching = TRUE;
  goban_search_begin (&self->search, self->options, self->options->placer->default_evaluations);
}

/* The best plan of a search; a task without one has failed. */
static GobanPlan *
end_search (GobanGuestTask *self, guint64 *evaluations, GError **error)
{
  GobanPlan *best = NULL;

  if (self->is_searching)
    best = goban_search_end (&self->search, evaluations);
  if (best == NULL && goban_progress_check (self->options->progress, error))
    goban_set_error (error, GOBAN_ERROR_INVALID, "the policy %s made no plan", self->name);
  return best;
}

/* Ends the span of the plan that was built node by node; the guest may have returned another. */
static void
end_building (GobanGuestTask *self, const GobanPlan *plan)
{
  if (plan != NULL
      && goban_decisions_writer_get_digest (self->built) != goban_settling_digest_plan (plan))
    {
      goban_decisions_writer_set_plan (
          self->built,
          &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN, .flags = GOBAN_DECISION_AT_ONCE },
          plan);
      goban_decisions_writer_settle (self->built, plan);
    }
  goban_decisions_writer_close (self->built, NULL, plan != NULL);
}

static GobanPlan *
place_guest (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
             GError **error)
{
  const Guest *guest = (const Guest *) options->placer;
  GobanGuestTask task = { .name = guest->placer.name, .costs = costs, .options = options };
  GobanPlan *plan = NULL;

  if (guest->place (&task, guest->owner, &plan, error) && plan == NULL)
    plan = end_search (&task, evaluations, error);
  if (task.built != NULL)
    end_building (&task, plan);
  if (task.is_searching)
    goban_search_clear (&task.search);
  g_clear_pointer (&task.simulator, goban_simulator_free);
  return plan;
}

const char *
goban_guest_task_get_name (const GobanGuestTask *self)
{
  return self->name;
}

GobanCostModel *
goban_guest_task_get_costs (const GobanGuestTask *self)
{
  return self->costs;
}

gpointer
goban_guest_task_get_data (const GobanGuestTask *self)
{
  return ((const Guest *) self->options->placer)->data;
}

guint64
goban_guest_task_get_seed (const GobanGuestTask *self)
{
  return self->options->seed;
}

gboolean
goban_guest_task_is_stopped (const GobanGuestTask *self)
{
  return !goban_progress_check (self->options->progress, NULL);
}

GobanGreedyPlan *
goban_guest_task_new_greedy_plan (GobanGuestTask *self)
{
  GobanGreedyPlan *plan = goban_greedy_plan_new (self->costs, self->name);
  GobanDecisionsWriter *decisions = NULL;

  /* A record has one plan of a guest that builds several. */
  if (self->built == NULL && !self->is_searching)
    decisions = self->built = goban_decisions_writer_open (
        self->options->decisions,
        &(GobanSpanHead){ .name = "plan", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });
  goban_greedy_plan_report (plan, decisions, self->options->progress);
  return plan;
}

GobanPlan *
goban_guest_task_new_first_plan (GobanGuestTask *self, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs));
  g_autoptr (GobanGreedyPlan) greedy = NULL;

  if (self->options->start != NULL)
    return goban_plan_copy (self->options->start);
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
  return goban_search_go_on (&self->search, "searching", NULL);
}

gboolean
goban_guest_task_simulate (GobanGuestTask *self, const GobanPlan *plan, GobanOutcome *outcome,
                           GError **error)
{
  if (!goban_fusing_check (plan, self->costs, error))
    return FALSE;
  if (self->simulator == NULL)
    self->simulator = goban_simulator_new (self->costs);
  *outcome = goban_simulator_evaluate (self->simulator, plan);
  return TRUE;
}

gboolean
goban_guest_task_evaluate (GobanGuestTask *self, const GobanPlan *plan, GobanOutcome *outcome,
                           GError **error)
{
  if (!goban_guest_task_simulate (self, plan, outcome, error))
    return FALSE;
  begin_search (self);
  goban_search_offer (&self->search, plan, *outcome);
  return TRUE;
}

GobanPlan *
goban_guest_task_get_best (const GobanGuestTask *self)
{
  return self->is_searching ? self->search.best : NULL;
}

guint64
goban_guest_task_get_n_evaluations (const GobanGuestTask *self)
{
  return self->is_searching ? self->search.n_evaluations : 0;
}

guint64
goban_guest_task_get_n_left (const GobanGuestTask *self)
{
  if (self->search.max_evaluations == 0)
    return G_MAXUINT64;
  return self->search.max_evaluations
         - MIN (self->search.n_evaluations, self->search.max_evaluations);
}

double
goban_guest_task_get_max_seconds (const GobanGuestTask *self)
{
  return self->options->max_seconds;
}

gboolean
goban_guest_task_is_search (const GobanGuestTask *self)
{
  return self->options->placer->default_evaluations > 0;
}
