/* Plans of two graphs beside each other in the real window: trainings under two parallelisms and
 * schedules, a model before and after a change. Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-compare.h"
#include "tests/ui/gui-window.h"

#include "engine/graph/workloads/workload.h"
#include "engine/session/companions.h"
#include "engine/session/compare-set.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/parallel-training.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "ui/compare/compare-page.h"
#include "ui/graph/graph-view-private.h"

#include <math.h>
#include <string.h>

static GobanComparePage *
page (GuiWindow *f)
{
  return GOBAN_COMPARE_PAGE (gui_part (f, GOBAN_TYPE_COMPARE_PAGE));
}

static GobanCompareSet *
set_of (GuiWindow *f)
{
  return goban_session_get_compare_set (f->session);
}

static GobanBreakdownList *
get_reasons (GuiWindow *f)
{
  return GOBAN_BREAKDOWN_LIST (
      gui_find (GTK_WIDGET (goban_compare_page_get_panels (page (f))), GOBAN_TYPE_BREAKDOWN_LIST));
}

/* Whether it shows another graph than the open one, in a view beside the hidden one. */
static gboolean
has_own_view (GobanComparePane *pane)
{
  return GOBAN_IS_GRAPH_VIEW (
      gtk_widget_get_next_sibling (GTK_WIDGET (goban_compare_pane_get_view (pane))));
}

static GobanGraphView *
get_view (GuiWindow *f, guint i)
{
  GobanComparePane *pane = goban_compare_page_get_pane (page (f), i);
  GobanGraphView *view = goban_compare_pane_get_view (pane);
  GtkWidget *own = gtk_widget_get_next_sibling (GTK_WIDGET (view));

  return has_own_view (pane) ? GOBAN_GRAPH_VIEW (own) : view;
}

static gboolean
has_settled (gpointer data)
{
  GuiWindow *f = data;

  return goban_compare_set_get_graph_matching (set_of (f)) != NULL
         && goban_attributor_get_found (goban_breakdown_list_get_attributor (get_reasons (f)))
                != NULL
         && goban_graph_view_is_ready (get_view (f, 0))
         && goban_graph_view_is_ready (get_view (f, 1)) && !goban_compare_page_is_busy (page (f));
}

static void
compare (GuiWindow *f)
{
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  gui_wait (has_settled, f, "both graphs are laid out, matched and explained");
  gui_draw (GTK_WIDGET (f->window));
}

/* The waterfall leads from one makespan to the other, without a rest. */
static void
assert_waterfall (GuiWindow *f)
{
  const GobanBreakdown *found
      = goban_attributor_get_found (goban_breakdown_list_get_attributor (get_reasons (f)));
  double at_us = goban_run_get_makespan_us (goban_compare_set_get_run (set_of (f), 0));

  g_assert_cmpfloat (found->bars[0].to_us, ==, at_us);
  for (guint i = 1; i + 1 < found->n_bars; i++)
    {
      g_assert_cmpint (found->bars[i].kind, ==, GOBAN_BAR_CAUSE);
      g_assert_cmpfloat (found->bars[i].from_us, ==, at_us);
      at_us = found->bars[i].to_us;
    }
  g_assert_cmpfloat (at_us, ==,
                     goban_run_get_makespan_us (goban_compare_set_get_run (set_of (f), 1)));
}

/* Nodes of one graph alone are marked in its picture, and counted. */
static void
assert_marks (GuiWindow *f)
{
  GobanGraphMatching *matching = goban_compare_set_get_graph_matching (set_of (f));
  g_autofree char *words = NULL;
  guint n[2];

  for (guint side = 0; side < 2; side++)
    {
      GobanSelection *marked = get_view (f, side)->matches;

      g_assert_nonnull (marked);
      goban_selection_get_ids (marked, &n[side]);
      g_assert_cmpuint (n[side], ==, goban_graph_matching_count (matching, side, GOBAN_MATCH_NONE));
    }
  words = g_strdup_printf ("Marked: %u nodes in A alone, %u in B", n[0], n[1]);
  g_assert_cmpstr (gui_compare_get_legend (page (f)), ==, words);
}

static GobanSession *
session_of (GuiWindow *f, guint i)
{
  return goban_companion_for (f->session, goban_compare_set_get_run (set_of (f), i));
}

static GobanNodeId
find_node (GuiWindow *f, guint i, const char *name)
{
  GobanNodeId node = goban_graph_find_node (
      goban_run_get_graph (goban_compare_set_get_run (set_of (f), i)), name);

  g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
  return node;
}

/* Selecting a node on one side selects its partner on the other. */
static void
assert_linked (GuiWindow *f, const char *name)
{
  for (guint i = 0; i < 2; i++)
    {
      GobanNodeId node = find_node (f, i, name), other = find_node (f, 1 - i, name);
      g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
      g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);
      g_autoptr (GobanSelection) partner = goban_selection_new (&other, 1);

      goban_session_set_selection (session_of (f, i), nothing);
      goban_session_set_selection (session_of (f, i), one);
      g_assert_true (
          goban_selection_equal (goban_session_get_selection (session_of (f, 1 - i)), partner));
    }
}

