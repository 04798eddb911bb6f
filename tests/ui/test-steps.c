/* Going through the decisions of a policy in the real window. */
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "engine/decisions/decisions-writer.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/fork.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-stops.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/inspector.h"
#include "ui/steps/fork-popover.h"
#include "ui/steps/step-slider.h"
#include "ui/steps/step-strip.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/widgets/short-label.h"

#include <string.h>

static GobanView *
view_of (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

static GobanStepStrip *
strip_of (GuiWindow *f)
{
  return GOBAN_STEP_STRIP (gui_part (f, GOBAN_TYPE_STEP_STRIP));
}

static GobanStepSlider *
slider_of (GuiWindow *f)
{
  return GOBAN_STEP_SLIDER (goban_step_strip_get_slider (strip_of (f)));
}

static GobanDecisions *
decisions_of (GobanRun *run)
{
  return goban_run_get_decisions (run);
}

static guint
count_moments (GobanRun *run)
{
  return goban_decisions_get_n_moments (decisions_of (run));
}

/* A graph with a run of a policy that made several plans, of which some were given up. */
static GobanRun *
open_run (GuiWindow *f)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 160 };
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "m-etf", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count_moments (run), >, 2);
  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  return goban_session_get_current_run (f->session);
}

/* A moment that pictures are to show. */
typedef struct
{
  GuiWindow *f;
  GobanMoment moment;
} Shown;

static gboolean
shows_moment (gpointer data)
{
  Shown *shown = data;
  GobanRun *run = goban_session_get_shown_run (shown->f->session);

  return goban_view_get_moment (view_of (shown->f)) == (int) shown->moment
         && goban_run_get_moment (run) == shown->moment;
}

static void
wait_for_moment (GuiWindow *f, GobanMoment moment)
{
  Shown shown = { f, moment };

  gui_wait (shows_moment, &shown, "the moment is shown");
}

/* What the graph pane paints is the moment: its devices, with the nodes marked that changed. */
static void
assert_painted (GuiWindow *f, GobanRun *run, GobanMoment moment)
{
  GobanGraphPicture picture;
  GobanDecisionState state;
  g_autoptr (GobanSelection) changed
      = goban_moment_dup_changed (decisions_of (run), moment, GOBAN_N_TASKS);

  g_assert_true (
      goban_graph_view_describe (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)), &picture));
  g_assert_null (picture.scene->outline); /* nodes are items here */
  goban_decision_state_init (&state, picture.scene->n_nodes);
  goban_decisions_fill_state (decisions_of (run), moment, &state);
  for (guint v = 0; v < picture.scene->n_nodes; v++)
    {
      if (state.choices[GOBAN_TASK_PLACEMENT][v] != GOBAN_UNDECIDED)
        g_assert_cmpuint (picture.scene->nodes[v].device, ==,
                          state.choices[GOBAN_TASK_PLACEMENT][v]);
      g_assert_true (((picture.scene->nodes[v].flags & GOBAN_NODE_CHANGED) != 0)
                     == goban_selection_contains (changed, v));
    }
  goban_decision_state_clear (&state);
}

static int
find_stop (GuiWindow *f, GobanRun *run, int moment, int by)
{
  return (int) goban_decisions_next_stop (decisions_of (run), goban_view_get_level (view_of (f)),
                                          goban_view_get_stops (view_of (f)), (GobanMoment) moment,
                                          by);
}

