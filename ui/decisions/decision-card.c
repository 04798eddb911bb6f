#include "ui/decisions/decision-card.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/option-times.h"
#include "engine/session/preview.h"
#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/run/run-origin.h"
#include "ui/decisions/decision-lines.h"
#include "ui/decisions/decision-words.h"
#include "ui/decisions/option-row.h"
#include "ui/decisions/play-on-popover.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

/* Probabilities of which the policy is called sure, and not sure. */
#define SURE 0.9
#define UNSURE 0.6
/* Share of a makespan: plans that differ by less are equally good. */
#define TOLERANCE 1e-9
/* Bytes of the sentences, between words: a policy may give any reason. */
#define MAX_WHY 240

struct _GobanDecisionCard
{
  GtkWidget parent;

  GobanSession *session;
  GobanDecisionLines *lines; /* borrowed from the session, as the next one */
  GobanOptionTimes *times;
  GtkWidget *title, *place, *why, *heading;
  GtkWidget *scroller, *options;
  GtkWidget *working, *working_text;
  GtkWidget *buttons, *play_on;
  GobanMomentCard *card; /* (nullable): of the shown decision */
  GobanDecision decision;
  GobanDecisionRoom room;
  GPtrArray *rows; /* of GobanOptionRow, borrowed; hidden from card->options->len on */
  int aimed;       /* option, or -1 */
  char *announcement;
};

G_DEFINE_FINAL_TYPE (GobanDecisionCard, goban_decision_card, GTK_TYPE_WIDGET)

static GobanView *
view_of (GobanDecisionCard *self)
{
  return goban_session_get_view (self->session);
}

static GobanRun *
run_of (GobanDecisionCard *self)
{
  return goban_session_get_current_run (self->session);
}

static const GobanCardOption *
get_option (GobanDecisionCard *self, guint i)
{
  return &g_array_index (self->card->options, GobanCardOption, i);
}

/* --- differences ----------------------------------------------------------------------------- */

/* Whether rows show makespans that are measured. A policy's own measure gives way to those of a
 * review. */
static gboolean
is_measured (GobanDecisionCard *self)
{
  return goban_regret_can_measure (&self->decision)
         && (isnan (goban_decision_get_difference (&self->decision, self->decision.chosen))
             || !isnan (goban_option_times_get_loss_us (self->times, self->card->moment)))
         && goban_option_times_get_trouble (self->times) == NULL;
}

/* Difference of an option to the best one known; NAN: unknown, or not yet. */
static double
get_difference (GobanDecisionCard *self, guint32 option)
{
  guint n;
  const double *times_us;
  double best_us = INFINITY;

  if (!is_measured (self))
    return goban_decision_get_difference (&self->decision, option);
  times_us = goban_option_times_peek (self->times, self->card->moment, &n);
  for (guint k = 0; k < n; k++)
    best_us = fmin (best_us, times_us[k]);
  if (option >= n || isnan (times_us[option]) || !isfinite (best_us))
    return (double) NAN;
  return times_us[option] <= best_us * (1 + TOLERANCE) ? 0 : times_us[option] - best_us;
}

static double
find_largest (GobanDecisionCard *self)
{
  double largest = 0;

  for (guint k = 0; k < self->card->options->len; k++)
    if (isfinite (get_difference (self, k)))
      largest = fmax (largest, get_difference (self, k));
  return largest;
}

/* --- rows ------------------------------------------------------------------------------------ */

/* (transfer full) */
static char *
describe_difference (GobanDecisionCard *self, const GobanCardOption *option, double difference)
{
  if ((option->refusals & GOBAN_REFUSAL_MEMORY) != 0)
    return g_strdup (_ ("does not fit: memory"));
  if (option->why_not != NULL)
    return g_strdup (option->why_not);
  if (isnan (difference) && is_measured (self))
    return g_strdup ("…");
  if (isnan (difference))
    return g_strdup (isnan (option->probability) ? option->words : "");
  return goban_loss_describe (is_measured (self) ? GOBAN_SCORE_MAKESPAN_US : self->decision.score,
                              difference);
}

