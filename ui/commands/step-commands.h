/* step-commands.h: commands for the decision steps of a policy. */
#pragma once

#include "ui/decisions/decision-player.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_STEP_COMMANDS (goban_step_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanStepCommands, goban_step_commands, GOBAN, STEP_COMMANDS, GObject)

GobanStepCommands *goban_step_commands_new (const GobanSite *site, GobanDecisionPlayer *strip,
                                            GobanPictures *pictures) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the playback keys apply to the decision steps, and not to the timeline. */
gboolean goban_step_commands_are_meant (GobanStepCommands *self);
/* The same, and a step is shown. */
gboolean goban_step_commands_show (GobanStepCommands *self);
void goban_step_commands_go (GobanStepCommands *self, int where);
void goban_step_commands_speed_up (GobanStepCommands *self, double factor);
/* Ends playback, else leaves the step; %FALSE if there was nothing to do. */
gboolean goban_step_commands_calm (GobanStepCommands *self);

G_END_DECLS
