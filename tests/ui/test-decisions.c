/* Going through the decisions of a policy in the real window. */
#include "tests/ui/gui-keys.h"
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "engine/decisions/decisions-writer.h"
#include "engine/session/document/opening.h"
#include "engine/session/option-times.h"
#include "engine/session/preview.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/decisions/decision-card.h"
#include "ui/decisions/decision-player.h"
#include "ui/decisions/decision-record.h"
#include "ui/decisions/decision-slider.h"
#include "ui/decisions/option-row.h"
#include "ui/decisions/play-on-popover.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/place-menu.h"
#include "ui/timeline/timeline-view-private.h"

#include <math.h>
#include <string.h>

static GobanView *
view_of (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

static GobanDecisionPlayer *
player_of (GuiWindow *f)
{
  return GOBAN_DECISION_PLAYER (gui_part (f, GOBAN_TYPE_DECISION_PLAYER));
}

static GobanDecisionCard *
card_of (GuiWindow *f)
{
  return GOBAN_DECISION_CARD (gui_part (f, GOBAN_TYPE_DECISION_CARD));
}

static GobanDecisionRecord *
record_of (GuiWindow *f)
{
  return GOBAN_DECISION_RECORD (gui_part (f, GOBAN_TYPE_DECISION_RECORD));
}

static GobanDecisionSlider *
slider_of (GuiWindow *f, gboolean is_of_plans)
{
  return GOBAN_DECISION_SLIDER (goban_decision_player_get_slider (player_of (f), is_of_plans));
}

static gboolean
shows_decision (gpointer data)
{
  GuiWindow *f = data;

  return goban_view_get_moment (view_of (f)) != GOBAN_NO_MOMENT;
}

static gboolean
shows_plan (gpointer data)
{
  return !shows_decision (data);
}

static void
show_decisions (GuiWindow *f)
{
  gui_act (f, "workspace", g_variant_new_string ("decisions"));
  gui_wait (gui_is_mapped, player_of (f), "the decisions are shown");
  if (!goban_decision_player_has_decisions (player_of (f)))
    return;
  gui_wait (gui_is_mapped, card_of (f), "the card is shown");
  gui_wait (shows_decision, f, "the decision is shown");
}

/* The row of the card for an option. */
static GobanOptionRow *
find_option (GuiWindow *f, guint option)
{
  GtkWidget *list = gui_find (GTK_WIDGET (card_of (f)), GTK_TYPE_LIST_BOX);

  return GOBAN_OPTION_ROW (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) option));
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
  guint n_single = 0;
  g_autoptr (GobanSelection) changed
      = goban_moment_dup_changed (decisions_of (run), moment, GOBAN_N_TASKS);

  g_assert_true (
      goban_graph_view_describe (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)), &picture));
  goban_decision_state_init (&state, goban_graph_get_n_nodes (picture.scene->graph));
  goban_decisions_fill_state (decisions_of (run), moment, &state);
  for (guint i = 0; i < picture.scene->n_nodes; i++)
    {
      const GobanSceneNode *node = &picture.scene->nodes[i];
      GobanNodeId v = goban_graph_scene_get_id (picture.scene, i);

      if (goban_graph_scene_get_group (picture.scene, i) != NULL)
        continue;
      n_single++;
      if (state.choices[GOBAN_TASK_PLACEMENT][v] != GOBAN_UNDECIDED)
        g_assert_cmpuint (node->device, ==, state.choices[GOBAN_TASK_PLACEMENT][v]);
      g_assert_true (((node->flags & GOBAN_NODE_CHANGED) != 0)
                     == goban_selection_contains (changed, v));
    }
  g_assert_cmpuint (n_single, >, 0);
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
  GobanMoment last, second;
  GobanMomentLines *lines;

  show_decisions (f);
  lines = goban_moment_lines_new (decisions_of (run), GOBAN_STOPS_ACCEPTED);
  last = goban_moment_lines_get_moment (lines, lines->moments->len - 1);
  goban_moment_lines_free (lines);
  wait_for_moment (f, 1);
  gui_act (f, "decision", g_variant_new_int32 (-2));
  wait_for_moment (f, 0);
  g_assert_cmpstr (gui_last_line (f), ==, "view.moment(0)");
  gui_act (f, "decision", g_variant_new_int32 (1));
  wait_for_moment (f, 1);
  gui_act (f, "decision", g_variant_new_int32 (1));
  second = (GobanMoment) find_stop (f, run, 1, 1);
  wait_for_moment (f, second);
  assert_painted (f, run, second);
  gui_act (f, "decision", g_variant_new_int32 (-1));
  wait_for_moment (f, 1);
  gui_act (f, "decision", g_variant_new_int32 (2));
  wait_for_moment (f, last);
  assert_painted (f, run, last);
  gui_act (f, "decision", g_variant_new_int32 (1)); /* there is none after it */
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, (int) last);

  gui_act (f, "no-decision", NULL);
  g_assert_true (goban_session_get_shown_run (f->session) == run);
  g_assert_cmpstr (gui_last_line (f), ==, "view.workspace \"explore\"");
  g_assert_null (goban_session_get_redo_name (f->session));
}

