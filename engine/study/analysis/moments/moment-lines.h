/* moment-lines.h: numbering of a record as people read it: plans, and the decisions of each.
 *
 * A line is a moment that is listed. The lines of one span of plans are one plan. A line outside
 * such spans that changes a whole plan is a plan of its own; others beside each other are one.
 * Plans, and the decisions of a plan, are counted from 1 among those that are listed.
 *
 * Immutable; any thread.
 */
#pragma once

#include "engine/decisions/decisions.h"

G_BEGIN_DECLS

/* Neither a line nor a plan. */
#define GOBAN_NO_LINE G_MAXUINT

typedef struct
{
  guint first, n;                  /* its lines */
  GobanMoment last;                /* whose plan it is */
  double makespan_us, previous_us; /* of that plan, and of the listed one before it; NAN: unknown */
  gboolean is_accepted;
} GobanLinesPlan;

typedef struct _GobanMomentLines GobanMomentLines;

/* O(moments) */
GobanMomentLines *goban_moment_lines_new (GobanDecisions *decisions,
                                          GobanStops which) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_lines_free (GobanMomentLines *self);

GobanDecisions *goban_moment_lines_get_decisions (const GobanMomentLines *self);
guint goban_moment_lines_get_n (const GobanMomentLines *self);
guint goban_moment_lines_get_n_plans (const GobanMomentLines *self);
const GobanLinesPlan *goban_moment_lines_get_plan (const GobanMomentLines *self, guint plan);
GobanMoment goban_moment_lines_get_moment (const GobanMomentLines *self, guint line);

/* The last line up to @moment; GOBAN_NO_LINE at the beginning. */
guint goban_moment_lines_find (const GobanMomentLines *self, GobanMoment moment);
/* The plan of a line; GOBAN_NO_LINE of that. */
guint goban_moment_lines_find_plan (const GobanMomentLines *self, guint line);

/* Whether a plan has decisions of its own to walk through: more than one. */
gboolean goban_moment_lines_has_decisions (const GobanMomentLines *self, guint plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMomentLines, goban_moment_lines_free)

G_END_DECLS
