/* action-keys.h: shortcuts of commands (actions.h): for the application, a window and pictures. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void goban_actions_add_accels (GtkApplication *application);
/* Adds the `wide` keys, which are inactive while text is edited. */
void goban_actions_add_wide_keys (GtkWidget *window);
/* Adds the keys that are active while @picture has the focus. */
void goban_actions_add_keys (GtkWidget *picture);

G_END_DECLS
