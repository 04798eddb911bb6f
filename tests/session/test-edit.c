/* Changes by hand: what they change, what they say, and in which order they come. */
#include "engine/session/edit.h"

#include "engine/core/error.h"
#include "engine/session/preview.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

typedef struct
{
  GobanSession *session;
  GString *said;
} Fixture;

static void
message_cb (GobanSession *session, gboolean is_error, const char *text, GString *said)
{
  g_string_append_printf (said, "%s%s\n", is_error ? "! " : "", text);
}

/* Two chains of Left and Right ops, all on gpu:0, the first the most urgent. */
static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (8);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < 16; v++)
    goban_plan_set_priority (plan, v, -(gint32) v);
  f->session = goban_session_new ();
  f->said = g_string_new (NULL);
  g_signal_connect (f->session, "message", G_CALLBACK (message_cb), f->said);
  goban_session_set_graph (f->session, graph, NULL);
  session_add_plan (f->session, plan);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->session);
  g_string_free (f->said, TRUE);
}

static GobanEdit *
edit_node (Fixture *f, GobanEditKind kind, GobanNodeId id)
{
  return session_new_edit (f->session, kind, &id, 1);
}

static GobanPlan *
current_plan (Fixture *f)
{
  return goban_run_get_plan (goban_session_get_current_run (f->session));
}

static void
take (Fixture *f, const GobanEdit *edit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_edit_run (edit, &error);

  g_assert_no_error (error);
  g_assert_true (session_add_edit (f->session, edit, run, &error));
  g_assert_no_error (error);
}

static void
assert_refused (const GobanEdit *edit, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_edit_run (edit, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, why));
}

static const char *
last_line (Fixture *f)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  return g_ptr_array_index (log, log->len - 1);
}

static void
test_has_names_and_lines (Fixture *f, gconstpointer data)
{
  static const struct
  {
    GobanEdit edit;
    const char *name;
    const char *line;
  } cases[] = {
    { { .kind = GOBAN_EDIT_MOVE, .device = 1 }, "move 2 nodes to gpu:1", ":move \"gpu:1\"" },
    { { .kind = GOBAN_EDIT_PRIORITY, .priority = -3 }, "give 2 nodes priority -3", ":prio(-3)" },
    { { .kind = GOBAN_EDIT_URGENCY, .priority = 1 },
      "raise the priority of 2 nodes",
      ":prio \"up\"" },
    { { .kind = GOBAN_EDIT_URGENCY, .priority = -1 },
      "lower the priority of 2 nodes",
      ":prio \"down\"" },
    { { .kind = GOBAN_EDIT_FUSE }, "fuse 2 nodes", ":fuse()" },
    { { .kind = GOBAN_EDIT_UNFUSE }, "unfuse 2 nodes", ":unfuse()" },
    { { .kind = GOBAN_EDIT_DEVICE, .device = 2, .what = "flops", .value = 9.5e12 },
      "give gpu:2 9.5 TFLOP/s",
      "app.device(\"gpu:2\", { flops = 9500000000000 })" },
    { { .kind = GOBAN_EDIT_DEVICE, .device = 2, .what = "memory", .value = INFINITY },
      "give gpu:2 unlimited memory",
      "app.device(\"gpu:2\", { memory = math.huge })" },
    { { .kind = GOBAN_EDIT_LINK, .from = 0, .to = 3, .what = "latency", .value = 0.1 + 0.2 },
      "give the link gpu:0–gpu:3 300 ms of latency",
      "app.link(\"gpu:0\", \"gpu:3\", { latency = 0.30000000000000004 })" },
  };
  g_autoptr (GobanSelection) nodes = goban_selection_new ((const GobanNodeId[]){ 1, 3 }, 2);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GobanEdit edit = cases[i].edit;
      g_autofree char *name = NULL;
      g_autofree char *line = NULL;
      const GobanWhatIf change = goban_edit_get_what_if (&edit);

      edit.base = goban_session_get_current_run (f->session);
      edit.nodes = nodes;
      name = goban_edit_describe (&edit);
      line = goban_edit_is_of_cluster (&edit)
                 ? goban_log_what_if (goban_session_get_cluster (f->session), &change)
                 : goban_edit_to_lua (&edit);
      g_assert_cmpstr (name, ==, cases[i].name);
      g_assert_cmpstr (line, ==, cases[i].line);
    }
}

