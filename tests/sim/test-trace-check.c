#include "tests/support/trace-check.h"

#include "engine/core/error.h"
#include "engine/sim/simulator.h"
#include "engine/sim/trace-private.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

/* A checker is worth what it refuses: each of these spoils a sound trace in one way. */
typedef gboolean (*SpoilFunc) (GobanTrace *trace, GobanRng *rng);

static GobanNodeId
any_node (const GobanTrace *trace, GobanRng *rng)
{
  return goban_rng_below (rng, goban_plan_get_n_nodes (trace->plan));
}

static gboolean
spoil_duration (GobanTrace *trace, GobanRng *rng)
{
  trace->ops[any_node (trace, rng)].finish_us += 0.5;
  return TRUE;
}

static gboolean
spoil_ready (GobanTrace *trace, GobanRng *rng)
{
  GobanOpSpan *span = &trace->ops[any_node (trace, rng)];

  span->ready_us = span->ready_us > 0 ? span->ready_us - 0.5 : -1;
  return TRUE;
}

/* The op and nothing else runs later: its device idles, or two run at once. */
static gboolean
spoil_delay (GobanTrace *trace, GobanRng *rng)
{
  GobanOpSpan *span = &trace->ops[any_node (trace, rng)];

  span->start_us += 0.5;
  span->finish_us += 0.5;
  return TRUE;
}

/* The op runs before its turn. */
static gboolean
spoil_hurry (GobanTrace *trace, GobanRng *rng)
{
  GobanOpSpan *span = &trace->ops[any_node (trace, rng)];
  double waited_us = span->start_us - span->ready_us;

  if (waited_us <= 0 || span->finish_us == span->start_us)
    return FALSE;
  span->finish_us -= waited_us;
  span->start_us = span->ready_us;
  return TRUE;
}

/* Everything half a microsecond later: work conserving no more. */
static gboolean
spoil_late_start (GobanTrace *trace, GobanRng *rng)
{
  for (guint v = 0; v < goban_plan_get_n_nodes (trace->plan); v++)
    {
      trace->ops[v].start_us += 1;
      trace->ops[v].finish_us += 1;
      if (goban_graph_get_in_edges (goban_cost_model_get_graph (trace->costs), v).n > 0)
        trace->ops[v].ready_us += 1;
    }
  for (guint i = 0; i < trace->n_transfers; i++)
    {
      trace->transfers[i].ready_us += 1;
      trace->transfers[i].start_us += 1;
      trace->transfers[i].finish_us += 1;
    }
  return TRUE;
}

static gboolean
spoil_transfer_time (GobanTrace *trace, GobanRng *rng)
{
  if (trace->n_transfers == 0)
    return FALSE;
  trace->transfers[goban_rng_below (rng, trace->n_transfers)].finish_us += 1;
  return TRUE;
}

static gboolean
spoil_transfer_delay (GobanTrace *trace, GobanRng *rng)
{
  GobanTransfer *transfer;

  if (trace->n_transfers == 0)
    return FALSE;
  transfer = &trace->transfers[trace->n_transfers - 1];
  transfer->start_us += 1;
  transfer->finish_us += 1;
  return TRUE;
}

static gboolean
spoil_lost_transfer (GobanTrace *trace, GobanRng *rng)
{
  if (trace->n_transfers == 0)
    return FALSE;
  trace->n_transfers--;
  return TRUE;
}

static gboolean
spoil_doubled_transfer (GobanTrace *trace, GobanRng *rng)
{
  if (trace->n_transfers == 0)
    return FALSE;
  trace->transfers = g_renew (GobanTransfer, trace->transfers, trace->n_transfers + 1);
  trace->transfers[trace->n_transfers] = trace->transfers[trace->n_transfers - 1];
  trace->n_transfers++;
  return TRUE;
}

static gboolean
spoil_transfer_route (GobanTrace *trace, GobanRng *rng)
{
  if (trace->n_transfers == 0)
    return FALSE;
  trace->transfers[0].to = trace->transfers[0].from;
  return TRUE;
}

static gboolean
spoil_peak (GobanTrace *trace, GobanRng *rng)
{
  trace->uses[goban_plan_get_device (trace->plan, any_node (trace, rng))].peak_bytes += 1;
  return TRUE;
}

static gboolean
spoil_busy (GobanTrace *trace, GobanRng *rng)
{
  trace->uses[0].busy_us += 1;
  return TRUE;
}

static gboolean
spoil_traffic (GobanTrace *trace, GobanRng *rng)
{
  trace->transferred_bytes += 1;
  return TRUE;
}

