/* decision-player.h: player of the decisions of the current run: buttons, levels, a slider, a
 * description.
 *
 * Changes only the view's moment and level; its owner decides about its visibility. Playback is
 * limited by its speed and by the time to make the plans.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/decisions/decision-card.h"
#include "ui/draw/palette.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_DECISION_PLAYER (goban_decision_player_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionPlayer, goban_decision_player, GOBAN, DECISION_PLAYER, GtkWidget)

GtkWidget *goban_decision_player_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_decision_player_set_theme (GobanDecisionPlayer *self, GobanTheme theme);

/* Whether the current run has decisions to walk through. */
gboolean goban_decision_player_has_steps (GobanDecisionPlayer *self);
/* -2: the beginning, -1: the previous stop, 1: the next, 2: the last. Ends playback. */
void goban_decision_player_go (GobanDecisionPlayer *self, int where);

/* Plays from the present stop to the last one; from the beginning if the present one is the last,
 * or none. */
void goban_decision_player_play (GobanDecisionPlayer *self, gboolean is_playing);
gboolean goban_decision_player_is_playing (GobanDecisionPlayer *self);
/* Stops a second, 1/4 to 16. */
double goban_decision_player_get_speed (GobanDecisionPlayer *self);
void goban_decision_player_set_speed (GobanDecisionPlayer *self, double speed);

/* Its text, borrowed; and its slider. */
const char *goban_decision_player_get_text (GobanDecisionPlayer *self);
GtkWidget *goban_decision_player_get_slider (GobanDecisionPlayer *self);

/* Shows or hides the options of the shown decision. */
void goban_decision_player_show_card (GobanDecisionPlayer *self, gboolean is_shown);
GobanDecisionCard *goban_decision_player_get_card (GobanDecisionPlayer *self);

/* Opens the choice of a search that goes on from the shown moment. */
void goban_decision_player_ask_fork (GobanDecisionPlayer *self);

G_END_DECLS
