#include "engine/session/navigation.h"

struct _GobanPlaces
{
  GPtrArray *visited; /* GobanPlace, oldest first */
  guint current;      /* index into it; undefined if it is empty */
  GobanBookmark *bookmarks[GOBAN_BOOKMARKS];
};

gboolean
goban_viewport_is_set (const GobanViewport *self)
{
  return self->x1 > self->x0 && self->y1 > self->y0;
}

static void
place_free (gpointer data)
{
  GobanPlace *place = data;

  goban_selection_unref (place->selection);
  g_free (place);
}

static void
bookmark_free (GobanBookmark *bookmark)
{
  g_free (bookmark->color);
  g_strfreev (bookmark->expanded);
  g_free (bookmark);
}

GobanNavigation *
goban_navigation_new (void)
{
  GobanNavigation *self = g_new0 (GobanNavigation, 1);

  self->visited = g_ptr_array_new_with_free_func (place_free);
  return self;
}

void
goban_navigation_clear (GobanNavigation *self)
{
  g_ptr_array_set_size (self->visited, 0);
  self->current = 0;
  for (guint i = 0; i < GOBAN_BOOKMARKS; i++)
    g_clear_pointer (&self->bookmarks[i], bookmark_free);
}

void
goban_navigation_free (GobanNavigation *self)
{
  if (self == NULL)
    return;

  goban_navigation_clear (self);
  g_ptr_array_unref (self->visited);
  g_free (self);
}

/* --- visited --------------------------------------------------------------------------------- */

static GobanPlace *
get_current (const GobanNavigation *self)
{
  return self->visited->len > 0 ? g_ptr_array_index (self->visited, self->current) : NULL;
}

void
goban_navigation_set_viewport (GobanNavigation *self, const GobanViewport *viewport)
{
  GobanPlace *current = get_current (self);

  if (current != NULL)
    current->viewport = *viewport;
}

void
goban_navigation_visit (GobanNavigation *self, GobanSelection *selection,
                        const GobanViewport *viewport)
{
  GobanPlace *place = get_current (self);

  if (place != NULL && goban_selection_equal (place->selection, selection))
    {
      place->viewport = *viewport;
      return;
    }

  if (place != NULL)
    g_ptr_array_set_size (self->visited, (int) self->current + 1);
  place = g_new (GobanPlace, 1);
  place->selection = goban_selection_ref (selection);
  place->viewport = *viewport;
  g_ptr_array_add (self->visited, place);
  if (self->visited->len > GOBAN_NAVIGATION_MOST)
    g_ptr_array_remove_index (self->visited, 0);
  self->current = self->visited->len - 1;
}

gboolean
goban_navigation_can_step (const GobanNavigation *self, int steps)
{
  gint64 next = (gint64) self->current + steps;

  return next >= 0 && next < self->visited->len;
}

const GobanPlace *
goban_navigation_step (GobanNavigation *self, int steps)
{
  if (!goban_navigation_can_step (self, steps))
    return NULL;

  self->current = (guint) ((gint64) self->current + steps);
  return get_current (self);
}

guint
goban_navigation_get_n_visited (const GobanNavigation *self)
{
  return self->visited->len;
}

/* --- bookmarks -------------------------------------------------------------------------------- */

void
goban_navigation_set_bookmark (GobanNavigation *self, guint number, const GobanBookmark *bookmark)
{
  GobanBookmark *copy = NULL;

  g_return_if_fail (number >= 1 && number <= GOBAN_BOOKMARKS);

  /* Copied before the old one goes, which may be the same. */
  if (bookmark != NULL)
    {
      copy = g_new (GobanBookmark, 1);
      *copy = *bookmark;
      copy->color = g_strdup (bookmark->color);
      copy->expanded = g_strdupv (bookmark->expanded);
    }
  g_clear_pointer (&self->bookmarks[number - 1], bookmark_free);
  self->bookmarks[number - 1] = copy;
}

const GobanBookmark *
goban_navigation_get_bookmark (const GobanNavigation *self, guint number)
{
  g_return_val_if_fail (number >= 1 && number <= GOBAN_BOOKMARKS, NULL);

  return self->bookmarks[number - 1];
}

void
goban_navigation_copy_bookmarks (GobanNavigation *self, const GobanNavigation *from)
{
  for (guint number = 1; number <= GOBAN_BOOKMARKS; number++)
    goban_navigation_set_bookmark (self, number, goban_navigation_get_bookmark (from, number));
}
