/* chosen-networks.h: trained networks that the user chose for policies, kept while the session
 * exists.
 *
 * The Place menu's policies use them; scripts name theirs. They are not saved in session files. Of
 * the main thread.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* @policies: NULL-terminated: all of them use the network in @file */
void goban_chosen_networks_set (GobanSession *session, const char *const *policies,
                                const char *file);
/* Every policy uses its own network again. */
void goban_chosen_networks_clear (GobanSession *session);

/* (nullable): the file of the network for a policy; %NULL: its own. Borrowed until it is set. */
const char *goban_chosen_networks_get (GobanSession *session, const char *policy);

G_END_DECLS
