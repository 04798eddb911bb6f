/* option-times.h: makespans of the plans that the options of a decision lead to, measured in a
 * worker.
 *
 * A GObject of the main thread, one for each session. It measures the decisions of the session's
 * current run: the one that is asked for once nothing else has been asked for a while, and all of
 * a review. The results of the last runs are kept. A new question ends the measurement of the one
 * before it, and a review goes on after it.
 *
 * Signals: "changed" (guint moment): a result has come, or with 0, all are those of another run.
 * "progress" (): a review has gone on, or has ended.
 */
#pragma once

#include "engine/session/session.h"

#define GOBAN_TYPE_OPTION_TIMES (goban_option_times_get_type ())
G_DECLARE_FINAL_TYPE (GobanOptionTimes, goban_option_times, GOBAN, OPTION_TIMES, GObject)

/* The session's; borrowed. */
GobanOptionTimes *goban_option_times_of (GobanSession *session);

/* Asks for a decision of the current run; 0: for none. */
void goban_option_times_ask (GobanOptionTimes *self, GobanMoment moment);

/* (n): goban_regret_measure() of each option so far; NAN: not known. Borrowed until "changed";
 * (nullable): nothing is known. */
const double *goban_option_times_peek (GobanOptionTimes *self, GobanMoment moment, guint *n);
/* Loss of the option that was taken against the best of those known; NAN unless all are known. */
double goban_option_times_get_loss_us (GobanOptionTimes *self, GobanMoment moment);
/* (nullable): why the decisions of the current run cannot be measured. */
const char *goban_option_times_get_trouble (GobanOptionTimes *self);

/* Measures all decisions of @moments (of GobanMoment, copied) that are not known, in this order. */
void goban_option_times_review (GobanOptionTimes *self, const GArray *moments);
void goban_option_times_stop (GobanOptionTimes *self);
gboolean goban_option_times_is_reviewing (GobanOptionTimes *self);
/* 0 .. 1 */
double goban_option_times_get_fraction (GobanOptionTimes *self);