static void
test_buttons (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment last = goban_decisions_get_last (decisions_of (run));
  GobanMoment second;
  g_autofree char *said = NULL;

  g_assert_nonnull (strstr (goban_step_strip_get_text (strip_of (f)), "led to this plan"));
  gui_act (f, "decision", g_variant_new_int32 (-2));
  wait_for_moment (f, 0);
  g_assert_cmpstr (gui_last_line (f), ==, "view.moment(0)");
  gui_act (f, "decision", g_variant_new_int32 (1));
  second = (GobanMoment) find_stop (f, run, 0, 1);
  wait_for_moment (f, second);
  assert_painted (f, run, second);
  said = goban_moment_describe_whole (goban_run_get_costs (run), decisions_of (run), second);
  g_assert_cmpstr (goban_step_strip_get_text (strip_of (f)), ==, said);
  gui_act (f, "decision", g_variant_new_int32 (-1));
  wait_for_moment (f, 0);
  gui_act (f, "decision", g_variant_new_int32 (2));
  wait_for_moment (f, last);
  assert_painted (f, run, last);
  gui_act (f, "decision", g_variant_new_int32 (1)); /* there is none after it */
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, (int) last);

  gui_act (f, "no-decision", NULL);
  g_assert_true (goban_session_get_shown_run (f->session) == run);
  g_assert_cmpstr (gui_last_line (f), ==, "view.moment()");
  g_assert_null (goban_session_get_redo_name (f->session));
}

static void
test_slider (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment last = goban_decisions_get_last (decisions_of (run));
  GobanMoment before = (GobanMoment) find_stop (f, run, (int) last, -1);
  g_autofree char *line = g_strdup_printf ("view.moment(%u)", before);
  guint n_lines;

  gui_act (f, "decision", g_variant_new_int32 (-2));
  gui_wait (gui_is_mapped, slider_of (f), "the slider is shown");
  goban_step_slider_drag (slider_of (f), goban_step_slider_locate (slider_of (f), 0),
                          goban_step_slider_locate (slider_of (f), before));
  wait_for_moment (f, before);
  g_assert_cmpstr (gui_last_line (f), ==, line);

  g_assert_true (goban_step_slider_press (slider_of (f), GDK_KEY_Right));
  wait_for_moment (f, last);
  g_assert_true (goban_step_slider_press (slider_of (f), GDK_KEY_Home));
  wait_for_moment (f, 0);
  g_assert_false (goban_step_slider_press (slider_of (f), GDK_KEY_a));

  /* A drag back to where it began is no line. */
  n_lines = goban_session_get_log (f->session)->len;
  goban_step_slider_drag (slider_of (f), goban_step_slider_locate (slider_of (f), last),
                          goban_step_slider_locate (slider_of (f), 0));
  wait_for_moment (f, 0);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines);
}

/* The player stops at plans alone, and at those that were given up. */
static void
test_levels (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  g_autoptr (GArray) plans
      = goban_moments_list_stops (decisions_of (run), GOBAN_LEVEL_PLAN, GOBAN_STOPS_ALL);

  goban_view_set_level (view_of (f), GOBAN_LEVEL_PLAN, GOBAN_STOPS_ALL);
  g_assert_cmpstr (gui_last_line (f), ==, "view.level(\"plan\", \"all\")");
  gui_act (f, "decision", g_variant_new_int32 (-2));
  for (guint i = 1; i < MIN (plans->len, 4); i++)
    {
      gui_act (f, "decision", g_variant_new_int32 (1));
      wait_for_moment (f, g_array_index (plans, GobanMoment, i));
    }
}

/* The title is short, and its tooltip has all of the choices. */
static void
check_tooltip (GobanDecisionPanel *panel)
{
  GtkWidget *title = gui_find (GTK_WIDGET (panel), GOBAN_TYPE_SHORT_LABEL);
  GobanShortLabel *label = GOBAN_SHORT_LABEL (title);
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  g_autofree char *shown = NULL;
  gboolean has_tooltip = FALSE;

  gui_draw (title);
  shown = goban_short_label_dup_shown (label, gtk_widget_get_width (title));
  g_assert_cmpstr (shown, ==, goban_short_label_get_text (label));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (title), ==, goban_decision_panel_get_text (panel));
  g_signal_emit_by_name (title, "query-tooltip", 1, 1, FALSE, tooltip, &has_tooltip);
  g_assert_true (has_tooltip);
}

