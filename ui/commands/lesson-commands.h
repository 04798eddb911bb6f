/* lesson-commands.h: commands of lessons and challenges, and the pane that shows them. */
#pragma once

#include "ui/documents/replacing.h"
#include "ui/frame/site.h"
#include "ui/lessons/lesson-pane.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_LESSON_COMMANDS (goban_lesson_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanLessonCommands, goban_lesson_commands, GOBAN, LESSON_COMMANDS, GObject)

GobanLessonCommands *
goban_lesson_commands_new (const GobanSite *site, GobanLessonPane *pane,
                           GobanReplacing *replacing) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
