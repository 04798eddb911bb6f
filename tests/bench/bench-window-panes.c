/* bench-window-panes.c: latencies that open panes add to a window with a large graph.
 *
 * The same is done twice (window-bench.h): without panes, and with the training pane, the decision
 * card at a step of GO and the devices at the moment; then once more while the training runs. Last
 * in the page of compared plans, with its waterfall, without and with the training pane. Lines of
 * "name-what value unit"; "ratio" of the second figure to the first. Needs a display: run by
 * gui-run.sh.
 */
#include "tests/bench/bench-clock.h"
#include "tests/bench/window-bench.h"
#include "tests/support/folder.h"
#include "tests/ui/gui-pulse.h"

#include "engine/session/compare-set.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/training/training-list.h"
#include "ui/compare/breakdown-list.h"
#include "ui/compare/compare-page.h"
#include "ui/steps/decision-panel.h"
#include "ui/timeline/moment-panel.h"
#include "ui/training/training-view.h"
#include "ui/widgets/settings.h"

#include <math.h>
#include <stdio.h>

#define N_EVENTS 12
#define N_STEPS 200 /* of the training whose curves are shown */

typedef struct
{
  WindowBench window;
  GobanRun *go; /* that has steps */
  char *folder;
  GobanTrainingJob *training;
} Bench;

/* --- panes ------------------------------------------------------------------------------------ */

static GobanSession *
get_session (Bench *bench)
{
  return bench->window.window.session;
}

static void
show_pane (Bench *bench, const char *pane, gboolean is_shown)
{
  g_action_group_change_action_state (G_ACTION_GROUP (bench->window.window.window), pane,
                                      g_variant_new_boolean (is_shown));
}

static gboolean
has_curves (gpointer data)
{
  Bench *bench = data;

  return goban_training_log_get_n_points (goban_training_job_get_log (bench->training)) > N_STEPS;
}

/* Paused, so that what is measured is not the training. */
static void
train (Bench *bench)
{
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autofree char *output = g_build_filename (bench->folder, "a.net", NULL);
  g_autoptr (GError) error = NULL;

  options.output = output;
  options.settings = "lessons=3,validation=2,labels=10,imitations=1";
  options.n_steps = 100 * 1000 * 1000;
  options.every = 50;
  bench->training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  goban_training_list_add (G_OBJECT (get_session (bench)), bench->training);
  gui_wait (has_curves, bench, "the curves are there");
  goban_training_view_pause (
      GOBAN_TRAINING_VIEW (gui_part (&bench->window.window, GOBAN_TYPE_TRAINING_VIEW)), TRUE);
}

static void
show_moment (Bench *bench)
{
  GobanRun *run = goban_session_get_shown_run (get_session (bench));

  goban_view_play_to (goban_session_get_view (get_session (bench)),
                      goban_run_get_makespan_us (run) / 2);
}

static gboolean
shows_step (gpointer data)
{
  GobanSession *session = get_session (data);

  return goban_session_get_shown_run (session) != goban_session_get_current_run (session);
}

/* A step of GO, a moment of it, and all panes about them. */
static void
show_step (WindowBench *window)
{
  Bench *bench = (Bench *) window;
  GobanSession *session = get_session (bench);

  goban_session_set_current_run (session, bench->go);
  window_bench_settle (window);
  window_bench_act (window, "decision", "int32 -2");
  window_bench_act (window, "decision", "int32 1");
  gui_wait (shows_step, bench, "the step is shown");
  show_moment (bench);
  window_bench_settle (window);
}

/* A step cannot be edited: GO's plan with its moment, and no card. */
static void
show_plan (WindowBench *window)
{
  Bench *bench = (Bench *) window;

  goban_session_set_current_run (get_session (bench), bench->go);
  window_bench_act (window, "no-decision", NULL);
  show_moment (bench);
  window_bench_settle (window);
}

static gboolean
has_panes (gpointer data)
{
  Bench *bench = data;
  GuiWindow *window = &bench->window.window;

  return gtk_widget_get_mapped (gui_part (window, GOBAN_TYPE_DECISION_PANEL))
         && gtk_widget_get_mapped (gui_part (window, GOBAN_TYPE_MOMENT_PANEL))
         && gtk_widget_get_mapped (gui_part (window, GOBAN_TYPE_TRAINING_VIEW));
}

/* --- what is done ----------------------------------------------------------------------------- */

static void
step_events (Bench *bench)
{
  for (guint i = 0; i < N_EVENTS; i++)
    {
      window_bench_act (&bench->window, "event", "int32 1");
      window_bench_settle (&bench->window);
    }
}

static void
do_all (Bench *bench, const char *name)
{
  WindowBench *window = &bench->window;

  window->name = name;
  window_bench_pan (window->graph);
  window_bench_report (window, "pan-graph");
  window_bench_pan (window->timeline);
  window_bench_report (window, "pan-timeline");
  step_events (bench);
  window_bench_report (window, "event");
  window_bench_select_all (window);
  window_bench_select (window, 400);
  window_bench_report (window, "select-400");
}

static void
edit_and_change (Bench *bench, WindowBenchFunc prepare)
{
  WindowBench *window = &bench->window;

  window_bench_edit_often (window, prepare);
  window_bench_act (window, "next-plan", NULL);
  window_bench_report (window, "next-plan");
}

