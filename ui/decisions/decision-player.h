/* decision-player.h: player of the decisions of the current run: buttons, speed, and sliders over
 * its plans and over the decisions of the shown plan.
 *
 * Changes only the view's moment; its owner decides about its visibility. While it is on the screen
 * a moment is shown. Playback is limited by its speed and by the time to make the plans.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_DECISION_PLAYER (goban_decision_player_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionPlayer, goban_decision_player, GOBAN, DECISION_PLAYER, GtkWidget)

GtkWidget *goban_decision_player_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the current run has decisions to walk through. */
gboolean goban_decision_player_has_decisions (GobanDecisionPlayer *self);
/* -2: the beginning, -1: the previous decision, 1: the next, 2: the last. Ends playback. */
void goban_decision_player_go (GobanDecisionPlayer *self, int where);
/* The first decision of the plan @by further; of one plan the next decision. */
void goban_decision_player_go_plan (GobanDecisionPlayer *self, int by);

/* Plays from the present decision to the last one; from the beginning if the present one is the
 * last, or none. */
void goban_decision_player_play (GobanDecisionPlayer *self, gboolean is_playing);
gboolean goban_decision_player_is_playing (GobanDecisionPlayer *self);
/* Decisions a second, 1/4 to 16. */
double goban_decision_player_get_speed (GobanDecisionPlayer *self);
void goban_decision_player_set_speed (GobanDecisionPlayer *self, double speed);

/* The slider over plans, or over decisions; borrowed. */
GtkWidget *goban_decision_player_get_slider (GobanDecisionPlayer *self, gboolean is_of_plans);
