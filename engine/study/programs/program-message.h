/* program-message.h: messages of a program that makes plans, and to it: lines of JSON, as
 * docs/protocol.md says.
 *
 * Every number that is read is checked here: an index is one of the problem.
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/graph/graph.h"
#include "engine/machine/cluster/cluster.h"
#include "engine/machine/plan/plan.h"
#include "engine/machine/plan/task.h"
#include "engine/sim/outcome.h"
#include "engine/study/run/guest-policy.h"

#define GOBAN_PROTOCOL_VERSION 1
#define GOBAN_PROGRAM_MAX_ROLLOUTS 1024

typedef enum
{
  GOBAN_SAYS_HELLO = 1 << 0,
  GOBAN_SAYS_PLAN = 1 << 1,
  GOBAN_SAYS_PROPOSE = 1 << 2,
  GOBAN_SAYS_ACT = 1 << 3,
  GOBAN_SAYS_END = 1 << 4,
} GobanProgramSaying;

typedef enum
{
  GOBAN_DECIDES_PLAN,
  GOBAN_DECIDES_STEP,
  GOBAN_DECIDES_PROPOSE,
} GobanProgramDecides;

typedef struct
{
  GobanNodeId node;
  GobanDeviceId device;
} GobanProgramMove;

/* The bounds of a message: what is expected, and of which problem. */
typedef struct
{
  guint expected; /* a set of sayings */
  guint n_nodes, n_devices;
  guint n_rows; /* of ACT: devices that are asked for */
  gboolean has_priorities;
} GobanProgramExpectation;

/* Arrays are kept for the next message, and have room for those that were read. */
typedef struct
{
  GobanProgramSaying saying;
  GobanProgramDecides decides; /* HELLO */
  GobanTasks tasks;            /* HELLO: placement, scheduling or both */
  guint n_rollouts;            /* HELLO: from 1 */
  GArray *devices;             /* PLAN: GobanDeviceId of each node; ACT: of each row */
  GArray *priorities;          /* PLAN: gint32 of each node, or none */
  GArray *moves;               /* PROPOSE: GobanProgramMove */
  gboolean wants_details;      /* PLAN */
  gboolean has_limit;          /* PLAN, PROPOSE: it is accepted up to limit_us */
  double limit_us;
} GobanProgramMessage;

void goban_program_message_init (GobanProgramMessage *self);
void goban_program_message_clear (GobanProgramMessage *self);

/* @origin: "line 3 of agent", which begins the message of an error. %FALSE with
 * %GOBAN_ERROR_PARSE set. */
gboolean goban_program_message_read (GobanProgramMessage *self, const char *line, gsize n,
                                     const GobanProgramExpectation *expectation, const char *origin,
                                     GError **error);

/* The contents of a PLAN ("devices", "priorities") or a PROPOSE ("moves") in an object that may
 * have other members. %FALSE with %GOBAN_ERROR_PARSE set. */
gboolean goban_program_message_read_body (GobanProgramMessage *self, GobanJsonValue root,
                                          GobanProgramSaying saying,
                                          const GobanProgramExpectation *expectation,
                                          GError **error);

/* A text of one line: "line 3 of agent:1:17: ..." without the number that says nothing. For errors
 * of readers whose path was @origin. */
void goban_program_drop_line_number (GError *error, const char *origin);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanProgramMessage, goban_program_message_clear)

/* The plan of a message: @blank with its devices, and its priorities if it has some.
 * (transfer full) */
GobanPlan *goban_program_message_new_plan (const GobanProgramMessage *self,
                                           const GobanPlan *blank) G_GNUC_WARN_UNUSED_RESULT;

/* --- writing ---------------------------------------------------------------------------------- */

/* Nodes, devices, classes and tensors are numbered from 0, nodes in topological order. Arrays have
 * an element for each node, device or edge. */

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
