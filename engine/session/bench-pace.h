/* bench-pace.h: estimates of a bench's remaining time.
 *
 * A cell is expected to take as long per node as its policy's cells have taken so far, or, if the
 * policy has not been timed, as its budget suggests. Times here are for display; no reported result
 * depends on them. Used only by the thread that runs the bench.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/placers/placer.h"

G_BEGIN_DECLS

typedef struct _GobanBenchPace GobanBenchPace;

/* @placers (n_policies) and @outer (nullable) are borrowed. */
GobanBenchPace *goban_bench_pace_new (const GobanPlacer *const *placers, guint n_policies,
                                      const GobanPlacerOptions *budget,
                                      const GobanProgress *outer) G_GNUC_WARN_UNUSED_RESULT;
void goban_bench_pace_free (GobanBenchPace *self);

/* Expects @n_cells cells of a policy on a graph of @n_nodes. */
void goban_bench_pace_expect (GobanBenchPace *self, guint policy, guint n_nodes, guint n_cells);

/* What to hand to the work itself, borrowed; its steps become those of the bench. */
const GobanProgress *goban_bench_pace_get_progress (GobanBenchPace *self);

/* Around each cell that was expected; one that was known before takes no time and no @seconds. */
void goban_bench_pace_begin (GobanBenchPace *self, guint policy, guint n_nodes, const char *what);
void goban_bench_pace_end (GobanBenchPace *self, double seconds);

/* Seconds until all that was expected is done, as things stand. */
double goban_bench_pace_get_left (const GobanBenchPace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBenchPace, goban_bench_pace_free)

G_END_DECLS