/* The score as the policy has it, and the makespan. (transfer full) */
static char *
describe_details (GobanDecisionCard *self, guint32 k)
{
  const GobanCardOption *option = get_option (self, k);
  GString *text = g_string_new (option->name);
  char time[GOBAN_QUANTITY_LEN];
  guint n;
  const double *times_us = goban_option_times_peek (self->times, self->card->moment, &n);

  if (*option->words != '\0')
    g_string_append_printf (text, "\n%s: %s", goban_score_get_word (self->card->score),
                            option->words);
  if (option->why_not != NULL)
    g_string_append_printf (text, "\n%s", option->why_not);
  if (k < n && isfinite (times_us[k]))
    g_string_append_printf (text, _ ("\nplan with it: %s"), goban_format_time (time, times_us[k]));
  if (!option->is_chosen && option->refusals == 0)
    g_string_append (text, _ ("\nClick to play on with it"));
  return g_string_free (text, FALSE);
}

static void
show_row (GobanDecisionCard *self, guint32 k, double largest)
{
  const GobanCardOption *option = get_option (self, k);
  double difference = option->refusals == 0 ? get_difference (self, k) : (double) NAN;
  g_autofree char *belief
      = option->refusals == 0 ? goban_percent_describe (option->probability) : g_strdup ("");
  g_autofree char *words = describe_difference (self, option, difference);
  g_autofree char *details = describe_details (self, k);

  goban_option_row_show (g_ptr_array_index (self->rows, k),
                         &(GobanOptionContent){
                             .option = k,
                             .device = self->card->kind == GOBAN_OPTION_DEVICE ? k : G_MAXUINT,
                             .name = option->name,
                             .belief = belief,
                             .difference = words,
                             .share = !isfinite (difference) ? (double) NAN
                                      : largest > 0          ? difference / largest
                                                             : 0,
                             .is_chosen = option->is_chosen,
                             .is_best = difference == 0,
                             .is_allowed = option->refusals == 0,
                             .details = details,
                         });
}

static void enter_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data);
static void leave_cb (GtkEventControllerMotion *controller, gpointer user_data);

static void
add_row (GobanDecisionCard *self)
{
  GtkWidget *row = goban_option_row_new (g_object_get_data (G_OBJECT (self->options), "names"));
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (enter_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (row, motion);
  gtk_list_box_append (GTK_LIST_BOX (self->options), row);
  g_ptr_array_add (self->rows, row);
}

/* Rows stay for the next decision, because making them takes longer than filling them. */
static void
show_rows (GobanDecisionCard *self)
{
  guint n = self->card != NULL ? self->card->options->len : 0;
  double largest = n > 0 ? find_largest (self) : 0;
  gboolean has_differences = FALSE;
  g_autofree char *heading = NULL;

  while (self->rows->len < n)
    add_row (self);
  for (guint k = 0; k < self->rows->len; k++)
    {
      gtk_widget_set_visible (g_ptr_array_index (self->rows, k), k < n);
      if (k >= n)
        {
          /* Its name must not widen the others. */
          goban_option_row_show (g_ptr_array_index (self->rows, k),
                                 &(GobanOptionContent){ .device = G_MAXUINT,
                                                        .name = "",
                                                        .belief = "",
                                                        .difference = "",
                                                        .share = (double) NAN });
          continue;
        }
      show_row (self, k, largest);
      has_differences |= !isnan (get_difference (self, k)) || is_measured (self);
    }
  if (has_differences)
    heading = g_strdup_printf (self->decision.score == GOBAN_SCORE_PROBABILITY ? _ ("policy · %s")
                                                                               : "%s",
                               goban_loss_get_heading (is_measured (self) ? GOBAN_SCORE_MAKESPAN_US
                                                                          : self->decision.score));
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->heading), heading);
  gtk_widget_set_visible (self->heading, has_differences);
  gtk_widget_set_visible (self->scroller, n > 0);
}

/* --- texts ----------------------------------------------------------------------------------- */

/* A name at the beginning stays as it is. */
static void
append_reason (GobanDecisionCard *self, GString *text)
{
  const char *words = self->card->why;
  g_autofree char *first = NULL;

  if (words == NULL)
    return;
  first = g_utf8_strup (words, (gssize) (g_utf8_next_char (words) - words));
  for (guint k = 0; k < self->card->options->len; k++)
    if (g_str_has_prefix (words, get_option (self, k)->name))
      {
        g_string_append_printf (text, "%s.", words);
        return;
      }
  g_string_append_printf (text, "%s%s.", first, g_utf8_next_char (words));
}

