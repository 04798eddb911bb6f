/* joint-moves.h: changes of order and of fusion levels that may shorten the run of a plan, and their
 * scores. */
#pragma once

#include "engine/learn/policy/plan-profile.h"

#include <glib.h>

G_BEGIN_DECLS

/* --- a list of moves sorted by score; each is chosen once -------------------------------------- */

typedef struct
{
  guint first; /* index of its first change in the list of changes */
  guint n;
  gboolean joins; /* for fusion: TRUE fuses its ops first, FALSE leaves them unfused */
  float score;    /* time saved, as a share of the makespan */
  gboolean is_tried;
} GobanScoredMove;

/* Sorts moves (GobanScoredMove) by descending score, equal scores by their first change. */
void goban_scored_moves_sort (GArray *moves);

/* Returns the best untried move and marks it as tried. (nullable) */
const GobanScoredMove *goban_scored_moves_choose (GArray *moves);

/* Changes of an order that may shorten the run of a plan, and their scores.
 *
 * Three kinds of moves: a ready op that had to wait goes before the ops that its device ran in that
 * time; these ops go after it, if they have slack; a transfer that waited for its channel goes
 * before the one that held it. A move is a list of key shifts (engine/learn/rl/joint-choices.h).
 * The score estimates the gain if nothing else changes, as a share of the makespan: the saved wait,
 * reduced if the op has slack, minus the delay of postponed ops beyond their slack.
 */

typedef struct
{
  GobanNodeId node;
  double by; /* added to its shift */
} GobanKeyShift;

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *shifts;                  /* GobanKeyShift */
  double range;                    /* of keys */

  /* Data of the last run that was read. A kernel is identified by its lowest node. */
  double *keys;         /* (n_nodes) */
  double *latest;       /* (n_nodes) latest starts, as goban_order_moves_fill_latest() */
  guint32 *kernel_of;   /* (n_nodes) */
  guint32 *next_fused;  /* (n_nodes) or GOBAN_NO_NODE */
  double *kernel_start; /* (n_nodes) of kernels */
  double *kernel_end;
  guint32 *sequence; /* (n_nodes) kernels of each device, by start */
  guint32 *place_of; /* (n_nodes) of kernels, in sequence */
  guint32 *first;    /* (n_devices + 1) of each device, in sequence */
} GobanOrderMoves;

/* @profile must outlive it. */
GobanOrderMoves *goban_order_moves_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_order_moves_free (GobanOrderMoves *self);

/* Finds moves from the plan of @trace, which the profile has read. keys (n_nodes) (nullable): the
 * keys of its order; NULL for FIFO, where moves shift -start. */
void goban_order_moves_read (GobanOrderMoves *self, const GobanTrace *trace, const double *keys);

/* Writes minus the latest start of each op to keys (n_nodes): the start that delays no consumer, if
 * transfers take as long as in the run. Such ranks account for contention. */
void goban_order_moves_fill_latest (const GobanOrderMoves *self, double *keys);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrderMoves, goban_order_moves_free)

/* Changes of fusion levels that may shorten the run of a plan, and their scores.
 *
 * Fusing an op with its readers on the same device saves launches, and the traffic of a tensor
 * without other readers. Taking an op out of a kernel helps if critical readers elsewhere wait for
 * its tensor. A score is the time saved as a share of the makespan, less if the op has slack.
 * Similar ops (one type, one phase, readers of the same types) are changed together as well as one
 * by one.
 */

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *nodes;                   /* guint32 */
  guint8 *classes;                 /* (n_nodes) GobanFusionClass */
  guint32 *kind_of;                /* (n_nodes) ops with the same number are similar */
  guint n_kinds;
} GobanFusionMoves;

/* @profile must outlive it. */
GobanFusionMoves *
goban_fusion_moves_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_fusion_moves_free (GobanFusionMoves *self);

/* Finds moves from the plan of @trace, which the profile has read. O(N + E) and a sort. */
void goban_fusion_moves_read (GobanFusionMoves *self, const GobanTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFusionMoves, goban_fusion_moves_free)

G_END_DECLS
