/* graph-menu.h: the context menu of the nodes of a graph pane. */
#pragma once

#include "ui/widgets/picture.h"

G_BEGIN_DECLS

/* At a place, as GobanPictureClass.menu; the item there is selected first. */
void goban_graph_view_menu (GobanPicture *base, GobanPoint at);
/* Opened by a key: for the selection. */
void goban_graph_view_open_menu (GtkWidget *widget);

G_END_DECLS
