/* guest-policy.h: policies that a host adds while the program runs, such as those of scripts.
 *
 * Once added, a guest is a policy as any other: of lists, runs, forks and benches. It builds a
 * plan node by node on a greedy plan, or it proposes plans, which its task simulates, counts and
 * records. Names are unique in the program.
 */
#pragma once

#include "engine/sim/outcome.h"
#include "engine/study/run/greedy-plan.h"

G_BEGIN_DECLS

/* One request for a plan, in the caller's thread. */
typedef struct _GobanGuestTask GobanGuestTask;

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

const char *goban_guest_task_get_name (const GobanGuestTask *self);
gpointer goban_guest_task_get_data (const GobanGuestTask *self);
GobanCostModel *goban_guest_task_get_costs (const GobanGuestTask *self);
guint64 goban_guest_task_get_seed (const GobanGuestTask *self);
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
double goban_guest_task_get_max_seconds (const GobanGuestTask *self); /* 0: no limit */
gboolean goban_guest_task_is_search (const GobanGuestTask *self);

G_END_DECLS