/* The first visit shows plan 1, decision 1; later ones where people left, in each run. */
static void
test_visit (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) heft = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanRun) etf = goban_run_new_from_policy (costs, "etf", NULL, NULL);

  goban_session_add_run (f->session, heft);
  goban_session_add_run (f->session, etf);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, GOBAN_NO_MOMENT);
  show_decisions (f);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 1);
  goban_view_set_moment (view_of (f), 9);
  goban_session_set_current_run (f->session, heft);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 1);
  gui_act (f, "workspace", g_variant_new_string ("explore"));
  gui_wait (shows_plan, f, "the plan is shown");
  goban_session_set_current_run (f->session, etf);
  show_decisions (f);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 9);
}

/* Opens Inception-v3 with the plan of a policy. (transfer full) */
static GobanRun *
open_inception (GuiWindow *f, const char *policy, guint64 n_evaluations)
{
  const GobanRunOptions options = { .max_evaluations = n_evaluations };
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autoptr (GError) error = NULL;
  GobanRun *run;

  gui_open_path (f, path);
  gui_wait (gui_has_no_job, f, "the graph is placed");
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), policy, &options, &error);
  g_assert_no_error (error);
  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  show_decisions (f);
  return run;
}

/* Bars are differences to the best: its own is 0, and the greatest difference has the longest. */
static void
assert_bars (GuiWindow *f)
{
  const GobanMomentCard *card = goban_decision_card_get (card_of (f));
  double longest = 0;
  guint n_best = 0, n_known = 0;

  for (guint k = 0; k < card->options->len; k++)
    {
      GobanOptionRow *row = find_option (f, k);
      double share = goban_option_row_get_share (row);

      if (isnan (share))
        continue;
      n_known++;
      longest = fmax (longest, share);
      g_assert_cmpfloat (share, >=, 0);
      g_assert_true ((share == 0)
                     == (strstr (goban_option_row_get_difference (row), "best") != NULL));
      n_best += share == 0;
    }
  g_assert_cmpuint (n_best, >=, 1);
  g_assert_true (n_best == n_known || longest == 1);
}

/* Check 14: HEFT's decision 60 on Inception-v3. Check 13 for each tenth one. */
static void
test_heft (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanRun) run = open_inception (f, "heft", 0);
  guint n_best = 0, n_later = 0;

  for (GobanMoment m = 60; m <= count_moments (run); m += 40)
    {
      goban_view_set_moment (view_of (f), (int) m);
      assert_bars (f);
    }
  goban_view_set_moment (view_of (f), 60);
  for (guint k = 0; k < 4; k++)
    {
      const char *words = goban_option_row_get_difference (find_option (f, k));

      n_best += g_str_equal (words, "\xe2\x98\x85 best");
      n_later += g_str_equal (words, "+19.0 \xc2\xb5s");
      g_assert_cmpfloat (goban_option_row_get_share (find_option (f, k)), ==,
                         g_str_equal (words, "+19.0 \xc2\xb5s") ? 1 : 0);
    }
  g_assert_cmpuint (n_best, ==, 1);
  g_assert_cmpuint (n_later, ==, 3);
  g_assert_cmpstr (goban_decision_card_get_announcement (card_of (f)), ==,
                   "Decision 60 of 313: Mixed_5c/branch1x1/relu to gpu:2");
}

static gboolean
is_measured (gpointer data)
{
  GuiWindow *f = data;
  const GobanMomentCard *card = goban_decision_card_get (card_of (f));

  return !isnan (goban_option_times_get_loss_us (goban_option_times_of (f->session), card->moment));
}

/* The first decision of a device with another option that leads to a shorter plan; its makespans,
 * (transfer full). */
