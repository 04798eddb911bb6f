/* program-problem.h: writer of the messages to a program that makes plans: lines of JSON.
 *
 * Nodes, devices, classes and tensors are numbered from 0, nodes in topological order. Arrays have
 * an element for each node, device or edge. The other half of docs/protocol.md is in
 * program-message.h.
 */
#pragma once

#include "engine/machine/plan/plan.h"
#include "engine/sim/outcome.h"
#include "engine/study/programs/program-message.h"
#include "engine/study/run/greedy-plan.h"

G_BEGIN_DECLS

typedef struct
{
  GobanCostModel *costs;
  GobanTasks tasks;
  guint64 seed;
  guint64 n_plans; /* the budget; G_MAXUINT64: no limit of their number */
  double seconds;  /* 0: no limit */
  guint n_rollouts;
  /* (nullable) the plan with which proposals begin, and what it takes */
  const GobanPlan *start;
  GobanOutcome outcome;
} GobanProgramProblem;

void goban_program_write_problem (GString *line, const GobanProgramProblem *problem);

/* "graph": nodes, edges, devices, links, as in a problem: after a key or the beginning. */
void goban_program_write_graph (GString *line, const GobanCostModel *costs);
/* "node", and "free_us", "inputs_us" and "mask" of each of the @rollouts (GobanGreedyPlan), after a
 * key. */
void goban_program_write_step (GString *line, const GPtrArray *rollouts, GobanNodeId node);
/* "devices" and "priorities" of a plan. */
void goban_program_write_plan (GString *line, const GobanPlan *plan);
/* "makespan_us", "overflow_bytes" and "valid". */
void goban_program_write_outcome (GString *line, GobanOutcome outcome);
/* "[" and the numbers with commas and "]"; of numbers that are not finite: null. */
void goban_program_write_numbers (GString *line, const char *key, const double *numbers, guint n);

G_END_DECLS
