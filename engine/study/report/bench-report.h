/* bench-report.h: formatting of a bench's rows: tables as text, JSON and CSV.
 *
 * @rows (element-type GobanBenchRow): at least one, all of one bench. All return (transfer full)
 * text that ends in a newline; numbers follow no locale.
 */
#pragma once

#include "engine/study/bench/bench.h"

/* A table per metric, a row per graph, a column per policy. */
char *goban_bench_to_text (const GPtrArray *rows) G_GNUC_WARN_UNUSED_RESULT;

/* suite, task, policies[], seeds[], graphs[] with results[], means[]. */
char *goban_bench_to_json (const GPtrArray *rows) G_GNUC_WARN_UNUSED_RESULT;

/* A line per graph, policy and seed, under a line of names. */
char *goban_bench_to_csv (const GPtrArray *rows) G_GNUC_WARN_UNUSED_RESULT;
