#include "ui/draw/export/film.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/training/film-plans.h"
#include "ui/draw/export/film-file.h"
#include "ui/draw/export/picture.h"
#include "ui/draw/timeline/timeline-painter.h"

#include <math.h>
#include <string.h>

#define MAX_FRAMES 2000
#define MAX_STEPS 240
#define MAX_SIDE 4096
/* Of all frames: ffmpeg keeps those of a .gif until it has chosen their colours, twice as large. */
#define MAX_GIF_BYTES ((guint64) 1 << 30)
#define MIN_SIDE 160
#define TITLE_H 34
#define GRAPH_SHARE 0.56

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
  guint first = goban_steps_get_first (run), n = goban_steps_count (run);
  guint n_shown = MIN (n - first + 1, MAX_STEPS);

  if (n == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” has no steps to show; they are recorded when a policy decides",
                         goban_run_get_name (run));
  for (guint i = 0; i < n_shown; i++)
    {
      guint step = n_shown > 1 ? first + (guint) ((guint64) i * (n - first) / (n_shown - 1)) : n;
      GobanRun *shown = goban_steps_new_run (run, step, error);

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

/* Of progress that is one half of the whole. */
typedef struct
{
  const GobanProgress *whole;
  double from;
} Half;

static void
half_step (double fraction, const char *what, gpointer user_data)
{
  const Half *half = user_data;

  goban_progress_step (half->whole, half->from + fraction / 2, what);
}

static gboolean
half_should_stop (gpointer user_data)
{
  return !goban_progress_check (((const Half *) user_data)->whole, NULL);
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
write_frames (Stage *stage, GobanFilmFile *file, const GobanProgress *progress, GError **error)
{
  guint n = goban_film_count_frames (stage->film);

  for (guint i = 0; i < n; i++)
    {
      if (!goban_progress_check (progress, error))
        return FALSE;
      draw_frame (stage, i, n);
      if (!goban_film_file_add (file, stage->image, error))
        return FALSE;
      goban_progress_step (progress, (i + 1.0) / n, "Drawing frames");
    }
  return goban_film_file_finish (file, error);
}

/* With all runs. */
static gboolean
write_runs (GobanFilm *self, const GobanProgress *progress, GError **error)
{
  Stage stage = { 0 };
  GobanFilmFile *file = NULL;
  gboolean is_written;

  set_defaults (self);
  if (!check (self, error))
    return FALSE;
  is_written = set_stage (&stage, self, error);
  if (is_written)
    {
      file = goban_film_file_open (
          self->path,
          &(GobanFilmSize){ self->width, self->height, self->fps, goban_film_count_frames (self) },
          error);
      is_written = file != NULL && write_frames (&stage, file, progress, error);
    }
  g_clear_pointer (&file, goban_film_file_free);
  clear_stage (&stage);
  return is_written;
}

gboolean
goban_film_write (GobanFilm *self, const GobanProgress *progress, GError **error)
{
  Half first = { progress, 0 }, second = { progress, 0.5 };
  GobanProgress placing = { half_step, half_should_stop, &first },
                drawing = { half_step, half_should_stop, &second };

  g_return_val_if_fail (self->runs->len > 0 || self->training != NULL, FALSE);

  if (!goban_film_check_path (self->path, error) || !check_sides (self, error))
    return FALSE;
  if (self->training == NULL)
    return write_runs (self, progress, error);
  return make_runs (self, &placing, error) && write_runs (self, &drawing, error);
}

gpointer
goban_film_run (const GobanProgress *progress, gpointer film, GError **error)
{
  GobanFilm *self = film;

  return goban_film_write (self, progress, error) ? g_strdup (self->path) : NULL;
}
