/* program-message.h: reader of the messages of a program that makes plans: lines of JSON.
 *
 * The other half of docs/protocol.md is in program-problem.h. Every number is checked here: an
 * index that was read is one of the problem.
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/graph/graph.h"
#include "engine/machine/cluster/cluster.h"
#include "engine/machine/plan/plan.h"
#include "engine/machine/plan/task.h"

G_BEGIN_DECLS

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

G_END_DECLS
