/* race-bar.h: race of the compared plans: one clock plays the records of all of them.
 *
 * The clock is the share of decisions that each policy has made, so that a plan built in 32
 * decisions and one built in 313 begin and end together; seconds would compare implementations.
 * Makespans are hidden until the end, and people say who will win.
 *
 * Signal: "changed" (): other runs are to be shown.
 */
#pragma once

#include "engine/session/compare-set.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_RACE_BAR (goban_race_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanRaceBar, goban_race_bar, GOBAN, RACE_BAR, GtkWidget)

GtkWidget *goban_race_bar_new (GobanCompareSet *set) G_GNUC_WARN_UNUSED_RESULT;

/* Begins at no decision and plays, or ends the race. */
void goban_race_bar_race (GobanRaceBar *self, gboolean is_racing);
void goban_race_bar_play (GobanRaceBar *self, gboolean is_playing);
/* Plays or pauses. */
void goban_race_bar_toggle (GobanRaceBar *self);
/* @fraction: from 0 to 1, the end. */
void goban_race_bar_seek (GobanRaceBar *self, double fraction);
double goban_race_bar_get_fraction (GobanRaceBar *self);
/* Whether the runs of the clock are being made. */
gboolean goban_race_bar_is_busy (GobanRaceBar *self);

/* (nullable): the decided part of plan @i; %NULL without a race. Borrowed. */
GobanRun *goban_race_bar_get_run (GobanRaceBar *self, guint i);
