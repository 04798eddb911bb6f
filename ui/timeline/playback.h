/* playback.h: playback of a run: the time of the session's view moves on with every frame. */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  GtkWidget *widget;                   /* borrowed: whose frames are counted; owns the playback */
  GobanSession *session;               /* borrowed; set before the first use */
  guint tick_id;                       /* during playback, else 0 */
  gint64 frame_us;                     /* time of the last frame, by the frame clock */
  double speed;                        /* 1: a run lasts ten seconds */
  gboolean is_loop;                    /* goes on from the start at the end */
  void (*changed) (GtkWidget *widget); /* (nullable): it starts or stops, or the speed changes */
} GobanPlayback;

void goban_playback_init (GobanPlayback *self, GtkWidget *widget);
/* Stops it where it is; to be called before the widget is disposed, too. */
void goban_playback_stop (GobanPlayback *self);

gboolean goban_playback_is_running (const GobanPlayback *self);
/* From the view's time or from the start; where it ends is a line of the log. */
void goban_playback_run (GobanPlayback *self, gboolean is_running);
/* Within limits. */
void goban_playback_set_speed (GobanPlayback *self, double speed);
/* The end of the shown run, 0 without one. */
double goban_playback_get_end_us (GobanPlayback *self);

G_END_DECLS
