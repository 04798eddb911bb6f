#include "ui/draw/export/film.h"

#include "engine/core/error.h"
#include "engine/core/new-file.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/training/film-plans.h"
#include "ui/draw/export/picture.h"
#include "ui/draw/timeline/timeline-painter.h"

#include <errno.h>
#include <gio/gio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define MAX_FRAMES 2000
#define MAX_STEPS 240
#define MAX_SIDE 4096
/* Bound of all frames together: for a .gif, ffmpeg keeps them, twice as large, until it has chosen
 * the colours. */
#define MAX_GIF_BYTES ((guint64) 1 << 30)
#define MIN_SIDE 160
#define TITLE_H 34
#define GRAPH_SHARE 0.56

/* --- the file --------------------------------------------------------------------------------- */

/* Writes frames of equal size as .apng, or through ffmpeg as .gif or .webm. ffmpeg is looked for in
 * PATH and started without a shell; it reads frames from us and writes into the new file. */
typedef struct
{
  const GobanFilm *film;
  GobanNewFile *file;
  int fd;              /* of the file */
  GSubprocess *ffmpeg; /* (nullable): without one, an animated PNG is written here */
  guint n_written;     /* frames */
  guint32 n_chunks;    /* numbered ones of the animated PNG */
} FilmFile;

static const char *const endings[] = { ".apng", ".gif", ".webm" };

gboolean
goban_film_check_path (const char *path, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: films are written as .gif, .webm or .apng, by the ending of their path",
                       path);
}

const char *
goban_film_get_usual_ending (void)
{
  g_autofree char *program = g_find_program_in_path ("ffmpeg");

  return program != NULL ? ".gif" : ".apng";
}

static gboolean
fail (const FilmFile *self, int code, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: %s", self->film->path, g_strerror (code));
}

static gboolean
write_all (const FilmFile *self, const void *data, gsize size, GError **error)
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
write_chunk (const FilmFile *self, const char *type, const GByteArray *body, GError **error)
{
  g_autoptr (GByteArray) chunk = g_byte_array_new ();

  append_u32 (chunk, body->len);
  g_byte_array_append (chunk, (const guint8 *) type, 4);
  g_byte_array_append (chunk, body->data, body->len);
  append_u32 (chunk, (guint32) crc32 (0, chunk->data + 4, chunk->len - 4));
  return write_all (self, chunk->data, chunk->len, error);
}

static gboolean
write_animation_control (const FilmFile *self, GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();

  append_u32 (body, goban_film_count_frames (self->film));
  append_u32 (body, 0); /* again and again */
  return write_chunk (self, "acTL", body, error);
}

static gboolean
write_frame_control (FilmFile *self, GError **error)
{
  static const guint8 replace[] = { 0, 0 };
  g_autoptr (GByteArray) body = g_byte_array_new ();

  append_u32 (body, self->n_chunks++);
  append_u32 (body, (guint32) self->film->width);
  append_u32 (body, (guint32) self->film->height);
  append_u32 (body, 0);
  append_u32 (body, 0);
  append_u16 (body, (guint16) CLAMP (round (1000 / self->film->fps), 1, G_MAXUINT16));
  append_u16 (body, 1000);
  g_byte_array_append (body, replace, sizeof replace);
  return write_chunk (self, "fcTL", body, error);
}

