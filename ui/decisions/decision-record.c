#include "ui/decisions/decision-record.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/option-times.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"
#include "ui/decisions/decision-lines.h"
#include "ui/decisions/decision-words.h"
#include "ui/decisions/record-row.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <string.h>

/* Rows that are seen on either side of the selected one. */
#define CONTEXT 3

struct _GobanDecisionRecord
{
  GtkWidget parent;

  GobanSession *session;
  GobanDecisionLines *lines; /* borrowed from the session, as the next one */
  GobanOptionTimes *times;
  GobanRun *root;              /* (nullable): whose record it is */
  GobanMomentLines *own_lines; /* (nullable): of the root if that is not the current run */
  GobanRecordModel *model;
  GtkSingleSelection *selection;
  GPtrArray *bound;      /* GtkListItem, borrowed: those that show something */
  gboolean is_following; /* the selection follows the session */
  gboolean is_filling;   /* the drop-down does */
  GtkWidget *box, *scroller, *view;
  GtkWidget *bar, *review, *progress, *stop, *costly, *stops;
};

G_DEFINE_FINAL_TYPE (GobanDecisionRecord, goban_decision_record, GTK_TYPE_WIDGET)

static GobanView *
view_of (GobanDecisionRecord *self)
{
  return goban_session_get_view (self->session);
}

static gboolean
is_root_current (GobanDecisionRecord *self)
{
  return self->root == goban_session_get_current_run (self->session);
}

/* The current run is one of the root's. While the graph goes there is none. */
static gboolean
has_variation (GobanDecisionRecord *self)
{
  return !is_root_current (self) && goban_session_get_current_run (self->session) != NULL;
}

/* (nullable): the lines of the root. */
static GobanMomentLines *
get_lines (GobanDecisionRecord *self)
{
  return is_root_current (self) ? goban_decision_lines_get (self->lines) : self->own_lines;
}

/* The line up to which is decided; GOBAN_NO_LINE: nothing is. Until its forced decision a variation
 * has the moments of the root. */
static guint
get_shown_line (GobanDecisionRecord *self)
{
  int moment = goban_view_get_moment (view_of (self));
  GobanRun *run = goban_session_get_current_run (self->session);

  if (get_lines (self) == NULL || moment == GOBAN_NO_MOMENT)
    return GOBAN_NO_LINE;
  if (has_variation (self))
    moment = MIN (moment, (int) goban_run_get_origin (run)->forced.moment);
  return goban_moment_lines_find (get_lines (self), (GobanMoment) moment);
}

/* --- words of rows --------------------------------------------------------------------------- */

/* Why the option was taken, in a word: "49 %", "first", "follows", "you". (transfer full) */
static char *
describe_reason (const GobanDecision *decision)
{
  double difference = goban_decision_get_difference (decision, decision->chosen);

  if ((decision->flags & GOBAN_DECISION_FORCED) != 0)
    return g_strdup (_ ("you"));
  if ((decision->flags & GOBAN_DECISION_CARRIED) != 0)
    return g_strdup (_ ("follows"));
  if (decision->n_options <= 1 || decision->scores == NULL)
    return g_strdup ("");
  if (decision->score == GOBAN_SCORE_PROBABILITY)
    return goban_percent_describe ((double) decision->scores[decision->chosen]);
  if (isnan (difference))
    return goban_score_describe (decision->score, (double) decision->scores[decision->chosen]);
  if (decision->score == GOBAN_SCORE_FINISH_US || decision->score == GOBAN_SCORE_START_US)
    return g_strdup (difference == 0 ? _ ("first") : _ ("later"));
  return g_strdup (difference == 0 ? _ ("least") : _ ("not least"));
}

/* Difference of the option taken to the best one: of the makespans if they are measured, else by
 * the policy's own measure. */
static double
get_loss (GobanDecisionRecord *self, const GobanDecision *decision, GobanScoreKind *kind)
{
  double loss_us = is_root_current (self)
                       ? goban_option_times_get_loss_us (self->times, decision->number)
                       : (double) NAN;

  *kind = isnan (loss_us) ? decision->score : GOBAN_SCORE_MAKESPAN_US;
  return isnan (loss_us) ? goban_decision_get_difference (decision, decision->chosen) : loss_us;
}

/* "16, Mixed_6c branch7x7, gpu:1, 49 percent, 8.9 microseconds slower than the best". (transfer
 * full) */
