#include "ui/timeline/transport-bar.h"

#include "engine/core/i18n.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/time-events.h"
#include "engine/study/run/run-origin.h"
#include "ui/timeline/timeline-view.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Speeds to choose from, powers of two, and the place of 1× among them. */
#define N_SPEEDS 11
#define NORMAL_SPEED 4

struct _GobanTransportBar
{
  GtkWidget parent;

  GobanSession *session;
  GobanTimelineView *timeline; /* borrowed */
  GtkWidget *start;
  GtkWidget *play;
  GtkWidget *speed;
  GtkWidget *text;
  GtkWidget *leave;
  GtkWidget *memory;
  GtkWidget *links;
};

G_DEFINE_FINAL_TYPE (GobanTransportBar, goban_transport_bar, GTK_TYPE_WIDGET)

/* --- display ---------------------------------------------------------------------------------- */

/* Events at a moment are not announced during playback, which would pass them too fast to read. */
static char *
dup_text (GobanTransportBar *self, GobanRun *run, double time_us)
{
  char time[GOBAN_QUANTITY_LEN], end[GOBAN_QUANTITY_LEN];
  g_autofree char *events = NULL;

  goban_format_makespan (end, run);
  if (!isfinite (time_us))
    return g_strdup_printf (
        goban_run_is_unfinished (run) ? _ ("Finished plan · %s") : _ ("Whole run · %s"), end);
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
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), (guint) CLAMP (place, 0, N_SPEEDS - 1));
  update_text (self);
}

/* --- sub-rows -------------------------------------------------------------------------------- */

static void
update_rows (GobanTransportBar *self)
{
  const GobanLanes *lanes = goban_view_get_lanes (goban_session_get_view (self->session));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->memory),
                                goban_lanes_have (lanes->open, GOBAN_LANES_MEMORY));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->links),
                                goban_lanes_have (lanes->open, GOBAN_LANES_LINKS));
}

static void
toggled_cb (GobanTransportBar *self, GtkToggleButton *button)
{
  GobanView *view = goban_session_get_view (self->session);
  const char *word = GTK_WIDGET (button) == self->memory ? GOBAN_LANES_MEMORY : GOBAN_LANES_LINKS;
  gboolean is_open = gtk_toggle_button_get_active (button);

  if (is_open != goban_lanes_have (goban_view_get_lanes (view)->open, word))
    goban_view_set_lanes_open (view, word, is_open);
}

/* --- buttons ------------------------------------------------------------------------- */

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
      && CLAMP (speed, exp2 (-NORMAL_SPEED), exp2 (N_SPEEDS - 1 - NORMAL_SPEED)) != factor)
    goban_timeline_view_set_speed (self->timeline, factor);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_transport_bar_dispose (GObject *object)
{
  GobanTransportBar *self = GOBAN_TRANSPORT_BAR (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_transport_bar_parent_class)->dispose (object);
}

static void
goban_transport_bar_class_init (GobanTransportBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_transport_bar_dispose;
  gtk_widget_class_set_css_name (widget_class, "transportbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  goban_template_set (widget_class, "timeline/transport-bar.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanTransportBar, start, play, speed, text, leave, memory,
                           links);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, toggled_cb, seek_start_cb, seek_end_cb, play_cb,
                            speed_cb);
}

static void
goban_transport_bar_init (GobanTransportBar *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_transport_bar_new (GobanSession *session, GobanTimelineView *timeline)
{
  GobanTransportBar *self = g_object_new (GOBAN_TYPE_TRANSPORT_BAR, NULL);

  self->session = g_object_ref (session);
  self->timeline = timeline;
  GOBAN_CONNECT (session, "notify::shown-run", update_text, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::time", update_text, self);
  GOBAN_CONNECT (timeline, "playback-changed", update_playback, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::lanes", update_rows, self);
  update_playback (self);
  update_rows (self);

  return GTK_WIDGET (self);
}

void
goban_transport_bar_set_start (GobanTransportBar *self, GtkWidget *widget)
{
  GtkWidget *old;

  g_return_if_fail (GOBAN_IS_TRANSPORT_BAR (self));

  old = gtk_widget_get_first_child (self->start);
  if (old != NULL)
    gtk_box_remove (GTK_BOX (self->start), old);
  if (widget != NULL)
    gtk_box_append (GTK_BOX (self->start), widget);
}

const char *
goban_transport_bar_get_text (GobanTransportBar *self)
{
  g_return_val_if_fail (GOBAN_IS_TRANSPORT_BAR (self), NULL);

  return goban_short_label_get_text (GOBAN_SHORT_LABEL (self->text));
}
