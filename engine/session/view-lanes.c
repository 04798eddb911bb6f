#include "engine/session/view-lanes.h"

#include "engine/session/log-lines.h"
#include "engine/session/view-private.h"

const GobanLanes *
goban_view_get_lanes (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->lanes;
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
      g_autofree char *quoted = goban_log_quote (names[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", quoted);
    }
  g_string_append (text, " }");
}

void
goban_view_set_lanes (GobanView *self, const GobanLanes *lanes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GobanLanes copy;

  g_return_if_fail (GOBAN_IS_VIEW (self) && lanes != NULL);

  copy = goban_lanes_copy (lanes);
  if (g_strv_equal (copy.pinned, self->lanes.pinned)
      && g_strv_equal (copy.hidden, self->lanes.hidden)
      && g_strv_equal (copy.order, self->lanes.order))
    {
      goban_lanes_clear (&copy);
      return;
    }

  goban_lanes_clear (&self->lanes);
  self->lanes = copy;
  append_names (text, "pinned", copy.pinned);
  append_names (text, "hidden", copy.hidden);
  append_names (text, "order", copy.order);
  goban_log_emit (self, "view.lanes{%s}", text->str);
  goban_view_notify (self, GOBAN_VIEW_PROP_LANES);
}
