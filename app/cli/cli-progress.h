/* cli-progress.h: the line of progress, and Ctrl+C. */
#pragma once

#include "engine/core/progress.h"

/* Progress for work of more than a second, if standard error is a terminal; Ctrl+C cancels. */
const GobanProgress *goban_cli_progress (void);
/* Takes the line of progress away before something else is written. */
void goban_cli_progress_end (void);

/* Between these two the first Ctrl+C ends a search with the best plan so far, as the window's Stop
 * does, and the second ends the program. The options of goban_cli_run_options() heed it. @policy
 * (nullable): %NULL for several searches; a quick one has no plan before its end, and is cancelled
 * as other work is. */
void goban_cli_search_begin (const char *policy);
void goban_cli_search_end (void);
/* Becomes 1 when Ctrl+C ends the search: for GobanRunOptions. */
const gint *goban_cli_search_get_finish (void);
/* Whether Ctrl+C has ended the search: the verb writes what was found, and exits with 130. */
gboolean goban_cli_search_was_ended (void);
/* Says so on standard error. @what: what was found so far; @path (nullable): where it is written */
void goban_cli_say_ended (const char *what, const char *path);

/* As Ctrl+C does; any thread. */
void goban_cli_interrupt (void);
/* TRUE after Ctrl+C, with a message once: to be checked before a file is written. */
gboolean goban_cli_is_interrupted (void);
