/* gui-prompt.h: the console of a test window with the real Lua, and typing into it. */
#pragma once

#include "tests/ui/gui-window.h"

#include "ui/console/console-view.h"

typedef struct
{
  GuiWindow *window;
  GobanConsoleView *console;
  GtkWidget *input;
  const char *words; /* waited for in the output */
} GuiPrompt;

/* Opens the toy graph and the console's pane. */
GuiPrompt gui_prompt_open (GuiWindow *f);

void gui_prompt_type (GuiPrompt *self, const char *line);

/* Until the output has @words. */
void gui_prompt_wait (GuiPrompt *self, const char *words);

/* For gui_wait(), with a GuiPrompt: no line is running. */
gboolean gui_prompt_is_done (gpointer data);
