#include "engine/session/lanes.h"

void
goban_own_lanes_clear (GobanOwnLanes *self)
{
  g_strfreev (self->open);
  g_strfreev (self->pinned);
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
  GobanOwnLanes copy = { .open = copy_names (lanes->open),
                         .pinned = copy_names (lanes->pinned),
                         .order = copy_names (lanes->order) };

  copy.lanes = (GobanLanes){ (const char *const *) copy.open, (const char *const *) copy.pinned,
                             (const char *const *) copy.order, lanes->is_strips };
  goban_own_lanes_clear (self);
  *self = copy;
}

gboolean
goban_lanes_have (const char *const *names, const char *name)
{
  return names != NULL && name != NULL && g_strv_contains (names, name);
}
