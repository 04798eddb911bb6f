/* decision-commands.h: commands for walking through a policy's decisions and playing on from
 * them. */
#pragma once

#include "ui/frame/explorer.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_DECISION_COMMANDS (goban_decision_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionCommands, goban_decision_commands, GOBAN, DECISION_COMMANDS,
                      GObject)

GobanDecisionCommands *
goban_decision_commands_new (const GobanSite *site, GobanExplorer *explorer,
                             GobanPictures *pictures) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the playback keys apply to the decisions, and not to the timeline. */
gboolean goban_decision_commands_are_meant (GobanDecisionCommands *self);
void goban_decision_commands_go (GobanDecisionCommands *self, int where);
void goban_decision_commands_speed_up (GobanDecisionCommands *self, double factor);
/* Ends playback or a preview, else leaves a decision that another workspace shows; %FALSE if there
 * was nothing to do. */
gboolean goban_decision_commands_calm (GobanDecisionCommands *self);

G_END_DECLS
