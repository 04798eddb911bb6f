#include "engine/study/training/training-film.h"

#include "engine/core/checked-path.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdlib.h>

struct _GobanTrainingFilm
{
  char *folder;
  GArray *frames; /* GobanTrainingFilmFrame */
  guint stride;   /* of updates */
};

char *
goban_training_film_dup_folder (const char *output)
{
  return g_strconcat (output, ".film", NULL);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void
clear_frame (gpointer data)
{
  g_free (((GobanTrainingFilmFrame *) data)->file);
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  guint first = ((const GobanTrainingFilmFrame *) a)->step,
        second = ((const GobanTrainingFilmFrame *) b)->step;

  return (first > second) - (first < second);
}

/* "00000120.net" is 120. */
static gboolean
parse_name (const char *name, guint *step)
{
  char *end;
  guint64 n = g_ascii_strtoull (name, &end, 10);

  *step = (guint) n;
  return end > name && g_str_equal (end, ".net") && n <= G_MAXINT;
}

GArray *
goban_training_film_list (const char *output)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (GobanTrainingFilmFrame));
  g_autofree char *folder = goban_training_film_dup_folder (output);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* which may not be there */
  const char *name;

  g_array_set_clear_func (frames, clear_frame);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      GobanTrainingFilmFrame frame = { 0 };

      if (!parse_name (name, &frame.step))
        continue;
      frame.file = g_build_filename (folder, name, NULL);
      g_array_append_val (frames, frame);
    }
  g_array_sort (frames, compare_steps);
  return frames;
}

/* --- writing ---------------------------------------------------------------------------------- */

static const GobanTrainingFilmFrame *
get (const GobanTrainingFilm *self, guint i)
{
  return &g_array_index (self->frames, GobanTrainingFilmFrame, i);
}

static void
drop (GobanTrainingFilm *self, guint i)
{
  g_remove (get (self, i)->file); /* one that stays is only a picture more */
  g_array_remove_index (self->frames, i);
}

GobanTrainingFilm *
goban_training_film_new (const char *output, guint first)
{
  GobanTrainingFilm *self = g_new0 (GobanTrainingFilm, 1);

  self->folder = goban_training_film_dup_folder (output);
  self->frames = goban_training_film_list (output);
  for (guint i = self->frames->len; i > 0; i--)
    if (first == 0 || get (self, i - 1)->step > first)
      drop (self, i - 1);
  self->stride = self->frames->len > 1 ? MAX (get (self, 1)->step - get (self, 0)->step, 1) : 1;
  return self;
}

void
goban_training_film_free (GobanTrainingFilm *self)
{
  g_array_unref (self->frames);
  g_free (self->folder);
  g_free (self);
}

static gboolean
has_frame (const GobanTrainingFilm *self, guint step)
{
  return self->frames->len > 0 && get (self, self->frames->len - 1)->step >= step;
}

char *
goban_training_film_next (GobanTrainingFilm *self, guint step)
{
  GobanTrainingFilmFrame frame = { .step = step };
  g_autofree char *name = g_strdup_printf ("%08u.net", step);

  if (step % self->stride != 0 || has_frame (self, step))
    return NULL;
  if (self->frames->len == GOBAN_TRAINING_FILM_MAX)
    {
      self->stride *= 2;
      for (guint i = self->frames->len; i > 0; i--)
        if (get (self, i - 1)->step % self->stride != 0)
          drop (self, i - 1);
      if (step % self->stride != 0)
        return NULL;
    }
  goban_checked_path_make_folder (self->folder); /* else the file says why it cannot be written */
  frame.file = g_build_filename (self->folder, name, NULL);
  g_array_append_val (self->frames, frame);
  return g_strdup (frame.file);
}
