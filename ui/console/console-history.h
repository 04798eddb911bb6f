/* console-history.h: command history of the console, oldest first, saved in a file.
 *
 * Up and Down visit only entries that begin with the text that was in the input at the start, and
 * finally return to it: an unfinished command survives. Plain values; no display needed.
 */
#pragma once

#include <glib.h>

typedef struct _GobanConsoleHistory GobanConsoleHistory;

/* Kinds of entries, by what they call first. */
typedef enum
{
  GOBAN_HISTORY_ALL, /* no entry's: any of the others */
  GOBAN_HISTORY_GRAPHS,
  GOBAN_HISTORY_PLANS,
  GOBAN_HISTORY_COMPARISONS,
  GOBAN_HISTORY_VIEWS,
  GOBAN_HISTORY_PLOTS,
  GOBAN_HISTORY_BLOCKS, /* of several lines */
  GOBAN_HISTORY_OTHERS,
  GOBAN_N_HISTORY_KINDS
} GobanHistoryKind;

GobanHistoryKind goban_history_find_kind (const char *entry);

/* @path (nullable): a file that need not exist; NULL for a history that is not saved. */
GobanConsoleHistory *goban_console_history_new (const char *path) G_GNUC_WARN_UNUSED_RESULT;
void goban_console_history_free (GobanConsoleHistory *self);

/* Adds an entry and ends a walk. Blank texts and repetitions of the newest entry are dropped. */
void goban_console_history_add (GobanConsoleHistory *self, const char *text);

/* @input: the present input. Returns the entry to replace it, borrowed until the next call, or NULL
 * at the end. */
const char *goban_console_history_older (GobanConsoleHistory *self, const char *input);
const char *goban_console_history_newer (GobanConsoleHistory *self);

/* To be called when the user edits the input: ends the walk. */
void goban_console_history_reset (GobanConsoleHistory *self);

/* Different entries of a kind that contain @text, newest first, at most @max. (transfer full) */
char **goban_console_history_find (GobanConsoleHistory *self, const char *text,
                                   GobanHistoryKind kind, guint max) G_GNUC_WARN_UNUSED_RESULT;

guint goban_console_history_get_n_entries (const GobanConsoleHistory *self);

/* Adds the new entries to the file, if there is one: other windows may have added theirs. A file
 * that cannot be read is not written: %FALSE with @error set, and the entries wait for the next
 * call. */
gboolean goban_console_history_save (GobanConsoleHistory *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanConsoleHistory, goban_console_history_free)