static char *
describe_line (const GobanRecordContent *content, double loss, GobanScoreKind kind)
{
  GString *text = g_string_new (content->number);

  g_string_append_printf (text, ", %s", content->what);
  if (*content->where != '\0')
    g_string_append_printf (text, ", %s", content->where);
  if (*content->why != '\0')
    g_string_append_printf (text, ", %s", content->why);
  if (loss == 0)
    g_string_append (text, _ (", best"));
  else if (isfinite (loss))
    {
      g_autofree char *amount = goban_span_describe (loss);

      g_string_append_printf (text, ", %s %s", amount, goban_loss_get_heading (kind));
    }
  g_string_replace (text, " %", _ (" percent"), 0);
  g_string_replace (text, " µs", _ (" microseconds"), 0);
  g_string_replace (text, " ms", _ (" milliseconds"), 0);
  return g_string_free (text, FALSE);
}

static gboolean
is_breakpoint (GobanDecisionRecord *self, GobanMoment moment)
{
  return goban_view_find_stop_at (view_of (self), (int) moment - 1, (int) moment)
         != GOBAN_NO_MOMENT;
}

static void
show_line (GobanDecisionRecord *self, GobanRecordRow *row, guint line, gboolean is_selected)
{
  GobanMomentLines *lines = get_lines (self);
  GobanMoment moment = goban_moment_lines_get_moment (lines, line);
  const GobanCostModel *costs = goban_run_get_costs (self->root);
  guint plan = goban_moment_lines_find_plan (lines, line);
  guint shown = get_shown_line (self);
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  GobanScoreKind kind;
  double loss;
  g_autofree char *number
      = g_strdup_printf ("%u", line - goban_moment_lines_get_plan (lines, plan)->first + 1);
  g_autofree char *what = NULL;
  g_autofree char *where = NULL;
  g_autofree char *why = NULL;
  g_autofree char *gain = NULL;
  g_autofree char *name = NULL;
  GobanRecordContent content;

  if (!goban_decisions_get (lines->decisions, moment, &room, &decision))
    return;
  loss = get_loss (self, &decision, &kind);
  what = goban_moment_dup_title (costs, lines->decisions, &decision, GOBAN_TITLE_SHORT);
  where = decision.n_options > 0 ? goban_option_dup_name (costs, &decision, decision.chosen)
                                 : g_strdup ("");
  why = describe_reason (&decision);
  gain = goban_loss_describe (kind, loss);
  content = (GobanRecordContent){
    .number = number,
    .what = what,
    .where = where,
    .why = why,
    .gain = gain,
    .device = decision.options == GOBAN_OPTION_DEVICE ? decision.chosen : G_MAXUINT,
    .quality = loss == 0  ? GOBAN_GAIN_GOOD
               : loss > 0 ? GOBAN_GAIN_BAD
                          : GOBAN_GAIN_NONE,
    .is_future = shown == GOBAN_NO_LINE || line > shown,
    .is_breakpoint = is_breakpoint (self, moment),
    .is_selected = is_selected,
  };
  content.name = name = describe_line (&content, loss, kind);
  goban_record_row_show (row, &content);
  goban_decision_room_clear (&room);
}

/* "2.403 ms  ▼ 8.9 %". (transfer full) */
static char *
describe_gain (GobanDecisionRecord *self, const GobanLinesPlan *plan, GobanGain *quality)
{
  double makespan_us = plan->makespan_us;
  double change;
  char time[GOBAN_QUANTITY_LEN];

  *quality = GOBAN_GAIN_NONE;
  if (isnan (makespan_us) && plan->last == goban_run_get_moment (self->root))
    makespan_us = goban_run_get_makespan_us (self->root);
  if (!isfinite (makespan_us))
    return g_strdup ("");
  goban_format_time (time, makespan_us);
  change = makespan_us / plan->previous_us - 1;
  if (!isfinite (change) || fabs (change) < 5e-5)
    return g_strdup (time);
  *quality = change < 0 ? GOBAN_GAIN_GOOD : GOBAN_GAIN_BAD;
  return g_strdup_printf ("%s  %s %.*f %%", time, change < 0 ? "▼" : "▲",
                          fabs (change) < 0.001 ? 2 : 1, 100 * fabs (change));
}

