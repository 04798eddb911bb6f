#include "engine/session/lanes.h"

void
goban_lanes_clear (GobanLanes *lanes)
{
  g_strfreev ((char **) lanes->pinned);
  g_strfreev ((char **) lanes->hidden);
  g_strfreev ((char **) lanes->order);
}

static const char *const *
copy_names (const char *const *names)
{
  return (const char *const *) (names != NULL ? g_strdupv ((char **) names) : g_new0 (char *, 1));
}

GobanLanes
goban_lanes_copy (const GobanLanes *lanes)
{
  return (GobanLanes){ copy_names (lanes->pinned), copy_names (lanes->hidden),
                       copy_names (lanes->order) };
}
