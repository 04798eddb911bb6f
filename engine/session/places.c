#include "engine/session/places.h"

struct _GobanPlaces
{
  GPtrArray *visited; /* GobanPlace, oldest first */
  guint current;      /* index into it; of no meaning where it is empty */
  GobanBookmark *bookmarks[GOBAN_BOOKMARKS];
};

gboolean
goban_sight_is_set (const GobanSight *self)
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

GobanPlaces *
goban_places_new (void)
{
  GobanPlaces *self = g_new0 (GobanPlaces, 1);

  self->visited = g_ptr_array_new_with_free_func (place_free);
  return self;
}

void
goban_places_clear (GobanPlaces *self)
{
  g_ptr_array_set_size (self->visited, 0);
  self->current = 0;
  for (guint i = 0; i < GOBAN_BOOKMARKS; i++)
    g_clear_pointer (&self->bookmarks[i], bookmark_free);
}

void
goban_places_free (GobanPlaces *self)
{
  if (self == NULL)
    return;

  goban_places_clear (self);
  g_ptr_array_unref (self->visited);
  g_free (self);
}

/* --- visited --------------------------------------------------------------------------------- */

static GobanPlace *
get_current (const GobanPlaces *self)
{
  return self->visited->len > 0 ? g_ptr_array_index (self->visited, self->current) : NULL;
}

void
goban_places_look (GobanPlaces *self, const GobanSight *sight)
{
  GobanPlace *current = get_current (self);

  if (current != NULL)
    current->sight = *sight;
}

void
goban_places_visit (GobanPlaces *self, GobanSelection *selection, const GobanSight *sight)
{
  GobanPlace *place = get_current (self);

  if (place != NULL && goban_selection_equal (place->selection, selection))
    {
      place->sight = *sight;
      return;
    }

  if (place != NULL)
    g_ptr_array_set_size (self->visited, (int) self->current + 1);
  place = g_new (GobanPlace, 1);
  place->selection = goban_selection_ref (selection);
  place->sight = *sight;
  g_ptr_array_add (self->visited, place);
  if (self->visited->len > GOBAN_PLACES_MOST)
    g_ptr_array_remove_index (self->visited, 0);
  self->current = self->visited->len - 1;
}

gboolean
goban_places_can_step (const GobanPlaces *self, int steps)
{
  gint64 next = (gint64) self->current + steps;

  return next >= 0 && next < self->visited->len;
}

const GobanPlace *
goban_places_step (GobanPlaces *self, int steps)
{
  if (!goban_places_can_step (self, steps))
    return NULL;

  self->current = (guint) ((gint64) self->current + steps);
  return get_current (self);
}

guint
goban_places_get_n_visited (const GobanPlaces *self)
{
  return self->visited->len;
}

/* --- bookmarks -------------------------------------------------------------------------------- */

void
goban_places_set_bookmark (GobanPlaces *self, guint number, const GobanBookmark *bookmark)
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
goban_places_get_bookmark (const GobanPlaces *self, guint number)
{
  g_return_val_if_fail (number >= 1 && number <= GOBAN_BOOKMARKS, NULL);

  return self->bookmarks[number - 1];
}

void
goban_places_copy_bookmarks (GobanPlaces *self, const GobanPlaces *from)
{
  for (guint number = 1; number <= GOBAN_BOOKMARKS; number++)
    goban_places_set_bookmark (self, number, goban_places_get_bookmark (from, number));
}
