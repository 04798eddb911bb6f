/* Cost of a manual edit at 80,000 nodes on eight devices, in milliseconds of this process's
 * processor time, worker included: best of so many. "edit" is from the edit to its run, as
 * dragging asks for; "session" adds taking it, and "undo" is going back and forth. The memory is
 * what a change keeps on the mean of sixty, of whose older runs history keeps sources. */
#include "engine/session/edit.h"
#include "engine/session/preview.h"
#include "engine/session/session-cluster.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-clock.h"
#include "tests/bench/bench-memory.h"

#include <math.h>
#include <stdio.h>

#define N_TIMES 9

/* A layer's worth of nodes in the middle of the graph. */
static GobanSelection *
choose_nodes (GobanGraph *graph, guint n)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);

  for (guint i = 0; i < n; i++)
    ids[i] = goban_graph_get_n_nodes (graph) / 2 + i;
  return goban_selection_new (ids, n);
}

static GobanEdit *
next_edit (GobanSession *session, GobanSelection *nodes, guint i)
{
  GobanEdit *edit = goban_edit_new (session, GOBAN_EDIT_MOVE, nodes);

  edit->device = (GobanDeviceId) (i % 8);
  return edit;
}

static void
wait_for (GobanPreview *preview)
{
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);
}

static void
bench_preview (GobanSession *session, GobanSelection *nodes)
{
  g_autoptr (GobanPreview) preview = goban_preview_new ();
  double edit_ms = INFINITY, session_ms = INFINITY, wall_ms = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      g_autoptr (GobanEdit) edit = next_edit (session, nodes, i);
      double start = process_ms ();
      gint64 start_us = g_get_monotonic_time ();

      goban_preview_ask (preview, edit);
      wait_for (preview);
      wall_ms = MIN (wall_ms, (g_get_monotonic_time () - start_us) / 1e3);
      edit_ms = MIN (edit_ms, process_ms () - start);
      if (!goban_session_add_edit (session, edit, goban_preview_get_run (preview), NULL))
        g_error ("the base is gone");
      session_ms = MIN (session_ms, process_ms () - start);
    }
  printf ("edit-80k %.1f ms\n", edit_ms);
  printf ("edit-80k-wall %.1f ms\n", wall_ms);
  printf ("edit-80k-session %.1f ms\n", session_ms);
}

static void
bench_undo (GobanSession *session)
{
  double start = process_ms ();

  for (guint i = 0; i < N_TIMES; i++)
    if (!goban_session_undo (session) || !goban_session_redo (session))
      g_error ("there is nothing to undo");
  printf ("undo-redo-80k %.3f ms\n", (process_ms () - start) / N_TIMES);
}

static void
bench_kinds (GobanSession *session, GobanSelection *nodes)
{
  static const struct
  {
    const char *name;
    GobanEditKind kind;
    const char *what;
    double value;
  } kinds[] = {
    { "edit-80k-urgency", GOBAN_EDIT_URGENCY, NULL, 0 },
    { "edit-80k-device", GOBAN_EDIT_DEVICE, "flops", 5e12 },
    { "edit-80k-link", GOBAN_EDIT_LINK, "bandwidth", 5e9 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      double best = INFINITY;

      for (guint i = 0; i < N_TIMES; i++)
        {
          g_autoptr (GobanEdit) edit = goban_edit_new (session, kinds[k].kind, nodes);
          g_autoptr (GobanRun) run = NULL;
          double start = process_ms ();

          edit->priority = 1;
          edit->to = 1;
          edit->what = kinds[k].what;
          edit->value = kinds[k].value;
          run = goban_edit_run (edit, NULL);
          g_assert_nonnull (run);
          best = MIN (best, process_ms () - start);
        }
      printf ("%s %.1f ms\n", kinds[k].name, best);
    }
}

static void
bench_memory (GobanSession *session, GobanSelection *nodes)
{
  enum
  {
    N_EDITS = 60
  };
  double before_mb = memory_mb ("/proc/self/status", "VmRSS");

  for (guint i = 0; i < N_EDITS; i++)
    {
      g_autoptr (GobanEdit) edit = next_edit (session, nodes, i + 1);
      g_autoptr (GobanRun) run = goban_edit_run (edit, NULL);

      if (!goban_session_add_edit (session, edit, run, NULL))
        g_error ("the base is gone");
    }
  printf ("edit-80k-kept %.2f MB\n",
          (memory_mb ("/proc/self/status", "VmRSS") - before_mb) / N_EDITS);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=8", NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanRun) run = NULL;

  g_assert_no_error (error);
  goban_session_set_cluster (session, cluster);
  goban_session_set_graph (session, graph, NULL);
  run = goban_run_new_from_policy (goban_session_get_costs (session), "expert", NULL, &error);
  g_assert_no_error (error);
  goban_session_add_run (session, run);
  nodes = choose_nodes (graph, 400);
  bench_preview (session, nodes);
  bench_undo (session);
  bench_kinds (session, nodes);
  bench_memory (session, nodes);
  return 0;
}
