/* revert.h: a run's plan without one part of its difference to another plan. */
#pragma once

#include "engine/study/analysis/difference/attribution.h"

G_BEGIN_DECLS

/* A change to revert, and its label. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GobanRun *listed; /* (nullable): the run of the list that @after is, if its devices are renamed */
  GobanAttributionKind kind;
  GobanSelection *nodes;
  char *label;
} GobanRevert;

/* A copy that owns its contents. (transfer full) */
GobanRevert *goban_revert_copy (const GobanRevert *revert) G_GNUC_WARN_UNUSED_RESULT;
void goban_revert_free (GobanRevert *self);

/* The second run's plan without the change, named "heft without enc/l5 → gpu:1". (transfer full) */
GobanPlan *goban_revert_new_plan (const GobanRevert *revert) G_GNUC_WARN_UNUSED_RESULT;

/* A GobanJobFunc of a GobanRevert: simulates that plan. (transfer full) (nullable): a GobanRun;
 * %NULL with %GOBAN_ERROR_INVALID set if the plan is not possible */
gpointer goban_revert_run (const GobanProgress *progress, gpointer revert,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
