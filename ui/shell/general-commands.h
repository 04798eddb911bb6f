/* general-commands.h: commands of any program: shortcuts, about, full screen, close and quit. */
#pragma once

#include "ui/frame/site.h"
#include "ui/panels/command-palette.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_GENERAL_COMMANDS (goban_general_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanGeneralCommands, goban_general_commands, GOBAN, GENERAL_COMMANDS,
                      GObject)

GobanGeneralCommands *
goban_general_commands_new (const GobanSite *site,
                            GobanCommandPalette *palette) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
