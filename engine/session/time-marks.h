/* time-marks.h: named time marks of a run, set by the user.
 *
 * A GObject of the main thread that belongs to a view; no two marks are at one time. They are times
 * and not ops: another plan for the same graph has them where they are, so that two plans can be
 * looked at by the same moments.
 *
 * Signals: "changed" (); "log" (const char *lua): a change as the line that would make it.
 *
 * Decision U50 (ui/NOTES.md).
 */
#pragma once

#include <glib-object.h>

typedef struct
{
  double time_us;
  char *name;
} GobanTimeMark;

#define GOBAN_TYPE_TIME_MARKS (goban_time_marks_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimeMarks, goban_time_marks, GOBAN, TIME_MARKS, GObject)

GobanTimeMarks *goban_time_marks_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* By time; borrowed until the next change. */
const GobanTimeMark *goban_time_marks_list (GobanTimeMarks *self, guint *n);
/* The first mark of that name, or NULL. */
const GobanTimeMark *goban_time_marks_find (GobanTimeMarks *self, const char *name);
/* The nearest mark within @reach_us, or NULL. */
const GobanTimeMark *goban_time_marks_find_near (GobanTimeMarks *self, double time_us,
                                                 double reach_us);
/* The next mark after a time if @direction > 0, else the previous one; wraps around. NULL if there
 * is no mark; NAN is before all. */
const GobanTimeMark *goban_time_marks_step (GobanTimeMarks *self, double time_us, int direction);

/* Adds a mark, or renames the one at that time. @name: (nullable): NULL chooses the first unused
 * letter. */
void goban_time_marks_put (GobanTimeMarks *self, double time_us, const char *name);
void goban_time_marks_remove (GobanTimeMarks *self, double time_us);
void goban_time_marks_clear (GobanTimeMarks *self);
/* The same without a log line, because another graph is open. */
void goban_time_marks_forget (GobanTimeMarks *self);

/* All marks as texts for files, "1500.5 name", NULL-terminated; (transfer full). */
char **goban_time_marks_to_texts (GobanTimeMarks *self) G_GNUC_WARN_UNUSED_RESULT;
/* %FALSE if the text is not a mark; @name: borrowed from it. Any thread. */
gboolean goban_time_mark_scan (const char *text, double *time_us, const char **name);
/* Replaces the marks by those of the texts; invalid texts are ignored. */
void goban_time_marks_set_texts (GobanTimeMarks *self, const char *const *texts);