static double *
find_loss (GobanRun *run, GobanMoment *moment, guint *n)
{
  for (GobanMoment m = 1; m <= count_moments (run); m++)
    {
      g_autofree double *makespans_us = NULL;
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions_of (run), m, NULL, &decision));
      if (decision.options != GOBAN_OPTION_DEVICE)
        continue;
      makespans_us = goban_regret_dup_makespans_us (run, m, NULL, n, NULL);
      for (guint k = 0; makespans_us != NULL && k < *n; k++)
        if (makespans_us[k] < makespans_us[decision.chosen] - 0.05)
          {
            *moment = m;
            return g_steal_pointer (&makespans_us);
          }
    }
  g_assert_not_reached ();
}

/* Differences of a policy with probabilities are those of the plans that the options lead to: they
 * come when nothing else is done, and the card shows them. */
static void
test_measured (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanRun) run = open_inception (f, "go-zeroshot", 0);
  GobanMoment moment;
  guint n;
  g_autofree double *makespans_us = find_loss (run, &moment, &n);
  g_autofree char *name = NULL;
  double best_us = INFINITY;

  goban_view_set_moment (view_of (f), (int) moment);
  g_assert_cmpstr (goban_option_row_get_difference (find_option (f, 0)), ==, "\xe2\x80\xa6");
  gui_wait (is_measured, f, "all options are measured");
  assert_bars (f);
  for (guint k = 0; k < n; k++)
    best_us = fmin (best_us, makespans_us[k]);
  for (guint k = 0; k < n; k++)
    {
      g_autofree char *expected
          = makespans_us[k] == best_us
                ? g_strdup ("\xe2\x98\x85 best")
                : g_strdup_printf ("+%.1f \xc2\xb5s", makespans_us[k] - best_us);

      g_assert_cmpstr (goban_option_row_get_difference (find_option (f, k)), ==, expected);
    }
  name = goban_decision_record_dup_name (record_of (f),
                                         goban_decision_record_get_selected (record_of (f)));
  /* "18, Mixed_6c branch7x7, gpu:1, 49 percent, 8.9 microseconds slower than the best" */
  g_assert_true (g_regex_match_simple (
      "^[0-9]+, .+, gpu:[0-3], [0-9.]+ percent, [0-9.]+ microseconds slower than the best$", name,
      0, 0));
}

static guint
find_selected_line (GuiWindow *f)
{
  guint row = goban_decision_record_get_selected (record_of (f));
  GobanRecordPlace place
      = goban_record_model_get_place (goban_decision_record_get_model (record_of (f)), row);

  g_assert_cmpint (place.kind, ==, GOBAN_RECORD_DECISION);
  return place.index;
}

/* Check 15: one key moves slider, record, card and board by one. */
static void
test_one_key (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);

  show_decisions (f);
  wait_for_moment (f, 1);
  if (!gui_keys_begin (f))
    return;
  for (guint n = 1; n <= 4; n++)
    {
      g_autofree char *place = g_strdup_printf ("Decision %u of ", n);

      wait_for_moment (f, n);
      g_assert_cmpint (goban_decision_slider_get_shown (slider_of (f, FALSE)), ==, (int) n - 1);
      g_assert_cmpuint (find_selected_line (f), ==, n - 1);
      g_assert_cmpuint (goban_decision_card_get (card_of (f))->moment, ==, n);
      g_assert_true (g_str_has_prefix (goban_decision_card_get_announcement (card_of (f)), place));
      assert_painted (f, run, n);
      if (n < 4)
        gui_keys_press (f, ".");
    }
  gui_keys_press (f, ",");
  wait_for_moment (f, 3);
  g_assert_cmpuint (find_selected_line (f), ==, 2);
  gui_keys_press (f, "Home");
  wait_for_moment (f, 0);
  gui_keys_press (f, "End");
  wait_for_moment (f, goban_decisions_get_last (decisions_of (run)));
}

static gboolean
is_watched (gpointer data)
{
  GuiWindow *f = data;
  GobanRun *run = goban_session_get_current_run (f->session);

  return g_list_model_get_n_items (goban_session_get_runs (f->session)) == 1
         && g_str_equal (goban_run_get_name (run), "anneal")
         && goban_view_get_moment (view_of (f)) != GOBAN_NO_MOMENT;
}

