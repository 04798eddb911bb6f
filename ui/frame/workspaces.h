/* workspaces.h: commands on the window's frame: workspaces, shown panes, the drawer, the maximized
 * pane, and what is remembered of them.
 *
 * The compare set is open while the workspace Compare is shown.
 *
 * Signal: "changed" (): workspace, shown panes or sizes have changed.
 */
#pragma once

#include "ui/frame/frame.h"
#include "ui/frame/lower-pane.h"
#include "ui/frame/pictures.h"

#define GOBAN_TYPE_WORKSPACES (goban_workspaces_get_type ())
G_DECLARE_FINAL_TYPE (GobanWorkspaces, goban_workspaces, GOBAN, WORKSPACES, GObject)

GobanWorkspaces *goban_workspaces_new (const GobanSite *site, GobanFrame *frame,
                                       GobanLowerPane *lower,
                                       GobanPictures *pictures) G_GNUC_WARN_UNUSED_RESULT;

/* Sizes and shown slots of all workspaces. */
void goban_workspaces_restore (GobanWorkspaces *self, GobanSettings *settings);
void goban_workspaces_remember (GobanWorkspaces *self, GobanSettings *settings);
