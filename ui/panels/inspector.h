/* inspector.h: inspector pane: details of the graph and plan, of one node, or of many.
 *
 * Decision U8 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"
#include "ui/widgets/time-shares-view.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_INSPECTOR (goban_inspector_get_type ())
G_DECLARE_FINAL_TYPE (GobanInspector, goban_inspector, GOBAN, INSPECTOR, GtkWidget)

GtkWidget *goban_inspector_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* All rows as lines of text, with a tab between key and value; and the Lua expression of the
 * selection: g, g:node "a", g:nodes{"a", "b"}. (transfer full) */
char *goban_inspector_dup_text (GobanInspector *self) G_GNUC_WARN_UNUSED_RESULT;
char *goban_inspector_dup_lua (GobanInspector *self) G_GNUC_WARN_UNUSED_RESULT;
