/* view-commands.h: commands for groups, layout and colours of the graph. */
#pragma once

#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_VIEW_COMMANDS (goban_view_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanViewCommands, goban_view_commands, GOBAN, VIEW_COMMANDS, GObject)

GobanViewCommands *goban_view_commands_new (const GobanSite *site,
                                            GobanPictures *pictures) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
