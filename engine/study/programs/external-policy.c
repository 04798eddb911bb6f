#include "engine/study/programs/external-policy.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/placers/units.h"
#include "engine/sim/simulator.h"
#include "engine/study/programs/child-program.h"
#include "engine/study/programs/program-message.h"
#include "engine/study/run/guest-policy.h"

#include <math.h>
#include <string.h>

/* Plans that break a rule in a row, before the program is not asked any more. */
#define MAX_REFUSED 1000
/* To save what it has learned. */
#define GRACE_S 2.0
/* In menus. */
#define MAX_COMMAND_LETTERS 100
#define ALLOWED_TASKS ((1u << GOBAN_TASK_PLACEMENT) | (1u << GOBAN_TASK_SCHEDULING))

/* What was registered; kept for good. */
typedef struct
{
  char **argv;
  double timeout_s;
  GobanTasks tasks;
} External;

/* One conversation. */
typedef struct
{
  GobanGuestTask *task;
  GobanCostModel *costs;
  const External *external;
  GobanChildProgramOptions options;
  GobanChildProgram *program;
  GobanUnits *units;
  GobanPlan *blank; /* priorities of plans without their own */
  GobanProgramMessage message;
  GobanProgramExpectation expectation;
  GString *line;   /* that is sent */
  guint n_refused; /* plans in a row */
  GError *refusal; /* of the last one */
  GobanTasks tasks;
} Talk;

static gboolean
should_stop_cb (gpointer user_data)
{
  const Talk *self = user_data;

  return self->task->is_search ? !goban_guest_task_go_on (self->task)
                               : goban_guest_task_is_stopped (self->task);
}

/* --- messages --------------------------------------------------------------------------------- */

static gboolean
read_message (Talk *self, guint expected, GError **error)
{
  gsize n;
  const char *line = goban_child_program_read (self->program, &n, error);
  g_autofree char *origin = NULL;

  if (line == NULL)
    return FALSE;
  origin = g_strdup_printf ("line %" G_GUINT64_FORMAT " of %s",
                            goban_child_program_get_n_lines (self->program), self->options.name);
  self->expectation.expected = expected;
  return goban_program_message_read (&self->message, line, n, &self->expectation, origin, error);
}

/* Ends the line and sends it. */
static gboolean
send_line (Talk *self, GError **error)
{
  g_string_append (self->line, "}\n");
  return goban_child_program_write (self->program, self->line, error);
}

static void
begin_line (Talk *self, const char *type)
{
  g_string_assign (self->line, "{");
  goban_json_add_string (self->line, "type", type);
}

static gboolean
say_hello (Talk *self, GError **error)
{
  const GobanProgramMessage *message = &self->message;

  if (!read_message (self, GOBAN_SAYS_HELLO, error))
    return FALSE;
  self->tasks
      = message->tasks & (self->external->tasks != 0 ? self->external->tasks : ALLOWED_TASKS);
  if (self->tasks == 0)
    {
      g_autofree char *wanted = goban_tasks_to_text (self->external->tasks);
      g_autofree char *offered = goban_tasks_to_text (message->tasks);

      return goban_refuse (error, GOBAN_ERROR_INVALID, "%s decides %s, and is to decide %s",
                           self->options.name, offered, wanted);
    }
  self->expectation.has_priorities = goban_tasks_have (self->tasks, GOBAN_TASK_SCHEDULING);
  return TRUE;
}

static gboolean
send_problem (Talk *self, const GobanPlan *start, GobanOutcome outcome, GError **error)
{
  const GobanProgramProblem problem = {
    .costs = self->costs,
    .tasks = self->tasks,
    .seed = self->task->seed,
    .n_plans = self->task->is_search ? goban_guest_task_get_n_left (self->task) : 1,
    .seconds = self->task->max_seconds,
    .n_rollouts = self->message.n_rollouts,
    .start = start,
    .outcome = outcome,
  };

  goban_program_write_problem (self->line, &problem);
  return goban_child_program_write (self->program, self->line, error);
}