/* (transfer full) */
static char *
describe_n_decisions (guint n)
{
  char number[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (goban_i18n_get_plural ("%s decision", "%s decisions", n),
                          goban_format_grouped (number, n));
}

static void
show_plan (GobanDecisionRecord *self, GobanRecordRow *row, guint p, guint position)
{
  GobanMomentLines *lines = get_lines (self);
  const GobanLinesPlan *plan = goban_moment_lines_get_plan (lines, p);
  guint shown = get_shown_line (self);
  GobanGain quality;
  GobanDecision decision;
  char n[GOBAN_QUANTITY_LEN];
  g_autofree char *number = g_strdup_printf (_ ("Plan %s"), goban_format_grouped (n, p + 1));
  g_autofree char *what = NULL;
  g_autofree char *gain = describe_gain (self, plan, &quality);
  g_autofree char *name = NULL;

  if (plan->n > 1)
    what = describe_n_decisions (plan->n);
  else if (goban_decisions_get (lines->decisions, plan->last, NULL, &decision))
    what = goban_moment_dup_title (goban_run_get_costs (self->root), lines->decisions, &decision,
                                   GOBAN_TITLE_SHORT);
  name = g_strdup_printf ("%s, %s, %s", number, what, gain);
  goban_record_row_show (
      row, &(GobanRecordContent){
               .number = number,
               .what = what != NULL ? what : "",
               .where = "",
               .why = "",
               .gain = gain,
               .device = G_MAXUINT,
               .quality = quality,
               .is_title = TRUE,
               .is_fold = plan->n > 1,
               .is_open = goban_record_model_is_open (self->model, position),
               .is_future = shown == GOBAN_NO_LINE || plan->first > shown,
               .is_breakpoint = plan->n == 1 && is_breakpoint (self, plan->last),
               .is_selected = position == gtk_single_selection_get_selected (self->selection),
               .name = name,
           });
}

static void
show_module (GobanDecisionRecord *self, GobanRecordRow *row, guint m, guint position)
{
  GobanMomentLines *lines = get_lines (self);
  const GobanRecordModule *module = goban_record_model_get_module (self->model, m);
  guint shown = get_shown_line (self);
  GobanDecision decision = { 0 };
  g_autofree char *number = NULL;
  guint before = module->first - goban_moment_lines_get_plan (lines, module->plan)->first;
  g_autofree char *what = NULL;
  g_autofree char *name = NULL;
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN];

  what = g_strdup_printf (_ ("decisions %s–%s"), goban_format_grouped (from, before + 1),
                          goban_format_grouped (to, before + module->n));
  goban_decisions_get (lines->decisions, goban_moment_lines_get_moment (lines, module->first), NULL,
                       &decision);
  if (decision.n_nodes > 0)
    {
      const char *node
          = goban_graph_get_node (goban_run_get_graph (self->root), decision.nodes[0])->name;

      number = g_strndup (node, goban_node_get_module_length (node));
    }
  name = g_strdup_printf ("%s, %s", number != NULL ? number : "", what);
  goban_record_row_show (
      row, &(GobanRecordContent){
               .number = number != NULL ? number : "",
               .what = what,
               .where = "",
               .why = "",
               .gain = "",
               .device = G_MAXUINT,
               .is_title = TRUE,
               .is_fold = TRUE,
               .is_open = goban_record_model_is_open (self->model, position),
               .is_future = shown == GOBAN_NO_LINE || module->first > shown,
               .is_selected = position == gtk_single_selection_get_selected (self->selection),
               .name = name,
           });
}

static void
show_variation (GobanDecisionRecord *self, GobanRecordRow *row, guint v, gboolean is_selected)
{
  const GobanRecordVariation *variation = goban_record_model_get_variation (self->model, v);
  const GobanForcedDecision *forced = &goban_run_get_origin (variation->run)->forced;
  guint plan = goban_moment_lines_find_plan (get_lines (self), variation->line);
  double before_us = goban_moment_lines_get_plan (get_lines (self), plan)->makespan_us;
  double makespan_us = goban_run_get_makespan_us (variation->run);
  GobanDecision decision = { 0 };
  g_autofree char *option = NULL;
  g_autofree char *what = NULL;
  g_autofree char *name = NULL;
  char time[GOBAN_QUANTITY_LEN];

  goban_decisions_get (get_lines (self)->decisions, forced->moment, NULL, &decision);
  option = goban_option_dup_name (goban_run_get_costs (variation->run), &decision, forced->option);
  what = g_strdup_printf (_ ("you: %s"), option);
  goban_format_makespan (time, variation->run);
  if (isnan (before_us))
    before_us = goban_run_get_makespan_us (self->root);
  name = g_strdup_printf ("%s, %s, %s", variation->label, what, time);
  goban_record_row_show (
      row, &(GobanRecordContent){
               .number = variation->label,
               .what = what,
               .where = option,
               .why = "",
               .gain = time,
               .device = decision.options == GOBAN_OPTION_DEVICE ? forced->option : G_MAXUINT,
               .depth = variation->depth,
               .quality = makespan_us < before_us ? GOBAN_GAIN_GOOD : GOBAN_GAIN_BAD,
               .is_selected = is_selected,
               .name = name,
           });
}

