/* recent-menu.h: recently opened files: a submenu, the list of the start page, and their keys. */
#pragma once

#include "ui/frame/site.h"
#include "ui/panels/start-page.h"

#define GOBAN_TYPE_RECENT_MENU (goban_recent_menu_get_type ())
G_DECLARE_FINAL_TYPE (GobanRecentMenu, goban_recent_menu, GOBAN, RECENT_MENU, GObject)

GobanRecentMenu *goban_recent_menu_new (const GobanSite *site, GobanStartPage *start,
                                        GMenuModel *main_menu) G_GNUC_WARN_UNUSED_RESULT;

/* To be called when their number has changed. */
void goban_recent_menu_update (GobanRecentMenu *self);
