/* m-sct-lp.h: favourite children, by the linear programme of Hanen and Munier (1995).
 *
 * Over a graph of tasks with times p and transfers c between them, for every edge a share y of 0 to
 * 1:
 *
 *   minimise w   subject to   s_j >= s_i + p_i + c_ij (1 - y_ij)   for every edge w >= s_i + p_i
 *   for every task
 *                             sum_j y_ij <= 1,  sum_j y_ji <= 1    for every task i
 *
 * Baechi writes x = 1 - y. An edge of share 1 stays on one device and costs nothing; a task can
 * have one favourite child and be that of one parent, and halves of it. Where the shortest w leaves
 * a choice, shares go to the longest transfers.
 *
 * Beyond GOBAN_SCT_WHOLE tasks the graph is solved in windows of half that, in topological order:
 * one knows when its inputs are there, by the shares found so far, and how long the paths are that
 * leave it, all transfers paid. Edges between windows get what is left.
 *
 * CLP's primal simplex solves it from a nearly optimal vertex; the result is deterministic. Only
 * m-sct-lp.c includes CLP's header.
 *
 * Decision E21 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"

#define GOBAN_SCT_WHOLE 6000

typedef struct
{
  guint32 tail; /* lower than head */
  guint32 head;
  double cost_us;
} GobanSctEdge;

/* Borrowed, edges by ascending tail. */
typedef struct
{
  const double *times_us; /* (n_tasks) */
  guint n_tasks;
  const GobanSctEdge *edges; /* (n_edges) */
  guint n_edges;
} GobanSctTasks;

/**
 * goban_sct_solve:
 * @n_whole: maximum number of tasks to solve at once, GOBAN_SCT_WHOLE except in tests
 * @shares: (array length=n_edges): y of every edge
 *
 * Returns: the longest path under these shares: the optimum w if the graph was solved as a
 *   whole; negative with %GOBAN_ERROR_CANCELLED set
 */
double goban_sct_solve (const GobanSctTasks *tasks, guint n_whole, double *shares,
                        const GobanProgress *progress, GError **error);
