/* scene-commands.h: commands on the scenes of the session. */
#pragma once

#include "ui/frame/site.h"
#include "ui/panels/scene-bar.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_SCENE_COMMANDS (goban_scene_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanSceneCommands, goban_scene_commands, GOBAN, SCENE_COMMANDS, GObject)

/* @bar: shows the scenes; borrowed. */
GobanSceneCommands *goban_scene_commands_new (const GobanSite *site,
                                              GobanSceneBar *bar) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