/* --- the page of compared plans --------------------------------------------------------------- */

static gboolean
is_compared (gpointer data)
{
  Bench *bench = data;
  GuiWindow *window = &bench->window.window;
  GobanComparePage *page = GOBAN_COMPARE_PAGE (gui_part (window, GOBAN_TYPE_COMPARE_PAGE));
  GobanBreakdownList *list = GOBAN_BREAKDOWN_LIST (gui_part (window, GOBAN_TYPE_BREAKDOWN_LIST));
  GobanAttributor *attributor = goban_breakdown_list_get_attributor (list);

  return !goban_compare_page_is_busy (page) && goban_attributor_get_found (attributor) != NULL
         && !goban_attributor_is_running (attributor);
}

static void
report_compared (Bench *bench, const char *what)
{
  gui_wait (is_compared, bench, "the plans are compared");
  window_bench_report (&bench->window, what);
}

static void
compare (Bench *bench, const char *name)
{
  WindowBench *window = &bench->window;
  GobanComparePage *page = GOBAN_COMPARE_PAGE (gui_part (&window->window, GOBAN_TYPE_COMPARE_PAGE));
  GobanCompareSet *set = goban_session_get_compare_set (get_session (bench));

  window->name = name;
  window_bench_pan (
      GOBAN_PICTURE (goban_compare_pane_get_view (goban_compare_page_get_pane (page, 0))));
  report_compared (bench, "pan-graph");
  window_bench_pan (GOBAN_PICTURE (goban_compare_page_get_timeline (page)));
  report_compared (bench, "pan-timeline");
  window_bench_select_all (window);
  window_bench_select (window, 400);
  report_compared (bench, "select-400");
  goban_compare_set_swap (set);
  report_compared (bench, "swap");
}

static void
compare_plans (Bench *bench)
{
  GListModel *list = goban_session_get_runs (get_session (bench));
  GobanRun *runs[] = { goban_run_list_get (list, 0), goban_run_list_get (list, 1) };

  goban_compare_set_show (goban_session_get_compare_set (get_session (bench)), runs, 2);
  bench->window.name = "compare";
  report_compared (bench, "open");
  show_pane (bench, "training-pane", FALSE);
  report_compared (bench, "settled");
  window_bench_refer (&bench->window);
  compare (bench, "compare");
  show_pane (bench, "training-pane", TRUE);
  report_compared (bench, "settled");
  compare (bench, "compare-panes");
}

/* --- all -------------------------------------------------------------------------------------- */

static gboolean
has_go (gpointer data)
{
  Bench *bench = data;
  GobanRun *run = goban_session_get_current_run (get_session (bench));

  return gui_has_settled (&bench->window.window)
         && goban_steps_count (run) > goban_steps_get_first (run);
}

static void
place (Bench *bench)
{
  gui_act (&bench->window.window, "place-with",
           g_variant_new ("(sttds)", "go", (guint64) 0, (guint64) 100, 0.0, ""));
  gui_wait (has_go, bench, "GO has placed");
  bench->go = goban_run_ref (goban_session_get_current_run (get_session (bench)));
}

/* Frames while new updates are drawn. */
static void
follow_training (Bench *bench)
{
  GobanTrainingView *view
      = GOBAN_TRAINING_VIEW (gui_part (&bench->window.window, GOBAN_TYPE_TRAINING_VIEW));
  GobanTrainingLog *log = goban_training_job_get_log (bench->training);
  guint n_points = goban_training_log_get_n_points (log);

  bench->window.name = "training";
  goban_training_view_pause (view, FALSE);
  while (goban_training_log_get_n_points (log) < n_points + N_STEPS)
    window_bench_pan (bench->window.graph);
  goban_training_view_pause (view, TRUE);
  window_bench_report (&bench->window, "pan-graph");
}

static void
run_bench (Bench *bench)
{
  WindowBench *window = &bench->window;

  window_bench_open (window);
  place (bench);
  train (bench);
  show_pane (bench, "training-pane", FALSE);
  show_pane (bench, GOBAN_SETTING_CARD, FALSE);
  show_pane (bench, GOBAN_SETTING_MOMENT, FALSE);
  window_bench_report (window, "settled");
  show_moment (bench);
  window_bench_refer (window);
  do_all (bench, "plain");
  edit_and_change (bench, NULL);

  show_pane (bench, "training-pane", TRUE);
  show_pane (bench, GOBAN_SETTING_CARD, TRUE);
  show_pane (bench, GOBAN_SETTING_MOMENT, TRUE);
  show_step (window);
  gui_wait (has_panes, bench, "the panes are open");
  window_bench_report (window, "settled");
  do_all (bench, "panes");
  edit_and_change (bench, show_plan);
  follow_training (bench);

  compare_plans (bench);
}

int
main (void)
{
  Bench bench = { .window = { .name = "panes", .spec = "gnmt:layers=8", .cluster = "p100x8" } };

  bench.folder = g_dir_make_tmp ("goban-bench-XXXXXX", NULL);
  window_bench_begin (&bench.window);
  run_bench (&bench);
  gui_pulse_end ();
  goban_job_cancel (goban_training_job_get_job (bench.training));
  g_clear_object (&bench.training);
  goban_run_unref (bench.go);
  window_bench_end (&bench.window);
  remove_folder (bench.folder);
  g_free (bench.folder);
  return 0;
}