/* The pixels of a frame: as they are in the first, with a number in the others. */
static gboolean
write_pixels (FilmFile *self, const guint8 *data, guint32 size, GError **error)
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
take_chunk (FilmFile *self, const guint8 *chunk, guint32 size, GError **error)
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
add_png (FilmFile *self, cairo_surface_t *image, GError **error)
{
  static const guint8 signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  g_autoptr (GByteArray) png = g_byte_array_new ();
  gsize at = sizeof signature;

  if (cairo_surface_write_to_png_stream (image, append_cb, png) != CAIRO_STATUS_SUCCESS)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: a frame cannot be encoded", self->film->path);
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
start_ffmpeg (FilmFile *self, GError **error)
{
  g_autofree char *program = g_find_program_in_path ("ffmpeg");
  g_autofree char *lower = g_ascii_strdown (self->film->path, -1);
  g_autofree char *size = g_strdup_printf ("%dx%d", self->film->width, self->film->height);
  char fps[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_gif = g_str_has_suffix (lower, ".gif");
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) reason = NULL;

  if (program == NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: .gif and .webm are written by ffmpeg, which is not installed: "
                         "install it, or write an .apng",
                         self->film->path);
  g_subprocess_launcher_take_stdout_fd (launcher, dup (self->fd));
  g_ascii_dtostr (fps, sizeof fps, self->film->fps);
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
await_ffmpeg (FilmFile *self, GError **error)
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
         || goban_refuse (error, GOBAN_ERROR_IO, "%s: ffmpeg failed: %s", self->film->path,
                          *said != '\0' ? said : "it says no more");
}

/* Without the signal that would end us when ffmpeg has ended. */
static gboolean
write_to_ffmpeg (FilmFile *self, const void *data, gsize size)
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
add_raw (FilmFile *self, cairo_surface_t *image, GError **error)
{
  gsize row = 4 * (gsize) self->film->width;
  gsize stride = (gsize) cairo_image_surface_get_stride (image);
  const guint8 *data = cairo_image_surface_get_data (image);

  for (int y = 0; y < self->film->height; y++)
    if (!write_to_ffmpeg (self, data + (gsize) y * stride, row))
      {
        /* It has ended, and says why. */
        return await_ffmpeg (self, error)
               && goban_refuse (error, GOBAN_ERROR_IO, "%s: ffmpeg ended early", self->film->path);
      }
  return TRUE;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* An unfinished film leaves no file. */
static void
free_file (FilmFile *self)
{
  if (self->ffmpeg != NULL)
    {
      g_subprocess_force_exit (self->ffmpeg);
      g_object_unref (self->ffmpeg);
    }
  g_clear_pointer (&self->file, goban_new_file_free);
  g_free (self);
}

/* NULL with GOBAN_ERROR_UNSUPPORTED (no ffmpeg) or IO set. */
static FilmFile *
open_file (const GobanFilm *film, GError **error)
{
  FilmFile *self = g_new0 (FilmFile, 1);
  g_autofree char *lower = g_ascii_strdown (film->path, -1);
  gboolean is_open = TRUE;

  self->film = film;
  self->file = goban_new_file_begin (film->path, GOBAN_NEW_FILE_DEFAULT, &self->fd);
  if (self->file == NULL)
    is_open = fail (self, errno, error);
  else if (!g_str_has_suffix (lower, ".apng"))
    is_open = start_ffmpeg (self, error);
  if (is_open)
    return self;
  free_file (self);
  return NULL;
}

/* Adds an RGB24 image of the film's size. */
static gboolean
add_image (FilmFile *self, cairo_surface_t *image, GError **error)
{
  gboolean is_added;

  cairo_surface_flush (image);
  is_added = self->ffmpeg != NULL ? add_raw (self, image, error) : add_png (self, image, error);
  self->n_written++;
  return is_added;
}

/* Puts the file in its place, after all frames. */
static gboolean
finish_file (FilmFile *self, GError **error)
{
  g_autoptr (GByteArray) none = g_byte_array_new ();

  if (self->ffmpeg != NULL ? !await_ffmpeg (self, error) : !write_chunk (self, "IEND", none, error))
    return FALSE;
  return goban_new_file_commit (self->file) || fail (self, errno, error);
}

/* Pictures that are drawn of each run in turn. */
typedef struct
{
  const GobanFilm *film;
  GobanPlot *plot;
  GobanTextCache *text;
  double end_us; /* of the longest run */
  GobanRun *run; /* of the scenes, borrowed */
  GobanGraphScene *graph;
  GobanTimelineScene *timeline;
  guint8 *states; /* (nodes of the graph) */
  cairo_surface_t *image;
} Stage;

/* --- sources ---------------------------------------------------------------------------------- */

GobanFilm *
goban_film_new (const char *path)
{
  GobanFilm *self = g_new0 (GobanFilm, 1);

  self->path = g_strdup (path);
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_unref);
  self->grouping = GOBAN_GROUPING_AUTO;
  return self;
}

void
goban_film_free (gpointer film)
{
  GobanFilm *self = film;

  g_ptr_array_unref (self->runs);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self->training);
  g_free (self->path);
  g_free (self);
}

