/* recovery-offers.h: autosave of the session, and offers to restore unsaved sessions. */
#pragma once

#include "ui/documents/files.h"
#include "ui/frame/header.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_RECOVERY_OFFERS (goban_recovery_offers_get_type ())
G_DECLARE_FINAL_TYPE (GobanRecoveryOffers, goban_recovery_offers, GOBAN, RECOVERY_OFFERS, GObject)

GobanRecoveryOffers *goban_recovery_offers_new (const GobanSite *site, GobanFiles *files,
                                                GobanHeader *header) G_GNUC_WARN_UNUSED_RESULT;

/* Looks for sessions that were not saved before the program ended. */
void goban_recovery_offers_look (GobanRecoveryOffers *self);
/* To be called when the preference has changed. */
void goban_recovery_offers_update (GobanRecoveryOffers *self);
/* To be called before the window closes. */
void goban_recovery_offers_close (GobanRecoveryOffers *self);

G_END_DECLS
