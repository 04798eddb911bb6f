/* revert.h: a run's plan without one part of its difference to another plan. */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/difference/difference.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_REVERT_MOVE,
  GOBAN_REVERT_FUSION,
  GOBAN_REVERT_PRIORITY, /* of the nodes alone */
  GOBAN_REVERT_ORDER,    /* priorities of the nodes and of all transfers, and how they are used */
  GOBAN_REVERT_TRANSFER, /* priorities of all transfers */
  GOBAN_N_REVERT_KINDS
} GobanRevertKind;

/* "moved", "fused", "prioritised", "order", "transfers", and the inverse. The inverse returns FALSE
 * with %GOBAN_ERROR_INVALID set, whose message lists the words. */
const char *goban_revert_kind_get_word (GobanRevertKind kind);
gboolean goban_revert_kind_find (const char *word, GobanRevertKind *kind, GError **error);

/* Returns the second run's plan with the decisions of @kind for @nodes taken from the first run.
 * Colocation groups of moved nodes, and kernels that share members with fused ones, are reverted as
 * a whole; kernels that this splits are dissolved. (transfer full) */
GobanPlan *goban_revert_change (GobanRun *before, GobanRun *after, GobanRevertKind kind,
                                const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;

/* A change to revert, and its label. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GobanRun *listed; /* (nullable): the run of the list that @after is, if its devices are renamed */
  GobanRevertKind kind;
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
