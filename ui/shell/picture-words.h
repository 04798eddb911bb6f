/* picture-words.h: what graph and timeline show, in words, for those who hear them.
 *
 * GTK 4.8 lets a picture be one accessible and no more (its parts cannot be widgets' children), so the
 * picture's description says what is to be seen and changes with it. While a run is played nothing is
 * said: thirty sentences a second are none.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Keeps the descriptions of both as the session is, as long as they live. */
void goban_picture_words_follow (GobanSession *session, GtkWidget *graph, GtkWidget *timeline);

/* (transfer full) */
char *goban_picture_words_of_graph (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
char *goban_picture_words_of_timeline (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