/* Below a moment are all options of its decision, or of those about the selected node. */
static void
test_card (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  GobanDecisionPanel *panel = goban_step_strip_get_card (strip_of (f));
  const GobanDecisionBars *bars = goban_decision_panel_get_bars (panel);
  const GobanMomentCard *card;
  static const GobanNodeId nodes[] = { 7 };
  g_autoptr (GobanSelection) seventh = goban_selection_new (nodes, 1);
  guint n_best = 0, n_chosen = 0;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
  gui_act (f, "decision", g_variant_new_int32 (-2));
  gui_act (f, "decision", g_variant_new_int32 (1));
  wait_for_moment (f, 1);
  gui_wait (gui_is_mapped, panel, "the decision is shown");
  g_assert_cmpuint (bars->cards->len, ==, 1);
  card = g_ptr_array_index (bars->cards, 0);
  g_assert_cmpuint (card->moment, ==, 1);
  g_assert_cmpuint (card->options->len, ==,
                    goban_cluster_get_n_devices (goban_run_get_cluster (run)));
  for (guint i = 0; i < card->options->len; i++)
    {
      const GobanCardOption *option = &g_array_index (card->options, GobanCardOption, i);
      GobanBox box = goban_decision_bars_locate (bars, 600, 92, i);

      g_assert_cmpint (goban_decision_bars_find (bars, 600, (GobanPoint){ box.x0 + 1, 40 }), ==,
                       (int) i);
      n_best += option->is_best;
      n_chosen += option->is_chosen;
    }
  g_assert_cmpuint (n_best, >=, 1);
  g_assert_cmpuint (n_chosen, ==, 1);

  goban_view_set_moment (view_of (f), (int) goban_decisions_get_last (decisions_of (run)));
  goban_session_set_selection (f->session, seventh);
  g_assert_true (g_str_has_prefix (goban_decision_panel_get_text (panel),
                                   goban_graph_get_node (goban_run_get_graph (run), 7)->name));
  g_assert_cmpuint (bars->cards->len, ==, 1);
  card = g_ptr_array_index (bars->cards, 0);
  g_assert_cmpuint (card->node, ==, 7);
  check_tooltip (panel);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "card-pane",
                                      g_variant_new_boolean (FALSE));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "card-pane",
                                      g_variant_new_boolean (TRUE));
  gui_act (f, "no-decision", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
}

static gboolean
has_ended (gpointer data)
{
  return !goban_step_strip_is_playing (strip_of (data));
}

/* All stops, one after the other, and one line at the end. */
static void
test_play (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment last = goban_decisions_get_last (decisions_of (run));
  guint n_lines;
  g_autofree char *line = g_strdup_printf ("view.moment(%u)", last);

  goban_view_set_level (view_of (f), GOBAN_LEVEL_PLAN, GOBAN_STOPS_LINE);
  n_lines = goban_session_get_log (f->session)->len;
  goban_step_strip_set_speed (strip_of (f), 16);
  gui_act (f, "play-decisions", NULL);
  g_assert_true (goban_step_strip_is_playing (strip_of (f)));
  gui_wait (has_ended, f, "playing ends");
  wait_for_moment (f, last);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines + 1);
  g_assert_cmpstr (gui_last_line (f), ==, line);

  /* Escape: playing ends, then the moment goes. */
  gui_act (f, "play-decisions", NULL);
  gui_act (f, "escape", NULL);
  g_assert_false (goban_step_strip_is_playing (strip_of (f)));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), !=, GOBAN_NO_MOMENT);
  gui_act (f, "escape", NULL);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, GOBAN_NO_MOMENT);
}

/* The player stops at moments that were chosen, even between the stops of its level. */
static void
test_stop_at (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment last = goban_decisions_get_last (decisions_of (run));
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  const GobanMoment moment = last - 3;

  g_array_append_val (moments, moment);
  goban_view_set_level (view_of (f), GOBAN_LEVEL_PLAN, GOBAN_STOPS_LINE);
  goban_view_stop_at (view_of (f), moments);
  goban_step_strip_set_speed (strip_of (f), 16);
  gui_act (f, "play-decisions", NULL);
  gui_wait (has_ended, f, "playing stops");
  wait_for_moment (f, moment);
  gui_act (f, "play-decisions", NULL);
  gui_wait (has_ended, f, "playing ends");
  wait_for_moment (f, last);
}

