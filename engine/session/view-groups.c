#include "engine/session/view-groups.h"

#include "engine/session/view-private.h"
#include "engine/study/log/log-lines.h"

GobanGrouping
goban_view_get_grouping (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_GROUPING_AUTO);

  return self->grouping;
}

/* Takes @names (transfer full). */
static void
take_expanded (GobanView *self, GobanNames *names)
{
  goban_names_unref (self->expanded);
  self->expanded = names;
}

/* FALSE if those are the open ones. */
static gboolean
adopt_expanded (GobanView *self, const char *const *groups)
{
  g_autoptr (GobanNames) names = goban_names_new (groups);

  if (goban_names_equal (names, self->expanded))
    return FALSE;

  take_expanded (self, g_steal_pointer (&names));
  return TRUE;
}

void
goban_view_show_expanded (GobanView *self, const char *const *groups)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && groups != NULL);

  if (adopt_expanded (self, groups))
    goban_view_notify (self, GOBAN_VIEW_PROP_EXPANDED);
}

void
goban_view_close_groups (GobanView *self)
{
  static const char *const nothing[] = { NULL };

  goban_view_show_expanded (self, nothing);
}

void
goban_view_set_grouping (GobanView *self, GobanGrouping grouping)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (self->grouping == grouping)
    return;

  self->grouping = grouping;
  goban_log_emit (self, "view.group \"%s\"", goban_grouping_name (grouping));
  goban_view_close_groups (self);
  goban_view_notify (self, GOBAN_VIEW_PROP_GROUPING);
}

const char *const *
goban_view_get_expanded (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return goban_names_get (self->expanded);
}

GobanNames *
goban_view_ref_expanded (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return goban_names_ref (self->expanded);
}

gboolean
goban_view_is_expanded (GobanView *self, const char *group)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self) && group != NULL, FALSE);

  return goban_names_contain (self->expanded, group);
}

/* By hand: of all groups of a large graph it is a megabyte. */
static void
log_expanded (GobanView *self)
{
  const char *const *names = goban_names_get (self->expanded);
  g_autoptr (GString) line = g_string_new ("view.expanded{");

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append (line, ", ");
      goban_lua_text_append (line, names[i]);
    }
  g_string_append_c (line, '}');
  g_signal_emit_by_name (self, "log", line->str);
}

void
goban_view_set_expanded (GobanView *self, const char *const *groups)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && groups != NULL);

  if (!adopt_expanded (self, groups))
    return;

  log_expanded (self);
  goban_view_notify (self, GOBAN_VIEW_PROP_EXPANDED);
}

void
goban_view_expand (GobanView *self, const char *group, gboolean is_expanded)
{
  g_autofree char *quoted = NULL;

  g_return_if_fail (GOBAN_IS_VIEW (self) && group != NULL);

  if (goban_view_is_expanded (self, group) == is_expanded)
    return;

  quoted = goban_lua_text_quote (group);
  take_expanded (self, is_expanded ? goban_names_with (self->expanded, group)
                                   : goban_names_without (self->expanded, group));
  goban_log_emit (self, "view.%s %s", is_expanded ? "expand" : "collapse", quoted);
  goban_view_notify (self, GOBAN_VIEW_PROP_EXPANDED);
}

GobanArrangement
goban_view_get_layout (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_ARRANGE_AUTO);

  return self->layout;
}

void
goban_view_set_layout (GobanView *self, GobanArrangement layout)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (self->layout == layout)
    return;

  self->layout = layout;
  goban_log_emit (self, "view.layout \"%s\"", goban_arrangement_name (layout));
  goban_view_notify (self, GOBAN_VIEW_PROP_LAYOUT);
}
