/* lesson-pane.h: pane of lessons: their list, or the present step of the open one.
 *
 * Shows the lesson of the session (engine/session/teaching/lesson-state.h), also if a script opened
 * it. What a lesson does is Lua: an evaluator of the pane's own runs it, so that lessons and the
 * console do not wait for each other. It is made when it is first needed.
 *
 * Signal "term" (const char *term): the user asked for a term of the glossary.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/console/console-evaluator.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_LESSON_PANE (goban_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (GobanLessonPane, goban_lesson_pane, GOBAN, LESSON_PANE, GtkWidget)

GtkWidget *goban_lesson_pane_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) */
typedef GobanConsoleEvaluator *(*GobanEvaluatorFunc) (GobanSession *session);

void goban_lesson_pane_set_evaluator (GobanLessonPane *self, GobanEvaluatorFunc make);

/* Runs a line of Lua of module lesson, "lesson.next()"; while another runs, it comes next, in place
 * of one that waits already. */
void goban_lesson_pane_run (GobanLessonPane *self, const char *code);
/* Runs no line, and none waits. */
gboolean goban_lesson_pane_is_idle (GobanLessonPane *self);

/* Puts the keyboard focus on the first control of the step. */
void goban_lesson_pane_grab_focus (GobanLessonPane *self);
