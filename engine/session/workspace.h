/* workspace.h: workspaces of the window, each with panes of its own around the graph. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GOBAN_WORKSPACE_EXPLORE,
  GOBAN_WORKSPACE_DECISIONS,
  GOBAN_WORKSPACE_COMPARE,
  GOBAN_WORKSPACE_TRAIN,
  GOBAN_WORKSPACE_SCRIPT,
  GOBAN_N_WORKSPACES
} GobanWorkspace;

/* "explore", "decisions", …, and back; FALSE: there is no such workspace. */
const char *goban_workspace_name (GobanWorkspace workspace);
gboolean goban_workspace_find (const char *name, GobanWorkspace *workspace);

G_END_DECLS
