/* report.h: reports of graphs, runs and comparisons, as text and as JSON.
 *
 * The keys of the JSON are documented in the man page and stable. All functions return (transfer
 * full) text that ends in a newline. Numbers do not depend on the locale.
 */
#pragma once

#include "engine/study/analysis/bottlenecks.h"
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/difference/comparison.h"
#include "engine/study/analysis/difference/difference.h"

/* format, nodes, edges, ops, parameters, macs, work_us, critical_path_us, sources, warnings. Work
 * and critical path use the least times on the cluster of @costs. */
char *goban_report_info_json (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_info_text (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;

/* policy, valid, why, makespan_us, ratio_to_bound, proven_bound_us, peak_bytes[],
 * transferred_bytes, evaluations, seconds; graph, cluster, bound_us around them; and, with
 * @bottlenecks (nullable), bottlenecks[]. */
char *goban_report_run_json (GobanRun *run,
                             const GobanBottlenecks *bottlenecks) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_run_text (GobanRun *run,
                             const GobanBottlenecks *bottlenecks) G_GNUC_WARN_UNUSED_RESULT;

/* graph, cluster, bound_us, results[], verdict; with @why (nullable) also why: sentence, method,
 * renamed, bars[]. */
char *goban_report_comparison_json (GobanComparison *comparison,
                                    const GobanBreakdown *why) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_comparison_text (const GobanComparison *comparison) G_GNUC_WARN_UNUSED_RESULT;

/* The differences between two plans, by node, with a matrix of moves. */
char *goban_report_diff_text (const GobanDifference *difference) G_GNUC_WARN_UNUSED_RESULT;

/* Details of one node in one run (@run nullable), a "key value" line each. */
char *goban_report_node_text (GobanGraph *graph, GobanRun *run,
                              GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* A sentence that describes a run, for screen readers and captions. */
char *goban_report_run_sentence (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* --- lists of policies, families and suites --------------------------------------------------- */

/* name, blurb, about, source, effort, random, default_evaluations of every policy. */
char *goban_report_policies_json (void) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_policies_text (void) G_GNUC_WARN_UNUSED_RESULT;

/* The same of one; (nullable): %NULL with %GOBAN_ERROR_INVALID set for an unknown name. */
char *goban_report_policy_json (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_policy_text (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* name, blurb, source, knobs[] of every family of generated graphs. */
char *goban_report_families_json (void) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_families_text (void) G_GNUC_WARN_UNUSED_RESULT;

/* The installed suites, and their graphs. */
char *goban_report_suites_json (void) G_GNUC_WARN_UNUSED_RESULT;
char *goban_report_suites_text (void) G_GNUC_WARN_UNUSED_RESULT;