static void
show_row (GobanDecisionRecord *self, GobanRecordRow *row, guint position)
{
  GobanRecordPlace place = goban_record_model_get_place (self->model, position);
  gboolean is_selected = position == gtk_single_selection_get_selected (self->selection);

  if (get_lines (self) == NULL)
    return;
  switch (place.kind)
    {
    case GOBAN_RECORD_PLAN:
      show_plan (self, row, place.index, position);
      break;
    case GOBAN_RECORD_MODULE:
      show_module (self, row, place.index, position);
      break;
    case GOBAN_RECORD_DECISION:
      show_line (self, row, place.index, is_selected);
      break;
    case GOBAN_RECORD_VARIATION:
      show_variation (self, row, place.index, is_selected);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* --- rows on the screen ---------------------------------------------------------------------- */

static void
fill (GobanDecisionRecord *self, GtkListItem *item)
{
  guint position = gtk_list_item_get_position (item);

  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    show_row (self, GOBAN_RECORD_ROW (gtk_list_item_get_child (item)), position);
}

static void
refill (GobanDecisionRecord *self)
{
  for (guint i = 0; i < self->bound->len; i++)
    fill (self, g_ptr_array_index (self->bound, i));
}

/* A new decision changes of the rows that stay only what is decided, and which is selected. */
static void
update_states (GobanDecisionRecord *self)
{
  guint shown = get_shown_line (self);
  guint selected = gtk_single_selection_get_selected (self->selection);

  if (get_lines (self) == NULL)
    return;
  for (guint i = 0; i < self->bound->len; i++)
    {
      GtkListItem *item = g_ptr_array_index (self->bound, i);
      guint position = gtk_list_item_get_position (item), line = 0;
      GobanRecordPlace place;

      if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->model)))
        continue;
      place = goban_record_model_get_place (self->model, position);
      if (goban_record_row_get (GOBAN_RECORD_ROW (gtk_list_item_get_child (item)))->is_open
          != goban_record_model_is_open (self->model, position))
        fill (self, item);
      if (place.kind == GOBAN_RECORD_DECISION)
        line = place.index;
      else if (place.kind == GOBAN_RECORD_PLAN)
        line = goban_moment_lines_get_plan (get_lines (self), place.index)->first;
      else if (place.kind == GOBAN_RECORD_MODULE)
        line = goban_record_model_get_module (self->model, place.index)->first;
      goban_record_row_set_state (GOBAN_RECORD_ROW (gtk_list_item_get_child (item)),
                                  place.kind != GOBAN_RECORD_VARIATION
                                      && (shown == GOBAN_NO_LINE || line > shown),
                                  position == selected);
    }
}

static void
toggle_fold (GobanDecisionRecord *self, guint row, gboolean is_open)
{
  self->is_following = TRUE;
  goban_record_model_set_open (self->model, row, is_open);
  gtk_single_selection_set_selected (self->selection, row);
  self->is_following = FALSE;
  refill (self);
}

static void
toggle_breakpoint (GobanDecisionRecord *self, guint row)
{
  GobanRecordPlace place = goban_record_model_get_place (self->model, row);
  GobanMomentLines *lines = get_lines (self);
  guint line = place.index;

  if (place.kind == GOBAN_RECORD_PLAN)
    line = goban_moment_lines_get_plan (lines, place.index)->first;
  else if (place.kind != GOBAN_RECORD_DECISION)
    return;
  goban_view_toggle_stop_at (view_of (self), goban_moment_lines_get_moment (lines, line));
  refill (self);
}

