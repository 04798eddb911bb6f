/* history.h: undo and redo stacks of immutable session states, with the names of the changes.
 *
 * States far from the present keep the sources of their runs (run-origin.h) in place of the runs,
 * and the most distant are forgotten when a stack has some hundred megabytes: thousands of changes,
 * of a graph with a million nodes some forty. The present is not in them: the caller of undo or
 * redo passes it, so that state changed without a record (the shown plan) is restored afterwards.
 */
#pragma once

#include "engine/session/state.h"

typedef struct _GobanHistory GobanHistory;

GobanHistory *goban_history_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_history_free (GobanHistory *self);

/* Limit of the memory of each stack, for tests. */
void goban_history_set_most_bytes (GobanHistory *self, gsize most_bytes);

/* Empties both stacks, or the redo stack alone. */
void goban_history_clear (GobanHistory *self);
void goban_history_forget_redo (GobanHistory *self);

/* Pushes @before, the state before the change @name, onto the undo stack, and empties the redo
 * stack. */
void goban_history_record (GobanHistory *self, const char *name, GobanState *before);

/* The names of the changes that undo and redo would apply; (nullable), borrowed. */
const char *goban_history_get_undo_name (GobanHistory *self);
const char *goban_history_get_redo_name (GobanHistory *self);

/* Whether the run is part of a state on either stack. */
gboolean goban_history_has_run (GobanHistory *self, GobanRun *run);

/* Returns the state to restore and pushes @present onto the other stack; %NULL if there is none.
 * (transfer full) (nullable) */
GobanState *goban_history_undo (GobanHistory *self, GobanState *present) G_GNUC_WARN_UNUSED_RESULT;
GobanState *goban_history_redo (GobanHistory *self, GobanState *present) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHistory, goban_history_free)
