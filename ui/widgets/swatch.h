/* swatch.h: swatch: a small patch of a device's colour and hatch. */
#pragma once

#include "ui/draw/palette.h"

#include <gtk/gtk.h>

/* Design pixels. */
GtkWidget *goban_swatch_new (GobanRgb fill, GobanCue cue, int width,
                             int height) G_GNUC_WARN_UNUSED_RESULT;
GtkWidget *goban_swatch_new_for_device (GobanTheme theme, guint device, int width,
                                        int height) G_GNUC_WARN_UNUSED_RESULT;
