/* choice-list.h: list of words with a note each, moved through by keys while a text has the focus.
 *
 * One row is selected at a time and kept in sight. Signal "chosen": a row was clicked.
 */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_CHOICE_LIST (goban_choice_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanChoiceList, goban_choice_list, GOBAN, CHOICE_LIST, GtkWidget)

/* @words, @notes (nullable): as many, copied. Selects the first. */
void goban_choice_list_set (GobanChoiceList *self, const char *const *words,
                            const char *const *notes);
/* By so many rows, stopping at both ends. */
void goban_choice_list_move (GobanChoiceList *self, int by);
/* The selected row, -1 without one. */
int goban_choice_list_get_selected (GobanChoiceList *self);