/* The moment of a finished plan that is not the last. */
static GobanMoment
find_plan (GobanRun *run)
{
  return goban_moment_find_plan (decisions_of (run), 0);
}

/* A plan kept is one of its own; until then nothing can be changed by hand. */
static void
test_keep (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment moment = find_plan (run);
  g_autoptr (GobanSelection) all = goban_selection_new ((const GobanNodeId[]){ 0, 1, 2 }, 3);
  g_autofree char *line = g_strdup_printf ("view.show(r.decisions[%u]:plan())", moment);

  goban_view_set_moment (view_of (f), (int) moment);
  wait_for_moment (f, moment);
  goban_session_set_selection (f->session, all);
  gui_act (f, "move-selection", g_variant_new_int32 (1));
  gui_wait_notice (f, "keep its plan");
  g_assert_true (goban_session_get_current_run (f->session) == run);

  gui_act (f, "keep-decision", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 2);
  g_assert_cmpuint (goban_run_get_moment (goban_session_get_current_run (f->session)), ==, moment);
  g_assert_cmpstr (gui_last_line (f), ==, line);
  goban_session_undo (f->session);
  g_assert_true (goban_session_get_current_run (f->session) == run);
}

/* A search goes on from the moment. */
static void
test_fork (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment moment = find_plan (run);
  GobanForkPopover *choice = GOBAN_FORK_POPOVER (gui_part (f, GOBAN_TYPE_FORK_POPOVER));
  g_autofree char *name = goban_fork_dup_name (run, moment, "local-search");
  g_autofree char *line = g_strdup_printf (
      "view.show(r.decisions[%u]:continue(\"local-search\", { evals = 20 }))", moment);

  goban_view_set_moment (view_of (f), (int) moment);
  wait_for_moment (f, moment);
  gui_act (f, "continue-decision", NULL);
  goban_fork_popover_set (choice, "local-search", 20);
  goban_fork_popover_start (choice);
  gui_wait (gui_has_no_job, f, "the search has gone on");
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, name);
  g_assert_cmpstr (gui_last_line (f), ==, line);
  goban_session_undo (f->session);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
}

/* The inspector says what each device would have meant. */
static void
test_inspector (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanSelection) one = goban_selection_new ((const GobanNodeId[]){ 7 }, 1);
  GobanInspector *inspector = GOBAN_INSPECTOR (gui_part (f, GOBAN_TYPE_INSPECTOR));
  g_autofree char *text = NULL;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  goban_session_set_selection (f->session, one);
  g_assert_nonnull (goban_inspector_get_value (inspector, "gpu:3"));
  text = goban_inspector_dup_text (inspector);
  g_assert_nonnull (strstr (text, "Decision "));
}

/* The states that the graph pane paints, or %NULL. */
static const guint8 *
painted_states (GuiWindow *f)
{
  GobanGraphPicture picture;

  g_assert_true (
      goban_graph_view_describe (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)), &picture));
  return picture.states;
}

static GobanTimelinePicture
timeline_of (GuiWindow *f)
{
  return goban_timeline_view_describe (
      GOBAN_TIMELINE_VIEW (gui_part (f, GOBAN_TYPE_TIMELINE_VIEW)));
}

static gboolean
is_partial (gpointer data)
{
  GobanTimelinePicture picture = timeline_of (data);

  return picture.scene != NULL && picture.scene->partial.note != NULL
         && strstr (picture.scene->partial.note, "13 of 60") != NULL;
}

static gboolean
is_whole (gpointer data)
{
  return timeline_of (data).scene->partial.note == NULL;
}

