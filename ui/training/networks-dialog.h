/* networks-dialog.h: dialog with the list of trained networks, to choose one for the Place menu.
 *
 * Signal: "use" (const char *file): the network was chosen. The dialog stays open and marks it.
 */
#pragma once

#include "engine/training/networks.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_NETWORKS_DIALOG (goban_networks_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanNetworksDialog, goban_networks_dialog, GOBAN, NETWORKS_DIALOG, GtkWindow)

/* @networks: (element-type GobanNetworkInfo): a reference is taken */
GtkWidget *goban_networks_dialog_new (GtkWindow *parent,
                                      GPtrArray *networks) G_GNUC_WARN_UNUSED_RESULT;

/* Marks the networks in use; @is_used answers whether one is. */
void goban_networks_dialog_mark (GobanNetworksDialog *self,
                                 gboolean (*is_used) (const GobanNetworkInfo *info,
                                                      gpointer user_data),
                                 gpointer user_data);

/* Selects the network at that place in the list, as a click does; emits "use" for it. */
void goban_networks_dialog_select (GobanNetworksDialog *self, guint i);
void goban_networks_dialog_use (GobanNetworksDialog *self);
/* What a cell says: columns from 0. (transfer full) */
char *goban_networks_dialog_dup_text (GobanNetworksDialog *self, guint column, guint i);

G_END_DECLS
