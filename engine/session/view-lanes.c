#include "engine/session/view-lanes.h"

#include "engine/session/view-private.h"
#include "engine/study/log/log-lines.h"

const GobanLanes *
goban_view_get_lanes (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->lanes.lanes;
}

/* pinned = { "gpu:1" }, behind a comma if it is not the first; nothing for an empty list. */
static void
append_names (GString *text, const char *key, const char *const *names)
{
  if (names[0] == NULL)
    return;

  g_string_append_printf (text, "%s%s = { ", text->len > 0 ? ", " : "", key);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *quoted = goban_lua_text_quote (names[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", quoted);
    }
  g_string_append (text, " }");
}

/* @a: (nullable): no names */
static gboolean
is_same (const char *const *a, const char *const *b)
{
  return a != NULL ? g_strv_equal (a, b) : b[0] == NULL;
}

void
goban_view_set_lanes (GobanView *self, const GobanLanes *lanes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GobanLanes *own = &self->lanes.lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && lanes != NULL);

  if (is_same (lanes->pinned, own->pinned) && is_same (lanes->hidden, own->hidden)
      && is_same (lanes->order, own->order))
    return;

  goban_own_lanes_set (&self->lanes, lanes);
  append_names (text, "pinned", own->pinned);
  append_names (text, "hidden", own->hidden);
  append_names (text, "order", own->order);
  goban_log_emit (self, "view.lanes{%s}", text->str);
  goban_view_notify (self, GOBAN_VIEW_PROP_LANES);
}
