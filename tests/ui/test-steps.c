/* Going through the decisions of a policy in the real window. */
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/fork.h"
#include "engine/study/analysis/steps/step-choices.h"
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

/* A graph with a run of GO's that took some steps. */
static GobanRun *
open_run (GuiWindow *f)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 160 };
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "go", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (goban_steps_count (run), >, goban_steps_get_first (run) + 1);
  goban_session_add_run (f->session, run);
  gui_wait (gui_is_mapped, strip_of (f), "the steps are shown");
  gui_wait (gui_has_settled, f, "the graph is laid out");
  return goban_session_get_current_run (f->session);
}

/* A step that pictures are to show. */
typedef struct
{
  GuiWindow *f;
  guint step;
} Shown;

static gboolean
shows_step (gpointer data)
{
  Shown *shown = data;
  GobanRun *run = goban_session_get_shown_run (shown->f->session);

  return run != goban_session_get_current_run (shown->f->session)
         && goban_steps_count (run) == shown->step;
}

static void
wait_for_step (GuiWindow *f, guint step)
{
  Shown shown = { f, step };

  gui_wait (shows_step, &shown, "the step is shown");
}

static gboolean
shows_ghost (gpointer data)
{
  Shown *shown = data;
  GobanRun *ghost = goban_session_get_shown_ghost (shown->f->session);

  return ghost != NULL && goban_steps_count (ghost) == shown->step;
}

/* Behind a step's lanes is the step before it, wherever one came from. */
static void
wait_for_ghost (GuiWindow *f, guint step)
{
  Shown shown = { f, step };

  gui_wait (shows_ghost, &shown, "the step before is made");
}

/* What the graph pane paints is the step: its devices, with the nodes marked that changed. */
static void
assert_painted (GuiWindow *f, GobanRun *run, guint step)
{
  GobanGraphPicture picture;
  g_autoptr (GobanSelection) changed = goban_steps_dup_changed (run, step, GOBAN_TASK_PLACEMENT);

  g_assert_true (
      goban_graph_view_describe (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)), &picture));
  g_assert_null (picture.scene->outline); /* nodes are items here */
  for (guint v = 0; v < picture.scene->n_nodes; v++)
    {
      g_assert_cmpuint (picture.scene->nodes[v].device, ==,
                        goban_steps_get_choice (run, step, GOBAN_TASK_PLACEMENT, v));
      g_assert_true (((picture.scene->nodes[v].flags & GOBAN_NODE_CHANGED) != 0)
                     == goban_selection_contains (changed, v));
    }
}

static void
test_buttons (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint first = goban_steps_get_first (run), last = goban_steps_count (run);
  g_autofree char *line = g_strdup_printf ("view.step(%u)", first);
  g_autofree char *said = goban_steps_describe (run, first);

  g_assert_nonnull (strstr (goban_step_strip_get_text (strip_of (f)), "led to this plan"));
  gui_act (f, "decision", g_variant_new_int32 (-2));
  wait_for_step (f, first);
  assert_painted (f, run, first);
  g_assert_cmpstr (gui_last_line (f), ==, line);
  g_assert_cmpstr (goban_step_strip_get_text (strip_of (f)) + 1, ==, said + 1);

  g_assert_null (goban_session_get_shown_ghost (f->session));
  gui_act (f, "decision", g_variant_new_int32 (1));
  wait_for_step (f, first + 1);
  assert_painted (f, run, first + 1);
  wait_for_ghost (f, first);
  gui_act (f, "decision", g_variant_new_int32 (-1));
  wait_for_step (f, first);
  gui_act (f, "decision", g_variant_new_int32 (2));
  wait_for_step (f, last);
  wait_for_ghost (f, last - 1);
  gui_act (f, "decision", g_variant_new_int32 (1)); /* there is none after it */
  g_assert_cmpint (goban_view_get_step (view_of (f)), ==, (int) last);

  gui_act (f, "no-decision", NULL);
  g_assert_true (goban_session_get_shown_run (f->session) == run);
  g_assert_cmpstr (gui_last_line (f), ==, "view.step()");
  g_assert_null (goban_session_get_redo_name (f->session));
}

