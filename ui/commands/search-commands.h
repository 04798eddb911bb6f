/* search-commands.h: search for nodes: its bar, commands and matches. */
#pragma once

#include "ui/commands/time-commands.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"
#include "ui/panels/search-bar.h"
#include "ui/table/node-table.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_SEARCH_COMMANDS (goban_search_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanSearchCommands, goban_search_commands, GOBAN, SEARCH_COMMANDS, GObject)

GobanSearchCommands *goban_search_commands_new (const GobanSite *site, GobanSearchBar *bar,
                                                GobanPictures *pictures, GobanNodeTable *table,
                                                GobanTimeCommands *time) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
