/* header.h: header bar: the open document, the cluster, and the main commands. */
#pragma once

#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

#define GOBAN_TYPE_HEADER (goban_header_get_type ())
G_DECLARE_FINAL_TYPE (GobanHeader, goban_header, GOBAN, HEADER, GObject)

GobanHeader *goban_header_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

GtkWidget *goban_header_get_widget (GobanHeader *self);
/* For the toolbar of the time: the choice of the devices. */
GtkWidget *goban_header_get_cluster_button (GobanHeader *self);
GMenuModel *goban_header_get_menu (GobanHeader *self);
/* The pictures that get the focus once a policy is chosen; borrowed. */
void goban_header_set_pictures (GobanHeader *self, GobanPictures *pictures);
/* Shows the title of the open document. */
void goban_header_update (GobanHeader *self);
/* Updates undo and redo. */
void goban_header_update_history (GobanHeader *self);
/* The names of the document and its plan need the room of other parts in a narrow window. */
void goban_header_set_narrow (GobanHeader *self, gboolean is_narrow);