static gboolean
spoil_makespan (GobanTrace *trace, GobanRng *rng)
{
  trace->makespan_us += 1;
  return TRUE;
}

static gboolean
spoil_verdict (GobanTrace *trace, GobanRng *rng)
{
  gboolean is_valid = goban_trace_is_valid (trace);

  g_free (trace->why);
  trace->why = g_strdup (is_valid ? "it did not please" : "");
  return TRUE;
}

static gboolean
spoil_path_end (GobanTrace *trace, GobanRng *rng)
{
  if (trace->n_path < 2)
    return FALSE;
  trace->n_path--;
  /* What is left may still reach the end, if the last step took no time. */
  return trace->path[trace->n_path].is_transfer
         || trace->ops[trace->path[trace->n_path].index].finish_us
                > trace->ops[trace->path[trace->n_path].index].start_us;
}

static gboolean
spoil_path_reason (GobanTrace *trace, GobanRng *rng)
{
  trace->path[goban_rng_below (rng, trace->n_path)].waited_us += 1;
  return TRUE;
}

static gboolean
spoil_bound (GobanTrace *trace, GobanRng *rng)
{
  trace->bounds.critical_path_us = trace->bounds.bound_us = trace->makespan_us + 1;
  return TRUE;
}

/* A node that is fused with others, or GOBAN_NO_NODE; the first, or the last of its kernel. */
static GobanNodeId
any_fused (const GobanTrace *trace, GobanRng *rng, gboolean is_last)
{
  guint n_nodes = goban_plan_get_n_nodes (trace->plan);
  GobanNodeId start = any_node (trace, rng);

  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId v = (start + i) % n_nodes;
      GobanNodeId kernel = goban_trace_get_kernel (trace, v);

      if (is_last ? kernel != v && goban_trace_get_next_fused (trace, v) == GOBAN_NO_NODE
                  : kernel == v && goban_trace_get_next_fused (trace, v) != GOBAN_NO_NODE)
        return v;
    }
  return GOBAN_NO_NODE;
}

/* A member runs by itself. */
static gboolean
spoil_member (GobanTrace *trace, GobanRng *rng)
{
  GobanNodeId v = any_fused (trace, rng, TRUE);

  if (v == GOBAN_NO_NODE)
    return FALSE;
  trace->ops[v].start_us += 1;
  trace->ops[v].finish_us += 1;
  return TRUE;
}

/* The whole kernel takes longer. */
static gboolean
spoil_kernel_time (GobanTrace *trace, GobanRng *rng)
{
  GobanNodeId v = any_fused (trace, rng, FALSE);

  if (v == GOBAN_NO_NODE)
    return FALSE;
  for (; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (trace, v))
    trace->ops[v].finish_us += 0.5;
  return TRUE;
}

/* A kernel is counted as its nodes. */
static gboolean
spoil_kernel_count (GobanTrace *trace, GobanRng *rng)
{
  GobanNodeId v = any_fused (trace, rng, TRUE);

  if (v == GOBAN_NO_NODE)
    return FALSE;
  trace->uses[goban_plan_get_device (trace->plan, v)].n_ops++;
  return TRUE;
}

/* The run is one of another plan: two nodes that ran as one kernel should not have. */
static gboolean
spoil_fusion (GobanTrace *trace, GobanRng *rng)
{
  GobanNodeId v = any_fused (trace, rng, TRUE);

  if (v == GOBAN_NO_NODE || trace->ops[v].finish_us == trace->ops[v].start_us)
    return FALSE;
  goban_plan_set_fusion (trace->plan, v, GOBAN_NO_FUSION);
  return TRUE;
}

/* A kernel across devices, whatever else is true. */
static gboolean
spoil_kernel_device (GobanTrace *trace, GobanRng *rng)
{
  GobanNodeId v = any_fused (trace, rng, TRUE);
  guint n_devices = goban_plan_get_n_devices (trace->plan);

  if (v == GOBAN_NO_NODE || n_devices < 2)
    return FALSE;
  goban_plan_set_device (trace->plan, v, (goban_plan_get_device (trace->plan, v) + 1) % n_devices);
  return TRUE;
}

/* The critical path names another node than the lowest. */
static gboolean
spoil_path_name (GobanTrace *trace, GobanRng *rng)
{
  for (guint i = 0; i < trace->n_path; i++)
    if (!trace->path[i].is_transfer
        && goban_trace_get_next_fused (trace, trace->path[i].index) != GOBAN_NO_NODE)
      {
        trace->path[i].index = goban_trace_get_next_fused (trace, trace->path[i].index);
        return TRUE;
      }
  return FALSE;
}

