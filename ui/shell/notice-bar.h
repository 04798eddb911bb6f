/* notice-bar.h: the one place where the window tells people what went wrong.
 *
 * Errors stay until they are closed or another notice comes; good news leaves by itself.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_NOTICE_BAR (goban_notice_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanNoticeBar, goban_notice_bar, GOBAN, NOTICE_BAR, GtkWidget)

GtkWidget *goban_notice_bar_new (void) G_GNUC_WARN_UNUSED_RESULT;

void goban_notice_bar_show (GobanNoticeBar *self, gboolean is_error, const char *text);
void goban_notice_bar_hide (GobanNoticeBar *self);

/* The text that is shown, or NULL. */
const char *goban_notice_bar_get_text (GobanNoticeBar *self);

G_END_DECLS
