#include "ui/decisions/decision-player.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-stops.h"
#include "ui/decisions/decision-slider.h"
#include "ui/decisions/play-on-popover.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_SPEED 16.0
#define MIN_SPEED 0.25

struct _GobanDecisionPlayer
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *box;
  GtkWidget *row; /* the slider and its drop-downs */
  GtkWidget *transport;
  GtkWidget *play;
  GtkWidget *text;
  GtkWidget *fork;  /* seen while a moment is */
  GtkWidget *card;  /* a GobanDecisionCard */
  GtkWidget *level; /* a drop-down of the levels that the record has */
  GtkWidget *stops;
  GtkWidget *slider;
  gboolean is_filling; /* the drop-downs follow the view */
  guint tick_id;
  gint64 frame_us; /* when the moment that is shown came */
  double speed;
};

G_DEFINE_FINAL_TYPE (GobanDecisionPlayer, goban_decision_player, GTK_TYPE_WIDGET)

static GobanView *
view_of (GobanDecisionPlayer *self)
{
  return goban_session_get_view (self->session);
}

static GobanDecisions *
decisions_of (GobanDecisionPlayer *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);

  return run != NULL ? goban_run_get_decisions (run) : NULL;
}

/* --- captions --------------------------------------------------------------------------------- */

/* Why there is nothing to walk through. (transfer full) */
static char *
describe_none (GobanDecisionPlayer *self)
{
  GobanDecisions *decisions = decisions_of (self);
  const char *reason = goban_moments_get_reason (decisions);

  if (reason != NULL)
    return g_strdup_printf (_ ("No decisions: %s"), _ (reason));
  return g_strdup (decisions != NULL ? _ ("This plan was decided at once") : "");
}

/* (transfer full) */
static char *
describe_all (GobanDecisions *decisions)
{
  guint n = goban_decisions_get_n_moments (decisions);
  char number[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (
      goban_i18n_get_plural ("%s decision led to this plan", "%s decisions led to this plan", n),
      goban_format_grouped (number, n));
}

static void
update (GobanDecisionPlayer *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  int moment = goban_view_get_moment (view_of (self));
  g_autofree char *text = NULL;

  if (!goban_decision_player_has_steps (self))
    text = describe_none (self);
  else if (moment == GOBAN_NO_MOMENT)
    text = describe_all (decisions_of (self));
  else
    text = goban_moment_describe_whole (goban_run_get_costs (run), decisions_of (self),
                                        (GobanMoment) moment);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->text), text);
  gtk_widget_set_visible (self->fork, moment != GOBAN_NO_MOMENT);
  gtk_widget_set_sensitive (self->transport, goban_decision_player_has_steps (self));
  gtk_widget_set_visible (self->row, goban_decision_player_has_steps (self));
}

/* --- levels ----------------------------------------------------------------------------------- */

static const char *
get_level_words (GobanLevel level)
{
  switch (level)
    {
    case GOBAN_LEVEL_PASS:
      return _ ("Passes");
    case GOBAN_LEVEL_PLAN:
      return _ ("Plans");
    case GOBAN_LEVEL_ROUND:
      return _ ("Rounds");
    default:
      return _ ("Decisions");
    }
}

static gboolean
has_side_lines (GobanDecisions *decisions)
{
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    if (!goban_decisions_get_span (decisions, s)->is_accepted)
      return TRUE;
  return FALSE;
}

/* Fills the drop-down with the levels that the record has. */
static void
fill_levels (GobanDecisionPlayer *self)
{
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);
  GobanDecisions *decisions = decisions_of (self);
  GobanLevel shown = goban_view_get_level (view_of (self));
  guint selected = 0;

  self->is_filling = TRUE;
  for (guint level = 0; decisions != NULL && level < GOBAN_N_DECISION_LEVELS; level++)
    if (goban_moments_have_level (decisions, (GobanLevel) level))
      {
        if (level == shown)
          selected = g_list_model_get_n_items (G_LIST_MODEL (words));
        gtk_string_list_append (words, get_level_words ((GobanLevel) level));
      }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->level), G_LIST_MODEL (words));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->level), selected);
  gtk_widget_set_visible (self->level, g_list_model_get_n_items (G_LIST_MODEL (words)) > 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->stops), goban_view_get_stops (view_of (self)));
  gtk_widget_set_visible (self->stops, decisions != NULL && has_side_lines (decisions));
  self->is_filling = FALSE;
}

