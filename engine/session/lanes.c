#include "engine/session/lanes.h"

void
goban_own_lanes_clear (GobanOwnLanes *self)
{
  g_strfreev (self->pinned);
  g_strfreev (self->hidden);
  g_strfreev (self->order);
  *self = (GobanOwnLanes){ 0 };
}

static char **
copy_names (const char *const *names)
{
  return names != NULL ? g_strdupv ((char **) names) : g_new0 (char *, 1);
}

void
goban_own_lanes_set (GobanOwnLanes *self, const GobanLanes *lanes)
{
  GobanOwnLanes copy = { .pinned = copy_names (lanes->pinned),
                         .hidden = copy_names (lanes->hidden),
                         .order = copy_names (lanes->order) };

  copy.lanes = (GobanLanes){ (const char *const *) copy.pinned, (const char *const *) copy.hidden,
                             (const char *const *) copy.order };
  goban_own_lanes_clear (self);
  *self = copy;
}