static void
test_what_is_pinned_stays (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanSelection) pinned = goban_selection_new ((const GobanNodeId[]){ 2, 3 }, 2);
  g_autoptr (GobanEdit) some = NULL;
  g_autoptr (GobanEdit) none = NULL;

  goban_session_pin (f->session, pinned, TRUE);
  g_assert_cmpstr (last_line (f), ==, "g:nodes{\"node_2\", \"node_3\"}:pin()");
  some = session_new_edit (f->session, GOBAN_EDIT_MOVE, (const GobanNodeId[]){ 1, 2, 3 }, 3);
  some->device = 1;
  take (f, some);
  g_assert_cmpuint (goban_plan_get_device (current_plan (f), 1), ==, 1);
  g_assert_cmpuint (goban_plan_get_device (current_plan (f), 2), ==, 0);
  g_assert_cmpstr (f->said->str, ==, "2 nodes stayed: they are pinned, or held by ones that are\n");

  none = edit_node (f, GOBAN_EDIT_MOVE, 3);
  none->device = 1;
  assert_refused (none, "“node_3” stays where it is");

  /* Other edits take no notice, and letting go is a change of its own. */
  goban_session_pin (f->session, pinned, TRUE);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "move 3 nodes to gpu:1");
  goban_session_pin (f->session, pinned, FALSE);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "unpin 2 nodes");
}

/* Ops of one device by their turns, as ids. */
static void
assert_order (Fixture *f, const char *expected)
{
  GobanPlan *plan = current_plan (f);
  g_autoptr (GString) order = g_string_new (NULL);

  for (gint64 priority = 20; priority >= -20; priority--)
    for (GobanNodeId v = 0; v < 4; v++)
      if (goban_plan_get_priority (plan, v) == priority)
        g_string_append_printf (order, "%u", v);
  g_assert_cmpstr (order->str, ==, expected);
}

static void
test_urgency_passes_one_op (Fixture *f, gconstpointer data)
{
  static const struct
  {
    GobanNodeId nodes[2];
    guint n;
    gint32 priority;
    const char *order; /* of the first four */
  } steps[] = {
    { { 2 }, 1, 1, "0213" },    { { 2 }, 1, 1, "2013" },     { { 2 }, 1, 1, "2013" },
    { { 2 }, 1, -1, "0213" },   { { 0, 2 }, 2, -1, "0123" }, { { 1, 3 }, 2, 1, "1023" },
    { { 1, 3 }, 2, 1, "1302" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GobanEdit) edit
          = session_new_edit (f->session, GOBAN_EDIT_URGENCY, steps[i].nodes, steps[i].n);

      edit->priority = steps[i].priority;
      take (f, edit);
      g_test_message ("step %u", (guint) i);
      assert_order (f, steps[i].order);
    }
}

static void
test_refuses_to_fuse (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) alone = edit_node (f, GOBAN_EDIT_FUSE, 1);
  g_autoptr (GobanEdit) opaque
      = session_new_edit (f->session, GOBAN_EDIT_FUSE, (const GobanNodeId[]){ 1, 2 }, 2);

  /* "Left" is a word that nobody knows. */
  assert_refused (opaque, "cannot be fused");
  assert_refused (alone, "two nodes or more");
  alone->kind = GOBAN_EDIT_UNFUSE;
  assert_refused (alone, "none of these nodes is fused");
}

#define N_MIXED 24
#define N_PAIRS (N_MIXED * (N_MIXED - 1) / 2)

