#include "engine/session/arrangement.h"

#include "engine/core/find-word.h"

static const char *const arrangement_names[GOBAN_N_ARRANGEMENTS] = {
  [GOBAN_ARRANGE_AUTO] = "auto",
  [GOBAN_ARRANGE_LAYERED] = "layered",
  [GOBAN_ARRANGE_WRAPPED] = "wrapped",
  [GOBAN_ARRANGE_LANES] = "lanes",
};

const char *
goban_arrangement_name (GobanArrangement arrangement)
{
  return arrangement_names[arrangement];
}

gboolean
goban_arrangement_find (const char *name, GobanArrangement *arrangement)
{
  int found = goban_find_word (arrangement_names, GOBAN_N_ARRANGEMENTS, name);

  if (found < 0)
    return FALSE;
  *arrangement = (GobanArrangement) found;
  return TRUE;
}
