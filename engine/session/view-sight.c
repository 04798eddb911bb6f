#include "engine/session/view-sight.h"

#include "engine/log/log-lines.h"
#include "engine/session/view-groups.h"
#include "engine/session/view-private.h"

const GobanViewport *
goban_view_get_sight (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->sight;
}

void
goban_view_set_sight (GobanView *self, const GobanViewport *sight)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && sight != NULL);

  self->sight = *sight;
  goban_navigation_look (self->places, sight);
}

void
goban_view_look (GobanView *self, const GobanViewport *sight)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && sight != NULL);

  if (goban_viewport_is_set (sight))
    g_signal_emit_by_name (self, "look", sight);
}

void
goban_view_snapshot (GobanView *self, guint number)
{
  GobanBookmark bookmark;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  bookmark = (GobanBookmark){
    .sight = self->sight,
    .color = self->color,
    .grouping = self->grouping,
    .layout = self->layout,
    .expanded = (char **) goban_names_get (self->expanded), /* is copied */
  };
  goban_navigation_set_bookmark (self->places, number, &bookmark);
  goban_log_emit (self, "view.snapshot(%u)", number);
  g_signal_emit_by_name (self, "bookmarked");
}

gboolean
goban_view_recall (GobanView *self, guint number)
{
  const GobanBookmark *bookmark;

  g_return_val_if_fail (GOBAN_IS_VIEW (self), FALSE);

  bookmark = goban_navigation_get_bookmark (self->places, number);
  if (bookmark == NULL)
    return FALSE;

  goban_view_set_color (self, bookmark->color);
  goban_view_set_grouping (self, (GobanGrouping) bookmark->grouping);
  goban_view_set_layout (self, (GobanArrangement) bookmark->layout);
  goban_view_set_expanded (self, (const char *const *) bookmark->expanded);
  goban_view_look (self, &bookmark->sight);
  return TRUE;
}

GobanNavigation *
goban_view_get_places (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->places;
}
