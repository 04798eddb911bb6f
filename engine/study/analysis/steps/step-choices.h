/* step-choices.h: steps that are choices, of policies that build their plans node by node. */
#pragma once

#include "engine/study/analysis/playback-state.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/selection.h"

G_BEGIN_DECLS

/* Why the run has no steps, if its policy says so; (nullable), static. */
const char *goban_steps_get_reason (GobanRun *run);

/* TRUE if the steps are choices, one node or group after another: nodes are undecided before. */
gboolean goban_steps_are_choices (GobanRun *run);

/* FALSE if the node is chosen for in a later step than @n. */
gboolean goban_steps_is_decided (GobanRun *run, guint n, GobanNodeId node);
/* states (n_nodes): a GobanNodeState of each node after step @n: done if it is decided, running if
 * it is decided in this step, else waiting. All are done if the steps are no choices. */
void goban_steps_compute_states (GobanRun *run, guint n, guint8 *states);
/* The nodes without a choice after step @n. (transfer full) */
GobanSelection *goban_steps_dup_undecided (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* The timeline of the policy's own schedule after @n choices: (n_nodes) ready_us is start_us; NAN
 * for undecided nodes. (transfer full) (nullable): %NULL if the policy has no schedule */
GobanOpSpan *goban_steps_dup_spans (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* Reason for the node's device after step @n: "step 3: gpu:1, finish 26 us; gpu:0: finish 29 us;
 * cpu: cannot run". (transfer full) (nullable): %NULL if it is undecided, or the steps are no
 * choices */
char *goban_steps_explain (GobanRun *run, guint n, GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
