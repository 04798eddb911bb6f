/* share-list.h: what a difference comes from, largest first, as it is found.
 *
 * A row a share: how much, a bar, of what, how many nodes, and a button that tries the plan without it. Choosing a row selects its
 * nodes. Shares are looked for while the list is seen; they can be stopped and gone on with from the start.
 */
#pragma once

#include "engine/session/attributor.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_SHARE_LIST (goban_share_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanShareList, goban_share_list, GOBAN, SHARE_LIST, GtkWidget)

GtkWidget *goban_share_list_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Both (nullable). What is known of the same two stays. */
void goban_share_list_set_runs (GobanShareList *self, GobanRun *before, GobanRun *after);

GobanAttributor *goban_share_list_get_attributor (GobanShareList *self);
/* Takes the i-th share back, as its button does. */
void goban_share_list_try (GobanShareList *self, guint i);

G_END_DECLS