static void
test_slider (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint first = goban_steps_get_first (run), last = goban_steps_count (run);
  g_autofree char *line = g_strdup_printf ("view.step(%u)", last - 1);
  guint n_lines;

  goban_step_slider_drag (slider_of (f), goban_step_slider_locate (slider_of (f), first),
                          goban_step_slider_locate (slider_of (f), last - 1));
  wait_for_step (f, last - 1);
  g_assert_cmpstr (gui_last_line (f), ==, line);

  g_assert_true (goban_step_slider_press (slider_of (f), GDK_KEY_Right));
  wait_for_step (f, last);
  g_assert_true (goban_step_slider_press (slider_of (f), GDK_KEY_Home));
  wait_for_step (f, first);
  g_assert_false (goban_step_slider_press (slider_of (f), GDK_KEY_a));

  /* PendingEdit back to where it began is no line. */
  n_lines = goban_session_get_log (f->session)->len;
  goban_step_slider_drag (slider_of (f), goban_step_slider_locate (slider_of (f), last),
                          goban_step_slider_locate (slider_of (f), first));
  wait_for_step (f, first);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines);
}

/* The graph shows what the card lists. */
static void
check_arrows (GuiWindow *f, const GobanDecisionCard *card, GobanNodeId node)
{
  g_autoptr (GArray) arrows = NULL;

  g_object_get (gui_graph_view (f), "attention", &arrows, NULL);
  g_assert_nonnull (arrows);
  g_assert_cmpuint (arrows->len, ==, card->attended->len);
  for (guint i = 0; i < arrows->len; i++)
    {
      const GobanAttentionArrow *arrow = &g_array_index (arrows, GobanAttentionArrow, i);

      g_assert_cmpuint (arrow->from, ==, g_array_index (card->attended, GobanCardAttended, i).node);
      g_assert_cmpuint (arrow->to, ==, node);
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

/* Below a step are all choices of the selected node's decision, or of the first that changed. */
static void
test_card (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint first = goban_steps_get_first (run);
  GobanDecisionPanel *panel = goban_step_strip_get_card (strip_of (f));
  const GobanDecisionBars *bars = goban_decision_panel_get_bars (panel);
  const GobanDecisionCard *card;
  g_autoptr (GPtrArray) cards = NULL;
  g_autofree char *text = NULL;
  double sum = 0;
  static const GobanNodeId nodes[] = { 7 };
  g_autoptr (GobanSelection) seventh = goban_selection_new (nodes, 1);
  g_autoptr (GArray) arrows = NULL;

  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
  gui_act (f, "decision", g_variant_new_int32 (-2));
  gui_act (f, "decision", g_variant_new_int32 (1));
  wait_for_step (f, first + 1);
  gui_wait (gui_is_mapped, panel, "the decision is shown");
  g_assert_cmpuint (bars->cards->len, ==, 1);
  card = g_ptr_array_index (bars->cards, 0);
  g_assert_cmpuint (card->step, ==, first + 1);
  for (guint i = 0; i < card->choices->len; i++)
    {
      GobanBox box = goban_decision_bars_locate (bars, 600, 92, i);

      g_assert_cmpint (goban_decision_bars_find (bars, 600, (GobanPoint){ box.x0 + 1, 40 }), ==,
                       (int) i);
      sum += g_array_index (card->choices, GobanCardChoice, i).probability;
    }
  g_assert_cmpuint (card->choices->len, ==, 4);
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-12);

  goban_session_set_selection (f->session, seventh);
  cards = goban_decision_cards_new (run, first + 1, 7);
  text = goban_decision_card_describe (g_ptr_array_index (cards, 0));
  g_assert_nonnull (strstr (goban_decision_panel_get_text (panel), text));
  g_assert_true (g_str_has_prefix (goban_decision_panel_get_text (panel),
                                   goban_graph_get_node (goban_run_get_graph (run), 7)->name));

  check_tooltip (panel);
  check_arrows (f, g_ptr_array_index (cards, 0), 7);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "card-pane",
                                      g_variant_new_boolean (FALSE));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
  g_object_get (gui_graph_view (f), "attention", &arrows, NULL);
  g_assert_null (arrows);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "card-pane",
                                      g_variant_new_boolean (TRUE));
  gui_act (f, "no-decision", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
}

