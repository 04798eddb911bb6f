#include "ui/timeline/transport-bar.h"

#include "engine/analysis/time-events.h"
#include "engine/base/i18n.h"
#include "engine/session/view-time.h"
#include "ui/timeline/timeline-play.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/text.h"

#include <math.h>

/* The choices of the speed: powers of two around 1. */
static const char *const speeds[]
    = { "1/16×", "1/8×", "1/4×", "1/2×", "1×", "2×", "4×", "8×", "16×", "32×", "64×", NULL };
#define NORMAL_SPEED 4

struct _GobanTransportBar
{
  GtkWidget parent;

  GobanSession *session;
  GobanTimelineView *timeline; /* borrowed */
  GtkWidget *box;
  GtkWidget *play;
  GtkWidget *speed;
  GtkWidget *text;
  GtkWidget *leave;
};

G_DEFINE_FINAL_TYPE (GobanTransportBar, goban_transport_bar, GTK_TYPE_WIDGET)

/* --- what is shown ---------------------------------------------------------------------------- */

/* What happens at a moment is not said during playback, which would pass it too fast to read. */
static char *
dup_text (GobanTransportBar *self, GobanRun *run, double time_us)
{
  char time[GOBAN_QUANTITY_LEN], end[GOBAN_QUANTITY_LEN];
  g_autofree char *events = NULL;

  goban_format_makespan (end, run);
  if (!isfinite (time_us))
    return g_strdup_printf (_ ("No moment is shown · %s in all"), end);
  if (!goban_timeline_view_is_playing (self->timeline))
    events = goban_time_events_describe (run, time_us, NULL);
  goban_format_time (time, time_us);
  if (events != NULL && *events != '\0')
    return g_strdup_printf (_ ("%s of %s · %s"), time, end, events);
  return g_strdup_printf (_ ("%s of %s"), time, end);
}

static void
update_text (GobanTransportBar *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  double time_us = goban_view_get_time_us (goban_session_get_view (self->session));
  g_autofree char *text = run != NULL ? dup_text (self, run, time_us) : g_strdup ("");

  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->text), text);
  gtk_widget_set_visible (self->leave, isfinite (time_us));
}

static void
update_playback (GobanTransportBar *self)
{
  gboolean is_playing = goban_timeline_view_is_playing (self->timeline);
  double place = NORMAL_SPEED + round (log2 (goban_timeline_view_get_speed (self->timeline)));

  gtk_button_set_icon_name (GTK_BUTTON (self->play), is_playing ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  goban_set_accessible_label (self->play, is_playing ? _ ("Pause") : _ ("Play"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed),
                              (guint) CLAMP (place, 0, G_N_ELEMENTS (speeds) - 2));
  update_text (self);
}

/* --- what is pressed -------------------------------------------------------------------------- */

static void
seek_start_cb (GobanTransportBar *self)
{
  goban_timeline_view_play (self->timeline, FALSE);
  goban_timeline_view_seek (self->timeline, -1);
}

static void
seek_end_cb (GobanTransportBar *self)
{
  goban_timeline_view_play (self->timeline, FALSE);
  goban_timeline_view_seek (self->timeline, 1);
}

static void
play_cb (GobanTransportBar *self)
{
  goban_timeline_view_play (self->timeline, !goban_timeline_view_is_playing (self->timeline));
}

/* A speed that keys have set beyond the list stays. */
static void
speed_cb (GobanTransportBar *self)
{
  guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed));
  double factor = exp2 ((double) place - NORMAL_SPEED);
  double speed = goban_timeline_view_get_speed (self->timeline);

  if (place != GTK_INVALID_LIST_POSITION
      && CLAMP (speed, exp2 (-NORMAL_SPEED), exp2 (G_N_ELEMENTS (speeds) - 2 - NORMAL_SPEED))
             != factor)
    goban_timeline_view_set_speed (self->timeline, factor);
}

/* --- building --------------------------------------------------------------------------------- */

