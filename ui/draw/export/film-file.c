#include "ui/draw/export/film-file.h"

#include "engine/core/error.h"
#include "engine/core/new-file.h"
#include "ui/draw/export/film.h"

#include <errno.h>
#include <gio/gio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct _GobanFilmFile
{
  char *path;
  GobanFilmSize size;
  GobanNewFile *file;
  int fd;              /* of the file */
  GSubprocess *ffmpeg; /* (nullable): without one, an animated PNG is written here */
  guint n_written;     /* frames */
  guint32 n_chunks;    /* numbered ones of the animated PNG */
};

static const char *const endings[] = { ".apng", ".gif", ".webm" };

gboolean
goban_film_is_path (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

gboolean
goban_film_check_path (const char *path, GError **error)
{
  return goban_film_is_path (path)
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "%s: films are written as .gif, .webm or .apng, by the ending of their "
                          "path",
                          path);
}

const char *
goban_film_get_usual_ending (void)
{
  g_autofree char *program = g_find_program_in_path ("ffmpeg");

  return program != NULL ? ".gif" : ".apng";
}

static gboolean
fail (const GobanFilmFile *self, int code, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: %s", self->path, g_strerror (code));
}

static gboolean
write_all (const GobanFilmFile *self, const void *data, gsize size, GError **error)
{
  const guint8 *from = data;

  while (size > 0)
    {
      gssize n = write (self->fd, from, size);

      if (n < 0 && errno != EINTR)
        return fail (self, errno, error);
      if (n > 0)
        {
          from += n;
          size -= (gsize) n;
        }
    }
  return TRUE;
}

/* --- animated PNG ----------------------------------------------------------------------------- */

static void
append_u32 (GByteArray *bytes, guint32 value)
{
  guint32 big = GUINT32_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

static void
append_u16 (GByteArray *bytes, guint16 value)
{
  guint16 big = GUINT16_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

/* @body: of the chunk of that type. */
static gboolean
write_chunk (const GobanFilmFile *self, const char *type, const GByteArray *body, GError **error)
{
  g_autoptr (GByteArray) chunk = g_byte_array_new ();

  append_u32 (chunk, body->len);
  g_byte_array_append (chunk, (const guint8 *) type, 4);
  g_byte_array_append (chunk, body->data, body->len);
  append_u32 (chunk, (guint32) crc32 (0, chunk->data + 4, chunk->len - 4));
  return write_all (self, chunk->data, chunk->len, error);
}

static gboolean
write_animation_control (const GobanFilmFile *self, GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();

  append_u32 (body, self->size.n_frames);
  append_u32 (body, 0); /* again and again */
  return write_chunk (self, "acTL", body, error);
}

static gboolean
write_frame_control (GobanFilmFile *self, GError **error)
{
  static const guint8 replace[] = { 0, 0 };
  g_autoptr (GByteArray) body = g_byte_array_new ();

  append_u32 (body, self->n_chunks++);
  append_u32 (body, (guint32) self->size.width);
  append_u32 (body, (guint32) self->size.height);
  append_u32 (body, 0);
  append_u32 (body, 0);
  append_u16 (body, (guint16) CLAMP (round (1000 / self->size.fps), 1, G_MAXUINT16));
  append_u16 (body, 1000);
  g_byte_array_append (body, replace, sizeof replace);
  return write_chunk (self, "fcTL", body, error);
}

/* The pixels of a frame: as they are in the first, with a number in the others. */
static gboolean
write_pixels (GobanFilmFile *self, const guint8 *data, guint32 size, GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();

  if (self->n_written > 0)
    append_u32 (body, self->n_chunks++);
  g_byte_array_append (body, data, size);
  return write_chunk (self, self->n_written > 0 ? "fdAT" : "IDAT", body, error);
}

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* A chunk of the PNG that cairo wrote of a frame. */
static gboolean
take_chunk (GobanFilmFile *self, const guint8 *chunk, guint32 size, GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();

  if (memcmp (chunk + 4, "IDAT", 4) == 0)
    return write_pixels (self, chunk + 8, size, error);
  if (self->n_written > 0 || memcmp (chunk + 4, "IHDR", 4) != 0)
    return TRUE;
  g_byte_array_append (body, chunk + 8, size);
  return write_chunk (self, "IHDR", body, error) && write_animation_control (self, error)
         && write_frame_control (self, error);
}

static gboolean
add_png (GobanFilmFile *self, cairo_surface_t *image, GError **error)
{
  static const guint8 signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  g_autoptr (GByteArray) png = g_byte_array_new ();
  gsize at = sizeof signature;

  if (cairo_surface_write_to_png_stream (image, append_cb, png) != CAIRO_STATUS_SUCCESS)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: a frame cannot be encoded", self->path);
  if (self->n_written == 0 ? !write_all (self, signature, sizeof signature, error)
                           : !write_frame_control (self, error))
    return FALSE;
  while (at + 12 <= png->len)
    {
      guint32 size;

      memcpy (&size, png->data + at, sizeof size);
      size = GUINT32_FROM_BE (size);
      if (!take_chunk (self, png->data + at, size, error))
        return FALSE;
      at += (gsize) size + 12;
    }
  return TRUE;
}

/* --- ffmpeg ----------------------------------------------------------------------------------- */

static gboolean
start_ffmpeg (GobanFilmFile *self, GError **error)
{
  g_autofree char *program = g_find_program_in_path ("ffmpeg");
  g_autofree char *lower = g_ascii_strdown (self->path, -1);
  g_autofree char *size = g_strdup_printf ("%dx%d", self->size.width, self->size.height);
  char fps[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_gif = g_str_has_suffix (lower, ".gif");
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) reason = NULL;

  if (program == NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: .gif and .webm are written by ffmpeg, which is not installed: "
                         "install it, or write an .apng",
                         self->path);
  g_subprocess_launcher_take_stdout_fd (launcher, dup (self->fd));
  g_ascii_dtostr (fps, sizeof fps, self->size.fps);
  /* A .webm is opened as a file, for its length and its index are written at its start at last. */
  self->ffmpeg
      = is_gif
            ? g_subprocess_launcher_spawn (launcher, &reason, program, "-loglevel", "error", "-f",
                                           "rawvideo", "-pixel_format", "bgr0", "-video_size", size,
                                           "-framerate", fps, "-i", "-", "-filter_complex",
                                           "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-loop",
                                           "0", "-f", "gif", "pipe:1", NULL)
            : g_subprocess_launcher_spawn (launcher, &reason, program, "-loglevel", "error", "-f",
                                           "rawvideo", "-pixel_format", "bgr0", "-video_size", size,
                                           "-framerate", fps, "-i", "-", "-y", "-c:v", "libvpx-vp9",
                                           "-pix_fmt", "yuv420p", "-b:v", "0", "-crf", "32", "-f",
                                           "webm", "file:/dev/fd/1", NULL);
  return self->ffmpeg != NULL
         || goban_refuse (error, GOBAN_ERROR_IO, "%s: %s", program, reason->message);
}

/* Waits for the end of ffmpeg, and sets an error with its message if it failed. */
static gboolean
await_ffmpeg (GobanFilmFile *self, GError **error)
{
  GInputStream *stderr_pipe = g_subprocess_get_stderr_pipe (self->ffmpeg);
  g_autofree char *said = NULL;
  char buffer[1024] = "";
  gsize n;

  g_output_stream_close (g_subprocess_get_stdin_pipe (self->ffmpeg), NULL, NULL);
  g_input_stream_read_all (stderr_pipe, buffer, sizeof buffer - 1, &n, NULL, NULL);
  g_input_stream_close (stderr_pipe, NULL, NULL);
  g_subprocess_wait (self->ffmpeg, NULL, NULL);
  said = g_utf8_make_valid (g_strstrip (buffer), -1);
  return g_subprocess_get_successful (self->ffmpeg)
         || goban_refuse (error, GOBAN_ERROR_IO, "%s: ffmpeg failed: %s", self->path,
                          *said != '\0' ? said : "it says no more");
}

/* Without the signal that would end us when ffmpeg has ended. */
static gboolean
write_to_ffmpeg (GobanFilmFile *self, const void *data, gsize size)
{
  const struct timespec now = { 0 };
  sigset_t pipe, before;
  gboolean is_written;

  sigemptyset (&pipe);
  sigaddset (&pipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipe, &before);
  is_written = g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->ffmpeg), data, size,
                                          NULL, NULL, NULL);
  if (!is_written)
    sigtimedwait (&pipe, NULL, &now);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return is_written;
}