/* Where a policy keeps no numbers, words stand instead of empty boxes. */
static void
test_card_without_numbers (GuiWindow *f, gconstpointer data)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 60 };
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "go-finetune", &options, NULL);
  GobanDecisionPanel *panel = goban_step_strip_get_card (strip_of (f));
  GtkWidget *title;

  g_assert_cmpuint (goban_steps_count (run), >, goban_steps_get_first (run));
  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  goban_view_set_step (view_of (f), (int) goban_steps_count (run));
  gui_wait (gui_is_mapped, panel, "the decision is shown");
  g_assert_cmpuint (goban_decision_panel_get_bars (panel)->cards->len, ==, 1);
  g_assert_false (goban_decision_bars_have_numbers (goban_decision_panel_get_bars (panel)));
  g_assert_false (gtk_widget_get_mapped (gui_find (GTK_WIDGET (panel), GTK_TYPE_DRAWING_AREA)));
  title = gui_find (GTK_WIDGET (panel), GOBAN_TYPE_SHORT_LABEL);
  g_assert_nonnull (strstr (gui_get_text (title), "scored, not drawn"));
}

static gboolean
has_ended (gpointer data)
{
  return !goban_step_strip_is_playing (strip_of (data));
}

/* All of them, one after the other, and one line at the end. */
static void
test_play (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint last = goban_steps_count (run);
  guint n_lines = goban_session_get_log (f->session)->len;
  g_autofree char *line = g_strdup_printf ("view.step(%u)", last);

  goban_step_strip_set_speed (strip_of (f), 16);
  gui_act (f, "play-decisions", NULL);
  g_assert_true (goban_step_strip_is_playing (strip_of (f)));
  gui_wait (has_ended, f, "playing ends");
  wait_for_step (f, last);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines + 1);
  g_assert_cmpstr (gui_last_line (f), ==, line);

  /* Escape: playing ends, then the step goes. */
  gui_act (f, "play-decisions", NULL);
  gui_act (f, "escape", NULL);
  g_assert_false (goban_step_strip_is_playing (strip_of (f)));
  g_assert_cmpint (goban_view_get_step (view_of (f)), !=, GOBAN_NO_STEP);
  gui_act (f, "escape", NULL);
  g_assert_cmpint (goban_view_get_step (view_of (f)), ==, GOBAN_NO_STEP);
}

/* A step kept is a plan of its own, with its own steps; without it nothing can be changed by
 * hand. */
static void
test_keep (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint first = goban_steps_get_first (run);
  g_autoptr (GobanSelection) all = goban_selection_new ((const GobanNodeId[]){ 0, 1, 2 }, 3);
  g_autofree char *line = g_strdup_printf ("view.show(r:step(%u))", first + 1);

  goban_view_set_step (view_of (f), (int) first + 1);
  wait_for_step (f, first + 1);
  goban_session_set_selection (f->session, all);
  gui_act (f, "move-selection", g_variant_new_int32 (1));
  gui_wait_notice (f, "keep it as a plan");
  g_assert_true (goban_session_get_current_run (f->session) == run);

  gui_act (f, "keep-decision", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 2);
  g_assert_cmpuint (goban_steps_count (goban_session_get_current_run (f->session)), ==, first + 1);
  g_assert_cmpstr (gui_last_line (f), ==, line);
  goban_session_undo (f->session);
  g_assert_true (goban_session_get_current_run (f->session) == run);
}

