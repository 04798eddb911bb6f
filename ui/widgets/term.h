/* term.h: definitions of terms on hover: the glossary's, at headers of tables and panes.
 *
 * The glossary is in English, so a translated header has no definition. Templates explain their
 * headings by themselves (template.h).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives @widget the definition of @text as its tooltip if the glossary has that term. A tooltip
 * that it has already stays, with the definition below. */
void goban_explain_term (GtkWidget *widget, const char *text);

/* Explains the titles of the columns that @view has. */
void goban_explain_columns (GtkColumnView *view);

/* Whether a label is a header: a column's title, or of class "heading" or "pane-heading". */
gboolean goban_is_header (GtkWidget *label);

G_END_DECLS
