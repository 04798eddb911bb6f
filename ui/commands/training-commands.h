/* training-commands.h: trainings of the window: the dialog that starts one, its pane, and placing
 * with the trained network.
 */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/frame/lower-pane.h"
#include "ui/frame/pictures.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TRAINING_COMMANDS (goban_training_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingCommands, goban_training_commands, GOBAN, TRAINING_COMMANDS,
                      GObject)

GobanTrainingCommands *
goban_training_commands_new (const GobanSite *site, GobanLowerPane *lower, GobanPictures *pictures,
                             GobanFileChooser *chooser) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the film of the shown training as a file, and logs its Lua line; nothing without one, or
 * while another is written. */
void goban_training_commands_film (GobanTrainingCommands *self, const char *path);

G_END_DECLS
