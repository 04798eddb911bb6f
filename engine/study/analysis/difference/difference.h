/* difference.h: exact difference of two runs of one graph, node by node.
 *
 * Immutable and reference-counted; made in any thread. Every difference of the plans counts. A
 * difference of times counts only above a threshold, because one early move shifts everything after
 * it a little.
 *
 * Decision E27 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/difference/device-matching.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

typedef enum
{
  GOBAN_CHANGE_DEVICE,   /* moved */
  GOBAN_CHANGE_PRIORITY, /* another priority; see goban_difference_get_rank_change() */
  GOBAN_CHANGE_FUSION,   /* other kernel members, whatever the cluster's number */
  GOBAN_CHANGE_TIME,     /* finishes earlier or later, by at least the threshold */
  GOBAN_N_CHANGES
} GobanChange;

/* Times of a node in the second run minus those in the first. */
typedef struct
{
  double start_us;
  double finish_us;
} GobanTimeChange;

/* Read-only. */
typedef struct _GobanDifference
{
  gatomicrefcount refs;
  GobanRun *before;
  GobanRun *after;
  GobanDeviceMatching *matching; /* (nullable) */
  double min_change_us;
  struct _GobanPlanDiff *plans;
  guint n_devices;
  gboolean has_same_order;     /* FALSE if one of the runs is FIFO and the other by priority */
  gboolean has_same_transfers; /* FALSE if the transfers' own priorities differ */
  GobanSelection *nodes[GOBAN_N_CHANGES];
  gint32 *rank_changes;   /* (n_nodes), NULL if no priority differs */
  GobanTimeChange *times; /* (n_nodes), NULL if a run has none */
  guint n_nodes;
} GobanDifference;

/* %FALSE with %GOBAN_ERROR_INVALID set for runs of two graphs, of plans for different numbers of
 * devices, and of a plan for more devices than its cluster has. */
gboolean goban_difference_check (GobanRun *before, GobanRun *after, GError **error);

/**
 * goban_difference_new:
 * @min_change_us: finish times that differ by less count as unchanged; 0: every difference counts
 *
 * O(N).
 *
 * Returns: (transfer full) (nullable): %NULL with @error set if goban_difference_check() fails
 */
GobanDifference *goban_difference_new (GobanRun *before, GobanRun *after, double min_change_us,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanDifference *goban_difference_ref (GobanDifference *self);
void goban_difference_unref (GobanDifference *self);

/* Borrowed. */
GobanSelection *goban_difference_get_nodes (const GobanDifference *self, GobanChange change);

/* The number of nodes that moved; 0 if @from equals @to. */
guint goban_difference_get_n_moves (const GobanDifference *self, GobanDeviceId from,
                                    GobanDeviceId to);
/* The nodes that goban_difference_get_n_moves() counts. */
GobanSelection *goban_difference_dup_moves (const GobanDifference *self, GobanDeviceId from,
                                            GobanDeviceId to) G_GNUC_WARN_UNUSED_RESULT;

/* Change of the node's rank in the order of priorities among all nodes, ties by id; negative is
 * more urgent. */
gint32 goban_difference_get_rank_change (const GobanDifference *self, GobanNodeId node);

/* A sentence, then moves, ranks and times, a line each: at most @n_lines of a kind. (transfer
 * full) */
char *goban_difference_describe (const GobanDifference *self,
                                 guint n_lines) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDifference, goban_difference_unref)

/* The difference of @before and the renamed run of @matching (nullable: @after), which is kept:
 * @after of the difference is the renamed run. (transfer full) (nullable): as
 * goban_difference_new() */
GobanDifference *goban_difference_new_matched (GobanRun *before, GobanRun *after,
                                               GobanDeviceMatching *matching, double min_change_us,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The second run as it is. Borrowed. */
GobanRun *goban_difference_get_unmatched (const GobanDifference *self);
