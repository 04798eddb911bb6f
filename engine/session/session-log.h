/* session-log.h: the log of a session, and its messages to users. */
#pragma once

#include "engine/session/session.h"

/* Appends a line to the log, for changes that the session cannot describe itself; all others are
 * logged automatically. Emits "log" with the number of the line: its place in
 * goban_session_get_log(). */
void goban_session_log (GobanSession *self, const char *lua);
void goban_session_log_line (GobanSession *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A line about nodes of the open graph. Its text is made when the log is asked for: an expression
 * that names the nodes in @run (nullable), the one in view, between @before and @after. */
void goban_session_log_nodes (GobanSession *self, const char *before, GobanSelection *nodes,
                              GobanRun *run, const char *after);
/* A line that sets the notes as they are now. Its text, too, is made when the log is asked for. */
void goban_session_log_notes (GobanSession *self);
/* (element-type utf8), borrowed, oldest first. */
const GPtrArray *goban_session_get_log (GobanSession *self);
/* A line to be shown: one that sets notes of more than @max_bytes ends in "…" after so many, the
 * rest of which is not quoted. (transfer full) */
char *goban_session_dup_log_start (GobanSession *self, guint line,
                                   gsize max_bytes) G_GNUC_WARN_UNUSED_RESULT;

/* Emits "message". @format: is translated. */
void goban_session_say (GobanSession *self, gboolean is_error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Emits "zoom". */
void goban_session_zoom (GobanSession *self, const char *what);
