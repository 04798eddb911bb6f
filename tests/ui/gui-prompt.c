#include "tests/ui/gui-prompt.h"

#include "app/lua/lua-console.h"

#include <gtksourceview/gtksource.h>
#include <string.h>

gboolean
gui_prompt_is_done (gpointer data)
{
  return !goban_console_view_is_running (((GuiPrompt *) data)->console);
}

static gboolean
has_printed (gpointer data)
{
  GuiPrompt *self = data;
  g_autofree char *text
      = goban_console_output_dup_text (goban_console_view_get_output (self->console));

  return strstr (text, self->words) != NULL;
}

void
gui_prompt_wait (GuiPrompt *self, const char *words)
{
  g_autofree char *what = g_strdup_printf ("the console says “%s”", words);

  self->words = words;
  gui_wait (has_printed, self, what);
}

void
gui_prompt_type (GuiPrompt *self, const char *line)
{
  gtk_widget_grab_focus (self->input);
  g_signal_emit_by_name (self->input, "insert-at-cursor", line);
  gui_press (self->input, GDK_KEY_Return, 0);
}

GuiPrompt
gui_prompt_open (GuiWindow *f)
{
  g_autoptr (GobanLuaConsole) lua = NULL;
  GuiPrompt self = { .window = f };

  gui_open_toy (f);
  lua = goban_lua_console_new (f->session);
  goban_window_set_evaluator (f->window, GOBAN_CONSOLE_EVALUATOR (lua));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "console-pane",
                                      g_variant_new_boolean (TRUE));
  gui_draw (GTK_WIDGET (f->window));
  self.console = GOBAN_CONSOLE_VIEW (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW));
  self.input = gui_find (GTK_WIDGET (self.console), GTK_SOURCE_TYPE_VIEW);
  g_assert_nonnull (self.input);
  return self;
}
