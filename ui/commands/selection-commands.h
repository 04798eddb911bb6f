/* selection-commands.h: commands that select nodes: all, neighbours, the next op, and walks along
 * edges. */
#pragma once

#include "ui/commands/decision-commands.h"
#include "ui/frame/site.h"
#include "ui/panels/inspector.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_SELECTION_COMMANDS (goban_selection_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanSelectionCommands, goban_selection_commands, GOBAN, SELECTION_COMMANDS,
                      GObject)

GobanSelectionCommands *
goban_selection_commands_new (const GobanSite *site, GobanDecisionCommands *decisions,
                              GobanInspector *inspector) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
