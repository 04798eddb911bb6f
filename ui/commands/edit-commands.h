/* edit-commands.h: changes of the selection and of the history by keys and menus. */
#pragma once

#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_EDIT_COMMANDS (goban_edit_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanEditCommands, goban_edit_commands, GOBAN, EDIT_COMMANDS, GObject)

GobanEditCommands *goban_edit_commands_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
