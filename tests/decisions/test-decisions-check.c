/* The checker of records finds each fault that a policy can write. */
#include "tests/support/decisions-check.h"

#include "engine/decisions/decisions-writer.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

typedef enum
{
  NO_FAULT,
  OTHER_PRIORITY, /* of the plan than in the record */
  OTHER_ORDER,
  OTHER_KERNEL,
  OTHER_TRANSFERS,
  OTHER_BOUND,
  OTHER_MAKESPAN,
  OTHER_OVERFLOW,
  CANNOT_RUN,
  SPLIT_GROUP,
  NOT_LEAST,
  TAKES_REFUSED,
  LEFT_OUT, /* a node is never decided */
  NO_SUCH_OPTION,
  TOO_MANY_OPTIONS,
  WRONG_LEVEL,
  N_FAULTS
} Fault;

/* A pattern of the failed assertion. */
static const char *const messages[N_FAULTS] = {
  [OTHER_PRIORITY] = "*check_same_plan*priorities*",
  [OTHER_ORDER] = "*check_same_plan*order*",
  [OTHER_KERNEL] = "*check_same_plan*fusions*",
  [OTHER_TRANSFERS] = "*check_same_plan*transfers*",
  [OTHER_BOUND] = "*check_same_plan*proven_bound*",
  [OTHER_MAKESPAN] = "*check_settled_plans*makespan_us*",
  [OTHER_OVERFLOW] = "*check_settled_plans*overflow_bytes*",
  [CANNOT_RUN] = "*check_prefix*can_run*",
  [SPLIT_GROUP] = "*check_prefix*groups*",
  [NOT_LEAST] = "*check_scores*scores*",
  [TAKES_REFUSED] = "*check_scores*refusals*",
  [LEFT_OUT] = "*check_states*!=*",
  [NO_SUCH_OPTION] = "*check_moments*n_options*",
  [TOO_MANY_OPTIONS] = "*check_moments*n_devices*",
  [WRONG_LEVEL] = "*check_spans*level*",
};

typedef struct
{
  GobanCostModel *costs;
  guint n_nodes, n_devices;
  GobanDeviceId *devices; /* (n_nodes) of a plan that can run */
  GobanNodeId member;     /* of a group with another member before it */
  GobanNodeId picky;      /* cannot run on device 1 */
  GobanNodeId last;       /* one on the last device */
} Problem;

static void
problem_init (Problem *self)
{
  const GobanGraph *graph;
  g_autoptr (GobanPlan) plan = NULL;

  *self = (Problem){ .costs = toy_costs (toy_mixed (60, 4), TOY_MIXED_CLUSTER) };
  graph = goban_cost_model_get_graph (self->costs);
  plan = toy_place (self->costs, "m-topo", 1);
  self->n_nodes = goban_graph_get_n_nodes (graph);
  self->n_devices = 3;
  self->member = self->picky = self->last = self->n_nodes;
  self->devices = g_memdup2 (goban_plan_get_devices (plan), self->n_nodes * sizeof *self->devices);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (!goban_cost_model_can_run (self->costs, v, 1))
        self->picky = v;
      if (self->devices[v] == 2)
        self->last = v;
      for (GobanNodeId u = 0; u < v && group != GOBAN_NO_GROUP; u++)
        if (goban_graph_get_node (graph, u)->group == group)
          self->member = v;
    }
  g_assert_cmpuint (self->member, <, self->n_nodes);
  g_assert_cmpuint (self->picky, <, self->n_nodes);
  g_assert_cmpuint (self->last, <, self->n_nodes);
}

static void
problem_clear (Problem *self)
{
  g_free (self->devices);
  goban_cost_model_unref (self->costs);
}

