/* decision-words.h: numbers and words of decisions as card and record show them.
 *
 * All texts are (transfer full), "" if there is nothing to say.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/cost-model.h"

/* "49 %", "0.1 %", "< 0.1 %" */
char *goban_percent_describe (double share) G_GNUC_WARN_UNUSED_RESULT;
/* "19.0 µs": always with a fraction, so that numbers below each other compare. */
char *goban_span_describe (double time_us) G_GNUC_WARN_UNUSED_RESULT;

/* Difference of an option's score to the best allowed one, above 0 if worse; NAN without a measure
 * of the policy's own that orders options, such as probabilities. */
double goban_decision_get_difference (const GobanDecision *decision, guint32 option);
/* A difference by the policy's own measure, or of makespans: "+19.0 µs", "★ best". */
char *goban_loss_describe (GobanScoreKind kind, double difference) G_GNUC_WARN_UNUSED_RESULT;
/* Heading of such differences: "later than the best". Static. */
const char *goban_loss_get_heading (GobanScoreKind kind);
