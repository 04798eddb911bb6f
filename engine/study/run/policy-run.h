/* policy-run.h: list of policies, and runs of the plans that they make. */
#pragma once

#include "engine/core/progress.h"
#include "engine/machine/plan/task.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"
#include "engine/study/run/training-log.h"

G_BEGIN_DECLS

/* Budget and options of a policy; zeroes are the policy's defaults. */
struct _GobanRunOptions
{
  guint64 seed;
  guint64 max_evaluations;
  double max_seconds;
  const GobanProgress *progress; /* (nullable) */
  /* (nullable), atomic: 1 ends a search early with its best plan, and cancels a quick policy */
  const gint *finish;
  GobanFusing fusing; /* applied to the policy's plan */
  /* For the learned policies that support them, see engine/learn/rl/learned-options.h; all
     (nullable). */
  const char *network;
  const char *settings;
  GobanPlan *start;     /* for policies with has_start, too */
  GobanTasks decisions; /* decisions of GO; 0: placement */
  /* (nullable), both or none: these nodes keep their devices in that plan, whatever the policy. */
  GobanSelection *pinned;
  GobanPlan *pinned_by;
  const char *expression; /* (nullable): Lua that makes the plan, kept with the run */
  const char *name;       /* (nullable): of the run; the policy's by default */
  /* (nullable): gets the updates of a policy that learns on the graph
     (engine/study/run/curve-log.h) */
  GobanTrainingLog *learning;
  gboolean skips_record; /* keeps no record of the decisions: for measurements of time */
  /* (nullable): what is forced on the policy, which must decide as in @expected until then. Like
     progress and finish, of one call. */
  const GobanForcedDecision *force;
  GobanDecisions *expected; /* (nullable) without @force */
  GStringChunk *texts;      /* of a copy: owner of its strings; else NULL */
};

/**
 * goban_run_options_dup:
 * @options: (nullable): %NULL is the default
 *
 * A copy for work that lasts longer than the call: it owns its strings, and has references on
 * plans, selection and log. Progress, finish and what is forced belong to a call and are left out.
 *
 * Returns: (transfer full): to be cleared
 */
GobanRunOptions goban_run_options_dup (const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Frees the members of such a copy. */
void goban_run_options_clear (GobanRunOptions *self);

/* A copy that many may hold, without @learning. (transfer full) */
GobanRunOptions *goban_run_options_share (const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Gives up a reference of g_atomic_rc_box_acquire() to such a copy, or the first one. */
void goban_run_options_release (GobanRunOptions *self);

/**
 * goban_policy_new_plan:
 *
 * Runs the policy and neither simulates its plan nor keeps more than the record of its decisions.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with @error set: %GOBAN_ERROR_INVALID if
 *   something is forced that cannot be taken, or if the policy decides otherwise before
 */
GobanPlan *goban_policy_new_plan (GobanCostModel *costs, const char *policy,
                                  const GobanRunOptions *options, GobanDecisions **decisions,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_run_new_from_policy:
 * @policy: a name of goban_policies()
 * @options: (nullable)
 *
 * Runs the policy and simulates its plan.
 *
 * Returns: (transfer full) (nullable): a run, or %NULL with @error set
 */
GobanRun *goban_run_new_from_policy (GobanCostModel *costs, const char *policy,
                                     const GobanRunOptions *options,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  const char *name;
  const char *blurb;
  const char *about; /* a paragraph, "" if the blurb is enough */
  const char *source;
  const char *effort;          /* "quick", "search" or "learned" */
  gboolean has_tasks;          /* supports the options' decisions */
  gboolean has_network;        /* reads the options' network */
  gboolean has_start;          /* tries the options' start first, and continues from it */
  guint64 default_evaluations; /* default number of simulations, 0 if it makes none */
} GobanPolicyInfo;

/* (transfer container): n of them, the strings are static. */
GobanPolicyInfo *goban_policies (gsize *n) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_find (const char *name, GobanPolicyInfo *info, GError **error);

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_exists (const char *name, GError **error);

/* Whether each of @settings (nullable), "KEY=VALUE,...", is read by one of @names (NULL-terminated,
 * policies that exist). %FALSE with %GOBAN_ERROR_INVALID set, whose message lists the keys that
 * they read. Values are checked by the policies themselves. */
gboolean goban_policies_check_settings (const char *const *names, const char *settings,
                                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunOptions, goban_run_options_release)

G_END_DECLS