/* The session's graph becomes one of many kinds of ops, under a plan that fuses nothing. */
static void
open_mixed (Fixture *f)
{
  g_autoptr (GobanGraph) graph = toy_mixed (N_MIXED, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;

  session_set_cluster (f->session, goban_cost_model_get_cluster (costs));
  goban_session_set_graph (f->session, graph, NULL);
  plan = toy_place (goban_session_get_costs (f->session), "heft", 0);
  run = goban_run_new (goban_session_get_costs (f->session), plan, NULL);
  goban_session_add_run (f->session, run);
}

/* Fuses or unfuses two nodes. %FALSE if that is refused; what is not keeps all the rules. */
static gboolean
edit_pair (Fixture *f, GobanEditKind kind, const GobanNodeId *pair)
{
  g_autoptr (GobanEdit) edit = session_new_edit (f->session, kind, pair, 2);
  g_autoptr (GobanRun) run = goban_edit_run (edit, NULL);
  g_autoptr (GError) error = NULL;
  const gint32 *fusions;

  if (run == NULL)
    return FALSE;
  goban_fusing_check (goban_run_get_plan (run), goban_session_get_costs (f->session), &error);
  g_assert_no_error (error);
  fusions = goban_plan_get_fusions (goban_run_get_plan (run));
  if (kind == GOBAN_EDIT_FUSE)
    g_assert_true (fusions[pair[0]] == fusions[pair[1]] && fusions[pair[0]] >= 0);
  else
    g_assert_true (fusions[pair[0]] < 0 && fusions[pair[1]] < 0);
  session_add_edit (f->session, edit, run, &error);
  g_assert_no_error (error);
  return TRUE;
}

static gboolean
may_be_kernel (Fixture *f, const GobanNodeId *pair)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (current_plan (f));

  goban_plan_set_fusion (plan, pair[0], (gint32) pair[0]);
  goban_plan_set_fusion (plan, pair[1], (gint32) pair[0]);
  return goban_fusing_check (plan, goban_session_get_costs (f->session), NULL);
}

/* pairs (N_PAIRS, 2) in a random order */
static void
draw_pairs (GobanNodeId (*pairs)[2])
{
  guint n = 0;

  for (GobanNodeId a = 0; a < N_MIXED; a++)
    for (GobanNodeId b = a + 1; b < N_MIXED; b++)
      {
        guint i = (guint) g_test_rand_int_range (0, (gint32) n + 1);

        pairs[n][0] = pairs[i][0];
        pairs[n][1] = pairs[i][1];
        pairs[i][0] = a;
        pairs[i][1] = b;
        n++;
      }
}

static void
test_kernels_join_and_come_apart_whole (Fixture *f, gconstpointer data)
{
  GobanNodeId pairs[N_PAIRS][2] = { 0 };
  g_autoptr (GobanPlan) loose = NULL;
  guint n_fused = 0, n_joined = 0;

  /* Every pair alone. */
  open_mixed (f);
  draw_pairs (pairs);
  loose = goban_plan_copy (current_plan (f));
  for (guint i = 0; i < N_PAIRS; i++)
    if (!may_be_kernel (f, pairs[i]))
      g_assert_false (edit_pair (f, GOBAN_EDIT_FUSE, pairs[i]));
    else
      {
        n_fused++;
        g_assert_true (edit_pair (f, GOBAN_EDIT_FUSE, pairs[i]));
        g_assert_true (edit_pair (f, GOBAN_EDIT_UNFUSE, pairs[i]));
        g_assert_true (toy_plans_are_same (current_plan (f), loose));
      }
  g_assert_cmpuint (n_fused, >, N_MIXED);

  /* One after the other, so that kernels join; some come apart again, with all that is in them. */
  for (guint i = 0; i < N_PAIRS; i++)
    {
      n_joined += edit_pair (f, GOBAN_EDIT_FUSE, pairs[i]);
      if (i % 32 == 31)
        edit_pair (f, GOBAN_EDIT_UNFUSE, pairs[g_test_rand_int_range (0, (gint32) i)]);
    }
  g_test_message ("%u pairs joined", n_joined);
  g_assert_cmpuint (n_joined, >, 0);
}

static void
test_nothing_comes_of_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  g_autofree char *name = g_strdup (goban_session_get_undo_name (f->session));
  g_autoptr (GobanRun) run = goban_edit_run (edit, NULL);

  g_assert_true (run == edit->base);
  g_assert_true (session_add_edit (f->session, edit, run, NULL));
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, name);
}

