/* frame.h: the one container of the window's content, with slots around the board.
 *
 * Widgets are mounted once, for the workspaces that show them, and are never re-parented: cameras
 * survive a switch. Sizes and shown slots are remembered for each workspace. People drag the edges
 * of slots, or move them by arrow keys.
 *
 * Signal: "changed" (): workspace, sizes, shown or maximized slots have changed.
 *
 * Decision U65 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/view.h"
#include "ui/frame/frame-layout.h"

/* A set of workspaces. */
#define GOBAN_IN(workspace) (1u << (workspace))
#define GOBAN_IN_ALL (GOBAN_IN (GOBAN_N_WORKSPACES) - 1)

#define GOBAN_TYPE_FRAME (goban_frame_get_type ())
G_DECLARE_FINAL_TYPE (GobanFrame, goban_frame, GOBAN, FRAME, GtkWidget)

GtkWidget *goban_frame_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Appends @widget to a slot. It is shown in @workspaces, a set, while it is visible itself; a slot
 * without visible widgets takes no room. */
void goban_frame_mount (GobanFrame *self, GobanSlot slot, GtkWidget *widget, guint workspaces);

void goban_frame_set_workspace (GobanFrame *self, GobanWorkspace workspace);
GobanWorkspace goban_frame_get_workspace (GobanFrame *self);
/* Whether it has no room for all columns; "changed" tells when that changes. */
gboolean goban_frame_is_narrow (GobanFrame *self);
/* Whether it has room for more than is usually shown; likewise. */
gboolean goban_frame_is_wide (GobanFrame *self);

/* For the present workspace. */
void goban_frame_set_shown (GobanFrame *self, GobanSlot slot, gboolean is_shown);
gboolean goban_frame_get_shown (GobanFrame *self, GobanSlot slot);
/* Whether the slot takes room: it is shown and has a visible widget. */
gboolean goban_frame_is_open (GobanFrame *self, GobanSlot slot);
GdkRectangle goban_frame_get_area (GobanFrame *self, GobanSlot slot);

/* TRUE hides all that a talk does not need. */
void goban_frame_set_bare (GobanFrame *self, gboolean is_bare);

/* Heights of the time: in which all device bars are visible, with usual bars and all open rows, and
 * of these rows: in a wide frame bars grow by what rows leave. */
void goban_frame_set_bars (GobanFrame *self, int least, int usual, int rows);

/* The slot that @widget is in, or -1. */
int goban_frame_find_slot (GobanFrame *self, GtkWidget *widget);
/* Gives the next open slot after (or, with @by -1, before) that of @focus, (nullable), the
 * focus. */
void goban_frame_move_focus (GobanFrame *self, GtkWidget *focus, int by);
/* @slot: -1 for none. */
void goban_frame_maximize (GobanFrame *self, int slot);
int goban_frame_get_maximized (GobanFrame *self);

/* What people changed in a workspace, as "a{si}": "left" to its size, "left-shown" to 0 or 1. */
GVariant *goban_frame_dup_layout (GobanFrame *self,
                                  GobanWorkspace workspace) G_GNUC_WARN_UNUSED_RESULT;
/* @layout: an empty one has the usual sizes and slots. */
void goban_frame_set_layout (GobanFrame *self, GobanWorkspace workspace, GVariant *layout);
