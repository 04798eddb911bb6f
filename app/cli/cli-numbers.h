/* cli-numbers.h: numeric options: one parser, and one table of the bounds of each.
 *
 * GOption takes "nan" and "inf" for numbers and knows no bounds. Entries of integers and doubles
 * are therefore read as text, and then as decimal numbers within the bounds of their name.
 */
#pragma once

#include <glib.h>

typedef struct _GobanCliNumbers GobanCliNumbers;

GobanCliNumbers *goban_cli_numbers_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_cli_numbers_free (GobanCliNumbers *self);

/* Adds @entries to the context's main entries; each number needs a row in the table of bounds. */
void goban_cli_numbers_add_entries (GobanCliNumbers *self, GOptionContext *context,
                                    const GOptionEntry *entries);

/* To be called after parsing: stores the numbers that were given where their entries say. %FALSE
 * with %GOBAN_ERROR_INVALID set for the first that is not a number or out of its bounds. */
gboolean goban_cli_numbers_read (GobanCliNumbers *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCliNumbers, goban_cli_numbers_free)
