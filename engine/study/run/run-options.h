/* run-options.h: budget and options of a policy's run, and what is forced on it. */
#pragma once

#include "engine/core/progress.h"
#include "engine/decisions/feed.h"
#include "engine/machine/plan/plan.h"
#include "engine/machine/plan/task.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/selection.h"
#include "engine/study/run/training-log.h"

G_BEGIN_DECLS

/* The decision of a run that was made otherwise in another one. */
typedef struct
{
  const char *of;     /* (nullable): the name of the run; NULL: nothing was forced */
  GobanMoment moment; /* of its decisions */
  guint32 option;     /* that was taken there */
} GobanForcedDecision;

/* Budget and options of a policy; zeroes are the policy's defaults. */
typedef struct
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
  /* (nullable): has the decisions while the policy makes them; of one call, too */
  GobanDecisionsFeed *feed;
  GStringChunk *texts; /* of a copy: owner of its strings; else NULL */
} GobanRunOptions;

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunOptions, goban_run_options_release)

G_END_DECLS
