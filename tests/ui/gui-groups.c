#include "tests/ui/gui-groups.h"

void
gui_group_by (GuiWindow *f, const char *how)
{
  gui_act (f, "group", g_variant_new_string (how));
  gui_settle (f);
}

GobanBox
gui_locate_group (GuiWindow *f, const char *path, gboolean is_open)
{
  gboolean open = !is_open;
  GobanBox box = { 0 };

  g_assert_true (goban_graph_view_locate_group (gui_graph_view (f), path, &open, &box));
  g_assert_cmpint (open, ==, is_open);
  return box;
}

void
gui_click_graph (GuiWindow *f, GobanPoint at, int n_press)
{
  goban_picture_click (GOBAN_PICTURE (gui_graph_view (f)), at, n_press, 0);
}
