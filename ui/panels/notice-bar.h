/* notice-bar.h: bar in which the window shows errors, notices and questions.
 *
 * Errors stay until they are closed or replaced; other notices disappear after a while. A question
 * stays until it is answered or withdrawn, and takes precedence over notices. Questions are asked
 * in order, except urgent ones.
 *
 * Signals: "closed": a notice or the last question was removed; the focus is lost if it was inside;
 *   "save" (const char *text): all notices, some of which are shown in part, shall be saved.
 *
 * Decision U27 (ui/NOTES.md).
 */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_NOTICE_BAR (goban_notice_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanNoticeBar, goban_notice_bar, GOBAN, NOTICE_BAR, GtkWidget)

GtkWidget *goban_notice_bar_new (void) G_GNUC_WARN_UNUSED_RESULT;

void goban_notice_bar_show (GobanNoticeBar *self, gboolean is_error, const char *text);
void goban_notice_bar_hide (GobanNoticeBar *self);

/* @choice: index of the label, or -1 if the question was closed */
typedef void (*GobanNoticeFunc) (int choice, gpointer user_data);

/* key: identifies the subject: a new question with the same key replaces the old one, which is
 * dropped without an answer; labels: of the buttons, NULL-terminated; free_data: (nullable);
 * is_urgent: a command waits for the answer: it is asked before all others, and its first button
 * gets the focus. */
typedef struct
{
  const char *key;
  const char *text;
  const char *const *labels;
  GobanNoticeFunc func;
  gpointer user_data;
  GDestroyNotify free_data;
  gboolean is_urgent;
} GobanQuestion;

void goban_notice_bar_ask (GobanNoticeBar *self, const GobanQuestion *question);
void goban_notice_bar_withdraw (GobanNoticeBar *self, const char *key);