/* --- plans ------------------------------------------------------------------------------------ */

/* %FALSE if the plan breaks a rule: the refusal says which, and the outcome is that of no run. */
static gboolean
try_plan (Talk *self, const GobanPlan *plan, GobanOutcome *outcome)
{
  gboolean is_kept;

  g_clear_error (&self->refusal);
  *outcome = (GobanOutcome){ (double) INFINITY, 0 };
  is_kept = self->task->is_search
                ? goban_guest_task_evaluate (self->task, plan, outcome, &self->refusal)
                : goban_guest_task_simulate (self->task, plan, outcome, &self->refusal);
  self->n_refused = is_kept ? 0 : self->n_refused + 1;
  return is_kept;
}

/* Whether another plan is wanted. */
static gboolean
has_more (const Talk *self)
{
  return self->task->is_search && goban_guest_task_go_on (self->task)
         && self->n_refused < MAX_REFUSED;
}

static void
write_rest (Talk *self)
{
  guint64 n_left = self->task->is_search ? goban_guest_task_get_n_left (self->task) : 0;

  if (self->refusal != NULL)
    goban_json_add_string (self->line, "why", self->refusal->message);
  goban_json_append_key (self->line, "left");
  if (n_left == G_MAXUINT64)
    g_string_append (self->line, "null");
  else
    g_string_append_printf (self->line, "%" G_GUINT64_FORMAT, n_left);
  goban_json_add_boolean (self->line, "more", has_more (self));
}

/* What the whole trace tells: use of the devices, and the chain that makes the makespan. */
static void
write_details (Talk *self, GobanPlan *plan)
{
  static const char *const waits[]
      = { "none", "input", "arrival", "device", "producer", "channel" };
  g_autoptr (GobanTrace) trace = goban_simulate (self->costs, plan);
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  guint n_steps;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n_steps);
  g_autofree double *busy = g_new (double, self->units->n_devices);
  g_autofree double *peak = g_new (double, self->units->n_devices);

  for (guint d = 0; d < self->units->n_devices; d++)
    {
      busy[d] = uses[d].busy_us;
      peak[d] = uses[d].peak_bytes;
    }
  goban_program_write_numbers (self->line, "busy_us", busy, self->units->n_devices);
  goban_program_write_numbers (self->line, "peak_bytes", peak, self->units->n_devices);
  goban_json_begin (self->line, "critical_path", '[');
  for (guint i = 0; i < n_steps; i++)
    {
      guint n;
      guint32 node = steps[i].is_transfer
                         ? goban_graph_get_tensor (
                               self->units->graph,
                               goban_trace_get_transfers (trace, &n)[steps[i].index].tensor)
                               ->producer
                         : steps[i].index;

      g_string_append_printf (self->line, "%s[%u,\"%s\",\"%s\"]", i > 0 ? "," : "", node,
                              steps[i].is_transfer ? "transfer" : "op", waits[steps[i].wait]);
    }
  g_string_append_c (self->line, ']');
}

/* --- whole plans ------------------------------------------------------------------------------ */

static gboolean
send_result (Talk *self, GobanPlan *plan, GobanOutcome outcome, GError **error)
{
  begin_line (self, "result");
  goban_program_write_outcome (self->line, outcome);
  if (self->message.wants_details && self->refusal == NULL)
    write_details (self, plan);
  write_rest (self);
  return send_line (self, error);
}

/* A single plan that breaks a rule is a mistake; a search may learn from it. */
static gboolean
take_plans (Talk *self, GobanPlan **made, GError **error)
{
  const GobanOutcome none = { 0 };
  gboolean is_single = !self->task->is_search;

  if (!send_problem (self, NULL, none, error))
    return FALSE;
  do
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (!read_message (self, GOBAN_SAYS_PLAN | GOBAN_SAYS_END, error))
        return FALSE;
      if (self->message.saying == GOBAN_SAYS_END)
        return TRUE;
      plan = goban_program_message_new_plan (&self->message, self->blank);
      if (!try_plan (self, plan, &outcome) && is_single)
        return TRUE;
      if (!send_result (self, plan, outcome, error))
        return FALSE;
      if (is_single)
        *made = g_steal_pointer (&plan);
    }
  while (has_more (self));
  return TRUE;
}

