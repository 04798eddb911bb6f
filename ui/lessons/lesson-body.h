/* lesson-body.h: widgets of a step of a lesson: text, question, task, hints, challenge. */
#pragma once

#include "engine/session/teaching/lesson-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  GobanLessonState *state;
  GCallback
      follow; /* "activate-link" of labels: gboolean (*) (GtkLabel *, const char *uri, data) */
  gpointer data;
} GobanLessonBody;

/* Fills @box with the present step. Buttons have actions of the window. */
void goban_lesson_body_fill (const GobanLessonBody *self, GtkBox *box);

/* Updates the parts that answers, hints and verdicts change; the rest stays, with the keyboard
 * focus. */
void goban_lesson_body_update (const GobanLessonBody *self, GtkBox *box);

G_END_DECLS