gboolean
goban_film_add_steps (GobanFilm *self, GobanRun *run, GError **error)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);
  g_autoptr (GArray) stops = NULL;
  guint n_shown;

  if (!goban_moments_can_be_walked (decisions))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” has no decisions to show; they are recorded when a policy decides",
                         goban_run_get_name (run));
  stops = goban_moments_list_stops (decisions, GOBAN_LEVEL_MOMENT, GOBAN_STOPS_LINE);
  n_shown = MIN (stops->len, MAX_STEPS);
  for (guint i = 0; i < n_shown; i++)
    {
      guint at = (guint) ((guint64) i * (stops->len - 1) / MAX (n_shown - 1, 1));
      GobanRun *shown
          = goban_moment_new_shown_run (run, g_array_index (stops, GobanMoment, at), error);

      if (shown == NULL)
        return FALSE;
      g_ptr_array_add (self->runs, shown);
    }
  return TRUE;
}

void
goban_film_set_training (GobanFilm *self, const char *output, GobanCostModel *costs)
{
  g_return_if_fail (self->training == NULL);

  self->training = g_strdup (output);
  self->costs = goban_cost_model_ref (costs);
}

/* A film that is written once more has its runs already. */
static gboolean
make_runs (GobanFilm *self, const GobanProgress *progress, GError **error)
{
  GPtrArray *runs;

  if (self->training == NULL || self->runs->len > 0)
    return TRUE;
  runs = goban_film_plans_new (self->training, self->costs, progress, error);
  if (runs == NULL)
    return FALSE;
  g_ptr_array_unref (self->runs);
  self->runs = runs;
  return TRUE;
}

static gboolean
is_playback (const GobanFilm *self)
{
  return self->runs->len == 1;
}

static void
set_defaults (GobanFilm *self)
{
  if (self->fps <= 0)
    self->fps = is_playback (self) ? 12 : 2;
  if (self->seconds <= 0)
    self->seconds = is_playback (self) ? 8 : self->runs->len / self->fps;
}

guint
goban_film_count_frames (const GobanFilm *self)
{
  return (guint) CLAMP (round (self->seconds * self->fps), 1, MAX_FRAMES + 1);
}

static gboolean
check_sides (GobanFilm *self, GError **error)
{
  self->width = self->width > 0 ? self->width : 960;
  self->height = self->height > 0 ? self->height : 600;
  if (self->width < MIN_SIDE || self->height < MIN_SIDE || self->width > MAX_SIDE
      || self->height > MAX_SIDE || self->width % 2 != 0 || self->height % 2 != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a film of %d x %d pixels cannot be written; sides are even, from %d to "
                         "%d pixels",
                         self->width, self->height, MIN_SIDE, MAX_SIDE);
  return TRUE;
}

static gboolean
is_gif (const GobanFilm *self)
{
  g_autofree char *lower = g_ascii_strdown (self->path, -1);

  return g_str_has_suffix (lower, ".gif");
}

static guint64
count_bytes (const GobanFilm *self)
{
  return (guint64) 4 * (guint64) self->width * (guint64) self->height
         * goban_film_count_frames (self);
}

static gboolean
check (const GobanFilm *self, GError **error)
{
  GobanGraph *graph = goban_run_get_graph (g_ptr_array_index (self->runs, 0));

  for (guint i = 1; i < self->runs->len; i++)
    if (goban_run_get_graph (g_ptr_array_index (self->runs, i)) != graph)
      return goban_refuse (error, GOBAN_ERROR_INVALID, "the runs of a film are of one graph");
  if (goban_film_count_frames (self) > MAX_FRAMES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a film of %g seconds at %g frames a second has more than %d frames",
                         self->seconds, self->fps, MAX_FRAMES);
  if (is_gif (self) && count_bytes (self) > MAX_GIF_BYTES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: a .gif of %u frames of %d x %d pixels would take too much memory: "
                         "write a .webm, or a shorter or smaller film",
                         self->path, goban_film_count_frames (self), self->width, self->height);
  return TRUE;
}

