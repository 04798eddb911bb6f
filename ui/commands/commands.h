/* commands.h: handlers of the window's commands, but for those on files. */
#pragma once

#include "ui/documents/files.h"
#include "ui/frame/body.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/panels/scene-bar.h"
#include "ui/panels/search-bar.h"

#define GOBAN_TYPE_COMMANDS (goban_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanCommands, goban_commands, GOBAN, COMMANDS, GObject)

/* Handles navigation alone; to be made before anything that moves a camera when the selection
 * changes. */
GobanCommands *goban_commands_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

/* Parts of the window that commands work on; borrowed. */
typedef struct
{
  GobanBody *body;
  GobanSearchBar *search_bar;
  GobanSceneBar *scene_bar;
  GobanLessonPane *lesson_pane;
  GobanFileChooser *chooser;
  GobanFiles *files;
} GobanCommandParts;
/* Handles all others. */
void goban_commands_connect (GobanCommands *self, const GobanCommandParts *parts);

/* Writes the film of the shown training as a file, and logs its Lua line; nothing without one, or
 * while another is written. */
void goban_commands_film_training (GobanCommands *self, const char *path);
