/* film-maker.h: plans of the open graph by the networks of a training's earlier updates.
 *
 * A worker lists the files, whose disk may be slow, and makes one plan after another, the newest
 * first. While the training runs it rests 99 times as long as it worked, so that it takes at most
 * 1 % of a core from it. An object of the main thread.
 *
 * Signal: "changed": there are other frames, or a plan has been made.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/training/training-list.h"
#include "ui/draw/charts/film-strip.h"

#define GOBAN_TYPE_FILM_MAKER (goban_film_maker_get_type ())
G_DECLARE_FINAL_TYPE (GobanFilmMaker, goban_film_maker, GOBAN, FILM_MAKER, GObject)

GobanFilmMaker *goban_film_maker_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The training and the graph on its cluster that the film is about; all (nullable). */
void goban_film_maker_set_training (GobanFilmMaker *self, GobanTrainingJob *training);
void goban_film_maker_set_costs (GobanFilmMaker *self, GobanCostModel *costs);
/* Looks for new frames and goes on: to be called now and then. */
void goban_film_maker_update (GobanFilmMaker *self);

/* (element-type GobanFilmPicture) borrowed until "changed". */
const GArray *goban_film_maker_get_pictures (GobanFilmMaker *self);
/* (nullable): the run of a picture's plan, unless it is not made or large; borrowed. */
GobanRun *goban_film_maker_get_run (GobanFilmMaker *self, guint i);
/* Makes the plan of a picture once more, as one of the session's. */
void goban_film_maker_place (GobanFilmMaker *self, guint i, GobanSession *session);
/* view.show(...): makes and shows the plan of a picture. (transfer full) */
char *goban_film_maker_dup_code (GobanFilmMaker *self, guint i) G_GNUC_WARN_UNUSED_RESULT;

/* When the next plan may begin, after one that took from @begun_us to @ended_us. */
gint64 goban_film_maker_get_next_us (gint64 begun_us, gint64 ended_us, gboolean is_training);
