/* decision-panel.h: the decision of the shown moment, all options as bars; or those about the first
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

#define GOBAN_TYPE_DECISION_PANEL (goban_decision_panel_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionPanel, goban_decision_panel, GOBAN, DECISION_PANEL, GtkWidget)

GtkWidget *goban_decision_panel_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_decision_panel_set_theme (GobanDecisionPanel *self, GobanTheme theme);

/* The cards it shows and the node they are about; the signal "changed" says that they are others.
 * (element-type GobanMomentCard): borrowed; %NULL while it is hidden. */
const GPtrArray *goban_decision_panel_get_cards (GobanDecisionPanel *self, GobanNodeId *node);

/* Its content, borrowed until the next change: the bars, and the whole as text. */
const GobanDecisionBars *goban_decision_panel_get_bars (GobanDecisionPanel *self);
const char *goban_decision_panel_get_text (GobanDecisionPanel *self);

G_END_DECLS
