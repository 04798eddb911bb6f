#include "engine/study/analysis/hierarchy/grouping.h"

#include "engine/core/find-word.h"

const char *const goban_grouping_names[GOBAN_N_GROUPINGS] = {
  [GOBAN_GROUPING_AUTO] = "auto",   [GOBAN_GROUPING_NONE] = "none",
  [GOBAN_GROUPING_SCOPE] = "scope", [GOBAN_GROUPING_LAYER] = "layer",
  [GOBAN_GROUPING_STEP] = "step",   [GOBAN_GROUPING_PARAMETER] = "parameter",
  [GOBAN_GROUPING_USE] = "use",     [GOBAN_GROUPING_CLUSTER] = "cluster",
};

gboolean
goban_grouping_find (const char *name, GobanGrouping *grouping)
{
  int found = goban_find_word (goban_grouping_names, GOBAN_N_GROUPINGS, name);

  if (found < 0)
    return FALSE;
  *grouping = (GobanGrouping) found;
  return TRUE;
}
