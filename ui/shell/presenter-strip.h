/* presenter-strip.h: strip above the board of a talk: plan, makespan, and the colours of the devices.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_PRESENTER_STRIP (goban_presenter_strip_get_type ())
G_DECLARE_FINAL_TYPE (GobanPresenterStrip, goban_presenter_strip, GOBAN, PRESENTER_STRIP, GtkWidget)

GtkWidget *goban_presenter_strip_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