static void
pressed_cb (GtkGestureClick *press, int n_press, double x, double y, GtkListItem *item)
{
  GtkWidget *row = gtk_list_item_get_child (item);
  GtkWidget *record = gtk_widget_get_ancestor (row, GOBAN_TYPE_DECISION_RECORD);
  guint position = gtk_list_item_get_position (item);
  GobanDecisionRecord *self;

  if (record == NULL || !goban_record_row_is_margin (GOBAN_RECORD_ROW (row), x))
    {
      gtk_gesture_set_state (GTK_GESTURE (press), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self = GOBAN_DECISION_RECORD (record);
  gtk_gesture_set_state (GTK_GESTURE (press), GTK_EVENT_SEQUENCE_CLAIMED);
  if (goban_record_model_can_fold (self->model, position))
    toggle_fold (self, position, !goban_record_model_is_open (self->model, position));
  else
    toggle_breakpoint (self, position);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *row = goban_record_row_new ();
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect (press, "pressed", G_CALLBACK (pressed_cb), item);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (press));
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanDecisionRecord *self)
{
  g_ptr_array_add (self->bound, item);
  fill (self, item);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanDecisionRecord *self)
{
  if (self->bound != NULL)
    g_ptr_array_remove_fast (self->bound, item);
}

/* --- following the session ------------------------------------------------------------------- */

/* The run of that name; (nullable). */
static GobanRun *
find_run (GobanDecisionRecord *self, const char *name)
{
  GListModel *runs = goban_session_get_runs (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    if (g_str_equal (goban_run_get_name (goban_run_list_get (runs, i)), name))
      return goban_run_list_get (runs, i);
  return NULL;
}

/* The run of which the current one is a variation, or a variation of one. */
static GobanRun *
find_root (GobanDecisionRecord *self)
{
  GobanRun *root = goban_session_get_current_run (self->session);
  guint n = g_list_model_get_n_items (goban_session_get_runs (self->session));

  for (; root != NULL && n > 0 && goban_run_get_origin (root)->forced.of != NULL; n--)
    {
      GobanRun *parent = find_run (self, goban_run_get_origin (root)->forced.of);

      if (parent == NULL || goban_run_get_decisions (parent) == NULL)
        break;
      root = parent;
    }
  return root;
}

static void
show_variations (GobanDecisionRecord *self)
{
  GListModel *rows = goban_session_get_runs (self->session);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  if (self->root == NULL)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    g_ptr_array_add (runs, goban_run_list_get (rows, i));
  self->is_following = TRUE;
  goban_record_model_set_variations (self->model, goban_run_get_name (self->root), runs);
  self->is_following = FALSE;
}

/* The selected row, with some rows on either side. All are of one height. */
static void
reveal (GobanDecisionRecord *self)
{
  GtkAdjustment *scroll
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  guint row = gtk_single_selection_get_selected (self->selection);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  double height = gtk_adjustment_get_upper (scroll) / MAX (n, 1);
  double least = (row + CONTEXT + 1) * height - gtk_adjustment_get_page_size (scroll);
  double most = (row - (double) CONTEXT) * height;

  if (row < n)
    gtk_adjustment_set_value (scroll,
                              MIN (MAX (gtk_adjustment_get_value (scroll), least), MAX (most, 0)));
}

static void
painted_cb (GobanDecisionRecord *self, GdkFrameClock *clock)
{
  g_signal_handlers_disconnect_by_func (clock, painted_cb, self);
  reveal (self);
}

/* GTK scrolls only to rows that are laid out: after a frame they are. */
static void
reveal_soon (GobanDecisionRecord *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  if (clock == NULL)
    return;
  g_signal_handlers_disconnect_by_func (clock, painted_cb, self);
  GOBAN_CONNECT (clock, "after-paint", painted_cb, self);
}

static void
follow (GobanDecisionRecord *self)
{
  int moment = goban_view_get_moment (view_of (self));
  GobanRun *run = goban_session_get_current_run (self->session);
  guint line = get_shown_line (self), row = G_MAXUINT;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || get_lines (self) == NULL)
    return;
  self->is_following = TRUE;
  goban_record_model_open_line (self->model, line);
  if (has_variation (self) && moment >= (int) goban_run_get_origin (run)->forced.moment)
    row = goban_record_model_find_run (self->model, run);
  if (row == G_MAXUINT)
    row = goban_record_model_find_line (self->model, line);
  gtk_single_selection_set_selected (self->selection,
                                     row != G_MAXUINT ? row : GTK_INVALID_LIST_POSITION);
  self->is_following = FALSE;
  update_states (self);
  reveal_soon (self);
  gtk_widget_queue_draw (self->view);
}

static gboolean
has_rejected_plans (const GobanDecisions *decisions)
{
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    if (!goban_decisions_get_span (decisions, s)->is_accepted)
      return TRUE;
  return FALSE;
}

static void
show_bar (GobanDecisionRecord *self)
{
  GobanMomentLines *lines = get_lines (self);
  gboolean is_reviewing = goban_option_times_is_reviewing (self->times);
  const char *trouble = goban_option_times_get_trouble (self->times);

  gtk_widget_set_visible (self->review, !is_reviewing);
  gtk_widget_set_sensitive (self->review, trouble == NULL && is_root_current (self));
  goban_set_tooltip (self->review,
                     trouble != NULL ? trouble : _ ("Measure the other options of every decision"));
  gtk_widget_set_visible (self->stop, is_reviewing);
  /* The progress needs its room. */
  gtk_widget_set_visible (self->stops,
                          !is_reviewing && lines != NULL && has_rejected_plans (lines->decisions));
  goban_show_progress (self->progress,
                       is_reviewing ? goban_option_times_get_fraction (self->times) : -1, NULL);
}

/* Reads all anew: another run, or other plans are listed. */
static void
read_lines (GobanDecisionRecord *self)
{
  GobanMomentLines *lines;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      /* Lines of a run that is not current any more are not kept. */
      goban_record_model_set_lines (self->model, NULL, NULL);
      return;
    }
  goban_run_set (&self->root, find_root (self));
  self->is_following = TRUE;
  goban_record_model_set_lines (self->model, NULL, NULL);
  g_clear_pointer (&self->own_lines, goban_moment_lines_free);
  if (self->root != NULL && !is_root_current (self))
    self->own_lines = goban_moment_lines_new (goban_run_get_decisions (self->root),
                                              goban_view_get_stops (view_of (self)));
  lines = get_lines (self);
  goban_record_model_set_lines (
      self->model, self->root != NULL ? goban_run_get_costs (self->root) : NULL, lines);
  self->is_following = FALSE;
  show_variations (self);
  self->is_filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->stops), goban_view_get_stops (view_of (self)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->costly), FALSE);
  gtk_widget_set_visible (self->costly, FALSE);
  self->is_filling = FALSE;
  gtk_widget_set_visible (self->box, lines != NULL);
  show_bar (self);
  follow (self);
}

