/* empty-page.h: what a workspace shows while it has nothing to show: a sentence and a button with the
 * next step.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @action: of the button, detailed as in a menu. */
GtkWidget *goban_empty_page_new (const char *text, const char *label,
                                 const char *action) G_GNUC_WARN_UNUSED_RESULT;

void goban_empty_page_set_text (GtkWidget *page, const char *text);

G_END_DECLS