/* --- frames ----------------------------------------------------------------------------------- */

static void
drop_scenes (Stage *stage)
{
  g_clear_pointer (&stage->graph, goban_graph_scene_free);
  g_clear_pointer (&stage->timeline, goban_timeline_scene_free);
}

static void
show_run (Stage *stage, GobanRun *run)
{
  GobanTrace *trace = goban_run_get_trace (run);
  GobanGraphScene *base;

  if (stage->run == run)
    return;
  drop_scenes (stage);
  stage->run = run;
  base = goban_graph_scene_new (goban_run_get_graph (run), NULL, NULL, trace);
  stage->graph = goban_plot_take_scene (stage->plot, base);
  stage->timeline = goban_timeline_scene_new (trace);
  goban_export_picture_show_devices (stage->timeline);
}

/* A pen over rows @y0 to @y1 of the frame. The surface is the caller's. */
static GobanPen *
open_pen (Stage *stage, int y0, int y1, cairo_surface_t **part)
{
  int stride = cairo_image_surface_get_stride (stage->image);
  guint8 *data = cairo_image_surface_get_data (stage->image);

  *part = cairo_image_surface_create_for_data (data + (gsize) y0 * stride, CAIRO_FORMAT_RGB24,
                                               stage->film->width, y1 - y0, stride);
  return goban_pen_new_for_image (*part, stage->text);
}

static void
paint_title (Stage *stage, double time_us)
{
  const GobanColours *colours = goban_palette_get (stage->film->theme);
  GobanTextStyle style = { 15, TRUE, GOBAN_ALIGN_LEFT, colours->ink };
  char time[GOBAN_QUANTITY_LEN], whole[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;
  cairo_surface_t *part;
  GobanPen *pen = open_pen (stage, 0, TITLE_H, &part);

  goban_format_time (whole, goban_run_get_makespan_us (stage->run));
  text = isnan (time_us) ? g_strdup_printf ("%s  ·  %s", goban_run_get_name (stage->run), whole)
                         : g_strdup_printf ("%s  ·  %s of %s", goban_run_get_name (stage->run),
                                            goban_format_time (time, time_us), whole);
  goban_pen_rect (pen, (GobanBox){ 0, 0, stage->film->width, TITLE_H }, colours->canvas);
  goban_pen_text (pen, text, (GobanPoint){ 12, TITLE_H / 2.0 }, stage->film->width - 24, &style);
  goban_pen_free (pen);
  cairo_surface_destroy (part);
}

static void
paint_graph (Stage *stage, double time_us, int y1)
{
  cairo_surface_t *part;
  GobanPen *pen = open_pen (stage, TITLE_H, y1, &part);
  GobanGraphPicture picture = {
    .scene = stage->graph,
    .layout = stage->plot->layout,
    .camera
    = goban_camera_fit (stage->plot->layout->bounds, stage->film->width, y1 - TITLE_H, 12, 2),
    .style = { .theme = stage->film->theme, .fill = GOBAN_FILL_DEVICE, .ui_scale = 1 },
  };

  if (!isnan (time_us))
    {
      goban_playback_state_compute (stage->run, time_us, stage->states, NULL);
      picture.states = stage->states;
    }
  goban_graph_paint (&picture, pen);
  goban_pen_free (pen);
  cairo_surface_destroy (part);
}

static void
paint_timeline (Stage *stage, double time_us, int y0)
{
  cairo_surface_t *part;
  GobanPen *pen = open_pen (stage, y0, stage->film->height, &part);
  GobanTimelineStyle style
      = { .theme = stage->film->theme, .fill = GOBAN_FILL_DEVICE, .ui_scale = 1 };
  double room = goban_timeline_lanes_width (&style, stage->film->width);
  GobanTimelinePicture picture = { .scene = stage->timeline,
                                   .camera = goban_time_camera_fit (0, stage->end_us, room),
                                   .style = style };
  GobanTimelineOverlay overlay = goban_timeline_overlay_none ();

  goban_timeline_paint (&picture, pen);
  overlay.time_us = time_us;
  goban_timeline_paint_overlay (&picture, &overlay, pen);
  goban_pen_free (pen);
  cairo_surface_destroy (part);
}

/* Frame @i of @n. Of one run, the last shows its end. */
static void
draw_frame (Stage *stage, guint i, guint n)
{
  GPtrArray *runs = stage->film->runs;
  GobanRun *run = g_ptr_array_index (runs, (guint64) i * runs->len / n);
  int split = (int) (TITLE_H + (stage->film->height - TITLE_H) * GRAPH_SHARE);
  double time_us = (double) NAN;

  if (is_playback (stage->film))
    time_us = n > 1 ? stage->end_us * i / (n - 1) : stage->end_us;
  else if (run == stage->run) /* the image has it from the frame before */
    return;
  show_run (stage, run);
  paint_title (stage, time_us);
  paint_graph (stage, time_us, split);
  paint_timeline (stage, time_us, split);
  cairo_surface_mark_dirty (stage->image);
}

static gboolean
set_stage (Stage *stage, GobanFilm *film, GError **error)
{
  GobanRun *first = g_ptr_array_index (film->runs, 0);
  GobanGraph *graph = goban_run_get_graph (first);
  GobanLook look = { .grouping = film->grouping, .trace = goban_run_get_trace (first) };

  *stage = (Stage){ .film = film };
  for (guint i = 0; i < film->runs->len; i++)
    {
      double makespan_us = goban_run_get_makespan_us (g_ptr_array_index (film->runs, i));

      if (isfinite (makespan_us))
        stage->end_us = fmax (stage->end_us, makespan_us);
    }
  if (!(stage->end_us > 0))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a run that takes no time has no film");
  stage->plot = goban_plot_new (graph, &look, error);
  if (stage->plot == NULL)
    return FALSE;
  stage->text = goban_text_cache_new ();
  stage->states = g_new0 (guint8, MAX (goban_graph_get_n_nodes (graph), 1));
  stage->image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, film->width, film->height);
  return TRUE;
}

