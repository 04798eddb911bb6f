/* drawing.h: commands that draw a small graph on the board: a new one, ops, edges, deleting.
 *
 * The board's signal "connect" and double clicks ask for the same.
 */
#pragma once

#include "ui/frame/site.h"
#include "ui/graph/graph-view.h"

#define GOBAN_TYPE_DRAWING_COMMANDS (goban_drawing_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanDrawingCommands, goban_drawing_commands, GOBAN, DRAWING_COMMANDS,
                      GObject)

GobanDrawingCommands *goban_drawing_commands_new (const GobanSite *site,
                                                  GobanGraphView *graph) G_GNUC_WARN_UNUSED_RESULT;
