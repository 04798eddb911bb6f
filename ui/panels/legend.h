/* legend.h: legend of the colours, with the choice between colourings.
 *
 * The entries of devices are drop targets of drags that begin elsewhere, which find them by point.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/palette.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_LEGEND (goban_legend_get_type ())
G_DECLARE_FINAL_TYPE (GobanLegend, goban_legend, GOBAN, LEGEND, GtkWidget)

GtkWidget *goban_legend_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_legend_set_theme (GobanLegend *self, GobanTheme theme);

/* The number of colours in it. */
guint goban_legend_get_n_entries (GobanLegend *self);

/* The device whose entry is at a point of @widget; G_MAXUINT: none, or the legend is hidden. */
guint goban_legend_find_device (GobanLegend *self, GtkWidget *widget, double x, double y);
/* Highlights the entry of the device that a drop would go to; G_MAXUINT: none. */
void goban_legend_aim (GobanLegend *self, guint device);
/* (nullable): NULL if the legend has no entry of that device. Borrowed until the next change. */
GtkWidget *goban_legend_get_device_entry (GobanLegend *self, guint device);