static void
runs_changed_cb (GobanDecisionRecord *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->root == NULL
      || self->root != find_root (self))
    return;
  show_variations (self);
  follow (self);
}

/* --- choosing -------------------------------------------------------------------------------- */

/* A row above the first line of a fold leads to the line before it. */
static guint
find_line_of_fold (GobanDecisionRecord *self, guint first)
{
  if (get_shown_line (self) == first && is_root_current (self) && first > 0
      && goban_view_get_moment (view_of (self)) != GOBAN_NO_MOMENT)
    return first - 1;
  return first;
}

static void
show_place (GobanDecisionRecord *self, GobanRecordPlace place)
{
  GobanMomentLines *lines = get_lines (self);
  guint line = place.index;
  GobanMoment moment;

  if (place.kind == GOBAN_RECORD_VARIATION)
    {
      goban_session_set_current_run (
          self->session, goban_record_model_get_variation (self->model, place.index)->run);
      return;
    }
  if (place.kind == GOBAN_RECORD_PLAN)
    {
      const GobanLinesPlan *plan = goban_moment_lines_get_plan (lines, place.index);

      line = plan->n == 1 ? plan->first : find_line_of_fold (self, plan->first);
    }
  else if (place.kind == GOBAN_RECORD_MODULE)
    line
        = find_line_of_fold (self, goban_record_model_get_module (self->model, place.index)->first);
  moment = goban_moment_lines_get_moment (lines, line);
  if (!is_root_current (self))
    goban_session_set_current_run (self->session, self->root);
  goban_view_set_moment (view_of (self), (int) moment);
}

static void
selected_cb (GobanDecisionRecord *self)
{
  guint row = gtk_single_selection_get_selected (self->selection);

  if (self->is_following || row == GTK_INVALID_LIST_POSITION)
    return;
  show_place (self, goban_record_model_get_place (self->model, row));
  follow (self);
}

