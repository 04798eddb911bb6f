/* decision-lines.h: the lines of the current run's record, and the one that is shown.
 *
 * A GObject of the main thread, one for each session, that card, record and player share. It lists
 * the moments of the view's stops (view-time.h) and remembers for each run where people left it.
 *
 * Signal: "changed" (): the lines are others.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/moments/moment-card.h"

#define GOBAN_TYPE_DECISION_LINES (goban_decision_lines_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionLines, goban_decision_lines, GOBAN, DECISION_LINES, GObject)

/* The session's; borrowed. */
GobanDecisionLines *goban_decision_lines_of (GobanSession *session);

/* (nullable): the current run has no decisions to walk through. Borrowed until "changed". */
GobanMomentLines *goban_decision_lines_get (GobanDecisionLines *self);

/* The shown line; GOBAN_NO_LINE at the beginning and while no moment is shown. */
guint goban_decision_lines_get_shown (GobanDecisionLines *self);
/* Its plan; the first one at the beginning. GOBAN_NO_LINE without lines. */
guint goban_decision_lines_get_shown_plan (GobanDecisionLines *self);
/* Shows a line; GOBAN_NO_LINE: the beginning. */
void goban_decision_lines_show (GobanDecisionLines *self, guint line);

/* Shows where people left the run, at first the first decision of the first plan; without a line of
 * the log. Does nothing while a moment is shown. */
void goban_decision_lines_visit (GobanDecisionLines *self);
void goban_decision_lines_leave (GobanDecisionLines *self);

/* The moment @by stops of the view's level further; -2 and 2: the beginning and the end. */
int goban_decision_lines_find (GobanDecisionLines *self, int by);
/* The first line of the plan @by further, or the shown line; of one plan the next decision. */
guint goban_decision_lines_find_plan (GobanDecisionLines *self, int by);

/* "16 of 32", "0 of 32" at the beginning; "1 of 28". (transfer full) */
char *goban_decision_lines_dup_number (GobanDecisionLines *self,
                                       guint line) G_GNUC_WARN_UNUSED_RESULT;
char *goban_decision_lines_dup_plan_number (GobanDecisionLines *self,
                                            guint plan) G_GNUC_WARN_UNUSED_RESULT;
