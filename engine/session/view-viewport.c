#include "engine/session/view-viewport.h"

#include "engine/session/view-groups.h"
#include "engine/session/view-private.h"
#include "engine/study/log/log-lines.h"

const GobanViewport *
goban_view_get_viewport (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->viewport;
}

void
goban_view_set_viewport (GobanView *self, const GobanViewport *viewport)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && viewport != NULL);

  self->viewport = *viewport;
  goban_navigation_set_viewport (self->places, viewport);
}

void
goban_view_go_to_viewport (GobanView *self, const GobanViewport *viewport)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && viewport != NULL);

  if (goban_viewport_is_set (viewport))
    g_signal_emit_by_name (self, "look", viewport);
}

void
goban_view_snapshot (GobanView *self, guint number)
{
  GobanBookmark bookmark;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  bookmark = (GobanBookmark){
    .viewport = self->viewport,
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
  goban_view_go_to_viewport (self, &bookmark->viewport);
  return TRUE;
}

GobanNavigation *
goban_view_get_places (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->places;
}