static void
assert_same_plan (GobanPlan *a, GobanPlan *b)
{
  guint n = goban_plan_get_n_nodes (a);

  g_assert_cmpmem (goban_plan_get_devices (a), n * sizeof (GobanDeviceId),
                   goban_plan_get_devices (b), n * sizeof (GobanDeviceId));
  g_assert_cmpmem (goban_plan_get_priorities (a), n * sizeof (gint32),
                   goban_plan_get_priorities (b), n * sizeof (gint32));
}

/* A search goes on from the step: its first plan is that of the step. */
static void
test_fork (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint step = goban_steps_get_first (run) + 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) kept = goban_steps_new_run (run, step, &error);
  g_autoptr (GobanRun) begun = NULL;
  GobanForkPopover *choice = GOBAN_FORK_POPOVER (gui_part (f, GOBAN_TYPE_FORK_POPOVER));
  g_autofree char *name = goban_fork_dup_name (run, step, "local-search");
  g_autofree char *line
      = g_strdup_printf ("view.show(r:fork(%u, \"local-search\", { evals = 20 }))", step);
  GobanRun *fork;

  goban_view_set_step (view_of (f), (int) step);
  wait_for_step (f, step);
  gui_act (f, "continue-decision", NULL);
  goban_fork_popover_set (choice, "local-search", 20);
  goban_fork_popover_start (choice);
  gui_wait (gui_has_no_job, f, "the search has gone on");
  fork = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_run_get_name (fork), ==, name);
  begun = goban_steps_new_run (fork, goban_steps_get_first (fork), &error);
  g_assert_no_error (error);
  assert_same_plan (goban_run_get_plan (begun), goban_run_get_plan (kept));
  g_assert_cmpstr (gui_last_line (f), ==, line);
  goban_session_undo (f->session);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
}

/* The inspector says how likely a choice was, and what is no longer known. */
static void
test_inspector (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint first = goban_steps_get_first (run), last = goban_steps_count (run);
  g_autoptr (GobanSelection) changed = goban_steps_dup_changed (run, last, GOBAN_TASK_PLACEMENT);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (changed, &n);
  g_autoptr (GobanSelection) one = goban_selection_new (ids, 1);
  GobanInspector *inspector = GOBAN_INSPECTOR (gui_part (f, GOBAN_TYPE_INSPECTOR));
  g_autofree char *text = NULL;
  g_autofree char *said = g_strdup_printf ("of step %u", MAX (first, 1));

  goban_session_set_selection (f->session, one);
  g_assert_nonnull (goban_inspector_get_value (inspector, "probability"));
  g_assert_nonnull (goban_inspector_get_value (inspector, "chances"));
  g_assert_nonnull (goban_inspector_get_value (inspector, "gpu:3"));
  goban_view_set_step (view_of (f), (int) MAX (first, 1));
  wait_for_step (f, MAX (first, 1));
  g_assert_nonnull (goban_inspector_get_value (inspector, "chances"));
  text = goban_inspector_dup_text (inspector);
  g_assert_nonnull (strstr (text, said));
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

  return picture.scene != NULL && picture.scene->note != NULL
         && strstr (picture.scene->note, "13 of 60") != NULL;
}

static gboolean
is_whole (gpointer data)
{
  return timeline_of (data).scene->note == NULL;
}

static void
assert_partial (GuiWindow *f, GobanRun *run, guint step)
{
  GobanTimelinePicture picture = timeline_of (f);
  g_autofree GobanOpSpan *spans = goban_steps_dup_spans (run, step);
  guint n = 0;

  for (guint l = 0; l < picture.scene->n_lanes; l++)
    for (guint s = 0; s < picture.scene->lanes[l].n_slices; s++)
      {
        const GobanSlice *slice = &picture.scene->lanes[l].slices[s];

        g_assert_true (goban_steps_is_decided (run, step, slice->node));
        g_assert_cmpfloat (slice->start_us, ==, spans[slice->node].start_us);
        g_assert_cmpfloat (slice->finish_us, ==, spans[slice->node].finish_us);
        n++;
      }
  g_assert_cmpuint (n, ==, step);
  g_assert_nonnull (picture.ghost);
  n = 0;
  for (guint l = 0; l < picture.ghost->n_lanes; l++)
    n += picture.ghost->lanes[l].kind == GOBAN_LANE_DEVICE ? picture.ghost->lanes[l].n_slices : 0;
  g_assert_cmpuint (n, ==, 60);
}

