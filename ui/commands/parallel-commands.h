/* parallel-commands.h: pipelines, copies of the model and collectives: dialogs, jobs, and the way
 * back from their graphs (engine/session/session-derived.h). */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PARALLEL_COMMANDS (goban_parallel_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanParallelCommands, goban_parallel_commands, GOBAN, PARALLEL_COMMANDS,
                      GObject)

GobanParallelCommands *
goban_parallel_commands_new (const GobanSite *site,
                             GobanFileChooser *chooser) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
