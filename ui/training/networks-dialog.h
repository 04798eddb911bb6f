/* networks-dialog.h: dialog with the list of trained networks, to choose one for the Place menu.
 *
 * The list comes when a worker has read the files.
 *
 * Signal: "use" (const char *file): the network was chosen. The dialog stays open and marks it.
 */
#pragma once

#include "engine/study/training/networks.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_NETWORKS_DIALOG (goban_networks_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanNetworksDialog, goban_networks_dialog, GOBAN, NETWORKS_DIALOG, GtkWindow)

/* @folders: as of goban_networks_list() */
GtkWidget *goban_networks_dialog_new (GtkWindow *parent,
                                      const char *const *folders) G_GNUC_WARN_UNUSED_RESULT;

/* Marks the networks in use, also when they come; @is_used answers whether one is. @user_data must
 * outlive the dialog. */
void goban_networks_dialog_mark (GobanNetworksDialog *self,
                                 gboolean (*is_used) (const GobanNetworkInfo *info,
                                                      gpointer user_data),
                                 gpointer user_data);

/* Emits "use" for the selected network. */
void goban_networks_dialog_use (GobanNetworksDialog *self);
/* (nullable): of the selected row; borrowed. */
const GobanNetworkInfo *goban_networks_dialog_get_selected (GobanNetworksDialog *self);
/* Text of a cell: columns from 0. (transfer full) */
char *goban_networks_dialog_dup_text (GobanNetworksDialog *self, guint column, guint i);
