#include "engine/session/workspace.h"

#include "engine/core/find-word.h"

static const char *const names[GOBAN_N_WORKSPACES]
    = { "explore", "decisions", "compare", "train", "script" };

const char *
goban_workspace_name (GobanWorkspace workspace)
{
  return names[workspace];
}

gboolean
goban_workspace_find (const char *name, GobanWorkspace *workspace)
{
  int found = goban_find_word (names, G_N_ELEMENTS (names), name);

  if (found >= 0)
    *workspace = (GobanWorkspace) found;
  return found >= 0;
}
