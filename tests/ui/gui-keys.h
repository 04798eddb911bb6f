/* gui-keys.h: keys as a keyboard sends them, by xdotool: they go where the focus is.
 *
 * gui_press() of gui.h calls one widget's controllers instead, and needs no program.
 */
#pragma once

#include "tests/ui/gui-window.h"

/* Gives @f's window the keyboard. FALSE if xdotool is not installed: the test is skipped. */
gboolean gui_keys_begin (GuiWindow *f);
/* A key as texts name it: "D", "Ctrl+Shift+P", "Enter", "Alt+.". FALSE if there is no such key. */
gboolean gui_keys_are (const char *name);
void gui_keys_press (GuiWindow *f, const char *name);
void gui_keys_type (GuiWindow *f, const char *text);
/* The accelerator of a named key: "<Control>p". (transfer full) (nullable) */
char *gui_keys_dup_accel (const char *name);
