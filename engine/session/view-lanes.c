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

/* (transfer container): the names without one, to be changed. */
static GPtrArray *
copy_without (const char *const *names, const char *dropped)
{
  GPtrArray *copy = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], dropped))
      g_ptr_array_add (copy, (gpointer) names[i]);
  return copy;
}

static void
set_name (GobanView *self, const char *const **list, GobanLanes *lanes, const char *name,
          gboolean is_in)
{
  g_autoptr (GPtrArray) names = copy_without (*list, name);

  if (is_in)
    g_ptr_array_add (names, (gpointer) name);
  g_ptr_array_add (names, NULL);
  *list = (const char *const *) names->pdata;
  goban_view_set_lanes (self, lanes);
}

void
goban_view_set_lanes_open (GobanView *self, const char *name, gboolean is_open)
{
  GobanLanes lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && name != NULL);

  lanes = self->lanes.lanes;
  lanes.is_strips = lanes.is_strips && !is_open;
  set_name (self, &lanes.open, &lanes, name, is_open);
}

void
goban_view_set_lane_pinned (GobanView *self, const char *name, gboolean is_pinned)
{
  GobanLanes lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && name != NULL);

  lanes = self->lanes.lanes;
  set_name (self, &lanes.pinned, &lanes, name, is_pinned);
}

void
goban_view_cycle_lanes (GobanView *self)
{
  static const char *const all[] = { GOBAN_LANES_MEMORY, GOBAN_LANES_LINKS, NULL };
  GobanLanes lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  lanes = self->lanes.lanes;
  if (lanes.is_strips || lanes.open[0] != NULL)
    {
      lanes.is_strips = !lanes.is_strips;
      lanes.open = NULL;
    }
  else
    lanes.open = all;
  goban_view_set_lanes (self, &lanes);
}

void
goban_view_set_lanes (GobanView *self, const GobanLanes *lanes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GobanLanes *own = &self->lanes.lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && lanes != NULL);

  if (is_same (lanes->open, own->open) && is_same (lanes->pinned, own->pinned)
      && is_same (lanes->order, own->order) && lanes->is_strips == own->is_strips)
    return;

  goban_own_lanes_set (&self->lanes, lanes);
  append_names (text, "open", own->open);
  append_names (text, "pinned", own->pinned);
  append_names (text, "order", own->order);
  if (own->is_strips)
    g_string_append_printf (text, "%sstrips = true", text->len > 0 ? ", " : "");
  goban_log_emit (self, "view.lanes{%s}", text->str);
  goban_view_notify (self, GOBAN_VIEW_PROP_LANES);
}