/* The keys walk through the decisions of a policy that was just started. */
static void
test_keys_while_running (GuiWindow *f, gconstpointer data)
{
  GobanPlaceMenu *menu;
  int moment;

  open_run (f);
  show_decisions (f);
  if (!gui_keys_begin (f))
    return;
  gui_keys_press (f, "Ctrl+P");
  menu = GOBAN_PLACE_MENU (gui_part (f, GOBAN_TYPE_PLACE_MENU));
  gui_wait (gui_is_mapped, menu, "the menu is open");
  goban_place_menu_choose (menu, "anneal");
  gtk_spin_button_set_value (gui_child (menu, "evaluations"), 0);
  gtk_spin_button_set_value (gui_child (menu, "seconds"), 600);
  g_signal_emit_by_name (gui_child (menu, "start"), "clicked");
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
  gui_wait (is_watched, f, "a plan of the policy is shown");
  moment = goban_view_get_moment (view_of (f));
  gui_keys_press (f, ".");
  g_assert_cmpint (goban_view_get_moment (view_of (f)), >, moment);
  gui_keys_press (f, ",");
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, moment);
  goban_session_cancel_job (f->session);
  gui_wait (gui_has_no_job, f, "the policy has ended");
}

static void
test_slider (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanDecisionSlider *slider = slider_of (f, FALSE);
  guint n, n_lines;
  GobanMoment last;

  g_assert_nonnull (run);
  show_decisions (f);
  gui_draw (GTK_WIDGET (slider));
  n = goban_decision_slider_get_n (slider);
  g_assert_cmpuint (n, >, 2);
  goban_decision_slider_drag (slider, goban_decision_slider_locate (slider, 0),
                              goban_decision_slider_locate (slider, n - 2));
  g_assert_cmpint (goban_decision_slider_get_shown (slider), ==, (int) n - 2);
  g_assert_true (g_str_has_prefix (gui_last_line (f), "view.moment("));
  g_assert_true (goban_decision_slider_press (slider, GDK_KEY_Right));
  last = (GobanMoment) goban_view_get_moment (view_of (f));
  g_assert_cmpint (goban_decision_slider_get_shown (slider), ==, (int) n - 1);
  g_assert_true (goban_decision_slider_press (slider, GDK_KEY_Home));
  wait_for_moment (f, 1);
  g_assert_false (goban_decision_slider_press (slider, GDK_KEY_a));
  g_assert_cmpuint (last, >, 1);

  /* A drag back to where it began is no line. */
  n_lines = goban_session_get_log (f->session)->len;
  goban_decision_slider_drag (slider, goban_decision_slider_locate (slider, n - 1),
                              goban_decision_slider_locate (slider, 0));
  wait_for_moment (f, 1);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines);
}

/* Plans and the decisions of a plan are numbered each from 1; all plans can be listed. */
static void
test_plans (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  g_autoptr (GobanMomentLines) lines = goban_moment_lines_new (decisions_of (run), GOBAN_STOPS_ALL);
  GobanDecisionSlider *plans = slider_of (f, TRUE);

  show_decisions (f);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (plans))); /* one was taken */
  goban_view_set_level (view_of (f), GOBAN_LEVEL_MOMENT, GOBAN_STOPS_ALL);
  gui_wait (gui_is_mapped, plans, "the slider of plans is shown");
  g_assert_cmpuint (goban_decision_slider_get_n (plans), ==, lines->plans->len);
  gui_act (f, "decision-plan", g_variant_new_int32 (1));
  g_assert_cmpint (
      goban_view_get_moment (view_of (f)), ==,
      (int) goban_moment_lines_get_moment (lines, goban_moment_lines_get_plan (lines, 1)->first));
  g_assert_cmpint (goban_decision_slider_get_shown (plans), ==, 1);
  g_assert_cmpint (goban_decision_slider_get_shown (slider_of (f, FALSE)), ==, 0);
  g_assert_cmpuint (goban_decision_slider_get_n (slider_of (f, FALSE)), ==,
                    goban_moment_lines_get_plan (lines, 1)->n);
  gui_act (f, "decision-plan", g_variant_new_int32 (-1));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 1);
}

/* The player stops at plans alone, and at those that were given up. */
static void
test_levels (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  g_autoptr (GArray) plans
      = goban_moments_list_stops (decisions_of (run), GOBAN_LEVEL_PLAN, GOBAN_STOPS_ALL);

  show_decisions (f);
  goban_view_set_level (view_of (f), GOBAN_LEVEL_PLAN, GOBAN_STOPS_ALL);
  g_assert_cmpstr (gui_last_line (f), ==, "view.level(\"plan\", \"all\")");
  gui_act (f, "decision", g_variant_new_int32 (-2));
  for (guint i = 1; i < MIN (plans->len, 4); i++)
    {
      gui_act (f, "decision", g_variant_new_int32 (1));
      wait_for_moment (f, g_array_index (plans, GobanMoment, i));
    }
}

