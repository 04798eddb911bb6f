/* session-scenes.h: the scenes of a session: shown in turn, and edited as undoable changes.
 *
 * A GObject of the main thread that belongs to a session. Scenes have numbers from 1; 0 stands for
 * none. Other numbers are refused with %GOBAN_ERROR_INVALID.
 *
 * Signal: "changed" (): another list, or another scene is shown.
 */
#pragma once

#include "engine/session/scenes.h"
#include "engine/session/session.h"
#include "engine/session/state.h"

#define GOBAN_TYPE_SESSION_SCENES (goban_session_scenes_get_type ())
G_DECLARE_FINAL_TYPE (GobanSessionScenes, goban_session_scenes, GOBAN, SESSION_SCENES, GObject)

/* The scenes of @session, which owns them. */
GobanSessionScenes *goban_session_scenes_of (GobanSession *session);

const GobanSceneList *goban_session_scenes_get_list (GobanSessionScenes *self);
/* The number of the scene that was shown last, 0 if there is none. */
guint goban_session_scenes_get_current (GobanSessionScenes *self);
/* The caption of that scene, "" without one. */
const char *goban_session_scenes_get_text (GobanSessionScenes *self);

/* Shows a scene: its plan, moment, step, colours, groups, place, selection and comparison, or
 * closes the comparison if the scene has none. A plan that is gone is said in a message, and the
 * rest is shown. */
gboolean goban_session_scenes_show (GobanSessionScenes *self, guint number, GError **error);

/* Adds the present view as scene @number, 0: after the current one, and makes it current. Returns
 * its number, 0 with @error set if no graph is open or there are too many. */
guint goban_session_scenes_add (GobanSessionScenes *self, guint number, const char *text,
                                GError **error);
/* Replaces all but the caption by the present view. */
gboolean goban_session_scenes_update (GobanSessionScenes *self, guint number, GError **error);
gboolean goban_session_scenes_set_text (GobanSessionScenes *self, guint number, const char *text,
                                        GError **error);
gboolean goban_session_scenes_move (GobanSessionScenes *self, guint number, guint to,
                                    GError **error);
/* If it is the current scene, shows the one that follows; if it is the last, the one before. */
gboolean goban_session_scenes_remove (GobanSessionScenes *self, guint number, GError **error);

/* The scenes of @list with their nodes as those of the open graph, which replaces @old. */
void goban_session_scenes_carry (GobanSessionScenes *self, const GobanSceneList *list,
                                 GobanGraph *old);