static void
test_a_plan_that_is_gone_is_not_changed (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;

  edit->device = 1;
  run = goban_edit_run (edit, &error);
  goban_session_remove_run (f->session, edit->base);
  g_assert_false (session_add_edit (f->session, edit, run, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_null (goban_session_get_current_run (f->session));
}

/* --- in order --------------------------------------------------------------------------------- */

static void
wait_for_name (Fixture *f, const char *name)
{
  while (g_strcmp0 (goban_session_get_undo_name (f->session), name) != 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_edits_wait_for_their_turn (Fixture *f, gconstpointer data)
{
  GobanNodeId ids[] = { 1, 3, 5 };

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, ids[i]);

      edit->device = 1;
      goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
    }
  wait_for_name (f, "move node_5 to gpu:1");
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (goban_plan_get_device (current_plan (f), ids[i]), ==, 1);
  g_assert_true (goban_session_undo (f->session));
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "move node_3 to gpu:1");
}

/* Undo takes back what was asked for, also before it is there. */
static void
test_undo_drops_what_waits (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  guint n_lines = goban_session_get_log (f->session)->len;

  edit->device = 1;
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  g_assert_true (goban_session_undo (f->session));
  g_assert_true (goban_session_undo (f->session));
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "add mine");
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines);

  /* Whatever the workers still do, nothing comes of it; a later edit is the first. */
  g_clear_pointer (&edit->nodes, goban_selection_unref);
  edit->nodes = goban_selection_new ((const GobanNodeId[]){ 7 }, 1);
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  wait_for_name (f, "move node_7 to gpu:1");
  g_assert_cmpuint (goban_plan_get_device (current_plan (f), 1), ==, 0);
}

static void
test_says_what_cannot_be_done (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_UNFUSE, 1);

  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  while (f->said->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (f->said->str, ==, "! none of these nodes is fused with another\n");

  g_string_truncate (f->said, 0);
  goban_session_remove_run (f->session, edit->base);
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  g_assert_nonnull (strstr (f->said->str, "! There is no plan to change"));
}

/* Another cluster: every plan is simulated on it, also without one, and the old one is the
 * ghost. */
static void
test_numbers_of_the_cluster_wait_too (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = goban_edit_new (f->session, GOBAN_EDIT_LINK, NULL);
  GobanRun *mine = goban_session_get_current_run (f->session);
  g_autoptr (GobanRun) other = goban_run_new_from_policy (
      goban_session_get_costs (f->session), "round-robin", NULL, NULL); /* it is one */
  GListModel *runs = goban_session_get_runs (f->session);

  goban_session_add_run (f->session, other);
  goban_session_set_current_run (f->session, mine);
  edit->to = 1;
  edit->what = "latency";
  edit->value = 0.01;
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  wait_for_name (f, "give the link gpu:0–gpu:1 10 ms of latency");
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 2);
  g_assert_true (goban_session_get_ghost (f->session) == mine);
  for (guint i = 0; i < 2; i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);

      g_assert_true (goban_run_get_cluster (run) == goban_session_get_cluster (f->session));
      g_assert_true (goban_run_get_costs (run) == goban_session_get_costs (f->session));
    }

  /* A plan of the cluster before is not asked about this one; its name is taken meanwhile. */
  goban_session_add_run (f->session, other);
  edit->value = 0.02;
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  while (f->said->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (f->said->str, ==,
                   "! the plan round-robin 2 is on another cluster than the one to change\n");

  while (g_list_model_get_n_items (runs) > 0)
    goban_session_remove_run (f->session, goban_session_get_current_run (f->session));
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==,
                   "give the link gpu:0–gpu:1 20 ms of latency");
}

/* --- pictures first ------------------------------------------------------------------------- */

typedef struct
{
  GobanRun *run;       /* borrowed */
  GobanEditHold *hold; /* (nullable) */
  guint n;
  gboolean undoes;
} PendingEdit;

static void
pending_edit_cb (GobanSession *session, GobanRun *run, GobanEditHold *hold, PendingEdit *pending)
{
  pending->run = run;
  pending->hold = goban_edit_hold_ref (hold);
  pending->n++;
  if (pending->undoes)
    g_assert_true (goban_session_undo (session));
}

static void
wait_for_pending (PendingEdit *pending)
{
  guint n = pending->n;

  while (pending->n == n)
    g_main_context_iteration (NULL, TRUE);
}

