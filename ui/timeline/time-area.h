/* time-area.h: marked span of time on some lanes, with a panel of its totals. */
#pragma once

#include "engine/study/run/selection.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  double from_us; /* NAN: none is marked */
  double to_us;
  guint8 *lanes;    /* (n_lanes of the scene) */
  GtkWidget *panel; /* over the lanes */
  GtkWidget *text;
} GobanTimeArea;

/* @parent gets the panel as a child. */
void goban_time_area_init (GobanTimeArea *self, GtkWidget *parent);
void goban_time_area_end (GobanTimeArea *self);
/* Unmarks it. */
void goban_time_area_clear (GobanTimeArea *self);
gboolean goban_time_area_is_marked (const GobanTimeArea *self);

/* Ops and transfers on the lanes of the area in its time. (transfer full) */
GobanSelection *
goban_time_area_find_nodes (const GobanTimeArea *self,
                            const GobanTimelineScene *scene) G_GNUC_WARN_UNUSED_RESULT;
void goban_time_area_show_totals (GobanTimeArea *self, const GobanTimelineScene *scene,
                                  GobanTrace *trace);

G_END_DECLS
