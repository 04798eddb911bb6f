#include "ui/decisions/decision-player.h"

#include "engine/core/i18n.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "ui/decisions/decision-lines.h"
#include "ui/decisions/decision-slider.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_SPEED 16.0
#define MIN_SPEED 0.25
/* The place of the speed 1 in the drop-down, whose speeds double. */
#define NORMAL_SPEED 2.0

struct _GobanDecisionPlayer
{
  GtkWidget parent;

  GobanSession *session;
  GobanDecisionLines *lines; /* borrowed from the session */
  GtkWidget *transport;
  GtkWidget *play;
  GtkWidget *speed_choice;
  GtkWidget *reason;
  GtkWidget *sliders;
  GtkWidget *plan_title, *plan_number, *plans;
  GtkWidget *decision_title, *decision_number, *decisions;
  guint mapped_id; /* follows its being mapped, or 0 */
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

static void
update (GobanDecisionPlayer *self)
{
  gboolean has_decisions = goban_decision_player_has_decisions (self);
  g_autofree char *reason = has_decisions ? g_strdup ("") : describe_none (self);
  GobanMomentLines *lines = has_decisions && gtk_widget_get_mapped (GTK_WIDGET (self))
                                ? goban_decision_lines_get (self->lines)
                                : NULL;
  guint plan = lines != NULL ? goban_decision_lines_get_shown_plan (self->lines) : GOBAN_NO_LINE;
  gboolean has_plans = lines != NULL && lines->plans->len > 1;
  gboolean is_walked
      = plan != GOBAN_NO_LINE && (!has_plans || goban_moment_lines_has_decisions (lines, plan));

  gtk_label_set_text (GTK_LABEL (self->reason), reason);
  gtk_widget_set_visible (self->reason, !has_decisions);
  gtk_widget_set_visible (self->sliders, has_decisions);
  gtk_widget_set_sensitive (self->transport, has_decisions);
  gtk_widget_set_visible (self->plan_title, has_plans);
  gtk_widget_set_visible (self->plan_number, has_plans);
  gtk_widget_set_visible (self->plans, has_plans);
  gtk_widget_set_visible (self->decision_title, is_walked);
  gtk_widget_set_visible (self->decision_number, is_walked);
  gtk_widget_set_visible (self->decisions, is_walked);
  if (lines != NULL)
    {
      g_autofree char *of_plan = goban_decision_lines_dup_plan_number (self->lines, plan);
      g_autofree char *of_decision = goban_decision_lines_dup_number (
          self->lines, goban_decision_lines_get_shown (self->lines));

      gtk_label_set_text (GTK_LABEL (self->plan_number), of_plan);
      gtk_label_set_text (GTK_LABEL (self->decision_number), of_decision);
    }
}

/* --- going ------------------------------------------------------------------------------------ */

gboolean
goban_decision_player_has_decisions (GobanDecisionPlayer *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), FALSE);

  return goban_moments_can_be_walked (decisions_of (self));
}

void
goban_decision_player_go (GobanDecisionPlayer *self, int where)
{
  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  if (!goban_decision_player_has_decisions (self))
    return;
  goban_decision_player_play (self, FALSE);
  /* The first visit shows a decision without going on. */
  if (ABS (where) != 2 && goban_view_get_moment (view_of (self)) == GOBAN_NO_MOMENT)
    goban_decision_lines_visit (self->lines);
  else
    goban_view_set_moment (view_of (self), goban_decision_lines_find (self->lines, where));
}

void
goban_decision_player_go_plan (GobanDecisionPlayer *self, int by)
{
  GobanMomentLines *lines;

  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  if (!goban_decision_player_has_decisions (self))
    return;
  goban_decision_player_play (self, FALSE);
  goban_decision_lines_visit (self->lines);
  lines = goban_decision_lines_get (self->lines);
  if (lines->plans->len <= 1)
    goban_view_set_moment (view_of (self), goban_decision_lines_find (self->lines, by));
  else
    goban_decision_lines_show (self->lines, goban_decision_lines_find_plan (self->lines, by));
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

  if (moment == GOBAN_NO_MOMENT || !goban_decision_player_has_decisions (self))
    {
      self->tick_id = 0;
      show_playing (self);
      return G_SOURCE_REMOVE;
    }
  if (!has_arrived (self) || (double) (now_us - self->frame_us) * self->speed < G_USEC_PER_SEC)
    return G_SOURCE_CONTINUE;

  self->frame_us = now_us;
  next = goban_decision_lines_find (self->lines, 1);
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
  g_return_if_fail (GOBAN_IS_DECISION_PLAYER (self));

  if (is_playing == (self->tick_id != 0) || !goban_decision_player_has_decisions (self))
    return;
  if (!is_playing)
    {
      settle (self);
      return;
    }
  if (goban_view_get_moment (view_of (self)) == GOBAN_NO_MOMENT
      || goban_decision_lines_find (self->lines, 1) == goban_view_get_moment (view_of (self)))
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
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed_choice),
                              (guint) lround (log2 (self->speed) + NORMAL_SPEED));
}