/* --- node by node ----------------------------------------------------------------------------- */

/* Asks for a device of the node in each rollout. @taken (rollouts): of the node before, which the
 * answer did not decide where a group or the user had. */
static gboolean
ask_step (Talk *self, GPtrArray *rollouts, GobanNodeId node, const GobanDeviceId *taken,
          GError **error)
{
  begin_line (self, "step");
  goban_program_write_step (self->line, rollouts, node);
  goban_json_begin (self->line, "taken", '[');
  for (guint k = 0; k < rollouts->len && node > 0; k++)
    g_string_append_printf (self->line, "%s%u", k > 0 ? "," : "", taken[k]);
  g_string_append_c (self->line, ']');
  if (!send_line (self, error))
    return FALSE;
  self->expectation.n_rows = rollouts->len;
  return read_message (self, GOBAN_SAYS_ACT | GOBAN_SAYS_END, error);
}

/* Builds a plan in each rollout. @has_ended: the program wants no more. */
static gboolean
build_plans (Talk *self, GPtrArray *rollouts, gboolean *has_ended, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (self->units->graph);
  g_autofree GobanDeviceId *taken = g_new (GobanDeviceId, rollouts->len);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (!ask_step (self, rollouts, v, taken, error))
        return FALSE;
      if (self->message.saying == GOBAN_SAYS_END)
        {
          *has_ended = TRUE;
          return TRUE;
        }
      for (guint k = 0; k < rollouts->len; k++)
        {
          GobanGreedyPlan *greedy = g_ptr_array_index (rollouts, k);

          if (!goban_greedy_plan_assign (
                  greedy, v, g_array_index (self->message.devices, GobanDeviceId, k), error))
            return FALSE;
          taken[k] = goban_plan_get_device (greedy->plan, v);
        }
    }
  return TRUE;
}

/* Simulates the plans and tells what they take: lists with an element for each rollout. */
static gboolean
judge_plans (Talk *self, GPtrArray *rollouts, GobanPlan **made, GError **error)
{
  g_autofree double *makespan_us = g_new (double, rollouts->len);
  g_autofree double *overflow_bytes = g_new (double, rollouts->len);

  for (guint k = 0; k < rollouts->len; k++)
    {
      g_autoptr (GobanPlan) plan
          = goban_greedy_plan_copy_plan (g_ptr_array_index (rollouts, k), error);
      GobanOutcome outcome;

      if (plan == NULL)
        return FALSE;
      try_plan (self, plan, &outcome);
      makespan_us[k] = outcome.makespan_us;
      overflow_bytes[k] = outcome.overflow_bytes;
      if (!self->task->is_search)
        *made = g_steal_pointer (&plan);
    }
  begin_line (self, "result");
  goban_program_write_numbers (self->line, "makespan_us", makespan_us, rollouts->len);
  goban_program_write_numbers (self->line, "overflow_bytes", overflow_bytes, rollouts->len);
  write_rest (self);
  return send_line (self, error);
}

static gboolean
take_steps (Talk *self, GobanPlan **made, GError **error)
{
  const GobanOutcome none = { 0 };
  guint n_wanted = self->message.n_rollouts;
  gboolean has_ended = FALSE;

  if (!send_problem (self, NULL, none, error))
    return FALSE;
  do
    {
      g_autoptr (GPtrArray) rollouts
          = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_greedy_plan_free);
      guint64 n_left = self->task->is_search ? goban_guest_task_get_n_left (self->task) : 1;

      for (guint k = 0; k < MIN (n_wanted, n_left); k++)
        g_ptr_array_add (rollouts, goban_guest_task_new_greedy_plan (self->task));
      if (!build_plans (self, rollouts, &has_ended, error)
          || (!has_ended && !judge_plans (self, rollouts, made, error)))
        return FALSE;
    }
  while (!has_ended && has_more (self));
  return TRUE;
}