static const struct
{
  const char *name;
  SpoilFunc spoil;
} fused_spoilers[] = {
  { "member", spoil_member },
  { "kernel-time", spoil_kernel_time },
  { "kernel-count", spoil_kernel_count },
  { "fusion", spoil_fusion },
  { "kernel-device", spoil_kernel_device },
  { "path-name", spoil_path_name },
};

static const struct
{
  const char *name;
  SpoilFunc spoil;
} spoilers[] = {
  { "duration", spoil_duration },
  { "ready", spoil_ready },
  { "delay", spoil_delay },
  { "hurry", spoil_hurry },
  { "late-start", spoil_late_start },
  { "transfer-time", spoil_transfer_time },
  { "transfer-delay", spoil_transfer_delay },
  { "lost-transfer", spoil_lost_transfer },
  { "doubled-transfer", spoil_doubled_transfer },
  { "transfer-route", spoil_transfer_route },
  { "peak", spoil_peak },
  { "busy", spoil_busy },
  { "traffic", spoil_traffic },
  { "makespan", spoil_makespan },
  { "verdict", spoil_verdict },
  { "path-end", spoil_path_end },
  { "path-reason", spoil_path_reason },
  { "bound", spoil_bound },
};

typedef void (*InitFunc) (RandomRun *run, guint n_nodes, guint64 seed);

static void
assert_refused (InitFunc init, SpoilFunc spoil)
{
  guint n_spoilt = 0;

  for (guint64 seed = 0; seed < 150; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GError) error = NULL;
      GobanRng rng;

      init (&run, 12, seed);
      goban_rng_init (&rng, seed);
      trace = goban_simulate (run.costs, run.plan);
      goban_trace_check (trace, &error);
      g_assert_no_error (error);
      if (!spoil (trace, &rng))
        continue;
      n_spoilt++;
      g_assert_false (goban_trace_check (trace, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  g_assert_cmpuint (n_spoilt, >, 20);
}

static void
test_refuses (gconstpointer data)
{
  assert_refused (random_run_init, spoilers[GPOINTER_TO_UINT (data)].spoil);
}

/* What is wrong of any trace is wrong of a fused one, too. */
static void
test_refuses_fused (gconstpointer data)
{
  guint k = GPOINTER_TO_UINT (data);

  assert_refused (fused_run_init, k < G_N_ELEMENTS (fused_spoilers)
                                      ? fused_spoilers[k].spoil
                                      : spoilers[k - G_N_ELEMENTS (fused_spoilers)].spoil);
}

/* A run under other rules is no run under these: the plan's order is flipped after it. */
static void
test_refuses_other_order (void)
{
  guint n_refused = 0;

  for (guint64 seed = 0; seed < 100; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GobanTrace) other = NULL;
      g_autoptr (GError) error = NULL;
      gboolean is_same = TRUE;
      GobanOrder order;

      random_run_init (&run, 30, seed);
      order = goban_plan_get_order (run.plan);
      trace = goban_simulate (run.costs, run.plan);
      goban_plan_set_order (run.plan,
                            order == GOBAN_ORDER_FIFO ? GOBAN_ORDER_PRIORITY : GOBAN_ORDER_FIFO);
      other = goban_simulate (run.costs, run.plan);
      for (guint v = 0; v < 30 && is_same; v++)
        is_same = trace->ops[v].start_us == other->ops[v].start_us;
      for (guint i = 0; i < trace->n_transfers && is_same; i++)
        is_same = trace->transfers[i].start_us == other->transfers[i].start_us
                  && trace->transfers[i].tensor == other->transfers[i].tensor;
      g_assert_cmpint (goban_trace_check (trace, &error), ==, is_same);
      n_refused += !is_same;
    }
  g_assert_cmpuint (n_refused, >, 50);
}

TEST_PROGRAM (trace_check)
{
  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < G_N_ELEMENTS (spoilers); k++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/trace-check/refuses/%s", spoilers[k].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (k), test_refuses);
    }
  for (guint k = 0; k < G_N_ELEMENTS (fused_spoilers) + G_N_ELEMENTS (spoilers); k++)
    {
      const char *name = k < G_N_ELEMENTS (fused_spoilers)
                             ? fused_spoilers[k].name
                             : spoilers[k - G_N_ELEMENTS (fused_spoilers)].name;
      g_autofree char *path = g_strdup_printf ("/sim/trace-check/refuses-fused/%s", name);

      g_test_add_data_func (path, GUINT_TO_POINTER (k), test_refuses_fused);
    }
  g_test_add_func ("/sim/trace-check/refuses/other-order", test_refuses_other_order);
  return g_test_run ();
}
