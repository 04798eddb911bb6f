/* bench-pace.h: estimates of a bench's remaining time.
 *
 * A cell is expected to take as long per node as its policy's cells have taken so far, or, if the
 * policy has not been timed, as its budget suggests. Times here are for display; no reported result
 * depends on them. Used only by the thread that runs the bench.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/placers/placer.h"

typedef struct _GobanBenchPace GobanBenchPace;

/* @placers (n_policies) and @outer (nullable) are borrowed. */
GobanBenchPace *goban_bench_pace_new (const GobanPlacer *const *placers, guint n_policies,
                                      const GobanPlacerOptions *budget,
                                      const GobanProgress *outer) G_GNUC_WARN_UNUSED_RESULT;
void goban_bench_pace_free (GobanBenchPace *self);

/* Expects @n_cells cells of a policy on a graph of @n_nodes. */
void goban_bench_pace_expect (GobanBenchPace *self, guint policy, guint n_nodes, guint n_cells);

/* Progress callbacks to pass to the work, borrowed; they report its steps as the bench's. */
const GobanProgress *goban_bench_pace_get_progress (GobanBenchPace *self);

/* To be called around each expected cell that has to be run. @seconds: the time it took. */
void goban_bench_pace_begin (GobanBenchPace *self, guint policy, guint n_nodes, const char *what);
void goban_bench_pace_end (GobanBenchPace *self, double seconds);

/* Estimated seconds until all expected cells are done. */
double goban_bench_pace_get_left (const GobanBenchPace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBenchPace, goban_bench_pace_free)
