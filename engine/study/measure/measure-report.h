/* measure-report.h: reports of a measurement, as text, JSON and files that can be kept.
 *
 * Numbers do not depend on the locale. All texts are (transfer full) and end in a newline.
 */
#pragma once

#include "engine/study/measure/measurement.h"

/* Time of the model on one core, time of a hand-over, and a table of the plans: predicted and
 * measured. */
char *goban_measure_report_text (const GobanMeasurer *measurer) G_GNUC_WARN_UNUSED_RESULT;

/* graph, cluster, runtime, provisional, note, load, single{}, hand_over{latency_us, bytes_per_us,
 * probes[]}, plans[{name, predicted_us, measured_us, low_us, high_us, error, op_error,
 * inside_share, segments, hand_overs, runs}], pairs, pairs_in_order. */
char *goban_measure_report_json (const GobanMeasurer *measurer) G_GNUC_WARN_UNUSED_RESULT;

/* A row per plan, predicted and measured, for a scatter plot. */
char *goban_measure_report_csv (const GobanMeasurer *measurer) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_measure_save:
 * @folder: made if it does not exist
 *
 * Writes cluster.json and costs.json, which the simulator reads; plans.csv; measurement.json; and
 * for each plan NAME.plan.json, NAME.measured.json (the recorded run), NAME.overlay.json (measured
 * and predicted, for Perfetto) and NAME.ops.csv.
 */
gboolean goban_measure_save (const GobanMeasurer *measurer, const char *folder, GError **error);