static void
activate_cb (GobanDecisionRecord *self, guint row)
{
  if (goban_record_model_can_fold (self->model, row))
    toggle_fold (self, row, !goban_record_model_is_open (self->model, row));
}

/* The fold around a row, or the row itself. */
static guint
find_fold (GobanDecisionRecord *self, guint row)
{
  while (row > 0 && !goban_record_model_can_fold (self->model, row))
    row--;
  return row;
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        GobanDecisionRecord *self)
{
  guint row = gtk_single_selection_get_selected (self->selection);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  if (row == GTK_INVALID_LIST_POSITION || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Up:
      goban_decision_record_select (self, row > 0 ? row - 1 : 0);
      return TRUE;
    case GDK_KEY_Down:
      goban_decision_record_select (self, MIN (row + 1, n - 1));
      return TRUE;
    case GDK_KEY_Left:
      row = goban_record_model_is_open (self->model, row) ? row : find_fold (self, row);
      toggle_fold (self, row, FALSE);
      return TRUE;
    case GDK_KEY_Right:
      toggle_fold (self, row, TRUE);
      return TRUE;
    case GDK_KEY_b:
      toggle_breakpoint (self, row);
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- review ---------------------------------------------------------------------------------- */

void
goban_decision_record_review (GobanDecisionRecord *self)
{
  GobanMomentLines *lines;
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  guint n, first;

  g_return_if_fail (GOBAN_IS_DECISION_RECORD (self));

  lines = get_lines (self);
  if (lines == NULL || !is_root_current (self))
    return;
  n = lines->moments->len;
  first = get_shown_line (self) != GOBAN_NO_LINE ? get_shown_line (self) : 0;
  for (guint i = 0; i < n; i++)
    {
      GobanMoment moment = goban_moment_lines_get_moment (lines, (first + i) % n);
      GobanDecision decision;

      if (goban_decisions_get (lines->decisions, moment, NULL, &decision)
          && goban_regret_can_measure (&decision))
        g_array_append_val (moments, moment);
    }
  goban_option_times_review (self->times, moments);
  gtk_widget_set_visible (self->costly, TRUE);
}

static void
review_cb (GobanDecisionRecord *self)
{
  goban_decision_record_review (self);
}

static void
stop_cb (GobanDecisionRecord *self)
{
  goban_option_times_stop (self->times);
}

typedef struct
{
  guint line;
  double loss_us;
} Loss;

static int
compare_losses (gconstpointer a, gconstpointer b)
{
  const Loss *x = a;
  const Loss *y = b;

  if (x->loss_us != y->loss_us)
    return x->loss_us > y->loss_us ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

/* The lines that are measured, the costliest decision first. */
static void
sort_cb (GobanDecisionRecord *self)
{
  GobanMomentLines *lines = get_lines (self);
  gboolean is_sorted = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->costly));
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (Loss));
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  if (self->is_filling)
    return;
  for (guint line = 0; lines != NULL && line < lines->moments->len; line++)
    {
      const Loss loss = { line, goban_option_times_get_loss_us (
                                    self->times, goban_moment_lines_get_moment (lines, line)) };

      if (!isnan (loss.loss_us))
        g_array_append_val (losses, loss);
    }
  g_array_sort (losses, compare_losses);
  for (guint i = 0; i < losses->len; i++)
    g_array_append_val (order, g_array_index (losses, Loss, i).line);
  self->is_following = TRUE;
  goban_record_model_set_order (self->model, is_sorted ? order : NULL);
  self->is_following = FALSE;
  follow (self);
  /* The costliest decision is what people look for. */
  if (is_sorted && order->len > 0)
    goban_decision_record_select (self, 0);
}

static void
times_changed_cb (GobanDecisionRecord *self, guint moment)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || get_lines (self) == NULL)
    return;
  for (guint i = 0; i < self->bound->len; i++)
    {
      GtkListItem *item = g_ptr_array_index (self->bound, i);
      guint position = gtk_list_item_get_position (item);
      GobanRecordPlace place;

      if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->model)))
        continue;
      place = goban_record_model_get_place (self->model, position);
      if (place.kind == GOBAN_RECORD_DECISION
          && (moment == 0
              || goban_moment_lines_get_moment (get_lines (self), place.index) == moment))
        fill (self, item);
    }
}

