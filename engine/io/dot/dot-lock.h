/* dot-lock.h: the one lock around cgraph, which keeps its parser and its errors in globals. */
#pragma once

#include "engine/io/io.h"

/* Locks cgraph for this thread; its messages are collected and not printed. %FALSE with @error set,
 * and without the lock, if @progress (nullable) stops the wait for another thread. */
gboolean goban_dot_lock (const GobanProgress *progress, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full): the messages of cgraph since goban_dot_lock(), "" if none. */
char *goban_dot_unlock (void) G_GNUC_WARN_UNUSED_RESULT;

/* agread() of a text without zeros, which leaves nothing of it to the next. Under the lock.
 * Of @options, may_forget and progress count. (nullable): %NULL with @error set if the progress was
 * cancelled, without it if cgraph refuses the text, which its messages explain. */
struct Agraph_s *goban_dot_parse (const char *text, gsize size, const GobanReadOptions *options,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Sets a %GOBAN_ERROR_PARSE "path:line: ..." made of the messages of a failed reading. */
void goban_dot_set_syntax_error (const char *path, const char *messages, GError **error);
