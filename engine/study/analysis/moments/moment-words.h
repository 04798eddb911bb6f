/* moment-words.h: moments of a record (engine/decisions/decisions.h) in words.
 *
 * @costs are those of the run, or of the policy that is running if @decisions is a snapshot of
 * its record. Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/cost-model.h"

typedef enum
{
  GOBAN_TITLE_WHOLE, /* "Mixed_6c · branch7x7", "Mixed_5c/branch1x1/relu" */
  GOBAN_TITLE_SHORT, /* "Mixed_6c branch7x7", "Mixed_6c · 12 ops", "branch1x1/relu", "fc +2" */
} GobanTitleStyle;

/* Also "Groups of ops" and "Move of 5 ops". O(nodes of the decision). (transfer full) */
char *goban_moment_dup_title (const GobanCostModel *costs, const GobanDecisions *decisions,
                              const GobanDecision *decision,
                              GobanTitleStyle style) G_GNUC_WARN_UNUSED_RESULT;

/* The outermost scope of the name of a node: "Mixed_6c"; the name itself without one. Length in
 * bytes of that beginning of the name. */
gsize goban_node_get_module_length (const char *name);

/* "conv1 to gpu:1, finish 26 µs", "row 164 (31 ops) to gpu:1, probability 0.31, sampled", "move of
 * 7 ops to gpu:2, 612 → 598 ms, taken", "the beginning". (transfer full) */
char *goban_moment_describe (const GobanCostModel *costs, const GobanDecisions *decisions,
                             GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* Reason for the choice in one sentence without a final dot, as far as the record and the costs
 * prove it: "gpu:2 finishes 19 µs earlier than gpu:0, because the input from conv1 is there".
 * (transfer full) (nullable): %NULL if neither says why */
char *goban_moment_explain (const GobanCostModel *costs, const GobanDecisions *decisions,
                            GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* The name of an option: "gpu:1", "level 7", "move 3", "64 groups". @costs: (nullable): without
 * them, the name of a rule in files, or %NULL of other options. (transfer full) (nullable) */
char *goban_option_dup_name (const GobanCostModel *costs, const GobanDecision *decision,
                             guint32 option) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE if the policy refused it. */
gboolean goban_option_is_allowed (const GobanDecision *decision, guint32 option);
/* A node's choice in a task: "gpu:1", "level 7"; %NULL if it is undecided. (transfer full)
 * (nullable) */
char *goban_choice_dup_name (const GobanCostModel *costs, GobanTask task,
                             guint32 choice) G_GNUC_WARN_UNUSED_RESULT;

/* "finish", "probability"; "" of GOBAN_SCORE_NONE. Translated. */
const char *goban_score_get_word (GobanScoreKind kind);
/* The same for files: "finish_us", "probability"; NULL of GOBAN_SCORE_NONE. */
const char *goban_score_get_name (GobanScoreKind kind);
/* The value of a score with its unit: "26 µs", "3 GB", "0.31", "< 0.001". (transfer full) */
char *goban_score_describe (GobanScoreKind kind, double score) G_GNUC_WARN_UNUSED_RESULT;