static void
assert_partial (GuiWindow *f, GobanRun *run, GobanMoment moment)
{
  GobanTimelinePicture picture = timeline_of (f);
  g_autofree GobanOpSpan *spans
      = goban_moment_dup_spans (goban_run_get_costs (run), decisions_of (run), moment);
  guint n = 0;

  for (guint l = 0; l < picture.scene->n_lanes; l++)
    for (guint s = 0; s < picture.scene->lanes[l].n_slices; s++)
      {
        const GobanSlice *slice = &picture.scene->lanes[l].slices[s];

        g_assert_cmpfloat (slice->start_us, ==, spans[slice->node].start_us);
        g_assert_cmpfloat (slice->finish_us, ==, spans[slice->node].finish_us);
        n++;
      }
  g_assert_cmpuint (n, ==, moment);
  g_assert_null (picture.ghost);
}

/* Of a policy that decides node by node, what is decided stands out. The strip is not there, and
 * keys mean ops, until a moment is chosen. */
static void
test_choices (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanSelection) none = goban_selection_new (NULL, 0);
  const guint8 *states;
  GobanDecisionPanel *panel;
  guint n_decided = 0;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  gui_act (f, "step", g_variant_new_int32 (1));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, GOBAN_NO_MOMENT);
  g_assert_null (painted_states (f));

  gui_act (f, "decision", g_variant_new_int32 (-2));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 0);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  goban_view_set_moment (view_of (f), 12);
  wait_for_moment (f, 12);
  states = painted_states (f);
  g_assert_nonnull (states);
  for (GobanNodeId v = 0; v < 60; v++)
    n_decided += states[v] != GOBAN_NODE_WAITING;
  g_assert_cmpuint (n_decided, ==, 12);
  goban_session_set_selection (f->session, none);
  gui_act (f, "step", g_variant_new_int32 (1));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 13);
  /* The timeline has HEFT's own times of what is decided, and nothing else. */
  wait_for_moment (f, 13);
  gui_wait (is_partial, f, "the timeline shows the moment");
  assert_partial (f, run, 13);
  /* The times at which each device would have finished, and that of the chosen one. */
  panel = goban_step_strip_get_card (strip_of (f));
  g_assert_nonnull (strstr (goban_decision_panel_get_text (panel), "finish"));
  g_assert_cmpuint (goban_decision_panel_get_bars (panel)->cards->len, ==, 1);
  gui_act (f, "no-decision", NULL);
  g_assert_null (painted_states (f));
  gui_wait (is_whole, f, "the timeline shows the plan");
}

/* A click on an option's column in the card. */
static void
click_option (GobanDecisionPanel *panel, guint column)
{
  GtkWidget *area = gui_find (GTK_WIDGET (panel), GTK_TYPE_DRAWING_AREA);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (area);
  GobanBox box = goban_decision_bars_locate (goban_decision_panel_get_bars (panel),
                                             gtk_widget_get_width (area),
                                             gtk_widget_get_height (area), column);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller))
        g_signal_emit_by_name (controller, "released", 1, box.x0 + 1, 40.0);
    }
}

