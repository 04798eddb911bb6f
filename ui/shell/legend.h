/* legend.h: legend of the colours, with the choice between colourings. */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_LEGEND (goban_legend_get_type ())
G_DECLARE_FINAL_TYPE (GobanLegend, goban_legend, GOBAN, LEGEND, GtkWidget)

GtkWidget *goban_legend_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_legend_set_dark (GobanLegend *self, gboolean dark);

/* The number of colours in it. */
guint goban_legend_get_n_entries (GobanLegend *self);

G_END_DECLS
