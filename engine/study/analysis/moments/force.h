/* force.h: runs and plans with another option in place of the one that a decision took.
 *
 * The policy runs again with the options and on the costs of its run, is checked decision by
 * decision against the record, and takes the option in place of its own. Decisions that were forced
 * before are forced again. Policies that cannot go on from a plan have their finished plan changed.
 *
 * Functions of immutable values, for any thread.
 *
 * Decision E73 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/run/policy-run.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_FORCE_PLAN, /* the plan of the decision, finished by the policy */
  GOBAN_FORCE_RUN,  /* the whole run, with what is left of its budget */
} GobanForceScope;

typedef struct
{
  GobanMoment moment;
  guint32 option;
  GobanForceScope scope;
} GobanForce;

/* %FALSE with %GOBAN_ERROR_INVALID set, which says why, and what to do, if the option cannot be
 * taken. The option that was taken can. */
gboolean goban_force_check (GobanRun *run, const GobanForce *force, GError **error);

/**
 * goban_force_new_run:
 * @options: (nullable): progress and finish are those of the call; all others are the run's
 *
 * Returns: (transfer full) (nullable): "heft, gpu:1 at decision 60", or %NULL with @error set
 */
GobanRun *goban_force_new_run (GobanRun *run, const GobanForce *force,
                               const GobanRunOptions *options,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The plan of goban_force_new_run() with %GOBAN_FORCE_PLAN, not simulated. (transfer full)
 * (nullable) */
GobanPlan *goban_force_new_plan (GobanRun *run, GobanMoment moment, guint32 option,
                                 const GobanProgress *progress,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The moment of the plan that a decision leads to: of the whole plan around it, or of the first
 * finished one. */
GobanMoment goban_force_find_plan (const GobanDecisions *decisions, GobanMoment moment);

G_END_DECLS
