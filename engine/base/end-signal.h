/* end-signal.h: SIGTERM handling in a dedicated thread.
 *
 * METIS handles SIGTERM itself while it cuts a graph (gk_sigtrap() of its GKlib), for errors of its
 * own: a signal that comes from outside then breaks off the cut, and jumps into nowhere if another
 * thread receives it. So all threads block it but one, which waits for it and needs no handler.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Called in the waiting thread, each time that the signal comes. */
typedef void (*GobanEndSignalFunc) (gpointer user_data);

/**
 * goban_end_signal_begin:
 *
 * To be called first, before the program has other threads: they inherit what is blocked. Until
 * there is a handler the signal ends it at once, with status 143. Does nothing if the signal is ignored on purpose.
 */
void goban_end_signal_begin (void);

/* @handler: (nullable): %NULL: the signal ends the program. @user_data must live until another is set. */
void goban_end_signal_set_handler (GobanEndSignalFunc handler, gpointer user_data);

G_END_DECLS
