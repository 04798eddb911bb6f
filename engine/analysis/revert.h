/* revert.h: a run's plan without one part of its difference to another plan. */
#pragma once

#include "engine/analysis/attribution.h"

G_BEGIN_DECLS

/* A change to revert, and its label. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GobanRun *listed; /* (nullable): the run of the list that @after is, if its devices are renamed */
  GobanAttributionKind kind;
  GobanSelection *nodes;
  const char *label;
} GobanRevert;

/* Simulates the second run's plan without the change, named "heft without enc/l5 → gpu:1"; in any
 * thread. (transfer full) (nullable): NULL with %GOBAN_ERROR_INVALID set if the plan is not
 * possible. */
GobanRun *goban_revert_run (const GobanRevert *revert, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
