/* film.h: moving pictures of runs: graph above, timeline below, frame by frame.
 *
 * Of one run, its time passes; of several runs of one graph (the steps of a search, the best plans
 * of a training), they are shown one after the other with one scale of time; of a training, the
 * plans of a graph as its network became. Written as .gif or .webm by ffmpeg if that is installed,
 * or as .apng, an animated PNG, by ourselves.
 *
 * Any thread; a film belongs to one at a time.
 *
 * Decision U64 (ui/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/hierarchy/grouping.h"
#include "engine/study/run/run.h"
#include "ui/draw/palette.h"

#include <cairo.h>

typedef struct
{
  char *path;
  GPtrArray *runs;       /* GobanRun, at least one, all of one graph; none of a training */
  char *training;        /* (nullable): the network of a training, whose film is filmed */
  GobanCostModel *costs; /* (nullable): of the graph, for a training */
  GobanTheme theme;
  GobanGrouping grouping;
  double seconds; /* length; 0: 8 of one run, half a second for each of several */
  double fps;     /* frames a second; 0: 12 of one run, 2 of several */
  int width;      /* pixels, even; 0: 960 */
  int height;     /* 0: 600 */
} GobanFilm;

/* A film of no run yet. (transfer full) */
GobanFilm *goban_film_new (const char *path) G_GNUC_WARN_UNUSED_RESULT;
void goban_film_free (gpointer film);

/* Adds the runs of the steps that led to @run, at most 240, evenly; FALSE with @error set if it has
 * none. */
gboolean goban_film_add_steps (GobanFilm *self, GobanRun *run, GError **error);

/* The runs are plans of @costs by the networks that the training of @output has kept; they are made
 * when the film is written. */
void goban_film_set_training (GobanFilm *self, const char *output, GobanCostModel *costs);

/* Whether the path ends as a film does; else FALSE with GOBAN_ERROR_UNSUPPORTED set. */
gboolean goban_film_check_path (const char *path, GError **error);
/* ".gif" if ffmpeg is there, else ".apng". */
const char *goban_film_get_usual_ending (void);

/* Draws and writes all frames. FALSE with GOBAN_ERROR_INVALID (a length or size that no film has, a
 * training without a film), UNSUPPORTED (no ffmpeg), IO or CANCELLED set, and the old file
 * untouched. */
gboolean goban_film_write (GobanFilm *self, const GobanProgress *progress, GError **error);

/* The frames that will be written, once the options are set and there are runs. */
guint goban_film_count_frames (const GobanFilm *self);

/* For a job: the path, to be freed. */
gpointer goban_film_run (const GobanProgress *progress, gpointer film, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFilm, goban_film_free)
