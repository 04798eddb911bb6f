/* header.h: header bar: the open document, the cluster, and the main commands. */
#pragma once

#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

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

/* --- the choice of the workspace--------------------------------- --- */

#define GOBAN_TYPE_WORKSPACE_SWITCHER (goban_workspace_switcher_get_type ())
G_DECLARE_FINAL_TYPE (GobanWorkspaceSwitcher, goban_workspace_switcher, GOBAN, WORKSPACE_SWITCHER,
                      GtkWidget)

GtkWidget *goban_workspace_switcher_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the name of that workspace on the menu button. */
void goban_workspace_switcher_set_current (GobanWorkspaceSwitcher *self, const char *workspace);

G_END_DECLS
