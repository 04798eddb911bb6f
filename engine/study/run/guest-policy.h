/* guest-policy.h: policies that a host adds while the program runs, such as those of scripts.
 *
 * Once added, a guest is a policy as any other: of lists, runs, forks and benches. It builds a
 * plan node by node on a greedy plan, or it proposes plans, which its task simulates, counts and
 * records. Names are unique in the program.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/sim/outcome.h"
#include "engine/study/run/run.h"

/* A plan decided op by op, with the greedy schedule that comes of it so far.
 *
 * Ops run in the order of their decisions, transfers are free of contention, and outputs stay in
 * memory. The schedule guides decisions; the simulator has the last word.
 */

typedef struct _GobanDecisionsWriter GobanDecisionsWriter; /* decisions-writer.h */

/* Read-only. */
typedef struct _GobanGreedyPlan
{
  GobanCostModel *costs;
  GobanGraph *graph;     /* of the costs */
  GobanCluster *cluster; /* of the costs */
  GobanPlan *plan;
  double *finish_us;       /* (n_nodes), -1 for a node not placed yet */
  double *free_us;         /* (n_devices): end of the last op */
  double *used_bytes;      /* (n_devices) */
  GobanDeviceId *of_group; /* (n_groups): device of a group, or GOBAN_NO_DEVICE */
  guint n_placed;
  GobanDecisionsWriter *decisions; /* (nullable) */
  const GobanProgress *progress;   /* (nullable) */
} GobanGreedyPlan;

/* @policy: the plan's policy by name. */
GobanGreedyPlan *goban_greedy_plan_new (GobanCostModel *costs,
                                        const char *policy) G_GNUC_WARN_UNUSED_RESULT;
void goban_greedy_plan_free (GobanGreedyPlan *self);

/* Arrival of the last input of @node there. Inputs that are not placed yet count as ready at
 * once. */
double goban_greedy_plan_get_inputs_us (const GobanGreedyPlan *self, GobanNodeId node,
                                        GobanDeviceId device);

/* Whether the device can run the node, has the memory, and no other one has its group. */
gboolean goban_greedy_plan_fits (const GobanGreedyPlan *self, GobanNodeId node,
                                 GobanDeviceId device);

/* The device that has room for the node and finishes it first; without room anywhere, the first
 * that can run it. */
GobanDeviceId goban_greedy_plan_find_earliest (const GobanGreedyPlan *self, GobanNodeId node);

/* Puts a node on a device, on that of the first of its group, or on the one that the user forces.
 * %FALSE with %GOBAN_ERROR_INVALID set if it cannot run there. */
gboolean goban_greedy_plan_assign (GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device,
                                   GError **error);

/* A copy of the plan, by priorities in the order of decisions.
 * (transfer full) (nullable): %NULL with @error set if it is not a valid one */
GobanPlan *goban_greedy_plan_copy_plan (const GobanGreedyPlan *self,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGreedyPlan, goban_greedy_plan_free)

/* One request for a plan, in the caller's thread. Read-only. */
typedef struct _GobanGuestTask
{
  const char *name;
  gpointer data; /* of the policy */
  GobanCostModel *costs;
  guint64 seed;
  double max_seconds; /* 0: no limit */
  gboolean is_search;
  struct _GobanGuestWork *work;
} GobanGuestTask;

/* Sets *@plan (transfer full), or leaves it to the best plan that was evaluated. %FALSE with @error
 * set. */
typedef gboolean (*GobanGuestFunc) (GobanGuestTask *task, gpointer owner, GobanPlan **plan,
                                    GError **error);

typedef struct
{
  const char *name;
  const char *blurb;           /* one line for menus */
  const char *source;          /* static: where it comes from */
  guint64 default_evaluations; /* 0: it builds one plan and simulates none */
  GobanGuestFunc place;
  gpointer owner;
  gpointer data; /* (nullable) of the policy, for good: runs may use one that was removed */
} GobanGuestPolicy;

/* Replaces the owner's policy of the same name. %FALSE with %GOBAN_ERROR_INVALID set if a built-in
 * policy or another owner has the name. */
gboolean goban_guest_policy_add (const GobanGuestPolicy *policy, GError **error);
/* @owner: whose policies are removed. Running ones are not stopped. */
void goban_guest_policies_remove (gpointer owner);
/* Grows with each change of the list of policies. */
guint goban_policies_get_version (void);

/* Whether the user or the program has stopped it. */
gboolean goban_guest_task_is_stopped (const GobanGuestTask *self);

/* A greedy plan whose decisions the task records. (transfer full) */
GobanGreedyPlan *goban_guest_task_new_greedy_plan (GobanGuestTask *self) G_GNUC_WARN_UNUSED_RESULT;

/* The plan to begin a search with, else a greedy one. (transfer full) (nullable):
 * %NULL with @error set if the greedy one breaks a rule. */
GobanPlan *goban_guest_task_new_first_plan (GobanGuestTask *self,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* --- searching ------------------------------------------------------------------------------- */

/* %FALSE when the budget is spent or the user asked for the best plan so far. */
gboolean goban_guest_task_go_on (GobanGuestTask *self);
/* %FALSE with %GOBAN_ERROR_INVALID set if the plan breaks a rule; it is not counted. */
gboolean goban_guest_task_simulate (GobanGuestTask *self, const GobanPlan *plan,
                                    GobanOutcome *outcome, GError **error);
/* The same, counted as a simulation of the search, which keeps the plan if it is the best. */
gboolean goban_guest_task_evaluate (GobanGuestTask *self, const GobanPlan *plan,
                                    GobanOutcome *outcome, GError **error);
/* (nullable): the best plan so far; borrowed until the next evaluation. */
GobanPlan *goban_guest_task_get_best (const GobanGuestTask *self);
guint64 goban_guest_task_get_n_evaluations (const GobanGuestTask *self);
/* Simulations that a search has left; G_MAXUINT64: its seconds alone end it. */
guint64 goban_guest_task_get_n_left (const GobanGuestTask *self);
