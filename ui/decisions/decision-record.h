/* decision-record.h: list of the decisions of a run, as a record of a game lists moves.
 *
 * It is that of the current run, or, of a run with a forced decision, that of the run in which it
 * was forced, whose variation it is. Up and Down walk, Left and Right fold, B sets a breakpoint, at
 * which the player stops.
 */
#pragma once

#include "ui/decisions/record-model.h"

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_DECISION_RECORD (goban_decision_record_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionRecord, goban_decision_record, GOBAN, DECISION_RECORD, GtkWidget)

GtkWidget *goban_decision_record_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Sets or removes a breakpoint at the selected decision. */
void goban_decision_record_toggle_breakpoint (GobanDecisionRecord *self);
/* Measures the options of all listed decisions, from the shown one on. */
void goban_decision_record_review (GobanDecisionRecord *self);

/* Borrowed; and the selected row, or GTK_INVALID_LIST_POSITION. */
GobanRecordModel *goban_decision_record_get_model (GobanDecisionRecord *self);
guint goban_decision_record_get_selected (GobanDecisionRecord *self);
void goban_decision_record_select (GobanDecisionRecord *self, guint row);
/* The name of a row for screen readers: "16, Mixed_6c branch7x7, gpu:1, 49 percent, 8.9 µs slower
 * than the best". (transfer full) */
char *goban_decision_record_dup_name (GobanDecisionRecord *self,
                                      guint row) G_GNUC_WARN_UNUSED_RESULT;