/* Says how sure the policy was. */
static void
append_belief (GobanDecisionCard *self, GString *text)
{
  const GobanCardOption *chosen = get_option (self, self->decision.chosen);
  g_autofree char *belief = goban_percent_describe (chosen->probability);

  g_string_append_printf (text,
                          chosen->probability >= SURE     ? _ ("The policy was sure: %s for %s.")
                          : chosen->probability >= UNSURE ? _ ("The policy was fairly sure: %s for "
                                                               "%s.")
                                                          : _ ("The policy was not sure: %s for "
                                                               "%s."),
                          belief, chosen->name);
}

/* Says by how much the best other option would have shortened the plan, once all are measured. */
static void
append_regret (GobanDecisionCard *self, GString *text)
{
  double loss_us = goban_option_times_get_loss_us (self->times, self->card->moment);
  g_autofree char *loss = NULL;

  if (!is_measured (self) || isnan (loss_us))
    return;
  if (get_difference (self, self->decision.chosen) == 0)
    {
      g_string_append (text, _ (" No other option gives a shorter plan."));
      return;
    }
  loss = goban_span_describe (loss_us);
  for (guint k = 0; k < self->card->options->len; k++)
    if (get_difference (self, k) == 0)
      {
        g_string_append_printf (
            text,
            goban_i18n_get_plural (" Moving this op to %s would have saved %s.",
                                   " Moving these ops to %s would have saved %s.",
                                   self->card->n_nodes),
            get_option (self, k)->name, loss);
        return;
      }
}

/* One or two sentences. (transfer full) */
static char *
describe_why (GobanDecisionCard *self)
{
  GString *text = g_string_new (NULL);

  if (self->decision.score == GOBAN_SCORE_PROBABILITY && self->decision.scores != NULL
      && self->decision.chosen < self->card->options->len
      && (self->decision.flags & GOBAN_DECISION_FORCED) == 0)
    {
      append_belief (self, text);
      append_regret (self, text);
    }
  else
    {
      append_reason (self, text);
      append_regret (self, text);
    }
  if (self->card->key != NULL)
    g_string_append_printf (text, _ ("%sIt came next by its %s."), text->len > 0 ? " " : "",
                            self->card->key);
  return g_string_free (text, FALSE);
}

/* "Decision 16 of 32 · 7 ops decided together". (transfer full) */
static char *
describe_place (GobanDecisionCard *self, gboolean with_ops)
{
  GobanMomentLines *lines = goban_decision_lines_get (self->lines);
  guint line = goban_decision_lines_get_shown (self->lines);
  guint plan = goban_decision_lines_get_shown_plan (self->lines);
  gboolean has_plans = lines != NULL && lines->plans->len > 1;
  gboolean is_of_plan = has_plans && !goban_moment_lines_has_decisions (lines, plan);
  g_autofree char *number = is_of_plan ? goban_decision_lines_dup_plan_number (self->lines, plan)
                                       : goban_decision_lines_dup_number (self->lines, line);
  GString *text = g_string_new (NULL);
  char n[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, is_of_plan ? _ ("Plan %s") : _ ("Decision %s"), number);
  if (with_ops && self->card != NULL && self->card->n_nodes > 0)
    g_string_append_printf (
        text, goban_i18n_get_plural (" · %s op", " · %s ops decided together", self->card->n_nodes),
        goban_format_grouped (n, self->card->n_nodes));
  return g_string_free (text, FALSE);
}

/* Screen readers say the name of the card, a live region, when it changes. */
static void
announce (GobanDecisionCard *self, const char *title)
{
  g_autofree char *place = describe_place (self, FALSE);
  g_autofree char *options = g_strdup_printf (_ ("Options of %s"), place);

  g_free (self->announcement);
  self->announcement = self->card != NULL && self->decision.chosen < self->card->options->len
                           ? g_strdup_printf (_ ("%s: %s to %s"), place, title,
                                              get_option (self, self->decision.chosen)->name)
                           : g_strdup_printf ("%s: %s", place, title);
  goban_set_accessible_label (GTK_WIDGET (self), self->announcement);
  goban_set_accessible_label (self->options, options);
}

static double
count_bytes (gsize from, gsize to, gpointer user_data)
{
  return (double) (to - from);
}

