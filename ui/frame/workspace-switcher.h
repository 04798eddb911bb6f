/* workspace-switcher.h: choice of the workspace in the header: linked toggles, or a menu button where
 * these do not fit.
 *
 * Acts through the window's action "workspace".
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_WORKSPACE_SWITCHER (goban_workspace_switcher_get_type ())
G_DECLARE_FINAL_TYPE (GobanWorkspaceSwitcher, goban_workspace_switcher, GOBAN, WORKSPACE_SWITCHER,
                      GtkWidget)

GtkWidget *goban_workspace_switcher_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the name of that workspace on the menu button. */
void goban_workspace_switcher_set_current (GobanWorkspaceSwitcher *self, const char *workspace);

G_END_DECLS