/* --- proposals -------------------------------------------------------------------------------- */

/* The present plan with the moves of the message; groups move as one. */
static GobanPlan *
move_nodes (const Talk *self, const GobanPlan *current)
{
  const GobanUnits *units = self->units;
  GobanPlan *plan = goban_plan_copy (current);

  for (guint i = 0; i < self->message.moves->len; i++)
    {
      GobanProgramMove move = g_array_index (self->message.moves, GobanProgramMove, i);
      guint32 unit = units->unit_of[move.node];

      for (guint32 k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        goban_plan_set_device (plan, units->nodes[k], move.device);
    }
  return plan;
}

/* By overflow, then by time, as searches compare. */
static gboolean
is_as_good (GobanOutcome a, GobanOutcome b)
{
  return a.overflow_bytes != b.overflow_bytes ? a.overflow_bytes < b.overflow_bytes
                                              : a.makespan_us <= b.makespan_us;
}

static gboolean
is_accepted (const Talk *self, GobanOutcome outcome, GobanOutcome current)
{
  if (self->refusal != NULL)
    return FALSE;
  return self->message.has_limit ? outcome.overflow_bytes <= current.overflow_bytes
                                       && outcome.makespan_us <= self->message.limit_us
                                 : is_as_good (outcome, current);
}

static gboolean
take_proposals (Talk *self, GobanPlan **made, GError **error)
{
  g_autoptr (GobanPlan) current = goban_guest_task_new_first_plan (self->task, error);
  GobanOutcome current_outcome;

  if (current == NULL)
    return FALSE;
  if (!try_plan (self, current, &current_outcome))
    return TRUE;
  if (!send_problem (self, current, current_outcome, error))
    return FALSE;
  while (has_more (self))
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;
      gboolean accepted;

      if (!read_message (self, GOBAN_SAYS_PROPOSE | GOBAN_SAYS_PLAN | GOBAN_SAYS_END, error))
        return FALSE;
      if (self->message.saying == GOBAN_SAYS_END)
        break;
      plan = self->message.saying == GOBAN_SAYS_PLAN
                 ? goban_program_message_new_plan (&self->message, self->blank)
                 : move_nodes (self, current);
      try_plan (self, plan, &outcome);
      accepted = is_accepted (self, outcome, current_outcome);
      if (accepted)
        {
          g_clear_pointer (&current, goban_plan_unref);
          current = g_steal_pointer (&plan);
          current_outcome = outcome;
        }
      begin_line (self, "accept");
      goban_json_add_boolean (self->line, "accepted", accepted);
      goban_program_write_outcome (self->line, outcome);
      goban_json_add_number (self->line, "current_us", current_outcome.makespan_us);
      write_rest (self);
      if (!send_line (self, error))
        return FALSE;
    }
  if (!self->task->is_search)
    *made = g_steal_pointer (&current);
  return TRUE;
}

/* --- the policy ------------------------------------------------------------------------------- */

static gboolean
converse (Talk *self, GobanPlan **made, GError **error)
{
  if (!say_hello (self, error))
    return FALSE;
  switch (self->message.decides)
    {
    case GOBAN_DECIDES_PLAN:
      return take_plans (self, made, error);
    case GOBAN_DECIDES_STEP:
      return take_steps (self, made, error);
    case GOBAN_DECIDES_PROPOSE:
      if (!self->task->is_search)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "%s proposes changes, so it needs a number of plans: say evals",
                             self->options.name);
      return take_proposals (self, made, error);
    default:
      g_assert_not_reached ();
    }
}

