/* film-view.h: strip of small timelines of a training's plans: a click keeps one, a drag plays
 * them.
 *
 * Left and Right play, too; Return keeps the one that is shown.
 *
 * Signal: "play" (uint i, boolean is_kept): the plan of a picture is to be shown; or kept.
 */
#pragma once

#include "ui/draw/charts/film-strip.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_FILM_VIEW (goban_film_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanFilmView, goban_film_view, GOBAN, FILM_VIEW, GobanPicture)

/* @pictures: (element-type GobanFilmPicture) (nullable): borrowed until the next call */
void goban_film_view_set_pictures (GobanFilmView *self, const GArray *pictures);

/* Selects a picture and emits "play". */
void goban_film_view_play (GobanFilmView *self, guint i, gboolean is_kept);
