/* picture-descriptions.h: descriptions of the graph and the timeline for screen readers.
 *
 * In GTK 4.8 a picture can be only one accessible (its parts cannot be widgets' children), so the
 * picture's description lists the visible contents and is updated with them. It is not updated
 * during playback: thirty sentences a second are useless.
 *
 * Decision U34 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

/* Updates the descriptions of both widgets with the session during their lifetime. */
void goban_picture_descriptions_follow (GobanSession *session, GtkWidget *graph,
                                        GtkWidget *timeline);