/* Plays another option of the decision, and keeps the run of the plan that comes of it. */
static void
test_force (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_mixed (24, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  GobanDecisionPanel *panel = goban_step_strip_get_card (strip_of (f));
  gboolean was_refused = FALSE, was_forced = FALSE;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  for (GobanMoment m = 1; m <= count_moments (run) && !(was_refused && was_forced); m++)
    {
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions_of (run), m, NULL, &decision));
      for (guint32 k = 0; k < decision.n_options; k++)
        {
          gboolean is_masked = decision.refusals != NULL && decision.refusals[k] != 0;
          g_autofree char *line = NULL;
          GobanRun *forced;

          if (k == decision.chosen || (is_masked ? was_refused : was_forced)
              || (is_masked && (decision.refusals[k] & GOBAN_REFUSAL_MEMORY) != 0))
            continue;
          goban_view_set_moment (view_of (f), (int) m);
          wait_for_moment (f, m);
          gui_wait (gui_is_mapped, panel, "the decision is shown");
          if (!goban_decision_bars_have_numbers (goban_decision_panel_get_bars (panel)))
            continue;
          click_option (panel, k);
          if (is_masked)
            {
              g_assert_true (gui_has_no_job (f));
              gui_wait_notice (f, "cannot be taken at decision");
              was_refused = TRUE;
              continue;
            }
          gui_wait (gui_has_no_job, f, "the option was forced");
          forced = goban_session_get_current_run (f->session);
          g_assert_cmpstr (goban_run_get_forced (forced)->of, ==, "heft");
          g_assert_cmpuint (goban_run_get_forced (forced)->moment, ==, m);
          g_assert_cmpuint (goban_run_get_forced (forced)->option, ==, k);
          line = g_strdup_printf ("view.show(r.decisions[%u]:force(\"%s\"))", m,
                                  goban_cluster_get_device (goban_run_get_cluster (run), k)->name);
          g_assert_cmpstr (gui_last_line (f), ==, line);
          goban_session_undo (f->session);
          g_assert_true (goban_session_get_current_run (f->session) == run);
          was_forced = TRUE;
        }
    }
  g_assert_true (was_refused && was_forced);
}

/* The whole plan as one decision. */
static GobanDecisions *
new_single_decision (GobanRun *run)
{
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = goban_plan_get_n_nodes (goban_run_get_plan (run)),
                                .n_devices = goban_plan_get_n_devices (goban_run_get_plan (run)) });

  goban_decisions_writer_set_plan (writer, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN },
                                   goban_run_get_plan (run));
  goban_decisions_writer_settle (writer, goban_run_get_plan (run));
  return goban_decisions_writer_end (writer);
}

/* A policy that decides everything at once says so where its decisions would be, once it is asked.
 */
static void
test_no_steps (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) heft = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanRun) metis = goban_run_new_from_policy (costs, "metis", NULL, NULL);
  g_autoptr (GobanRun) at_once
      = goban_run_new_kept (costs, goban_run_get_plan (metis), "at once",
                            &(GobanRunOrigin){ .decisions = new_single_decision (metis) });

  goban_session_add_run (f->session, heft);
  goban_session_add_run (f->session, at_once);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  gui_act (f, "decision", g_variant_new_int32 (1));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  g_assert_nonnull (strstr (goban_step_strip_get_text (strip_of (f)), "at once"));
  g_assert_false (gtk_widget_get_mapped (goban_step_strip_get_slider (strip_of (f))));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, GOBAN_NO_MOMENT);
  gui_act (f, "no-decision", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));

  gui_act (f, "play-decisions", NULL);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  goban_session_set_current_run (f->session, heft);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
}

/* Plans made by hand have no decisions, and people may not want to see them. */
static void
test_hidden (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  g_autoptr (GobanRun) by_hand
      = goban_run_new (goban_session_get_costs (f->session), goban_run_get_plan (run), "by hand");

  goban_session_add_run (f->session, by_hand);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "decision"));
  goban_session_set_current_run (f->session, run);
  gui_act (f, "decision", g_variant_new_int32 (1));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "steps-pane",
                                      g_variant_new_boolean (FALSE));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
}

TEST_PROGRAM (steps)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/steps/buttons", test_buttons);
  gui_window_add ("/steps/slider", test_slider);
  gui_window_add ("/steps/play", test_play);
  gui_window_add ("/steps/stop-at", test_stop_at);
  gui_window_add ("/steps/card", test_card);
  gui_window_add ("/steps/levels", test_levels);
  gui_window_add ("/steps/no-steps", test_no_steps);
  gui_window_add ("/steps/keep", test_keep);
  gui_window_add ("/steps/fork", test_fork);
  gui_window_add ("/steps/inspector", test_inspector);
  gui_window_add ("/steps/hidden", test_hidden);
  gui_window_add ("/steps/choices", test_choices);
  gui_window_add ("/steps/force", test_force);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