static void
speed_chosen_cb (GobanDecisionPlayer *self)
{
  self->speed
      = exp2 (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed_choice)) - NORMAL_SPEED);
}

/* --- construction and disposal ---------------------------------------------------------------- */

/* Other workspaces show the plan itself. */
static gboolean
mapped_cb (gpointer user_data)
{
  GobanDecisionPlayer *self = user_data;

  self->mapped_id = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      goban_decision_lines_leave (self->lines);
      return G_SOURCE_REMOVE;
    }
  goban_decision_lines_visit (self->lines);
  update (self);
  return G_SOURCE_REMOVE;
}

/* Shortly after: mapping may be a part of laying out the window, while nothing else may change. */
static void
follow_mapped (GobanDecisionPlayer *self)
{
  if (self->mapped_id == 0)
    self->mapped_id = g_idle_add_full (G_PRIORITY_DEFAULT, mapped_cb, self, NULL);
}

static void
goban_decision_player_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_decision_player_parent_class)->map (widget);
  follow_mapped (GOBAN_DECISION_PLAYER (widget));
}

static void
goban_decision_player_unmap (GtkWidget *widget)
{
  GobanDecisionPlayer *self = GOBAN_DECISION_PLAYER (widget);

  stop (self);
  if (self->session != NULL)
    follow_mapped (self);
  GTK_WIDGET_CLASS (goban_decision_player_parent_class)->unmap (widget);
}

static void
goban_decision_player_dispose (GObject *object)
{
  GobanDecisionPlayer *self = GOBAN_DECISION_PLAYER (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);
  g_clear_handle_id (&self->mapped_id, g_source_remove);

  G_OBJECT_CLASS (goban_decision_player_parent_class)->dispose (object);
}

static void
goban_decision_player_class_init (GobanDecisionPlayerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_player_dispose;
  widget_class->map = goban_decision_player_map;
  widget_class->unmap = goban_decision_player_unmap;
  gtk_widget_class_set_css_name (widget_class, "decisionplayer");
  goban_template_set (widget_class, "decisions/decision-player.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanDecisionPlayer, decision_number, decision_title,
                           plan_number, plan_title, play, reason, sliders, transport);
  GOBAN_TEMPLATE_BIND (widget_class, GobanDecisionPlayer, "speed", speed_choice);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, speed_chosen_cb);
}

static void
goban_decision_player_init (GobanDecisionPlayer *self)
{
  goban_template_init (GTK_WIDGET (self));
}

static GtkWidget *
add_slider (GobanDecisionPlayer *self, gboolean is_of_plans)
{
  GtkWidget *slider = goban_decision_slider_new (self->session, is_of_plans);

  gtk_widget_set_hexpand (slider, TRUE);
  gtk_grid_attach (GTK_GRID (self->sliders), slider, 2, is_of_plans ? 0 : 1, 1, 1);
  return slider;
}

GtkWidget *
goban_decision_player_new (GobanSession *session)
{
  GobanDecisionPlayer *self = g_object_new (GOBAN_TYPE_DECISION_PLAYER, NULL);

  self->session = g_object_ref (session);
  self->lines = goban_decision_lines_of (session);
  self->plans = add_slider (self, TRUE);
  self->decisions = add_slider (self, FALSE);
  goban_decision_player_set_speed (self, 2);
  GOBAN_CONNECT (self->lines, "changed", update, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::moment", update, self);
  update (self);
  show_playing (self);

  return GTK_WIDGET (self);
}

GtkWidget *
goban_decision_player_get_slider (GobanDecisionPlayer *self, gboolean is_of_plans)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PLAYER (self), NULL);

  return is_of_plans ? self->plans : self->decisions;
}