static gboolean
has_ended (gpointer data)
{
  return !goban_decision_player_is_playing (player_of (data));
}

/* All stops, one after the other, and one line at the end. */
static void
test_play (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment last = goban_decisions_get_last (decisions_of (run));
  guint n_lines;
  g_autofree char *line = g_strdup_printf ("view.moment(%u)", last);

  show_decisions (f);
  goban_view_set_level (view_of (f), GOBAN_LEVEL_PLAN, GOBAN_STOPS_LINE);
  n_lines = goban_session_get_log (f->session)->len;
  goban_decision_player_set_speed (player_of (f), 16);
  gui_act (f, "play-decisions", NULL);
  g_assert_true (goban_decision_player_is_playing (player_of (f)));
  gui_wait (has_ended, f, "playing ends");
  wait_for_moment (f, last);
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines + 1);
  g_assert_cmpstr (gui_last_line (f), ==, line);

  /* Escape ends playing; a decision stays. */
  gui_act (f, "play-decisions", NULL);
  gui_act (f, "escape", NULL);
  g_assert_false (goban_decision_player_is_playing (player_of (f)));
  gui_act (f, "escape", NULL);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), !=, GOBAN_NO_MOMENT);
}

/* The player stops at breakpoints, even between the stops of its level. */
static void
test_stop_at (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment last = goban_decisions_get_last (decisions_of (run));
  const GobanMoment moment = last - 3;
  g_autofree char *line = g_strdup_printf ("view.stop_at{%u}", moment);

  show_decisions (f);
  goban_view_set_moment (view_of (f), (int) moment);
  goban_decision_record_toggle_breakpoint (record_of (f));
  g_assert_cmpstr (gui_last_line (f), ==, line);
  goban_view_set_level (view_of (f), GOBAN_LEVEL_PLAN, GOBAN_STOPS_LINE);
  gui_act (f, "decision", g_variant_new_int32 (-2));
  goban_decision_player_set_speed (player_of (f), 16);
  gui_act (f, "play-decisions", NULL);
  gui_wait (has_ended, f, "playing stops");
  wait_for_moment (f, moment);
  gui_act (f, "play-decisions", NULL);
  gui_wait (has_ended, f, "playing ends");
  wait_for_moment (f, last);
  goban_view_set_level (view_of (f), GOBAN_LEVEL_MOMENT, GOBAN_STOPS_LINE);
  goban_view_set_moment (view_of (f), (int) moment);
  goban_decision_record_toggle_breakpoint (record_of (f));
  g_assert_cmpstr (gui_last_line (f), ==, "view.stop_at{}");
}

/* Arrow keys walk and fold; the costliest decision comes first once they are reviewed. */
static void
test_record (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  GobanRecordModel *model = goban_decision_record_get_model (record_of (f));
  GtkWidget *list = gui_find (GTK_WIDGET (record_of (f)), GTK_TYPE_LIST_VIEW);
  GobanOptionTimes *times = goban_option_times_of (f->session);
  GtkWidget *costly;
  double last_us = INFINITY;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  show_decisions (f);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 60);
  gui_press (list, GDK_KEY_Down, 0);
  gui_press (list, GDK_KEY_Down, 0);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 3);
  g_assert_cmpstr (gui_last_line (f), ==, "view.moment(3)");
  gui_press (list, GDK_KEY_Up, 0);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 2);

  gui_act (f, "review-decisions", NULL);
  while (goban_option_times_is_reviewing (times))
    g_main_context_iteration (NULL, TRUE);
  for (GobanMoment m = 1; m <= 60; m++)
    g_assert_cmpfloat (goban_option_times_get_loss_us (times, m), >=, 0);
  costly = gui_find_button (GTK_WIDGET (record_of (f)), "Costliest First");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (costly), TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 60);
  for (guint row = 0; row < 60; row++)
    {
      double loss_us = goban_option_times_get_loss_us (
          times, goban_record_model_get_place (model, row).index + 1);

      g_assert_cmpfloat (loss_us, <=, last_us);
      last_us = loss_us;
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (costly), FALSE);
  g_assert_cmpuint (goban_record_model_get_place (model, 5).index, ==, 5);
}

