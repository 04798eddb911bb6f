/* end-signal.h: SIGTERM handling in a dedicated thread.
 *
 * METIS handles SIGTERM itself while it cuts a graph (gk_sigtrap() of its GKlib), for errors of its
 * own. A signal from outside then aborts the cut, or crashes if another thread receives it. So all
 * threads block it except one, which waits for it and needs no handler.
 */
#pragma once

#include <glib.h>

/* Called in the waiting thread each time the signal arrives. */
typedef void (*GobanEndSignalFunc) (gpointer user_data);

/**
 * goban_end_signal_begin:
 *
 * To be called before the program starts other threads, which inherit the signal mask. Without a
 * handler the signal ends the program at once, with status 143. Does nothing if the parent process
 * set the signal to be ignored.
 */
void goban_end_signal_begin (void);

/* @handler: (nullable): %NULL: the signal ends the program. @user_data must live until another
 * handler is set. */
void goban_end_signal_set_handler (GobanEndSignalFunc handler, gpointer user_data);

/* TRUE if the program was started with the signal @number ignored, as by nohup. */
gboolean goban_end_signal_is_ignored (int number);
