/* swatch.h: a small patch of a colour with its hatch, as nodes have it. */
#pragma once

#include "ui/draw/palette.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Design pixels. */
GtkWidget *goban_swatch_new (GobanRgb fill, GobanCue cue, int width,
                             int height) G_GNUC_WARN_UNUSED_RESULT;
GtkWidget *goban_swatch_new_for_device (GobanTheme theme, guint device, int width,
                                        int height) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