static void
show_why (GobanDecisionCard *self)
{
  g_autofree char *why = self->card != NULL ? describe_why (self) : g_strdup ("");
  g_autofree char *valid = goban_cut_long (why, GOBAN_KEEP_START, MAX_WHY);
  g_autofree char *shown = goban_shorten (valid, GOBAN_KEEP_START, MAX_WHY, count_bytes, NULL);

  gtk_label_set_text (GTK_LABEL (self->why), shown);
  gtk_widget_set_visible (self->why, *why != '\0');
  goban_set_tooltip (self->why, self->card != NULL ? self->card->why : NULL);
}

/* --- following the session ------------------------------------------------------------------- */

static void
read_card (GobanDecisionCard *self)
{
  GobanRun *run = run_of (self);
  GobanDecisions *decisions = run != NULL ? goban_run_get_decisions (run) : NULL;
  int moment = goban_view_get_moment (view_of (self));

  g_clear_pointer (&self->card, goban_moment_card_free);
  if (decisions == NULL || moment <= 0
      || (guint) moment > goban_decisions_get_n_moments (decisions))
    return;
  self->card = goban_moment_card_new (goban_run_get_costs (run), decisions, (GobanMoment) moment);
  if (self->card != NULL)
    goban_decisions_get (decisions, (GobanMoment) moment, &self->room, &self->decision);
}

static void
show_decision (GobanDecisionCard *self)
{
  GobanRun *run = run_of (self);
  int moment = goban_view_get_moment (view_of (self));
  g_autofree char *title = NULL;
  g_autofree char *place = NULL;

  read_card (self);
  if (self->card != NULL)
    title = goban_moment_dup_title (goban_run_get_costs (run), goban_run_get_decisions (run),
                                    &self->decision, GOBAN_TITLE_WHOLE);
  else
    title = g_strdup (moment == 0 ? _ ("Nothing is decided yet") : "");
  place = moment != GOBAN_NO_MOMENT ? describe_place (self, TRUE) : g_strdup ("");
  goban_short_label_set_keep (GOBAN_SHORT_LABEL (self->title),
                              self->card != NULL && self->card->n_nodes == 1 ? GOBAN_KEEP_END
                                                                             : GOBAN_KEEP_START);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->title), title);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->place), place);
  gtk_widget_set_visible (self->place, *place != '\0');
  gtk_widget_set_visible (self->buttons, moment != GOBAN_NO_MOMENT);
  announce (self, title);
  show_why (self);
  show_rows (self);
  goban_option_times_ask (self->times,
                          self->card != NULL && is_measured (self) ? self->card->moment : 0);
}

static void
update (GobanDecisionCard *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      g_clear_pointer (&self->card, goban_moment_card_free);
      goban_option_times_ask (self->times, 0);
    }
  goban_decision_card_aim (self, -1);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    show_decision (self);
  g_signal_emit_by_name (self, "changed");
}

static void
times_changed_cb (GobanDecisionCard *self, guint moment)
{
  if (self->card == NULL || (moment != 0 && moment != self->card->moment))
    return;
  show_why (self);
  show_rows (self);
}

static void
job_changed_cb (GobanDecisionCard *self)
{
  if (goban_session_get_job (self->session) == NULL)
    gtk_widget_set_visible (self->working, FALSE);
}

/* --- playing on ------------------------------------------------------------------------------ */

gboolean
goban_decision_card_aim (GobanDecisionCard *self, int option)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), FALSE);

  if (option >= 0
      && (self->card == NULL || (guint) option >= self->card->options->len
          || get_option (self, (guint) option)->refusals != 0))
    return FALSE;
  if (option == self->aimed)
    return TRUE;
  if (self->aimed >= 0)
    goban_option_row_set_aimed (g_ptr_array_index (self->rows, (guint) self->aimed), FALSE);
  self->aimed = option;
  if (option >= 0)
    goban_option_row_set_aimed (g_ptr_array_index (self->rows, (guint) option), TRUE);
  if (option >= 0 && !get_option (self, (guint) option)->is_chosen)
    goban_preview_ask_force (goban_preview_of (self->session), run_of (self), self->card->moment,
                             (guint32) option);
  else
    goban_preview_drop (goban_preview_of (self->session));
  return TRUE;
}

