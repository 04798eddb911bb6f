/* comparison.h: comparison of several policies on one graph and cluster: a ranking, the lower
 * bound, and a note if placement gains nothing. */
#pragma once

#include "engine/study/analysis/difference/device-matching.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run.h"

typedef struct _GobanComparison GobanComparison;

/**
 * goban_compare_policies:
 * @policies: names, NULL-terminated; "single" (everything on one device) is added at the end
 *   unless it is among them, because on nearly sequential graphs nothing beats it
 * @failures: (nullable): receives the message of each policy that fails, by name, both owned by it;
 *   without it the first failure ends the comparison
 *
 * Returns: (transfer full) (nullable): %NULL with @error set if it was stopped, or no policy has a
 *   plan
 */
GobanComparison *goban_compare_policies (GobanCostModel *costs, const char *const *policies,
                                         const GobanRunOptions *options, GHashTable *failures,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @runs (element-type GobanRun): all of one graph and cluster. (transfer full) */
GobanComparison *goban_comparison_new (GPtrArray *runs) G_GNUC_WARN_UNUSED_RESULT;
void goban_comparison_free (GobanComparison *self);

/* In the order given. */
guint goban_comparison_get_n_runs (const GobanComparison *self);
GobanRun *goban_comparison_get_run (const GobanComparison *self, guint i);

/* Whether differences of the first two runs are between devices of the same name, or (at first)
 * exchangeable devices are matched. */
void goban_comparison_set_own_devices (GobanComparison *self, gboolean has_own_devices);
gboolean goban_comparison_has_own_devices (const GobanComparison *self);
/* The matching of the second run to the first, made on first use; %NULL with own devices or fewer
 * than two runs. Borrowed. */
GobanDeviceMatching *goban_comparison_get_matching (GobanComparison *self);

/* The best valid run, the first of equals; NULL if none is valid. */
GobanRun *goban_comparison_get_best (const GobanComparison *self);

/* One sentence: the distance from the bound, and whether one device does as well. (transfer
 * full) */
char *goban_comparison_get_verdict (const GobanComparison *self) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE if run i is invalid or more than @percent slower than run 0. */
gboolean goban_comparison_is_worse (const GobanComparison *self, guint i, double percent);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanComparison, goban_comparison_free)