/* The moment of a finished plan that is not the last. */
static GobanMoment
find_plan (GobanRun *run)
{
  return goban_moment_find_plan (decisions_of (run), (GobanMoment) count_moments (run));
}

/* A plan kept is one of its own; until then nothing can be changed by hand. */
static void
test_keep (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  GobanMoment moment = find_plan (run);
  g_autoptr (GobanSelection) all = goban_selection_new ((const GobanNodeId[]){ 0, 1, 2 }, 3);
  g_autofree char *line = g_strdup_printf ("view.show(r.decisions[%u]:plan())", moment);

  show_decisions (f);
  g_assert_cmpuint (moment, !=, goban_run_get_moment (run));
  goban_view_set_level (view_of (f), GOBAN_LEVEL_MOMENT, GOBAN_STOPS_ALL);
  goban_view_set_moment (view_of (f), (int) moment - 1); /* a decision of the plan will do */
  wait_for_moment (f, moment - 1);
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
  GobanPlayOnPopover *choice = GOBAN_PLAY_ON_POPOVER (gui_part (f, GOBAN_TYPE_PLAY_ON_POPOVER));
  g_autofree char *name = goban_fork_dup_name (run, moment, "local-search");
  g_autofree char *line = g_strdup_printf (
      "view.show(r.decisions[%u]:continue(\"local-search\", { evals = 20 }))", moment);

  show_decisions (f);
  goban_view_set_moment (view_of (f), (int) moment);
  wait_for_moment (f, moment);
  gui_act (f, "continue-decision", NULL);
  goban_play_on_popover_set (choice, "local-search", 20);
  goban_play_on_popover_start (choice);
  gui_wait (gui_has_no_job, f, "the search has gone on");
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, name);
  g_assert_true (g_ptr_array_find_with_equal_func ((GPtrArray *) goban_session_get_log (f->session),
                                                   line, g_str_equal, NULL));
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
  text = goban_inspector_dup_text (inspector);
  g_assert_nonnull (strstr (text, "\ngpu:3\t"));
  g_assert_nonnull (strstr (text, "Decision "));
}

/* The nodes that the graph pane shows with a device, in groups too. */
static guint
count_decided (GuiWindow *f)
{
  GobanGraphPicture picture;
  double n = 0;

  g_assert_true (
      goban_graph_view_describe (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)), &picture));
  for (guint v = 0; v < picture.scene->n_nodes; v++)
    {
      const GobanSceneGroup *group = goban_graph_scene_get_group (picture.scene, v);

      if (group == NULL)
        n += (picture.scene->nodes[v].flags & GOBAN_NODE_UNDECIDED) == 0;
      for (guint d = 0; group != NULL && d < picture.scene->groups.n_shares; d++)
        n += (double) group->shares[d] * group->n_nodes;
    }
  return (guint) (n + 0.5);
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

/* Of a policy that decides node by node, what is decided stands out. */
static void
test_choices (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_cmpuint (count_decided (f), ==, 60);
  show_decisions (f);
  goban_view_set_moment (view_of (f), 12);
  wait_for_moment (f, 12);
  g_assert_cmpuint (count_decided (f), ==, 12);
  gui_act (f, "step", g_variant_new_int32 (1));
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, 13);
  /* The timeline has HEFT's own times of what is decided, before the finished plan. */
  wait_for_moment (f, 13);
  gui_wait (is_partial, f, "the timeline shows the moment");
  assert_partial (f, run, 13);
  gui_act (f, "no-decision", NULL);
  gui_wait (gui_is_unmapped, player_of (f), "the plan is shown");
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_assert_cmpuint (count_decided (f), ==, 60);
  gui_wait (is_whole, f, "the timeline shows the plan");
}

static gboolean
has_preview (gpointer data)
{
  GuiWindow *f = data;

  return goban_preview_get_run (goban_preview_of (f->session)) != NULL;
}

/* An option of a decision that was not taken, and that is refused or not; FALSE without one. */
static gboolean
find_other (GobanRun *run, gboolean is_refused, GobanMoment *moment, guint32 *option)
{
  for (GobanMoment m = 1; m <= count_moments (run); m++)
    {
      GobanDecision decision;

      g_assert_true (goban_decisions_get (decisions_of (run), m, NULL, &decision));
      for (guint32 k = 0; k < decision.n_options; k++)
        if (k != decision.chosen
            && (decision.refusals != NULL && decision.refusals[k] != 0) == is_refused)
          {
            *moment = m;
            *option = k;
            return TRUE;
          }
    }
  return FALSE;
}