/* An edit counts when who shows it is ready, however long that takes. */
static void
test_edits_wait_for_pictures (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  PendingEdit pending = { .n = 0 };
  gint64 end_us;

  g_signal_connect (f->session, "pending-edit", G_CALLBACK (pending_edit_cb), &pending);
  edit->device = 1;
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  wait_for_pending (&pending);
  end_us = g_get_monotonic_time () + 300 * G_TIME_SPAN_MILLISECOND;
  while (g_get_monotonic_time () < end_us)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (goban_session_has_pending_edit (f->session));
  g_assert_true (goban_session_get_current_run (f->session) != pending.run);
  goban_edit_hold_unref (pending.hold);
  g_assert_true (goban_session_get_current_run (f->session) == pending.run);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "move node_1 to gpu:1");
  g_assert_cmpuint (pending.n, ==, 1);
  g_signal_handlers_disconnect_by_data (f->session, &pending);
}

static void
test_undo_drops_pending (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  GobanRun *before = goban_session_get_current_run (f->session);
  PendingEdit pending = { .undoes = TRUE };
  guint n_lines = goban_session_get_log (f->session)->len;

  g_signal_connect (f->session, "pending-edit", G_CALLBACK (pending_edit_cb), &pending);
  edit->device = 1;
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  wait_for_pending (&pending);
  goban_edit_hold_unref (pending.hold);
  g_assert_true (goban_session_get_current_run (f->session) == before);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines);

  /* The next one is not held by what is gone. */
  pending.undoes = FALSE;
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  wait_for_pending (&pending);
  goban_edit_hold_unref (pending.hold);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "move node_1 to gpu:1");
  g_signal_handlers_disconnect_by_data (f->session, &pending);
}

/* --- for those who wait ----------------------------------------------------------------------- */

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
assert_cancelled (GAsyncResult **result)
{
  g_autoptr (GError) error = NULL;

  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (goban_session_edit_finish (*result, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_object (result);
}

/* Whoever asked hears of it: undone, cancelled, of a graph that is replaced, of a session that is
 * closed. */
static void
test_tells_what_is_dropped (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  g_autoptr (GobanGraph) other = toy_two_chains (4);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GobanSession) closed = goban_session_new ();
  GAsyncResult *result = NULL;

  edit->device = 1;
  goban_session_edit_async (f->session, edit, NULL, result_cb, &result);
  g_assert_true (goban_session_undo (f->session));
  assert_cancelled (&result);

  goban_session_edit_async (f->session, edit, cancellable, result_cb, &result);
  g_cancellable_cancel (cancellable);
  assert_cancelled (&result);
  g_assert_cmpuint (goban_plan_get_device (current_plan (f), 1), ==, 0);

  goban_session_edit_async (f->session, edit, NULL, result_cb, &result);
  goban_session_set_graph (f->session, other, NULL);
  assert_cancelled (&result);
  g_assert_null (goban_session_get_current_run (f->session));

  goban_session_set_graph (closed, other, NULL);
  session_add_policy (closed, "single", 0);
  g_clear_pointer (&edit->base, goban_run_unref);
  goban_session_edit_async (closed, edit, NULL, result_cb, &result);
  g_assert_finalize_object (g_steal_pointer (&closed));
  assert_cancelled (&result);
}

/* An edit of another cluster that is queued before has fewer devices. */
static void
test_devices_may_be_gone (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  g_autoptr (GobanCluster) two = goban_cluster_new_from_spec ("p100x2", NULL);
  const GobanEdit fewer = { .kind = GOBAN_EDIT_CLUSTER, .cluster = two };
  g_autoptr (GError) error = NULL;

  edit->device = 3;
  goban_session_edit_async (f->session, &fewer, NULL, NULL, NULL);
  g_assert_false (session_edit (f->session, edit, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "the cluster p100x2 has no device 3 any more");
}

/* --- previews --------------------------------------------------------------------------------- */

static void
count_cb (GobanPreview *preview, guint *n)
{
  (*n)++;
}

static void
test_the_latest_preview_wins (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanPreview) preview = goban_preview_new ();
  guint n_answers = 0, n_lines = goban_session_get_log (f->session)->len;
  const GobanEdit *answered;

  g_signal_connect (preview, "changed", G_CALLBACK (count_cb), &n_answers);
  for (GobanNodeId v = 0; v < 8; v++)
    {
      g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, v);

      edit->device = 1;
      goban_preview_ask (preview, edit);
    }
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);

  /* The first was under way; of those that waited, the last. The session knows nothing of it. */
  g_assert_cmpuint (n_answers, ==, 2);
  answered = goban_preview_get_edit (preview);
  g_assert_true (goban_selection_contains (answered->nodes, 7));
  g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (goban_preview_get_run (preview)), 7),
                    ==, 1);
  g_assert_null (goban_preview_get_trouble (preview));
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines);

  g_assert_true (session_add_edit (f->session, answered, goban_preview_get_run (preview), NULL));
  g_assert_cmpstr (last_line (f), ==, "g:nodes{\"node_7\"}:move \"gpu:1\"");

  goban_preview_drop (preview);
  g_assert_cmpuint (n_answers, ==, 3);
  g_assert_null (goban_preview_get_run (preview));
}

