/* film-file.h: writer of films: frames of equal size as .apng, or through ffmpeg as .gif or .webm.
 *
 * Private to film.c. ffmpeg is a program of its own, looked for in PATH and started without a
 * shell; it reads frames from us and writes into the new file.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  int width;
  int height;
  double fps;
  guint n_frames;
} GobanFilmSize;

typedef struct _GobanFilmFile GobanFilmFile;

/* NULL with GOBAN_ERROR_UNSUPPORTED (no ffmpeg) or IO set. */
GobanFilmFile *goban_film_file_open (const char *path, const GobanFilmSize *size,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Adds an RGB24 image of the film's size. */
gboolean goban_film_file_add (GobanFilmFile *self, cairo_surface_t *image, GError **error);
/* Puts the file in its place, after all frames. */
gboolean goban_film_file_finish (GobanFilmFile *self, GError **error);
/* An unfinished film leaves no file. */
void goban_film_file_free (GobanFilmFile *self);

G_END_DECLS
