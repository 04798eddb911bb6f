/* lesson.h: a lesson: steps with text, questions and tasks, read from a plain file.
 *
 * The file is Markdown: "# " is the title, "## " begins a step, what follows is its text. Of a step
 * may be said, in any order:
 *
 *   - [ ] an answer            a question, whose right answer has an x in the brackets
 *   - [x] the right answer
 *   > text                     shown once the question is answered
 *   Hint: text                 shown one after another on request
 *   Point: record: text        a ring around the record of decisions, with that text beside it;
 *                              ui/lessons/lesson-ring.c has the places
 *   ```lua setup               code that brings the window into the state the step begins with
 *   ```lua show                code that shows what the text speaks of
 *   ```lua check               a task: an expression that is true once it is done; with a second
 *                              value, what is missing
 *   ```lua solution            code that does it
 *   ```lua rivals              a challenge: an expression, a table of names and makespans in
 *                              seconds, or policies to be asked
 *
 * "Minutes: 5" before the first step is about how long it takes. In texts, **words** are bold,
 * `code` is code, [text](code) runs code, [text](#3) goes to the third step, and [term](term:) is
 * explained by the glossary. <kbd>Ctrl+P</kbd> is a key or what is typed, <label>Fuse</label> the
 * label of a button or a command. Who presses all keys and labels of a task's text, or of one of
 * its hints, in their order, has done the task: tests/ui/test-lessons.c does.
 *
 * A translation lies beside the lessons in the folder of its language, under the same name:
 * lessons/de/01-placement.md. It has the same steps and answers, and the code of the original
 * where it has none of its own: its messages may be in code that checks.
 *
 * Immutable and reference-counted; any thread. Decision U60 (ui/NOTES.md).
 */
#pragma once

#include <glib.h>

#define GOBAN_LESSON_NO_ANSWER G_MAXUINT

#define GOBAN_LESSON_KEY "<kbd>"
#define GOBAN_LESSON_KEY_END "</kbd>"
#define GOBAN_LESSON_LABEL "<label>"
#define GOBAN_LESSON_LABEL_END "</label>"

typedef struct
{
  char *title;
  char *text;        /* paragraphs, divided by empty lines */
  char **answers;    /* of a question; empty: there is none */
  guint right;       /* the right one */
  char *explanation; /* "" for none */
  char **hints;
  char *point;   /* (nullable): place that a ring is drawn around */
  char *callout; /* (nullable): beside it */
  char *setup;   /* (nullable) code, as are the following */
  char *show;
  char *check;
  char *solution; /* not NULL if @check is not */
  char *rivals;
} GobanLessonStep;

typedef struct
{
  gatomicrefcount ref_count;
  char *name;   /* of the file, without its ending: "01-placement" */
  char *folder; /* of the file, where its graphs lie */
  char *title;
  guint minutes;       /* 0: not said */
  GPtrArray *steps;    /* GobanLessonStep, at least one */
  gboolean is_contest; /* a step has rivals */
} GobanLesson;

/* Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE "path:line: ..." set */
GobanLesson *goban_lesson_new_from_text (const char *text, const char *path,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanLesson *goban_lesson_new_translation (const char *text, const char *path,
                                           const GobanLesson *original,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* In the user's language, if it is translated. */
GobanLesson *goban_lesson_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanLesson *goban_lesson_ref (GobanLesson *self);
void goban_lesson_unref (GobanLesson *self);

const GobanLessonStep *goban_lesson_get_step (const GobanLesson *self, guint step);
/* A task, a question or a challenge is to be done. */
gboolean goban_lesson_step_has_work (const GobanLessonStep *step);
/* Whether @code is the target of a link within the lesson: "#3", the step, from 0, in @step. */
gboolean goban_lesson_parse_link (const GobanLesson *self, const char *code, guint *step);
/* A paragraph of a text as Pango markup. (transfer full) */
char *goban_lesson_dup_markup (const char *paragraph) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLesson, goban_lesson_unref)

/* --- the list --------------------------------------------------------------------------------- */

/* The lessons that are installed, and those in the user's own folder.
 *
 * Lessons are the files *.md of the data folder "lessons" (engine/core/data-file.h) and of
 * goban/lessons in the user's data folder. A lesson of the user's takes the place of one of the
 * same name.
 */

/* By name (element-type GobanLesson). @troubles: (out) (optional) (element-type utf8): messages
 * about files that are no lessons. (transfer full) */
GPtrArray *goban_lesson_list_load (GPtrArray **troubles) G_GNUC_WARN_UNUSED_RESULT;

/* By name, by the number it begins with, or by a path that ends in .md. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_INVALID set, which lists the lessons, or an error of the
 * file. */
GobanLesson *goban_lesson_list_find (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;