static gboolean
add_raw (GobanFilmFile *self, cairo_surface_t *image, GError **error)
{
  gsize row = 4 * (gsize) self->size.width;
  gsize stride = (gsize) cairo_image_surface_get_stride (image);
  const guint8 *data = cairo_image_surface_get_data (image);

  for (int y = 0; y < self->size.height; y++)
    if (!write_to_ffmpeg (self, data + (gsize) y * stride, row))
      {
        /* It has ended, and says why. */
        return await_ffmpeg (self, error)
               && goban_refuse (error, GOBAN_ERROR_IO, "%s: ffmpeg ended early", self->path);
      }
  return TRUE;
}

/* --- all of it -------------------------------------------------------------------------------- */

GobanFilmFile *
goban_film_file_open (const char *path, const GobanFilmSize *size, GError **error)
{
  GobanFilmFile *self = g_new0 (GobanFilmFile, 1);
  g_autofree char *lower = g_ascii_strdown (path, -1);
  gboolean is_open = TRUE;

  self->path = g_strdup (path);
  self->size = *size;
  self->file = goban_new_file_begin (path, GOBAN_NEW_FILE_DEFAULT, &self->fd);
  if (self->file == NULL)
    is_open = fail (self, errno, error);
  else if (!g_str_has_suffix (lower, ".apng"))
    is_open = start_ffmpeg (self, error);
  if (is_open)
    return self;
  goban_film_file_free (self);
  return NULL;
}

gboolean
goban_film_file_add (GobanFilmFile *self, cairo_surface_t *image, GError **error)
{
  gboolean is_added;

  cairo_surface_flush (image);
  is_added = self->ffmpeg != NULL ? add_raw (self, image, error) : add_png (self, image, error);
  self->n_written++;
  return is_added;
}

gboolean
goban_film_file_finish (GobanFilmFile *self, GError **error)
{
  g_autoptr (GByteArray) none = g_byte_array_new ();

  if (self->ffmpeg != NULL ? !await_ffmpeg (self, error) : !write_chunk (self, "IEND", none, error))
    return FALSE;
  return goban_new_file_commit (self->file) || fail (self, errno, error);
}

void
goban_film_file_free (GobanFilmFile *self)
{
  if (self->ffmpeg != NULL)
    {
      g_subprocess_force_exit (self->ffmpeg);
      g_object_unref (self->ffmpeg);
    }
  g_clear_pointer (&self->file, goban_new_file_free);
  g_free (self->path);
  g_free (self);
}
