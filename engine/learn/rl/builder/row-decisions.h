/* row-decisions.h: writes the decisions of a plan that is built row by row to a record.
 *
 * A row's nodes are the decision's nodes. If no device can run all of a row, units that cannot run
 * on its device go to their fastest one (goban_rows_place()); these are decisions of their own,
 * which follow from the row's.
 */
#pragma once

#include "engine/decisions/decisions-writer.h"
#include "engine/learn/policy/plan-builder.h"
#include "engine/learn/policy/row-schedule.h"

typedef struct _GobanRowDecisions GobanRowDecisions;

/* @rows must outlive it. */
GobanRowDecisions *goban_row_decisions_new (const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_row_decisions_free (GobanRowDecisions *self);

/* Writes decision @i of a plan. @temperature: at which it was drawn; 0: the likeliest. @encoding:
 * (nullable): tells the rows that were attended. Returns the device to take. */
guint32 goban_row_decisions_choose (const GobanRowDecisions *self, GobanDecisionsWriter *writer,
                                    const GobanBuildRecord *record, guint i, double temperature,
                                    GobanRowEncoding *encoding);

/* Writes the rows that were not decided: they follow others, or take no time. devices (R) */
void goban_row_decisions_carry (const GobanRowDecisions *self, GobanDecisionsWriter *writer,
                                const GobanBuildRecord *record, const guint32 *devices);

/* Writes changes (GobanRowChange) of a placement. */
void goban_row_decisions_change (const GobanRowDecisions *self, GobanDecisionsWriter *writer,
                                 const GArray *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRowDecisions, goban_row_decisions_free)
