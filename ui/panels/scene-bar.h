/* scene-bar.h: scenes of the session as a side panel: steps between them, caption and edits. */
#pragma once

#include "engine/session/session-scenes.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_SCENE_BAR (goban_scene_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanSceneBar, goban_scene_bar, GOBAN, SCENE_BAR, GtkWidget)

GtkWidget *goban_scene_bar_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* The caption as typed, which may not be stored yet. */
const char *goban_scene_bar_get_text (GobanSceneBar *self);
/* Stores the caption of the current scene; without one it stays typed. */
void goban_scene_bar_store (GobanSceneBar *self);
void goban_scene_bar_grab_focus (GobanSceneBar *self);