/* The best plan of a search that was stopped is as good as any; the task finds it. */
static gboolean
end_talk (Talk *self, gboolean is_done, GError **why, GError **error)
{
  gboolean is_stopped = g_error_matches (*why, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);

  if (is_done || is_stopped)
    {
      begin_line (self, "end");
      send_line (self, NULL); /* it may have ended before */
    }
  if (is_done && self->refusal != NULL && goban_guest_task_get_best (self->task) == NULL)
    {
      is_done = FALSE;
      goban_set_error (why, GOBAN_ERROR_INVALID, "the plan of %s breaks a rule: %s",
                       self->options.name, self->refusal->message);
    }
  if (is_done || (is_stopped && self->task->is_search))
    {
      g_clear_error (why);
      return TRUE;
    }
  if (!is_stopped)
    goban_child_program_explain (self->program, why);
  g_propagate_error (error, g_steal_pointer (why));
  return FALSE;
}

/* All that a program is told and asked on one graph. */
static gboolean
place (GobanGuestTask *task, gpointer owner, GobanPlan **plan, GError **error)
{
  const External *external = task->data;
  GobanCostModel *costs = task->costs;
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *zeros = NULL;
  GError *why = NULL;
  gboolean is_done;
  Talk self;

  if (units == NULL)
    return FALSE;
  zeros = g_new0 (GobanDeviceId, units->n_units);
  self = (Talk){
    .task = task,
    .costs = costs,
    .external = external,
    .options = { task->name, (const char *const *) external->argv, external->timeout_s,
                 should_stop_cb, &self },
    .units = units,
    .expectation
    = { .n_nodes = goban_graph_get_n_nodes (units->graph), .n_devices = units->n_devices },
  };
  /* The clock of a search begins here. */
  if (task->is_search)
    goban_guest_task_go_on (task);
  self.program = goban_child_program_start (&self.options, error);
  if (self.program == NULL)
    return FALSE;
  self.blank = goban_units_new_plan (units, zeros);
  self.line = g_string_new (NULL);
  goban_program_message_init (&self.message);
  is_done = end_talk (&self, converse (&self, plan, &why), &why, error);
  goban_child_program_free (self.program, is_done ? GRACE_S : 0);
  goban_program_message_clear (&self.message);
  g_string_free (self.line, TRUE);
  goban_plan_unref (self.blank);
  g_clear_error (&self.refusal);
  if (!is_done)
    g_clear_pointer (plan, goban_plan_unref);
  return is_done;
}

gboolean
goban_external_policy_add (const GobanExternalPolicy *policy, gpointer owner, GError **error)
{
  g_autofree char *joined = g_strjoinv (" ", (char **) policy->argv);
  g_autofree char *valid = g_utf8_make_valid (joined, -1);
  g_autofree char *command
      = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), MAX_COMMAND_LETTERS));
  External *external;

  if (policy->tasks & ~ALLOWED_TASKS)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a program decides placement and scheduling, not fusion");
  external = g_new (External, 1);
  *external = (External){
    .argv = g_strdupv ((char **) policy->argv),
    .timeout_s = policy->timeout_s > 0 ? policy->timeout_s : GOBAN_EXTERNAL_POLICY_TIMEOUT_S,
    .tasks = policy->tasks,
  };
  if (goban_guest_policy_add (
          &(GobanGuestPolicy){ .name = policy->name,
                               .blurb = policy->blurb != NULL ? policy->blurb : command,
                               .source = "another program",
                               .default_evaluations = policy->evaluations,
                               .place = place,
                               .owner = owner,
                               .data = external },
          error))
    return TRUE;
  g_strfreev (external->argv);
  g_free (external);
  return FALSE;
}

gboolean
goban_external_policy_add_text (const char *text, guint64 evaluations, gpointer owner,
                                GError **error)
{
  const char *command = strchr (text, '=');
  g_autofree char *name = command != NULL ? g_strndup (text, (gsize) (command - text)) : NULL;
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) why = NULL;

  if (name == NULL || *name == '\0' || command[1] == '\0')
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” is not NAME=COMMAND, such as agent=\"python3 agent.py\"", text);
  if (!g_shell_parse_argv (command + 1, NULL, &argv, &why))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: %s", name, why->message);
  return goban_external_policy_add (&(GobanExternalPolicy){ .name = name,
                                                            .argv = (const char *const *) argv,
                                                            .evaluations = evaluations },
                                    owner, error);
}
