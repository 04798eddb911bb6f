/* decision-card.h: the decision of the shown moment, all options as bars; or those about the first
 * selected node so far.
 *
 * Follows the session;
 * its owner decides about its visibility.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/charts/decision-bars.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_DECISION_CARD (goban_decision_card_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionCard, goban_decision_card, GOBAN, DECISION_CARD, GtkWidget)

GtkWidget *goban_decision_card_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_decision_card_set_theme (GobanDecisionCard *self, GobanTheme theme);

/* The cards it shows and the node they are about; the signal "changed" says that they are others.
 * (element-type GobanMomentCard): borrowed; %NULL while it is hidden. */
const GPtrArray *goban_decision_card_get_cards (GobanDecisionCard *self, GobanNodeId *node);

/* Its content, borrowed until the next change: the bars, and the whole as text. */
const GobanDecisionBars *goban_decision_card_get_bars (GobanDecisionCard *self);
const char *goban_decision_card_get_text (GobanDecisionCard *self);

G_END_DECLS
