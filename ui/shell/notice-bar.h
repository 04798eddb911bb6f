/* notice-bar.h: bar in which the window shows errors, notices and questions.
 *
 * Errors stay until they are closed or another notice comes; good news leaves by itself. A question
 * stays until it is answered or withdrawn, above notices; of several the first is asked first,
 * unless another is urgent.
 *
 * Signal: "closed": a notice or the last question is gone, and the focus with it if it was there.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_NOTICE_BAR (goban_notice_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanNoticeBar, goban_notice_bar, GOBAN, NOTICE_BAR, GtkWidget)

GtkWidget *goban_notice_bar_new (void) G_GNUC_WARN_UNUSED_RESULT;

void goban_notice_bar_show (GobanNoticeBar *self, gboolean is_error, const char *text);
void goban_notice_bar_hide (GobanNoticeBar *self);

/* @choice: of the labels, or -1 for somebody who closed the question */
typedef void (*GobanNoticeFunc) (int choice, gpointer user_data);

/* key: what it is about: asked again, it takes the place of the one before, which is dropped without an answer;
 * labels: of the buttons, ends in NULL; free_data: (nullable); is_urgent: a command waits for the answer: it is asked
 * before all others, and its first button has the focus. */
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
/* The one that is asked now, or NULL; answering is pressing that button. */
const char *goban_notice_bar_get_question (GobanNoticeBar *self);
void goban_notice_bar_answer (GobanNoticeBar *self, int choice);

/* The text that is shown, or NULL. */
const char *goban_notice_bar_get_text (GobanNoticeBar *self);

G_END_DECLS
