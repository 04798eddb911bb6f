/* task-choice.h: check buttons for the decisions of GO: placement, scheduling, fusion; at least
 * one. */
#pragma once

#include "engine/machine/plan/task.h"
#include "engine/study/run/run.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_TASK_CHOICE (goban_task_choice_get_type ())
G_DECLARE_FINAL_TYPE (GobanTaskChoice, goban_task_choice, GOBAN, TASK_CHOICE, GtkBox)

/* Initially placement only. */
GobanTasks goban_task_choice_get (GobanTaskChoice *self);
void goban_task_choice_set (GobanTaskChoice *self, GobanTasks decisions);