static GtkWidget *
add_button (GobanTransportBar *self, const char *icon, const char *label)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, label);
  goban_set_accessible_label (button, label);
  gtk_box_append (GTK_BOX (self->box), button);
  return button;
}

static void
add_called (GobanTransportBar *self, const char *icon, const char *label,
            void (*clicked) (GobanTransportBar *self))
{
  g_signal_connect_swapped (add_button (self, icon, label), "clicked", G_CALLBACK (clicked), self);
}

static void
add_action (GobanTransportBar *self, const char *icon, const char *label, const char *action)
{
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (add_button (self, icon, label)), action);
}

static void
add_loop (GobanTransportBar *self)
{
  GtkWidget *loop = gtk_toggle_button_new ();
  const char *label = _ ("Begin again at the end (L)");

  gtk_button_set_icon_name (GTK_BUTTON (loop), "media-playlist-repeat-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (loop), FALSE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (loop), "win.play-loop");
  gtk_widget_set_tooltip_text (loop, label);
  goban_set_accessible_label (loop, label);
  gtk_box_append (GTK_BOX (self->box), loop);
}

static void
build (GobanTransportBar *self)
{
  add_called (self, "media-skip-backward-symbolic", _ ("To the start (Home)"), seek_start_cb);
  add_action (self, "go-previous-symbolic", _ ("The event before (Shift+E)"), "win.event(-1)");
  self->play
      = add_button (self, "media-playback-start-symbolic", _ ("Play or pause the run (Space)"));
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (play_cb), self);
  add_action (self, "go-next-symbolic", _ ("The next event (E)"), "win.event(1)");
  add_called (self, "media-skip-forward-symbolic", _ ("To the end (End)"), seek_end_cb);
  add_loop (self);

  self->speed = gtk_drop_down_new_from_strings (speeds);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), NORMAL_SPEED);
  gtk_widget_set_tooltip_text (self->speed, _ ("Speed: at 1× a run lasts ten seconds (< and >)"));
  goban_set_accessible_label (self->speed, _ ("Playback speed"));
  g_signal_connect_swapped (self->speed, "notify::selected", G_CALLBACK (speed_cb), self);
  gtk_box_append (GTK_BOX (self->box), self->speed);

  self->text = goban_short_label_new (GOBAN_KEEP_START, 0);
  gtk_widget_set_hexpand (self->text, TRUE);
  gtk_widget_set_margin_start (self->text, 6);
  gtk_widget_add_css_class (self->text, "numeric");
  gtk_box_append (GTK_BOX (self->box), self->text);
  self->leave = goban_new_icon_button ("window-close-symbolic", "no-time");
  gtk_box_append (GTK_BOX (self->box), self->leave);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_transport_bar_dispose (GObject *object)
{
  GobanTransportBar *self = GOBAN_TRANSPORT_BAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_transport_bar_parent_class)->dispose (object);
}

static void
goban_transport_bar_class_init (GobanTransportBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_transport_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "transportbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
goban_transport_bar_init (GobanTransportBar *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  goban_set_accessible_label (GTK_WIDGET (self), _ ("Playback"));
}

GtkWidget *
goban_transport_bar_new (GobanSession *session, GobanTimelineView *timeline)
{
  GobanTransportBar *self = g_object_new (GOBAN_TYPE_TRANSPORT_BAR, NULL);

  self->session = g_object_ref (session);
  self->timeline = timeline;
  build (self);
  g_signal_connect_object (session, "notify::shown-run", G_CALLBACK (update_text), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::time",
                           G_CALLBACK (update_text), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (timeline, "playback-changed", G_CALLBACK (update_playback), self,
                           G_CONNECT_SWAPPED);
  update_playback (self);

  return GTK_WIDGET (self);
}

const char *
goban_transport_bar_get_text (GobanTransportBar *self)
{
  g_return_val_if_fail (GOBAN_IS_TRANSPORT_BAR (self), NULL);

  return goban_short_label_get_text (GOBAN_SHORT_LABEL (self->text));
}