/* Of a policy that decides node by node, what is decided stands out. The strip is not there, and
 * keys mean ops, until a step is chosen. */
static void
test_choices (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanSelection) none = goban_selection_new (NULL, 0);
  const guint8 *states;
  GobanDecisionPanel *panel;
  const char *text;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  gui_act (f, "step", g_variant_new_int32 (1));
  g_assert_cmpint (goban_view_get_step (view_of (f)), ==, GOBAN_NO_STEP);
  g_assert_null (painted_states (f));

  gui_act (f, "decision", g_variant_new_int32 (-2));
  g_assert_cmpint (goban_view_get_step (view_of (f)), ==, 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  goban_view_set_step (view_of (f), 12);
  wait_for_step (f, 12);
  states = painted_states (f);
  g_assert_nonnull (states);
  for (GobanNodeId v = 0; v < 60; v++)
    g_assert_true ((states[v] != GOBAN_NODE_WAITING) == goban_steps_is_decided (run, 12, v));
  goban_session_set_selection (f->session, none);
  gui_act (f, "step", g_variant_new_int32 (1));
  g_assert_cmpint (goban_view_get_step (view_of (f)), ==, 13);
  /* The timeline has HEFT's own times of what is decided, before the finished plan. */
  wait_for_step (f, 13);
  gui_wait (is_partial, f, "the timeline shows the step");
  assert_partial (f, run, 13);
  /* The times at which each device would have finished, and that of the chosen one. */
  panel = goban_step_strip_get_card (strip_of (f));
  text = goban_decision_panel_get_text (panel);
  g_assert_nonnull (strstr (text, "placement in step 13 by finish: "));
  g_assert_cmpuint (goban_decision_panel_get_bars (panel)->cards->len, ==, 1);
  gui_act (f, "no-decision", NULL);
  g_assert_null (painted_states (f));
  gui_wait (is_whole, f, "the timeline shows the plan");
}

/* A policy that decides everything at once says so where its steps would be, once it is asked. */
static void
test_no_steps (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) heft = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanRun) metis = goban_run_new_from_policy (costs, "metis", NULL, NULL);
  g_autofree char *words = g_strdup_printf ("No steps: %s", goban_steps_get_reason (metis));

  goban_session_add_run (f->session, heft);
  goban_session_add_run (f->session, metis);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  gui_act (f, "decision", g_variant_new_int32 (1));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  g_assert_cmpstr (goban_step_strip_get_text (strip_of (f)), ==, words);
  g_assert_false (gtk_widget_get_visible (goban_step_strip_get_slider (strip_of (f))));
  g_assert_cmpint (goban_view_get_step (view_of (f)), ==, GOBAN_NO_STEP);
  gui_act (f, "no-decision", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));

  gui_act (f, "play-decisions", NULL);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
  goban_session_set_current_run (f->session, heft);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip_of (f))));
}

/* Plans made by hand have no steps, and people may not want to see them. */
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
  gui_window_add ("/steps/card", test_card);
  gui_window_add ("/steps/card-without-numbers", test_card_without_numbers);
  gui_window_add ("/steps/no-steps", test_no_steps);
  gui_window_add ("/steps/keep", test_keep);
  gui_window_add ("/steps/fork", test_fork);
  gui_window_add ("/steps/inspector", test_inspector);
  gui_window_add ("/steps/hidden", test_hidden);
  gui_window_add ("/steps/choices", test_choices);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
