/* breakdown.h: the makespan difference of two plans as a sum: placement, order, fusion, and what
 * they do only together.
 *
 * Each part is what the first plan gains or loses if it takes those decisions alone from the
 * second; the interaction is what all of them do beyond the sum of the parts. Placement is split
 * further into groups of moved nodes by Shapley values: the mean, over the orders in which groups
 * can be moved one after another, of what each adds. They sum to the part exactly. Up to eight
 * groups all orders count, by 2^n simulations; of more, orders are drawn at random with a fixed
 * seed, each with its reverse, and the standard error is given. More than twelve groups are joined
 * to twelve, those with the least work to one.
 *
 * Immutable and reference-counted; made in any thread. The result does not depend on the number of
 * threads.
 *
 * Decision E39 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/difference/difference.h"

/* A run's plan without one part of its difference to another plan. */

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
extern const char *const goban_revert_kind_words[GOBAN_N_REVERT_KINDS];
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

/* Simulations of a breakdown with sampled orders, about; each takes 20 ms at 80,000 nodes. */
#define GOBAN_BREAKDOWN_BUDGET 256
#define GOBAN_BREAKDOWN_EXACT 8
#define GOBAN_BREAKDOWN_GROUPS 12

typedef enum
{
  GOBAN_BAR_BEFORE,      /* the first plan */
  GOBAN_BAR_CLUSTER,     /* the first plan with the costs of the second: another cluster, pins */
  GOBAN_BAR_PLACEMENT,   /* devices */
  GOBAN_BAR_GROUP,       /* part of the placement */
  GOBAN_BAR_ORDER,       /* priorities, order of execution, transfers */
  GOBAN_BAR_FUSION,      /* kernels */
  GOBAN_BAR_INTERACTION, /* only together */
  GOBAN_BAR_TIES,        /* devices were renamed for the comparison, and ties go by device */
  GOBAN_BAR_CAUSE,       /* of runs of different graphs: what devices do */
  GOBAN_BAR_AFTER,       /* the second plan */
  GOBAN_N_BAR_KINDS
} GobanBarKind;

/* A step from one makespan to the next; those of the plans themselves begin at 0. */
typedef struct
{
  GobanBarKind kind;
  const char *label; /* group: "enc/l5 → gpu:1"; part: its word; plan: its name */
  double from_us;
  double to_us;
  double error_us;       /* standard error of a sampled group; else 0 */
  GobanSelection *nodes; /* (nullable) nodes whose decisions differ */
  guint n_nodes;
  gboolean is_possible; /* FALSE: the first plan cannot take these decisions alone */
} GobanBar;

typedef struct
{
  gatomicrefcount ref_count;
  GobanBar *bars; /* (n_bars) from BEFORE to AFTER; groups follow the placement they split */
  guint n_bars;
  gboolean is_complete; /* FALSE: groups are still to be found */
  guint n_groups;       /* of nodes that moved */
  guint n_orders;       /* drawn; 0 if all count */
  guint n_simulations;
  GPtrArray *texts; /* owns the labels */
} GobanBreakdown;

/* All (nullable), or 0. */
typedef struct
{
  const GobanProgress *progress;
  guint n_threads; /* 0: as many as there are processors */
  /* Called in the worker thread when there is more: first without groups. */
  void (*on_found) (GobanBreakdown *so_far, gpointer user_data);
  gpointer user_data;
} GobanBreakdownOptions;

/**
 * goban_breakdown_new:
 * @difference: both plans are simulated on the costs of its second run
 * @options: (nullable)
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if one of the plans
 *   cannot run there, or %GOBAN_ERROR_CANCELLED
 */
GobanBreakdown *goban_breakdown_new (GobanDifference *difference,
                                     const GobanBreakdownOptions *options,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanBreakdown *goban_breakdown_ref (GobanBreakdown *self);
void goban_breakdown_unref (GobanBreakdown *self);

/* The difference of two runs, also of different graphs and clusters, as the sum
 * of those of their causes (engine/study/run/time-causes.h). (transfer full) (nullable): %NULL with
 * %GOBAN_ERROR_INVALID set if one has no end. */
GobanBreakdown *goban_breakdown_new_of_causes (GobanRun *before, GobanRun *after,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* to_us - from_us. */
double goban_bar_get_change_us (const GobanBar *bar);
/* The change of the bar's nodes, to be reverted; FALSE if it has none. */
gboolean goban_bar_get_change (const GobanBar *bar, GobanRevertKind *kind);
/* "before", "cluster", "placement", "group", "order", ... */
extern const char *const goban_bar_kind_words[GOBAN_N_BAR_KINDS];

/* "−31.2 ms", "+2.1 ms"; "0 µs" if the change is below the rounding error of times as long as
 * @whole_us; "cannot run" for NAN. @buffer has GOBAN_QUANTITY_LEN + 1 bytes and is returned. */
const char *goban_format_change (char *buffer, double delta_us, double whole_us);

/* "heft takes 66.5 ms less than single (−12 %): placement −80 ms, order +10 ms,
 * fusion 0 us, interaction +3.5 ms". @names: (nullable) of both plans, else those of the runs.
 * (transfer full) */
char *goban_breakdown_to_sentence (const GobanBreakdown *self,
                                   const char *const names[2]) G_GNUC_WARN_UNUSED_RESULT;
/* How the groups were measured: "Shapley values of 3 groups, 8 simulations". (transfer full) */
char *goban_breakdown_describe_method (const GobanBreakdown *self) G_GNUC_WARN_UNUSED_RESULT;
/* The sentence, a line for each bar, and the method. (transfer full) */
char *goban_breakdown_to_text (const GobanBreakdown *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBreakdown, goban_breakdown_unref)
