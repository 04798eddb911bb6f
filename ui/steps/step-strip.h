/* step-strip.h: player of the decisions of the current run: buttons, levels, a slider, a
 * description.
 *
 * Changes only the view's moment and level; its owner decides about its visibility. Playback is
 * limited by its speed and by the time to make the plans.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/palette.h"
#include "ui/steps/decision-panel.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_STEP_STRIP (goban_step_strip_get_type ())
G_DECLARE_FINAL_TYPE (GobanStepStrip, goban_step_strip, GOBAN, STEP_STRIP, GtkWidget)

GtkWidget *goban_step_strip_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_step_strip_set_theme (GobanStepStrip *self, GobanTheme theme);

/* Whether the current run has decisions to walk through. */
gboolean goban_step_strip_has_steps (GobanStepStrip *self);
/* -2: the beginning, -1: the previous stop, 1: the next, 2: the last. Ends playback. */
void goban_step_strip_go (GobanStepStrip *self, int where);

/* Plays from the present stop to the last one; from the beginning if the present one is the last,
 * or none. */
void goban_step_strip_play (GobanStepStrip *self, gboolean is_playing);
gboolean goban_step_strip_is_playing (GobanStepStrip *self);
/* Stops a second, 1/4 to 16. */
double goban_step_strip_get_speed (GobanStepStrip *self);
void goban_step_strip_set_speed (GobanStepStrip *self, double speed);

/* Its text, borrowed; and its slider. */
const char *goban_step_strip_get_text (GobanStepStrip *self);
GtkWidget *goban_step_strip_get_slider (GobanStepStrip *self);

/* Shows or hides the options of the shown decision. */
void goban_step_strip_show_card (GobanStepStrip *self, gboolean is_shown);
GobanDecisionPanel *goban_step_strip_get_card (GobanStepStrip *self);

/* Opens the choice of a search that goes on from the shown moment. */
void goban_step_strip_ask_fork (GobanStepStrip *self);

G_END_DECLS