static void
decide (const Problem *self, GobanDecisionsWriter *writer, GobanNodeId node, Fault fault)
{
  guint32 device = self->devices[node];
  guint n_options = self->n_devices;

  for (guint d = 0; d < n_options; d++)
    goban_decisions_writer_score (writer, d, d == device ? 1 : 2, 0);
  if (node == 0 && fault == NOT_LEAST)
    goban_decisions_writer_score (writer, (device + 1) % n_options, 0.5, 0);
  if (node == 0 && fault == TAKES_REFUSED)
    goban_decisions_writer_score (writer, device, 1, GOBAN_REFUSAL_MEMORY);
  if (node == self->last && fault == NO_SUCH_OPTION)
    n_options = device;
  if (node == 0 && fault == TOO_MANY_OPTIONS)
    n_options++;
  if (node == self->picky && fault == CANNOT_RUN)
    device = 1;
  if (node == self->member && fault == SPLIT_GROUP)
    device = device == 0 ? 2 : 0;
  goban_decisions_writer_decide (writer,
                                 &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                       .score = GOBAN_SCORE_FINISH_US,
                                                       .takes_least = TRUE,
                                                       .nodes = &node,
                                                       .n_nodes = 1,
                                                       .n_options = n_options },
                                 device);
}

/* The plan of the record, or one that differs in the respect of the fault. */
static GobanPlan *
new_plan (const Problem *self, Fault fault)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  g_autofree gint32 *transfers = g_new0 (gint32, goban_graph_get_n_tensors (graph));
  GobanPlan *plan = goban_plan_new (graph, self->n_devices);

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      goban_plan_set_device (plan, v, self->devices[v]);
      goban_plan_set_priority (plan, v, (gint32) (v % 7));
    }
  goban_plan_set_order (plan, fault == OTHER_ORDER ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
  if (fault == OTHER_PRIORITY)
    goban_plan_set_priority (plan, 1, 99);
  if (fault == OTHER_KERNEL)
    goban_plan_set_fusion (plan, 0, 0);
  if (fault == OTHER_TRANSFERS)
    goban_plan_set_transfer_priorities (plan, transfers);
  goban_plan_set_proven_bound_us (plan, self->costs, fault == OTHER_BOUND ? 2 : 1);
  return plan;
}

static void
check_fault (Fault fault)
{
  Problem problem;
  GobanDecisionsWriter *first, *span;
  GobanSimulator *simulator;
  GobanOutcome outcome;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) final = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;

  problem_init (&problem);
  plan = new_plan (&problem, NO_FAULT);
  final = new_plan (&problem, fault);
  simulator = goban_simulator_new (problem.costs);
  outcome = goban_simulator_evaluate (simulator, plan);
  goban_simulator_free (simulator);
  outcome.makespan_us += fault == OTHER_MAKESPAN;
  outcome.overflow_bytes += fault == OTHER_OVERFLOW;

  first = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = problem.n_nodes, .n_devices = problem.n_devices });
  span = goban_decisions_writer_open (
      first, &(GobanSpanHead){ .name = "attempt", .level = GOBAN_LEVEL_PLAN });
  if (fault == WRONG_LEVEL)
    goban_decisions_writer_close (
        goban_decisions_writer_open (
            span, &(GobanSpanHead){ .name = "update", .level = GOBAN_LEVEL_ROUND }),
        NULL, TRUE);
  for (GobanNodeId v = fault == LEFT_OUT; v < problem.n_nodes; v++)
    decide (&problem, span, v, fault);
  goban_decisions_writer_settle (span, plan);
  goban_decisions_writer_prove (span, 1);
  goban_decisions_writer_close (
      span, &(GobanSpanResult){ outcome.makespan_us, outcome.overflow_bytes, NULL }, TRUE);
  decisions = goban_decisions_writer_end (first);
  check_decisions (problem.costs, final, decisions);
  problem_clear (&problem);
}

static void
test_fault (gconstpointer data)
{
  Fault fault = (Fault) GPOINTER_TO_UINT (data);

  if (fault == NO_FAULT || g_test_subprocess ())
    {
      check_fault (fault);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr (messages[fault]);
}

TEST_PROGRAM (decisions_check)
{
  g_test_init (&argc, &argv, NULL);
  for (guint fault = NO_FAULT; fault < N_FAULTS; fault++)
    {
      g_autofree char *path = g_strdup_printf ("/decisions-check/%u", fault);

      g_test_add_data_func (path, GUINT_TO_POINTER (fault), test_fault);
    }
  return g_test_run ();
}
