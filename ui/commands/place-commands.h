/* place-commands.h: visited places: back and forward, and numbered bookmarks. */
#pragma once

#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PLACE_COMMANDS (goban_place_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanPlaceCommands, goban_place_commands, GOBAN, PLACE_COMMANDS, GObject)

GobanPlaceCommands *goban_place_commands_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
