#include "ui/graph/graph-menu.h"

#include "engine/session/session-marks.h"
#include "ui/graph/graph-view-private.h"
#include "ui/widgets/context-menu.h"

/* Commands for the selection, or for the whole graph if nothing is selected. */
static void
open_menu (GobanGraphView *self, GdkRectangle at)
{
  static const char *const of_nodes[]
      = { "zoom-selection", "open-group", "close-group", "",         "device-key", "fuse", "pin",
          "hide",           "",           "copy-text",   "copy-lua", NULL };
  static const char *const of_graph[]
      = { "fit", "close-groups", "unhide", "select-all", "", "scene-add", "export-graph", NULL };
  guint n;

  goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  goban_context_menu_open (GTK_WIDGET (self), n > 0 ? of_nodes : of_graph, &at);
}

/* An item that is not selected is selected first. */
void
goban_graph_view_menu (GobanPicture *base, GobanPoint at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanSelection) rest = NULL;
  guint n, n_rest;

  if (self->plots.plot == NULL)
    return;
  nodes = goban_graph_view_dup_hit_nodes (self, goban_graph_view_hit (self, at));
  goban_selection_get_ids (nodes, &n);
  rest = goban_selection_difference (nodes, goban_session_get_selection (self->session));
  goban_selection_get_ids (rest, &n_rest);
  if (n == 0 || n_rest > 0)
    goban_session_set_selection (self->session, nodes);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  open_menu (self, (GdkRectangle){ (int) (at.x / scale), (int) (at.y / scale), 1, 1 });
}

void
goban_graph_view_open_menu (GtkWidget *widget)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);

  if (self->plots.plot != NULL)
    open_menu (self, (GdkRectangle){ gtk_widget_get_width (widget) / 2,
                                     gtk_widget_get_height (widget) / 2, 1, 1 });
}
