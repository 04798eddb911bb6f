/* action-keys.h: shortcuts of commands (actions.h): for the application, a window and pictures. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void goban_actions_add_accels (GtkApplication *application);
/* Adds the `wide` keys, which are inactive while text is edited. */
void goban_actions_add_wide_keys (GtkWidget *window);
/* Adds the keys that are active while @picture has the focus. */
void goban_actions_add_keys (GtkWidget *picture);
/* Adds those of them that are characters: letters, digits and signs. Others, such as arrows, keep
 * their meaning for @pane. */
void goban_actions_add_character_keys (GtkWidget *pane);

G_END_DECLS
