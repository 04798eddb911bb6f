/* share-list.h: list of the shares of a difference (engine/session/attribution.h), largest first.
 *
 * Each row has the share, a bar, its cause, the number of nodes, and a button that tries the plan
 * without the change. Choosing a row selects its nodes. Shares are computed while the list is
 * visible; the search can be stopped and restarted.
 */
#pragma once

#include "engine/session/attributor.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_SHARE_LIST (goban_share_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanShareList, goban_share_list, GOBAN, SHARE_LIST, GtkWidget)

GtkWidget *goban_share_list_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Both (nullable). Shares already found for the same two runs are kept. */
void goban_share_list_set_runs (GobanShareList *self, GobanRun *before, GobanRun *after);

GobanAttributor *goban_share_list_get_attributor (GobanShareList *self);
/* Tries the plan without the i-th share, like its button. */
void goban_share_list_try (GobanShareList *self, guint i);

G_END_DECLS