static void
stops_chosen_cb (GobanDecisionRecord *self)
{
  if (!self->is_filling)
    goban_view_set_level (view_of (self), goban_view_get_level (view_of (self)),
                          (GobanStops) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->stops)));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_decision_record_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_decision_record_parent_class)->map (widget);
  read_lines (GOBAN_DECISION_RECORD (widget));
}

static void
goban_decision_record_dispose (GObject *object)
{
  GobanDecisionRecord *self = GOBAN_DECISION_RECORD (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_pointer (&self->bound, g_ptr_array_unref);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_pointer (&self->own_lines, goban_moment_lines_free);
  g_clear_pointer (&self->root, goban_run_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_decision_record_parent_class)->dispose (object);
}

static void
goban_decision_record_class_init (GobanDecisionRecordClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_record_dispose;
  widget_class->map = goban_decision_record_map;
  gtk_widget_class_set_css_name (widget_class, "decisionrecord");
  goban_template_set (widget_class, "decisions/decision-record.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanDecisionRecord, bar, box, costly, progress, review,
                           scroller, stop, stops, view);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, activate_cb, review_cb, sort_cb, stop_cb,
                            stops_chosen_cb);
}

static void
build_list (GobanDecisionRecord *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *heading = goban_record_row_new ();

  self->model = goban_record_model_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->model)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selected_cb), self);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), self);
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->view), factory);
  g_object_unref (factory);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  goban_watch_keys (self->view, GTK_PHASE_CAPTURE, G_CALLBACK (key_cb), self);
  goban_focus_group_make_list (self->view);
  goban_set_accessible_label (self->view, _ ("Record of decisions"));
  GOBAN_CONNECT (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)),
                 "changed", reveal_soon, self);
  goban_record_row_show (GOBAN_RECORD_ROW (heading),
                         &(GobanRecordContent){ .number = "#",
                                                .what = _ ("What"),
                                                .where = _ ("Where"),
                                                .why = _ ("Why"),
                                                .gain = _ ("Gain"),
                                                .device = G_MAXUINT,
                                                .is_heading = TRUE,
                                                .name = _ ("Columns") });
  gtk_box_prepend (GTK_BOX (self->box), heading);
}

static void
goban_decision_record_init (GobanDecisionRecord *self)
{
  self->bound = g_ptr_array_new ();
  goban_template_init (GTK_WIDGET (self));
  build_list (self);
}

GtkWidget *
goban_decision_record_new (GobanSession *session)
{
  GobanDecisionRecord *self = g_object_new (GOBAN_TYPE_DECISION_RECORD, NULL);

  self->session = g_object_ref (session);
  self->lines = goban_decision_lines_of (session);
  self->times = goban_option_times_of (session);
  GOBAN_CONNECT (self->lines, "changed", read_lines, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::moment", follow, self);
  GOBAN_CONNECT (goban_session_get_runs (session), "items-changed", runs_changed_cb, self);
  GOBAN_CONNECT (self->times, "changed", times_changed_cb, self);
  GOBAN_CONNECT (self->times, "progress", show_bar, self);

  return GTK_WIDGET (self);
}

void
goban_decision_record_toggle_breakpoint (GobanDecisionRecord *self)
{
  guint row;

  g_return_if_fail (GOBAN_IS_DECISION_RECORD (self));

  row = gtk_single_selection_get_selected (self->selection);
  if (row != GTK_INVALID_LIST_POSITION)
    toggle_breakpoint (self, row);
}

GobanRecordModel *
goban_decision_record_get_model (GobanDecisionRecord *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_RECORD (self), NULL);

  return self->model;
}

guint
goban_decision_record_get_selected (GobanDecisionRecord *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_RECORD (self), GTK_INVALID_LIST_POSITION);

  return gtk_single_selection_get_selected (self->selection);
}

void
goban_decision_record_select (GobanDecisionRecord *self, guint row)
{
  g_return_if_fail (GOBAN_IS_DECISION_RECORD (self));

  gtk_single_selection_set_selected (self->selection, row);
}

char *
goban_decision_record_dup_name (GobanDecisionRecord *self, guint row)
{
  GobanRecordRow *shown;
  char *name;

  g_return_val_if_fail (GOBAN_IS_DECISION_RECORD (self), NULL);

  shown = g_object_ref_sink (GOBAN_RECORD_ROW (goban_record_row_new ()));
  show_row (self, shown, row);
  name = g_strdup (goban_record_row_get (shown)->name);
  g_object_unref (shown);
  return name;
}
