/* completion.h: popup of the words that may follow in a text, with their signatures and help.
 *
 * Belongs to a text view, which keeps the focus: the owner passes keys on. Opens on Tab if several
 * words fit, narrows while the user types, and closes with Escape or when nothing fits.
 */
#pragma once

#include "ui/console/console-evaluator.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_COMPLETION (goban_completion_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompletion, goban_completion, GOBAN, COMPLETION, GtkPopover)

/* A child of @view, which must unparent it when it is disposed. (transfer none) */
GobanCompletion *goban_completion_new (GtkTextView *view);
void goban_completion_set_evaluator (GobanCompletion *self, GobanConsoleEvaluator *evaluator);

/* Writes what all fitting words have in common, or opens with them. */
void goban_completion_start (GobanCompletion *self);
/* A key of the text view: TRUE if the open popup has used it. */
gboolean goban_completion_handle_key (GobanCompletion *self, guint keyval,
                                      GdkModifierType modifiers);