/* Check 18: a digit previews an option on all pictures, Enter plays it; the line is a variation
 * below its decision, and Undo takes it away. */
static void
test_play_on (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_mixed (24, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  GobanRecordModel *model = goban_decision_record_get_model (record_of (f));
  g_autofree char *line = NULL;
  g_autofree char *label = NULL;
  GobanMoment moment;
  guint32 option;
  guint row, n_rows;
  GobanRun *forced;

  goban_session_add_run (f->session, run);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  show_decisions (f);
  g_assert_true (find_other (run, TRUE, &moment, &option));
  goban_view_set_moment (view_of (f), (int) moment);
  g_assert_false (goban_decision_card_aim (card_of (f), (int) option));
  g_assert_true (*goban_option_row_get_difference (find_option (f, option)) != '\0');

  g_assert_true (find_other (run, FALSE, &moment, &option));
  goban_view_set_moment (view_of (f), (int) moment);
  wait_for_moment (f, moment);
  n_rows = g_list_model_get_n_items (G_LIST_MODEL (model));
  gui_press (GTK_WIDGET (f->window), GDK_KEY_0 + option, 0);
  gui_wait (has_preview, f, "the option is previewed");
  g_assert_cmpuint (goban_run_get_moment (goban_preview_get_run (goban_preview_of (f->session))),
                    ==, moment);
  gui_press (GTK_WIDGET (f->window), GDK_KEY_Return, 0);
  gui_wait (gui_has_no_job, f, "the policy has played on");
  g_assert_null (goban_preview_get_run (goban_preview_of (f->session)));
  forced = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_run_get_origin (forced)->forced.of, ==, "heft");
  g_assert_cmpuint (goban_run_get_origin (forced)->forced.moment, ==, moment);
  g_assert_cmpuint (goban_run_get_origin (forced)->forced.option, ==, option);
  line = g_strdup_printf ("view.show(r.decisions[%u]:force(\"%s\"))", moment,
                          goban_cluster_get_device (goban_run_get_cluster (run), option)->name);
  g_assert_cmpstr (gui_last_line (f), ==, line);

  /* The record is the first run's, and the decision that was forced is shown. */
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, (int) moment);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, n_rows + 1);
  row = goban_record_model_find_run (model, forced);
  g_assert_cmpuint (row, ==, goban_record_model_find_line (model, moment - 1) + 1);
  g_assert_cmpuint (row, ==, goban_decision_record_get_selected (record_of (f)));
  label = g_strdup_printf ("%ua", moment);
  g_assert_cmpstr (
      goban_record_model_get_variation (model, goban_record_model_get_place (model, row).index)
          ->label,
      ==, label);

  /* Its decision, and back. */
  goban_decision_record_select (record_of (f), row - 1);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, (int) moment);
  goban_decision_record_select (record_of (f), row);
  g_assert_true (goban_session_get_current_run (f->session) == forced);
  goban_session_undo (f->session);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, n_rows);
  g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, (int) moment);
}

/* Whether a text has a word of the old names. */
static void
assert_words (const char *text)
{
  static GRegex *regex;

  if (regex == NULL)
    regex = g_regex_new ("\\b(steps?|rows?)\\b", G_REGEX_CASELESS, 0, NULL);
  if (text != NULL && g_regex_match (regex, text, 0, NULL))
    g_error ("“%s” is in the workspace of decisions", text);
}

