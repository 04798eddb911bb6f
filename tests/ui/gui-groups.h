/* gui-groups.h: groups of the graph in a window, chosen and looked for. */
#pragma once

#include "tests/ui/gui-window.h"

/* As the menu's choice @how does. */
void gui_group_by (GuiWindow *f, const char *how);

/* Where the group is, which is open or is not. */
GobanBox gui_locate_group (GuiWindow *f, const char *path, gboolean is_open);
void gui_click_graph (GuiWindow *f, GobanPoint at, int n_press);
