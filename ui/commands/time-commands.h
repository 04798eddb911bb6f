/* time-commands.h: commands of the timeline: playback, reasons, lanes and marks. */
#pragma once

#include "ui/commands/decision-commands.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TIME_COMMANDS (goban_time_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimeCommands, goban_time_commands, GOBAN, TIME_COMMANDS, GObject)

GobanTimeCommands *
goban_time_commands_new (const GobanSite *site, GobanTimelineView *timeline,
                         GobanDecisionCommands *decisions) G_GNUC_WARN_UNUSED_RESULT;

/* Ends playback, else removes all that is drawn over the lanes, else leaves the moment. %FALSE if
 * there was none of them. */
gboolean goban_time_commands_calm (GobanTimeCommands *self);

G_END_DECLS