static void
level_chosen_cb (GobanDecisionPlayer *self)
{
  GobanDecisions *decisions = decisions_of (self);
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->level));
  guint stops = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->stops));
  guint n = 0;

  if (self->is_filling || decisions == NULL)
    return;
  for (guint level = 0; level < GOBAN_N_DECISION_LEVELS; level++)
    if (goban_moments_have_level (decisions, (GobanLevel) level) && n++ == selected)
      {
        goban_view_set_level (view_of (self), (GobanLevel) level, (GobanStops) stops);
        return;
      }
}

static void
run_changed_cb (GobanDecisionPlayer *self)
{
  fill_levels (self);
  update (self);
}

/* --- going ------------------------------------------------------------------------------------ */

gboolean
goban_decision_player_has_steps (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), FALSE);

  return goban_moments_can_be_walked (decisions_of (self));
}

/* The stop @by further; that of the record's end from the plan itself. */
static int
find_stop (GobanDecisionPlayer *self, int moment, int by)
{
  return (int) goban_decisions_next_stop (
      decisions_of (self), goban_view_get_level (view_of (self)),
      goban_view_get_stops (view_of (self)), (GobanMoment) moment, by);
}

void
goban_decision_player_go (GobanDecisionPlayer *self, int where)
{
  int moment, last;

  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  if (!goban_decision_player_has_steps (self))
    return;
  goban_decision_player_play (self, FALSE);
  moment = goban_view_get_moment (view_of (self));
  last = (int) goban_decisions_get_last (decisions_of (self));
  /* If no moment is shown, all decisions have been made. */
  if (ABS (where) == 2)
    moment = where < 0 ? 0 : last;
  else if (moment != GOBAN_NO_MOMENT)
    moment = find_stop (self, moment, where);
  else
    moment = where > 0 ? last : find_stop (self, last, -1);
  goban_view_set_moment (view_of (self), moment);
}

static void
show_playing (GobanDecisionPlayer *self)
{
  gboolean is_playing = self->tick_id != 0;

  gtk_button_set_icon_name (GTK_BUTTON (self->play), is_playing ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  goban_set_accessible_label (self->play, is_playing ? _ ("Pause") : _ ("Play"));
}

static void
stop (GobanDecisionPlayer *self)
{
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  show_playing (self);
}

/* The end of playback is a line of the log; the moments on the way are not. */
static void
settle (GobanDecisionPlayer *self)
{
  int moment = goban_view_get_moment (view_of (self));

  stop (self);
  if (moment == GOBAN_NO_MOMENT)
    return;
  goban_view_play_moment (view_of (self), GOBAN_NO_MOMENT);
  goban_view_set_moment (view_of (self), moment);
}

/* Whether pictures show the moment that the view is at. */
static gboolean
has_arrived (GobanDecisionPlayer *self)
{
  GobanRun *shown = goban_session_get_shown_run (self->session);

  return shown != NULL
         && (int) goban_run_get_moment (shown) == goban_view_get_moment (view_of (self));
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  GobanDecisionPlayer *self = GOBAN_DECISION_PLAYER (widget);
  gint64 now_us = gdk_frame_clock_get_frame_time (clock);
  int moment = goban_view_get_moment (view_of (self));
  int next, stop_at;

  if (moment == GOBAN_NO_MOMENT || !goban_decision_player_has_steps (self))
    {
      self->tick_id = 0;
      show_playing (self);
      return G_SOURCE_REMOVE;
    }
  if (!has_arrived (self) || (double) (now_us - self->frame_us) * self->speed < G_USEC_PER_SEC)
    return G_SOURCE_CONTINUE;

  self->frame_us = now_us;
  next = find_stop (self, moment, 1);
  stop_at = goban_view_find_stop_at (view_of (self), moment, next);
  if (next != moment)
    {
      goban_view_play_moment (view_of (self), stop_at != GOBAN_NO_MOMENT ? stop_at : next);
      if (stop_at == GOBAN_NO_MOMENT)
        return G_SOURCE_CONTINUE;
    }
  settle (self);
  return G_SOURCE_REMOVE;
}

void
goban_decision_player_play (GobanDecisionPlayer *self, gboolean is_playing)
{
  int moment;

  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  if (is_playing == (self->tick_id != 0) || !goban_decision_player_has_steps (self))
    return;
  if (!is_playing)
    {
      settle (self);
      return;
    }
  moment = goban_view_get_moment (view_of (self));
  if (moment == GOBAN_NO_MOMENT || find_stop (self, moment, 1) == moment)
    goban_view_play_moment (view_of (self), 0);
  self->frame_us = g_get_monotonic_time ();
  self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  show_playing (self);
}

gboolean
goban_decision_player_is_playing (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), FALSE);

  return self->tick_id != 0;
}

