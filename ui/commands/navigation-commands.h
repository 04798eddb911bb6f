/* navigation-commands.h: visited places: back and forward, and numbered bookmarks. */
#pragma once

#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_NAVIGATION_COMMANDS (goban_navigation_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanNavigationCommands, goban_navigation_commands, GOBAN,
                      NAVIGATION_COMMANDS, GObject)

GobanNavigationCommands *
goban_navigation_commands_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