static void
test_a_preview_says_why_not (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanPreview) preview = goban_preview_new ();
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_UNFUSE, 1);

  goban_preview_ask (preview, edit);
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (goban_preview_get_run (preview));
  g_assert_cmpstr (goban_preview_get_trouble (preview), ==,
                   "none of these nodes is fused with another");

  /* Dropped or gone while the worker is at it: no answer. */
  goban_preview_ask (preview, edit);
  goban_preview_drop (preview);
  g_assert_false (goban_preview_is_busy (preview));
  g_assert_null (goban_preview_get_edit (preview));
  goban_preview_ask (preview, edit);
}

/* A policy that tries another option is not awaited: the edit after it is the only answer. */
static void
test_an_edit_does_not_wait_for_a_policy (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanPreview) preview = goban_preview_new ();
  g_autoptr (GobanEdit) edit = edit_node (f, GOBAN_EDIT_MOVE, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run
      = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, &error);
  guint n_answers = 0;

  g_assert_no_error (error);
  edit->device = 1;
  g_signal_connect (preview, "changed", G_CALLBACK (count_cb), &n_answers);
  goban_preview_ask_force (preview, run, 1, 1);
  goban_preview_ask (preview, edit);
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_answers, ==, 1);
  g_assert_nonnull (goban_preview_get_edit (preview));
  g_assert_nonnull (goban_preview_get_run (preview));

  /* Alone, it answers with a run of the same moment, and no edit. */
  goban_preview_ask_force (preview, run, 1, 1);
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_answers, ==, 2);
  g_assert_null (goban_preview_get_edit (preview));
  g_assert_cmpuint (goban_run_get_moment (goban_preview_get_run (preview)), ==, 1);
}

TEST_PROGRAM (edit)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/session/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("edit/has-names-and-lines", test_has_names_and_lines);
  ADD ("edit/what-is-pinned-stays", test_what_is_pinned_stays);
  ADD ("edit/urgency-passes-one-op", test_urgency_passes_one_op);
  ADD ("edit/refuses-to-fuse", test_refuses_to_fuse);
  ADD ("edit/kernels-join-and-come-apart-whole", test_kernels_join_and_come_apart_whole);
  ADD ("edit/nothing-comes-of-nothing", test_nothing_comes_of_nothing);
  ADD ("edit/a-plan-that-is-gone-is-not-changed", test_a_plan_that_is_gone_is_not_changed);
  ADD ("edit/edits-wait-for-their-turn", test_edits_wait_for_their_turn);
  ADD ("edit/undo-drops-what-waits", test_undo_drops_what_waits);
  ADD ("edit/edits-wait-for-pictures", test_edits_wait_for_pictures);
  ADD ("edit/undo-drops-a-pending-edit", test_undo_drops_pending);
  ADD ("edit/tells-what-is-dropped", test_tells_what_is_dropped);
  ADD ("edit/devices-may-be-gone", test_devices_may_be_gone);
  ADD ("edit/says-what-cannot-be-done", test_says_what_cannot_be_done);
  ADD ("edit/numbers-of-the-cluster-wait-too", test_numbers_of_the_cluster_wait_too);
  ADD ("preview/the-latest-wins", test_the_latest_preview_wins);
  ADD ("preview/says-why-not", test_a_preview_says_why_not);
  ADD ("preview/an-edit-does-not-wait-for-a-policy", test_an_edit_does_not_wait_for_a_policy);
#undef ADD
  return g_test_run ();
}