double
goban_decision_player_get_speed (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), 0);

  return self->speed;
}

void
goban_decision_player_set_speed (GobanDecisionPlayer *self, double speed)
{
  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  self->speed = CLAMP (speed, MIN_SPEED, MAX_SPEED);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_decision_player_dispose (GObject *object)
{
  GobanDecisionPlayer *self = GOBAN_DECISION_PLAYER (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  goban_template_dispose (GTK_WIDGET (self));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_decision_player_parent_class)->dispose (object);
}

static void
goban_decision_player_class_init (GobanDecisionPlayerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_player_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "decisionplayer");
  goban_template_set (widget_class, "decisions/decision-player.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, box);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, fork);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, level);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, row);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, stops);
  gtk_widget_class_bind_template_callback (widget_class, level_chosen_cb);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, play);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, text);
  gtk_widget_class_bind_template_child (widget_class, GobanDecisionPlayer, transport);
}

static void
goban_decision_player_init (GobanDecisionPlayer *self)
{
  self->speed = 2;
  goban_template_init (GTK_WIDGET (self));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->fork), goban_play_on_popover_new ());
}

GtkWidget *
goban_decision_player_new (GobanSession *session)
{
  GobanDecisionPlayer *self = g_object_new (GOBAN_TYPE_DECISION_PLAYER, NULL);

  self->session = g_object_ref (session);
  self->slider = goban_decision_slider_new (session);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_box_prepend (GTK_BOX (self->row), self->slider);
  self->card = goban_decision_card_new (session);
  gtk_widget_set_visible (self->card, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->card);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::level",
                           G_CALLBACK (run_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::moment", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  run_changed_cb (self);
  show_playing (self);

  return GTK_WIDGET (self);
}

void
goban_decision_player_set_theme (GobanDecisionPlayer *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  goban_decision_slider_set_theme (GOBAN_DECISION_SLIDER (self->slider), theme);
  goban_decision_card_set_theme (GOBAN_DECISION_CARD (self->card), theme);
}

void
goban_decision_player_show_card (GobanDecisionPlayer *self, gboolean is_shown)
{
  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  gtk_widget_set_visible (self->card, is_shown);
}

GobanDecisionCard *
goban_decision_player_get_card (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), NULL);

  return GOBAN_DECISION_CARD (self->card);
}

void
goban_decision_player_ask_fork (GobanDecisionPlayer *self)
{
  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  gtk_menu_button_popup (GTK_MENU_BUTTON (self->fork));
}

const char *
goban_decision_player_get_text (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), NULL);

  return goban_short_label_get_text (GOBAN_SHORT_LABEL (self->text));
}

GtkWidget *
goban_decision_player_get_slider (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), NULL);

  return self->slider;
}
