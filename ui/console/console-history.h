/* console-history.h: command history of the console, oldest first, saved in a file.
 *
 * Up and Down visit only entries that begin with the text that was in the input at the start, and
 * finally return to it: an unfinished command survives. Plain values; no display needed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GobanConsoleHistory GobanConsoleHistory;

/* @path (nullable): a file that need not exist; NULL for a history that is not kept. */
GobanConsoleHistory *goban_console_history_new (const char *path) G_GNUC_WARN_UNUSED_RESULT;
void goban_console_history_free (GobanConsoleHistory *self);

/* Ends a walk. Blank texts and repetitions of the newest entry are not kept. */
void goban_console_history_add (GobanConsoleHistory *self, const char *text);

/* @input: what stands in the input now. Returns the entry to put there instead, borrowed until
 * the next call, or NULL if there is none further. */
const char *goban_console_history_older (GobanConsoleHistory *self, const char *input);
const char *goban_console_history_newer (GobanConsoleHistory *self);

/* To be called when people edit the input: the next walk begins anew. */
void goban_console_history_reset (GobanConsoleHistory *self);

guint goban_console_history_get_n_entries (const GobanConsoleHistory *self);

/* Writes the file, if there is one to write. */
gboolean goban_console_history_save (GobanConsoleHistory *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanConsoleHistory, goban_console_history_free)

G_END_DECLS