static void
play (GobanDecisionCard *self, guint option)
{
  g_autofree char *text = NULL;

  if (self->card == NULL || option >= self->card->options->len
      || get_option (self, option)->is_chosen)
    return;
  text = g_strdup_printf (_ ("%s plays on with %s…"),
                          goban_plan_get_policy (goban_run_get_plan (run_of (self))),
                          get_option (self, option)->name);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->working_text), text);
  goban_decision_card_aim (self, -1);
  goban_session_force (self->session, self->card->moment, option);
  gtk_widget_set_visible (self->working, TRUE);
  job_changed_cb (self);
}

gboolean
goban_decision_card_play (GobanDecisionCard *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), FALSE);

  if (self->aimed < 0)
    return FALSE;
  play (self, (guint) self->aimed);
  return TRUE;
}

static void
row_activated_cb (GobanDecisionCard *self, GtkListBoxRow *row)
{
  play (self, goban_option_row_get_option (GOBAN_OPTION_ROW (row)));
}

static void
enter_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));

  goban_decision_card_aim (user_data, (int) goban_option_row_get_option (GOBAN_OPTION_ROW (row)));
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  goban_decision_card_aim (user_data, -1);
}

static void
stop_cb (GobanDecisionCard *self)
{
  goban_session_cancel_job (self->session);
}

void
goban_decision_card_ask_play_on (GobanDecisionCard *self)
{
  g_return_if_fail (GOBAN_IS_DECISION_CARD (self));

  gtk_menu_button_popup (GTK_MENU_BUTTON (self->play_on));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_decision_card_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_decision_card_parent_class)->map (widget);
  update (GOBAN_DECISION_CARD (widget));
}

static void
goban_decision_card_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_decision_card_parent_class)->unmap (widget);
  if (GOBAN_DECISION_CARD (widget)->session != NULL)
    update (GOBAN_DECISION_CARD (widget));
}

static void
goban_decision_card_dispose (GObject *object)
{
  GobanDecisionCard *self = GOBAN_DECISION_CARD (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);
  g_clear_pointer (&self->card, goban_moment_card_free);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->announcement, g_free);
  goban_decision_room_clear (&self->room);

  G_OBJECT_CLASS (goban_decision_card_parent_class)->dispose (object);
}

static void
goban_decision_card_class_init (GobanDecisionCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_card_dispose;
  widget_class->map = goban_decision_card_map;
  widget_class->unmap = goban_decision_card_unmap;
  gtk_widget_class_set_css_name (widget_class, "decisioncard");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_STATUS);
  goban_template_set (widget_class, "decisions/decision-card.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanDecisionCard, buttons, heading, options, place,
                           play_on, scroller, title, why, working, working_text);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, row_activated_cb, stop_cb);
  goban_signal_add (klass, "changed", 0);
}

static void
goban_decision_card_init (GobanDecisionCard *self)
{
  self->aimed = -1;
  self->rows = g_ptr_array_new ();
  goban_template_init (GTK_WIDGET (self));
  g_object_set_data_full (G_OBJECT (self->options), "names",
                          gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL), g_object_unref);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->play_on), goban_play_on_popover_new ());
}

GtkWidget *
goban_decision_card_new (GobanSession *session)
{
  GobanDecisionCard *self = g_object_new (GOBAN_TYPE_DECISION_CARD, NULL);

  self->session = g_object_ref (session);
  self->lines = goban_decision_lines_of (session);
  self->times = goban_option_times_of (session);
  GOBAN_CONNECT (self->lines, "changed", update, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::moment", update, self);
  GOBAN_CONNECT (self->times, "changed", times_changed_cb, self);
  GOBAN_CONNECT (session, "notify::job", job_changed_cb, self);

  return GTK_WIDGET (self);
}

void
goban_decision_card_set_narrow (GobanDecisionCard *self, gboolean is_narrow)
{
  g_return_if_fail (GOBAN_IS_DECISION_CARD (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->buttons), is_narrow
                                                                      ? GTK_ORIENTATION_VERTICAL
                                                                      : GTK_ORIENTATION_HORIZONTAL);
}

const GobanMomentCard *
goban_decision_card_get (GobanDecisionCard *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), NULL);

  return self->card;
}

const char *
goban_decision_card_get_announcement (GobanDecisionCard *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), NULL);

  return self->announcement;
}
