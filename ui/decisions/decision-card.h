/* decision-card.h: the shown decision: what was decided and why, and a row for each option.
 *
 * Rows have the difference to the best option: by the policy's own measure, else of the makespans
 * of the plans that they lead to, as these are measured (option-times.h). An option under the
 * pointer, or aimed at by its digit, is previewed in all pictures; a click or Enter plays it.
 *
 * Signal: "changed" (): another decision is shown.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/moments/moment-card.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_DECISION_CARD (goban_decision_card_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionCard, goban_decision_card, GOBAN, DECISION_CARD, GtkWidget)

GtkWidget *goban_decision_card_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* The shown decision; borrowed until "changed", %NULL at the beginning and without a moment. */
const GobanMomentCard *goban_decision_card_get (GobanDecisionCard *self);
/* Its buttons stand below each other. */
void goban_decision_card_set_narrow (GobanDecisionCard *self, gboolean is_narrow);

/* Previews an option, -1: none. FALSE if there is none of that number, or it was refused. */
gboolean goban_decision_card_aim (GobanDecisionCard *self, int option);
/* Plays the option that is aimed at; FALSE without one. */
gboolean goban_decision_card_play (GobanDecisionCard *self);
/* Opens the choice of a search that goes on from the decision. */
void goban_decision_card_ask_play_on (GobanDecisionCard *self);

/* What a new decision says: "Decision 16 of 32: Mixed_6c · branch7x7 to gpu:1"; borrowed. */
const char *goban_decision_card_get_announcement (GobanDecisionCard *self);
