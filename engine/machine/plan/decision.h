/* decision.h: the three decisions of a plan about a node, and their order in GO.
 *
 * One categorical choice per row and task: fusion and scheduling among levels of priority,
 * placement among devices. Later tasks see the decisions of earlier ones
 * (engine/learn/policy/network.h).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GOBAN_DECIDE_FUSION,
  GOBAN_DECIDE_PLACEMENT,
  GOBAN_DECIDE_SCHEDULING,
  GOBAN_N_DECISIONS
} GobanDecision;

/* A set of them: 1 << GOBAN_DECIDE_X. */
typedef guint GobanDecisions;

static inline gboolean
goban_decisions_have (GobanDecisions decisions, GobanDecision decision)
{
  return (decisions & (1u << decision)) != 0;
}

#define GOBAN_DECISIONS_DEFAULT (1u << GOBAN_DECIDE_PLACEMENT)
#define GOBAN_DECISIONS_ALL ((1u << GOBAN_N_DECISIONS) - 1)

/* Number of priority levels, for fusion and scheduling; the middle ones change little. */
#define GOBAN_N_LEVELS 16
#define GOBAN_MIDDLE_LEVEL 8

/* "fusion", "placement", "scheduling". */
const char *goban_decision_get_name (GobanDecision decision);

/* "placement,scheduling": any of the three, in any order, "all" for all; FALSE with
 * %GOBAN_ERROR_INVALID set for another word, one twice or none. */
gboolean goban_decisions_parse (const char *text, GobanDecisions *decisions, GError **error);
/* In the order of the tasks. (transfer full) */
char *goban_decisions_to_text (GobanDecisions decisions) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