static void
assert_words_of (GtkWidget *widget)
{
  assert_words (gui_get_text (widget));
  assert_words (gtk_widget_get_tooltip_text (widget));
  if (GTK_IS_BUTTON (widget))
    assert_words (gtk_button_get_label (GTK_BUTTON (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      assert_words_of (child);
}

/* Check 19: steps and rows are not named, whatever was decided. */
static void
test_words (GuiWindow *f, gconstpointer data)
{
  static const char *const policies[] = { "go-zeroshot", "heft", "metis" };

  for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
    {
      g_autoptr (GobanRun) run = open_inception (f, policies[p], 0);
      guint n = count_moments (run);

      for (guint m = 0; m <= MIN (n, 40); m++)
        {
          goban_view_play_moment (view_of (f), (int) m);
          assert_words (goban_decision_card_get_announcement (card_of (f)));
          for (guint row = 0; row < MIN (g_list_model_get_n_items (G_LIST_MODEL (
                                             goban_decision_record_get_model (record_of (f)))),
                                         40);
               row += 13)
            {
              g_autofree char *name = goban_decision_record_dup_name (record_of (f), row);

              assert_words (name);
            }
          assert_words_of (GTK_WIDGET (f->window));
        }
    }
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

/* A policy that decides everything at once has no decisions to walk through, nor has a plan made by
 * hand; those of another run come back. */
static void
test_no_decisions (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 5, "p100x4");
  g_autoptr (GobanRun) heft = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanDecisions) single = new_single_decision (heft);
  g_autoptr (GobanRun) at_once = goban_run_new_kept (costs, goban_run_get_plan (heft), "at once",
                                                     &(GobanRunOrigin){ .decisions = single });
  g_autoptr (GobanRun) by_hand = goban_run_new (costs, goban_run_get_plan (heft), "by hand");
  GobanRun *const runs[] = { at_once, by_hand };

  goban_session_add_run (f->session, heft);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  show_decisions (f);
  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      goban_session_add_run (f->session, runs[i]);
      gui_wait (gui_is_unmapped, card_of (f), "there is no decision");
      g_assert_cmpint (goban_view_get_moment (view_of (f)), ==, GOBAN_NO_MOMENT);
      g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "decision"));
      g_assert_false (goban_decision_player_has_decisions (player_of (f)));
      goban_session_set_current_run (f->session, heft);
      gui_wait (gui_is_mapped, card_of (f), "there are decisions again");
    }
}

/* A decision forward or back at 84,464 nodes; with -m perf the times alone. */
static void
test_large (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanRun) run = NULL;
  GTimer *timer = g_timer_new ();
  double most_ms = 0, sum_ms = 0;
  guint n = 0;

  goban_session_open_path (f->session, "gnmt:layers=8");
  gui_wait (gui_has_no_job, f, "the graph is placed");
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, NULL);
  goban_session_add_run (f->session, run);
  g_assert_cmpuint (count_moments (run), >=, 84464);
  gui_wait (gui_has_settled, f, "the graph is laid out");
  g_timer_start (timer);
  show_decisions (f);
  g_test_message ("decisions shown: %.1f ms", g_timer_elapsed (timer, NULL) * 1e3);
  g_assert_cmpuint (
      g_list_model_get_n_items (G_LIST_MODEL (goban_decision_record_get_model (record_of (f)))), <,
      GOBAN_RECORD_MOST_UNFOLDED);
  goban_view_set_moment (view_of (f), 40000);
  wait_for_moment (f, 40000);
  for (guint i = 0; i < 40; i++)
    {
      double ms;

      gui_rest ();
      g_timer_start (timer);
      gui_act (f, "decision", g_variant_new_int32 (i % 4 == 3 ? -1 : 1));
      ms = g_timer_elapsed (timer, NULL) * 1e3;
      most_ms = fmax (most_ms, ms);
      sum_ms += ms;
      n++;
    }
  g_test_message ("a decision: %.2f ms, at most %.2f ms", sum_ms / n, most_ms);
  g_timer_destroy (timer);
}

TEST_PROGRAM (decisions)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/decisions/buttons", test_buttons);
  gui_window_add ("/decisions/visit", test_visit);
  gui_window_add ("/decisions/one-key", test_one_key);
  gui_window_add ("/decisions/keys-while-running", test_keys_while_running);
  gui_window_add ("/decisions/slider", test_slider);
  gui_window_add ("/decisions/plans", test_plans);
  gui_window_add ("/decisions/levels", test_levels);
  gui_window_add ("/decisions/play", test_play);
  gui_window_add ("/decisions/stop-at", test_stop_at);
  gui_window_add ("/decisions/heft", test_heft);
  gui_window_add ("/decisions/measured", test_measured);
  gui_window_add ("/decisions/record", test_record);
  gui_window_add ("/decisions/play-on", test_play_on);
  gui_window_add ("/decisions/words", test_words);
  gui_window_add ("/decisions/no-decisions", test_no_decisions);
  gui_window_add ("/decisions/keep", test_keep);
  gui_window_add ("/decisions/fork", test_fork);
  gui_window_add ("/decisions/inspector", test_inspector);
  gui_window_add ("/decisions/choices", test_choices);
  if (g_test_perf ())
    gui_window_add ("/decisions/large", test_large);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
