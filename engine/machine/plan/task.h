/* task.h: the three tasks of a plan, a decision about each node in each, and their order in GO.
 *
 * One categorical choice per row and task: fusion and scheduling among levels of priority,
 * placement among devices. Later tasks see the decisions of earlier ones
 * (engine/learn/policy/network.h).
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_TASK_FUSION,
  GOBAN_TASK_PLACEMENT,
  GOBAN_TASK_SCHEDULING,
  GOBAN_N_TASKS
} GobanTask;

/* A set of tasks: 1 << GOBAN_TASK_X. */
typedef guint GobanTasks;

static inline gboolean
goban_tasks_have (GobanTasks tasks, GobanTask task)
{
  return (tasks & (1u << task)) != 0;
}

#define GOBAN_TASKS_DEFAULT (1u << GOBAN_TASK_PLACEMENT)
#define GOBAN_TASKS_ALL ((1u << GOBAN_N_TASKS) - 1)

/* Number of priority levels, for fusion and scheduling; the middle ones change little. */
#define GOBAN_N_LEVELS 16
#define GOBAN_MIDDLE_LEVEL 8

/* "fusion", "placement", "scheduling". */
const char *goban_task_get_name (GobanTask task);

/* "placement,scheduling": any of the three, in any order, "all" for all; FALSE with
 * %GOBAN_ERROR_INVALID set for another word, one twice or none. */
gboolean goban_tasks_parse (const char *text, GobanTasks *tasks, GError **error);
/* In the order of the tasks. (transfer full) */
char *goban_tasks_to_text (GobanTasks tasks) G_GNUC_WARN_UNUSED_RESULT;
