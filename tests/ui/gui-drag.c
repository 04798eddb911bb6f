#include "tests/ui/gui-drag.h"
#include "ui/graph/graph-drag.h"

#include "engine/session/preview.h"
#include "ui/graph/graph-targets.h"

GobanPoint
gui_place_of_target (GobanGraphView *view, guint device)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (view));
  double x, y;

  gui_draw (GTK_WIDGET (view));
  g_assert_true (goban_graph_targets_locate (goban_graph_view_get_targets (view), GTK_WIDGET (view),
                                             device, &x, &y));
  return (GobanPoint){ x * scale, y * scale };
}

gboolean
gui_has_answer (gpointer data)
{
  GobanPreview *preview = goban_preview_of (((GuiWindow *) data)->session);

  return !goban_preview_is_busy (preview) && goban_preview_get_run (preview) != NULL;
}
