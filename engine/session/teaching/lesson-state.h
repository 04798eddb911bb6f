/* lesson-state.h: the lesson that is open in a session: its step, answers and finished tasks.
 *
 * A GObject of the main thread; a session, or another owner, has one. Lua and the lesson pane
 * change it by the same calls.
 *
 * Signals: "changed" (): another lesson, step, answer, hint or verdict.
 */
#pragma once

#include "engine/session/teaching/lesson.h"

#include <glib-object.h>

/* Verdict of the last check of a step's task. */
typedef enum
{
  GOBAN_VERDICT_NONE,
  GOBAN_VERDICT_NOT_YET,
  GOBAN_VERDICT_DONE,
} GobanVerdict;

typedef struct
{
  guint answer;  /* or GOBAN_LESSON_NO_ANSWER */
  guint n_hints; /* shown */
  GobanVerdict verdict;
  char *message;     /* "" or the missing part */
  gboolean is_shown; /* the solution was asked for, or a challenge's rivals revealed */
} GobanStepState;

#define GOBAN_TYPE_LESSON_STATE (goban_lesson_state_get_type ())
G_DECLARE_FINAL_TYPE (GobanLessonState, goban_lesson_state, GOBAN, LESSON_STATE, GObject)

/* The state of @owner, which lives as long as it does; without a lesson at first. Borrowed. */
GobanLessonState *goban_lesson_state_of (GObject *owner);

/* (nullable): %NULL without one; borrowed. */
GobanLesson *goban_lesson_state_get_lesson (GobanLessonState *self);
/* @lesson: (nullable): closes. Begins at @step; answers are kept if it is the same lesson. */
void goban_lesson_state_open (GobanLessonState *self, GobanLesson *lesson, guint step);
guint goban_lesson_state_get_step (GobanLessonState *self);
/* The present step and its state; only with a lesson. */
const GobanLessonStep *goban_lesson_state_get_content (GobanLessonState *self);
const GobanStepState *goban_lesson_state_get_done (GobanLessonState *self);
/* Whether there is nothing left to do in @step. */
gboolean goban_lesson_state_is_done (GobanLessonState *self, guint step);

/* The hash of the graph that the lesson's own code has opened; changes of it need not be saved. 0:
 * none. */
guint64 goban_lesson_state_get_graph (GobanLessonState *self);
void goban_lesson_state_set_graph (GobanLessonState *self, guint64 hash);

/* All of the present step. */
void goban_lesson_state_answer (GobanLessonState *self, guint answer);
void goban_lesson_state_show_hint (GobanLessonState *self);
void goban_lesson_state_judge (GobanLessonState *self, GobanVerdict verdict, const char *message);
void goban_lesson_state_reveal (GobanLessonState *self);
/* Forgets answers, hints and verdicts of the present step. */
void goban_lesson_state_clear (GobanLessonState *self);
