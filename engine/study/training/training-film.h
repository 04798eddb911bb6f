/* training-film.h: networks of earlier updates, kept in a folder beside a training's network.
 *
 * OUTPUT.film/00000120.net is the network after 120 updates: whatever graph is open, its plans at
 * that time can be made again. At most GOBAN_TRAINING_FILM_MAX are kept: when there are more, every
 * second one is removed, and as many fewer are written from then on. Pictures of plans are made of
 * them by whoever shows them, so a training only writes files.
 *
 * Decision E68 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

#define GOBAN_TRAINING_FILM_MAX 24

typedef struct
{
  guint step; /* number of updates made */
  char *file; /* a network */
} GobanTrainingFilmFrame;

/* The folder of a training's network. (transfer full) */
char *goban_training_film_dup_folder (const char *output) G_GNUC_WARN_UNUSED_RESULT;
/* The frames there are, in the order of their updates; none without a folder. (transfer full)
 * (element-type GobanTrainingFilmFrame) */
GArray *goban_training_film_list (const char *output) G_GNUC_WARN_UNUSED_RESULT;

/* --- writing ---------------------------------------------------------------------------------- */

typedef struct _GobanTrainingFilm GobanTrainingFilm;

/* @first: updates that the run has made: later frames are removed, so that a new run has none. */
GobanTrainingFilm *goban_training_film_new (const char *output,
                                            guint first) G_GNUC_WARN_UNUSED_RESULT;
void goban_training_film_free (GobanTrainingFilm *self);
/* (nullable): the file to which the network after @step updates is to be written; %NULL if that one
 * is not kept. Makes room for it. (transfer full) */
char *goban_training_film_next (GobanTrainingFilm *self, guint step) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainingFilm, goban_training_film_free)