static GobanRun *
train (const GobanTrainingShape *shape, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("h100x8*2", &error);
  g_autoptr (GobanParallelTraining) training = goban_parallel_training_new (
      "gpt:layers=8,width=1024,heads=16,batch=1", NULL, cluster, shape, &error);
  GobanRun *run;

  g_assert_no_error (error);
  run = goban_run_ref (training->run);
  goban_run_rename (run, name);
  return run;
}

/* Both are opened, one after the way back from the other. */
static void
compare_trainings (GuiWindow *f, const GobanTrainingShape *first, const GobanTrainingShape *second)
{
  g_autoptr (GobanGraph) model
      = goban_workload_generate ("gpt:layers=8,width=1024,heads=16,batch=1", NULL);
  g_autoptr (GobanRun) a = train (first, "first");
  g_autoptr (GobanRun) b = train (second, "second");
  GobanPoint at;

  goban_session_set_graph (f->session, model, NULL);
  goban_session_derive (f->session, a);
  goban_session_return (f->session);
  goban_session_derive (f->session, b);
  compare (f);
  g_assert_true (goban_compare_set_get_run (set_of (f), 0) == a);
  g_assert_true (goban_compare_set_get_run (set_of (f), 1) == b);
  g_assert_true (has_own_view (goban_compare_page_get_pane (page (f), 0)));
  g_assert_false (has_own_view (goban_compare_page_get_pane (page (f), 1)));
  g_assert_cmpuint (goban_picture_get_n_paints (GOBAN_PICTURE (get_view (f, 0))), >, 0);
  assert_waterfall (f);
  assert_marks (f);
  assert_linked (f, "mb1/forward/stage_1");
  g_assert_cmpuint (gui_compare_count_lanes (goban_compare_page_get_timeline (page (f))), ==, 4);
  for (guint i = 0; i < 2; i++)
    g_assert_true (gui_compare_locate (goban_compare_page_get_timeline (page (f)),
                                       find_node (f, i, "mb1/forward/stage_1"), i, &at));
}

static char *
dup_sentence (GuiWindow *f)
{
  return goban_breakdown_list_dup_sentence (get_reasons (f));
}

static void
test_schedules (GuiWindow *f, gconstpointer data)
{
  g_autofree char *sentence = NULL;
  g_autoptr (GobanRun) none = NULL;

  compare_trainings (f, &(GobanTrainingShape){ .pp = 2, .tp = 2, .schedule = "1f1b" },
                     &(GobanTrainingShape){ .pp = 2, .tp = 2, .schedule = "zero-bubble" });
  sentence = dup_sentence (f);
  g_assert_nonnull (strstr (sentence, "B takes"));
  g_assert_nonnull (strstr (sentence, "idle"));
  g_assert_cmpstr (gui_last_line (f), !=, "");
  goban_compare_set_close (set_of (f));
}

static void
test_tensors (GuiWindow *f, gconstpointer data)
{
  g_autofree char *sentence = NULL;

  compare_trainings (f, &(GobanTrainingShape){ .pp = 2, .tp = 4 },
                     &(GobanTrainingShape){ .pp = 2, .tp = 8 });
  sentence = dup_sentence (f);
  g_assert_nonnull (strstr (sentence, "computing"));
  g_assert_nonnull (strstr (sentence, "collectives"));
}

/* Two files of one model, each placed: the first stays to be compared with. */
static void
test_two_files (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanGraph) first = goban_workload_generate ("gpt:layers=2,batch=1", NULL);
  g_autoptr (GobanGraph) second = goban_workload_generate ("gpt:layers=2,batch=1,tp=2", NULL);
  GobanGraph *const graphs[] = { first, second };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = NULL;

      goban_session_set_graph (f->session, graphs[i], NULL);
      run = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, &error);
      g_assert_no_error (error);
      goban_session_add_run (f->session, run);
    }
  g_assert_cmpuint (g_list_model_get_n_items (goban_compare_set_get_others (set_of (f))), ==, 1);
  compare (f);
  assert_waterfall (f);
  assert_marks (f);
  assert_linked (f, "layer_1/mlp/up/MatMul");
  /* The matching of the pair before is not asked of the other graph's nodes. */
  gui_act (f, "compare-swap", NULL);
  gui_rest ();
  /* Closing the comparison and opening a file leaves nothing of the companion. */
  goban_session_set_graph (f->session, first, NULL);
  g_assert_cmpuint (goban_compare_set_get_n_runs (set_of (f)), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (goban_compare_set_get_others (set_of (f))), ==, 1);
}

TEST_PROGRAM (compare_graphs)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/compare-graphs/schedules", test_schedules);
  gui_window_add ("/ui/compare-graphs/tensors", test_tensors);
  gui_window_add ("/ui/compare-graphs/two-files", test_two_files);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