static void
clear_stage (Stage *stage)
{
  drop_scenes (stage);
  g_clear_pointer (&stage->image, cairo_surface_destroy);
  g_clear_pointer (&stage->states, g_free);
  g_clear_pointer (&stage->text, goban_text_cache_free);
  g_clear_pointer (&stage->plot, goban_plot_unref);
}

/* --- writing ---------------------------------------------------------------------------------- */

static gboolean
write_frames (Stage *stage, FilmFile *file, const GobanProgress *progress, GError **error)
{
  guint n = goban_film_count_frames (stage->film);

  for (guint i = 0; i < n; i++)
    {
      if (!goban_progress_check (progress, error))
        return FALSE;
      draw_frame (stage, i, n);
      if (!add_image (file, stage->image, error))
        return FALSE;
      goban_progress_step (progress, (i + 1.0) / n, "Drawing frames");
    }
  return finish_file (file, error);
}

/* With all runs. */
static gboolean
write_runs (GobanFilm *self, const GobanProgress *progress, GError **error)
{
  Stage stage = { 0 };
  FilmFile *file = NULL;
  gboolean is_written;

  set_defaults (self);
  if (!check (self, error))
    return FALSE;
  is_written = set_stage (&stage, self, error);
  if (is_written)
    {
      file = open_file (self, error);
      is_written = file != NULL && write_frames (&stage, file, progress, error);
    }
  g_clear_pointer (&file, free_file);
  clear_stage (&stage);
  return is_written;
}

gboolean
goban_film_write (GobanFilm *self, const GobanProgress *progress, GError **error)
{
  GobanPartProgress placing, drawing;

  g_return_val_if_fail (self->runs->len > 0 || self->training != NULL, FALSE);

  if (!goban_film_check_path (self->path, error) || !check_sides (self, error))
    return FALSE;
  if (self->training == NULL)
    return write_runs (self, progress, error);
  return make_runs (self, goban_part_progress_begin (&placing, progress, 0, 2, NULL), error)
         && write_runs (self, goban_part_progress_begin (&drawing, progress, 1, 2, NULL), error);
}

gpointer
goban_film_run (const GobanProgress *progress, gpointer film, GError **error)
{
  GobanFilm *self = film;

  return goban_film_write (self, progress, error) ? g_strdup (self->path) : NULL;
}
